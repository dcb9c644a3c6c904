/* A list of lines: of a file, of names, or to be shown to the user, such as missing items or differences. */
#ifndef HULLBENCH_STRING_LIST_H
#define HULLBENCH_STRING_LIST_H

#include <stddef.h>

#include "harness/base/pool.h"

struct string_list {
    char **line; /* without newlines */
    size_t count;
    size_t capacity; /* of a list in a pool */
};

/* Reads a text file into its lines. STATUS_BAD_INPUT if the last line is cut off (no newline) or the file contains a
 * NUL, STATUS_NOT_FOUND if it does not exist. */
struct string_list lines_read(struct pool *pool, const char *path);

/* Adds a line to a list in the pool, which is not freed with string_list_free. */
void string_list_push(struct pool *pool, struct string_list *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void string_list_add(struct string_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the text unless the list has it. */
void string_list_add_once(struct string_list *list, const char *text);
/* Accepts zero-initialised lists. */
void string_list_free(struct string_list *list);

#endif
