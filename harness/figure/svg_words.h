/* The title and description of an SVG. */
#ifndef HULLBENCH_SVG_WORDS_H
#define HULLBENCH_SVG_WORDS_H

#include "solvers/error.h"

/* Adds the heading and caption in FOLDER/NAME.gp to gnuplot's DRAWN/NAME.svg as title and description, for screen
 * readers. Removes the titles of single plots: they are gnuplot commands, which browsers would show as tooltips. */
void plot_svg_put_words(const char *folder, const char *name, const char *drawn);

#endif
