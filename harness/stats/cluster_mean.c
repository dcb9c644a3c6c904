/*
 * With m clusters, theta = sum x_i / sum y_i and the residuals r_i = x_i - theta y_i, the variance of the ratio
 * estimator (Cochran 1977, Sampling Techniques, 6.4 and 9A.1) is
 *     v = m / (m - 1) sum r_i^2 / (sum y_i)^2,
 * and the interval is theta +- t sqrt(v), t of Student's distribution with m - 1 degrees of freedom. With equal y it is
 * the t interval of the m cluster means. Equivalence: Schuirmann (1987), A comparison of the two one-sided tests
 * procedure; p is the larger of P(T >= (margin + theta) / sqrt(v)) and P(T >= (margin - theta) / sqrt(v)).
 */
#include "harness/stats/cluster_mean.h"

#include <gsl/gsl_cdf.h>

struct cluster_mean cluster_mean_of(const double *x, const double *y, size_t n)
{
    struct cluster_mean mean = {(double)NAN, (double)NAN, 0};
    double x_sum = 0, y_sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        x_sum += x[i];
        y_sum += y[i];
        mean.n += y[i] > 0;
    }
    if (mean.n == 0)
        return mean;
    mean.estimate = x_sum / y_sum;
    for (size_t i = 0; i < n; i++) {
        const double rest = y[i] > 0 ? x[i] - mean.estimate * y[i] : 0;
        squares += rest * rest;
    }
    if (mean.n > 1)
        mean.error = sqrt((double)mean.n / (double)(mean.n - 1) * squares) / y_sum;
    return mean;
}

struct interval cluster_mean_interval(const struct cluster_mean *mean, double level)
{
    if (mean->n < 2)
        return (struct interval){mean->estimate, (double)NAN, (double)NAN, 0};
    const double half = mean->error > 0
                            ? gsl_cdf_tdist_Qinv((1 - level) / 2, (double)(mean->n - 1)) * mean->error : 0;
    return (struct interval){mean->estimate, mean->estimate - half, mean->estimate + half, level};
}

/* P(T >= value / error); without spread 0, 1/2 or 1. */
static double upper(const struct cluster_mean *mean, double value)
{
    if (!(mean->error > 0))
        return value > 0 ? 0 : value < 0 ? 1 : 0.5;
    return gsl_cdf_tdist_Q(value / mean->error, (double)(mean->n - 1));
}

double cluster_mean_equivalence(const struct cluster_mean *mean, double margin)
{
    return mean->n < 2 ? (double)NAN : fmax(upper(mean, margin + mean->estimate), upper(mean, margin - mean->estimate));
}

double cluster_mean_p(const struct cluster_mean *mean)
{
    return mean->n < 2 ? (double)NAN : 2 * upper(mean, fabs(mean->estimate));
}
