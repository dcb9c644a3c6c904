/*
 * Figures inside a page. An SVG is made small without changing what it shows, and stands in the page as an <img> with a
 * data: URI, not as elements of the page: gnuplot gives the same ids to the parts of every figure, style sheets would
 * leak from one to the other, and a browser runs no script and loads nothing from within an image.
 */
#ifndef HULLBENCH_SVG_H
#define HULLBENCH_SVG_H

#include <stdio.h>

/* A malloc'ed smaller text of an SVG file: without comments, declarations, the spaces between and inside tags, groups
 * that hold nothing, definitions that nothing uses, a font that is everywhere the same, defaults and zeros behind the
 * point. A text that is not well enough formed to be understood comes back as it is. NULL when out of memory. */
char *svg_compact(const char *text);

/* Writes the src of an <img>, with the quotes: "data:image/svg+xml,...". Percent-encodes what an URI and what the
 * attribute do not bear; this is a fifth smaller than base64. */
void svg_write_uri(FILE *stream, const char *text);
/* How many bytes svg_write_uri writes. */
size_t svg_uri_bytes(const char *text);

/* The attributes width and height of the root, in pixels; 0 where they are not there. */
void svg_size(const char *text, double *width, double *height);

#endif
