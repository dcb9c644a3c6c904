/*
 * Splits listed in a user's file. Each begins with a line "train ROWS", which a line "test ROWS" may follow; without
 * one, all other rows test. ROWS are numbers and ranges such as "1 4 7-20", counted from 1 in the order of the
 * patterns; "#" starts a comment. The first split is number 1.
 */
#include <string.h>

#include "harness/data/split.h"
#include "harness/data/text_reader.h"

struct listed {
    size_t first, n_train, n_test, line;
    int has_test; /* a test line; otherwise the other rows test */
};

struct reader {
    struct pool *pool;
    struct text_reader text;
    struct LIST_OF(size_t) rows; /* in the data set's pool: of each split those that train, then those that test */
    struct LIST_OF(struct listed) splits;
    struct dataset *dataset;
    size_t *stands_in; /* of each row: the last split that uses the row */
};

static void add_row(struct reader *reader, size_t row)
{
    *pool_push(reader->dataset->pool, &reader->rows) = row;
    reader->stands_in[row] = reader->splits.count;
}

/* "7" or "7-20". */
static void rows_parse(struct reader *reader, const char *word)
{
    const char *end = word;
    const size_t n_rows = reader->dataset->patterns.rows;
    size_t first, last;
    if (!number_range_parse(&end, &first, &last) || *end != '\0')
        text_reader_die(&reader->text, word, "\"%s\" is not a row or a range of rows, such as 7 or 7-20",
                        text_shown(word));
    if (first < 1 || last < first || last > n_rows)
        text_reader_die(&reader->text, word, "\"%s\" is out of range; allowed: rows from 1 to %zu",
                        text_shown(word), n_rows);
    for (size_t row = first - 1; row < last; row++) {
        if (reader->stands_in[row] == reader->splits.count)
            text_reader_die(&reader->text, word, "\"%s\" occurs twice in this split", text_shown(word));
        add_row(reader, row);
    }
}

/* Fills the test part of the last split if it has no test line. */
static void add_others(struct reader *reader)
{
    struct listed *split = reader->splits.count ? &reader->splits.item[reader->splits.count - 1] : NULL;
    if (!split || split->has_test)
        return;
    for (size_t row = 0; row < reader->dataset->patterns.rows; row++)
        if (reader->stands_in[row] != reader->splits.count)
            add_row(reader, row);
    split->n_test = reader->rows.count - split->first - split->n_train;
}

static void line_parse(struct reader *reader, const char *word)
{
    const int train = strcmp(word, "train") == 0;
    if (!train && strcmp(word, "test") != 0)
        text_reader_die(&reader->text, word, "\"%s\" is not \"train\" or \"test\"", text_shown(word));
    if (train) {
        add_others(reader);
        *pool_push(reader->pool, &reader->splits) =
            (struct listed){.first = reader->rows.count, .line = reader->text.line};
    } else if (!reader->splits.count || reader->splits.item[reader->splits.count - 1].has_test)
        text_reader_die(&reader->text, word, "\"test\" must follow a line \"train\"");
    struct listed *split = &reader->splits.item[reader->splits.count - 1];
    const size_t before = reader->rows.count;
    split->has_test = !train;
    while ((word = text_reader_word(&reader->text)))
        rows_parse(reader, word);
    *(train ? &split->n_train : &split->n_test) = reader->rows.count - before;
}

void split_file_read(struct input_stream *stream, struct dataset *dataset)
{
    struct pool *inner = pool_new();
    struct reader reader = {
        .pool = inner,
        .text = {.blanks = " \t\r,", .has_comments = 1},
        .dataset = dataset,
        .stands_in = pool_array(inner, dataset->patterns.rows, sizeof *reader.stands_in),
    };
    const char *word;
    text_reader_open(&reader.text, inner, stream);
    while ((word = text_reader_line(&reader.text)))
        line_parse(&reader, word);
    add_others(&reader);
    if (reader.splits.count == 0)
        die(STATUS_BAD_INPUT, "%s:1:1: no splits; each begins with a line \"train ROWS\"", reader.text.path);
    splits_allocate(dataset, reader.splits.count, 0);
    dataset->indices = reader.rows.item;
    for (size_t s = 0; s < reader.splits.count; s++) {
        const struct listed *split = &reader.splits.item[s];
        const size_t *train = split->n_train ? dataset->indices + split->first : NULL;
        if (!train || !split_has_both_classes(dataset->y, train, split->n_train))
            die(STATUS_BAD_INPUT, "%s:%zu:1: split %zu trains on %zu rows of one class; both are needed",
                reader.text.path, split->line, s + 1, split->n_train);
        dataset->splits[s] =
            (struct split){s + 1, SPLIT_OFFICIAL, split->n_train, split->n_test, train, train + split->n_train};
    }
    dataset->n_splits = reader.splits.count;
    pool_free(inner);
}
