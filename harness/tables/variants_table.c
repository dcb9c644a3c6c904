/*
 * Compares each series with the first of the set, at each level of mu or C. Levels are ranked within a data set, since
 * each data set may have its own mu or C. For one data set: the statistics of harness/compare/case_statistics.h over
 * the pairs in which both converged. Over the data sets: the geometric mean of the ratios with the signed-rank test of
 * their logarithms, and how many are lower, not significantly different or higher by the t test for overlapping splits,
 * adjusted over the data sets by Holm. In Markdown and LaTeX a row is a series at a level; CSV and JSON list each data
 * set.
 */
#include "harness/tables/run_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/compare/case_statistics.h"
#include "harness/compare/series_set.h"
#include "harness/stats/several_solvers.h"
#include "harness/tables/series_notes.h"

enum { SERIES_METRICS = 2 };
static const struct {
    enum record_field field;
    const char *key;
} metrics[SERIES_METRICS] = {{FIELD_ITERATIONS, "iterations"}, {FIELD_KERNEL_OPERATIONS, "kernel_operations"}};

/* A series at a level (the candidate) against the first series (the baseline). */
struct variants_row {
    size_t series, level;
    char level_text[100];                       /* "C = 30" */
    struct estimate *cells[SERIES_METRICS]; /* one per data set */
    struct estimate total[SERIES_METRICS];
    struct win_tie_loss counts[SERIES_METRICS]; /* of data sets with a test; wins are lower costs */
};

struct variants_table {
    struct pool *pool;
    const char *name; /* the entry's */
    const struct plot_data *data;
    const struct run_info *run; /* has the sizes of the splits, if they are known */
    struct series_set series;
    size_t *level_of, n_levels; /* level_of: the level of each problem */
    struct variants_row *rows;
    size_t n_rows;
    double *mine, *first; /* scratch, one for each problem or data set */
};

/* ---- levels ---- */

static const struct record *record_of(const struct series_set *set, size_t problem)
{
    return set->records.items[set->first_of[problem]];
}

/* The mu or C of a problem, or NULL. */
static const struct setting *level_setting(const struct series_set *set, size_t problem)
{
    const struct setting *setting = record_setting(record_of(set, problem), "mu");
    return setting ? setting : record_setting(record_of(set, problem), "C");
}

/* 0 if it has none; all are then one level. */
static double level_value(const struct series_set *set, size_t problem)
{
    const struct setting *setting = level_setting(set, problem);
    return setting ? setting->number : 0;
}

static const char *dataset_of(const struct series_set *set, size_t problem)
{
    return record_of(set, problem)->dataset;
}

static int same_level(const struct series_set *set, size_t p, size_t q)
{
    return dataset_of(set, p) == dataset_of(set, q) && level_value(set, p) == level_value(set, q);
}

/* Ranks the values within each data set; n_levels is the largest rank plus 1. */
static void rank_levels(struct variants_table *table)
{
    const struct series_set *set = &table->series;
    for (size_t q = 0; q < set->n_problems; q++) {
        size_t met = 0;
        while (!same_level(set, met, q))
            met++;
        for (size_t p = 0; met == q && p < set->n_problems; p++) { /* only the first of its level */
            int same_set = dataset_of(set, p) == dataset_of(set, q);
            table->level_of[p] += same_set && level_value(set, q) < level_value(set, p);
        }
    }
    for (size_t p = 0; p < set->n_problems; p++)
        table->n_levels = table->level_of[p] + 1 > table->n_levels ? table->level_of[p] + 1 : table->n_levels;
}

/* "C = 30", or "μ, 2 of 3" if the level has several values. */
static void name_level(const struct variants_table *table, struct variants_row *row)
{
    const size_t size = sizeof row->level_text;
    const struct setting *common = NULL;
    int same = 1;
    for (size_t p = 0; p < table->series.n_problems; p++) {
        const struct setting *setting = level_setting(&table->series, p);
        if (table->level_of[p] != row->level)
            continue;
        same = same && setting && (!common || strcmp(common->text, setting->text) == 0);
        common = setting;
    }
    if (same && common)
        snprintf(row->level_text, size, "%s = %s", plot_setting_label(common->name), common->text);
    else
        snprintf(row->level_text, size, "%s%s%zu of %zu", common ? plot_setting_label(common->name) : "",
                 common ? ", " : "", row->level + 1, table->n_levels);
}

/* ---- numbers ---- */

/* Collects the pairs of a data set in which both have a finite cost. */
static void take_pairs(const struct variants_table *table, const struct variants_row *row, const char *dataset,
                       struct contrast_sample *sample)
{
    const struct series_set *set = &table->series;
    const struct run_info_data *data = run_info_data(table->run, dataset);
    *sample = (struct contrast_sample){.values = {table->first, table->mine}, .logarithmic = 1};
    sample->overlap = contrast_overlap(CONTRAST_TRAINED, data ? data->n_train : 0, data ? data->n_test : 0);
    for (size_t p = 0; p < set->n_problems; p++) {
        double mine = series_set_cost(set, row->series, p), first = series_set_cost(set, 0, p);
        if (dataset_of(set, p) != dataset || table->level_of[p] != row->level || !isfinite(mine) || !isfinite(first))
            continue;
        table->first[sample->n] = first;
        table->mine[sample->n++] = mine;
    }
}

