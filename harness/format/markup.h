/* Writes plain UTF-8 as a field of CSV, as Markdown, LaTeX or HTML. */
#ifndef HULLBENCH_MARKUP_H
#define HULLBENCH_MARKUP_H

#include <stddef.h>
#include <stdio.h>

/* ---- CSV (RFC 4180) ---- */

/* Writes one field, in quotes if it needs them. A spreadsheet would compute a text that begins with =, +, - or @. If
 * it is neither a number nor that character alone, it gets an apostrophe in front; also if only apostrophes precede
 * that character, so that readers can take one off again. */
void csv_text(FILE *stream, const char *text);

/* ---- Markdown ---- */

/* Writes the text so that GitHub's Markdown, also in a cell of a table, shows it as it is; a newline becomes a blank.
 */
void markdown_text(FILE *stream, const char *text);

/* Writes Markdown in which every %s, the only conversion, is plain text: Markdown characters are escaped, newlines
 * become blanks. */
void put_markdown(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies Markdown so that it has neither HTML nor links or pictures: what would begin one gets a backslash. For text
 * that is Markdown already and comes from files of others. */
void markdown_without_html(FILE *stream, const char *markdown);

/* ---- LaTeX ---- */

/* Writes `length` bytes of the text so that LaTeX needs no package; a character that it cannot print becomes its code
 * point. `breakable`: lines may break within words, after the punctuation of names. */
void latex_text(FILE *stream, const char *text, size_t length, int breakable);
/* The width in points of the first `size` bytes of one line as latex_text writes it, in Computer Modern Roman at 10 pt:
 * the sum of the character widths in Knuth's metrics, without kerning and ligatures, which would make it narrower. A
 * character of unknown width counts 10 pt. Bold is 1.15 times as wide. */
double latex_width(const char *text, size_t size, int bold);

/* ---- HTML ---- */

/* Escapes a text for contents and double-quoted attributes: & < > " ' become entities; bytes that are not UTF-8, and
 * control characters, become U+FFFD. All text from configurations, records, papers and file names passes through
 * these functions. */
void html_text(FILE *stream, const char *text);
/* The same for `length` bytes. */
void html_part(FILE *stream, const char *text, size_t length);
/* Copies `length` bytes of HTML; only bytes that are not UTF-8, and control characters, become U+FFFD. */
void html_copy(FILE *stream, const char *html, size_t length);

#endif
