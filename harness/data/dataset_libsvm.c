/*
 * LIBSVM (SVM-light) format. A line is
 *     label index:value index:value ... [# comment]
 * with indices from 0 or 1, ascending within the line; features that are left out are 0. The number of features is
 * known at the end of the file, so entries are collected first and spread out then. Patterns are held densely: an index
 * that asks for more than the machine has is refused where it stands.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_text.h"

struct count_record {
    size_t row, index;
    double value;
};

struct reader {
    const char *path, *start; /* start: of the present line */
    size_t line;
    struct label_set *labels;
    struct rows rows; /* dims 0: labels only, until the end */
    struct count_record *entries;
    size_t count, capacity;
    int has_zero;   /* an index 0 was seen */
    size_t largest; /* index */
    struct label_place largest_at;
    struct error *error;
};

static size_t column_of(const struct reader *reader, const char *at)
{
    return (size_t)(at - reader->start) + 1;
}

static enum status entry_add(struct reader *reader, struct count_record entry)
{
    if (reader->count == reader->capacity) {
        size_t wanted = reader->capacity ? 2 * reader->capacity : 1024;
        struct count_record *entries = realloc(reader->entries, wanted * sizeof *entries);
        if (!entries)
            return error_set(reader->error, STATUS_NO_MEMORY, "%s:%zu: out of memory", reader->path, reader->line);
        reader->entries = entries;
        reader->capacity = wanted;
    }
    reader->entries[reader->count++] = entry;
    return STATUS_OK;
}

/* One "index:value"; *next is the least index it may have. */
static enum status feature_parse(struct reader *reader, const char *word, size_t *next)
{
    const char *colon = strchr(word, ':');
    struct label_place at = {reader->path, reader->line, column_of(reader, word)};
    struct count_record entry = {.row = reader->rows.count};
    char shown[44];
    if (!colon || colon == word || word[strspn(word, "0123456789")] != ':')
        return error_set(reader->error, STATUS_BAD_INPUT,
                         "%s:%zu:%zu: \"%s\" is not index:value with a whole number from 0 "
                         "for index",
                         at.path, at.line, at.column, text_shown(word, shown));
    if (!number_parse(colon + 1, &entry.value))
        return error_set(reader->error, STATUS_BAD_INPUT,
                         "%s:%zu:%zu: \"%s\" is not index:value with a number up to %g in "
                         "size for value",
                         at.path, at.line, column_of(reader, colon + 1), text_shown(word, shown), DATASET_LARGEST);
    unsigned long index = strtoul(word, NULL, 10); /* saturates where there are more digits than it holds */
    if (index >= INT_MAX)
        return error_set(reader->error, STATUS_BAD_INPUT, "%s:%zu:%zu: index of \"%s\" is not below %d", at.path,
                         at.line, at.column, text_shown(word, shown), INT_MAX);
    if (index < *next)
        return error_set(reader->error, STATUS_BAD_INPUT,
                         "%s:%zu:%zu: index %lu comes after %zu; indices have to ascend", at.path, at.line, at.column,
                         index, *next - 1);
    *next = index + 1;
    entry.index = index;
    reader->has_zero |= index == 0;
    if (index > reader->largest) {
        reader->largest = index;
        reader->largest_at = at;
    }
    return entry_add(reader, entry);
}

static enum status line_parse(struct reader *reader, char *line)
{
    static const char blanks[] = " \t\r\v\f";
    char shown[44], *rest = NULL;
    unsigned char which;
    size_t next = 0;
    double ignored;
    line[strcspn(line, "#")] = '\0';
    char *word = strtok_r(line, blanks, &rest);
    if (!word)
        return STATUS_OK;
    const struct label_place at = {reader->path, reader->line, column_of(reader, word)};
    if (!number_parse(word, &ignored))
        return error_set(reader->error, STATUS_BAD_INPUT, "%s:%zu:%zu: label \"%s\" is not a number", at.path, at.line,
                         at.column, text_shown(word, shown));
    enum status status = labels_add(reader->labels, word, &at, &which, reader->error);
    while (status == STATUS_OK && (word = strtok_r(NULL, blanks, &rest)))
        status = feature_parse(reader, word, &next);
    return status == STATUS_OK ? rows_add(&reader->rows, NULL, (signed char)which, reader->path, reader->error)
                               : status;
}

static enum status spread(struct reader *reader, struct labelled_table *table)
{
    size_t first = reader->has_zero ? 0 : 1, rows = reader->rows.count, dims = reader->largest + 1 - first;
    char where[512];
    if (rows == 0 || dims == 0)
        return error_set(reader->error, STATUS_BAD_INPUT, "%s:1:1: no %s", reader->path,
                         rows == 0 ? "rows" : "features");
    snprintf(where, sizeof where, "%s:%zu:%zu: index %zu", reader->path, reader->largest_at.line,
             reader->largest_at.column, reader->largest);
    enum status status = dataset_text_check_size(where, rows, dims, reader->error);
    if (status != STATUS_OK)
        return status;
    double *x = calloc(rows * dims, sizeof *x);
    if (!x)
        return error_set(reader->error, STATUS_NO_MEMORY, "%s: %zu x %zu values do not fit into memory", reader->path,
                         rows, dims);
    for (size_t i = 0; i < reader->count; i++)
        x[reader->entries[i].row * dims + reader->entries[i].index - first] = reader->entries[i].value;
    free(reader->rows.x);
    reader->rows.x = x;
    reader->rows.dims = dims;
    *table = (struct labelled_table){reader->rows, first};
    memset(&reader->rows, 0, sizeof reader->rows);
    return STATUS_OK;
}

enum status dataset_text_read_libsvm(const struct input *input, struct label_set *labels, struct labelled_table *table,
                              struct error *error)
{
    enum status status = STATUS_OK;
    struct reader reader = {.path = input->path, .labels = labels, .largest_at = {input->path, 1, 1}, .error = error};
    char *text = malloc(input->size + 1);
    if (!text)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", input->path);
    memcpy(text, input->text, input->size + 1);
    char *end = text + input->size;
    for (char *line = text; line < end && status == STATUS_OK;) {
        char *newline = memchr(line, '\n', (size_t)(end - line)), *stop = newline ? newline : end;
        reader.line++;
        reader.start = line;
        *stop = '\0';
        const char *zero = memchr(line, '\0', (size_t)(stop - line));
        size_t mark = line == text && strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* a byte order mark is no label */
        if (zero)
            status = error_set(error, STATUS_BAD_INPUT, "%s:%zu:%zu: a zero byte: not a text file", input->path,
                               reader.line, column_of(&reader, zero));
        else
            status = line_parse(&reader, line + mark);
        line = stop + 1;
    }
    if (status == STATUS_OK)
        status = spread(&reader, table);
    free(text);
    free(reader.entries);
    rows_free(&reader.rows);
    return status;
}
