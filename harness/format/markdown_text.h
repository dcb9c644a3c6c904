/* Writes plain UTF-8 as Markdown. */
#ifndef HULLBENCH_MARKDOWN_TEXT_H
#define HULLBENCH_MARKDOWN_TEXT_H

#include <stdio.h>

/* Writes the text so that GitHub's Markdown, also in a cell of a table, shows it as it is; a newline becomes a blank.
 * Returns the number of backslashes added. `stream` may be NULL. */
size_t markdown_text(FILE *stream, const char *text);

/* Writes Markdown in which every %s, the only conversion, is plain text: Markdown characters are escaped, newlines
 * become blanks. */
void put_markdown(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies Markdown so that it has neither HTML nor links or pictures: what would begin one gets a backslash. For text
 * that is Markdown already and comes from files of others. */
void markdown_without_html(FILE *stream, const char *markdown);

#endif
