/* The steps of performance profiles and data profiles, for costs of any kind. */
#ifndef HULLBENCH_PROFILE_STEPS_H
#define HULLBENCH_PROFILE_STEPS_H

#include <stdio.h>

#include "harness/figure/figure.h"
#include "solvers/error.h"

struct profile_panel {
    const char *title;         /* what the cost is */
    const char *const *labels; /* n_series */
    const double *cost;        /* n_series x n_problems, series by series; infinite where one did not end */
    size_t n_series, n_problems;
    const char *const *datasets; /* of each problem: what the bands resample */
    const double *units;         /* of each problem, positive, for a data profile; NULL for a performance profile */
};

/* Prints the panel's blocks of the .dat, two a series or, of one data set, one: first ratio to the best (or cost in
 * units) and share of the problems; then, at 41 places along the logarithmic axis, the place and the ends of a 95 %
 * interval of the share, by a bootstrap over data sets (1999 resamples, percentiles). All series start at *low, which
 * is 1 or, of a data profile, the smallest positive value, and end at the largest, *high; 1 and 1 if no series ended on
 * any problem. Nothing stands before the first block of a file, two empty lines before every other. A cost that is
 * negative or no number is STATUS_BAD_INPUT. */
enum status profile_panel_put(const struct profile_panel *panel, int first, FILE *dat, double *low, double *high,
                              struct error *error);
/* Tells template and caption of the figure whether there are bands. */
void profile_describe_bands(struct plot_figure *figure, const char *const *datasets, size_t n_problems);

#endif
