/* Timing in rounds, see bench.h. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "tests/bench/bench.h"

void *bench_got(void *memory)
{
    if (!memory) {
        fputs("bench: out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

static double thread_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double bench_seconds(timed *work, void *context)
{
    double before = thread_seconds();
    work(context);
    return thread_seconds() - before;
}

double bench_wall(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double round_of(const struct runner *runner)
{
    double before = thread_seconds();
    for (unsigned k = 0; k < runner->repeats; k++)
        runner->work(runner->context);
    return runner->reported ? *runner->reported : (thread_seconds() - before) / runner->repeats;
}

/* Enough repeats for about 5 ms per round. */
static void choose_repeats(struct runner *runner)
{
    const double enough = 5e-3;
    const unsigned max = 1000;
    double once = bench_seconds(runner->work, runner->context);
    runner->repeats = once * max <= enough ? max : once >= enough ? 1 : (unsigned)(enough / once) + 1;
}

size_t bench_rounds(struct runner *runners, size_t count, double budget)
{
    double started = bench_wall();
    for (size_t r = 0; r < count; r++)
        if (budget > 0 && runners[r].repeats == 0 && !runners[r].reported)
            choose_repeats(&runners[r]);
        else
            runners[r].repeats = 1;
    size_t rounds = 0;
    while (rounds == 0 || (rounds < BENCH_MAX_ROUNDS && bench_wall() - started < budget)) {
        for (size_t r = 0; r < count; r++)
            runners[r].seconds[rounds] = round_of(&runners[r]);
        rounds++;
    }
    return rounds;
}

static void sorted(const double *values, size_t count, double *out)
{
    for (size_t k = 0; k < count; k++)
        out[k] = values[k];
    gsl_sort(out, 1, count);
}

double bench_median(const double *values, size_t count)
{
    double copy[BENCH_MAX_ROUNDS];
    sorted(values, count, copy);
    return gsl_stats_median_from_sorted_data(copy, 1, count);
}

struct ratio bench_ratio(const double *ours, const double *other, size_t rounds)
{
    double ratio[BENCH_MAX_ROUNDS], copy[BENCH_MAX_ROUNDS];
    for (size_t r = 0; r < rounds; r++)
        ratio[r] = other[r] / ours[r];
    sorted(ratio, rounds, copy);
    return (struct ratio){gsl_stats_median_from_sorted_data(copy, 1, rounds), copy[0], copy[rounds - 1]};
}
