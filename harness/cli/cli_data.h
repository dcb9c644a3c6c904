/* What the verbs share: where data are looked for, and what is said of missing data and partial results. */
#ifndef HULLBENCH_CLI_DATA_H
#define HULLBENCH_CLI_DATA_H

#include "harness/run/run.h"

/* datasets/cache beside the program's own files; malloc'ed, NULL when there is none. */
char *cli_cache(void);

/* The loops for $HULLBENCH_LANES ("generic", "avx2", "avx512"), or the widest where it is not set; NULL, after printing
 * why, when the name is unknown or this processor lacks them, or when $HULLBENCH_STORAGE is not "dense" or
 * "compressed". */
const struct simd *cli_simd(void);

/* Names on standard error the data sets that were not found, with the reason for the first; nothing where all were. */
void cli_print_missing(const struct run *run);
/* Says on standard error which of the run folders are not the whole of a run, and what they lack by their run.json. */
void cli_print_partial(const char *const *folders, size_t count);
/* Names on standard error the official splits of the run that hold the same rows as one before them. */
void cli_print_repeated(const struct run *run);

/* The exit status of a verb about folders that were named: a folder, paper or file that is not there is bad use. */
int cli_folders_status(struct error *error, int fallback);

#endif
