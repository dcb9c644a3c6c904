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
    if (!*quote && !strchr("'=+-@", *text)) { /* most texts */
        fputs(text, stream);
        return;
    }
    fputs(quote, stream);
    fputs(is_formula(text) ? "'" : "", stream);
    for (const char *next; (next = strchr(text, '"')); text = next + 1) {
        fwrite(text, 1, (size_t)(next - text), stream);
        fputs("\"\"", stream);
    }
    fputs(text, stream);
    fputs(quote, stream);
}
