/* Progress on one line of a terminal: done, total, rate, time left. */
#include "harness/cli/progress.h"

void progress_time(FILE *stream, double seconds)
{
    unsigned long whole = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;
    fprintf(stream, "%lu:%02lu", whole / 60, whole % 60);
}

void progress_show(void *context, const struct run_progress *progress)
{
    struct progress_line *line = context;
    const double pause = 0.2; /* seconds between two drawings */
    if (progress->done < progress->total && progress->seconds - line->shown < pause)
        return;
    line->shown = progress->seconds;
    fprintf(stderr, "\r  %zu/%zu  %.1f/s  ", progress->done, progress->total,
            progress->seconds > 0 ? (double)progress->done / progress->seconds : 0);
    if (progress->seconds_left >= 0) {
        progress_time(stderr, progress->seconds_left);
        fputs(" left", stderr);
    }
    fputs("   \033[K", stderr);
    if (progress->done == progress->total)
        fputs("\r\033[K", stderr);
    fflush(stderr);
}
