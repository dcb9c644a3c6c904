/*
 * Divides records into series, each shown as one line, one kind of mark or one panel: a solver, or, if a setting takes
 * several values on the same split, the solver with one of the values.
 */
#ifndef HULLBENCH_SERIES_H
#define HULLBENCH_SERIES_H

#include <stddef.h>

#include "harness/compare/data.h"

struct plot_series {
    const char *solver;     /* owned by the data */
    const char *label;      /* for readers: "μ-gsk", "ch-mdm, stopping tolerance = 0.001" */
    const char *axis[2];    /* settings on the axes; NULL if fewer: both for a baseline */
    struct records records;
};

struct plot_series_list {
    size_t n, capacity;
    struct plot_series *items;
};

/* Divides records into series, with solvers in the data's order. n_axes (0, 1, 2) swept settings of a solver go on the
 * axes: those that the entry names as "x" and "y", else a kernel width as y and the setting with most values as x. A
 * solver with fewer swept settings is omitted, and so is one with more than one if n_axes is 1 and the entry names no
 * "x". But if n_axes is 1, a solver that sweeps nothing, or only settings other than "x", is kept without an axis. */
struct plot_series_list plot_series_build(struct pool *pool, const struct run_view *data,
                                          const struct records *records, size_t n_axes, const struct cJSON *entry);

/* Mean, sample standard deviation and quartiles of n values, which get sorted; all NAN for n = 0, sd NAN for n = 1.
 * Quartiles interpolate linearly between order statistics. */
struct plot_spread {
    size_t n;
    double mean, sd, low_quartile, median, high_quartile, min, max;
};
struct plot_spread plot_spread_of(double *values, size_t n);

enum { PLOT_MAX_LEVELS = 64 };

/* The values of a swept setting: numbers ascending, others in order of appearance. */
struct plot_levels {
    size_t n;
    const struct setting *items[PLOT_MAX_LEVELS];
};
void plot_levels_take(const struct records *records, const char *setting, struct plot_levels *levels);
int plot_levels_are_numbers(const struct plot_levels *levels);

/* A short text of the value, with three significant digits. */
const char *plot_level_text(struct pool *pool, const struct setting *level);
/* The records at a level, or all (NULL): the number with a value in the field, the number that were stopped at a limit
 * or stalled, and the spread of the values. `values` has space for all. */
struct plot_level_cell {
    size_t n, unfinished;
    struct plot_spread spread;
};
struct plot_level_cell plot_level_cell(const struct records *records, const struct setting *level,
                                       enum record_field field, double *values);

#endif
