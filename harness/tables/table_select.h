/* Applies the conditions of a table in turn. */
#ifndef HULLBENCH_TABLE_SELECT_H
#define HULLBENCH_TABLE_SELECT_H

#include <stdio.h>

#include "harness/tables/table_spec.h"

/* Adds the folders' records that pass "datasets", "split_sources", "solvers" and "where" to the empty list `kept`; and
 * those that pass the first two to `suppliers`, which may be baselines. Dies with STATUS_NOT_FOUND and the condition
 * that left none and the values it rejected. If a member of "where" drops solvers because none of their records has the
 * setting, a line on `warned` (NULL: none) names them. */
void table_select(struct pool *pool, const struct table_spec *spec, const struct json_path *place,
                  const struct run_folders *folders, struct records *kept, struct records *suppliers, FILE *warned);

#endif
