/* Splits text files into lines, see lines.h. */
#include "harness/support/lines.h"

#include <string.h>

#include "harness/base/die.h"
#include "harness/support/file.h"

struct lines lines_read(struct pool *pool, const char *path)
{
    struct lines lines = {0};
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
