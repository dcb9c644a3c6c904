/* Bootstrap confidence intervals of means and of ratios of sums. */
#ifndef HULLBENCH_BOOTSTRAP_H
#define HULLBENCH_BOOTSTRAP_H

#include "harness/base/pool.h"
#include "harness/stats/summary.h"

/* The usual number of resamples. */
enum { BOOTSTRAP_RESAMPLES = 1999 };

/* Resamples of n values, or of n clusters such as data sets: drawn once, and used for all statistics of them. */
struct bootstrap_draws {
    size_t n, resamples;
    double *times;  /* resamples x n: how often the value was drawn */
    double *values; /* resamples: space for a statistic, so that one thread uses the draws at a time */
};

/* Draws n values with replacement, `resamples` (10 or more) times, by gsl_rng_uniform_int of GSL's mt19937 from the
 * seed, so the same seed and n give the same draws for any data. */
struct bootstrap_draws bootstrap_draw(struct pool *pool, size_t n, size_t resamples, unsigned long seed);

/* The mean of the n values, and its bias-corrected and accelerated interval (Efron 1987) of this level (such as 0.95).
 * Quantiles are interpolated as in R's boot.ci (Davison and Hinkley 1997, 5.2.1): the (resamples + 1) alpha-th
 * smallest, between two on the scale of normal quantiles.
 *
 * No value, a value that is not finite, or values too large to add: NAN, level 0. One: the estimate, level 0, since the
 * spread is unknown. All equal: the estimate and both ends are that value. With fewer than some ten values the interval
 * is too short for its level; with two it hardly exceeds their range. */
struct interval bootstrap_mean(struct bootstrap_draws *draws, const double *x, double level);

/* sum x[i] / sum y[i] over the clusters, and its percentile interval of this level: a share, if x[i] of the y[i] values
 * of cluster i have a property, or a mean of values whose sum is x[i]. y must be positive or 0, and all values finite.
 * Clusters with y = 0 are ignored; a resample with only such clusters is left out. With fewer than two clusters with
 * y > 0, low and high are NAN and level is 0; with none, the estimate is NAN too. */
struct interval bootstrap_ratio(struct bootstrap_draws *draws, const double *x, const double *y, double level);

/* The percentile interval around the estimate for statistics that the caller has computed for each resample, in
 * draws->values, which are reordered: the (resamples + 1) alpha-th smallest, rounded outwards. NANs are left out; if
 * there are only NANs, low and high are NAN and level is 0. */
struct interval bootstrap_percentiles(struct bootstrap_draws *draws, double estimate, double level);

#endif
