/* The ends of axes and of scales of colours. */
#include "harness/figure/range.h"

#include <gsl/gsl_sort.h>
#include <math.h>

#include "harness/stats/summary.h"

void plot_range_widen(struct plot_range *range, double value, int positive)
{
    if (!isfinite(value) || (positive && value <= 0))
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

int plot_range_empty(const struct plot_range *range)
{
    return !(range->low <= range->high);
}

struct plot_colours plot_colours_of(double *values, size_t n)
{
    if (n == 0)
        return (struct plot_colours){0, 1, 0};
    gsl_sort(values, 1, n);
    double low = values[0], high = values[n - 1], median = summary_quantile(values, n, 0.5);
    double end = median > low ? low + 3 * (median - low) : high;
    return (struct plot_colours){low, fmin(end, high), end < high};
}
