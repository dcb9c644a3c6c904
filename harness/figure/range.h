/* Where an axis or a scale of colours begins and ends. */
#ifndef HULLBENCH_RANGE_H
#define HULLBENCH_RANGE_H

#include <stddef.h>

/* Smallest and largest of what is drawn; starts as {HUGE_VAL, -HUGE_VAL}, which plot_range_empty recognises. */
struct plot_range {
    double low, high;
};
/* Takes in a finite value; one that is not positive only if `positive` is 0 (a logarithmic axis cannot show it). */
void plot_range_widen(struct plot_range *range, double value, int positive);
int plot_range_empty(const struct plot_range *range);

/* The values that an axis is swept over, in rising order, each once; `more`: there are others. Zero-initialise. */
enum { TICS_MOST = 8 };
struct plot_tics {
    double at[TICS_MOST];
    size_t n;
    int more;
};
void plot_tics_add(struct plot_tics *tics, double value);
/* The values as tics of gnuplot, "('1' 1, '2' 2)"; "" where they are too many, too close to each other or too long to
 * be read. `scale` of the axis: 2 logarithmic, 1 linear, 0 logarithmic where the values span a factor of 8.
 * malloc'ed. */
char *plot_tics_text(const struct plot_tics *tics, double scale);

/* What the colours of a map stand for, the best (lowest) value first: [low, high]. high is the largest value, but
 * at most three times as far from the lowest as the median is: without this cut one bad corner would leave a single
 * colour for all the rest. */
struct plot_colours {
    double low, high;
    int cut; /* nonzero: some value is above high */
};
/* Sorts the n finite values. Of none, [0, 1]. */
struct plot_colours plot_colours_of(double *values, size_t n);

#endif
