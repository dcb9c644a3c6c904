#include "harness/program/memory.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/file_name.h"
#include "harness/support/text_stream.h"

enum { STATUS_OF_SYSTEM_FAILURE = 4 }; /* EXIT_SYSTEM of harness/cli/cli.h, which this folder may not include */

void out_of_memory(void)
{
    static const char message[] = "hullbench: out of memory\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(STATUS_OF_SYSTEM_FAILURE); /* immediately: other threads may be running, and locks end with the process */
}

void *xmalloc(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

void *xcalloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

void *xreallocarray(void *memory, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        out_of_memory();
    void *moved = realloc(memory, count && size ? count * size : 1);
    if (!moved)
        out_of_memory();
    return moved;
}

char *xstrndup(const char *text, size_t length)
{
    char *copy = strndup(text, length);
    if (!copy)
        out_of_memory();
    return copy;
}

char *xstrdup(const char *text)
{
    return xstrndup(text, strlen(text));
}

char *xvasprintf(const char *format, va_list arguments)
{
    va_list again;
    char most[256]; /* texts that are shorter are printed once */
    va_copy(again, arguments);
    const size_t size = (size_t)vsnprintf(most, sizeof most, format, again) + 1;
    va_end(again);
    char *text = xmalloc(size);
    if (size <= sizeof most)
        memcpy(text, most, size);
    else
        vsnprintf(text, size, format, arguments);
    return text;
}

char *xasprintf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = xvasprintf(format, arguments);
    va_end(arguments);
    return text;
}

char *xfile_name(const char *const *parts)
{
    char *name = file_name_join("", parts, "");
    if (!name)
        out_of_memory();
    return name;
}

FILE *xopen_text(char **text, size_t *size)
{
    FILE *stream = text_stream_open(text, size);
    if (!stream)
        out_of_memory();
    return stream;
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

void memory_end_on_failure_in_cjson(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = xmalloc, .free_fn = free});
}
