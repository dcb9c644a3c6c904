/* What verbs that work for long share: their words, where data are, the line of progress, the end after a signal. */
#ifndef HULLBENCH_INTERRUPTIBLE_H
#define HULLBENCH_INTERRUPTIBLE_H

#include <argp.h>
#include <stdio.h>

#include "harness/run/run.h"

struct progress_line {
    double shown; /* seconds since the start when it was last drawn */
};

/* Prints minutes and seconds, 3:07. */
void progress_time(FILE *stream, double seconds);

/* Keys of the options that both verbs have; those of one verb alone begin at COMMON_OPTIONS_END or are letters. */
enum {
    COMMON_OUT = 'o',
    COMMON_JOBS = 'j',
    COMMON_QUIET = 'q',
    COMMON_SOLVERS = 256,
    COMMON_DATASETS,
    COMMON_DRY,
    COMMON_FORCE,
    COMMON_OPTIONS_END
};

struct common_arguments {
    struct run_options run;
    int dry_run, quiet;
};

/* Takes one of these options or the configuration; ARGP_ERR_UNKNOWN for a key that is not theirs. */
error_t parse_common_option(struct common_arguments *words, int key, char *text, struct argp_state *state);

/* Fills what *options takes from the environment, shows progress on a terminal with `line` (zeroed; NULL: none), and
 * does `work`, whose exit status it returns. SIGINT and SIGTERM are noted in *options->interrupted; once `work` has
 * returned after one, or half a second later if it has not, the process ends as the signal would have ended it. */
int run_interruptible(struct run_options *options, struct progress_line *line, int (*work)(void *context),
                      void *context);

#endif
