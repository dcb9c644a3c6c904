/* The ends of axes and of colour scales. */
#include "harness/figure/range.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
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

void plot_tics_add(struct plot_tics *tics, double value)
{
    size_t at = 0;
    while (at < tics->n && tics->at[at] < value)
        at++;
    if (!isfinite(value) || (at < tics->n && tics->at[at] == value))
        return;
    if (tics->n == TICS_MOST) {
        tics->more = 1;
        return;
    }
    memmove(tics->at + at + 1, tics->at + at, (tics->n - at) * sizeof *tics->at);
    tics->at[at] = value;
    tics->n++;
}

/* The number of digits of the value as printed; 100 for powers of ten and long numbers. */
static size_t digits_of(double value, char text[32])
{
    const int length = snprintf(text, 32, "%.6g", value);
    return strchr(text, 'e') || length > 6 ? 100 : (size_t)length;
}

const char *plot_tics_text(struct pool *pool, const struct plot_tics *tics, double scale)
{
    enum { LETTERS = 24 }; /* characters that fit along the axis of a narrow panel, blanks included */
    const double low = tics->at[0], high = tics->n ? tics->at[tics->n - 1] : 0;
    const int logarithmic = low > 0 && (scale > 1 || (!(scale > 0) && high / low >= 8));
    char *list = NULL, text[32];
    size_t size = 0;
    int fits = tics->n > 1 && !tics->more;
    FILE *stream = xopen_text(&list, &size);
    for (size_t i = 0; fits && i < tics->n; i++) {
        const double value = tics->at[i], before = tics->at[i ? i - 1 : 0];
        const double room = logarithmic ? log(value / before) / log(high / low) : (value - before) / (high - low);
        fits = (i == 0 || room * LETTERS >= (double)(digits_of(value, text) + 1)) && digits_of(value, text) < 100;
        fprintf(stream, "%s'%s' %.17g", i ? ", " : "(", text, value);
    }
    xclose_text(stream);
    pool_keep(pool, free, list);
    return fits ? pool_printf(pool, "%s)", list) : "";
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
