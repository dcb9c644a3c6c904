/* Wilcoxon's signed-rank test of paired samples. */
#ifndef HULLBENCH_SIGNED_RANK_H
#define HULLBENCH_SIGNED_RANK_H

#include "harness/stats/ranks.h"

/* Writes the n differences first - second, rounded to 2^-40 of the largest value. Otherwise rounding errors in
 * quotients such as 100 k / 77 would make equal differences unequal, and ties would be missed. */
void pairs_differences(const double *first, const double *second, size_t n, double *differences);

/* Tests whether the differences x[i] - y[i] (n pairs) are symmetric about 0. statistic is R's V, the sum of the ranks
 * of the positive differences. Up to EXACT_MAX_RANKS nonzero differences its distribution over all choices of signs is
 * counted, including ties; otherwise it is normal with corrections for ties and continuity. Without ties and zeros p is
 * that of R's wilcox.test(x, y, paired = TRUE, exact = TRUE), and with RANK_NORMAL always that of exact = FALSE (R has
 * only Wilcoxon's zeros). effect is (sum of ranks of positive differences - of negative ones) / sum of both (Kerby
 * 2014, The simple difference formula). If no pair differs, or a difference is not a number (such as infinity minus
 * infinity), p is 1. options may be NULL. */
struct rank_test signed_rank_test(const double *x, const double *y, size_t n, const struct rank_options *options);

#endif
