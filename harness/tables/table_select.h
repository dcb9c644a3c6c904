/* Applies the conditions of a table in turn. */
#ifndef HULLBENCH_TABLE_SELECT_H
#define HULLBENCH_TABLE_SELECT_H

#include <stdio.h>

#include "harness/tables/table_spec.h"

/* Adds the folders' records that pass "datasets", "split_sources", "solvers" and "where" to `kept`; those that pass
 * the first two also to `pool`, which supplies baselines. STATUS_NOT_FOUND names the condition that left none and the
 * values it rejected. If a member of "where" drops solvers because none of their records has the setting, a line on
 * `warned` (NULL: none) names them. */
enum status table_select(const struct table_spec *spec, const struct json_path *place,
                         const struct run_folders *folders, struct records *kept, struct records *pool,
                         FILE *warned, struct error *error);

#endif
