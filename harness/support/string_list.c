/* Lists of strings, see string_list.h. */
#include "harness/support/string_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int string_list_add(struct string_list *notes, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    char **grown = text ? realloc(notes->line, (notes->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(text);
        return 0;
    }
    notes->line = grown;
    notes->line[notes->count++] = text;
    return 1;
}

void string_list_free(struct string_list *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->line[i]);
    free(notes->line);
    *notes = (struct string_list){0};
}