/* Summarises the row's cells of one metric; the counts leave out data sets without a test. */
static void sum_up(struct variants_table *table, struct variants_row *row, size_t m)
{
    size_t n = 0, n_datasets = table->data->datasets.count;
    struct estimate **cells = xcalloc(n_datasets, sizeof *cells);
    for (size_t d = 0; d < n_datasets; d++)
        cells[d] = &row->cells[m][d];
    estimates_adjust(cells, n_datasets);
    free(cells);
    for (size_t d = 0; d < n_datasets; d++) {
        const struct estimate *cell = &row->cells[m][d];
        int significant = estimate_is_significant(cell);
        if (cell->n == 0)
            continue;
        row->counts[m].wins += significant && cell->difference.estimate < 0;
        row->counts[m].losses += significant && cell->difference.estimate > 0;
        row->counts[m].ties += !isnan(cell->adjusted) && !significant;
        table->mine[n++] = cell->of_means;
    }
    row->total[m] = estimate_of_datasets(table->mine, n);
    estimate_mean_interval(table->mine, n, &row->total[m]);
}

static void fill_row(struct variants_table *table, struct variants_row *row)
{
    for (size_t m = 0; m < SERIES_METRICS; m++) {
        row->cells[m] = pool_array(table->pool, table->data->datasets.count, sizeof *row->cells[m]);
        series_set_fill_costs(&table->series, metrics[m].field);
        for (size_t d = 0; d < table->data->datasets.count; d++) {
            struct contrast_sample sample;
            take_pairs(table, row, table->data->datasets.names[d], &sample);
            row->cells[m][d] = estimate_of_case(&sample);
        }
        sum_up(table, row, m);
    }
}

static void fill(struct variants_table *table)
{
    size_t room = table->series.n_problems + table->data->datasets.count + 1;
    table->level_of = pool_array(table->pool, room, sizeof *table->level_of);
    table->mine = pool_array(table->pool, room, sizeof *table->mine);
    table->first = pool_array(table->pool, room, sizeof *table->first);
    rank_levels(table);
    table->rows = pool_array(table->pool, table->series.n_series * table->n_levels, sizeof *table->rows);
    for (size_t s = 1; s < table->series.n_series; s++)
        for (size_t level = 0; level < table->n_levels; level++) {
            struct variants_row *row = &table->rows[table->n_rows++];
            row->series = s;
            row->level = level;
            name_level(table, row);
            fill_row(table, row);
        }
}

/* ---- files ---- */

static void ratio_cell(struct text_table *text, const struct estimate *total)
{
    if (total->n == 0)
        text_table_cell(text, "–");
    else if (isfinite(total->mean.low))
        text_table_cell(text, "%.3f (%.3f to %.3f)", exp(total->mean.estimate), exp(total->mean.low),
                        exp(total->mean.high));
    else
        text_table_cell(text, "%.3f", exp(total->mean.estimate));
}

static void counts_cell(struct text_table *text, const struct win_tie_loss *counts)
{
    if (counts->wins + counts->ties + counts->losses > 0)
        text_table_cell(text, "%zu/%zu/%zu", counts->wins, counts->ties, counts->losses);
    else
        text_table_cell(text, "–");
}

static void fill_text(const struct variants_table *table, struct text_table *text)
{
    static const char *const header[] = {
        "solver",           "level", "data sets", "iterations", "fewer/alike/more", "p", "kernel operations",
        "fewer/alike/more", "p"};
    text->columns = sizeof header / sizeof *header;
    text_table_title(text, "rivals-%s: costs as multiples of those of %s", table->name, table->series.labels[0]);
    text_table_cells(text, header, text->columns);
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct variants_row *row = &table->rows[r];
        text_table_cell(text, "%s", table->series.labels[row->series]);
        text_table_cell(text, "%s", row->level_text);
        text_table_cell(text, "%zu", row->total[0].n);
        for (size_t m = 0; m < SERIES_METRICS; m++) {
            ratio_cell(text, &row->total[m]);
            counts_cell(text, &row->counts[m]);
            if (isnan(row->total[m].p))
                text_table_cell(text, "–");
            else
                text_table_cell(text, "%.2g", row->total[m].p);
        }
    }
    text_table_footnote(
        text, "Geometric means over the data sets of the ratio of mean costs over the splits on which both converged, "
              "with 95 %% bootstrap intervals from %d data sets on.",
        MIN_PAIRS_FOR_A_CLAIM);
    text_table_footnote(
        text, "Fewer, more: data sets that differ at 0.05 by the t test of the logarithms of the ratios of the splits, "
              "corrected for splits that overlap, adjusted by Holm over the data sets.");
    text_table_footnote(text, "p: signed-rank test of the logarithms of the ratios over the data sets.");
    text_table_footnote(text, "Kernel operations without the set-up.");
}

