/*
 * A solver against the first of its rivals, at each level of mu or C (levels are ranked within a data set, as a mu or C
 * may be each set's own). For one data set: what harness/compare/case_statistics.h says of the pairs that both ended.
 * Over the data sets: the geometric mean of the ratios with the signed-rank test of their logarithms, and how many are
 * fewer, alike or more, by either test of the pairs, adjusted over the data sets by Holm.
 */
#include "harness/tables/variants_table.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/run/run_info.h"
#include "harness/tables/variants_rows.h"

static const enum record_field metrics[SERIES_METRICS] = {FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS};

/* The mu or C of a problem; 0 where it has none, and all are one level. */
static double level_value(const struct series_set *set, size_t problem)
{
    const struct record *record = set->records.items[set->first_of[problem]];
    const struct setting *setting = record_setting(record, "mu");
    if (!setting)
        setting = record_setting(record, "C");
    return setting ? setting->number : 0;
}

static const char *dataset_of(const struct series_set *set, size_t problem)
{
    return set->records.items[set->first_of[problem]]->dataset;
}

static int same_level(const struct series_set *set, size_t p, size_t q)
{
    return dataset_of(set, p) == dataset_of(set, q) && level_value(set, p) == level_value(set, q);
}

/* Ranks of the values among those of the same data set; n_levels the largest, plus 1. */
static void rank_levels(struct variants_table *table)
{
    const struct series_set *set = &table->series;
    for (size_t q = 0; q < set->n_problems; q++) {
        size_t met = 0;
        while (!same_level(set, met, q))
            met++;
        for (size_t p = 0; met == q && p < set->n_problems; p++) { /* the first of its level */
            int same_set = dataset_of(set, p) == dataset_of(set, q);
            table->level_of[p] += same_set && level_value(set, q) < level_value(set, p);
        }
    }
    for (size_t p = 0; p < set->n_problems; p++)
        table->n_levels = table->level_of[p] + 1 > table->n_levels ? table->level_of[p] + 1 : table->n_levels;
}

/* The pairs of a data set that both ended. */
static void take_pairs(const struct variants_table *table, const struct variants_row *row, const char *dataset,
                       struct contrast_sample *sample)
{
    const struct series_set *set = &table->series;
    *sample = (struct contrast_sample){.values = {table->first, table->mine}};
    for (size_t p = 0; p < set->n_problems; p++) {
        double mine = series_set_cost(set, row->series, p), first = series_set_cost(set, 0, p);
        if (dataset_of(set, p) != dataset || table->level_of[p] != row->level || !isfinite(mine) || !isfinite(first))
            continue;
        table->first[sample->n] = first;
        table->mine[sample->n++] = mine;
    }
    const struct run_info_data *data = run_info_data(table->run, dataset);
    if (data) {
        sample->n_train = data->n_train;
        sample->n_test = data->n_test;
    }
}

/* What the row's cells of one metric come to: wins are fewer, losses more, by the test's own direction; data sets
 * without this test's p are left out. */
static void sum_up(struct variants_table *table, struct variants_row *row, size_t m)
{
    size_t n = 0, n_datasets = table->data->n_datasets;
    contrast_adjust(row->cells[m], n_datasets);
    for (int test = 0; test < CONTRAST_TESTS; test++)
        for (size_t d = 0; d < n_datasets; d++)
            if (row->cells[m][d].n > 0 && !isnan(row->cells[m][d].adjusted[test]))
                contrast_count(&row->cells[m][d], (enum contrast_test)test, &row->counts[m][test]);
    for (size_t d = 0; d < n_datasets; d++)
        if (row->cells[m][d].ratio.estimate > 0) {
            table->mine[n] = row->cells[m][d].ratio.estimate;
            table->first[n] = log(table->mine[n]);
            n++;
        }
    contrast_total_of(table->mine, table->first, n, &row->total[m]);
}

static void fill_row(struct variants_table *table, struct variants_row *row)
{
    for (size_t m = 0; m < SERIES_METRICS; m++) {
        row->cells[m] = xcalloc(table->data->n_datasets, sizeof *row->cells[m]);
        series_set_fill_costs(&table->series, metrics[m]);
        for (size_t d = 0; d < table->data->n_datasets; d++) {
            struct contrast_sample sample;
            take_pairs(table, row, table->data->datasets[d], &sample);
            contrast_row_of(&sample, &row->cells[m][d]);
        }
        sum_up(table, row, m);
    }
}

static void fill(struct variants_table *table)
{
    size_t room = table->series.n_problems + table->data->n_datasets + 1;
    table->level_of = xcalloc(room, sizeof *table->level_of);
    table->mine = xcalloc(room, sizeof *table->mine);
    table->first = xcalloc(room, sizeof *table->first);
    rank_levels(table);
    table->rows = xcalloc(table->series.n_series * table->n_levels, sizeof *table->rows);
    for (size_t s = 1; s < table->series.n_series; s++)
        for (size_t level = 0; level < table->n_levels; level++) {
            struct variants_row *row = &table->rows[table->n_rows++];
            row->series = s;
            row->level = level;
            fill_row(table, row);
        }
}

enum status variants_table_write(const struct plot_data *data, const struct run_info *run, const cJSON *entry,
                                 const char *name, const char *folder, FILE *said, struct error *error)
{
    struct variants_table table = {.name = name, .data = data, .run = run};
    enum status status = STATUS_OK;
    series_set_take(data, entry, &table.series);
    if (!table.series.too_many && table.series.n_series >= 2) {
        fill(&table);
        status = variants_rows_write(&table, folder, said, error);
    }
    for (size_t r = 0; r < table.n_rows; r++)
        for (size_t m = 0; m < SERIES_METRICS; m++)
            free(table.rows[r].cells[m]);
    free(table.rows);
    free(table.level_of);
    free(table.mine);
    free(table.first);
    series_set_free(&table.series);
    return status;
}
