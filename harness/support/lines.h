/* A text file as its lines. */
#ifndef HULLBENCH_LINES_H
#define HULLBENCH_LINES_H

#include <stddef.h>

#include "solvers/error.h"

struct lines {
    char *text;  /* the file; newlines are NULs */
    char **line; /* count, into text */
    size_t count;
};

/* Reads a file of whole lines. STATUS_BAD_INPUT where the last one is cut off (no newline) or a NUL stands in the file,
 * STATUS_NOT_FOUND where there is no file. Released by lines_free. */
enum status lines_read(const char *path, struct lines *lines, struct error *error);
/* Accepts zeroed lines. */
void lines_free(struct lines *lines);

#endif
