/* Wilcoxon's signed-rank test of paired samples. */
#ifndef HULLBENCH_SIGNED_RANK_H
#define HULLBENCH_SIGNED_RANK_H

#include "harness/stats/ranks.h"

/* Two-sided test that the differences x[i] - y[i] (n pairs) are symmetric about 0, as R's wilcox.test(x, y, paired =
 * TRUE) does with its defaults: zero differences are dropped; counted exactly when fewer than 50 differences are left,
 * none was zero and none tie, else normal with corrections for ties and continuity. statistic is R's V, the sum of the
 * ranks of the positive differences. No pair left says nothing against symmetry: p is 1. A difference that is not a
 * number is STATUS_BAD_INPUT. */
enum status signed_rank_test(const double *x, const double *y, size_t n, struct rank_test *test, struct error *error);

#endif
