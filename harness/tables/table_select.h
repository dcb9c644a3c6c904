/* The conditions of a table, one after the other. */
#ifndef HULLBENCH_TABLE_SELECT_H
#define HULLBENCH_TABLE_SELECT_H

#include <stdio.h>

#include "harness/tables/table_spec.h"

/* Adds the records of the folders that pass "datasets", "split_sources", "solvers" and "where"; to `pool`, those that
 * pass the first two, among which baselines are looked for. STATUS_NOT_FOUND names the condition that left none and
 * what the records had. A line on `warned` (NULL: none) names the solvers that a member of "where" leaves out because
 * none of their records has the setting. */
enum status table_select(const struct table_spec *spec, const struct json_path *place,
                         const struct run_folders *folders, struct records *kept, struct records *pool,
                         FILE *warned, struct error *error);

#endif
