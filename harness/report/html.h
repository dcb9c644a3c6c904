/* Text on its way into an HTML page. Whatever comes from configurations, records, papers or file names passes through
 * here. */
#ifndef HULLBENCH_HTML_H
#define HULLBENCH_HTML_H

#include <stdio.h>

/* Escapes a text for contents and for attributes in double quotes: & < > " ' become entities; bytes that are not UTF-8,
 * and control characters, become U+FFFD. */
void html_text(FILE *stream, const char *text);
void html_text_n(FILE *stream, const char *text, size_t length);
/* Writes formatted text, escaped; what is longer than 8191 bytes is cut. */
void html_format(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An id made of any text, fit as it stands for id="..." and href="#...": letters, digits, '-' and '.' stay, other bytes
 * become '_' and two hexadecimal digits, so that different texts have different ids. */
void html_id(FILE *stream, const char *prefix, const char *text);

/* Opens <div class="scroll"><table class="CLASS"><caption><span>, and closes both: a table scrolls inside its own
 * frame, which the keyboard can reach. Between them come the caption's text, "</span></caption>" and the rows. `number`
 * tells tables apart. */
void html_table_open(FILE *stream, const char *class_name, size_t number);
void html_table_close(FILE *stream);

/* <thead> with one row of `n` headings; one that begins with '<', which is not shown, stands at the left like its
 * texts. */
void html_heads(FILE *stream, const char *const *heads, size_t n);

#endif
