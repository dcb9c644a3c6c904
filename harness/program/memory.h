/*
 * The program's answer to running out of memory: a message and exit status 4, at once. Only the program's part of the
 * harness may include this, the folders after harness/library in docs/architecture.md: everything in libhullbench
 * returns STATUS_NO_MEMORY instead. Output files are renamed into place when they are complete
 * (harness/support/file.h), so ending early leaves no half-written file.
 *
 * Each function does what the C library function in its name does, and never returns NULL. Results are released with
 * free.
 */
#ifndef HULLBENCH_MEMORY_H
#define HULLBENCH_MEMORY_H

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
/* A formatted text. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A stream whose text is in *text, *size bytes without the NUL, once it is flushed or closed
 * (harness/support/text_stream.h). */
FILE *xopen_text(char **text, size_t *size);
void xflush_text(FILE *stream);
void xclose_text(FILE *stream);

/* From here on a failed allocation inside cJSON ends the program too: cJSON itself would silently drop the member.
 * Called once, before any other thread runs. */
void memory_end_on_failure_in_cjson(void);

#endif
