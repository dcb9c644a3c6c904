/*
 * Records parted into what one line, one kind of mark or one panel shows: a solver, and where a setting takes several
 * values on the same split, the solver with that value.
 */
#ifndef HULLBENCH_SERIES_H
#define HULLBENCH_SERIES_H

#include <stddef.h>

#include "harness/compare/data.h"

struct plot_series {
    const char *solver;     /* owned by the data */
    char *label;            /* for the eye: "μ-gsk", "ch-mdm, stopping tolerance = 0.001" */
    const char *axis[2];    /* the settings left to the axes; NULL where fewer */
    struct records records; /* owned list */
};

struct plot_series_list {
    size_t n;
    struct plot_series *items;
};

/* Parts records into series, solvers in the data's order. n_axes (0, 1, 2) swept settings of a solver are kept for
 * the axes: those the entry names as "x" and "y", else a kernel width as y and the setting with the most values as x.
 * A solver with fewer swept settings is left out, and so is one with more than one when n_axes is 1 and the entry names
 * no "x". *list is zeroed first and released with plot_series_free. */
void plot_series_build(const struct plot_data *data, const struct records *records, size_t n_axes,
                       const struct cJSON *entry, struct plot_series_list *list);
/* Accepts NULL. */
void plot_series_free(struct plot_series_list *list);

/* The finite values of a field over the series' records of one data set (NULL: all), sorted. values has room for all
 * records of the series; returns how many. */
size_t plot_series_values(const struct plot_series *series, const char *dataset, enum record_field field,
                          double *values);

/* Mean, sample standard deviation and quartiles of n sorted values; all NAN for n = 0, sd NAN for n = 1. Quartiles
 * interpolate linearly between order statistics. */
struct plot_spread {
    size_t n;
    double mean, sd, low_quartile, median, high_quartile, min, max;
};
struct plot_spread plot_spread_of(const double *sorted, size_t n);

#endif
