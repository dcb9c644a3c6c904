/*
 * A row's key is a number in mixed radix. Its digits are the indices of the row's values in plan order, the first
 * dimension of the rows leading, so ascending keys are rows in plan order. The same holds for columns.
 */
#include "harness/tables/table_grid.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/records/conditions.h"
#include "harness/records/selection.h"

/* ---- dimensions ---- */

/* The record's value in that dimension; NULL if it has no such setting. */
static const char *value_in(const struct table_dimension *dimension, const struct record *record)
{
    const struct setting *setting = NULL;
    if (dimension->kind == DIMENSION_DATASET)
        return record->dataset;
    if (dimension->kind == DIMENSION_SOLVER)
        return record->solver;
    if (dimension->kind == DIMENSION_SPLIT_SOURCE)
        return record->split_source;
    if (dimension->kind == DIMENSION_SETTING)
        setting = record_setting(record, dimension->setting);
    return setting ? setting->text : NULL;
}

/* ---- conditions ---- */

/* Names the solvers that are missing from `after` because none of their records has the setting. */
static void warn_of_left_out(struct pool *pool, const cJSON *wanted, const struct json_path *place,
                             const struct records *before, const struct records *after, FILE *warned)
{
    struct name_order left = {.pool = pool}, gone = {.pool = pool};
    struct error line = {0};
    for (size_t i = 0; i < after->count; i++)
        name_order_add(&left, after->items[i]->solver);
    for (size_t i = 0; i < before->count; i++)
        if (record_setting(before->items[i], wanted->string))
            name_order_add(&left, before->items[i]->solver);
    for (size_t i = 0; i < before->count; i++)
        if (name_order_find(&left, before->items[i]->solver) == left.count)
            name_order_add(&gone, before->items[i]->solver);
    if (gone.count == 0)
        return;
    error_set(&line, STATUS_BAD_INPUT, "%s: %s %s no %s and %s left out; a list with null keeps %s",
              json_place(place), name_order_text(&gone, ", ", " and ", gone.count),
              gone.count > 1 ? "have" : "has", wanted->string, gone.count > 1 ? "are" : "is",
              gone.count > 1 ? "them" : "it");
    fprintf(warned, "hullbench: %s\n", line.message);
}

/* Adds the folders' records that pass "datasets", "split_sources", "solvers" and "where" to grid->kept, and those that
 * pass the first two to `suppliers`, which may be baselines. If a member of "where" drops solvers because none of their
 * records has the setting, a line on `warned` (NULL: none) names them. */
static void select_records(struct table_grid *grid, const struct json_path *place, struct records *suppliers,
                           FILE *warned)
{
    static const char *const keys[] = {"datasets", "split_sources", "solvers", "where"};
    const struct records all = run_folders_records(grid->pool, grid->folders, NULL, DRAWS_ALL);
    struct records before = {.pool = grid->pool};
    const cJSON *item = NULL;
    records_append(&grid->kept, &all);
    if (grid->kept.count == 0 && !grid->spec->may_be_empty)
        die(STATUS_NOT_FOUND, "%s: no records", grid->folders->items[0].path);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (k == 2)
            records_append(suppliers, &grid->kept);
        if (k == 3)
            records_append(&before, &grid->kept);
        condition_keep(json_member(grid->spec->json, keys[k]), json_at(place, keys[k]), STATUS_NOT_FOUND, &grid->kept);
    }
    cJSON_ArrayForEach (item, grid->spec->where)
        if (warned)
            warn_of_left_out(grid->pool, item, json_at(json_at(place, "where"), item->string), &before, &grid->kept,
                             warned);
}

enum table_variation table_setting_varies(const struct records *records, const char *name)
{
    struct pool *pool = pool_new();
    struct name_order datasets = {.pool = pool};
    const char **of_dataset = pool_array(pool, records->count + 1, sizeof *of_dataset), *first = NULL;
    enum table_variation variation = VARIES_NOWHERE;
    for (size_t i = 0; i < records->count; i++) {
        const struct setting *setting = record_setting(records->items[i], name);
        if (!setting)
            continue;
        const char **own = &of_dataset[name_order_add(&datasets, records->items[i]->dataset)];
        if (*own && strcmp(*own, setting->text) != 0)
            variation = VARIES_WITHIN_DATASETS;
        else if (first && strcmp(first, setting->text) != 0 && variation == VARIES_NOWHERE)
            variation = VARIES_BY_DATASET;
        *own = first = setting->text;
    }
    pool_free(pool);
    return variation;
}

