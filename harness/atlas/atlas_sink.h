/* Where the figures of an atlas go, and those of its parts. */
#ifndef HULLBENCH_ATLAS_SINK_H
#define HULLBENCH_ATLAS_SINK_H

#include "harness/atlas/atlas_results.h"
#include "harness/figure/figure.h"

struct atlas_sink {
    const char *plots; /* the folder */
    int no_render;
    int is_broken;     /* a picture could not be drawn; the numbers of all figures are written */
};

/* Writes, draws and frees the figure. What gnuplot says of the first picture that cannot be drawn stays in *error. */
enum status atlas_sink_finish(struct atlas_sink *sink, struct plot_figure *figure, struct error *error);

/* Maps over data sets, a panel a target, and maps of single data sets at one target, a panel a set. */
enum status atlas_map_figures(const struct atlas *atlas, const struct atlas_results *results, struct atlas_sink *sink,
                              struct error *error);
/* Costs against the number in which generated data sets differ, a row a cost. */
enum status atlas_growth_figures(const struct atlas *atlas, const struct size_growth *growth, struct atlas_sink *sink,
                                 struct error *error);

#endif
