/* Ratios and tests of a table's cells. */
#ifndef HULLBENCH_TABLE_CONTRAST_H
#define HULLBENCH_TABLE_CONTRAST_H

#include "harness/tables/table_grid.h"

/* Fills ratio and test of the cells, n_tests and n_untested. `suppliers` are the records that may be baselines. Dies
 * with STATUS_NOT_FOUND if they lack a baseline, and with STATUS_BAD_INPUT if several match one record. */
void table_contrasts_fill(struct table_grid *grid, const struct json_path *place, const struct records *suppliers);

#endif
