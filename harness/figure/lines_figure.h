/*
 * The variables of the template plots/lines.gp: rows of panels for metrics, columns of panels for settings, and in each
 * panel a line for each series, whose points are a block of the .dat.
 */
#ifndef HULLBENCH_LINES_FIGURE_H
#define HULLBENCH_LINES_FIGURE_H

#include "harness/figure/figure.h"

enum { LINES_COLUMNS = 8, LINES_ROWS = 3 };

struct lines_figure {
    struct lines_series {
        const char *label;
        int is_reference; /* nonzero: a line across the axis */
    } *series;
    struct lines_column {
        const char *axis, *tics; /* tics: gnuplot's list; NULL: `values` */
        double scale;            /* 2 logarithmic, 1 linear, 0 unknown */
        struct plot_range range;
        struct plot_tics values;
    } columns[LINES_COLUMNS];
    struct lines_row {
        const char *axis;
        int logarithmic;
        struct plot_range range;
    } rows[LINES_ROWS];
    size_t n_series, n_columns, n_rows;
    int titled; /* nonzero: the rows' axes are titles of panels */
    double first[LINES_ROWS * LINES_COLUMNS], last[LINES_ROWS * LINES_COLUMNS]; /* blocks of each panel, from 1 */
    double *series_of; /* the series of each block, from 1 */
    size_t n_blocks, capacity;
};

/* Counts a block of the series; the list is in the pool. */
void lines_add_block(struct pool *pool, struct lines_figure *lines, size_t series);
/* Assigns all variables. */
void lines_assign(const struct lines_figure *lines, struct plot_figure *figure);

#endif
