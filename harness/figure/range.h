/* The ends of an axis or a colour scale. */
#ifndef HULLBENCH_RANGE_H
#define HULLBENCH_RANGE_H

#include <stddef.h>

/* Smallest and largest value drawn; starts as {HUGE_VAL, -HUGE_VAL}, which plot_range_empty recognises. */
struct plot_range {
    double low, high;
};
/* Extends the range to a finite value; to values that are not positive only if `positive` is 0 (a logarithmic axis
 * cannot show them). */
void plot_range_widen(struct plot_range *range, double value, int positive);
int plot_range_empty(const struct plot_range *range);

/* The distinct values along an axis in ascending order; `more`: further values did not fit. Zero-initialise. */
enum { TICS_MOST = 8 };
struct plot_tics {
    double at[TICS_MOST];
    size_t n;
    int more;
};
void plot_tics_add(struct plot_tics *tics, double value);
/* The values as gnuplot tics, "('1' 1, '2' 2)"; "" if they are too many, too close together or too long to read.
 * `scale` of the axis: 2 logarithmic, 1 linear, 0 logarithmic if the values span a factor of 8. */
struct pool;
const char *plot_tics_text(struct pool *pool, const struct plot_tics *tics, double scale);

/* The colour scale of a map, [low, high], the best (lowest) value first. high is the largest value, but at most three
 * times as far from the lowest as the median is: otherwise one bad corner would leave a single colour for the rest. */
struct plot_colours {
    double low, high;
    int cut; /* nonzero: some value is above high */
};
/* Sorts the n finite values. [0, 1] if n is 0. */
struct plot_colours plot_colours_of(double *values, size_t n);

#endif
