/*
 * With d_i the n differences, m their mean and s^2 their variance with divisor n - 1,
 *     t = m / sqrt((1/n + test/train) s^2),   n - 1 degrees of freedom.
 * Differences on splits of one data set have a correlation of about r = test/(train + test). The variance of their mean
 * is then (1/n + r/(1-r)) E s^2, with r/(1-r) = test/train. For normal differences of exactly that correlation the test
 * is exact. With a true difference d, t has the noncentrality d / sqrt((1/n + test/train) sd^2).
 */
#include "harness/stats/resampled_t.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

static struct resampled_t judge(const struct summary *summary, double spread, enum tail tail, double level)
{
    double deviation = summary->sd * spread, mean = summary->mean, degrees = (double)summary->n - 1;
    struct resampled_t result = {.difference = {mean, mean, mean, level}, .degrees = degrees};
    if (!(deviation > 0)) {
        result.t = mean > 0 ? (double)INFINITY : mean < 0 ? -(double)INFINITY : 0;
        result.p_value = mean == 0 ? 1 : tail_p(tail, mean > 0, mean < 0);
        return result;
    }
    double reach = gsl_cdf_tdist_Pinv((1 + level) / 2, degrees) * deviation;
    result.t = mean / deviation;
    result.p_value = tail_p(tail, gsl_cdf_tdist_P(result.t, degrees), gsl_cdf_tdist_Q(result.t, degrees));
    result.difference.low = mean - reach;
    result.difference.high = mean + reach;
    return result;
}

struct resampled_t resampled_t_test(const double *x, const double *y, size_t n, double overlap, enum tail tail,
                                    double level)
{
    assert(level > 0 && level < 1 && overlap >= 0 && isfinite(overlap));
    double *differences = xcalloc(n, sizeof *differences), largest = 0;
    for (size_t i = 0; i < n; i++) {
        differences[i] = x[i] - y[i];
        largest = fmax(largest, fmax(fabs(x[i]), fabs(y[i])));
    }
    struct summary summary = summary_of(differences, n);
    free(differences);
    if (!isfinite(summary.mean) || (n > 1 && !isfinite(summary.sd)))
        summary.mean = (double)NAN;
    if (n < 2 || isnan(summary.mean))
        return (struct resampled_t){.difference = {summary.mean, summary.mean, summary.mean, 0}, .p_value = 1};
    /* Differences of values up to `largest` carry its rounding error: a mean or sd within ten such errors is 0. */
    const double rounding = 10 * DBL_EPSILON * largest;
    summary.sd = summary.sd <= rounding ? 0 : summary.sd;
    summary.mean = summary.sd == 0 && fabs(summary.mean) <= rounding ? 0 : summary.mean;
    return judge(&summary, sqrt(1 / (double)n + overlap), tail, level);
}

double power_t(double sd, size_t n, double overlap, double alpha, double power)
{
    assert(overlap >= 0 && isfinite(overlap) && alpha > 0 && alpha < power && power < 1);
    if (n < 2 || !isfinite(sd))
        return (double)INFINITY;
    return noncentrality_detected((double)n - 1, alpha, power) * sd * sqrt(1 / (double)n + overlap);
}

/* The largest P(V <= v or V >= n(n+1)/2 - v) up to alpha, 0 if there is none; alpha if n is beyond EXACT_MAX_RANKS. */
static double reached_level(size_t n, double alpha)
{
    const size_t half = n * (n + 1) / 4;
    double below = 0, level = 0;
    if (n > EXACT_MAX_RANKS)
        return alpha;
    double *counts = rank_null_signs(n, half);
    for (size_t v = 0; v <= half && below <= alpha; v++) {
        level = below;
        below += ldexp(counts[v], 1 - (int)n);
    }
    free(counts);
    return below <= alpha ? below : level;
}

double power_signed_rank(double sd, size_t n, double alpha, double power)
{
    assert(alpha > 0 && alpha < power && power < 1);
    double level = reached_level(n, alpha), like = 3 * (double)n / M_PI;
    if (level == 0 || !(like > 1) || !isfinite(sd))
        return (double)INFINITY;
    return noncentrality_detected(like - 1, level, power) * sd / sqrt(like);
}
