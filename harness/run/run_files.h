/* The files of a run's folder that are made of its records, and their names (docs/formats.md). */
#ifndef HULLBENCH_RUN_FILES_H
#define HULLBENCH_RUN_FILES_H

#include "harness/run/journal.h"
#include "harness/run/run.h"

/* Whether job `index` leaves a trace: the configuration asks for it, and the solver has steps to trace. */
int plan_is_traced(const struct plan *plan, size_t index);
/* FOLDER/traces/DATASET-SPLIT-SOLVER[-k].tsv, malloc'ed (NULL: out of memory): where the trace of job `index` is. */
char *plan_trace_path(const struct plan *plan, const char *folder, size_t index);

/* Begins the folder of a run or a search, which is locked: opens its journal for n entries, calls remove_outputs where
 * options->force is set, removes temporary files and partial results, and writes config.json. *journal is closed by the
 * caller, after an error, too. */
enum status run_begin(const struct run *run, size_t n,
                      enum status (*remove_outputs)(const char *folder, struct error *error), struct journal **journal,
                      struct error *error);
/* Ends it when its other files are there: takes the time, writes run.json with that number of records, removes the
 * journal. */
enum status run_end(struct run *run, size_t records, struct error *error);
void run_remove_journal(const struct run *run);

/* Writes records.jsonl and timings.jsonl into `folder`; entries: one per job of the plan, those without a record are
 * left out. */
enum status run_write_records(const char *folder, const struct plan *plan, const struct journal_entry *entries,
                              struct error *error);

/* Removes the temporary files that killed processes left in a run's folder, which is locked, and in the folders
 * inside it. */
enum status run_remove_temporaries(const char *folder, struct error *error);

/* Removes what a finished run left in the folder but its configuration: run.json first, records, times, traces. */
enum status run_remove_outputs(const char *folder, struct error *error);

/*
 * What an interrupted run has so far: the folder `partial` in the run's own, a run folder of the records that are done,
 * in plan order, whose run.json says in `partial` that it is not all. Its plan is that of no run, so that nobody takes
 * it for a finished one.
 */
#define PARTIAL_FOLDER "partial"

/* Writes it. entries: one per job of run->plan, `done` >= 1 of them with a record; run->seconds and run->spent are set.
 */
enum status partial_write(const struct run *run, const struct journal_entry *entries, size_t done, struct error *error);
/* Removes it from the folder `out`, save for what others put there; none is fine. */
enum status partial_remove(const char *out, struct error *error);

#endif
