/* Checking a run folder without running anything. */
#ifndef HULLBENCH_VERIFY_RUN_H
#define HULLBENCH_VERIFY_RUN_H

#include "harness/support/string_list.h"

struct pool;

struct run_verification {
    size_t files, records;     /* files that run.json lists; sound records, 0 where there are faults */
    struct string_list faults; /* one line each, naming the file */
    struct string_list unchecked; /* files in the folder that are not of the run */
};

/* Compares the files of the folder with the checksums in its run.json (file_hashes.h), then reads records and times.
 * A file that is missing, changed or not listed is a fault, and so is a run.json whose plan is not that of the
 * configuration. Dies with STATUS_BAD_INPUT if the folder is not a finished run, or its run.json lists no checksums.
 * The result is in the pool. */
const struct run_verification *run_verify(struct pool *pool, const char *folder);

#endif
