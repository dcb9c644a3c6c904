/* data: URIs (RFC 2397, percent-encoding by RFC 3986) inside an attribute in double quotes. */
#include <stdlib.h>
#include <string.h>

#include "harness/report/svg.h"

/* What a byte becomes, NULL as it is. The reader of a URI drops newlines and tabs. */
static const char *encoded(char c)
{
    switch (c) {
    case '"':
        return "%22";
    case '%':
        return "%25";
    case '#':
        return "%23";
    case '<':
        return "%3C";
    case '>':
        return "%3E";
    case '&':
        return "&amp;";
    case '\n':
    case '\r':
    case '\t':
        return "%20";
    default:
        return NULL;
    }
}

/* NULL as stream: counts only. */
static size_t each_byte(FILE *stream, const char *text)
{
    static const char head[] = "\"data:image/svg+xml;charset=utf-8,";
    size_t bytes = sizeof head;
    if (stream)
        fputs(head, stream);
    for (; *text; text++) {
        const char *code = encoded(*text);
        bytes += code ? strlen(code) : 1;
        if (stream && code)
            fputs(code, stream);
        else if (stream)
            fputc(*text, stream);
    }
    if (stream)
        fputc('"', stream);
    return bytes;
}

void svg_write_uri(FILE *stream, const char *text)
{
    each_byte(stream, text);
}

size_t svg_uri_bytes(const char *text)
{
    return each_byte(NULL, text);
}

void svg_size(const char *text, double *width, double *height)
{
    const char *root = strstr(text, "<svg"), *end = root ? strchr(root, '>') : NULL;
    double *const sizes[] = {width, height};
    static const char *const names[] = {"width=", "height="};
    for (int i = 0; i < 2; i++) {
        const char *at = root ? strstr(root, names[i]) : NULL;
        *sizes[i] = at && at < end ? strtod(at + strlen(names[i]) + 1, NULL) : 0;
    }
}
