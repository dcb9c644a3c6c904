/*
 * With d_i the n differences, m their mean and s^2 their variance with divisor n - 1,
 *     t = m / sqrt((1/n + test/train) s^2),   n - 1 degrees of freedom.
 * Differences on splits of one data set have a correlation of about r = test/(train + test). The variance of their mean
 * is then (1/n + r/(1-r)) E s^2, with r/(1-r) = test/train. For normal differences of exactly that correlation the test
 * is exact.
 */
#include "harness/stats/resampled_t.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/stats/summary.h"

/* Differences of values up to `largest` carry its rounding error: a mean or sd within ten such errors is 0. */
static void drop_rounding(struct summary *summary, double largest)
{
    double rounding = 10 * DBL_EPSILON * largest;
    if (summary->sd <= rounding)
        summary->sd = 0;
    if (summary->sd == 0 && fabs(summary->mean) <= rounding)
        summary->mean = 0;
}

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

struct resampled_t resampled_t_test(const double *x, const double *y, size_t n, double train, double test,
                                    enum tail tail, double level)
{
    assert(level > 0 && level < 1 && train > 0 && isfinite(train) && test >= 0 && isfinite(test));
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
    drop_rounding(&summary, largest);
    return judge(&summary, sqrt(1 / (double)n + test / train), tail, level);
}
