/* What verbs that work for long share: where data are, the line of progress, the end after a signal. */
#ifndef HULLBENCH_INTERRUPTIBLE_H
#define HULLBENCH_INTERRUPTIBLE_H

#include <stdio.h>

#include "harness/cli/options.h"

/* Prints minutes and seconds, 3:07. */
void progress_time(FILE *stream, double seconds);

/* Fills what the options of the run take from the environment, shows progress on a terminal unless --quiet is given,
 * and does `work`, whose exit status it returns. SIGINT and SIGTERM are noted in run.interrupted; once `work` has
 * returned after one, or half a second later if it has not, the process ends as the signal would have ended it. */
int run_interruptible(struct cli_arguments *arguments, int (*work)(void *arguments));

#endif
