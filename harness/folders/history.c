/* The history of a gate, see history.h. A run moves if the hash of a solver on a data set is another than in the run
 * before. */
#include "harness/folders/history.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/config/config.h"
#include "harness/run/fingerprint.h"
#include "harness/support/file.h"

/* SERIES and RUNS: at most so many are drawn; of more than NAMED runs only those that moved are named. */
enum { SCHEMA = 1, SERIES = 8, RUNS = 400, NAMED = 14, SHORT_COMMIT = 8 };

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

const char *history_commit(struct pool *pool)
{
    static const char *const variables[] = {"GITHUB_SHA", "CI_COMMIT_SHA"};
    char line[128] = "";
    for (size_t v = 0; v < sizeof variables / sizeof *variables; v++) {
        const char *value = getenv(variables[v]);
        if (value && *value)
            return pool_strdup(pool, value);
    }
    FILE *git = popen("git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null", "r");
    if (!git)
        return NULL;
    if (!fgets(line, sizeof line, git))
        line[0] = '\0';
    pclose(git);
    line[strcspn(line, "\n")] = '\0';
    return *line ? pool_strdup(pool, line) : NULL;
}

/* Opens the file for adding lines. */
static int open_history(const char *path)
{
    char last = '\n';
    file_check_regular(path);
    const int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        die(STATUS_IO, "%s: cannot be written: %s", path, strerror(errno));
    const off_t end = lseek(file, 0, SEEK_END);
    const int is_whole = end <= 0 || (pread(file, &last, 1, end - 1) == 1 && last == '\n');
    if (!is_whole) {
        close(file);
        die(STATUS_BAD_INPUT, "%s: the last line is cut off; remove it", path);
    }
    return file;
}

void history_check(const char *path)
{
    close(open_history(path));
}

void history_append(struct pool *pool, const char *path, const struct measured_run *measured, const char *commit)
{
    const struct run_info *run = &measured->folder.run;
    const time_t clock = time(NULL);
    char now[32] = "";
    struct tm utc;
    if (gmtime_r(&clock, &utc))
        strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
    const struct history_run line = {.schema = SCHEMA, .date = now, .commit = commit, .version = run->version,
                                     .config = run->config, .config_hash = measured->config_hash,
                                     .sums = sums_of(pool, measured)};
    char *json = json_line(json_keep(pool, members_write(history_members, &line)));
    const char *text = pool_printf(pool, "%s\n", json);
    free(json);
    const int file = open_history(path);
    const ssize_t written = write(file, text, strlen(text));
    const int reason = written < 0 ? errno : ENOSPC;
    const off_t end = lseek(file, 0, SEEK_END);
    const int is_whole = written == (ssize_t)strlen(text);
    if (!is_whole && written > 0 && ftruncate(file, end - written) != 0) {
        /* the next reader says that the line is cut off */
    }
    if (close(file) != 0 || !is_whole)
        die(STATUS_IO, "%s: cannot be written: %s", path, strerror(reason));
}

struct history history_read(struct pool *pool, const char *path)
{
    struct history history = {.pool = pool, .path = path};
    struct pool *line_pool = pool_new(); /* the tree of one line at a time */
    const struct string_list lines = lines_read(pool, path);
    for (size_t i = 0; i < lines.count; i++) {
        const struct json_path place = {.file = pool_printf(pool, "%s:%zu", path, i + 1)};
        struct json_fault ignored;
        const cJSON *json = json_parse_line(line_pool, lines.line[i], &ignored);
        struct history_run *run = pool_push(pool, &history);
        members_read(pool, history_members, json, &place, run);
        if (strcmp(run->config, history.item[0].config) != 0)
            json_die(&place, "a run of \"%s\", but the first line is of \"%s\"; keep a file for each configuration",
                     run->config, history.item[0].config);
        for (size_t s = 0; s < run->sums.count; s++) {
            struct count_sums *sums = &run->sums.item[s];
            for (enum record_field q = 0; q < RECORD_FIELDS; q++) {
                const cJSON *sum = cJSON_GetObjectItemCaseSensitive(sums->counts, measure_path(q));
                sums->sum[q] = cJSON_IsNumber(sum) ? sum->valuedouble : (double)NAN;
            }
            sums->counts = NULL;
        }
    }
    pool_free(line_pool);
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
        die(STATUS_NOT_FOUND, "%s: no run has the selected solvers and data sets", history->path);
    return tracks;
}

