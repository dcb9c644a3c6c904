/*
 * A solver against the first of its rivals, at each level of mu or C (levels are ranked within a data set, as a mu or C
 * may be each set's own). For one data set: the ratio of the mean costs over the splits that both ended, and Wilcoxon's
 * signed-rank test of the pairs, adjusted over the data sets by Holm. Over the data sets: the geometric mean of the
 * ratios, how many are fewer, alike or more (at 0.05, adjusted), and the signed-rank test of the logarithms of the
 * ratios.
 */
#include "harness/tables/rivals_table.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/file.h"
#include "harness/rivals.h"
#include "harness/stats/adjust.h"
#include "harness/tables/grid.h"
#include "harness/tables/json_build.h"
#include "harness/tables/paired.h"

enum { METRICS = 2 };
static const enum plot_field metrics[METRICS] = {PLOT_ITERATIONS, PLOT_KERNEL_OPERATIONS};
static const char *const metric_keys[METRICS] = {"iterations", "kernel_operations"};

/* A series at a level on a data set. */
struct cell {
    double ratio, p, adjusted; /* ratio NAN where n is 0 */
    size_t n;
};

struct row {
    size_t series, level;
    struct cell *cells[METRICS]; /* one a data set */
    double ratio[METRICS], p[METRICS];
    size_t n[METRICS], fewer[METRICS], more[METRICS]; /* data sets */
};

struct rivals_table {
    const char *name; /* the entry's */
    const struct plot_data *data;
    struct rivals rivals;
    size_t *level_of, n_levels; /* of each problem */
    struct row *rows;
    size_t n_rows;
    double *x, *y; /* scratch, one for each problem or data set */
};

/* The mu or C of a problem; 0 where it has none, and all are one level. */
static double level_value(const struct rivals *rivals, size_t problem)
{
    const struct plot_record *record = rivals->records[rivals->first_of[problem]];
    const struct plot_setting *setting = plot_setting_find(record, "mu");
    if (!setting)
        setting = plot_setting_find(record, "C");
    return setting ? setting->number : 0;
}

static const char *dataset_of(const struct rivals *rivals, size_t problem)
{
    return rivals->records[rivals->first_of[problem]]->dataset;
}

static int same_level(const struct rivals *rivals, size_t p, size_t q)
{
    return dataset_of(rivals, p) == dataset_of(rivals, q) && level_value(rivals, p) == level_value(rivals, q);
}

/* Ranks of the values among those of the same data set; n_levels the largest, plus 1. */
static void rank_levels(struct rivals_table *table)
{
    const struct rivals *rivals = &table->rivals;
    for (size_t q = 0; q < rivals->n_problems; q++) {
        size_t met = 0;
        while (!same_level(rivals, met, q))
            met++;
        for (size_t p = 0; met == q && p < rivals->n_problems; p++) { /* the first of its level */
            int same_set = dataset_of(rivals, p) == dataset_of(rivals, q);
            table->level_of[p] += same_set && level_value(rivals, q) < level_value(rivals, p);
        }
    }
    for (size_t p = 0; p < rivals->n_problems; p++)
        table->n_levels = table->level_of[p] + 1 > table->n_levels ? table->level_of[p] + 1 : table->n_levels;
}

static enum status test_pairs(double *x, double *y, size_t n, double *p, struct error *error)
{
    struct rank_test test = {.p_value = 1};
    const struct pairs pairs = {x, y, n};
    enum status status = pairs_test(&pairs, &test, error);
    *p = test.p_value;
    return status;
}

static enum status fill_cell(struct rivals_table *table, const struct row *row, const char *dataset, struct cell *cell,
                             struct error *error)
{
    const struct rivals *rivals = &table->rivals;
    double mine = 0, first = 0;
    *cell = (struct cell){.ratio = (double)NAN, .p = 1, .adjusted = 1};
    for (size_t p = 0; p < rivals->n_problems; p++) {
        double x = rivals_cost(rivals, row->series, p), y = rivals_cost(rivals, 0, p);
        if (dataset_of(rivals, p) != dataset || table->level_of[p] != row->level || !isfinite(x) || !isfinite(y))
            continue;
        table->x[cell->n] = x;
        table->y[cell->n++] = y;
        mine += x;
        first += y;
    }
    if (cell->n > 0 && first > 0)
        cell->ratio = mine / first;
    return test_pairs(table->x, table->y, cell->n, &cell->p, error);
}

