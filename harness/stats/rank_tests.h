/* Rank tests of two samples, the shift that belongs to them, and rank correlation. */
#ifndef HULLBENCH_RANK_TESTS_H
#define HULLBENCH_RANK_TESTS_H

#include "harness/stats/distributions.h"
#include "harness/stats/summary.h"

/* The result of a rank test. It is exact up to EXACT_MAX_RANKS ranks, also with ties, and normal beyond. */
struct rank_test {
    double statistic; /* R's W or V */
    double p_value;
    double effect; /* rank-biserial correlation, -1 ... 1, positive if x is greater; 0 without ranks */
    size_t n;      /* number of ranks behind the p-value: pairs that differ, or values of both samples */
    int exact;     /* nonzero: exact distribution, given the ties; zero: normal approximation */
};

/* Tests whether x (m values) and y (n values) have the same distribution: Wilcoxon's rank-sum (Mann-Whitney) test.
 * statistic is R's W, the number of pairs in which x is larger, ties counted half. Its distribution over all choices of
 * m of the pooled values is counted, including ties, or normal with corrections for ties and continuity. Without ties p
 * is that of R's wilcox.test(x, y, exact = TRUE), or FALSE. effect is 2 W / mn - 1, the share of pairs in which x is
 * larger minus that in which y is (Cliff's delta). If a sample is empty, all values are equal, or one is a NAN, p is 1.
 * */
struct rank_test rank_sum_test(const double *x, size_t m, const double *y, size_t n, enum tail tail);

/* Tests whether the differences x[i] - y[i] (n pairs) are symmetric about 0: Wilcoxon's signed-rank test, which drops
 * zeros before ranking. statistic is R's V, the sum of the ranks of the positive differences. Its distribution over all
 * choices of signs is counted, including ties, or normal with corrections for ties and continuity. Without ties and
 * zeros p is that of R's wilcox.test(x, y, paired = TRUE, exact = TRUE), or FALSE. effect is (sum of ranks of positive
 * differences - of negative ones) / sum of both (Kerby 2014, The simple difference formula). If no pair differs, or a
 * difference is not a number (such as infinity minus infinity), p is 1. */
struct rank_test signed_rank_test(const double *x, const double *y, size_t n, enum tail tail);

/* Writes the n differences first - second, rounded to 2^-40 of the largest value. Otherwise rounding errors in
 * quotients such as 100 k / 77 would make equal differences unequal, and ties would be missed. */
void pairs_differences(const double *first, const double *second, size_t n, double *differences);

/* The Hodges-Lehmann estimate: the median of all means (d_i + d_j)/2, i <= j, of the n differences d_i = x[i] - y[i]
 * (including zeros), and the interval of the values that the signed-rank test would not reject (Hollander, Wolfe and
 * Chicken 2014, 3.2-3.3).
 *
 * Up to EXACT_MAX_RANKS pairs the ends come from the exact distribution without ties, as in R's wilcox.test(x, y,
 * paired = TRUE, exact = TRUE, conf.int = TRUE), and `level` becomes the level reached. It is at least the requested
 * one. If there are too few pairs for that (fewer than six for 0.95), it is the largest attainable, from the smallest
 * to the largest difference. Ties do not lower it: breaking them by arbitrarily small noise leaves a sample without
 * ties, and the interval contains the limit of that sample's. With more pairs the ends come from the normal
 * distribution with continuity correction, and `level` is the requested one.
 *
 * No pair, values that are not finite, or differences too large to add: NAN and level 0. One: that difference, level
 * 0. */
struct interval shift_paired(const double *x, const double *y, size_t n, double level);

/* Writes the ranks (1 is the smallest) of n values into ranks, where ties get the mean of their ranks. Returns the sum
 * of t^3 - t over groups of t equal values; 0 means no ties. Infinite values are allowed; NANs are not. */
double ranks_of(const double *values, size_t n, double *ranks);

/* The numbers of the n (n - 1) / 2 pairs of indices that x and y order alike, that they order oppositely, that are
 * equal only in x, only in y, and in both. */
struct pair_orders {
    double alike, against, equal_x, equal_y, equal_both;
};
/* Infinite values are allowed; NANs are not. */
struct pair_orders pair_orders_of(const double *x, const double *y, size_t n);
/* Kendall's tau-b, from -1 to 1: (alike - against) / sqrt((alike + against + equal_x) (alike + against + equal_y)); NAN
 * if all values of x, or all of y, are equal. */
double kendall_tau(const struct pair_orders *orders);

#endif
