/* Wilcoxon's rank-sum (Mann-Whitney) test of two independent samples. */
#ifndef HULLBENCH_RANK_SUM_H
#define HULLBENCH_RANK_SUM_H

#include "harness/stats/ranks.h"

/* Tests whether x (m values) and y (n values) have the same distribution. statistic is R's W, the number of pairs in
 * which x is larger, ties counted half. With m + n up to EXACT_MAX_RANKS its distribution over all choices of m of the
 * pooled values is counted, including ties; otherwise it is normal with corrections for ties and continuity. Without
 * ties p is that of R's wilcox.test(x, y, exact = TRUE), and with RANK_NORMAL that of exact = FALSE. effect is
 * 2 W / mn - 1, the share of pairs in which x is larger minus the share in which y is (Cliff's delta). For an empty
 * sample, or if all values are equal or one is not a number, p is 1. options may be NULL. */
struct rank_test rank_sum_test(const double *x, size_t m, const double *y, size_t n,
                               const struct rank_options *options);

#endif
