/* Which runs the numbers of a table rest on (harness/records/coverage.h), and so which cells may be compared. */
#ifndef HULLBENCH_TABLE_COVERAGE_H
#define HULLBENCH_TABLE_COVERAGE_H

#include "harness/tables/table_grid.h"

/* Sets the grid's gaps, and the tasks and `shows_n` of each cell; those of ratios have the tasks of their pairs
 * already. */
void table_coverage_fill(struct table_grid *grid);

/* Whether two cells have the same settings of the problem on each data set that both have. Cells without a common data
 * set have one problem only in tables over data sets. */
int table_cells_are_of_one_problem(const struct table_grid *grid, const struct table_cell *a,
                                   const struct table_cell *b);
/* Whether the cell rests on all data sets and splits of any cell of the line with its metric and problem, and all of
 * them have alike budgets. */
int table_cell_is_complete(const struct table_grid *grid, const struct table_cell *cell,
                           struct table_cell *const *line, size_t length);

#endif
