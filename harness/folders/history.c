/* The history of a gate, see history.h. A solver moves on a data set if its hash is another than in the last run before
 * with as many records. */
#include "harness/folders/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json_writer.h"

/* SERIES and RUNS: at most so many are drawn; of more than NAMED runs only those that moved are named. */
enum { SCHEMA = 1, SERIES = 8, RUNS = 400, NAMED = 14, MOST_NAMES = 26, SHORT_COMMIT = 8, LONGEST_COMMIT = 200 };

static int is_count(enum record_field quantity)
{
    return quantity_is_compared(quantity, 0);
}

/* ---- sums ---- */

static uint64_t hash_record(uint64_t hash, const struct record *record)
{
    char text[256];
    record_settings_text(record, text, sizeof text);
    hash = fnv(fnv(hash, text, strlen(text) + 1), record->outcome, strlen(record->outcome) + 1);
    for (enum record_field q = 0; q < RECORD_FIELDS; q++)
        if (is_count(q)) {
            const int length = snprintf(text, sizeof text, "%zu %.0f", record->split, quantity_of(record, q));
            hash = fnv(hash, text, (size_t)length + 1);
        }
    return hash;
}

struct sums_list sums_of(struct pool *pool, const struct measured_run *measured)
{
    const struct records *entries = &measured->entries;
    struct sums_list list = {0};
    for (size_t i = 0; i < entries->count; i++) {
        const struct record *record = entries->items[i];
        struct count_sums *sums = list.count ? &list.item[list.count - 1] : NULL;
        if (!sums || strcmp(sums->solver, record->solver) != 0 || strcmp(sums->dataset, record->dataset) != 0) {
            sums = pool_push(pool, &list);
            *sums = (struct count_sums){.solver = record->solver, .dataset = record->dataset, .hash = FNV_START};
        }
        sums->records++;
        sums->failed += (size_t)record->failed;
        sums->hash = hash_record(sums->hash, record);
        for (enum record_field q = 0; q < RECORD_FIELDS; q++)
            sums->sum[q] += is_count(q) ? quantity_of(record, q) : (double)NAN;
    }
    for (size_t i = 0; i < list.count; i++) {
        cJSON *counts = json_new_object();
        for (enum record_field q = 0; q < RECORD_FIELDS; q++)
            if (!isnan(list.item[i].sum[q]))
                json_put_number(counts, measure_path(q), list.item[i].sum[q]);
        list.item[i].counts = json_keep(pool, counts);
    }
    return list;
}

/* ---- the file ---- */

const struct member history_sum_members[] = {
    {"solver", MEMBER_TEXT, FIELD(struct count_sums, solver), MEMBER_REQUIRED},
    {"dataset", MEMBER_TEXT, FIELD(struct count_sums, dataset), MEMBER_REQUIRED},
    {"records", MEMBER_COUNT, FIELD(struct count_sums, records), MEMBER_REQUIRED, .low = 1, .high = 1e15},
    {"failed", MEMBER_COUNT, FIELD(struct count_sums, failed), .high = 1e15, .doc = "How many of them failed."},
    {"hash", MEMBER_HASH, FIELD(struct count_sums, hash), MEMBER_REQUIRED,
     .doc = "Of the settings, outcome and counts of each record, which sums may hide."},
    {"counts", MEMBER_JSON_OBJECT, FIELD(struct count_sums, counts), MEMBER_REQUIRED,
     .doc = "The sum of each count over the records, by its path in records."},
    MEMBERS_END,
};
const struct member history_members[] = {
    {"history", MEMBER_COUNT, FIELD(struct history_run, schema), MEMBER_REQUIRED | MEMBER_ABOVE, .high = SCHEMA,
     .doc = "The number of the format."},
    {"date", MEMBER_TEXT, FIELD(struct history_run, date), MEMBER_REQUIRED, .doc = "When the line was added, UTC."},
    {"commit", MEMBER_TEXT, FIELD(struct history_run, commit), .doc = "What was measured, if that is known."},
    {"version", MEMBER_TEXT, FIELD(struct history_run, version), MEMBER_REQUIRED, .doc = "Of hullbench."},
    {"config", MEMBER_TEXT, FIELD(struct history_run, config), MEMBER_REQUIRED, .doc = "The configuration's name."},
    {"config_sha256", MEMBER_TEXT, FIELD(struct history_run, config_hash), MEMBER_REQUIRED,
     .doc = "Of the configuration's file."},
    {"sums", MEMBER_LIST, FIELD(struct history_run, sums), MEMBER_REQUIRED | MEMBER_NOT_EMPTY,
     .inner = history_sum_members, .inner_size = sizeof(struct count_sums),
     .doc = "The counts of each solver on each data set."},
    MEMBERS_END,
};

