/* A list of lines that is to be shown to someone: what is missing, what differs. */
#ifndef HULLBENCH_STRING_LIST_H
#define HULLBENCH_STRING_LIST_H

#include <stddef.h>

struct string_list {
    char **line; /* without newlines */
    size_t count;
};

/* Adds a line, cut where it is longer than 1000 bytes; 0 when out of memory. */
int string_list_add(struct string_list *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Accepts zeroed ones. */
void string_list_free(struct string_list *notes);

#endif
