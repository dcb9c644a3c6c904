/* HTML 5: escaping (section 13.3 of the standard's serialisation), ids, and the frame of tables. */
#include "harness/report/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of the UTF-8 character at `text`, of which `left` are there; 0 where it is not one. */
static size_t character_bytes(const unsigned char *text, size_t left)
{
    size_t n = text[0] < 0x80                      ? 1
               : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
               : (text[0] & 0xf0) == 0xe0          ? 3
               : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                   : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    /* no overlong forms, surrogates or points above U+10FFFF */
    if (n == 3 && ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f)))
        return 0;
    if (n == 4 && ((text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f)))
        return 0;
    return n;
}

void html_text_n(FILE *stream, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        const unsigned char c = (unsigned char)text[i];
        size_t bytes = character_bytes((const unsigned char *)text + i, length - i);
        if (c == '&')
            fputs("&amp;", stream);
        else if (c == '<')
            fputs("&lt;", stream);
        else if (c == '>')
            fputs("&gt;", stream);
        else if (c == '"')
            fputs("&quot;", stream);
        else if (c == '\'')
            fputs("&#39;", stream);
        else if (bytes == 0 || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            fputs("\xef\xbf\xbd", stream);
        else
            fwrite(text + i, 1, bytes, stream);
        i += bytes ? bytes : 1;
    }
}

void html_text(FILE *stream, const char *text)
{
    html_text_n(stream, text, strlen(text));
}

void html_format(FILE *stream, const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    html_text(stream, text);
}

void html_id(FILE *stream, const char *prefix, const char *text)
{
    fputs(prefix, stream);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.')
            fputc(c, stream);
        else
            fprintf(stream, "_%02x", c);
    }
}

void html_table_open(FILE *stream, const char *class_name, size_t number)
{
    fprintf(stream,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption-%zu\">\n"
            "<table class=\"%s\"><caption id=\"caption-%zu\"><span>",
            number, class_name, number);
}

void html_table_close(FILE *stream)
{
    fputs("</table></div>\n", stream);
}

void html_heads(FILE *stream, const char *const *heads, size_t n)
{
    fputs("<thead><tr>", stream);
    for (size_t i = 0; i < n; i++) {
        const int left = *heads[i] == '<';
        fputs(left ? "<th scope=\"col\" class=\"t\">" : "<th scope=\"col\">", stream);
        html_text(stream, heads[i] + left);
        fputs("</th>", stream);
    }
    fputs("</tr></thead>\n", stream);
}
