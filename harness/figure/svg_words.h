/* Title and description of an SVG. */
#ifndef HULLBENCH_SVG_WORDS_H
#define HULLBENCH_SVG_WORDS_H

#include "solvers/error.h"

/* FOLDER/NAME.svg, as gnuplot wrote it, gets the heading and caption that FOLDER/NAME.gp assigns as its title and
 * description, for screen readers, and loses the titles of single plots, which are gnuplot commands that browsers would
 * show as tooltips. */
enum status plot_svg_put_words(const char *folder, const char *name, struct error *error);

#endif
