/* The data search path, and messages about missing data and partial results. */
#ifndef HULLBENCH_CLI_DATA_H
#define HULLBENCH_CLI_DATA_H

#include "harness/run/run.h"

/* datasets/cache next to the program's own files; malloc'ed, NULL if there is none. */
char *cli_cache(void);

/* The loops for $HULLBENCH_LANES ("generic", "avx2", "avx512"), or the widest if it is not set. NULL, after printing
 * the reason, if the name is unknown or this processor lacks them, or if $HULLBENCH_STORAGE is neither "dense" nor
 * "compressed". */
const struct simd *cli_simd(void);

/* $HULLBENCH_DATA. Prints each of its folders that does not exist on standard error. */
const char *cli_search_path(void);

/* Prints on standard error which files of known data sets have another SHA-256 than in the manifest, each file once.
 * Data sets may be NULL. */
void cli_print_altered(struct dataset *const *datasets, size_t count);
/* Prints on standard error the notes of the data sets, and the missing sets with the reason for the first. */
void cli_print_missing(const struct run *run);
/* Prints on standard error which run folders are incomplete, and what they lack according to their run.json. */
void cli_print_partial(const char *const *folders, size_t count);
/* Prints on standard error which official splits of the run hold the same rows as an earlier one. */
void cli_print_repeated(const struct run *run);

/* The exit status of a verb whose folders the user names: a missing folder, paper or file is a usage error. */
int cli_folders_status(struct error *error, int fallback);

#endif
