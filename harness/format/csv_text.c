/* See csv_text.h. */
#include "harness/format/csv_text.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
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
    char *field = xasprintf("%s%s", is_formula(text) ? "'" : "", text);
    if (strpbrk(field, ",\"\r\n"))
        csv_fwrite(stream, field, strlen(field));
    else
        fputs(field, stream);
    free(field);
}
