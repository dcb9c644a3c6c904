/*
 * LIBSVM (SVM-light) format. A line is
 *     label index:value index:value ... [# comment]
 * with indices from 1, ascending within the line; features that are left out are 0. The number of features is the
 * largest index of the file, so entries are collected first and spread out when the file is known whole.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/dataset_parts.h"

/* Patterns are held densely: a stray index must not ask for terabytes. */
enum { largest_index = 1000000 };

struct entry {
    size_t row, index;
    double value;
};

struct reader {
    const char *path;
    size_t line, dims;
    struct entry *entries;
    size_t count, capacity;
    struct rows labels; /* dims 0 */
};

static enum status entry_add(struct reader *reader, struct entry entry, struct error *error)
{
    if (reader->count == reader->capacity) {
        size_t wanted = reader->capacity ? 2 * reader->capacity : 1024;
        struct entry *entries = realloc(reader->entries, wanted * sizeof *entries);
        if (!entries)
            return error_set(error, STATUS_NO_MEMORY, "%s:%zu: out of memory", reader->path, reader->line);
        reader->entries = entries;
        reader->capacity = wanted;
    }
    reader->entries[reader->count++] = entry;
    return STATUS_OK;
}

/* One "index:value"; `before` is the index before it, which it has to exceed. */
static enum status feature_parse(struct reader *reader, char *word, size_t *before, struct error *error)
{
    struct entry entry = {.row = reader->labels.count};
    char shown[44], *colon = strchr(word, ':');
    if (!colon || colon == word || word[strspn(word, "0123456789")] != ':' || !number_parse(colon + 1, &entry.value))
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: \"%s\" is not index:value with a number up to %g in size",
                         reader->path, reader->line, text_shown(word, shown), DATASET_LARGEST);
    /* More digits than the largest index has would overflow nothing here: strtoul saturates. */
    unsigned long index = strtoul(word, NULL, 10);
    if (index < 1 || index > largest_index)
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: index of \"%s\" is not from 1 to %d", reader->path,
                         reader->line, text_shown(word, shown), (int)largest_index);
    if (index <= *before)
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: index %lu comes after %zu; indices have to ascend",
                         reader->path, reader->line, index, *before);
    *before = index;
    entry.index = index - 1;
    if (index > reader->dims)
        reader->dims = index;
    return entry_add(reader, entry, error);
}

static enum status line_parse(struct reader *reader, char *line, struct error *error)
{
    static const char blanks[] = " \t\r\v\f";
    char shown[44], *rest = NULL;
    size_t before = 0;
    double label = 0;
    line[strcspn(line, "#")] = '\0';
    char *word = strtok_r(line, blanks, &rest);
    if (!word)
        return STATUS_OK;
    if (!number_parse(word, &label) || (label != 1 && label != -1))
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: label \"%s\" is not +1 or -1", reader->path, reader->line,
                         text_shown(word, shown));
    while ((word = strtok_r(NULL, blanks, &rest))) {
        enum status status = feature_parse(reader, word, &before, error);
        if (status != STATUS_OK)
            return status;
    }
    return rows_add(&reader->labels, NULL, label > 0 ? 1 : -1, reader->path, error);
}

static enum status spread(const struct reader *reader, struct dataset *dataset, struct error *error)
{
    if (reader->labels.count == 0 || reader->dims == 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: no %s", reader->path,
                         reader->labels.count == 0 ? "rows" : "features");
    enum status status = dataset_allocate(dataset, reader->labels.count, reader->dims, error);
    if (status != STATUS_OK)
        return status;
    memcpy(dataset->y, reader->labels.y, reader->labels.count);
    for (size_t i = 0; i < reader->count; i++) {
        const struct entry *entry = &reader->entries[i];
        dataset->x[entry->row * reader->dims + entry->index] = entry->value;
    }
    return STATUS_OK;
}

enum status dataset_read_libsvm(const struct input *input, struct dataset *dataset, struct error *error)
{
    enum status status = STATUS_OK;
    struct reader reader = {.path = input->path};
    char *text = malloc(input->size + 1);
    if (!text)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", input->path);
    memcpy(text, input->text, input->size + 1);
    char *end = text + input->size;
    for (char *line = text; line < end && status == STATUS_OK;) {
        char *newline = memchr(line, '\n', (size_t)(end - line)), *stop = newline ? newline : end;
        reader.line++;
        *stop = '\0';
        if (memchr(line, '\0', (size_t)(stop - line)))
            status = error_set(error, STATUS_BAD_INPUT, "%s:%zu: a zero byte: not a text file", input->path,
                               reader.line);
        else
            status = line_parse(&reader, line, error);
        line = stop + 1;
    }
    if (status == STATUS_OK)
        status = spread(&reader, dataset, error);
    free(text);
    free(reader.entries);
    rows_free(&reader.labels);
    return status;
}