/* The members for a data set, by name; all except the first two depend on resampling or distributions. */
enum { FIGURES = 7, EXACT_FIGURES = 2 };
static const char *const figures[FIGURES] = {"n", "ratio",     "geometric", "geometric_low", "geometric_high",
                                             "p", "p_adjusted"};

static void take_figures(const struct estimate *cell, double values[FIGURES])
{
    const double all[FIGURES] = {(double)cell->n,
                                 cell->means[CANDIDATE] / cell->means[BASELINE],
                                 exp(cell->difference.estimate),
                                 exp(cell->difference.low),
                                 exp(cell->difference.high),
                                 cell->p,
                                 cell->adjusted};
    memcpy(values, all, sizeof all);
}

static void fill_csv(const struct variants_table *table, struct text_table *text)
{
    static const char *const header[] = {"solver", "against", "level", "dataset"};
    enum { COLUMNS = sizeof header / sizeof *header };
    double values[FIGURES];
    text->columns = COLUMNS + FIGURES * SERIES_METRICS;
    text_table_cells(text, header, COLUMNS);
    for (size_t m = 0; m < SERIES_METRICS; m++)
        for (size_t k = 0; k < FIGURES; k++)
            text_table_cell(text, "%s_%s", metrics[m].key, figures[k]);
    for (size_t r = 0; r < table->n_rows; r++)
        for (size_t d = 0; d < table->data->datasets.count; d++) {
            const struct variants_row *row = &table->rows[r];
            const char *const names[COLUMNS] = {table->series.labels[row->series], table->series.labels[0],
                                                row->level_text, table->data->datasets.names[d]};
            if (row->cells[0][d].n == 0)
                continue;
            text_table_cells(text, names, COLUMNS);
            for (size_t m = 0; m < SERIES_METRICS; m++) {
                take_figures(&row->cells[m][d], values);
                for (size_t k = 0; k < FIGURES; k++)
                    text_table_number(text, k < EXACT_FIGURES ? 15 : 6, values[k]);
            }
        }
}

static void cell_json(cJSON *set, const char *dataset, const struct estimate *cell)
{
    double values[FIGURES];
    take_figures(cell, values);
    json_put_text(set, "dataset", dataset);
    for (size_t k = 0; k < FIGURES; k++)
        (k < EXACT_FIGURES ? json_put_number : json_put_rounded)(set, figures[k], values[k]);
}

static void metric_json(cJSON *json, const struct variants_table *table, const struct variants_row *row, size_t m)
{
    cJSON *metric = json_put_object(json, metrics[m].key);
    json_put_rounded(metric, "ratio", exp(row->total[m].mean.estimate));
    json_put_rounded(metric, "ratio_low", exp(row->total[m].mean.low));
    json_put_rounded(metric, "ratio_high", exp(row->total[m].mean.high));
    json_put_rounded(metric, "ratio_level", row->total[m].mean.level);
    json_put_rounded(metric, "p", row->total[m].p);
    json_put_number(metric, "fewer", (double)row->counts[m].wins);
    json_put_number(metric, "alike", (double)row->counts[m].ties);
    json_put_number(metric, "more", (double)row->counts[m].losses);
    cJSON *sets = json_put_array(metric, "datasets");
    for (size_t d = 0; d < table->data->datasets.count; d++)
        if (row->cells[m][d].n > 0)
            cell_json(json_add_object(sets), table->data->datasets.names[d], &row->cells[m][d]);
}

static cJSON *table_json(const struct variants_table *table)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "table", "rivals");
    json_put_text(json, "name", table->name);
    json_put_text(json, "against", table->series.labels[0]);
    cJSON *rows = json_put_array(json, "rows");
    for (size_t r = 0; r < table->n_rows; r++) {
        cJSON *row = json_add_object(rows);
        json_put_text(row, "solver", table->series.labels[table->rows[r].series]);
        json_put_text(row, "level", table->rows[r].level_text);
        for (size_t m = 0; m < SERIES_METRICS; m++)
            metric_json(row, table, &table->rows[r], m);
    }
    return json;
}

void variants_table_write(const struct plot_data *data, const struct run_info *run, const cJSON *entry,
                          const char *name, const char *folder, struct table_log *log)
{
    struct variants_table table = {.pool = pool_new(), .name = name, .data = data, .run = run};
    table.series = series_set_take(table.pool, data, entry, 0);
    if (table.series.n_series >= 2)
        series_notes_warn(&table.series, "rivals-", name, log);
    if (!table.series.too_many && table.series.n_series >= 2 && !table.series.budgets) {
        fill(&table);
        struct table_files files = table_files_new(table_json(&table));
        fill_text(&table, &files.text);
        series_notes_add(&table.series, &files);
        fill_csv(&table, &files.csv);
        table_files_write(&files, &(struct run_folders){data->folder, 1}, folder, "rivals", name, log);
    }
    pool_free(table.pool);
}
