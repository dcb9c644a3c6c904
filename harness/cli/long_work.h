/* What verbs that work for long share: their words, where data are, the line of progress, the end after a signal. */
#ifndef HULLBENCH_LONG_WORK_H
#define HULLBENCH_LONG_WORK_H

#include <argp.h>
#include <stdio.h>

#include "harness/run/run.h"

struct progress_line {
    double shown; /* seconds since the start when it was last drawn */
};

/* Prints minutes and seconds, 3:07. */
void progress_time(FILE *stream, double seconds);

/* Keys of the options that both verbs have; those of one verb alone begin at LONG_OWN_KEYS or are letters. */
enum { LONG_OUT = 'o', LONG_JOBS = 'j', LONG_QUIET = 'q', LONG_SOLVERS = 256, LONG_DATASETS, LONG_DRY, LONG_FORCE, LONG_OWN_KEYS };

struct long_words {
    struct run_options run;
    int dry_run, quiet;
};

/* Takes one of these options or the configuration; ARGP_ERR_UNKNOWN for a key that is not theirs. */
error_t long_words_parse(struct long_words *words, int key, char *text, struct argp_state *state);

/* Fills what *options takes from the environment, shows progress on a terminal with `line` (zeroed; NULL: none), and does
 * `work`, whose exit status it returns. SIGINT and SIGTERM are noted in *options->interrupted; once `work` has returned
 * after one, or half a second later if it has not, the process ends as the signal would have ended it. */
int long_work(struct run_options *options, struct progress_line *line, int (*work)(void *context), void *context);

#endif
