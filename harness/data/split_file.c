/*
 * Splits listed in a user's file. Each begins with a line "train ROWS", which a line "test ROWS" may follow; without
 * one, all other rows test. ROWS are numbers and ranges such as "1 4 7-20", counted from 1 in the order of the
 * patterns; "#" starts a comment. The first split is number 1.
 */
#include <string.h>

#include "harness/data/split.h"
#include "harness/data/text_reader.h"

/* One part of a split: `count` rows from `first` on in the combined list. */
struct part {
    size_t first, count, line;
};

struct parts {
    struct part train, test; /* without a test line, test takes the other rows */
};

struct reader {
    struct pool *pool;
    struct text_reader text;
    struct {
        size_t *item, count, capacity;
    } rows; /* in the data set's pool */
    struct {
        struct parts *item;
        size_t count, capacity;
    } splits;
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
    char shown[44];
    const size_t n_rows = reader->dataset->patterns.rows;
    size_t first, last;
    if (!number_range_parse(&end, &first, &last) || *end != '\0')
        text_reader_die(&reader->text, word, "\"%s\" is not a row or a range of rows, such as 7 or 7-20",
                        text_shown(word, shown));
    if (first < 1 || last < first || last > n_rows)
        text_reader_die(&reader->text, word, "\"%s\" is out of range; allowed: rows from 1 to %zu",
                        text_shown(word, shown), n_rows);
    for (size_t row = first - 1; row < last; row++) {
        if (reader->stands_in[row] == reader->splits.count)
            text_reader_die(&reader->text, word, "\"%s\" occurs twice in this split", text_shown(word, shown));
        add_row(reader, row);
    }
}

/* The split that is being read; NULL before the first. */
static struct parts *current(const struct reader *reader)
{
    return reader->splits.count ? &reader->splits.item[reader->splits.count - 1] : NULL;
}

/* Fills the test part of a split without a test line. */
static void add_others(struct reader *reader)
{
    struct parts *split = current(reader);
    if (!split || split->test.line)
        return;
    split->test = (struct part){reader->rows.count, 0, split->train.line};
    for (size_t row = 0; row < reader->dataset->patterns.rows; row++)
        if (reader->stands_in[row] != reader->splits.count)
            add_row(reader, row);
    split->test.count = reader->rows.count - split->test.first;
}

static void line_parse(struct reader *reader, const char *word)
{
    const int train = strcmp(word, "train") == 0;
    char shown[44];
    if (!train && strcmp(word, "test") != 0)
        text_reader_die(&reader->text, word, "\"%s\" is not \"train\" or \"test\"", text_shown(word, shown));
    if (train) {
        add_others(reader);
        pool_push(reader->pool, &reader->splits);
    }
    struct parts *split = current(reader);
    if (!split || (!train && split->test.line))
        text_reader_die(&reader->text, word, "\"test\" must follow a line \"train\"");
    struct part *part = train ? &split->train : &split->test;
    *part = (struct part){reader->rows.count, 0, reader->text.line};
    while ((word = text_reader_word(&reader->text)))
        rows_parse(reader, word);
    part->count = reader->rows.count - part->first;
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
        const struct part *train = &reader.splits.item[s].train, *test = &reader.splits.item[s].test;
        const size_t *rows = dataset->indices;
        if (train->count == 0 || !split_has_both_classes(dataset->y, rows + train->first, train->count))
            die(STATUS_BAD_INPUT, "%s:%zu:1: split %zu trains on %zu rows of one class; both are needed",
                reader.text.path, train->line, s + 1, train->count);
        dataset->splits[s] =
            (struct split){s + 1, SPLIT_OFFICIAL, train->count, test->count, rows + train->first, rows + test->first};
    }
    dataset->n_splits = reader.splits.count;
    pool_free(inner);
}