/* Whether the run, not the first, differs from the one before. */
static int moves(const struct track *track, size_t run)
{
    const struct count_sums *was = track->in_run[run - 1], *is = track->in_run[run];
    return was && is ? was->records != is->records || was->hash != is->hash : was != is;
}

/* "7c1f09ab", or the date of a run without a commit. */
static const char *run_name(struct pool *pool, const struct history_run *run)
{
    const char *commit = run->commit ? run->commit : run->date, *dash = strchr(commit, '-');
    if (!run->commit)
        return commit;
    return strlen(commit) <= SHORT_COMMIT ? commit
                                          : pool_printf(pool, "%.*s%s", SHORT_COMMIT, commit, dash ? dash : "");
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

/* Adds what moved from one run to the next, either of which may lack the sums. */
static void put_move(struct trend *trend, const struct history_run *run, const struct count_sums *was,
                     const struct count_sums *is)
{
    struct pool *pool = trend->page.pool;
    const struct count_sums *of = is ? is : was;
    const char *text = "";
    if (!was || !is || was->records != is->records) {
        const size_t before = was ? was->records : 0, after = is ? is->records : 0;
        put_row(trend, run, of, pool_printf(pool, "%zu records, %zu before", after, before));
        put_datum(trend, run, of, "records", (double)before, (double)after);
        return;
    }
    for (enum record_field q = 0; q < RECORD_FIELDS; q++) {
        const double before = was->sum[q], after = is->sum[q];
        if (before == after || (isnan(before) && isnan(after)))
            continue;
        put_datum(trend, run, of, measure_path(q), before, after);
        text = pool_printf(pool, "%s%s%s", text, *text ? ", " : "", measure_path(q));
        if (before > 0 && !isnan(after))
            text = pool_printf(pool, "%s %.0f to %.0f (%+.2g %%)", text, before, after,
                               100 * (after - before) / before);
    }
    if (!*text)
        put_datum(trend, run, of, "hash", (double)NAN, (double)NAN);
    put_row(trend, run, of, *text ? text : "settings, outcomes or single records; the sums are the same");
}

struct trend trend_of(const struct history *history, const char *solvers, const char *datasets)
{
    const struct tracks tracks = tracks_of(history, solvers, datasets);
    struct trend trend = {{.pool = history->pool, .name = "trend"}, {.pool = history->pool, .name = "trend"}, 0};
    const struct history_run *first = &history->item[0], *last = &history->item[history->count - 1];
    result_columns(&trend.page, "commit\tdate\tsolver\tdata set\t~change=what moved");
    result_columns(&trend.data, "commit\tdate\tsolver\tdataset\tcount\t#was\t#is");
    for (size_t r = 1; r < history->count; r++) {
        const size_t before = result_rows(&trend.page);
        for (size_t t = 0; t < tracks.count; t++)
            if (moves(&tracks.item[t], r))
                put_move(&trend, &history->item[r], tracks.item[t].in_run[r - 1], tracks.item[t].in_run[r]);
        trend.moved += result_rows(&trend.page) > before;
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

static int has_moved(const struct tracks *tracks, size_t run)
{
    for (size_t t = 0; t < tracks->count; t++)
        if (moves(&tracks->item[t], run))
            return 1;
    return 0;
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
        axes[c] = pool_printf(pool, "%s / first", measure_row(counts[c])->title);
        for (size_t t = 0; t < shown; t++) {
            const struct track *track = &tracks.item[t];
            labels[t] = pool_printf(pool, "%s, %s", track->first->solver, track->first->dataset);
            fprintf(figure.dat, "# %s of %s\n", measure_path(counts[c]), labels[t]);
            for (size_t r = from; r < n_runs; r++) {
                const double ratio = ratio_at(track, r, counts[c]);
                const int is_named = n_runs <= NAMED || r == from || r == n_runs - 1 || has_moved(&tracks, r);
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
            "sets that moved most. Runs with another number of records are left out.",
            shown, tracks.count);
    figure_sink_put(sink, &figure, folder);
}
