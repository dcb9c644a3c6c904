/* Lists of strings, see string_list.h. */
#include "harness/support/string_list.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"

void string_list_push(struct pool *pool, struct string_list *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    list->line = pool_grow(pool, list->line, list->count, &list->capacity, sizeof *list->line);
    list->line[list->count++] = pool_vprintf(pool, format, arguments);
    va_end(arguments);
}

void string_list_add(struct string_list *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    list->line = xreallocarray(list->line, list->count + 1, sizeof *list->line);
    list->line[list->count++] = xvasprintf(format, arguments);
    va_end(arguments);
}

void string_list_add_once(struct string_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->line[i], text) == 0)
            return;
    string_list_add(list, "%s", text);
}

void string_list_free(struct string_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->line[i]);
    free(list->line);
    *list = (struct string_list){0};
}

struct string_list lines_read(struct pool *pool, const char *path)
{
    struct string_list lines = {0};
    size_t size;
    char *text = file_read(pool, path, &size);
    for (char *at = text, *end; at < text + size; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + size - at));
        if (!end)
            die(STATUS_BAD_INPUT, "%s:%zu: the file ends within this line, so it is cut off", path, lines.count + 1);
        *end = '\0';
        if (strlen(at) != (size_t)(end - at))
            die(STATUS_BAD_INPUT, "%s:%zu: zero byte: not a text file", path, lines.count + 1);
        lines.line = pool_grow(pool, lines.line, lines.count, &lines.capacity, sizeof *lines.line);
        lines.line[lines.count++] = at;
    }
    return lines;
}
