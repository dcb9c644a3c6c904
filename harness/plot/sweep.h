/* Sweeps: the records of one data set with varied settings, which the kinds "heatmap" and "lines" draw. */
#ifndef HULLBENCH_SWEEP_H
#define HULLBENCH_SWEEP_H

#include "harness/plot/cells.h"

/* One figure: the records of a data set and the field to show. */
struct plot_sweep {
    const struct plot_request *request;
    const char *dataset;
    enum record_field field;
    struct records records;
    struct plot_series_list series;
    double *values; /* space for one value per record */
};

/* Fills an open figure of the template "heatmap"; returns 0 if there is nothing to show (heatmap.c). */
int plot_sweep_grids(const struct plot_sweep *sweep, struct plot_figure *figure);
/* Prints the sentences common to both: what a kernel width is and which kernel operations are counted. */
void plot_sweep_describe(const struct plot_sweep *sweep, FILE *caption);

#endif
