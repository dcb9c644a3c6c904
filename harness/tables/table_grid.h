/*
 * The rows, columns and cells of a custom table (table_spec.h), as numbers.
 *
 * A cell holds the records with the values of its row and column. Its records of one data set must be of one solver
 * with one set of settings, since a mean over several is meaningless; otherwise the table is refused. If the data set
 * names neither rows nor columns, each data set counts as one value, its mean.
 *
 * Ratios and tests are those of `hullbench compare` without its penalties. The cell's records are paired with the
 * baseline's (pairing.h). A pair is kept if both runs converged and, as far as is known, solve the same problem. The
 * differences of log costs, or of errors, are tested by the resampled t test for one data set (case_statistics.h) or by
 * the signed-rank test over data sets. The p-values of all tested cells are adjusted together by Holm.
 */
#ifndef HULLBENCH_TABLE_GRID_H
#define HULLBENCH_TABLE_GRID_H

#include <stdint.h>
#include <stdio.h>

#include "harness/stats/summary.h"
#include "harness/tables/table_spec.h"

struct table_cell {
    struct records records;
    size_t n_converged, n_failed;
    struct records tasks;       /* the records that the number rests on, by data set and split. Of ratios:
                                 * those of the pairs; of their baseline: the converged ones */
    size_t metric;              /* index in the specification */
    struct summary summary;     /* in units of the metric's divisor; n = 0: no values */
    struct estimate ratio;  /* to ratio_to; n = 0: no pairs */
    struct estimate test;   /* against the marks' baseline */
    int is_ratio_baseline;      /* the cell's records are those of the baseline */
    int shows_n;                /* nonzero: numbers to be read together with this one rest on more or fewer runs */
    int complete;               /* for bold: see table_cell_is_complete */
    int best;                   /* nonzero: bold */
};

struct table_grid {
    struct pool *pool;
    const struct table_spec *spec;
    const struct run_folders *folders;
    struct records kept;                              /* records that pass the conditions */
    struct table_dimension dimensions[MAX_DIMENSIONS]; /* with "settings" replaced by the settings it means */
    size_t n_dimensions;
    struct name_order values[MAX_DIMENSIONS]; /* of each dimension; empty for the metric */
    size_t *places[MAX_DIMENSIONS];           /* of each record in them; NULL for the metric */
    uint64_t *keys[2];                        /* of each row and column, ascending; see table_grid_place */
    size_t n[2];                              /* rows and columns */
    struct table_cell *cells;                 /* row by row */
    int over_datasets;                        /* nonzero: values are means of data sets */
    size_t n_tests, n_untested;               /* cells with a test, and with values but without */
    int problems_differ, problems_unknown, optima_differ; /* whether some pairs with a baseline are so (accuracy.h) */
    const char *time_obstacle;                /* why times are not compared (conditions.h); NULL: they are */
    const char *budget_obstacle;              /* why some cells are not compared (conditions.h); NULL: all are */
    const char *gaps;                         /* which data sets or splits are lacking (coverage.h); NULL: none */
    int uneven;                               /* nonzero: some cell shows_n */
};

/* Makes the grid in the pool from records of the folders, which must be already read and outlive it. Dies with
 * STATUS_NOT_FOUND if a condition leaves no record, which the message names, and with STATUS_BAD_INPUT if a cell holds
 * several settings, or several records of a baseline match one. `warned`, unless NULL, names solvers that "where" drops
 * because they lack the setting. */
struct table_grid *table_grid_make(struct pool *pool, const struct table_spec *spec, const struct json_path *place,
                                   const struct run_folders *folders, FILE *warned);

/* The index of a row's or column's value in grid->values[dimension], or of its metric in the specification. */
size_t table_grid_place(const struct table_grid *grid, size_t dimension, size_t row_or_column);
static inline struct table_cell *table_grid_cell(const struct table_grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->n[SIDE_COLUMNS] + column];
}
/* Whether a setting has several values among the records that have it. "settings" means those that vary within a data
 * set, if the data set names rows or columns, else all that vary. */
enum table_variation { VARIES_NOWHERE, VARIES_BY_DATASET, VARIES_WITHIN_DATASETS };
enum table_variation table_setting_varies(const struct records *records, const char *name);
/* The number that the cell shows; NAN if it has none. */
double table_cell_value(const struct table_cell *cell, const struct table_metric *metric);
/* Whether the cell differs from the marks' baseline. */
int table_cell_marked(const struct table_grid *grid, const struct table_cell *cell);

/* The list, the separator and the item; the item alone if the list is NULL. */
static inline const char *table_join(struct pool *pool, const char *list, const char *separator, const char *item)
{
    return list ? pool_printf(pool, "%s%s%s", list, separator, item) : item;
}

/* ---- table_compare.c ---- */

/* Fills ratio, test, tasks and `shows_n` of the cells, n_tests, n_untested and gaps. `suppliers` are the records that
 * may be baselines. */
void table_grid_compare(struct table_grid *grid, const struct json_path *place, const struct records *suppliers);
/* Whether two cells have the same settings of the problem on each data set that both have. Cells without a common data
 * set have one problem only in tables over data sets. */
int table_cells_are_of_one_problem(const struct table_grid *grid, const struct table_cell *a,
                                   const struct table_cell *b);
/* Whether the cell rests on all data sets and splits of any cell of the line with its metric and problem, and all of
 * them have alike budgets. */
int table_cell_is_complete(const struct table_grid *grid, const struct table_cell *cell,
                           struct table_cell *const *line, size_t length);

#endif
