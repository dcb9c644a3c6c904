/*
 * The conditions under which records were measured, which records themselves do not contain: budgets, from
 * config.json, and machines, from run.json. All verbs ask here whether the conditions of records are alike, so what one
 * verb refuses to compare, no other compares.
 */
#ifndef HULLBENCH_CONDITIONS_H
#define HULLBENCH_CONDITIONS_H

#include "harness/records/run_folder.h"

struct result;

/* Why the costs and outcomes of the records, which are from these folders, cannot be compared: some ended at a limit,
 * and their budgets differ; or at a limit of seconds, on different machines. A budget that ended no run has no effect,
 * so it does not matter. A clause without a period that begins with "their"; NULL if they can. */
const char *records_budget_obstacle(struct pool *pool, const struct run_folders *folders,
                                    const struct records *records);

/* The time to compare, in seconds: the median CPU time of the repeats, otherwise the wall-clock time of the single
 * shot. NAN if the record has no time (run_folder_read_times). */
double record_time(const struct record *record);

/* Why the times of the records, which are from these folders and have been read, cannot be compared: they were measured
 * on different or unknown machines or with different numbers of threads; only some include the kernel values, or are of
 * programs; some are
 * single shots below TIMING_SHORT, or single shots are mixed with repeats. A sentence without a period; NULL if they
 * can. Failed records and records without a time are ignored. */
const char *records_time_obstacle(struct pool *pool, const struct run_folders *folders, const struct records *records);

/* The machines of the folder, each once: "PROCESSOR with N threads", or "an unknown machine". A merged folder may have
 * several. Adds them to *machines. */
void run_folder_machines(const struct run_folder *folder, struct name_order *machines);

/* ---- what a run lacks: data sets that were not measured, or were generated although the original is meant ---- */

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
