/* Ranks with ties, shared by the rank tests. */
#ifndef HULLBENCH_RANKS_H
#define HULLBENCH_RANKS_H

#include <stddef.h>

#include "solvers/error.h"

/* What a two-sided rank test found. */
struct rank_test {
    double statistic; /* R's W or V */
    double p_value;   /* two-sided */
    int exact;        /* nonzero: counted; zero: normal approximation */
};

/* Writes the rank (1 is the smallest) of each of n values into ranks, ties getting the mean of their places, and into
 * *ties the sum of t^3 - t over groups of t equal values; 0 means no ties. A NaN is STATUS_BAD_INPUT naming its index.
 */
enum status ranks_of(const double *values, size_t n, double *ranks, double *ties, struct error *error);

/* Two-sided p of a statistic `above` its mean by that much, with standard deviation sigma, under the normal
 * approximation with a continuity correction of one half. sigma = 0 (all values equal) gives 1. */
double ranks_normal_p(double above, double sigma);

#endif
