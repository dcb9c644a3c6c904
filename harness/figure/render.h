/* Pictures of a figure that has been written: gnuplot draws NAME.svg, NAME.png and NAME.pdf. */
#ifndef HULLBENCH_RENDER_H
#define HULLBENCH_RENDER_H

#include <stddef.h>

#include "solvers/error.h"

/* The endings of the pictures. */
enum { PLOT_PICTURES = 3 };
extern const char *const plot_pictures[PLOT_PICTURES];

/* Runs `gnuplot -d NAME.gp` inside folder and puts title and description into the SVG (svg_words.h). The output of
 * gnuplot goes into gnuplot_output (size bytes, NUL-terminated) unless that is NULL. STATUS_OK: all pictures are there.
 * STATUS_NOT_FOUND names the Debian package when gnuplot is not installed; STATUS_IO quotes its output when it fails.
 */
enum status plot_render(const char *folder, const char *name, char *gnuplot_output, size_t size, struct error *error);

#endif
