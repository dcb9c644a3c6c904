/* What verbs that work for long share: where data are, the line of progress, the end after a signal. */
#ifndef HULLBENCH_INTERRUPTIBLE_H
#define HULLBENCH_INTERRUPTIBLE_H

#include <stdio.h>

#include "harness/cli/options.h"
#include "harness/support/input_stream.h"

/* Prints minutes and seconds, 3:07. */
void progress_time(FILE *stream, double seconds);

/* The line of progress of files that are read for more than two seconds. */
struct reading_line {
    struct input_watch watch;
    double shown; /* seconds at which it was last drawn; 0: it is not there */
};
/* Who draws the line on standard error; NULL where that is no terminal, or `quiet`. */
const struct input_watch *reading_line_begin(struct reading_line *line, int quiet);

/* Fills what the options of the run take from the environment, shows progress on a terminal unless --quiet is given,
 * and does `work`, whose exit status it returns. SIGINT and SIGTERM are noted in run.interrupted; once `work` has
 * returned after one, or half a second later if it has not, the process ends as the signal would have ended it. */
int run_interruptible(struct cli_arguments *arguments, int (*work)(void *arguments));

#endif
