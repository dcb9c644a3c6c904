/*
 * Performance profile: rho_s(tau) = |{p : c_ps <= tau min over s' of c_ps'}| / P. Data profile: d_s(alpha) =
 * |{p : c_ps <= alpha u_p}| / P.
 *
 * Power law. With u = log x and v = log y, b = sum (u_i - U) v_i / S, S = sum (u_i - U)^2, U the mean of the u_i, and
 * the interval is b +- t s / sqrt(S), s^2 = sum (v_i - log a - b u_i)^2 / (n - 2), t the quantile of Student's
 * distribution with n - 2 degrees of freedom (Draper and Smith 1998, Applied Regression Analysis, 1.4).
 *
 * b is linear in each v_i, with weight (u_i - U) / S. So if every cost that is only a lower bound has u_i at or above
 * U, the true b is b or more; if all have it at or below U, b or less; otherwise it is not bounded.
 */
#include "harness/stats/curves.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

void profile_performance(const double *costs, size_t solvers, size_t problems, double *ratios)
{
    for (size_t p = 0; p < problems; p++) {
        double best = (double)INFINITY;
        for (size_t s = 0; s < solvers; s++)
            best = fmin(best, costs[s * problems + p]);
        for (size_t s = 0; s < solvers; s++) {
            const double cost = costs[s * problems + p];
            assert(cost >= 0);
            ratios[s * problems + p] = isinf(cost) ? cost : cost == best ? 1 : cost / best;
        }
    }
}

void profile_data(const double *costs, const double *units, size_t solvers, size_t problems, double *ratios)
{
    for (size_t k = 0; k < solvers * problems; k++) {
        const double unit = units[k % problems];
        assert(unit > 0 && isfinite(unit) && costs[k] >= 0);
        ratios[k] = costs[k] / unit;
    }
}

static int by_ratio(const void *a, const void *b)
{
    const struct profile_step *first = a, *second = b;
    return (first->ratio > second->ratio) - (first->ratio < second->ratio);
}

size_t profile_steps(const double *ratios, size_t problems, struct profile_step *steps)
{
    size_t solved = 0, count = 0;
    for (size_t p = 0; p < problems; p++)
        if (isfinite(ratios[p]))
            steps[solved++].ratio = ratios[p];
    qsort(steps, solved, sizeof *steps, by_ratio);
    for (size_t k = 0; k < solved; k++)
        if (k + 1 == solved || steps[k + 1].ratio > steps[k].ratio)
            steps[count++] = (struct profile_step){steps[k].ratio, (double)(k + 1) / (double)problems};
    return count;
}

/* The comparison with the mean U allows for rounding of the logarithms. */
static enum power_law_bound bound_of(const double *x, const unsigned char *bounded, size_t n, double mean)
{
    int above = 0, below = 0;
    for (size_t i = 0; bounded && i < n; i++) {
        const double u = log(x[i]) - mean;
        above |= bounded[i] && u > 1e-12;
        below |= bounded[i] && u < -1e-12;
    }
    if (above && below)
        return POWER_LAW_UNKNOWN;
    return above ? POWER_LAW_AT_LEAST : below ? POWER_LAW_AT_MOST : POWER_LAW_EXACT;
}

struct power_law power_law_fit(const double *x, const double *y, const unsigned char *bounded, size_t n, double level)
{
    struct power_law law = {.n = n, .exponent = no_interval, .factor = (double)NAN, .deviation = (double)NAN,
                            .bound = POWER_LAW_UNKNOWN};
    double mean_u = 0, mean_v = 0, square = 0, product = 0, rest = 0;
    int is_constant = 1;
    for (size_t i = 0; i < n; i++) {
        assert(x[i] > 0 && isfinite(x[i]) && y[i] > 0 && isfinite(y[i]));
        is_constant &= x[i] == x[0];
        mean_u += log(x[i]) / (double)n;
        mean_v += log(y[i]) / (double)n;
    }
    if (is_constant)
        return law;
    for (size_t i = 0; i < n; i++) {
        const double u = log(x[i]) - mean_u;
        square += u * u;
        product += u * (log(y[i]) - mean_v);
    }
    const double b = product / square;
    law.exponent.estimate = b;
    law.factor = exp(mean_v - b * mean_u);
    law.bound = bound_of(x, bounded, n, mean_u);
    if (n < 3)
        return law;
    for (size_t i = 0; i < n; i++) {
        const double away = log(y[i]) - mean_v - b * (log(x[i]) - mean_u);
        rest += away * away;
    }
    law.deviation = sqrt(rest / (double)(n - 2));
    const double reach = gsl_cdf_tdist_Pinv(1 - (1 - level) / 2, (double)(n - 2)) * law.deviation / sqrt(square);
    law.exponent = (struct interval){b, b - reach, b + reach, level};
    return law;
}