int history_is_commit(const char *text)
{
    size_t length = 0;
    while (text[length] > ' ' && text[length] < 127)
        length++;
    return length > 0 && length <= LONGEST_COMMIT && text[length] == '\0';
}

const char *history_commit(struct pool *pool, const char *history)
{
    static const char *const variables[] = {"GITHUB_SHA", "CI_COMMIT_SHA"};
    const char *name = strrchr(history, '/') ? strrchr(history, '/') + 1 : history;
    char line[PATH_MAX] = "";
    int is_dirty = 0;
    for (size_t v = 0; v < sizeof variables / sizeof *variables; v++) {
        const char *value = getenv(variables[v]);
        if (value && history_is_commit(value))
            return pool_strdup(pool, value);
    }
    FILE *git = popen("{ git rev-parse HEAD && git status --porcelain --untracked-files=no; } 2>/dev/null", "r");
    if (!git)
        return NULL;
    const char *commit = fgets(line, sizeof line, git) ? pool_strndup(pool, line, strcspn(line, "\n")) : "";
    while (fgets(line, sizeof line, git)) { /* "XY PATH" */
        const char *start = strrchr(line, '/') ? strrchr(line, '/') + 1 : strlen(line) > 3 ? line + 3 : line;
        const size_t length = strcspn(start, "\n\"");
        is_dirty |= strlen(name) != length || strncmp(start, name, length) != 0;
    }
    const int found = pclose(git) == 0 && history_is_commit(commit);
    return found ? pool_printf(pool, "%s%s", commit, is_dirty ? "-dirty" : "") : NULL;
}

/* Reads a line of a history; its tree is in a pool that is reset for each. */
static struct history_run read_run(struct pool *pool, struct pool *tree, const char *line, const char *path,
                                   size_t number)
{
    const struct json_path place = {.file = pool_printf(pool, "%s:%zu", path, number)};
    struct history_run run;
    members_read(pool, history_members, json_object_of_line(tree, line, &place), &place, &run);
    for (size_t s = 0; s < run.sums.count; s++) {
        struct count_sums *sums = &run.sums.item[s];
        for (enum record_field q = 0; q < RECORD_FIELDS; q++) {
            const cJSON *sum = json_member(sums->counts, measure_path(q));
            if (sum && !(cJSON_IsNumber(sum) && sum->valuedouble >= 0 && isfinite(sum->valuedouble)))
                json_die(&place, "sums[%zu]: counts: %s: expected a number from 0", s, measure_path(q));
            sums->sum[q] = sum ? sum->valuedouble : (double)NAN;
        }
        sums->counts = NULL;
    }
    return run;
}

static void check_config(const char *path, size_t number, const char *config, const char *expected)
{
    if (expected && strcmp(config, expected) != 0)
        die(STATUS_BAD_INPUT, "%s:%zu: a run of \"%s\", not of \"%s\"; keep a file for each configuration", path,
            number, config, expected);
}

void history_check(struct pool *pool, const char *path, const char *config)
{
    char folder[PATH_MAX], *line = NULL, last = '\n';
    size_t size = 0;
    file_check_regular(path);
    FILE *file = fopen(path, "r+");
    if (!file && errno == ENOENT) {
        path_folder(path, folder);
        if (access(folder, W_OK) != 0)
            die(STATUS_IO, "%s: cannot be written: %s: %s", path, folder, strerror(errno));
        return;
    }
    if (!file)
        die(STATUS_IO, "%s: cannot be written: %s", path, strerror(errno));
    const ssize_t length = getline(&line, &size, file);
    if (length > 0 && fseek(file, -1, SEEK_END) == 0 && fread(&last, 1, 1, file) != 1)
        last = '\n';
    fclose(file);
    const char *first = length > 0 ? pool_strdup(pool, line) : NULL;
    free(line);
    if (last != '\n')
        die(STATUS_BAD_INPUT, "%s: the last line is cut off; remove it", path);
    if (!first)
        return;
    struct pool *tree = pool_new();
    check_config(path, 1, read_run(pool, tree, first, path, 1).config, config);
    pool_free(tree);
}

