/* Writes plain UTF-8 as a field of CSV (RFC 4180). */
#ifndef HULLBENCH_CSV_TEXT_H
#define HULLBENCH_CSV_TEXT_H

#include <stdio.h>

/* Writes one field, in quotes if it needs them. A spreadsheet would compute a text that begins with =, +, - or @. If
 * it is neither a number nor that character alone, it gets an apostrophe in front; also if only apostrophes precede
 * that character, so that readers can take one off again. */
void csv_text(FILE *stream, const char *text);

#endif
