/* The folder that a run, a merge or a search writes to: its owner, and its files (docs/formats.md). */
#ifndef HULLBENCH_RUN_FILES_H
#define HULLBENCH_RUN_FILES_H

#include "harness/run/file_hashes.h"
#include "harness/run/journal.h"
#include "harness/run/run.h"

/* STATUS_BAD_INPUT names a file of a run or search that is not a regular file or a link to one, so that no reader waits
 * for a FIFO. */
void folder_check_regular(const char *folder);

enum folder_kind { FOLDER_OF_RUN, FOLDER_OF_TUNE };

/* STATUS_BAD_INPUT if the folder's config.json belongs to the other verb, whose left-over files would contradict the
 * new ones. A folder without a readable configuration has no owner. Errors of folder_check_regular, too. */
void folder_check_kind(const char *folder, enum folder_kind kind);

/* STATUS_BAD_INPUT if the folder has results, but neither run.json nor the journal of an unfinished run: run.json was
 * lost, and the results would be overwritten. */
void folder_check_info(const char *folder);
/* Whether the folder contains the finished run with this fingerprint; no if run.json or the file `results` is missing.
 * If it contains another finished run, *is_other is set; if is_other is NULL, STATUS_BAD_INPUT, and the message says
 * what differs. STATUS_BAD_INPUT also if run.json cannot be read or was lost. The records are not read: that is done by
 * who calls the folder complete (run_folder.h). */
int folder_finished(const char *folder, const char *results, const struct fingerprint *fingerprint, int *is_other);

/* Whether job `index` produces a trace: the configuration requests it, and the solver has iterations to trace. */
int plan_is_traced(const struct plan *plan, size_t index);
/* The trace file of job `index`, FOLDER/traces/DATASET-SPLIT-SOLVER[-k].tsv, in the pool. */
const char *plan_trace_path(struct pool *pool, const struct plan *plan, const char *folder, size_t index);

/* Writes records.jsonl and timings.jsonl into `folder`. entries: one per job of the plan; those without a record are
 * skipped. *hashes is for run_info_write. */
void run_write_records(const char *folder, const struct plan *plan, const struct journal_entry *entries,
                       struct record_hashes *hashes);

/* Prepares a locked folder for writing: opens the journal for n jobs and removes what killed and interrupted runs left;
 * if `remove_outputs` is not NULL, also discards the journal's entries and calls it to remove another run's outputs;
 * writes config.json and creates traces/ if traces are possible. `run` is that of journal_open. The caller closes the
 * journal.
 * STATUS_BAD_INPUT if the folder has a different config.json and no other file of a run. */
struct journal *run_begin_folder(const char *folder, const struct config *config,
                                 const struct fingerprint *fingerprint, const char *run, size_t n,
                                 void (*remove_outputs)(const char *folder));
/* Completes the folder of a run or a search after its other files have been written: takes the time, writes run.json
 * with that number of records, removes the journal. hashes: of run_write_records; NULL if it was not called.
 * search_seconds: run.json's member of this name, owned by the call; NULL: none. */
void run_end(struct run *run, size_t records, const struct record_hashes *hashes, struct cJSON *search_seconds);
/* The part of run_begin_folder that may fail though the journal is right: removes what killed and interrupted runs
 * left, and creates traces/. */
void run_clear_folder(const char *folder, const struct config *config);
/* Writes config.json. */
void run_write_config(const char *folder, const struct config *config);

/* Removes what a kill in the last steps left in a finished, locked folder: the journal, and temporary files also of its
 * subfolders. Writes config.json if it is missing. */
void run_settle_folder(const char *folder, const struct config *config);

/* Removes a finished run's outputs, except its configuration: first run.json, then records, times, traces. */
void run_remove_outputs(const char *folder);
/* Removes the folder of a finished run, but keeps it if it contains other files. */
void run_remove_folder(const char *folder);

/*
 * The records of an interrupted run: a subfolder `partial`, which is a run folder with the finished records in plan
 * order. Its run.json has the member `partial`, and a plan hash that no run has, so it is never taken for a finished
 * run.
 */
#define PARTIAL_FOLDER "partial"

/* Writes that folder. run->journal has at least one record; run->seconds and run->stage_times must be set. */
void partial_write(const struct run *run);

#endif
