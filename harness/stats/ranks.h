/* Ranks with ties, and what the rank tests share. */
#ifndef HULLBENCH_RANKS_H
#define HULLBENCH_RANKS_H

#include <stddef.h>

#include "harness/stats/tail.h"
#include "solvers/error.h"

/* Pairs without a difference: dropped before ranking (Wilcoxon 1945), or ranked with the others, lowest, and dropped
 * then (Pratt 1959). */
enum rank_zeros { RANK_ZEROS_WILCOXON, RANK_ZEROS_PRATT };

/* Counted up to EXACT_MAX_RANKS ranks and normal beyond, or always normal. */
enum rank_method { RANK_AUTOMATIC, RANK_NORMAL };

/* NULL where options are asked for, or all members 0: two-sided, Wilcoxon's zeros, automatic. */
struct rank_options {
    enum tail tail;
    enum rank_zeros zeros; /* signed-rank alone */
    enum rank_method method;
};

/* What a rank test found. */
struct rank_test {
    double statistic; /* R's W or V */
    double p_value;
    double effect; /* rank-biserial correlation, -1 ... 1, positive where x is greater; 0 without anything to rank */
    size_t n;      /* ranks the p-value rests on: pairs that differ, or values of both samples */
    int exact;     /* nonzero: counted, given the ties; zero: normal approximation */
};

/* Writes the rank (1 is the smallest) of each of n values into ranks, ties getting the mean of their places, and into
 * *ties the sum of t^3 - t over groups of t equal values; 0 means no ties. A NaN is STATUS_BAD_INPUT naming its index.
 * Infinite values are as good as any.
 */
enum status ranks_of(const double *values, size_t n, double *ranks, double *ties, struct error *error);

/* In how many of the n (n - 1) / 2 pairs of places x and y order the two alike, and against each other; in how many
 * they are equal in x alone, in y alone, and in both. */
struct pair_orders {
    double alike, against, equal_x, equal_y, equal_both;
};
/* Infinite values are as good as any; NANs are not allowed. */
struct pair_orders pair_orders_of(const double *x, const double *y, size_t n);
/* Kendall's tau-b, from -1 to 1: (alike - against) / sqrt((alike + against + equal_x) (alike + against + equal_y)); NAN
 * where x or y has no two different values. */
double kendall_tau(const struct pair_orders *orders);

/* The p-value of a statistic `above` its mean by that much, with standard deviation sigma, under the normal
 * approximation with a continuity correction of one half, away from the alternative (two-sided: towards the mean, and
 * past it from nearer than one half, as R does). sigma = 0 (all equal) says nothing: 1. */
double rank_normal_p(double above, double sigma, enum tail tail);

#endif
