/*
 * With d_i the n differences, m their mean and s^2 their variance with divisor n - 1,
 *     t = m / sqrt((1/n + test/train) s^2),   n - 1 degrees of freedom.
 * Differences on splits of one data set have a correlation of about r = test/(train + test). The variance of their mean
 * is then (1/n + r/(1-r)) E s^2, with r/(1-r) = test/train. For normal differences of exactly that correlation the test
 * is exact.
 */
#include "harness/stats/resampled_t.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "harness/stats/summary.h"

static enum status check(const double *differences, size_t n, double train, double test, double level,
                         struct error *error)
{
    if (!(level > 0 && level < 1))
        return error_set(error, STATUS_BAD_INPUT, "resampled t: the level is %g, not between 0 and 1", level);
    if (!(train > 0 && isfinite(train) && test >= 0 && isfinite(test)))
        return error_set(error, STATUS_BAD_INPUT, "resampled t: %g patterns to train and %g to test", train, test);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(differences[i]))
            return error_set(error, STATUS_BAD_INPUT, "resampled t: difference %zu of %zu is %g, not finite", i, n,
                             differences[i]);
    return STATUS_OK;
}

/* Differences of values up to `largest` carry its rounding error: a mean or sd within ten such errors is 0. */
static void drop_rounding(struct summary *summary, double largest)
{
    double rounding = 10 * DBL_EPSILON * largest;
    if (summary->sd <= rounding)
        summary->sd = 0;
    if (summary->sd == 0 && fabs(summary->mean) <= rounding)
        summary->mean = 0;
}

static void judge(const struct summary *summary, double spread, enum tail tail, double level,
                  struct resampled_t *result)
{
    double deviation = summary->sd * spread, mean = summary->mean;
    result->degrees = (double)summary->n - 1;
    result->difference = (struct interval){mean, mean, mean, level};
    if (!(deviation > 0)) {
        result->t = mean > 0 ? (double)INFINITY : mean < 0 ? -(double)INFINITY : 0;
        result->p_value = mean == 0 ? 1 : tail_p(tail, mean > 0, mean < 0);
        return;
    }
    double reach = gsl_cdf_tdist_Pinv((1 + level) / 2, result->degrees) * deviation;
    result->t = mean / deviation;
    result->p_value =
        tail_p(tail, gsl_cdf_tdist_P(result->t, result->degrees), gsl_cdf_tdist_Q(result->t, result->degrees));
    result->difference.low = mean - reach;
    result->difference.high = mean + reach;
}

enum status resampled_t_test(const double *x, const double *y, size_t n, double train, double test, enum tail tail,
                             double level, struct resampled_t *result, struct error *error)
{
    struct summary summary;
    double *differences = calloc(n + 1, sizeof *differences);
    *result = (struct resampled_t){.p_value = 1};
    if (!differences)
        return error_set(error, STATUS_NO_MEMORY, "resampled t: out of memory for %zu splits", n);
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        differences[i] = x[i] - y[i];
        largest = fmax(largest, fmax(fabs(x[i]), fabs(y[i])));
    }
    enum status status = check(differences, n, train, test, level, error);
    if (status == STATUS_OK)
        status = summary_of(differences, n, &summary, error);
    if (status == STATUS_OK && n > 0 && !(isfinite(summary.mean) && (n == 1 || isfinite(summary.sd))))
        status = error_set(error, STATUS_BAD_INPUT, "resampled t: differences up to %g are too large to sum",
                           summary.max > -summary.min ? summary.max : -summary.min);
    if (status == STATUS_OK && n > 1) {
        drop_rounding(&summary, largest);
        judge(&summary, sqrt(1 / (double)n + test / train), tail, level, result);
    } else if (status == STATUS_OK)
        result->difference = (struct interval){summary.mean, summary.mean, summary.mean, 0};
    free(differences);
    return status;
}
