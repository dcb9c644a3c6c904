/* Writes plain UTF-8 as Markdown. */
#ifndef HULLBENCH_MARKDOWN_TEXT_H
#define HULLBENCH_MARKDOWN_TEXT_H

#include <stdio.h>

/* Writes the text so that GitHub's Markdown, also in a cell of a table, shows it as it is; a newline becomes a blank.
 * Returns the number of backslashes added. `stream` may be NULL. */
size_t markdown_text(FILE *stream, const char *text);

#endif
