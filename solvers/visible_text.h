/*
 * The only place that decides how text of files and command lines is shown in messages and tables. A character that a
 * reader could not see, or that would act on the terminal, is shown as its bytes, \xHH.
 */
#ifndef HULLBENCH_VISIBLE_TEXT_H
#define HULLBENCH_VISIBLE_TEXT_H

#include <stddef.h>

enum { VISIBLE_SIZE = 17 }; /* four bytes as \xHH, and a NUL */

/* Writes the first character of a text that is not empty as it is to be shown, and returns the number of its bytes in
 * the text. These become \xHH: control characters, bytes that are not UTF-8, blanks other than the space, and
 * characters without a glyph (byte order marks, zero-width characters, bidirectional controls, tags, noncharacters).
 * Backslashes stay, so that text already shown does not change. */
size_t visible_character(const char *text, char shown[VISIBLE_SIZE]);

/* Copies `text` as it is to be shown, as many whole characters as fit into `size` bytes with a NUL. Returns shown. */
const char *visible_text(const char *text, char *shown, size_t size);

#endif
