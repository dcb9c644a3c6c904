/* Reading a file of splits, see split_file.h. */
#include "harness/data/split_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One part of a split: `count` rows from `first` on in the collected list. */
struct part {
    size_t first, count, line;
};

struct reader {
    const char *path, *start; /* start: of the present line */
    size_t line, n_rows;
    size_t *rows, count, capacity;
    struct part *train, *test; /* one of each a split; a test without a line is made of the other rows */
    size_t n_splits, splits_capacity;
    size_t *stands_in; /* n_rows: the last split the row stands in */
    struct error *error;
};

static enum status fail(const struct reader *reader, const char *at, const char *what, const char *word)
{
    char shown[44];
    return error_set(reader->error, STATUS_BAD_INPUT, "%s:%zu:%zu: \"%s\" %s", reader->path, reader->line,
                     (size_t)(at - reader->start) + 1, text_shown(word, shown), what);
}

static enum status no_memory(const struct reader *reader)
{
    return error_set(reader->error, STATUS_NO_MEMORY, "%s:%zu: out of memory", reader->path, reader->line);
}

static int add_row(struct reader *reader, size_t row)
{
    if (reader->count == reader->capacity) {
        size_t wanted = reader->capacity ? 2 * reader->capacity : 1024;
        size_t *rows = realloc(reader->rows, wanted * sizeof *rows);
        if (!rows)
            return 0;
        reader->rows = rows;
        reader->capacity = wanted;
    }
    reader->rows[reader->count++] = row;
    reader->stands_in[row] = reader->n_splits;
    return 1;
}

static int begin_split(struct reader *reader)
{
    if (reader->n_splits == reader->splits_capacity) {
        size_t wanted = reader->splits_capacity ? 2 * reader->splits_capacity : 16;
        struct part *train = realloc(reader->train, wanted * sizeof *train);
        if (train)
            reader->train = train;
        struct part *test = train ? realloc(reader->test, wanted * sizeof *test) : NULL;
        if (!test)
            return 0;
        reader->test = test;
        reader->splits_capacity = wanted;
    }
    reader->train[reader->n_splits] = (struct part){reader->count, 0, reader->line};
    reader->test[reader->n_splits++] = (struct part){0};
    return 1;
}

/* A number from 1, or 0 when there is none; *end is behind it. */
static size_t row_number(const char *text, char **end)
{
    *end = NULL;
    if (!isdigit((unsigned char)*text))
        return 0;
    return strtoul(text, end, 10); /* saturates, which is above any number of rows */
}

/* "7" or "7-20". */
static enum status rows_parse(struct reader *reader, const char *word)
{
    char *end;
    size_t first = row_number(word, &end), last = first;
    if (end && *end == '-')
        last = row_number(end + 1, &end);
    if (!end || *end != '\0')
        return fail(reader, word, "is not a row or a range of rows, such as 7 or 7-20", word);
    if (first < 1 || last < first || last > reader->n_rows) {
        char shown[44];
        return error_set(reader->error, STATUS_BAD_INPUT, "%s:%zu:%zu: \"%s\": rows go from 1 to %zu", reader->path,
                         reader->line, (size_t)(word - reader->start) + 1, text_shown(word, shown), reader->n_rows);
    }
    for (size_t row = first - 1; row < last; row++) {
        if (reader->stands_in[row] == reader->n_splits)
            return fail(reader, word, "stands in this split already", word);
        if (!add_row(reader, row))
            return no_memory(reader);
    }
    return STATUS_OK;
}

