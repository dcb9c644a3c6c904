/*
 * For each metric the mean ranks of the solvers over the data sets (rank_blocks.h); Friedman's test, with Iman and
 * Davenport's F; groups that Nemenyi's test at 5 % does not tell apart; each solver against the one of the best mean
 * rank, corrected by Holm; and how often a solver beats the others on a data set (Demsar 2006).
 */
#include "harness/tables/ranks_table.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/compare/rank_blocks.h"
#include "harness/stats/nemenyi.h"
#include "harness/stats/win_tie_loss.h"
#include "harness/format/text_table.h"
#include "harness/program/json_writer.h"
#include "harness/support/text_stream.h"

static const double alpha = 0.05;

/* One metric. */
struct ranking {
    enum plot_field field;
    struct friedman friedman;
    double difference;
    size_t order[MAX_SERIES];
    struct rank_group groups[MAX_SERIES];
    size_t n_groups;
    double p[MAX_SERIES];                               /* against order[0] */
    struct win_tie_loss each[MAX_SERIES * MAX_SERIES]; /* [a * solvers + b]: a against b */
};

struct ranks_table {
    const char *name;
    struct rank_blocks blocks;
    struct ranking rankings[RANK_METRICS];
    size_t n;
};

static enum status rank_metric(struct ranks_table *table, enum plot_field field, struct error *error)
{
    struct rank_blocks *blocks = &table->blocks;
    struct ranking *ranking = &table->rankings[table->n++];
    ranking->field = field;
    rank_blocks_fill(blocks, field);
    enum status status = friedman_test(blocks->costs, blocks->rivals.n_series, blocks->n, &ranking->friedman, error);
    if (status == STATUS_OK)
        status = nemenyi_difference(&ranking->friedman, alpha, &ranking->difference, error);
    if (status != STATUS_OK)
        return status;
    friedman_order(&ranking->friedman, ranking->order);
    ranking->n_groups = nemenyi_groups(&ranking->friedman, ranking->order, ranking->difference, ranking->groups);
    status = friedman_against(&ranking->friedman, ranking->order[0], ADJUST_HOLM, ranking->p, error);
    if (status == STATUS_OK)
        status = win_tie_loss_table(blocks->costs, blocks->rivals.n_series, blocks->n, ranking->each, error);
    return status;
}

/* The letters of the groups that the place belongs to, "ab"; "–" for none. */
static void group_letters(const struct ranking *ranking, size_t place, char text[MAX_SERIES + 4])
{
    size_t length = 0;
    for (size_t g = 0; g < ranking->n_groups; g++)
        if (ranking->groups[g].first <= place && place <= ranking->groups[g].last)
            text[length++] = (char)('a' + (int)g);
    text[length] = '\0';
    if (length == 0)
        strcpy(text, "–");
}

/* A solver against all others together. */
static struct win_tie_loss total_of(const struct ranking *ranking, size_t solver)
{
    struct win_tie_loss total = {0};
    for (size_t other = 0; other < ranking->friedman.solvers; other++) {
        const struct win_tie_loss *one = &ranking->each[solver * ranking->friedman.solvers + other];
        if (other == solver)
            continue;
        total.wins += one->wins;
        total.ties += one->ties;
        total.losses += one->losses;
    }
    return total;
}

static void fill_ranking(const struct ranks_table *table, const struct ranking *ranking, struct text_table *grid)
{
    for (size_t i = 0; i < ranking->friedman.solvers; i++) {
        const size_t solver = ranking->order[i];
        const struct win_tie_loss total = total_of(ranking, solver);
        char letters[MAX_SERIES + 4];
        group_letters(ranking, i, letters);
        text_table_cell(grid, "%s", table->blocks.rivals.labels[solver]);
        text_table_cell(grid, "%s", plot_field_texts[ranking->field].metric);
        text_table_cell(grid, "%.3f", ranking->friedman.mean_ranks[solver]);
        text_table_cell(grid, "%s", letters);
        if (i > 0)
            text_table_cell(grid, "%.2g", ranking->p[solver]);
        else
            text_table_cell(grid, "–");
        text_table_cell(grid, "%zu/%zu/%zu", total.wins, total.ties, total.losses);
    }
}

