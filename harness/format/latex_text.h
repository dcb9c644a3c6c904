/* Writes plain UTF-8 as LaTeX. */
#ifndef HULLBENCH_LATEX_TEXT_H
#define HULLBENCH_LATEX_TEXT_H

#include <stdio.h>

/* Writes `length` bytes of the text so that LaTeX needs no package; a character that it cannot print becomes its code
 * point. `breakable`: lines may break within words, after the punctuation of names. */
void latex_text(FILE *stream, const char *text, size_t length, int breakable);

#endif