void history_append(struct pool *pool, const char *path, const struct measured_run *measured, const char *commit)
{
    const struct run_info *run = &measured->folder.run;
    const struct history_run line = {.schema = SCHEMA, .date = utc_now(pool), .commit = commit, .version = run->version,
                                     .config = run->config, .config_hash = measured->config_hash,
                                     .sums = sums_of(pool, measured)};
    char *json = json_line(json_keep(pool, members_write(history_members, &line)));
    const char *text = pool_printf(pool, "%s\n", json);
    free(json);
    history_check(pool, path, run->config);
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        die(STATUS_IO, "%s: cannot be written: %s", path, strerror(errno));
    file_append(file, path, text, strlen(text));
    if (close(file) != 0)
        die(STATUS_IO, "%s: cannot be written: %s", path, strerror(errno));
}

struct history history_read(struct pool *pool, const char *path)
{
    struct history history = {.pool = pool, .path = path};
    struct pool *tree = pool_new();
    const struct string_list lines = lines_read(pool, path);
    for (size_t i = 0; i < lines.count; i++) {
        *pool_push(pool, &history) = read_run(pool, tree, lines.line[i], path, i + 1);
        check_config(path, i + 1, history.item[i].config, history.item[0].config);
    }
    pool_free(tree);
    if (history.count == 0)
        die(STATUS_NOT_FOUND, "%s: has no run; hullbench check --history adds one", path);
    return history;
}

/* ---- what moved ---- */

/* The selected solvers and data sets of all runs, with their sums in each run. */
struct tracks {
    struct pool *pool;
    const struct history *history;
    struct track {
        const struct count_sums **in_run; /* NULL: the run lacks them */
        const struct count_sums *first;
        double largest; /* |log ratio| of a count between two runs */
    } *item;
    size_t count, capacity;
};

static struct track *track_of(struct tracks *tracks, const struct count_sums *sums)
{
    for (size_t t = 0; t < tracks->count; t++) {
        const struct count_sums *first = tracks->item[t].first;
        if (strcmp(first->solver, sums->solver) == 0 && strcmp(first->dataset, sums->dataset) == 0)
            return &tracks->item[t];
    }
    struct track *track = pool_push(tracks->pool, tracks);
    track->first = sums;
    track->in_run = pool_array(tracks->pool, tracks->history->count, sizeof *track->in_run);
    return track;
}

static struct tracks tracks_of(const struct history *history, const char *solvers, const char *datasets)
{
    struct tracks tracks = {.pool = history->pool, .history = history};
    for (size_t r = 0; r < history->count; r++)
        for (size_t s = 0; s < history->item[r].sums.count; s++) {
            const struct count_sums *sums = &history->item[r].sums.item[s];
            if ((!solvers || config_names(solvers, sums->solver)) &&
                (!datasets || config_names(datasets, sums->dataset)))
                track_of(&tracks, sums)->in_run[r] = sums;
        }
    if (tracks.count == 0)
        die(STATUS_NOT_FOUND, "%s: no run has the selected solvers and data sets; the first has %s on %s",
            history->path, history->item[0].sums.item[0].solver, history->item[0].sums.item[0].dataset);
    return tracks;
}

/* The sums of the last run before that has as many records of the track; NULL if none has. */
static const struct count_sums *before(const struct track *track, size_t run)
{
    for (size_t r = run; r-- > 0;)
        if (track->in_run[r] && track->in_run[r]->records == track->in_run[run]->records)
            return track->in_run[r];
    return NULL;
}

/* Whether the run has the track with other counts. */
static int moves(const struct track *track, size_t run)
{
    const struct count_sums *was = track->in_run[run] ? before(track, run) : NULL;
    return was && was->hash != track->in_run[run]->hash;
}

static int has_moved(const struct tracks *tracks, size_t run)
{
    for (size_t t = 0; t < tracks->count; t++)
        if (moves(&tracks->item[t], run))
            return 1;
    return 0;
}

/* "7c1f09ab", "v1.2", or the date of a run without a commit. */
static const char *run_name(struct pool *pool, const struct history_run *run)
{
    const char *commit = run->commit ? run->commit : run->date;
    const size_t digits = strspn(commit, "0123456789abcdef");
    const int is_hash = digits == 40 || digits == 64;
    return is_hash ? pool_printf(pool, "%.*s%s", SHORT_COMMIT, commit, commit + digits) : commit;
}

