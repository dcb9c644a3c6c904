/*
 * LIBSVM (SVM-light) format. A line is
 *     label index:value index:value ... [# comment]
 * with indices from 0 or 1, ascending within the line; features that are left out are 0. The number of features is
 * known at the end of the file, so entries are collected first and made rows then, compressed or dense. An index for
 * which dense rows would be larger than the machine's memory is refused where it stands.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_text.h"
#include "harness/data/text_reader.h"

struct entry {
    size_t row, index;
    double value;
};

struct reader {
    struct text_reader text;
    struct label_set *labels;
    struct rows rows; /* dims 0: labels only, until the end */
    struct entry *entries;
    size_t count, capacity;
    int has_zero;   /* an index 0 was seen */
    size_t largest; /* index */
    struct label_place largest_at;
};

/* One "index:value"; *next is the least index it may have. */
static enum status feature_parse(struct reader *reader, const char *word, size_t *next)
{
    struct text_reader *text = &reader->text;
    struct entry entry = {.row = reader->rows.count};
    const char *colon = strchr(word, ':');
    char shown[44];
    if (!colon || colon == word || word[strspn(word, "0123456789")] != ':')
        return text_reader_fail(text, word, "\"%s\" is not index:value with a whole number from 0 for index",
                                text_shown(word, shown));
    if (!number_parse(colon + 1, &entry.value))
        return text_reader_fail(text, colon + 1,
                                "\"%s\" is not index:value with a number up to %g in size for value",
                                text_shown(word, shown), DATASET_LARGEST);
    unsigned long index = strtoul(word, NULL, 10); /* saturates where there are more digits than it holds */
    if (index >= INT_MAX)
        return text_reader_fail(text, word, "index of \"%s\" is not below %d", text_shown(word, shown), INT_MAX);
    if (index < *next)
        return text_reader_fail(text, word, "index %lu comes after %zu; indices have to ascend", index, *next - 1);
    *next = index + 1;
    entry.index = index;
    reader->has_zero |= index == 0;
    if (index > reader->largest) {
        reader->largest = index;
        reader->largest_at = (struct label_place){text->path, text->line, text_reader_column(text, word)};
    }
    if (!array_grow(&reader->entries, reader->count, &reader->capacity, sizeof entry))
        return text_reader_no_memory(text);
    reader->entries[reader->count++] = entry;
    return STATUS_OK;
}

static enum status line_parse(struct reader *reader, const char *word)
{
    struct text_reader *text = &reader->text;
    const struct label_place at = {text->path, text->line, text_reader_column(text, word)};
    char shown[44];
    unsigned char which;
    size_t next = 0;
    double ignored;
    if (!number_parse(word, &ignored))
        return text_reader_fail(text, word, "label \"%s\" is not a number", text_shown(word, shown));
    enum status status = labels_add(reader->labels, word, &at, &which, text->error);
    while (status == STATUS_OK && (word = text_reader_word(text)))
        status = feature_parse(reader, word, &next);
    if (status == STATUS_OK && !rows_add(&reader->rows))
        return text_reader_no_memory(text);
    if (status == STATUS_OK)
        reader->rows.y[reader->rows.count - 1] = (signed char)which;
    return status;
}

/* Entries stand in the order of rows, those of a row in that of indices. */
static void fill(const struct reader *reader, size_t first, struct patterns *patterns)
{
    size_t count = 0, row = 0;
    for (size_t k = 0; k < reader->count; k++) {
        const struct entry *entry = &reader->entries[k];
        if (!patterns_are_compressed(patterns))
            patterns->values[entry->row * patterns->dims + entry->index - first] = entry->value;
        else if (entry->value != 0) {
            while (row < entry->row)
                patterns->begin[++row] = count;
            patterns->feature[count] = (uint32_t)(entry->index - first);
            patterns->values[count++] = entry->value;
        }
    }
    while (patterns_are_compressed(patterns) && row < patterns->rows)
        patterns->begin[++row] = count;
}

static enum status spread(struct reader *reader, struct labelled_table *table, struct error *error)
{
    size_t first = reader->has_zero ? 0 : 1, rows = reader->rows.count, dims = reader->largest + 1 - first;
    char where[512];
    if (rows == 0 || dims == 0)
        return error_set(error, STATUS_BAD_INPUT, "%s:1:1: no %s", reader->text.path,
                         rows == 0 ? "rows" : "features");
    enum patterns_form form = patterns_choose(dataset_text_form(), rows, dims, reader->count);
    snprintf(where, sizeof where, "%s:%zu:%zu: index %zu", reader->text.path, reader->largest_at.line,
             reader->largest_at.column, reader->largest);
    enum status status = form == PATTERNS_DENSE ? dataset_text_check_size(where, rows, dims, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = patterns_create(&table->patterns, rows, dims, reader->count, form, error);
    if (status != STATUS_OK)
        return status;
    fill(reader, first, &table->patterns);
    table->rows = rows;
    table->y = (unsigned char *)reader->rows.y;
    table->first_index = first;
    reader->rows.y = NULL;
    return STATUS_OK;
}

enum status labelled_table_read_libsvm(const struct input *input, struct label_set *labels,
                                       struct labelled_table *table, struct error *error)
{
    struct reader reader = {
        .text = {.path = input->path, .blanks = " \t\r\v\f", .has_comments = 1, .error = error},
        .labels = labels,
        .largest_at = {input->path, 1, 1},
    };
    const char *word;
    enum status status = text_reader_open(&reader.text, input->text, input->size);
    while (status == STATUS_OK && (word = text_reader_line(&reader.text)))
        status = line_parse(&reader, word);
    if (status == STATUS_OK)
        status = spread(&reader, table, error);
    text_reader_close(&reader.text);
    free(reader.entries);
    rows_free(&reader.rows);
    return status;
}
