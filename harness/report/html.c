/* Ids and data: URIs. */
#include "harness/report/html.h"

#include <string.h>

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