/* What the row's cells of one metric come to. */
static enum status sum_up(struct rivals_table *table, struct row *row, size_t m, struct error *error)
{
    size_t n = 0;
    double logarithms = 0;
    for (size_t d = 0; d < table->data->n_datasets; d++)
        if (row->cells[m][d].ratio > 0) {
            table->x[n] = row->cells[m][d].p;
            n++;
        }
    enum status status = adjust_p(ADJUST_HOLM, table->x, n, table->y, error);
    n = 0;
    for (size_t d = 0; d < table->data->n_datasets && status == STATUS_OK; d++) {
        struct cell *cell = &row->cells[m][d];
        if (!(cell->ratio > 0))
            continue;
        cell->adjusted = table->y[n];
        row->fewer[m] += cell->adjusted < 0.05 && cell->ratio < 1;
        row->more[m] += cell->adjusted < 0.05 && cell->ratio > 1;
        table->x[n++] = log(cell->ratio);
        logarithms += log(cell->ratio);
    }
    row->n[m] = n;
    row->ratio[m] = exp(logarithms / (double)n);
    for (size_t k = 0; k < n; k++)
        table->y[k] = 0;
    return status == STATUS_OK ? test_pairs(table->x, table->y, n, &row->p[m], error) : status;
}

static enum status fill_row(struct rivals_table *table, struct row *row, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t m = 0; m < METRICS && status == STATUS_OK; m++) {
        row->cells[m] = calloc(table->data->n_datasets, sizeof *row->cells[m]);
        if (!row->cells[m])
            return error_set(error, STATUS_NO_MEMORY, "table rivals-%s: out of memory", table->name);
        rivals_fill_costs(&table->rivals, metrics[m]);
        for (size_t d = 0; d < table->data->n_datasets && status == STATUS_OK; d++)
            status = fill_cell(table, row, table->data->datasets[d], &row->cells[m][d], error);
        if (status == STATUS_OK)
            status = sum_up(table, row, m, error);
    }
    return status;
}

static enum status fill(struct rivals_table *table, struct error *error)
{
    enum status status = STATUS_OK;
    size_t room = table->rivals.n_problems + table->data->n_datasets + 1;
    table->level_of = calloc(room, sizeof *table->level_of);
    table->x = calloc(room, sizeof *table->x);
    table->y = calloc(room, sizeof *table->y);
    if (!table->level_of || !table->x || !table->y)
        return error_set(error, STATUS_NO_MEMORY, "table rivals-%s: out of memory", table->name);
    rank_levels(table);
    table->rows = calloc(table->rivals.n_series * table->n_levels, sizeof *table->rows);
    if (!table->rows)
        return error_set(error, STATUS_NO_MEMORY, "table rivals-%s: out of memory", table->name);
    for (size_t s = 1; s < table->rivals.n_series; s++)
        for (size_t level = 0; level < table->n_levels && status == STATUS_OK; level++) {
            struct row *row = &table->rows[table->n_rows++];
            row->series = s;
            row->level = level;
            status = fill_row(table, row, error);
        }
    return status;
}

/* "C = 30", or "μ, 2 of 3" where the data sets have values of their own. */
static void level_text(const struct rivals_table *table, size_t level, char *text, size_t size)
{
    const struct plot_setting *common = NULL;
    int same = 1;
    for (size_t p = 0; p < table->rivals.n_problems; p++) {
        const struct plot_record *record = table->rivals.records[table->rivals.first_of[p]];
        const struct plot_setting *setting = plot_setting_find(record, "mu");
        setting = setting ? setting : plot_setting_find(record, "C");
        if (table->level_of[p] != level)
            continue;
        same = same && setting && (!common || strcmp(common->text, setting->text) == 0);
        common = setting;
    }
    if (same && common)
        snprintf(text, size, "%s = %s", plot_setting_label(common->name), common->text);
    else
        snprintf(text, size, "%s%s%zu of %zu", common ? plot_setting_label(common->name) : "", common ? ", " : "",
                 level + 1, table->n_levels);
}

