/* Text on its way into an HTML page. Whatever comes from configurations, records, papers or file names passes through
 * here. */
#ifndef HULLBENCH_HTML_H
#define HULLBENCH_HTML_H

#include <stdio.h>

/* Escapes a text for contents and for attributes in double quotes: & < > " ' become entities; bytes that are not UTF-8,
 * and control characters, become U+FFFD. */
void html_text(FILE *stream, const char *text);

/* Copies `length` bytes of HTML; only bytes that are not UTF-8, and control characters, become U+FFFD. */
void html_copy(FILE *stream, const char *html, size_t length);

/* An id made of any text, fit as it stands for id="...", href="#..." and file names: letters, digits, '-' and '.' stay,
 * other bytes become '_' and two hexadecimal digits, so that different texts have different ids. */
void html_id(FILE *stream, const char *prefix, const char *text);

/* Writes a data: URI of an SVG (RFC 2397), percent-encoded for an attribute in double quotes; a fifth smaller than
 * base64. Returns its bytes; NULL as stream only counts them. */
size_t html_svg_uri(FILE *stream, const char *svg);

#endif
