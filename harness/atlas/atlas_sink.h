/* The destination of an atlas's figures, and the figures of its parts. */
#ifndef HULLBENCH_ATLAS_SINK_H
#define HULLBENCH_ATLAS_SINK_H

#include "harness/atlas/atlas_results.h"
#include "harness/figure/figure.h"

struct atlas_sink {
    const char *plots; /* the folder */
    int no_render;
    int is_broken;     /* a picture could not be drawn; the data of all figures are written */
};

/* Writes, draws and frees the figure. *error keeps gnuplot's message about the first picture that cannot be drawn. */
enum status atlas_sink_finish(struct atlas_sink *sink, struct plot_figure *figure, struct error *error);

/* Maps over data sets, one panel per target, and maps of single data sets at one target, one panel per set. */
enum status atlas_map_figures(const struct atlas *atlas, const struct atlas_results *results, struct atlas_sink *sink,
                              struct error *error);
/* Costs against the number in which generated data sets differ, one row per cost. */
enum status atlas_growth_figures(const struct atlas *atlas, const struct size_growth *growth, struct atlas_sink *sink,
                                 struct error *error);

#endif
