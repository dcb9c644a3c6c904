/* The steps of performance profiles and data profiles, for costs of any kind. */
#ifndef HULLBENCH_PROFILE_STEPS_H
#define HULLBENCH_PROFILE_STEPS_H

#include <stdio.h>

#include "solvers/error.h"

struct profile_panel {
    const char *title;         /* what the cost is */
    const char *const *labels; /* n_series */
    const double *cost;        /* n_series x n_problems, series by series; infinite where one did not end */
    size_t n_series, n_problems;
    const double *units; /* of each problem, positive, for a data profile; NULL for a performance profile */
};

/* Prints the panel's blocks of the .dat, one a series: ratio to the best (or cost in units), share of the problems. All
 * series start at *low, which is 1 or, of a data profile, the smallest positive value, and end at the largest, *high; 1
 * and 1 if no series ended on any problem. Nothing stands before the first block of a file, two empty lines before
 * every other. A cost that is negative or no number is STATUS_BAD_INPUT. */
enum status profile_panel_put(const struct profile_panel *panel, int first, FILE *dat, double *low, double *high,
                              struct error *error);

#endif
