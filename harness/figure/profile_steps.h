/* The steps of performance profiles and data profiles, whoever's costs they are of. */
#ifndef HULLBENCH_PROFILE_STEPS_H
#define HULLBENCH_PROFILE_STEPS_H

#include <stdio.h>

#include "solvers/error.h"

struct profile_panel {
    const char *title;         /* what the cost is */
    const char *const *labels; /* n_series */
    const double *cost;        /* n_series x n_problems, series by series; infinite where one did not end */
    size_t n_series, n_problems;
};

/* Prints the panel's blocks of the .dat, one a series: ratio to the best, share of the problems. *last gets the largest
 * ratio, where all series end. Nothing stands before the first block of a file, two empty lines before every other. */
enum status profile_panel_put(const struct profile_panel *panel, int first, FILE *dat, double *last,
                              struct error *error);

/* The same of a data profile: cost in units of the problem (n_problems of them, positive), share of the problems. *low
 * gets the smallest positive value, where all series start, and *high the largest, where they end; 1 and 1 if no series
 * ended on any problem. */
enum status profile_data_panel_put(const struct profile_panel *panel, const double *units, FILE *dat, double *low,
                                   double *high, struct error *error);

#endif
