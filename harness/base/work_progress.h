/* How far a long work is, for the line that a terminal shows (harness/cli/progress.c). */
#ifndef HULLBENCH_WORK_PROGRESS_H
#define HULLBENCH_WORK_PROGRESS_H

#include <stddef.h>

/* Times are by clock_now. */
struct work_progress {
    const char *what;   /* is at work, such as "banana 3, mu-gsk"; of several, the one that began first; NULL: none */
    double since;       /* when it began */
    double started;     /* when the work began */
    size_t done, total; /* items of the work; done includes those of earlier starts; total 0: unknown */
    const char *unit;   /* of them, such as "MB"; NULL: they are counted */
    double left;        /* estimated seconds from now on; negative: unknown */
};

/* Is called when an item begins or ends; NULL: the work has ended. The text of the struct is the caller's. Calls do not
 * overlap. */
typedef void progress_report(void *context, const struct work_progress *progress);

#endif
