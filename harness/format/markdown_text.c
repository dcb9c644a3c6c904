/* See markdown_text.h. */
#include "harness/format/markdown_text.h"

#include <string.h>

/* Whether Markdown reads the character at `at` as markup: brackets only of a link, emphasis only in pairs. */
static int is_markup(const char *text, const char *at)
{
    if (*at == '[' || *at == ']')
        return strstr(text, "](") != NULL || strstr(text, "][") != NULL;
    if (strchr("*_~$", *at))
        return strchr(text, *at) != strrchr(text, *at);
    return strchr("\\`<>|#&", *at) != NULL;
}

size_t markdown_text(FILE *stream, const char *text)
{
    const char *whole = text;
    size_t added = 0;
    for (; *text; text++) {
        const int is_special = is_markup(whole, text);
        added += is_special ? 1 : 0;
        if (stream && is_special)
            fputc('\\', stream);
        if (stream)
            fputc(*text == '\n' ? ' ' : *text, stream);
    }
    return added;
}
