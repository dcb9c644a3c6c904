/*
 * The cells of a comparison: for each data set and series the measured values and those that a paper prints.
 */
#ifndef HULLBENCH_CELLS_H
#define HULLBENCH_CELLS_H

#include "harness/plot/kinds.h"
#include "harness/plot/captions.h"
#include "harness/plot/series.h"

/* A comparison's records, their series and space for the values of one cell. */
struct plot_cells {
    struct records records;
    struct plot_series_list series;
    double *values;
    struct records *of; /* by series and data set of the request: their records */
    size_t n_datasets;
};

struct plot_cell {
    struct plot_spread ours;
    size_t unfinished; /* runs stopped at a limit or stalled */
    struct plot_published paper;
};

/* Takes the records that the request's entry selects and divides them into series. Returns 0, with a note, if there are
 * none, or if a solver has so many parameter combinations that they are a sweep instead of a comparison. */
int plot_cells_take(const struct plot_request *request, struct plot_cells *cells);

/* The cell of one data set (a string of request->data->datasets) and one series. */
struct plot_cell plot_cells_at(const struct plot_request *request, const struct plot_cells *cells,
                               const struct plot_series *series, const char *dataset, enum record_field field);
/* Nonzero if any record of the data set has a number in the field. */
int plot_cells_measured(const struct plot_request *request, const struct plot_cells *cells, const char *dataset,
                        enum record_field field);

#endif
