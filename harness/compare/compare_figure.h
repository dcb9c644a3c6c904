/* The performance profile of a comparison. */
#ifndef HULLBENCH_COMPARE_FIGURE_H
#define HULLBENCH_COMPARE_FIGURE_H

#include "harness/compare/compare.h"

/* Writes FOLDER/plots/compare.{dat,gp} and, unless no_render is nonzero, its pictures: the share of the pairs an arm
 * ends within so many times the cost of the better one; a panel for iterations and one for kernel operations, where
 * they are counted. What did not converge is never ended. Pictures that cannot be drawn are STATUS_IO; the rest is
 * written all the same. */
enum status compare_figure_write(const struct comparison *comparison, const char *folder, int no_render,
                                 struct error *error);

#endif
