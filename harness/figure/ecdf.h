/* Shares that solvers reach, for costs of any kind: performance profiles, data profiles, distributions of runtimes. */
#ifndef HULLBENCH_ECDF_H
#define HULLBENCH_ECDF_H

#include "harness/figure/figure.h"

/* The curves of a figure of the template "profile". Set the members before the last two. */
struct ecdf {
    struct plot_figure *figure;
    const char *const *labels; /* of the n_series */
    size_t n_series, n_problems;
    const char *const *datasets; /* data set of each problem: the unit of resampling for the bands */
    const char *axes[4];
    size_t n_panels;
};

/* Adds a panel. `cost` has the costs, series by series; infinite for problems that were not solved. Without `units` it
 * is a performance profile: the ratio to the best, from 1 on. With a positive unit per problem it is the cost in units,
 * from the smallest positive one on. `name` stands in the .dat.
 *
 * The .dat gets two blocks per series, or one if there is only one data set. The first has the ratio or budget and the
 * share of the problems, up to the largest value of any series. The second has, at 41 points along the logarithmic
 * axis, the point and the ends of a 95 % interval for the share, from a bootstrap over data sets (1999 resamples,
 * percentiles). A cost that is negative or NaN is an error, STATUS_BAD_INPUT. */
void ecdf_add(struct ecdf *ecdf, const char *name, const char *axis, const double *cost, const double *units);
/* Assigns the variables of the template, `share` being the other axis, and adds to the caption what the bands are. */
void ecdf_finish(struct ecdf *ecdf, const char *share);
/* Prints the steps of the share of the costs, which may be infinite, within a budget from `low` to `high`. */
void ecdf_put_steps(struct pool *pool, const double *costs, size_t n_costs, double low, double high, FILE *dat);

#endif
