/* What the verbs share: where data are looked for, --plugin, and what is said of missing data. */
#ifndef HULLBENCH_CLI_DATA_H
#define HULLBENCH_CLI_DATA_H

#include <argp.h>

#include "harness/run/run.h"

/* datasets/cache beside the program's own files; malloc'ed, NULL when there is none. */
char *cli_cache(void);

/* The loops for $HULLBENCH_LANES ("generic", "avx2", "avx512"), or the widest where it is not set; NULL, after printing
 * why, when
 * the name is unknown or this processor lacks them. */
const struct simd *cli_simd(void);

/* A whole number from 1 to max; 0 when the text is something else. */
size_t cli_number(const char *text, size_t max);

/* Names on standard error the data sets that were not found, with the reason for the first; nothing where all were. */
void cli_print_missing(const struct run *run);
/* Says on standard error which of the run folders are not the whole of a run, and what they lack by their run.json. */
void cli_print_partial(const char *const *folders, size_t count);
/* Names on standard error the official splits of the run that hold the same rows as one before them. */
void cli_print_repeated(const struct run *run);

/* The option --plugin, for every verb that takes a solver's name: for the member `children` of a verb's argp. A plugin
 * is loaded as it is read, so its solvers are known once argp_parse has returned; one that cannot be loaded ends the
 * program with its error. */
extern const struct argp_child plugin_option[];

/* The run folders among a verb's arguments; `path` is freed by the caller. */
struct cli_folders {
    const char **path;
    size_t count;
};
/* Takes arguments as run folders, at most `max`, and asks for at least one; ARGP_ERR_UNKNOWN for any other key. */
error_t cli_take_folder(struct cli_folders *folders, size_t max, int key, char *text, struct argp_state *state);
/* The exit status of a verb about folders that were named: a folder, paper or file that is not there is bad use. */
int cli_folders_status(struct error *error, int otherwise);

#endif
