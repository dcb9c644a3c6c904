/* See markdown_text.h. */
#include "harness/format/markdown_text.h"

#include <string.h>

size_t markdown_text(FILE *stream, const char *text)
{
    size_t added = 0;
    for (; *text; text++) {
        const int is_special = strchr("\\`*_[]<>|#&~$", *text) != NULL;
        added += is_special ? 1 : 0;
        if (stream && is_special)
            fputc('\\', stream);
        if (stream)
            fputc(*text == '\n' ? ' ' : *text, stream);
    }
    return added;
}
