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
 * the same seed and n give the same draws for any data. Quantiles are interpolated as in R's boot.ci (Davison and
 * Hinkley 1997, 5.2.1): the (resamples + 1) alpha-th smallest, between two on the scale of normal quantiles.
 *
 * No value: NAN, level 0. One: the estimate, level 0, since the spread is unknown. All equal: the estimate and both
 * ends are that value. With fewer than some ten values the interval is too short for its level; with two it hardly
 * exceeds their range. A value that is not finite, values too large to add, a level not in (0, 1) and fewer than 10
 * resamples are STATUS_BAD_INPUT. */
enum status bootstrap_mean(const double *x, size_t n, const struct bootstrap_options *options,
                           struct interval *interval, struct error *error);

/* Sum of x over sum of y, resampled in pairs; y is positive. */
enum status bootstrap_ratio_of_means(const double *x, const double *y, size_t n,
                                     const struct bootstrap_options *options, struct interval *interval,
                                     struct error *error);

/* The geometric mean of x[i] / y[i], the only mean of ratios whose reciprocal is that of the reciprocal ratios (Fleming
 * and Wallace 1986): drawn in pairs, resampled as a mean of logarithms; both are positive. exp and log come from libm,
 * so round derived values before writing them to files that must be identical on all systems. */
enum status bootstrap_geometric_ratio(const double *x, const double *y, size_t n,
                                      const struct bootstrap_options *options, struct interval *interval,
                                      struct error *error);

#endif
