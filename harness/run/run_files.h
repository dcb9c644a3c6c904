/* The files of a run's folder that are made of its records, and their names (docs/formats.md). */
#ifndef HULLBENCH_RUN_FILES_H
#define HULLBENCH_RUN_FILES_H

#include "harness/run/journal.h"
#include "harness/run/run.h"

/* Whether job `index` leaves a trace: the configuration asks for it, and the solver has steps to trace. */
int plan_is_traced(const struct plan *plan, size_t index);
/* FOLDER/traces/DATASET-SPLIT-SOLVER[-k].tsv, malloc'ed (NULL: out of memory): where the trace of job `index` is. */
char *plan_trace_path(const struct plan *plan, const char *folder, size_t index);

/* Writes records.jsonl and timings.jsonl into `folder`; entries: one per job of the plan, those without a record are left out. */
enum status run_write_records(const char *folder, const struct plan *plan, const struct journal_entry *entries,
                              struct error *error);

/* Removes the temporary files that killed processes left in a run's folder, which is locked, and in the folders
 * inside it. */
enum status run_remove_temporaries(const char *folder, struct error *error);

/* Removes what a finished run left in the folder but its configuration: run.json first, records, times, traces. */
enum status run_remove_outputs(const char *folder, struct error *error);

#endif
