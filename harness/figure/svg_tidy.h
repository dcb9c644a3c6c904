/* What is done to an SVG that gnuplot has written. */
#ifndef HULLBENCH_SVG_TIDY_H
#define HULLBENCH_SVG_TIDY_H

#include "solvers/error.h"

/* FOLDER/NAME.svg gets the heading and caption that FOLDER/NAME.gp assigns as its title and description, and loses what
 * draws nothing: empty groups and labels, the titles of single plots (which browsers would show as tips, and which are
 * gnuplot commands), and attributes that say again what holds without them. */
enum status plot_svg_finish(const char *folder, const char *name, struct error *error);

#endif
