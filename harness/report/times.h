/* Where the time of the folders went, by `time` and `machine` of their run.json (docs/formats.md). */
#ifndef HULLBENCH_TIMES_H
#define HULLBENCH_TIMES_H

#include "harness/report/report.h"
#include "harness/support/stage_times.h"
#include "harness/format/text_table.h"

/* Fills a zeroed grid, which the caller frees: a row a folder that tells its time, and one for all of them. Seconds are
 * of the wall; busy is seconds of the processors in threads times seconds; the stages are shares of what the threads
 * did; memory the peak, in MiB. Returns how many folders tell; 0 leaves the grid as it is. */
size_t times_grid(const struct report *report, struct text_table *grid);

enum { TIMES_COLUMNS = 4 + STAGES };

/* What the columns mean, without the point at the end. */
#define TIMES_CAPTION                                                                                                  \
    "Seconds by the clock; how much of its time each thread was on a processor; of what the threads did, the share "   \
    "of "                                                                                                              \
    "each stage; the most memory held, in MiB"

#endif
