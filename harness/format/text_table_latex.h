/* A grid as LaTeX tables that need booktabs alone and fit the page of the class article. */
#ifndef HULLBENCH_TEXT_TABLE_LATEX_H
#define HULLBENCH_TEXT_TABLE_LATEX_H

#include <stdio.h>

#include "harness/format/text_table.h"

/* Writes a whole grid (its cells fill its rows); `path` is for messages. STATUS_NO_MEMORY is the only error; the
 * stream's are the caller's to look at. */
enum status text_table_latex(const struct text_table *grid, const char *path, FILE *stream, struct error *error);

#endif
