/* Which verb a folder of results belongs to, and whether it is finished. */
#ifndef HULLBENCH_FOLDER_KIND_H
#define HULLBENCH_FOLDER_KIND_H

#include "harness/run/fingerprint.h"
#include "solvers/error.h"

enum folder_kind { FOLDER_OF_RUN, FOLDER_OF_TUNE };

/* STATUS_BAD_INPUT where config.json in the folder is one of the other verb: what that one left would stand beside new
 * files that contradict it. A folder without a readable configuration belongs to nobody. */
enum status folder_check_kind(const char *folder, enum folder_kind kind, struct error *error);

/* STATUS_BAD_INPUT where the folder holds no results that can be read: those of a run that is not finished, or a comparison alone.
 * A folder that is none of these may still lack its files. */
enum status folder_check_whole(const char *folder, struct error *error);

/* STATUS_BAD_INPUT where records.jsonl has not as many lines as run.json says records: a file cut at a line's end looks sound. Fine where
 * one of the two cannot be read. */
enum status folder_check_count(const char *folder, struct error *error);

/* Whether the folder holds the finished run of this identity; not where there is no run.json, or the file `results` has been
 * taken away. STATUS_BAD_INPUT where it is finished and another run's; the message says what differs. */
enum status folder_finished(const char *folder, const char *results, const struct fingerprint *identity, int *finished,
                            struct error *error);

#endif
