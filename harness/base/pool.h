/*
 * Memory. Where none is left, the program or the attempt ends with STATUS_NO_MEMORY (die.h), also inside cJSON, which
 * would otherwise drop members in silence. Only folders after harness/library in docs/architecture.md may include this;
 * libhullbench returns STATUS_NO_MEMORY instead.
 *
 * A pool is memory that is released together. A verb has one; a long loop may have one of its own that it resets. It is
 * used by one thread at a time.
 */
#ifndef HULLBENCH_POOL_H
#define HULLBENCH_POOL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct pool;

/* A new pool. If an error ends the attempt in which it was made, it is released as if by pool_free. */
struct pool *pool_new(void);
/* The same for a member of a struct whose owner releases it also after errors. */
struct pool *pool_new_owned(void);
/* A pool that is released with another one. */
struct pool *pool_new_inside(struct pool *outer);
/* Releases the pool with everything in it, the latest first. Accepts NULL. */
void pool_free(struct pool *pool);
/* The same, but keeps the pool for further use. */
void pool_reset(struct pool *pool);
/* Calls release(object) when the pool is released or reset: for memory of libraries, such as JSON trees. */
void pool_keep(struct pool *pool, void (*release)(void *object), void *object);

/* Zeroed memory, aligned for every type; never NULL. */
void *pool_alloc(struct pool *pool, size_t size);
void *pool_array(struct pool *pool, size_t count, size_t size);

char *pool_strdup(struct pool *pool, const char *text);
char *pool_strndup(struct pool *pool, const char *text, size_t length);
char *pool_printf(struct pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *pool_vprintf(struct pool *pool, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* A list of lines: of a file, of names, or to be shown to the user. */
struct string_list {
    char **line; /* without newlines */
    size_t count, capacity;
};
void string_list_push(struct pool *pool, struct string_list *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Sorts the lines by their bytes, which no locale changes. */
void string_list_sort(struct string_list *list);

/* Whether the NULL-terminated list has the text; NULL: it is empty. */
int texts_have(const char *const *texts, const char *text);

/* The members of a list, `struct names LIST_OF(char *)`; zero-initialised. */
#define LIST_OF(type) \
    { \
        type *item; \
        size_t count, capacity; \
    }
/* Appends a zeroed element to a list, and evaluates to its address, which is valid until the next push. If the list is
 * read after an attempt, make what it shall hold before: C may push first, and then evaluate what is assigned. */
#define pool_push(pool, list) \
    ((list)->item = pool_grow((pool), (list)->item, (list)->count, &(list)->capacity, sizeof *(list)->item), \
     (list)->item + (list)->count++)
/* Memory for count + 2 elements, of which the first `count` are those of `items`; the rest is zeroed. So a zeroed
 * element, such as a NULL, ends a list that only grew. */
void *pool_grow(struct pool *pool, void *items, size_t count, size_t *capacity, size_t size);

/* ---- memory that is released piece by piece, with free ---- */

/* die(STATUS_NO_MEMORY, "out of memory"). */
_Noreturn void out_of_memory(void);

/* As the C library's functions of these names, but never NULL. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xreallocarray(void *memory, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Opens a stream. After flushing or closing, *text is its text and *size the length without the NUL; size may be
 * NULL. */
FILE *xopen_text(char **text, size_t *size);
void xflush_text(FILE *stream);
void xclose_text(FILE *stream);

/* A text that is written as a stream, with its length. */
struct pool_text {
    FILE *stream; /* NULL once it has ended */
    char *text;
    size_t size;
};
/* Opens the stream; if it has not ended when the pool is released, it is closed then. Closes it and returns the text,
 * which the pool keeps. */
struct pool_text *pool_text_open(struct pool *pool);
char *pool_text_end(struct pool_text *text);

#endif