static void add_dimension(struct table_grid *grid, const struct table_dimension *dimension,
                          const struct json_path *place)
{
    if (grid->n_dimensions == MAX_DIMENSIONS)
        json_die(place, "too many settings vary; allowed: at most %d", MAX_DIMENSIONS);
    grid->dimensions[grid->n_dimensions++] = *dimension;
}

/* Replaces "settings" by a dimension for each setting that varies and has no dimension yet. */
static void add_varying(struct table_grid *grid, enum table_side side, const struct json_path *place)
{
    const enum table_variation least =
        table_spec_has(grid->spec, DIMENSION_DATASET) ? VARIES_WITHIN_DATASETS : VARIES_BY_DATASET;
    struct name_order names = {.pool = grid->pool};
    for (size_t i = 0; i < grid->kept.count; i++)
        for (size_t s = 0; s < grid->kept.items[i]->n_settings; s++)
            name_order_add(&names, grid->kept.items[i]->settings[s].name);
    for (size_t i = 0; i < names.count; i++) {
        const struct table_dimension setting = {DIMENSION_SETTING, names.names[i], names.names[i], side};
        if (!table_has_setting(grid->spec->dimensions, grid->spec->n_dimensions, names.names[i]) &&
            table_setting_varies(&grid->kept, names.names[i]) >= least)
            add_dimension(grid, &setting, place);
    }
}

/* A setting in the specification that no record has counts as a condition that leaves no record. */
static void check_present(const struct table_grid *grid, const struct table_dimension *dimension,
                          const struct json_path *place)
{
    for (size_t i = 0; i < grid->kept.count; i++)
        if (record_setting(grid->kept.items[i], dimension->name))
            return;
    json_die_of(STATUS_NOT_FOUND, place, "%s: none of the remaining %zu records has the setting \"%s\"",
                dimension->side == SIDE_ROWS ? "rows" : "columns", grid->kept.count, dimension->name);
}

static void take_dimensions(struct table_grid *grid, const struct json_path *place)
{
    const struct table_spec *spec = grid->spec;
    for (size_t k = 0; k < spec->n_dimensions; k++)
        if (spec->dimensions[k].kind == DIMENSION_SETTINGS)
            add_varying(grid, spec->dimensions[k].side, place);
        else {
            add_dimension(grid, &spec->dimensions[k], place);
            if (spec->dimensions[k].kind == DIMENSION_SETTING)
                check_present(grid, &spec->dimensions[k], place);
        }
    size_t rows = 0;
    for (size_t i = 0; i < grid->n_dimensions; i++)
        rows += grid->dimensions[i].side == SIDE_ROWS;
    if (rows == 0)
        json_die(place, "rows: no setting varies; name the dimensions of the rows");
}

/* ---- keys ---- */

/* The number of values of the dimension. */
static size_t radix_of(const struct table_grid *grid, size_t dimension)
{
    return grid->dimensions[dimension].kind == DIMENSION_METRIC ? grid->spec->n_metrics : grid->values[dimension].count;
}

static uint64_t key_of(const struct table_grid *grid, enum table_side side, size_t record, size_t metric)
{
    uint64_t key = 0;
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        if (dimension->side != side)
            continue;
        key = key * radix_of(grid, i) + (grid->places[i] ? grid->places[i][record] : metric);
    }
    return key;
}

size_t table_grid_place(const struct table_grid *grid, size_t dimension, size_t row_or_column)
{
    const enum table_side side = grid->dimensions[dimension].side;
    uint64_t key = grid->keys[side][row_or_column];
    for (size_t i = grid->n_dimensions; i-- > dimension + 1;)
        if (grid->dimensions[i].side == side)
            key /= radix_of(grid, i);
    return (size_t)(key % radix_of(grid, dimension));
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static size_t find_key(const struct table_grid *grid, enum table_side side, uint64_t key)
{
    const uint64_t *found = bsearch(&key, grid->keys[side], grid->n[side], sizeof key, compare_keys);
    return (size_t)(found - grid->keys[side]);
}

/* Stores the distinct keys of one side; keys[i * n_metrics + m] belongs to record i and metric m. */
static void take_keys(struct table_grid *grid, enum table_side side, const uint64_t *keys, size_t count)
{
    uint64_t *sorted = pool_array(grid->pool, count, sizeof *sorted);
    size_t n = 0;
    memcpy(sorted, keys, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_keys);
    for (size_t i = 0; i < count; i++)
        if (n == 0 || sorted[n - 1] != sorted[i])
            sorted[n++] = sorted[i];
    grid->keys[side] = sorted;
    grid->n[side] = n;
}

/* Numbers the values of each dimension in plan order. */
static void take_values(struct table_grid *grid, const struct json_path *place)
{
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        if (grid->dimensions[i].kind == DIMENSION_METRIC)
            continue;
        grid->values[i].pool = grid->pool;
        grid->places[i] = pool_array(grid->pool, grid->kept.count, sizeof *grid->places[i]);
        for (size_t r = 0; r < grid->kept.count; r++) {
            const char *text = value_in(&grid->dimensions[i], grid->kept.items[r]);
            grid->places[i][r] = name_order_add(&grid->values[i], text ? text : "–");
        }
    }
    for (int side = SIDE_ROWS; side <= SIDE_COLUMNS; side++) {
        double product = 1;
        for (size_t i = 0; i < grid->n_dimensions; i++)
            product *= (int)grid->dimensions[i].side == side ? (double)radix_of(grid, i) : 1;
        if (product > 1e18)
            json_die(place, "too many values in too many dimensions");
    }
}

