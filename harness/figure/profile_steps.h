/* The steps of performance and data profiles, for costs of any kind. */
#ifndef HULLBENCH_PROFILE_STEPS_H
#define HULLBENCH_PROFILE_STEPS_H

#include <stdio.h>

#include "harness/figure/figure.h"

struct profile_panel {
    const char *title;         /* name of the cost */
    const char *const *labels; /* n_series */
    const double *cost;        /* n_series x n_problems, series by series; infinite for unsolved problems */
    size_t n_series, n_problems;
    const char *const *datasets; /* data set of each problem: the unit of resampling for the bands */
    const double *units;         /* for a data profile: a positive unit per problem; NULL for a performance profile */
};

/* Prints the panel's blocks of the .dat: two per series, or one if there is only one data set. The first block has the
 * ratio to the best (or the cost in units) and the share of the problems. The second has, at 41 points along the
 * logarithmic axis, the point and the ends of a 95 % interval for the share, from a bootstrap over data sets (1999
 * resamples, percentiles). All series start at *low, which is 1 or, for a data profile, the smallest positive value,
 * and end at the largest value, *high; both are 1 if no series solved any problem. Two empty lines precede every block
 * except the first of a file. A cost that is negative or NaN is an error, STATUS_BAD_INPUT. */
void profile_panel_put(const struct profile_panel *panel, int first, FILE *dat, double *low, double *high);
/* Prints the steps of the share of n costs, which may be infinite, within a budget from `low` to `high`. */
void profile_steps_put(struct pool *pool, const double *costs, size_t n, double low, double high, FILE *dat);
/* Sets in the figure's template and caption whether there are bands. */
void profile_describe_bands(struct plot_figure *figure, const char *const *datasets, size_t n_problems);

#endif
