/* A text file split into lines. */
#ifndef HULLBENCH_LINES_H
#define HULLBENCH_LINES_H

#include <stddef.h>

#include "solvers/error.h"

struct lines {
    char *text;  /* the file, with NULs in place of newlines */
    char **line; /* pointers into text, `count` of them */
    size_t count;
};

/* Reads a text file. STATUS_BAD_INPUT if the last line is cut off (no newline) or the file contains a NUL,
 * STATUS_NOT_FOUND if it does not exist. Free the result with lines_free. */
enum status lines_read(const char *path, struct lines *lines, struct error *error);
/* Accepts zero-initialised lines. */
void lines_free(struct lines *lines);

#endif
