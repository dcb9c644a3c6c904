/* What verbs that work for long share: where data are, the line of progress, the end after a signal. */
#ifndef HULLBENCH_LONG_WORK_H
#define HULLBENCH_LONG_WORK_H

#include "harness/cli/progress.h"

/* Fills what *options takes from the environment, shows progress on a terminal with `line` (zeroed; NULL: none), and does
 * `work`, whose exit status it returns. SIGINT and SIGTERM are noted in *options->interrupted; once `work` has returned
 * after one, the process ends as the signal would have ended it. */
int long_work(struct run_options *options, struct progress_line *line, int (*work)(void *context), void *context);

#endif