static void put_row(struct trend *trend, const struct history_run *run, const struct count_sums *of, const char *change)
{
    struct pool *pool = trend->page.pool;
    result_row(&trend->page, "%s\t%.10s\t%s\t%s\t%s", run_name(pool, run), run->date, of->solver, of->dataset, change);
}

static void put_datum(struct trend *trend, const struct history_run *run, const struct count_sums *of,
                      const char *count, double was, double is)
{
    result_name(&trend->data, run->commit);
    result_name(&trend->data, run->date);
    result_name(&trend->data, of->solver);
    result_name(&trend->data, of->dataset);
    result_name(&trend->data, count);
    result_number(&trend->data, was);
    result_number(&trend->data, is);
}

static void put_move(struct trend *trend, const struct history_run *run, const struct count_sums *was,
                     const struct count_sums *is)
{
    struct pool *pool = trend->page.pool;
    const char *text = is->failed != was->failed ? pool_printf(pool, "%zu failed, %zu before", is->failed, was->failed)
                                                 : "";
    if (is->failed != was->failed)
        put_datum(trend, run, is, "failed", (double)was->failed, (double)is->failed);
    for (enum record_field q = 0; q < RECORD_FIELDS; q++) {
        if (was->sum[q] == is->sum[q] || (isnan(was->sum[q]) && isnan(is->sum[q])))
            continue;
        put_datum(trend, run, is, measure_path(q), was->sum[q], is->sum[q]);
        text = pool_printf(pool, "%s%s%s", text, *text ? ", " : "", count_move_text(pool, q, was->sum[q], is->sum[q]));
    }
    if (!*text)
        put_datum(trend, run, is, "hash", (double)NAN, (double)NAN);
    put_row(trend, run, is, *text ? text : "settings, outcomes or single records; the sums are the same");
}

/* Adds a run with a number of records that the track had in no run before, such as a new data set. */
static void put_number(struct trend *trend, const struct track *track, const struct history *history, size_t run)
{
    size_t records = 0;
    for (size_t r = 0; r < run; r++)
        records = track->in_run[r] ? track->in_run[r]->records : records;
    put_row(trend, &history->item[run], track->first,
            pool_printf(trend->page.pool, "%zu records, %zu before", track->in_run[run]->records, records));
    put_datum(trend, &history->item[run], track->first, "records", (double)records,
              (double)track->in_run[run]->records);
}

struct trend trend_of(const struct history *history, const char *solvers, const char *datasets)
{
    const struct tracks tracks = tracks_of(history, solvers, datasets);
    struct trend trend = {{.pool = history->pool, .name = "trend"}, {.pool = history->pool, .name = "trend"}, 0};
    const struct history_run *first = &history->item[0], *last = &history->item[history->count - 1];
    result_columns(&trend.page, "commit\tdate\tsolver\tdata set\t~change=what moved");
    result_columns(&trend.data, "commit\tdate\tsolver\tdataset\tcount\t#was\t#is");
    for (size_t r = 1; r < history->count; r++) {
        trend.moved += (size_t)has_moved(&tracks, r);
        for (size_t t = 0; t < tracks.count; t++)
            if (moves(&tracks.item[t], r))
                put_move(&trend, &history->item[r], before(&tracks.item[t], r), tracks.item[t].in_run[r]);
            else if (tracks.item[t].in_run[r] && !before(&tracks.item[t], r))
                put_number(&trend, &tracks.item[t], history, r);
        if (strcmp(history->item[r].config_hash, history->item[r - 1].config_hash) != 0)
            result_note(&trend.page, "%s: another configuration than in the run before.",
                        run_name(history->pool, &history->item[r]));
        if (strcmp(history->item[r].version, history->item[r - 1].version) != 0)
            result_note(&trend.page, "%s: hullbench %s, %s before.", run_name(history->pool, &history->item[r]),
                        history->item[r].version, history->item[r - 1].version);
    }
    result_title(&trend.page, "Counts of \"%s\" over %zu runs, %s to %s", first->config, history->count,
                 run_name(history->pool, first), run_name(history->pool, last));
    json_put_number(result_facts(&trend.page), "runs", (double)history->count);
    json_put_number(result_facts(&trend.page), "moved", (double)trend.moved);
    return trend;
}

/* ---- the figure ---- */

