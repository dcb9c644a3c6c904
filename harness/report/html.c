/* HTML 5: escaping (section 13.3 of the standard's serialisation), ids and data: URIs. */
#include "harness/report/html.h"

#include <stdlib.h>
#include <string.h>

#include "solvers/visible_text.h"

/* The length in bytes of the UTF-8 character at `text`, of `left` bytes; 0 if it is invalid or cut off. */
static size_t character_bytes(const char *text, size_t left)
{
    char next[5] = "";
    uint32_t code;
    memcpy(next, text, left < 4 ? left : 4);
    return utf8_decode(next, &code);
}

/* Copies text; `replace` (NULL: none) has the replacements of ASCII characters. */
static void copy(FILE *stream, const char *text, size_t length, const char *const *replace)
{
    for (size_t i = 0; i < length;) {
        const unsigned char c = (unsigned char)text[i];
        size_t bytes = character_bytes(text + i, length - i);
        if (replace && c < 0x80 && replace[c])
            fputs(replace[c], stream);
        else if (bytes == 0 || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            fputs("\xef\xbf\xbd", stream);
        else
            fwrite(text + i, 1, bytes, stream);
        i += bytes ? bytes : 1;
    }
}

void html_text(FILE *stream, const char *text)
{
    static const char *const entities[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    copy(stream, text, strlen(text), entities);
}

void html_copy(FILE *stream, const char *html, size_t length)
{
    copy(stream, html, length, NULL);
}

void html_id(FILE *stream, const char *prefix, const char *text)
{
    fputs(prefix, stream);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
            c == '=')
            fputc(c, stream);
        else
            fprintf(stream, "_%02x", c);
    }
}

size_t html_svg_uri(FILE *stream, const char *svg)
{
    static const char head[] = "data:image/svg+xml;charset=utf-8,";
    static const char *const codes[128] = {['"'] = "%22", ['%'] = "%25",   ['#'] = "%23",  ['<'] = "%3C", ['>'] = "%3E",
                                           ['&'] = "&amp;", /* URI parsers drop newlines and tabs: */
                                           ['\n'] = "%20", ['\r'] = "%20", ['\t'] = "%20"};
    size_t bytes = strlen(head);
    if (stream)
        fputs(head, stream);
    for (; *svg; svg++) {
        const char *code = (unsigned char)*svg < 0x80 ? codes[(unsigned char)*svg] : NULL;
        bytes += code ? strlen(code) : 1;
        if (stream && code)
            fputs(code, stream);
        else if (stream)
            fputc(*svg, stream);
    }
    return bytes;
}
