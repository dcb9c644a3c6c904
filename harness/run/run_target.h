/* The folder that a run or a search is about to write to: whose it is, and whether it holds that run already. */
#ifndef HULLBENCH_RUN_TARGET_H
#define HULLBENCH_RUN_TARGET_H

#include "harness/run/fingerprint.h"
#include "solvers/error.h"

enum folder_kind { FOLDER_OF_RUN, FOLDER_OF_TUNE };

/* STATUS_BAD_INPUT where config.json in the folder is one of the other verb: what that one left would stand beside new
 * files that contradict it. A folder without a readable configuration belongs to nobody. */
enum status folder_check_kind(const char *folder, enum folder_kind kind, struct error *error);

/* Whether the folder holds the finished run of this fingerprint; not where there is no run.json, or the file `results`
 * has been taken away. STATUS_BAD_INPUT where it is finished and another run's; the message says what differs; and
 * where records.jsonl has not as many lines as run.json says records: a file cut at a line's end looks sound. */
enum status folder_finished(const char *folder, const char *results, const struct fingerprint *fingerprint,
                            int *finished, struct error *error);

#endif
