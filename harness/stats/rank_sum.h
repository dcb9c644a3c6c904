/* Wilcoxon's rank-sum (Mann-Whitney) test of two independent samples. */
#ifndef HULLBENCH_RANK_SUM_H
#define HULLBENCH_RANK_SUM_H

#include "harness/stats/ranks.h"

/* Two-sided test that x (m values) and y (n values) come from one distribution, as R's wilcox.test(x, y) does with its
 * defaults: counted exactly when m < 50, n < 50 and there are no ties, else normal with corrections for ties and
 * continuity. statistic is R's W, the pairs in which x is larger, ties counted half. An empty sample, and data that
 * are all equal, say nothing against equality: p is 1 (R stops there, or gives NaN). NaN is STATUS_BAD_INPUT. */
enum status rank_sum_test(const double *x, size_t m, const double *y, size_t n, struct rank_test *test,
                          struct error *error);

#endif
