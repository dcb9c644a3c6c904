/*
 * The only place that decides how text of files and command lines is shown in messages and tables. A character that a
 * reader could not see, or that would act on the terminal, is shown as its bytes, \xHH.
 */
#ifndef HULLBENCH_VISIBLE_TEXT_H
#define HULLBENCH_VISIBLE_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { VISIBLE_SIZE = 17 }; /* four bytes as \xHH, and a NUL */

/* Writes the first character of a text that is not empty as it is to be shown, and returns the number of its bytes in
 * the text. These become \xHH: control characters, bytes that are not UTF-8, blanks other than the space, and
 * characters without a glyph (byte order marks, zero-width characters, bidirectional controls, tags, noncharacters).
 * Backslashes stay, so that text already shown does not change. */
size_t visible_character(const char *text, char shown[VISIBLE_SIZE]);

/* The number of bytes of the UTF-8 character at `text` (RFC 3629), and its code point; 0 if it is invalid. */
size_t utf8_decode(const char *text, uint32_t *code);

/* Whether a character acts on a terminal or on the order of the text: control characters, separators of lines, and
 * embeddings, overrides and isolates of a direction. */
int is_control(uint32_t code);
/* Whether the text contains one that is not in `allowed`. */
int text_has_control(const char *text, const char *allowed);

/* Copies `text` as it is to be shown, as many whole characters as fit into `size` bytes with a NUL. Returns shown. */
const char *visible_text(const char *text, char *shown, size_t size);

#endif