static void fill_grid(const struct rivals_table *table, struct grid *grid)
{
    static const char *const header[] = {"solver", "level", "data sets", "iterations", "fewer/alike/more", "p",
                                         "kernel operations", "fewer/alike/more", "p"};
    char level[100];
    grid->columns = sizeof header / sizeof *header;
    grid_title(grid, "rivals-%s: costs as multiples of those of %s", table->name, table->rivals.labels[0]);
    for (size_t k = 0; k < grid->columns; k++)
        grid_cell(grid, "%s", header[k]);
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct row *row = &table->rows[r];
        level_text(table, row->level, level, sizeof level);
        grid_cell(grid, "%s", table->rivals.labels[row->series]);
        grid_cell(grid, "%s", level);
        grid_cell(grid, "%zu", row->n[0]);
        for (size_t m = 0; m < METRICS; m++) {
            if (row->n[m] > 0)
                grid_cell(grid, "%.3f", row->ratio[m]);
            else
                grid_cell(grid, "–");
            grid_cell(grid, "%zu/%zu/%zu", row->fewer[m], row->n[m] - row->fewer[m] - row->more[m], row->more[m]);
            grid_cell(grid, "%.2g", row->p[m]);
        }
    }
    grid_note(grid, "Geometric means over the data sets of the ratio of mean costs over the splits that both ended.");
    grid_note(grid, "Fewer, more: at 0.05 by the signed-rank test over the splits, adjusted over the sets by Holm.");
    grid_note(grid, "p: signed-rank test of the logarithms of the ratios over the data sets.");
    grid_note(grid, "Kernel operations without the start-up.");
}

static void fill_csv(const struct rivals_table *table, struct grid *grid)
{
    char level[100];
    grid->columns = 4 + 4 * METRICS;
    grid_cell(grid, "solver");
    grid_cell(grid, "against");
    grid_cell(grid, "level");
    grid_cell(grid, "dataset");
    for (size_t m = 0; m < METRICS; m++) {
        grid_cell(grid, "%s_n", metric_keys[m]);
        grid_cell(grid, "%s_ratio", metric_keys[m]);
        grid_cell(grid, "%s_p", metric_keys[m]);
        grid_cell(grid, "%s_p_adjusted", metric_keys[m]);
    }
    for (size_t r = 0; r < table->n_rows; r++)
        for (size_t d = 0; d < table->data->n_datasets; d++) {
            const struct row *row = &table->rows[r];
            if (row->cells[0][d].n == 0)
                continue;
            level_text(table, row->level, level, sizeof level);
            grid_cell(grid, "%s", table->rivals.labels[row->series]);
            grid_cell(grid, "%s", table->rivals.labels[0]);
            grid_cell(grid, "%s", level);
            grid_cell(grid, "%s", table->data->datasets[d]);
            for (size_t m = 0; m < METRICS; m++) {
                const struct cell *cell = &row->cells[m][d];
                grid_cell(grid, "%zu", cell->n);
                if (cell->n > 0)
                    grid_cell(grid, "%.15g", cell->ratio);
                else
                    grid_cell(grid, "%s", "");
                grid_cell(grid, "%.6g", cell->p);
                grid_cell(grid, "%.6g", cell->adjusted);
            }
        }
}