/* ---- cells ---- */

enum { MOST_CELLS = 200000 };

/* Distributes the records of each metric to the cells. */
static void fill_members(struct table_grid *grid, const struct json_path *place)
{
    const size_t n_metrics = grid->spec->n_metrics, count = grid->kept.count * n_metrics;
    uint64_t *keys[2];
    for (int side = SIDE_ROWS; side <= SIDE_COLUMNS; side++) {
        keys[side] = pool_array(grid->pool, count, sizeof *keys[side]);
        for (size_t i = 0; i < count; i++)
            keys[side][i] = key_of(grid, (enum table_side)side, i / n_metrics, i % n_metrics);
        take_keys(grid, (enum table_side)side, keys[side], count);
    }
    const size_t n_cells = grid->n[SIDE_ROWS] * grid->n[SIDE_COLUMNS];
    if (n_cells > MOST_CELLS)
        json_die(place, "%zu rows and %zu columns are too many; allowed: at most %d cells", grid->n[SIDE_ROWS],
                 grid->n[SIDE_COLUMNS], MOST_CELLS);
    grid->cells = pool_array(grid->pool, n_cells, sizeof *grid->cells);
    for (size_t c = 0; c < n_cells; c++)
        grid->cells[c].records.pool = grid->cells[c].tasks.pool = grid->pool;
    for (size_t i = 0; i < count; i++) {
        struct table_cell *cell = table_grid_cell(grid, find_key(grid, SIDE_ROWS, keys[SIDE_ROWS][i]),
                                                  find_key(grid, SIDE_COLUMNS, keys[SIDE_COLUMNS][i]));
        cell->metric = i % n_metrics;
        records_add(&cell->records, grid->kept.items[i / n_metrics]);
    }
}

/* Rejects two records of one cell and data set unless they have the same solver and settings. */
static void check_alike(const struct record *a, const struct record *b, const struct json_path *place)
{
    static const char advice[] = "name \"%s\" in rows or columns, or select one value under \"%s\"";
    char what[128] = "";
    if (strcmp(a->solver, b->solver) != 0) {
        snprintf(what, sizeof what, advice, "solver", "solvers");
        json_die(place, "a cell of %s contains records of %s and of %s; %s", a->dataset, a->solver, b->solver, what);
    }
    if (strcmp(a->split_source, b->split_source) != 0 && a->split == b->split)
        json_die(place,
                 "a cell of %s and %s contains split %zu twice, %s and %s; name \"split-source\" in rows or "
                 "columns, or select one value under \"split_sources\"",
                 a->dataset, a->solver, a->split, a->split_source, b->split_source);
    if (record_same_settings(a, b))
        return;
    for (size_t s = 0; s < a->n_settings; s++) {
        const struct setting *other = record_setting(b, a->settings[s].name);
        if (other && strcmp(other->text, a->settings[s].text) == 0)
            continue;
        snprintf(what, sizeof what, advice, a->settings[s].name, "where");
        json_die(place, "a cell of %s and %s contains records with %s = %s and %s; %s", a->dataset, a->solver,
                 a->settings[s].name, a->settings[s].text, other ? other->text : "none", what);
    }
    json_die(place, "a cell of %s and %s contains records with params %.80s and %.80s", a->dataset, a->solver,
             a->params_text, b->params_text);
}

