/*
 * Mean, sample standard deviation s = sqrt(sum (x_i - mean)^2 / (n - 1)), extremes and median of a sample, by GSL's
 * running formulas. The sum is taken in the order given, so the same records give the same bits.
 */
#include "harness/stats/summary.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status summary_of(const double *values, size_t n, struct summary *summary, struct error *error)
{
    const double none = (double)NAN;
    *summary = (struct summary){.n = n, .mean = none, .sd = none, .min = none, .max = none, .median = none};
    for (size_t i = 0; i < n; i++)
        if (isnan(values[i]))
            return error_set(error, STATUS_BAD_INPUT, "summary: value %zu of %zu is not a number", i, n);
    if (n == 0)
        return STATUS_OK;
    double *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return error_set(error, STATUS_NO_MEMORY, "summary: out of memory for %zu values", n);
    memcpy(sorted, values, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    summary->min = sorted[0];
    summary->max = sorted[n - 1];
    summary->median = gsl_stats_median_from_sorted_data(sorted, 1, n);
    /* The running mean of a constant sample may be off by a rounding; its spread is exactly 0 and is said so. */
    int constant = summary->min == summary->max;
    summary->mean = constant ? summary->min : gsl_stats_mean(values, 1, n);
    if (n > 1)
        summary->sd = constant ? 0 : gsl_stats_sd_m(values, 1, n, summary->mean);
    free(sorted);
    return STATUS_OK;
}
