/*
 * Splits listed in a user's file. Each begins with a line "train ROWS", which a line "test ROWS" may follow; without
 * one, all other rows test. ROWS are numbers and ranges such as "1 4 7-20", counted from 1 in the order of the
 * patterns; "#" starts a comment. The first split is number 1.
 */
#include "harness/data/dataset_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/text_reader.h"

/* One part of a split: `count` rows from `first` on in the combined list. */
struct part {
    size_t first, count, line;
};

struct parts {
    struct part train, test; /* without a test line, test takes the other rows */
};

struct reader {
    struct text_reader text;
    size_t n_rows, *rows, count, capacity;
    struct parts *splits;
    size_t n_splits, splits_capacity;
    size_t *stands_in; /* n_rows: the last split that uses the row */
};

static enum status add_row(struct reader *reader, size_t row)
{
    if (!array_grow(&reader->rows, reader->count, &reader->capacity, sizeof *reader->rows))
        return text_reader_no_memory(&reader->text);
    reader->rows[reader->count++] = row;
    reader->stands_in[row] = reader->n_splits;
    return STATUS_OK;
}

/* Parses a number from 1; 0 if there is none. *end points after it. */
static size_t row_number(const char *text, char **end)
{
    *end = NULL;
    if (!isdigit((unsigned char)*text))
        return 0;
    return strtoul(text, end, 10); /* saturates, above any number of rows */
}

/* "7" or "7-20". */
static enum status rows_parse(struct reader *reader, const char *word)
{
    char *end, shown[44];
    size_t first = row_number(word, &end), last = first;
    enum status status = STATUS_OK;
    if (end && *end == '-')
        last = row_number(end + 1, &end);
    if (!end || *end != '\0')
        return text_reader_fail(&reader->text, word, "\"%s\" is not a row or a range of rows, such as 7 or 7-20",
                                text_shown(word, shown));
    if (first < 1 || last < first || last > reader->n_rows)
        return text_reader_fail(&reader->text, word, "\"%s\" is out of range; allowed: rows from 1 to %zu",
                                text_shown(word, shown), reader->n_rows);
    for (size_t row = first - 1; row < last && status == STATUS_OK; row++)
        status = reader->stands_in[row] == reader->n_splits
                     ? text_reader_fail(&reader->text, word, "\"%s\" occurs twice in this split",
                                        text_shown(word, shown))
                     : add_row(reader, row);
    return status;
}

/* Fills the test part of a split without a test line. */
static enum status add_others(struct reader *reader)
{
    struct parts *split = reader->n_splits ? &reader->splits[reader->n_splits - 1] : NULL;
    enum status status = STATUS_OK;
    if (!split || split->test.line)
        return STATUS_OK;
    split->test = (struct part){reader->count, 0, split->train.line};
    for (size_t row = 0; row < reader->n_rows && status == STATUS_OK; row++)
        if (reader->stands_in[row] != reader->n_splits)
            status = add_row(reader, row);
    split->test.count = reader->count - split->test.first;
    return status;
}

static enum status begin_split(struct reader *reader)
{
    enum status status = add_others(reader);
    if (status != STATUS_OK)
        return status;
    if (!array_grow(&reader->splits, reader->n_splits, &reader->splits_capacity, sizeof *reader->splits))
        return text_reader_no_memory(&reader->text);
    reader->splits[reader->n_splits++] = (struct parts){0};
    return STATUS_OK;
}

static enum status line_parse(struct reader *reader, const char *word)
{
    int train = strcmp(word, "train") == 0;
    char shown[44];
    if (!train && strcmp(word, "test") != 0)
        return text_reader_fail(&reader->text, word, "\"%s\" is not \"train\" or \"test\"", text_shown(word, shown));
    if (!train && (reader->n_splits == 0 || reader->splits[reader->n_splits - 1].test.line))
        return text_reader_fail(&reader->text, word, "\"test\" must follow a line \"train\"");
    enum status status = train ? begin_split(reader) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    struct parts *split = &reader->splits[reader->n_splits - 1];
    struct part *part = train ? &split->train : &split->test;
    *part = (struct part){reader->count, 0, reader->text.line};
    while (status == STATUS_OK && (word = text_reader_word(&reader->text)))
        status = rows_parse(reader, word);
    part->count = reader->count - part->first;
    return status;
}

static enum status give(struct reader *reader, struct dataset *dataset, struct error *error)
{
    const char *path = reader->text.path;
    if (reader->n_splits == 0)
        return error_set(error, STATUS_BAD_INPUT, "%s:1:1: no splits; each begins with a line \"train ROWS\"", path);
    dataset->splits = calloc(reader->n_splits, sizeof *dataset->splits);
    if (!dataset->splits)
        return text_reader_no_memory(&reader->text);
    for (size_t s = 0; s < reader->n_splits; s++) {
        const struct part *train = &reader->splits[s].train, *test = &reader->splits[s].test;
        if (train->count == 0 || !split_has_both_classes(dataset->y, reader->rows + train->first, train->count))
            return error_set(error, STATUS_BAD_INPUT,
                             "%s:%zu:1: split %zu trains on %zu rows of one class; both are needed", path, train->line,
                             s + 1, train->count);
        dataset->splits[s] = (struct split){
            s + 1, SPLIT_OFFICIAL, train->count, test->count, reader->rows + train->first, reader->rows + test->first};
    }
    dataset->n_splits = reader->n_splits;
    dataset->indices = reader->rows;
    reader->rows = NULL;
    return STATUS_OK;
}

enum status split_file_read(struct input_stream *stream, struct dataset *dataset, struct error *error)
{
    struct reader reader = {
        .text = {.path = input_path(stream), .blanks = " \t\r,", .has_comments = 1, .error = error},
        .n_rows = dataset->patterns.rows,
        .stands_in = calloc(dataset->patterns.rows, sizeof *reader.stands_in),
    };
    const char *word;
    enum status status = reader.stands_in ? text_reader_open(&reader.text, stream)
                                          : text_reader_no_memory(&reader.text);
    while (status == STATUS_OK && (word = text_reader_line(&reader.text)))
        status = line_parse(&reader, word);
    if (status == STATUS_OK)
        status = reader.text.status;
    if (status == STATUS_OK)
        status = add_others(&reader);
    if (status == STATUS_OK)
        status = give(&reader, dataset, error);
    text_reader_close(&reader.text);
    free(reader.stands_in);
    free(reader.rows);
    free(reader.splits);
    return status;
}
