/* Which verb a folder of results belongs to, and whether it is finished. */
#ifndef HULLBENCH_FOLDER_KIND_H
#define HULLBENCH_FOLDER_KIND_H

#include <stdint.h>

#include "solvers/error.h"

enum folder_kind { FOLDER_OF_RUN, FOLDER_OF_TUNE };

/* STATUS_BAD_INPUT where config.json in the folder is one of the other verb: what that one left would stand beside new
 * files that contradict it. A folder without a readable configuration belongs to nobody. */
enum status folder_check_kind(const char *folder, enum folder_kind kind, struct error *error);

/* What run.json of a finished folder says of its plan: 1 that it is the one of `hash`, 0 another, -1 there is none, or the file
 * `results` has been taken away. */
int folder_finished(const char *folder, const char *results, uint64_t hash);

#endif
