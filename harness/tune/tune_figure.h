/* The figures of a search: the error over C and width, with the way of CMA-ES and the points found and printed. */
#ifndef HULLBENCH_TUNE_FIGURE_H
#define HULLBENCH_TUNE_FIGURE_H

#include "harness/tune/tune.h"

/* Writes DIR/plots/tune-DATASET-SOLVER.{dat,gp} for every search, and its pictures unless tune->no_render. That
 * gnuplot is missing or fails is no error: what it says is kept in tune->figures_failed. */
enum status tune_figures_write(struct tune *tune, struct error *error);
/* Draws those of a finished search's pictures that are not there, from the .gp and .dat beside them. */
void tune_figures_complete(struct tune *tune);

#endif
