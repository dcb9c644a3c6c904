/*
 * Sweeps: the records of one data set with varied settings. The kinds "heatmap", "lines" and "sensitivity" draw them,
 * each in a separate file; sweep.c loops over data sets and metrics.
 */
#ifndef HULLBENCH_SWEEP_H
#define HULLBENCH_SWEEP_H

#include "harness/plot/cells.h"

/* One figure: the records of a data set and the field to show. */
struct plot_sweep {
    const struct plot_request *request;
    const char *dataset;
    enum record_field field; /* unused for "sensitivity", which shows several */
    struct records records;
    struct plot_series_list series;
    double *values; /* space for one value per record */
};

/* Fill an open figure of template "heatmap" or "lines"; return 0 if there is nothing to show. */
int plot_sweep_grids(const struct plot_sweep *sweep, struct plot_figure *figure);
int plot_sweep_lines(const struct plot_sweep *sweep, struct plot_figure *figure);
int plot_sweep_sensitivity(const struct plot_sweep *sweep, struct plot_figure *figure);

/* Prints the sentences common to all three: what a kernel width is and which kernel operations are counted. */
void plot_sweep_describe(const struct plot_sweep *sweep, FILE *caption, int with_operations);

#endif
