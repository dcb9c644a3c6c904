/*
 * Handles running out of memory: prints a message and exits with status 4 immediately. Only the program's part of the
 * harness, the folders after harness/library in docs/architecture.md, may include this; everything in libhullbench
 * returns STATUS_NO_MEMORY instead. Output files are renamed into place when they are complete
 * (harness/support/file.h), so an early exit leaves no partial file.
 *
 * Each function behaves like the C library function in its name, but never returns NULL. Free the results with free.
 */
#ifndef HULLBENCH_MEMORY_H
#define HULLBENCH_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Writes "hullbench: out of memory" to standard error and ends the process with status 4. Safe to call from any
 * thread. */
void out_of_memory(void) __attribute__((noreturn));

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
/* Resizes `memory` (NULL: nothing yet) to `count` elements of `size` bytes. */
void *xreallocarray(void *memory, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
/* Formats a string. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* file_name_join (harness/run/file_name.h). */
char *xfile_name(const char *const *parts);

/* Opens a stream. After flushing or closing, *text is its text and *size the length without the NUL
 * (harness/support/text_stream.h). */
FILE *xopen_text(char **text, size_t *size);
void xflush_text(FILE *stream);
void xclose_text(FILE *stream);

/* Makes failed allocations inside cJSON end the program, too; otherwise cJSON would silently drop the member. Called
 * once, before other threads start. */
void memory_end_on_failure_in_cjson(void);

#endif
