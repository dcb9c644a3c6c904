/* A text file split into lines. */
#ifndef HULLBENCH_LINES_H
#define HULLBENCH_LINES_H

#include "harness/base/pool.h"

struct lines {
    char **line; /* without newlines */
    size_t count, capacity;
};

/* Reads a text file. STATUS_BAD_INPUT if the last line is cut off (no newline) or the file contains a NUL,
 * STATUS_NOT_FOUND if it does not exist. */
struct lines lines_read(struct pool *pool, const char *path);

#endif
