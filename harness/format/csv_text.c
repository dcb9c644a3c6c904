/* See csv_text.h. */
#include "harness/format/csv_text.h"

#include <stdlib.h>
#include <string.h>

#include "harness/support/decimal.h"

static int is_formula(const char *text)
{
    const char *begin = text + strspn(text, "'"), *end = begin;
    if (!*begin || !begin[1] || !strchr("=+-@", *begin))
        return 0;
    decimal_parse(begin, &end);
    return begin > text || *end;
}

void csv_text(FILE *stream, const char *text)
{
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
    fprintf(stream, "%s%s", quote, is_formula(text) ? "'" : "");
    for (size_t length; *text; text += length + (text[length] == '"')) {
        length = strcspn(text, "\"");
        fprintf(stream, "%.*s%s", (int)length, text, text[length] ? "\"\"" : "");
    }
    fputs(quote, stream);
}