static enum status line_parse(struct reader *reader, char *line)
{
    static const char blanks[] = " \t\r,";
    char *rest = NULL;
    line[strcspn(line, "#")] = '\0';
    char *word = strtok_r(line, blanks, &rest);
    if (!word)
        return STATUS_OK;
    int train = strcmp(word, "train") == 0;
    if (!train && strcmp(word, "test") != 0)
        return fail(reader, word, "is not \"train\" or \"test\"", word);
    if (!train && (reader->n_splits == 0 || reader->test[reader->n_splits - 1].line))
        return fail(reader, word, "does not come after a line \"train\"", word);
    if (train && !begin_split(reader))
        return no_memory(reader);
    struct part *part = &(train ? reader->train : reader->test)[reader->n_splits - 1];
    *part = (struct part){reader->count, 0, reader->line};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && (word = strtok_r(NULL, blanks, &rest)))
        status = rows_parse(reader, word);
    part->count = reader->count - part->first;
    return status;
}

/* The test part of a split that has no line for it. */
static enum status add_others(struct reader *reader)
{
    size_t s = reader->n_splits;
    if (s == 0 || reader->test[s - 1].line)
        return STATUS_OK;
    reader->test[s - 1] = (struct part){reader->count, 0, reader->train[s - 1].line};
    for (size_t row = 0; row < reader->n_rows; row++)
        if (reader->stands_in[row] != s && !add_row(reader, row))
            return no_memory(reader);
    reader->test[s - 1].count = reader->count - reader->test[s - 1].first;
    return STATUS_OK;
}

static enum status lines_parse(struct reader *reader, char *text, size_t size)
{
    enum status status = STATUS_OK;
    char *end = text + size;
    for (char *line = text; line < end && status == STATUS_OK;) {
        char *newline = memchr(line, '\n', (size_t)(end - line)), *stop = newline ? newline : end;
        reader->line++;
        reader->start = line;
        *stop = '\0';
        const char *zero = memchr(line, '\0', (size_t)(stop - line));
        if (zero)
            return fail(reader, zero, "is a zero byte: not a text file", "");
        char *word = line + strspn(line, " \t");
        if (strncmp(word, "train", 5) == 0)
            status = add_others(reader);
        if (status == STATUS_OK)
            status = line_parse(reader, line);
        line = stop + 1;
    }
    return status == STATUS_OK ? add_others(reader) : status;
}

static enum status give(struct reader *reader, struct dataset *dataset)
{
    if (reader->n_splits == 0)
        return error_set(reader->error, STATUS_BAD_INPUT, "%s:1:1: no splits; a line \"train ROWS\" begins one",
                         reader->path);
    dataset->splits = calloc(reader->n_splits, sizeof *dataset->splits);
    if (!dataset->splits)
        return no_memory(reader);
    for (size_t s = 0; s < reader->n_splits; s++) {
        const struct part *train = &reader->train[s], *test = &reader->test[s];
        if (train->count == 0 || !split_has_both_classes(dataset->y, reader->rows + train->first, train->count))
            return error_set(reader->error, STATUS_BAD_INPUT,
                             "%s:%zu:1: split %zu trains on %zu rows of one class; both are needed", reader->path,
                             train->line, s + 1, train->count);
        dataset->splits[s] = (struct split){
            s + 1, SPLIT_OFFICIAL, train->count, test->count, reader->rows + train->first, reader->rows + test->first};
    }
    dataset->n_splits = reader->n_splits;
    dataset->indices = reader->rows;
    reader->rows = NULL;
    return STATUS_OK;
}

enum status split_file_read(const struct input *input, struct dataset *dataset, struct error *error)
{
    struct reader reader = {.path = input->path, .n_rows = dataset->rows, .error = error};
    char *text = malloc(input->size + 1);
    reader.stands_in = calloc(dataset->rows, sizeof *reader.stands_in);
    enum status status = STATUS_OK;
    if (!text || !reader.stands_in)
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", input->path);
    else {
        memcpy(text, input->text, input->size + 1);
        status = lines_parse(&reader, text, input->size);
    }
    if (status == STATUS_OK)
        status = give(&reader, dataset);
    free(text);
    free(reader.stands_in);
    free(reader.rows);
    free(reader.train);
    free(reader.test);
    return status;
}