static void check_cell(const struct table_cell *cell, const struct json_path *place)
{
    const struct record *first = NULL; /* of the data set; records of a data set are mostly adjacent */
    for (size_t i = 0; i < cell->records.count; i++) {
        const struct record *record = cell->records.items[i];
        for (size_t j = 0; j < i && (!first || strcmp(first->dataset, record->dataset) != 0); j++)
            first = strcmp(cell->records.items[j]->dataset, record->dataset) == 0 ? cell->records.items[j] : first;
        first = first && strcmp(first->dataset, record->dataset) == 0 ? first : record;
        check_alike(first, record, place);
    }
}

/* The cell's values in units of the metric's divisor, one per record or per data set; returns the count. */
static size_t take_numbers(const struct table_grid *grid, const struct table_cell *cell, double *values, double *own)
{
    const struct table_metric *metric = &grid->spec->metrics[cell->metric];
    size_t n = 0, n_own = 0;
    for (size_t i = 0; i < cell->records.count; i++) {
        double value = measure_of(cell->records.items[i], metric->measure) / metric->divisor;
        if (isfinite(value))
            (grid->over_datasets ? own : values)[grid->over_datasets ? n_own++ : n++] = value;
        const int last = i + 1 == cell->records.count ||
                         strcmp(cell->records.items[i]->dataset, cell->records.items[i + 1]->dataset) != 0;
        if (last && n_own > 0)
            values[n++] = summary_mean(own, n_own);
        n_own = last ? 0 : n_own;
    }
    return n;
}

static int compare_datasets(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left, *b = *(const struct record *const *)right;
    int order = strcmp(a->dataset, b->dataset);
    return order ? order : strcmp(a->where, b->where);
}

/* `values`: scratch, two for each record. */
static void fill_cell(struct table_grid *grid, struct table_cell *cell, double *values)
{
    if (grid->over_datasets) /* groups them by data set */
        qsort(cell->records.items, cell->records.count, sizeof *cell->records.items, compare_datasets);
    for (size_t i = 0; i < cell->records.count; i++) {
        cell->n_converged += (size_t)cell->records.items[i]->converged;
        cell->n_failed += (size_t)cell->records.items[i]->failed;
    }
    cell->summary = summary_of(values, take_numbers(grid, cell, values, values + cell->records.count));
}

double table_cell_value(const struct table_cell *cell, const struct table_metric *metric)
{
    const struct summary *summary = &cell->summary;
    switch (metric->statistic) {
    case STATISTIC_OF_SD: return summary->sd;
    case STATISTIC_OF_MEDIAN:
    case STATISTIC_OF_QUARTILES: return summary->median;
    case STATISTIC_OF_MINIMUM: return summary->min;
    case STATISTIC_OF_MAXIMUM: return summary->max;
    case STATISTIC_OF_RATIO:
    case STATISTIC_OF_INTERVAL:
        return cell->is_ratio_baseline && cell->n_converged ? 1
               : cell->ratio.n                              ? exp(cell->ratio.difference.estimate)
                                                            : (double)NAN;
    default: return summary->mean;
    }
}

/* ---- the whole grid ---- */

int table_cell_marked(const struct table_grid *grid, const struct table_cell *cell)
{
    return cell->test.adjusted < grid->spec->level;
}

struct table_grid *table_grid_make(struct pool *pool, const struct table_spec *spec, const struct json_path *place,
                                   const struct run_folders *folders, FILE *warned)
{
    struct records suppliers = {.pool = pool}; /* of baselines */
    struct table_grid *grid = pool_alloc(pool, sizeof *grid);
    *grid = (struct table_grid){.pool = pool, .spec = spec, .folders = folders, .kept = {.pool = pool}};
    select_records(grid, place, &suppliers, warned);
    take_dimensions(grid, place);
    for (size_t i = 1; i < grid->kept.count && !table_spec_has(spec, DIMENSION_DATASET); i++)
        grid->over_datasets |= strcmp(grid->kept.items[i]->dataset, grid->kept.items[0]->dataset) != 0;
    take_values(grid, place);
    fill_members(grid, place);
    double *values = pool_array(pool, 2 * grid->kept.count, sizeof *values);
    for (size_t c = 0; c < grid->n[SIDE_ROWS] * grid->n[SIDE_COLUMNS]; c++) {
        check_cell(&grid->cells[c], place);
        fill_cell(grid, &grid->cells[c], values);
    }
    for (size_t m = 0; m < spec->n_metrics; m++)
        if (spec->metrics[m].measure == MEASURE_SECONDS && !grid->time_obstacle)
            grid->time_obstacle = records_time_obstacle(pool, folders, &grid->kept);
    grid->budget_obstacle = records_budget_obstacle(pool, folders, &grid->kept);
    table_grid_compare(grid, place, &suppliers);
    return grid;
}
