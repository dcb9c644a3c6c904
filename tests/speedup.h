/*
 * Speed ratios of several solvers on several problems, summed up: for each solver by itself, and for the best solver of
 * each problem. The latter can only be named once the times are known, so it is an upper bound of what a user gets.
 */
#ifndef HULLBENCH_SPEEDUP_H
#define HULLBENCH_SPEEDUP_H

#include <stddef.h>

struct speedup {
    size_t problems;       /* how many have a ratio */
    size_t missing;        /* how many have none */
    double geometric_mean; /* of those that have one; NaN where none has */
    double min;          /* the same */
    size_t min_at;       /* its problem, the first on a tie */
};

/* Of the n ratios at values[0], values[stride], ...; NaN marks a problem without one, where either side did not reach
 * the accuracy asked for. */
struct speedup speedup_of(const double *values, size_t n, size_t stride);

/* best[i] = the largest of the `solvers` ratios of problem i, which start at ratios[i * solvers]; NaN where none of
 * them has one. */
void speedup_best(const double *ratios, size_t problems, size_t solvers, double *best);

#endif
