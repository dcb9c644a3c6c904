/* The folder that a run, a merge or a search writes to: whose it is, and its files (docs/formats.md). */
#ifndef HULLBENCH_RUN_FILES_H
#define HULLBENCH_RUN_FILES_H

#include "harness/run/journal.h"
#include "harness/run/run.h"

enum folder_kind { FOLDER_OF_RUN, FOLDER_OF_TUNE };

/* STATUS_BAD_INPUT where config.json in the folder is one of the other verb: what that one left would stand beside new
 * files that contradict it. A folder without a readable configuration belongs to nobody. */
enum status folder_check_kind(const char *folder, enum folder_kind kind, struct error *error);

/* Whether the folder holds the finished run of this fingerprint; not where there is no run.json, or the file `results`
 * has been taken away. STATUS_BAD_INPUT where it is finished and another run's; the message says what differs; and
 * where records.jsonl has not as many lines as run.json says records: a file cut at a line's end looks sound. */
enum status folder_finished(const char *folder, const char *results, const struct fingerprint *fingerprint,
                            int *finished, struct error *error);

/* Whether job `index` leaves a trace: the configuration asks for it, and the solver has steps to trace. */
int plan_is_traced(const struct plan *plan, size_t index);
/* FOLDER/traces/DATASET-SPLIT-SOLVER[-k].tsv, malloc'ed (NULL: out of memory): where the trace of job `index` is. */
char *plan_trace_path(const struct plan *plan, const char *folder, size_t index);

/* Writes records.jsonl and timings.jsonl into `folder`; entries: one per job of the plan, those without a record are
 * left out. */
enum status run_write_records(const char *folder, const struct plan *plan, const struct journal_entry *entries,
                              struct error *error);

/* Begins to write to a folder, which is locked: opens the journal for n jobs, removes what killed and interrupted runs
 * left, and by `remove_outputs`, unless it is NULL, the journal's entries and the outputs of another run; writes
 * config.json and makes traces/ where there may be any. The journal is to be closed, also after an error.
 * STATUS_BAD_INPUT where another config.json is there and nothing of a run beside it. */
enum status run_begin_folder(const char *folder, const struct config *config, const struct fingerprint *fingerprint,
                             size_t n, enum status (*remove_outputs)(const char *folder, struct error *error),
                             struct journal **journal, struct error *error);
/* Ends the folder of a run or a search when its other files are there: takes the time, writes run.json with that number
 * of records, removes the journal. */
enum status run_end(struct run *run, size_t records, struct error *error);
/* Writes config.json. */
enum status run_write_config(const char *folder, const struct config *config, struct error *error);

/* Removes the temporary files that killed processes left in a run's folder, which is locked, and in the folders
 * inside it. */
enum status run_remove_temporaries(const char *folder, struct error *error);

/* Removes what a finished run left in the folder but its configuration: run.json first, records, times, traces. */
enum status run_remove_outputs(const char *folder, struct error *error);
/* Removes the folder of a finished run; where it holds other files, too, it stays with those. */
enum status run_remove_folder(const char *folder, struct error *error);

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
