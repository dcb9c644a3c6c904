/* Ranks with ties, and types that the rank tests share. */
#ifndef HULLBENCH_RANKS_H
#define HULLBENCH_RANKS_H

#include <stddef.h>

#include "harness/stats/tail.h"

/* Pairs without a difference: dropped before ranking (Wilcoxon 1945), or ranked lowest with the others and then dropped
 * (Pratt 1959). */
enum rank_zeros { RANK_ZEROS_WILCOXON, RANK_ZEROS_PRATT };

/* Exact up to EXACT_MAX_RANKS ranks and normal beyond, or always normal. */
enum rank_method { RANK_AUTOMATIC, RANK_NORMAL };

/* NULL, or all members 0: two-sided, Wilcoxon's zeros, automatic. */
struct rank_options {
    enum tail tail;
    enum rank_zeros zeros; /* only for the signed-rank test */
    enum rank_method method;
};

/* The result of a rank test. */
struct rank_test {
    double statistic; /* R's W or V */
    double p_value;
    double effect; /* rank-biserial correlation, -1 ... 1, positive if x is greater; 0 without ranks */
    size_t n;      /* number of ranks behind the p-value: pairs that differ, or values of both samples */
    int exact;     /* nonzero: exact distribution, given the ties; zero: normal approximation */
};

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

/* The p-value of a statistic that exceeds its mean by `above`, with standard deviation sigma, under the normal
 * approximation with a continuity correction of one half away from the alternative (two-sided: towards the mean, and
 * past it if it is nearer than one half, as in R). If sigma is 0 (all values equal), p is 1. */
double rank_normal_p(double above, double sigma, enum tail tail);

#endif
