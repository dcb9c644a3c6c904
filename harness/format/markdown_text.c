/* See markdown_text.h. */
#include "harness/format/markdown_text.h"

#include <ctype.h>
#include <stdarg.h>
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

void put_markdown(FILE *stream, const char *format, ...)
{
    va_list texts;
    va_start(texts, format);
    for (; *format; format++) {
        if (strncmp(format, "%s", 2) != 0) {
            fputc(*format, stream);
            continue;
        }
        markdown_text(stream, va_arg(texts, const char *));
        format++;
    }
    va_end(texts);
}

/* Whether a tag begins at `at`, or a link's text ends: "](", "][" and, for its address elsewhere, "]:". */
static int is_active(const char *at)
{
    return (*at == '<' && (isalpha((unsigned char)at[1]) || (at[1] && strchr("/!?", at[1])))) ||
           (*at == ']' && at[1] && strchr("([:", at[1]));
}

void markdown_without_html(FILE *stream, const char *markdown)
{
    for (int is_escaped = 0; *markdown; markdown++) {
        if (!is_escaped && is_active(markdown))
            fputc('\\', stream);
        fputc(*markdown, stream);
        is_escaped = !is_escaped && *markdown == '\\';
    }
}
