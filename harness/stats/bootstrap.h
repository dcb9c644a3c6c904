/* Bootstrap confidence intervals. */
#ifndef HULLBENCH_BOOTSTRAP_H
#define HULLBENCH_BOOTSTRAP_H

#include <stddef.h>

#include "harness/stats/interval.h"
#include "solvers/error.h"

/* Bias-corrected and accelerated (Efron 1987), or the plain percentiles. */
enum bootstrap_method { BOOTSTRAP_BCA, BOOTSTRAP_PERCENTILE };

/* NULL, or all members 0: BCa, 0.95, 1999 resamples, seed 1. */
struct bootstrap_options {
    enum bootstrap_method method;
    double level;
    size_t resamples;
    unsigned long seed;
};

/* Each resample draws n values, or pairs, with replacement by gsl_rng_uniform_int of GSL's mt19937 from the seed, so
 * the same seed and n give the same draws to whatever is resampled. Quantiles are interpolated as in R's boot.ci
 * (Davison and Hinkley 1997, 5.2.1): the (resamples + 1) alpha-th smallest, between two on the scale of normal
 * quantiles.
 *
 * No value: NAN, level 0. One: the estimate, level 0, as it says nothing of the spread. All alike: the estimate,
 * thrice. Of fewer than some ten values the interval is too short for its level: of two it is hardly more than both. A
 * value that is not finite, values too large to add, a level not in (0, 1) and fewer than 10 resamples are
 * STATUS_BAD_INPUT. */
enum status bootstrap_mean(const double *x, size_t n, const struct bootstrap_options *options,
                           struct interval *interval, struct error *error);

/* Sum of x over sum of y, drawn in pairs; y is positive. */
enum status bootstrap_ratio_of_means(const double *x, const double *y, size_t n,
                                     const struct bootstrap_options *options, struct interval *interval,
                                     struct error *error);

/* Geometric mean of x[i] / y[i], the one mean of ratios that is turned over with them (Fleming and Wallace 1986): drawn
 * in pairs, resampled as a mean of logarithms; both are positive. exp and log are libm's: for files that are to be the
 * same everywhere round what is made of it. */
enum status bootstrap_geometric_ratio(const double *x, const double *y, size_t n,
                                      const struct bootstrap_options *options, struct interval *interval,
                                      struct error *error);

#endif