/* Logarithm and exponential are libm's: rounded to six digits, which they agree on everywhere. */
static double rounded(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

static void metric_json(cJSON *json, const struct rivals_table *table, const struct row *row, size_t m, int *failed)
{
    cJSON *metric = json_put_object(json, metric_keys[m], failed);
    json_put_number(metric, "ratio", rounded(row->ratio[m]), failed);
    json_put_number(metric, "p", rounded(row->p[m]), failed);
    json_put_number(metric, "fewer", (double)row->fewer[m], failed);
    json_put_number(metric, "more", (double)row->more[m], failed);
    cJSON *sets = json_put_array(metric, "datasets", failed);
    for (size_t d = 0; d < table->data->n_datasets; d++) {
        const struct cell *cell = &row->cells[m][d];
        if (cell->n == 0)
            continue;
        cJSON *set = json_add_object(sets, failed);
        json_put_text(set, "dataset", table->data->datasets[d], failed);
        json_put_number(set, "n", (double)cell->n, failed);
        json_put_number(set, "ratio", cell->ratio, failed);
        json_put_number(set, "p", rounded(cell->p), failed);
        json_put_number(set, "p_adjusted", rounded(cell->adjusted), failed);
    }
}

static enum status write_json(const struct rivals_table *table, const char *path, struct error *error)
{
    char level[100];
    int failed = 0;
    cJSON *json = json_new_object(&failed);
    json_put_number(json, "schema", 1, &failed);
    json_put_text(json, "table", "rivals", &failed);
    json_put_text(json, "name", table->name, &failed);
    json_put_text(json, "against", table->rivals.labels[0], &failed);
    cJSON *rows = json_put_array(json, "rows", &failed);
    for (size_t r = 0; r < table->n_rows; r++) {
        cJSON *row = json_add_object(rows, &failed);
        level_text(table, table->rows[r].level, level, sizeof level);
        json_put_text(row, "solver", table->rivals.labels[table->rows[r].series], &failed);
        json_put_text(row, "level", level, &failed);
        for (size_t m = 0; m < METRICS; m++)
            metric_json(row, table, &table->rows[r], m, &failed);
    }
    enum status status =
        failed ? error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path) : json_write(path, json, error);
    cJSON_Delete(json);
    return status;
}

static enum status write_forms(const struct rivals_table *table, const char *folder, FILE *written, struct error *error)
{
    static const char *const endings[] = {"json", "md", "tex", "csv"};
    const enum grid_form forms[] = {GRID_CSV, GRID_MARKDOWN, GRID_LATEX, GRID_CSV};
    struct grid text = {0}, flat = {0};
    char path[4096];
    enum status status = STATUS_OK;
    fill_grid(table, &text);
    fill_csv(table, &flat);
    for (int i = 0; i < 4 && status == STATUS_OK; i++) {
        int length = snprintf(path, sizeof path, "%s/tables/rivals-%s.%s", folder, table->name, endings[i]);
        if (length < 0 || (size_t)length >= sizeof path)
            status = error_set(error, STATUS_BAD_INPUT, "%s: the path is too long", folder);
        else if (i == 0)
            status = write_json(table, path, error);
        else
            status = grid_write(i == 3 ? &flat : &text, forms[i], path, error);
    }
    fprintf(written, "%s/tables/rivals-%s.{json,md,tex,csv}\n", folder, table->name);
    grid_free(&text);
    grid_free(&flat);
    return status;
}

static enum status write_entry(const struct plot_data *data, const char *folder, const cJSON *entry, FILE *written,
                               struct error *error)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "name"));
    struct rivals_table table = {.name = name && *name && !strchr(name, '/') ? name : "profile", .data = data};
    enum status status = rivals_take(data, entry, &table.rivals, error);
    if (status == STATUS_OK && !table.rivals.too_many && table.rivals.n_series >= 2) {
        status = fill(&table, error);
        if (status == STATUS_OK)
            status = write_forms(&table, folder, written, error);
    }
    for (size_t r = 0; r < table.n_rows; r++)
        for (size_t m = 0; m < METRICS; m++)
            free(table.rows[r].cells[m]);
    free(table.rows);
    free(table.level_of);
    free(table.x), free(table.y);
    rivals_free(&table.rivals);
    return status;
}

static int is_profile(const cJSON *entry)
{
    const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "kind"));
    return kind && strcmp(kind, "profile") == 0;
}

enum status rivals_tables_write(const char *folder, const cJSON *config, char **written, struct error *error)
{
    struct plot_data data = {0};
    size_t size = 0;
    int read = 0;
    const cJSON *entry;
    enum status status = STATUS_OK;
    FILE *stream = open_memstream(written, &size);
    if (!stream)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(config, "plots")) {
        if (!is_profile(entry) || status != STATUS_OK)
            continue;
        if (!read)
            status = plot_data_read(folder, &data, error);
        read = 1;
        if (status == STATUS_OK)
            status = write_entry(&data, folder, entry, stream, error);
    }
    fclose(stream);
    plot_data_free(&data);
    return status;
}
