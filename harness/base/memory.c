#include "harness/base/memory.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/platform.h"

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

void memory_end_on_failure_in_cjson(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = xmalloc, .free_fn = free});
}
