/*
 * With u = log x and v = log y, b = sum (u_i - U) v_i / S, S = sum (u_i - U)^2, U the mean of the u_i, and the interval
 * is b +- t s / sqrt(S), s^2 = sum (v_i - log a - b u_i)^2 / (n - 2), t the quantile of Student's distribution with
 * n - 2 degrees of freedom (Draper and Smith 1998, Applied Regression Analysis, 1.4).
 *
 * b is linear in each v_i, with weight (u_i - U) / S. So if every cost that is only a lower bound has u_i at or above
 * U, the true b is b or more; if all have it at or below U, b or less; otherwise it is not bounded.
 */
#include "harness/stats/power_law.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

struct sums {
    double u, v, square, product; /* means, and sums of squares and products of the deviations */
};

static struct sums sums_of(const double *x, const double *y, size_t n)
{
    struct sums sums = {0};
    for (size_t i = 0; i < n; i++) {
        sums.u += log(x[i]) / (double)n;
        sums.v += log(y[i]) / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        const double u = log(x[i]) - sums.u;
        sums.square += u * u;
        sums.product += u * (log(y[i]) - sums.v);
    }
    return sums;
}

/* The comparison with `middle` allows for rounding of the logarithms. */
static enum power_law_bound bound_of(const double *x, const unsigned char *bounded, size_t n, double middle)
{
    int above = 0, below = 0;
    for (size_t i = 0; bounded && i < n; i++) {
        const double u = log(x[i]) - middle;
        above |= bounded[i] && u > 1e-12;
        below |= bounded[i] && u < -1e-12;
    }
    if (above && below)
        return POWER_LAW_UNKNOWN;
    return above ? POWER_LAW_AT_LEAST : below ? POWER_LAW_AT_MOST : POWER_LAW_EXACT;
}

static int has_two_values(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return 1;
    return 0;
}

struct power_law power_law_fit(const double *x, const double *y, const unsigned char *bounded, size_t n, double level)
{
    struct power_law law = {.n = n, .exponent = {(double)NAN, (double)NAN, (double)NAN, 0}, .factor = (double)NAN,
                            .deviation = (double)NAN, .bound = POWER_LAW_UNKNOWN};
    for (size_t i = 0; i < n; i++)
        assert(x[i] > 0 && isfinite(x[i]) && y[i] > 0 && isfinite(y[i]));
    if (!has_two_values(x, n))
        return law;
    const struct sums sums = sums_of(x, y, n);
    const double b = sums.product / sums.square;
    law.exponent.estimate = b;
    law.factor = exp(sums.v - b * sums.u);
    law.bound = bound_of(x, bounded, n, sums.u);
    if (n < 3)
        return law;
    double rest = 0;
    for (size_t i = 0; i < n; i++) {
        const double away = log(y[i]) - sums.v - b * (log(x[i]) - sums.u);
        rest += away * away;
    }
    law.deviation = sqrt(rest / (double)(n - 2));
    const double reach =
        gsl_cdf_tdist_Pinv(1 - (1 - level) / 2, (double)(n - 2)) * law.deviation / sqrt(sums.square);
    law.exponent = (struct interval){b, b - reach, b + reach, level};
    return law;
}
