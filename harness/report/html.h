/* Ids and data: URIs of an HTML page. */
#ifndef HULLBENCH_HTML_H
#define HULLBENCH_HTML_H

#include <stdio.h>

#include "harness/format/markup.h"

/* An id from any text, usable without escaping in id="...", href="#..." and file names: letters, digits, '-', '.' and
 * '=' stay, other bytes become '_' and two hexadecimal digits, so that different texts have different ids. */
void html_id(FILE *stream, const char *prefix, const char *text);

/* Writes a data: URI of an SVG (RFC 2397), percent-encoded for a double-quoted attribute; a fifth smaller than base64.
 * Returns its length in bytes; a NULL stream only counts. */
size_t html_svg_uri(FILE *stream, const char *svg);

#endif
