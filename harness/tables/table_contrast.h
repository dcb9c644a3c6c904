/* Ratios and tests of a table's cells. */
#ifndef HULLBENCH_TABLE_CONTRAST_H
#define HULLBENCH_TABLE_CONTRAST_H

#include "harness/tables/table_grid.h"

/* Fills ratio and test of the cells, n_tests and n_untested. `pool` holds the records that supply baselines.
 * STATUS_NOT_FOUND: it lacks records of a baseline. STATUS_BAD_INPUT: several baseline records match one record. */
enum status table_contrasts_fill(struct table_grid *grid, const struct json_path *place, const struct records *pool,
                                 struct error *error);

#endif
