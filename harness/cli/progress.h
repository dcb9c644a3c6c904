/* The line that tells how far a run is. */
#ifndef HULLBENCH_PROGRESS_H
#define HULLBENCH_PROGRESS_H

#include <stdio.h>

#include "harness/run/run.h"

struct progress_line {
    double shown; /* seconds since the start when it was last drawn */
};

/* Draws the line on standard error, at most five times a second, and wipes it when all is done. `context` is a struct
 * progress_line. */
void progress_show(void *context, const struct run_progress *progress);

/* Prints minutes and seconds, 3:07. */
void progress_time(FILE *stream, double seconds);

#endif
