/* What long-running verbs share: the location of data, the progress line, and the end after a signal. */
#ifndef HULLBENCH_INTERRUPTIBLE_H
#define HULLBENCH_INTERRUPTIBLE_H

#include <stdio.h>

#include "harness/cli/options.h"
#include "harness/support/input_stream.h"

/* Prints minutes and seconds, such as 3:07. */
void progress_time(FILE *stream, double seconds);

/* The progress line of files that take more than two seconds to read. */
struct reading_line {
    struct input_watch watch;
    double shown; /* seconds when it was last drawn; 0: not drawn */
};
/* The watch that draws the line on standard error; NULL if that is not a terminal, or if `quiet`. */
const struct input_watch *reading_line_begin(struct reading_line *line, int quiet);

/* Completes the run's options from the environment and, unless --quiet is given, has progress shown on a terminal. From
 * here on SIGINT and SIGTERM set run.interrupted. Once the verb has ended after one, or half a second later at the
 * latest, the signal ends the process. The last line says whether the same command resumes the work
 * (arguments->keeps_nothing). Once a verb. */
void interruptible_begin(struct cli_arguments *arguments);

#endif
