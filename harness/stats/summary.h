/* Location and spread of one sample, and intervals. */
#ifndef HULLBENCH_SUMMARY_H
#define HULLBENCH_SUMMARY_H

#include <math.h>
#include <stddef.h>

/* An estimate with its confidence interval. */
struct interval {
    double estimate, low, high; /* NAN without data */
    double level;               /* the coverage probability, such as 0.95 */
};
static const struct interval no_interval = {(double)NAN, (double)NAN, (double)NAN, 0}; /* without data */

/* All but the kurtosis are in the unit of the values. n = 0, or a NAN, leaves all NAN; n = 1 leaves sd NAN. Quartiles
 * interpolate linearly between order statistics (type 7 of Hyndman and Fan 1996). */
struct summary {
    size_t n;
    double mean, sd, min, max; /* sd with divisor n - 1 */
    double low_quartile, median, high_quartile;
    double kurtosis;                   /* m4 / m2^2, moments with divisor n: 3 for normal values, NaN if sd is 0 */
};

/* The mean of n >= 1 values; sqrt(sum (values[i] - mean)^2 / (n - 1)) of n >= 2; and the quantile of n >= 1 ascending
 * values at index (n - 1) part, 0 <= part <= 1, interpolated linearly between its neighbours. They replace GSL's, which
 * sums in long double, whose format depends on the architecture, and which some builds compile to fused operations. */
double summary_mean(const double *values, size_t n);
double summary_sd(const double *values, size_t n, double mean);
double summary_quantile(const double *sorted, size_t n, double part);

struct summary summary_of(const double *values, size_t n);

int all_finite(const double *values, size_t n);

#endif
