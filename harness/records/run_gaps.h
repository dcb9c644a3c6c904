/*
 * What a run lacks: the data sets that were not measured, and those that were generated although the configuration
 * names the original. Every verb that measures says so, and every table made of such a run.
 */
#ifndef HULLBENCH_RUN_GAPS_H
#define HULLBENCH_RUN_GAPS_H

#include "harness/records/run_folder.h"
#include "harness/run/run.h"
#include "harness/base/pool.h"

struct result;

/* The beginning of the lines about missing sets. */
#define GAPS_MISSING "missing data sets:"

/* A line for each reason why data sets of the configuration, as JSON, are missing, with their names, and a line for the
 * generated sets. Nothing is lacking in a set that the configuration wants generated ("synthetic", "generate"). */
struct string_list run_gaps(struct pool *pool, const struct run_info *info, const struct cJSON *config);
/* The same of the folders for `name` (run_folder_is_for; NULL: all), each line once. */
struct string_list run_folders_gaps(struct pool *pool, const struct run_folders *folders, const char *name);

/* Adds the lines to the table's notes, and the list "lacks" to its facts, omitted if there are none. */
void gaps_add(const struct string_list *lines, struct result *table);

#endif