static void fill_grid(const struct ranks_table *table, struct text_table *grid)
{
    static const char *const header[] = {"solver",          "metric", "mean rank", "groups", "p against the best",
                                         "wins/ties/losses"};
    grid->columns = sizeof header / sizeof *header;
    text_table_title(grid, "friedman-%s: mean ranks over %zu data sets", table->name, table->blocks.n);
    for (size_t k = 0; k < grid->columns; k++)
        text_table_cell(grid, "%s", header[k]);
    for (size_t m = 0; m < table->n; m++)
        fill_ranking(table, &table->rankings[m], grid);
    for (size_t m = 0; m < table->n; m++) {
        const struct ranking *ranking = &table->rankings[m];
        text_table_footnote(
            grid,
            "%s: Friedman's chi-squared %.3g, p %.2g; Iman and Davenport's F %.3g, p %.2g; critical difference %.3g.",
            plot_field_texts[ranking->field].metric, ranking->friedman.chi2, ranking->friedman.chi2_p,
            ranking->friedman.f, ranking->friedman.f_p, ranking->difference);
    }
    text_table_footnote(grid, "Rank 1 is the lowest cost on a data set: the mean test error, or the geometric mean of iterations "
                    "or kernel operations, "
                    "over the splits and settings that all solvers have; what did not converge is last.");
    text_table_footnote(grid, "Groups: solvers with a letter in common are not told apart by Nemenyi's test at %g %%.",
              100 * alpha);
    text_table_footnote(
        grid,
        "p: against the solver of the best mean rank, by the normal distribution of the difference, adjusted by Holm.");
    text_table_footnote(grid, "Wins, ties, losses: against all other solvers, over the data sets.");
}

static void fill_csv(const struct ranks_table *table, struct text_table *grid)
{
    static const char *const header[] = {"solver",     "metric", "mean_rank", "groups",
                                         "p_adjusted", "wins",   "ties",      "losses"};
    char letters[MAX_SERIES + 4];
    grid->columns = sizeof header / sizeof *header;
    for (size_t k = 0; k < grid->columns; k++)
        text_table_cell(grid, "%s", header[k]);
    for (size_t m = 0; m < table->n; m++)
        for (size_t i = 0; i < table->rankings[m].friedman.solvers; i++) {
            const struct ranking *ranking = &table->rankings[m];
            const size_t solver = ranking->order[i];
            const struct win_tie_loss total = total_of(ranking, solver);
            group_letters(ranking, i, letters);
            text_table_cell(grid, "%s", table->blocks.rivals.labels[solver]);
            text_table_cell(grid, "%s", plot_field_texts[ranking->field].metric);
            text_table_cell(grid, "%.15g", ranking->friedman.mean_ranks[solver]);
            text_table_cell(grid, "%s", *letters >= 'a' && *letters <= 'z' ? letters : "");
            text_table_cell(grid, "%.6g", ranking->p[solver]);
            text_table_cell(grid, "%zu", total.wins);
            text_table_cell(grid, "%zu", total.ties);
            text_table_cell(grid, "%zu", total.losses);
        }
}

/* ---- JSON ---- */

/* Distributions rest on libm: rounded to six digits, which it agrees on everywhere. */
static double rounded(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

static void solver_json(cJSON *json, const struct ranks_table *table, const struct ranking *ranking, size_t place)
{
    const size_t solver = ranking->order[place], solvers = ranking->friedman.solvers;
    char *const *labels = table->blocks.rivals.labels;
    char letters[MAX_SERIES + 4];
    group_letters(ranking, place, letters);
    json_put_text(json, "solver", labels[solver]);
    json_put_number(json, "mean_rank", ranking->friedman.mean_ranks[solver]);
    json_put_text(json, "groups", *letters >= 'a' && *letters <= 'z' ? letters : "");
    json_put_number(json, "p_adjusted", rounded(ranking->p[solver]));
    cJSON *each = json_put_object(json, "against");
    for (size_t other = 0; other < solvers; other++) {
        const struct win_tie_loss *one = &ranking->each[solver * solvers + other];
        if (other == solver)
            continue;
        cJSON *item = json_put_object(each, labels[other]);
        json_put_number(item, "wins", (double)one->wins);
        json_put_number(item, "ties", (double)one->ties);
        json_put_number(item, "losses", (double)one->losses);
    }
}

static enum status write_json(const struct ranks_table *table, const char *path, struct error *error)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "table", "friedman");
    json_put_text(json, "name", table->name);
    json_put_number(json, "level", alpha);
    cJSON *sets = json_put_array(json, "datasets");
    for (size_t d = 0; d < table->blocks.n; d++)
        json_add_text(sets, table->blocks.datasets[d]);
    cJSON *metrics = json_put_object(json, "metrics");
    for (size_t m = 0; m < table->n; m++) {
        const struct ranking *ranking = &table->rankings[m];
        cJSON *metric = json_put_object(metrics, plot_field_texts[ranking->field].metric);
        json_put_number(metric, "chi2", rounded(ranking->friedman.chi2));
        json_put_number(metric, "chi2_p", rounded(ranking->friedman.chi2_p));
        json_put_number(metric, "f", rounded(ranking->friedman.f));
        json_put_number(metric, "f_p", rounded(ranking->friedman.f_p));
        json_put_number(metric, "critical_difference", rounded(ranking->difference));
        cJSON *solvers = json_put_array(metric, "solvers");
        for (size_t i = 0; i < ranking->friedman.solvers; i++)
            solver_json(json_add_object(solvers), table, ranking, i);
    }
    enum status status = json_write(path, json, error);
    cJSON_Delete(json);
    return status;
}

