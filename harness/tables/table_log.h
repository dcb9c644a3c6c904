/* What is told of tables as they are written, and which files they are. */
#ifndef HULLBENCH_TABLE_LOG_H
#define HULLBENCH_TABLE_LOG_H

#include <stdio.h>

#include "harness/support/string_list.h"
#include "solvers/error.h"

struct run_folder;

/* Zero-initialise what is not needed. */
struct table_log {
    FILE *said;                  /* gets a line for each table; NULL: none */
    FILE *warned;                /* gets a line for each table that is too wide for its page; NULL: none */
    struct string_list *written; /* "FOLDER/NAME" of each table; NULL: not collected */
};

/* Logs the table FOLDER/NAME.{json,md,tex,csv}, which has been written. */
void table_log_add(struct table_log *log, const char *folder, const char *name);

/* Enters the written tables of the run folder in its run.json, with their checksums (file_hashes.h). Does nothing if
 * the folder has no run.json, or one without checksums. The folder is locked by the caller. */
void table_log_hash(const struct table_log *log, struct run_folder *run);

#endif
