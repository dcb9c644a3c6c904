/* Blocks of growing size; what is larger than a block gets one of its own. */
#include "harness/base/pool.h"

#include <cjson/cJSON.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/platform.h"

/* ---- pieces ---- */

void out_of_memory(void)
{
    die(STATUS_NO_MEMORY, "%s", status_text(STATUS_NO_MEMORY));
}

static void *checked(void *memory)
{
    if (!memory)
        out_of_memory();
    return memory;
}

void *xmalloc(size_t size)
{
    return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

void *xreallocarray(void *memory, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        out_of_memory();
    return checked(realloc(memory, count && size ? count * size : 1));
}

char *xstrndup(const char *text, size_t length)
{
    return checked(strndup(text, length));
}

char *xstrdup(const char *text)
{
    return xstrndup(text, strlen(text));
}

char *xasprintf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t size = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
    va_end(arguments);
    char *text = xmalloc(size);
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return text;
}

FILE *xopen_text(char **text, size_t *size)
{
    return checked(platform_text_stream(text, size));
}

void xflush_text(FILE *stream)
{
    if (fflush(stream) != 0 || ferror(stream))
        out_of_memory();
}

void xclose_text(FILE *stream)
{
    int failed = ferror(stream);
    if (fclose(stream) != 0 || failed)
        out_of_memory();
}

/* Before main, so that no tree is made otherwise. */
static __attribute__((constructor)) void end_on_failure_in_cjson(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = xmalloc, .free_fn = free});
}

/* ---- pools ---- */

/* The address sanitizer sees the end of a block only. */
#ifdef __SANITIZE_ADDRESS__
enum { FIRST_BLOCK = 1, LARGEST_BLOCK = 1 };
#else
enum { FIRST_BLOCK = 1 << 12, LARGEST_BLOCK = 1 << 20 };
#endif

struct block {
    struct block *before;
    size_t size, used; /* of `bytes` */
    int is_reused;     /* nonzero: what is not used need not be zero */
    alignas(max_align_t) unsigned char bytes[];
};

struct kept {
    struct kept *before;
    void (*release)(void *object);
    void *object;
};

struct pool {
    struct block *block; /* the latest; the first if it was reset */
    struct kept *kept;
    struct cleanup cleanup;
};

static void release(void *pool)
{
    pool_free(pool);
}

struct pool *pool_new_owned(void)
{
    return xcalloc(1, sizeof(struct pool));
}

struct pool *pool_new(void)
{
    struct pool *pool = pool_new_owned();
    cleanup_note(&pool->cleanup, release, pool);
    return pool;
}

struct pool *pool_new_inside(struct pool *outer)
{
    struct pool *pool = pool_new_owned();
    pool_keep(outer, release, pool);
    return pool;
}

/* Releases all but the first block. */
static void empty(struct pool *pool)
{
    for (; pool->kept; pool->kept = pool->kept->before)
        pool->kept->release(pool->kept->object);
    while (pool->block && pool->block->before) {
        struct block *latest = pool->block;
        pool->block = latest->before;
        free(latest);
    }
}

void pool_reset(struct pool *pool)
{
    empty(pool);
    if (pool->block) {
        pool->block->used = 0;
        pool->block->is_reused = 1;
    }
}

void pool_free(struct pool *pool)
{
    if (!pool)
        return;
    empty(pool);
    cleanup_cancel(&pool->cleanup);
    free(pool->block);
    free(pool);
}

void pool_keep(struct pool *pool, void (*release_object)(void *object), void *object)
{
    struct kept *kept = pool_alloc(pool, sizeof *kept);
    *kept = (struct kept){pool->kept, release_object, object};
    pool->kept = kept;
}

static void add_block(struct pool *pool, size_t size)
{
    const size_t twice = pool->block ? 2 * pool->block->size : FIRST_BLOCK;
    const size_t next = twice < LARGEST_BLOCK ? twice : LARGEST_BLOCK;
    const size_t bytes = size > next ? size : next;
    if (bytes > SIZE_MAX - sizeof(struct block))
        out_of_memory();
    struct block *block = xcalloc(1, sizeof *block + bytes); /* large blocks: pages that are not used cost nothing */
    block->before = pool->block;
    block->size = bytes;
    pool->block = block;
}

void *pool_alloc(struct pool *pool, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX - align)
        out_of_memory();
    size = size ? (size + align - 1) / align * align : align;
    if (!pool->block || pool->block->size - pool->block->used < size)
        add_block(pool, size);
    void *memory = pool->block->bytes + pool->block->used;
    pool->block->used += size;
    return pool->block->is_reused ? memset(memory, 0, size) : memory;
}

void *pool_array(struct pool *pool, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        out_of_memory();
    return pool_alloc(pool, count * size);
}

void *pool_grow(struct pool *pool, void *items, size_t count, size_t *capacity, size_t size)
{
    if (count + 1 < *capacity)
        return items;
    const size_t wanted = *capacity ? 2 * *capacity : 8;
    void *moved = pool_array(pool, wanted, size);
    if (count)
        memcpy(moved, items, count * size);
    *capacity = wanted;
    return moved;
}

void string_list_push(struct pool *pool, struct string_list *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    list->line = pool_grow(pool, list->line, list->count, &list->capacity, sizeof *list->line);
    list->line[list->count++] = pool_vprintf(pool, format, arguments);
    va_end(arguments);
}

int texts_have(const char *const *texts, const char *text)
{
    while (texts && *texts && strcmp(*texts, text) != 0)
        texts++;
    return texts && *texts;
}

static int by_bytes(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

void string_list_sort(struct string_list *list)
{
    if (list->count)
        qsort(list->line, list->count, sizeof *list->line, by_bytes);
}

char *pool_strndup(struct pool *pool, const char *text, size_t length)
{
    const size_t n = strnlen(text, length);
    char *copy = pool_alloc(pool, n + 1);
    return memcpy(copy, text, n);
}

char *pool_strdup(struct pool *pool, const char *text)
{
    return pool_strndup(pool, text, SIZE_MAX);
}

char *pool_vprintf(struct pool *pool, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        out_of_memory();
    char *text = pool_alloc(pool, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *pool_printf(struct pool *pool, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = pool_vprintf(pool, format, arguments);
    va_end(arguments);
    return text;
}

static void release_text(void *object)
{
    struct pool_text *text = object;
    if (text->stream)
        fclose(text->stream);
    free(text->text);
}

struct pool_text *pool_text_open(struct pool *pool)
{
    struct pool_text *text = pool_alloc(pool, sizeof *text);
    text->stream = xopen_text(&text->text, &text->size);
    pool_keep(pool, release_text, text);
    return text;
}

char *pool_text_end(struct pool_text *text)
{
    FILE *stream = text->stream;
    text->stream = NULL;
    xclose_text(stream);
    return text->text;
}
