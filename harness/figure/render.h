/* Draws the pictures of a written figure: gnuplot creates NAME.svg, NAME.png and NAME.pdf. */
#ifndef HULLBENCH_RENDER_H
#define HULLBENCH_RENDER_H

#include <stddef.h>

#include "harness/figure/figure.h"
#include "solvers/error.h"

/* The number of picture formats; the bytes of a line of gnuplot's. */
enum { PLOT_PICTURES = 3, PLOT_LINE_SIZE = 400 };
extern const char *const plot_pictures[PLOT_PICTURES];

/* Draws folder/NAME.gp with gnuplot. A picture appears when it
 * is complete. Errors are returned, since other output is complete without pictures. `line` (may be NULL) receives what
 * gnuplot printed, as one line for a message; empty if nothing. STATUS_OK: all pictures exist. STATUS_BAD_INPUT names a
 * link in place of a picture. STATUS_NOT_FOUND names the Debian package if gnuplot is not installed; STATUS_IO quotes
 * its output if it fails. */
enum status plot_render(const char *folder, const char *name, char line[PLOT_LINE_SIZE], struct error *error);

/* The figures of a verb whose other output is complete even if pictures cannot be drawn. Zero-initialise. */
struct figure_sink {
    int no_render;
    struct error cause; /* why the first picture was not drawn */
};
/* Writes, draws and frees a figure. */
void figure_sink_put(struct figure_sink *sink, struct plot_figure *figure, const char *folder);
/* Dies with STATUS_IO if a picture was not drawn. */
void figure_sink_end(const struct figure_sink *sink);

#endif
