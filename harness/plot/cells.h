/*
 * The cells of a comparison: for each data set and series what was measured, beside what a paper prints.
 */
#ifndef HULLBENCH_CELLS_H
#define HULLBENCH_CELLS_H

#include "harness/figure/range.h"
#include "harness/plot/kinds.h"
#include "harness/plot/captions.h"
#include "harness/plot/series.h"

/* A comparison's records, the series they make and room for the values of one cell. */
struct plot_cells {
    struct records records;
    struct plot_series_list series;
    double *values;
};

struct plot_cell {
    struct plot_spread ours;
    size_t unfinished; /* runs that were stopped at a limit or stalled */
    struct plot_published paper;
};

/* Takes the records that the request's entry selects and parts them into series. Returns 0, with a note, when there are
 * none, or when a solver has so many combinations of parameters that they are a sweep and no comparison. Released with
 * plot_cells_free in either case. */
int plot_cells_take(const struct plot_request *request, struct plot_cells *cells);
void plot_cells_free(struct plot_cells *cells);

/* One data set (a string of request->data->datasets) of one series. */
struct plot_cell plot_cells_at(const struct plot_request *request, const struct plot_cells *cells,
                               const struct plot_series *series, const char *dataset, enum record_field field);
/* Whether any record of the data set has a number in the field. */
int plot_cells_measured(const struct plot_cells *cells, const char *dataset, enum record_field field);

#endif
