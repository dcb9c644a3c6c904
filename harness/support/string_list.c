/* Lists of strings, see string_list.h. */
#include "harness/support/string_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int string_list_add(struct string_list *notes, const char *format, ...)
{
    char text[1001], *copy;
    va_list words;
    va_start(words, format);
    vsnprintf(text, sizeof text, format, words);
    va_end(words);
    char **grown = realloc(notes->line, (notes->count + 1) * sizeof *grown);
    if (grown)
        notes->line = grown;
    if (!grown || !(copy = strdup(text)))
        return 0;
    notes->line[notes->count++] = copy;
    return 1;
}

void string_list_free(struct string_list *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->line[i]);
    free(notes->line);
    *notes = (struct string_list){0};
}
