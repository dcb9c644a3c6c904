/*
 * Summaries of the speed ratios of several solvers on several problems: for each solver, and for the best solver of
 * each problem. The latter is known only after timing, so it is an upper bound on what a user gets.
 */
#ifndef HULLBENCH_SPEEDUP_H
#define HULLBENCH_SPEEDUP_H

#include <stddef.h>

struct speedup {
    size_t problems;       /* number with a ratio */
    size_t missing;        /* number without one */
    double geometric_mean; /* of the available ratios; NaN if there are none */
    double min;          /* the same */
    size_t min_at;       /* the problem with the minimum, the first on a tie */
};

/* Summarises the n ratios at values[0], values[stride], ...; NaN marks a problem without a ratio, because one side did
 * not reach the requested accuracy. */
struct speedup speedup_of(const double *values, size_t n, size_t stride);

/* best[i] = the largest of the `solvers` ratios of problem i, which start at ratios[i * solvers]; NaN if all are
 * missing. */
void speedup_best(const double *ratios, size_t problems, size_t solvers, double *best);

#endif
