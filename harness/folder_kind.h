/* Which verb a folder of results belongs to. */
#ifndef HULLBENCH_FOLDER_KIND_H
#define HULLBENCH_FOLDER_KIND_H

#include "solvers/error.h"

enum folder_kind { FOLDER_OF_RUN, FOLDER_OF_TUNE };

/* STATUS_BAD_INPUT where config.json in the folder is one of the other verb: what that one left would stand beside new
 * files that contradict it. A folder without a readable configuration belongs to nobody. */
enum status folder_check_kind(const char *folder, enum folder_kind kind, struct error *error);

#endif
