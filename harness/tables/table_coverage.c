/*
 * A cell's tasks are the data sets and splits of the records with a value of its metric. In a table with data sets in
 * rows or columns, each data set is a matter of its own: a solver without any record of it has no cell there. In a
 * table over data sets, each cell should rest on all of them.
 */
#include "harness/tables/table_coverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/conditions.h"
#include "harness/records/coverage.h"
#include "harness/records/same_problem.h"

static size_t count_cells(const struct table_grid *grid)
{
    return grid->n[SIDE_ROWS] * grid->n[SIDE_COLUMNS];
}

static void fill_tasks(const struct table_grid *grid, struct table_cell *cell)
{
    const struct table_metric *metric = &grid->spec->metrics[cell->metric];
    for (size_t i = 0; i < cell->n_records && !(metric->ratio_to.count && !cell->is_ratio_baseline); i++)
        if (metric->ratio_to.count ? cell->records[i]->converged
                                   : isfinite(measure_of(cell->records[i], metric->measure)))
            records_add(&cell->tasks, cell->records[i]);
    records_sort_by_training_set(&cell->tasks);
}

/* The index of the value of a cell in a dimension. */
static size_t place_in(const struct table_grid *grid, size_t dimension, size_t cell)
{
    const size_t at[] = {cell / grid->n[SIDE_COLUMNS], cell % grid->n[SIDE_COLUMNS]};
    return table_grid_place(grid, dimension, at[grid->dimensions[dimension].side]);
}

/* Numbers the combinations of data set and source of splits that the cells have, as far as they are dimensions. */
static size_t group_of(const struct table_grid *grid, size_t cell, size_t *n_groups)
{
    size_t group = 0;
    *n_groups = 1;
    for (size_t i = 0; i < grid->n_dimensions; i++)
        if (grid->dimensions[i].kind == DIMENSION_DATASET || grid->dimensions[i].kind == DIMENSION_SPLIT_SOURCE) {
            group = group * grid->values[i].count + place_in(grid, i, cell);
            *n_groups *= grid->values[i].count;
        }
    return group;
}

/* ---- numbers of runs ---- */

/* Numbers of one metric that are read together, but rest on different numbers of runs, show them. */
static void show_numbers(struct table_grid *grid)
{
    size_t n_groups = 1;
    group_of(grid, 0, &n_groups);
    size_t *first = pool_array(grid->pool, n_groups * grid->spec->n_metrics, sizeof *first);
    unsigned char *differ = pool_array(grid->pool, n_groups * grid->spec->n_metrics, 1);
    for (int pass = 0; pass < 2; pass++)
        for (size_t c = 0; c < count_cells(grid); c++) {
            struct table_cell *cell = &grid->cells[c];
            const size_t at = group_of(grid, c, &n_groups) * grid->spec->n_metrics + cell->metric;
            if (cell->tasks.count == 0 || cell->is_ratio_baseline)
                continue;
            if (pass == 1)
                grid->uneven |= cell->shows_n = differ[at];
            else if (first[at] == 0)
                first[at] = cell->tasks.count;
            else
                differ[at] |= first[at] != cell->tasks.count;
        }
}

/* ---- gaps ---- */

/* The solver and settings of a cell: "clip-mdm, mu = 0.1". */
static char *label_of(const struct table_grid *grid, size_t cell)
{
    char *label = NULL;
    size_t size = 0, n = 0;
    FILE *stream = xopen_text(&label, &size);
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        const int is_setting = dimension->kind == DIMENSION_SETTING;
        const char *value = is_setting || dimension->kind == DIMENSION_SOLVER
                                ? grid->values[i].names[place_in(grid, i, cell)]
                                : "–";
        if (strcmp(value, "–") != 0)
            fprintf(stream, "%s%s%s%s", n++ ? ", " : "", is_setting ? dimension->name : "", is_setting ? " = " : "",
                    value);
    }
    xclose_text(stream);
    return label;
}

/* Finds what the solvers, with their settings, lack. */
static void find_gaps(struct table_grid *grid)
{
    struct name_order labels = {.pool = grid->pool};
    struct records *members = pool_array(grid->pool, count_cells(grid), sizeof *members);
    int by_dataset = 0;
    for (size_t i = 0; i < grid->n_dimensions; i++)
        by_dataset |= grid->dimensions[i].kind == DIMENSION_DATASET;
    for (size_t c = 0; c < count_cells(grid); c++) {
        const struct table_cell *cell = &grid->cells[c];
        if (cell->metric != 0 || cell->n_records == 0)
            continue;
        struct records *member = &members[name_order_take(&labels, label_of(grid, c))];
        member->pool = grid->pool;
        for (size_t i = 0; i < cell->n_records; i++)
            records_add(member, cell->records[i]);
    }
    const struct coverage coverage = coverage_of_records(grid->pool, members, labels.count, by_dataset);
    grid->gaps = coverage_gaps(grid->pool, &coverage, labels.names, "splits");
}

void table_coverage_fill(struct table_grid *grid)
{
    for (size_t c = 0; c < count_cells(grid); c++)
        fill_tasks(grid, &grid->cells[c]);
    if (count_cells(grid) == 0)
        return;
    show_numbers(grid);
    find_gaps(grid);
}

/* ---- comparable cells ---- */

/* Whether two records agree in every setting that both have and that changes the objective. */
static int same_settings_of_problem(const struct record *a, const struct record *b)
{
    for (size_t i = 0; i < a->n_settings; i++) {
        const struct setting *other = record_setting(b, a->settings[i].name);
        if (is_of_problem(&a->settings[i], PROBLEM_OF_PAIR) && other &&
            strcmp(other->text, a->settings[i].text) != 0)
            return 0;
    }
    return 1;
}

int table_cells_are_of_one_problem(const struct table_grid *grid, const struct table_cell *a,
                                   const struct table_cell *b)
{
    int common = 0;
    for (size_t i = 0, j = 0; i < a->tasks.count && j < b->tasks.count;) {
        const struct record *one = a->tasks.items[i], *other = b->tasks.items[j];
        const int order = strcmp(one->dataset, other->dataset);
        if (order == 0 && !same_settings_of_problem(one, other))
            return 0;
        common |= order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return a->tasks.count > 0 && b->tasks.count > 0 && (common || grid->over_datasets);
}

int table_cell_is_complete(const struct table_grid *grid, const struct table_cell *cell,
                           struct table_cell *const *line, size_t length)
{
    struct pool *pool = pool_new();
    struct records all = {.pool = pool};
    int complete = 1;
    for (size_t k = 0; k < length && complete; k++) {
        if (line[k]->metric != cell->metric || !table_cells_are_of_one_problem(grid, cell, line[k]))
            continue;
        complete = records_cover(&cell->tasks, &line[k]->tasks);
        for (size_t i = 0; grid->budget_obstacle && i < line[k]->n_records; i++)
            records_add(&all, line[k]->records[i]);
    }
    complete = complete && !records_budget_obstacle(pool, grid->folders, &all);
    pool_free(pool);
    return complete;
}