/* ---- files ---- */

static enum status write_forms(const struct ranks_table *table, const char *folder, FILE *written, struct error *error)
{
    static const char *const endings[] = {"json", "md", "tex", "csv"};
    const enum text_table_form forms[] = {TEXT_TABLE_CSV, TEXT_TABLE_MARKDOWN, TEXT_TABLE_LATEX, TEXT_TABLE_CSV};
    struct text_table text = {0}, flat = {0};
    char path[4096];
    enum status status = STATUS_OK;
    fill_grid(table, &text);
    fill_csv(table, &flat);
    for (int i = 0; i < 4 && status == STATUS_OK; i++) {
        int length = snprintf(path, sizeof path, "%s/tables/friedman-%s.%s", folder, table->name, endings[i]);
        if (length < 0 || (size_t)length >= sizeof path)
            status = error_set(error, STATUS_BAD_INPUT, "%s: the path is too long", folder);
        else if (i == 0)
            status = write_json(table, path, error);
        else
            status = text_table_write(i == 3 ? &flat : &text, forms[i], path, error);
    }
    fprintf(written, "%s/tables/friedman-%s.{json,md,tex,csv}\n", folder, table->name);
    text_table_free(&text);
    text_table_free(&flat);
    return status;
}

/* entry NULL: all solvers of the run. */
static enum status write_entry(const struct plot_data *data, const char *folder, const cJSON *entry, FILE *written,
                               struct error *error)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "name"));
    struct ranks_table table = {.name = name && *name && !strchr(name, '/') ? name : "critical-difference"};
    enum status status = rank_blocks_take(data, entry, &table.blocks, error);
    if (status == STATUS_OK && !rank_blocks_obstacle(&table.blocks, entry)) {
        for (size_t k = 0; k < RANK_METRICS && status == STATUS_OK; k++)
            if (rank_metric_wanted(entry, rank_metrics[k]))
                status = rank_metric(&table, rank_metrics[k], error);
        if (status == STATUS_OK && table.n > 0)
            status = write_forms(&table, folder, written, error);
    }
    for (size_t m = 0; m < table.n; m++)
        friedman_free(&table.rankings[m].friedman);
    rank_blocks_free(&table.blocks);
    return status;
}

static int is_ranking(const cJSON *entry)
{
    const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "kind"));
    return kind && strcmp(kind, "critical-difference") == 0;
}

enum status ranks_tables_write(struct run_folder *folder, char **written, struct error *error)
{
    struct plot_data data = {0};
    size_t size = 0;
    const cJSON *plots = cJSON_GetObjectItemCaseSensitive(folder->config, "plots"), *entry = NULL;
    int wanted = !plots;
    cJSON_ArrayForEach (entry, plots)
        wanted = wanted || is_ranking(entry);
    FILE *stream = text_stream_open(written, &size);
    if (!stream)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder->path);
    enum status status = wanted ? plot_data_take(folder, &data, error) : STATUS_OK;
    if (status == STATUS_OK && !plots)
        status = write_entry(&data, folder->path, NULL, stream, error);
    cJSON_ArrayForEach (entry, plots)
        if (status == STATUS_OK && is_ranking(entry))
            status = write_entry(&data, folder->path, entry, stream, error);
    if (!text_stream_close(stream, written) && status == STATUS_OK)
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder->path);
    plot_data_free(&data);
    return status;
}
