/* A grid as LaTeX tables that need booktabs alone and fit the page of the class article. */
#ifndef HULLBENCH_GRID_LATEX_H
#define HULLBENCH_GRID_LATEX_H

#include <stdio.h>

#include "harness/format/text_table.h"

/* Writes a whole grid (its cells fill its rows); `path` is for messages. STATUS_NO_MEMORY is the only error; the
 * stream's are the caller's to look at. */
enum status grid_latex(const struct grid *grid, const char *path, FILE *stream, struct error *error);

#endif
