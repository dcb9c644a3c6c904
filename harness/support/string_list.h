/* A list of lines that is to be shown to someone: what is missing, what differs. */
#ifndef HULLBENCH_NOTES_H
#define HULLBENCH_NOTES_H

#include <stddef.h>

struct notes {
    char **line; /* without newlines */
    size_t count;
};

/* Adds a line, cut where it is longer than 1000 bytes; 0 when out of memory. */
int notes_add(struct notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Accepts zeroed ones. */
void notes_free(struct notes *notes);

#endif
