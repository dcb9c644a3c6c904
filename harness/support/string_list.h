/* A list of lines to be shown to the user, such as missing items or differences. */
#ifndef HULLBENCH_STRING_LIST_H
#define HULLBENCH_STRING_LIST_H

#include <stddef.h>

struct string_list {
    char **line; /* without newlines */
    size_t count;
};

/* Adds a line; 0 when out of memory. */
int string_list_add(struct string_list *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Accepts zero-initialised lists. */
void string_list_free(struct string_list *notes);

#endif
