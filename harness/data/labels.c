/* The distinct labels of plain files, see labels.h. */
#include "harness/data/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_parts.h"

static int same(const struct label_seen *label, const char *text, int is_number, double number)
{
    return label->is_number && is_number ? label->number == number : strcmp(label->text, text) == 0;
}

enum status labels_add(struct label_set *set, const char *text, const struct label_place *at, unsigned char *which,
                       struct error *error)
{
    struct label_seen label = {.path = at->path, .line = at->line, .column = at->column};
    label.is_number = number_parse(text, &label.number);
    set->rows++;
    size_t i = 0;
    while (i < set->count && !same(&set->seen[i], text, label.is_number, label.number))
        i++;
    *which = (unsigned char)i;
    if (i < set->count || i == LABELS_MOST)
        return STATUS_OK;
    label.text = strdup(text);
    if (!label.text)
        return error_set(error, STATUS_NO_MEMORY, "%s:%zu: out of memory", at->path, at->line);
    set->seen[set->count++] = label;
    return STATUS_OK;
}

static const char *list(const struct label_set *set, char *text, size_t size)
{
    char shown[44];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < set->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", text_shown(set->seen[i].text, shown));
    if (set->count == LABELS_MOST && used < size)
        snprintf(text + used, size - used, ", ...");
    return text;
}

enum status labels_two(const struct label_set *set, unsigned char *positive, struct error *error)
{
    char text[512], shown[44];
    if (set->count == 1) {
        const struct label_seen *only = &set->seen[0];
        return error_set(error, STATUS_BAD_INPUT,
                         "%s:%zu:%zu: label \"%s\" is the only one in %zu rows; two classes are needed", only->path,
                         only->line, only->column, text_shown(only->text, shown), set->rows);
    }
    if (set->count != 2) {
        const struct label_seen *third = &set->seen[2];
        return error_set(
            error, STATUS_BAD_INPUT,
            "%s:%zu:%zu: label \"%s\" makes a third class; problems of two classes only are solved; labels found: %s",
            third->path, third->line, third->column, text_shown(third->text, shown), list(set, text, sizeof text));
    }
    const struct label_seen *a = &set->seen[0], *b = &set->seen[1];
    int first = a->is_number && b->is_number ? a->number > b->number : strcmp(a->text, b->text) > 0;
    *positive = first ? 0 : 1;
    return STATUS_OK;
}

void labels_free(struct label_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->seen[i].text);
    memset(set, 0, sizeof *set);
}
