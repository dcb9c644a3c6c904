/*
 * Mean, sample standard deviation s = sqrt(sum (x_i - mean)^2 / (n - 1)), extremes, median and kurtosis of a sample:
 *     m4 / m2^2 = n / (n - 1)^2 sum ((x_i - mean) / s)^4.
 * Sums are in double and in the order given. The rounding error of each addition is accumulated separately (Neumaier
 * 1974), so that sums are correct to about the last bit and bit-identical on every architecture.
 */
#include "harness/stats/summary.h"

#include <gsl/gsl_sort.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"

struct sum {
    double value, lost;
};

static void add(struct sum *sum, double term)
{
    double value = sum->value + term;
    sum->lost += fabs(sum->value) >= fabs(term) ? (sum->value - value) + term : (term - value) + sum->value;
    sum->value = value;
}

/* for an infinite sum `lost` is NaN */
static double total(const struct sum *sum)
{
    return isfinite(sum->value) ? sum->value + sum->lost : sum->value;
}

double summary_mean(const double *values, size_t n)
{
    struct sum sum = {0};
    for (size_t i = 0; i < n; i++)
        add(&sum, values[i]);
    return total(&sum) / (double)n;
}

double summary_sd(const double *values, size_t n, double mean)
{
    struct sum squares = {0};
    for (size_t i = 0; i < n; i++)
        add(&squares, (values[i] - mean) * (values[i] - mean));
    return sqrt(total(&squares) / ((double)n - 1));
}

static double kurtosis(const double *values, size_t n, double mean, double sd)
{
    const double correction = (double)n / ((double)n - 1);
    struct sum sum = {0};
    for (size_t i = 0; i < n; i++) {
        const double square = (values[i] - mean) / sd * ((values[i] - mean) / sd);
        add(&sum, square * square);
    }
    return total(&sum) / (double)n * correction * correction;
}

double summary_quantile(const double *sorted, size_t n, double part)
{
    double place = part * ((double)n - 1), below = floor(place), beyond = place - below;
    size_t at = (size_t)below;
    return at + 1 < n ? (1 - beyond) * sorted[at] + beyond * sorted[at + 1] : sorted[n - 1];
}

struct summary summary_of(const double *values, size_t n)
{
    const double none = (double)NAN;
    struct summary summary = {n, none, none, none, none, none, none, none, none};
    int numbers = n > 0;
    for (size_t i = 0; i < n; i++)
        numbers &= !isnan(values[i]);
    if (!numbers)
        return summary;
    double *sorted = xcalloc(n, sizeof *sorted);
    memcpy(sorted, values, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    summary.min = sorted[0];
    summary.max = sorted[n - 1];
    summary.low_quartile = summary_quantile(sorted, n, 0.25);
    summary.median = summary_quantile(sorted, n, 0.5);
    summary.high_quartile = summary_quantile(sorted, n, 0.75);
    free(sorted);
    /* Rounding may shift the mean of a constant sample; its spread must be exactly 0. */
    int constant = summary.min == summary.max;
    summary.mean = constant ? summary.min : summary_mean(values, n);
    if (n > 1)
        summary.sd = constant ? 0 : summary_sd(values, n, summary.mean);
    if (summary.sd > 0)
        summary.kurtosis = kurtosis(values, n, summary.mean, summary.sd);
    return summary;
}

int all_finite(const double *values, size_t n)
{
    size_t i = 0;
    while (i < n && isfinite(values[i]))
        i++;
    return i == n;
}
