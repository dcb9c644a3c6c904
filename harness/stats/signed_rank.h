/* Wilcoxon's signed-rank test of paired samples. */
#ifndef HULLBENCH_SIGNED_RANK_H
#define HULLBENCH_SIGNED_RANK_H

#include "harness/stats/ranks.h"

/* Writes the n differences first - second, rounded to 2^-40 of the largest value: quotients such as 100 k / 77 give
 * equal differences that are apart by a rounding or two, which would not count as ties. */
void pairs_differences(const double *first, const double *second, size_t n, double *differences);

/* Test that the differences x[i] - y[i] (n pairs) are symmetric about 0. statistic is R's V, the sum of the ranks of
 * the positive differences; with up to EXACT_MAX_RANKS differences other than 0 its distribution over all choices of
 * their signs is counted, ties and all, else it is normal with corrections for ties and continuity. Without ties and
 * zeros p is that of R's wilcox.test(x, y, paired = TRUE, exact = TRUE), and always with RANK_NORMAL that of exact =
 * FALSE (R knows Wilcoxon's zeros alone). effect is (sum of ranks of positive differences - of negative ones) / sum of
 * both (Kerby 2014, The simple difference formula). No pair that differs says nothing against symmetry: p is 1. A
 * difference that is not a number (infinity less infinity is one) is STATUS_BAD_INPUT. options may be NULL. */
enum status signed_rank_test(const double *x, const double *y, size_t n, const struct rank_options *options,
                             struct rank_test *test, struct error *error);

#endif
