/* Inside svg_compact: one tag at a time, into a growing text. */
#ifndef HULLBENCH_SVG_TAG_H
#define HULLBENCH_SVG_TAG_H

#include <stddef.h>

/* Zero-initialise; bytes are owned and end in NUL once anything was added. */
struct svg_text {
    char *bytes;
    size_t size, capacity;
    int failed; /* out of memory */
};
void svg_add(struct svg_text *text, const char *bytes, size_t size);

/* What holds for the whole file. */
struct svg_habits {
    int dataset_text_ends; /* linecap and linejoin have no value but the defaults */
    char font[120]; /* font-family="..." that all elements share, or "" */
};

/* Copies the tag from its '<' up to, not with, `end`, where its '>' stands, made small. Returns 0 where it is not
 * understood. */
int svg_add_tag(struct svg_text *out, const char *at, const char *end, const struct svg_habits *habits);

#endif
