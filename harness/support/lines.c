/* Splits text files into lines, see lines.h. */
#include "harness/support/lines.h"

#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"

static enum status split_up(const char *path, size_t size, struct lines *lines, struct error *error)
{
    size_t capacity = 0;
    for (char *at = lines->text, *end; at < lines->text + size; at = end + 1) {
        end = memchr(at, '\n', (size_t)(lines->text + size - at));
        if (!end)
            return error_set(error, STATUS_BAD_INPUT, "%s:%zu: the file ends within this line, so it is cut off", path,
                             lines->count + 1);
        *end = '\0';
        if (strlen(at) != (size_t)(end - at))
            return error_set(error, STATUS_BAD_INPUT, "%s:%zu: zero byte: not a text file", path, lines->count + 1);
        if (lines->count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            char **grown = realloc(lines->line, capacity * sizeof *grown);
            if (!grown)
                return error_set(error, STATUS_NO_MEMORY, "%s:%zu: out of memory", path, lines->count + 1);
            lines->line = grown;
        }
        lines->line[lines->count++] = at;
    }
    return STATUS_OK;
}

enum status lines_read(const char *path, struct lines *lines, struct error *error)
{
    size_t size = 0;
    *lines = (struct lines){0};
    enum status status = file_read(path, &lines->text, &size, error);
    if (status == STATUS_OK)
        status = split_up(path, size, lines, error);
    if (status != STATUS_OK)
        lines_free(lines);
    return status;
}

void lines_free(struct lines *lines)
{
    free(lines->text);
    free(lines->line);
    *lines = (struct lines){0};
}
