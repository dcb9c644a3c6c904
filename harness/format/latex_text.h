/* Plain UTF-8 as LaTeX. */
#ifndef HULLBENCH_LATEX_TEXT_H
#define HULLBENCH_LATEX_TEXT_H

#include <stdio.h>

/* Writes `length` bytes of the text so that LaTeX prints them with no package; what it cannot print is named by its
 * code point. `breakable`: lines may end within words, behind signs that names are made with. */
void latex_text(FILE *stream, const char *text, size_t length, int breakable);

#endif
