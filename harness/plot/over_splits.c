/*
 * Quartiles of step functions over splits. With s_k(x) the value of the last point of trace k at or before x, the rows
 * hold the quartiles over k of s_k(x_i) at x_i = a (b / a)^(i / (m - 1)), i = 0 .. m - 1. If a trace has no value at x
 * (no point yet, or no gap at the point), the row omits that quantity instead of using fewer splits.
 */
#include "harness/plot/over_splits.h"

#include <math.h>

#include "harness/plot/series.h"
#include "harness/support/round_to_12_digits.h"

static double place_of(const struct run_trace_point *point, int operations)
{
    return operations ? point->kernel_operations : point->iteration;
}

/* The smallest positive and the largest position in all traces; returns 0 if there is none. */
static int find_ends(const struct run_trace *const *traces, size_t n, int operations, double *first, double *last)
{
    *first = HUGE_VAL;
    *last = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < traces[k]->n; i++) {
            double place = place_of(&traces[k]->points[i], operations);
            if (place > 0)
                *first = fmin(*first, place);
            *last = fmax(*last, place);
        }
    return *first <= *last;
}

/* The index of the last point at or before `at`; the trace's number of points if there is none. */
static size_t point_before(const struct run_trace *trace, int operations, double at)
{
    size_t low = 0, high = trace->n; /* points before low are at or before `at`, those from high on are after it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (place_of(&trace->points[middle], operations) <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? low - 1 : trace->n;
}

/* Quartiles of n values. All three are NAN if one value is; a quartile that is not above the floor is NAN, too. */
static void quartiles(double *values, size_t n, double floor, double to[3])
{
    size_t known = 0;
    while (known < n && !isnan(values[known]))
        known++;
    struct plot_spread spread = plot_spread_of(values, known == n ? n : 0);
    const double found[3] = {spread.low_quartile, spread.median, spread.high_quartile};
    for (int q = 0; q < 3; q++)
        to[q] = found[q] > floor ? found[q] : (double)NAN;
}

static void fill_row(const struct run_trace *const *traces, size_t n, int operations, double *values,
                     struct plot_over_splits_row *row)
{
    double floor = 0;
    for (size_t k = 0; k < n; k++) {
        size_t point = point_before(traces[k], operations, row->at);
        values[k] = point < traces[k]->n ? traces[k]->points[point].gap : (double)NAN;
    }
    quartiles(values, n, 0, row->gap);
    for (size_t k = 0; k < n; k++) {
        size_t point = point_before(traces[k], operations, row->at);
        values[k] = point < traces[k]->n ? run_trace_excess(traces[k], point) : (double)NAN;
        floor = fmax(floor, traces[k]->floor);
    }
    quartiles(values, n, floor, row->excess);
}

size_t plot_over_splits(const struct run_trace *const *traces, size_t n, int operations, double *values,
                        struct plot_over_splits_row *rows, size_t n_rows)
{
    double first, last;
    if (!find_ends(traces, n, operations, &first, &last))
        return 0;
    size_t count = first < last ? n_rows : 1;
    for (size_t i = 0; i < count; i++) {
        double part = (double)i / (double)(n_rows - 1);
        rows[i].at = i == 0 ? first : i + 1 == count ? last : round_to_12_digits(first * pow(last / first, part));
        fill_row(traces, n, operations, values, &rows[i]);
    }
    return count;
}
