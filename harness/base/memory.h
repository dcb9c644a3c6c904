/*
 * Memory of the program that is released piece by piece; most belongs into a pool (pool.h). Where none is left, the
 * program or the attempt ends (die.h). Only folders after harness/library in docs/architecture.md may include this;
 * libhullbench returns STATUS_NO_MEMORY instead.
 *
 * Each function behaves like the C library function in its name, but never returns NULL. Free the results with free.
 */
#ifndef HULLBENCH_MEMORY_H
#define HULLBENCH_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* die(STATUS_NO_MEMORY, "out of memory"). */
_Noreturn void out_of_memory(void);

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
/* Resizes `memory` (NULL: nothing yet) to `count` elements of `size` bytes. */
void *xreallocarray(void *memory, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
/* Formats a string. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Opens a stream. After flushing or closing, *text is its text and *size the length without the NUL. */
FILE *xopen_text(char **text, size_t *size);
void xflush_text(FILE *stream);
void xclose_text(FILE *stream);

/* Makes failed allocations inside cJSON end the program, too; otherwise cJSON would silently drop the member. Called
 * once, before other threads start. */
void memory_end_on_failure_in_cjson(void);

#endif