/* The count relative to the track's first run; NAN: not known, or another number of records. */
static double ratio_at(const struct track *track, size_t run, enum record_field count)
{
    const struct count_sums *sums = track->in_run[run];
    return sums && sums->records == track->first->records && track->first->sum[count] > 0
               ? sums->sum[count] / track->first->sum[count] : (double)NAN;
}

static int larger_first(const void *a, const void *b)
{
    const struct track *x = a, *y = b;
    return (x->largest < y->largest) - (x->largest > y->largest);
}

/* The counts that moved, or all if none did; returns their number. */
static size_t choose_counts(const struct tracks *tracks, enum record_field *counts)
{
    size_t n = 0, n_moved = 0;
    for (enum record_field q = 0; q < RECORD_FIELDS; q++) {
        int moves = 0, is_known = 0;
        for (size_t t = 0; t < tracks->count; t++)
            for (size_t r = 0; r < tracks->history->count; r++) {
                const double ratio = ratio_at(&tracks->item[t], r, q);
                is_known |= !isnan(ratio);
                if (isnan(ratio) || ratio == 1)
                    continue;
                moves = 1;
                tracks->item[t].largest = fmax(tracks->item[t].largest, fabs(log(ratio)));
            }
        if (moves && n_moved == 0)
            n = 0;
        n_moved += (size_t)moves;
        if (moves || (is_known && n_moved == 0))
            counts[n++] = q;
    }
    return n;
}

void trend_figure(const struct history *history, const char *solvers, const char *datasets, const char *folder,
                  struct figure_sink *sink)
{
    struct tracks tracks = tracks_of(history, solvers, datasets);
    struct pool *pool = history->pool;
    struct plot_figure figure;
    enum record_field counts[RECORD_FIELDS];
    const size_t n_counts = choose_counts(&tracks, counts), n_runs = history->count;
    const size_t from = n_runs > RUNS ? n_runs - RUNS : 0;
    const char *labels[SERIES], *axes[RECORD_FIELDS];
    const double linear[RECORD_FIELDS] = {0}, named = 1;
    if (n_counts == 0)
        return;
    qsort(tracks.item, tracks.count, sizeof *tracks.item, larger_first);
    const size_t shown = tracks.count < SERIES ? tracks.count : SERIES;
    plot_figure_open(&figure, "lines", "trend", NULL, NULL);
    fputs("# run records ratio - ratio - ratio - commit\n", figure.dat);
    for (size_t c = 0; c < n_counts; c++) {
        size_t next = 0; /* the first run that may be named */
        axes[c] = pool_printf(pool, "%s / first", quantity_words(pool, counts[c]));
        for (size_t t = 0; t < shown; t++) {
            const struct track *track = &tracks.item[t];
            labels[t] = pool_printf(pool, "%s, %s", track->first->solver, track->first->dataset);
            fprintf(figure.dat, "# %s of %s\n", measure_path(counts[c]), labels[t]);
            next = from;
            for (size_t r = from; r < n_runs; r++) {
                const double ratio = ratio_at(track, r, counts[c]);
                const int is_notable = n_runs <= NAMED || r == from || r == n_runs - 1 || has_moved(&tracks, r);
                const int is_named = is_notable && r >= next;
                next = is_named ? r + 1 + (n_runs - from) / MOST_NAMES : next;
                fprintf(figure.dat, "%zu %zu ", r + 1 - from, track->in_run[r] ? track->in_run[r]->records : 0);
                plot_numbers(figure.dat, (const double[]){ratio, NAN, ratio, NAN, ratio}, 5, " 0 ");
                plot_data_text(figure.dat, is_named ? run_name(pool, &history->item[r]) : "");
                fputc('\n', figure.dat);
            }
            fputs("\n\n", figure.dat);
        }
    }
    plot_figure_series(&figure, labels, shown);
    plot_figure_texts(&figure, "x_axes", (const char *const[]){"commit"}, 1);
    plot_figure_numbers(&figure, "x_named", &named, 1);
    plot_figure_texts(&figure, "y_axes", axes, n_counts);
    plot_figure_numbers(&figure, "logarithmic", linear, n_counts);
    fprintf(figure.heading, "%s: counts over %zu runs", history->item[0].config, n_runs);
    fprintf(figure.caption,
            "Sums over splits and settings, relative to the first run that has them: the %zu of %zu solvers and data "
            "sets that moved most%s. Runs with another number of records are left out.",
            shown, tracks.count, from ? ", in the last 400 runs" : "");
    figure_sink_put(sink, &figure, folder);
}
