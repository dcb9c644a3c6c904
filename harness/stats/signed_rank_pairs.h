/* All solvers against all by signed-rank tests, whose answer on two does not depend on the others. */
#ifndef HULLBENCH_SIGNED_RANK_PAIRS_H
#define HULLBENCH_SIGNED_RANK_PAIRS_H

#include <stddef.h>

#include "solvers/error.h"

/* One solver, a, against another, b. */
struct pair_test {
    double p_value, adjusted; /* two-sided; by Holm over all pairs */
    double effect;            /* rank-biserial, as in ranks.h: below 0 where a has the lower costs */
};

/* Compares each pair of `solvers` over `problems` as Benavoli, Corani and Mangili (2016) recommend: mean ranks, and so
 * Nemenyi's test, call two solvers different or not depending on which others are ranked with them. costs as in
 * friedman.h: solver s on problem p has costs[s * problems + p], the lower the better. Two infinite costs are equal,
 * one is the largest of all. Differences that are equal up to rounding tie (pairs_differences). tests has room for
 * solvers^2: that of a against b is at [a * solvers + b], its effect minus that of b against a; p is 1 on the diagonal.
 * The smallest p over n problems is 2^(1-n), so that with many solvers and few problems none can be below a level after
 * Holm: see signed_rank_pairs_least. A cost that is not a number is STATUS_BAD_INPUT. */
enum status signed_rank_pairs(const double *costs, size_t solvers, size_t problems, struct pair_test *tests,
                              struct error *error);

/* The least adjusted p that can come out, for two solvers or more: that of the first of k(k - 1)/2 pairs, at most 1. */
double signed_rank_pairs_least(size_t solvers, size_t problems);

#endif
