/* Signed-rank tests of all pairs of solvers. The result for a pair does not depend on the other solvers. */
#ifndef HULLBENCH_SIGNED_RANK_PAIRS_H
#define HULLBENCH_SIGNED_RANK_PAIRS_H

#include <stddef.h>

/* Solver a against solver b. */
struct pair_test {
    double p_value, adjusted; /* two-sided; by Holm over all pairs */
    double effect;            /* rank-biserial, as in ranks.h: below 0 if a has the lower costs */
};

/* Compares each pair of `solvers` over `problems` as Benavoli, Corani and Mangili (2016) recommend: with mean ranks,
 * and so with Nemenyi's test, whether two solvers differ depends on which others are ranked with them. costs as in
 * friedman.h: solver s on problem p has costs[s * problems + p], lower is better. Two infinite costs are equal; a
 * single one is the largest of all. Differences that are equal up to rounding tie (pairs_differences). tests has
 * capacity solvers^2: that of a against b is at [a * solvers + b], its effect minus that of b against a; p is 1 on the
 * diagonal. The smallest p over n problems is 2^(1-n). With many solvers and few problems, Holm may therefore leave
 * none below the level: see signed_rank_pairs_least. */
void signed_rank_pairs(const double *costs, size_t solvers, size_t problems, struct pair_test *tests);

/* The smallest possible adjusted p, for two solvers or more: that of the first of k(k - 1)/2 pairs, at most 1. */
double signed_rank_pairs_least(size_t solvers, size_t problems);

#endif
