/* POSIX clocks: monotonic, of the process and of the thread. */
#include "solvers/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double clock_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double clock_processors(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_thread(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}
