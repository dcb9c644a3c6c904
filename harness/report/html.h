/* Escapes text for an HTML page. All text from configurations, records, papers and file names passes through these
 * functions. */
#ifndef HULLBENCH_HTML_H
#define HULLBENCH_HTML_H

#include <stdio.h>

/* Escapes a text for contents and double-quoted attributes: & < > " ' become entities; bytes that are not UTF-8, and
 * control characters, become U+FFFD. */
void html_text(FILE *stream, const char *text);

/* Copies `length` bytes of HTML; only bytes that are not UTF-8, and control characters, become U+FFFD. */
void html_copy(FILE *stream, const char *html, size_t length);

/* An id from any text, usable without escaping in id="...", href="#..." and file names: letters, digits, '-', '.' and
 * '=' stay, other bytes become '_' and two hexadecimal digits, so that different texts have different ids. */
void html_id(FILE *stream, const char *prefix, const char *text);

/* Writes a data: URI of an SVG (RFC 2397), percent-encoded for a double-quoted attribute; a fifth smaller than base64.
 * Returns its length in bytes; a NULL stream only counts. */
size_t html_svg_uri(FILE *stream, const char *svg);

#endif
