/* The data search path, and messages about missing data and partial results. */
#ifndef HULLBENCH_CLI_ENVIRONMENT_H
#define HULLBENCH_CLI_ENVIRONMENT_H

#include "harness/cli/options.h"
#include "harness/records/run_folder.h"
#include "harness/support/string_list.h"

/* datasets/cache next to the program's own files; NULL if there is none. */
char *cli_cache(struct pool *pool);

/* The loops for $HULLBENCH_LANES ("generic", "avx2", "avx512"), or the widest if it is not set. Refuses a name that is
 * unknown or that this processor lacks, and a $HULLBENCH_STORAGE that is neither "dense" nor "compressed". */
const struct simd *cli_simd(void);

/* $HULLBENCH_DATA. Prints each of its folders that does not exist on standard error. */
const char *cli_search_path(void);

/* Prints on standard error which files of known data sets have another SHA-256 than in the manifest, each file once.
 * Data sets may be NULL. */
void cli_print_altered(struct dataset *const *datasets, size_t count);
/* Prints on standard error what the run lacks (run_gaps.h) by cli_print_gaps, and what to do. With --quiet it is called
 * too, after success, because the results look complete. */
void cli_print_missing(const struct run *run);
/* Prints the notes of the data sets, then the same. */
void cli_print_data(const struct run *run);
/* Prints lines of run_gaps.h if a set is missing. Generated sets alone are usual; records and tables name them. */
void cli_print_gaps(const struct string_list *lines);
/* Prints on standard error which run folders are incomplete, and what they lack according to their run.json. */
void cli_print_partial(const char *const *folders, size_t count);
/* Prints on standard error which official splits of the run hold the same rows as an earlier one. */
void cli_print_repeated(const struct run *run);

/* The run folders that the operands name, with their configurations; a missing one is wrong usage. */
struct run_folders *cli_read_folders(const struct cli_arguments *arguments);

#endif
