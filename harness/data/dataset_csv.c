/*
 * CSV files: one pattern a row, one column the label, a number or a word, all others features in their order. Two files
 * of the UCI repository are read as they are there: breast-cancer-wisconsin.data, an id, nine features from 1 to 10,
 * class 2 (benign, -1) or 4 (malignant, +1), without the sixteen rows that have an unknown value ('?'), which leaves
 * 683; and sonar.all-data, sixty features, then R (rock, -1) or M (mine, +1).
 *
 * libcsv (RFC 4180 with quoting) hands out fields and row ends. It is fed from comma to comma and from line end to line
 * end, so that the place of a field is known: it begins where the last piece ended that finished one. A quoted field
 * may still hold commas and run over several lines.
 */
#include <csv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_text.h"
#include "harness/data/text_reader.h"

/* A file of the UCI repository; the label is in the last of its columns. */
struct layout {
    const char *format; /* in the manifest */
    size_t columns, first; /* fields in a row; the first feature's place */
    const char *negative, *positive;
    const char *unknown; /* rows with this in the place of a number are left out; NULL: none */
};

static const struct layout layouts[] = {{"wisconsin", 11, 1, "2", "4", "?"}, {"sonar", 61, 0, "R", "M", NULL}};

struct field {
    const char *text;      /* without quotes and outer blanks; lives until the row ends */
    struct label_place at; /* where it begins */
};

struct reader {
    const char *start; /* of the present line */
    size_t line;
    struct label_place next; /* where the next field begins */
    int finished;            /* the present piece has finished a field */
    char *text, *unused;     /* as long as the file: the fields of the present row, each with its NUL */
    struct field *fields;
    size_t count, capacity;
    enum status status;
    struct error *error;

    const struct layout *layout; /* NULL: any CSV file */
    const char *label_column;
    struct label_set *labels;
    size_t columns, label; /* columns 0: the first row is still to come; label counted from 0 */
    size_t first_line;
    struct rows rows;
};

static enum status fail(const struct reader *reader, const struct label_place *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum status fail(const struct reader *reader, const struct label_place *at, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(reader->error, STATUS_BAD_INPUT, "%s:%zu:%zu: %s", at->path, at->line, at->column, text);
}

/* ---- rows ---- */

static int is_header(const struct reader *reader)
{
    double ignored;
    for (size_t i = 0; i < reader->count; i++)
        if (number_parse(reader->fields[i].text, &ignored))
            return 0;
    return 1;
}

/* Turns label_column into a place: the last column, the number of a column, or a name that the header has once. */
static enum status label_place(struct reader *reader, int header)
{
    const char *column = reader->label_column;
    size_t found = 0;
    char shown[44];
    reader->label = reader->count - 1;
    if (!column)
        return STATUS_OK;
    for (size_t i = 0; header && i < reader->count; i++)
        if (strcmp(reader->fields[i].text, column) == 0) {
            reader->label = i;
            found++;
        }
    if (found == 1)
        return STATUS_OK;
    if (found > 1)
        return fail(reader, &reader->fields[0].at, "label column \"%s\" is in the header %zu times",
                    text_shown(column, shown), found);
    unsigned long number = strtoul(column, NULL, 10);
    if (column[strspn(column, "0123456789")] != '\0' || number < 1 || number > reader->count)
        return fail(reader, &reader->fields[0].at, "label column \"%s\" is not %sa number from 1 to %zu",
                    text_shown(column, shown), header ? "in the header nor " : "", reader->count);
    reader->label = number - 1;
    return STATUS_OK;
}

static enum status start(struct reader *reader, int header)
{
    if (reader->count < 2)
        return fail(reader, &reader->fields[0].at,
                    "1 column; a label and at least one feature are needed, with commas between them");
    reader->columns = reader->count;
    reader->first_line = reader->line;
    reader->rows.dims = reader->count - 1;
    return label_place(reader, header);
}

static enum status take_label(struct reader *reader)
{
    const struct layout *layout = reader->layout;
    const struct field *field = &reader->fields[reader->label];
    signed char *y = &reader->rows.y[reader->rows.count - 1];
    unsigned char which;
    char shown[44];
    if (layout) {
        *y = strcmp(field->text, layout->positive) == 0 ? 1 : -1;
        if (*y > 0 || strcmp(field->text, layout->negative) == 0)
            return STATUS_OK;
        return fail(reader, &field->at, "label \"%s\" is not %s or %s", text_shown(field->text, shown),
                    layout->negative, layout->positive);
    }
    if (!*field->text)
        return fail(reader, &field->at, "field %zu: a label is missing", reader->label + 1);
    enum status status = labels_add(reader->labels, field->text, &field->at, &which, reader->error);
    *y = (signed char)which;
    return status;
}

static enum status take_row(struct reader *reader)
{
    const struct layout *layout = reader->layout;
    char shown[44];
    int is_unknown = 0;
    if (!reader->columns) {
        int header = is_header(reader);
        enum status status = start(reader, header);
        if (status != STATUS_OK || header)
            return status;
    }
    if (reader->count != reader->columns && layout)
        return fail(reader, &reader->fields[0].at, "%zu columns; there have to be %zu", reader->count, layout->columns);
    if (reader->count != reader->columns)
        return fail(reader, &reader->fields[reader->count < reader->columns ? reader->count - 1 : reader->columns].at,
                    "%zu columns, but line %zu has %zu", reader->count, reader->first_line, reader->columns);
    if (!rows_add(&reader->rows))
        return error_set(reader->error, STATUS_NO_MEMORY, "%s: out of memory", reader->next.path);
    double *values = reader->rows.x + (reader->rows.count - 1) * reader->rows.dims;
    for (size_t i = layout ? layout->first : 0; i < reader->count; i++) {
        const struct field *field = &reader->fields[i];
        if (i == reader->label)
            continue;
        if (layout && layout->unknown && strcmp(field->text, layout->unknown) == 0)
            is_unknown = 1;
        else if (!number_parse(field->text, values++))
            return fail(reader, &field->at, "field %zu: \"%s\" is not a number up to %g in size", i + 1,
                        text_shown(field->text, shown), DATASET_LARGEST);
    }
    enum status status = take_label(reader);
    reader->rows.count -= (size_t)is_unknown;
    return status;
}

/* ---- fields ---- */

static void on_field(void *text, size_t length, void *context)
{
    struct reader *reader = context;
    if (reader->status != STATUS_OK)
        return;
    if (!array_grow(&reader->fields, reader->count, &reader->capacity, sizeof *reader->fields)) {
        reader->status = error_set(reader->error, STATUS_NO_MEMORY, "%s: out of memory", reader->next.path);
        return;
    }
    reader->finished = 1;
    reader->fields[reader->count++] = (struct field){reader->unused, reader->next};
    if (length)
        memcpy(reader->unused, text, length);
    reader->unused[length] = '\0';
    reader->unused += length + 1;
}

static void on_row(int terminator, void *context)
{
    struct reader *reader = context;
    (void)terminator;
    if (reader->status == STATUS_OK && reader->count > 0)
        reader->status = take_row(reader);
    reader->unused = reader->text;
    reader->count = 0;
}

/* From `at` to the end of its line. */
static void read_line(struct reader *reader, struct csv_parser *parser, const char *at, const char *end)
{
    struct label_place place = {reader->next.path, reader->line, 0};
    const char *zero = memchr(at, '\0', (size_t)(end - at));
    if (zero) {
        place.column = (size_t)(zero - reader->start) + 1;
        reader->status = fail(reader, &place, "a zero byte: not a text file");
    }
    while (at < end && reader->status == STATUS_OK) {
        size_t size = strcspn(at, ",\r\n");
        size += at + size < end;
        place.column = (size_t)(at - reader->start) + 1 + strspn(at, " \t");
        if (reader->finished)
            reader->next = place;
        reader->finished = reader->finished && strspn(at, " \t\r\n") >= size; /* a blank piece begins nothing */
        size_t read = csv_parse(parser, at, size, on_field, on_row, reader);
        place.column = (size_t)(at + read - reader->start) + 1;
        if (read != size && reader->status == STATUS_OK)
            reader->status = fail(reader, &place, "%s", csv_strerror(csv_error(parser)));
        at += size;
    }
}

static enum status read_lines(struct reader *reader, const struct input *input)
{
    struct csv_parser parser;
    const char *at = input->text, *end = input->text + input->size;
    size_t mark = input->size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
    while (at < end && reader->status == STATUS_OK) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline + 1 : end;
        reader->line++;
        reader->start = at;
        read_line(reader, &parser, at + mark, stop); /* a byte order mark is not part of the first field */
        mark = 0;
        at = stop;
    }
    if (reader->status == STATUS_OK && csv_fini(&parser, on_field, on_row, reader) != 0)
        reader->status = fail(reader, &reader->next, "a quoted field does not end");
    csv_free(&parser);
    return reader->status;
}

static enum status read_file(struct reader *reader, const struct input *input)
{
    enum status status = STATUS_NO_MEMORY;
    reader->next.path = input->path;
    reader->finished = 1;
    reader->text = reader->unused = malloc(input->size + 1); /* a separator stands behind each field but the last */
    if (reader->text)
        status = read_lines(reader, input);
    else
        error_set(reader->error, status, "%s: out of memory", input->path);
    if (status == STATUS_OK && reader->rows.count == 0)
        status = error_set(reader->error, STATUS_BAD_INPUT, "%s:1:1: no rows", input->path);
    free(reader->text);
    free(reader->fields);
    return status;
}

enum status labelled_table_read_csv(const struct input *input, const char *label_column, struct label_set *labels,
                                    struct labelled_table *table, struct error *error)
{
    struct reader reader = {.label_column = label_column, .labels = labels, .error = error};
    enum status status = read_file(&reader, input);
    if (status == STATUS_OK) {
        *table = (struct labelled_table){
            .rows = reader.rows.count,
            .patterns = patterns_dense(reader.rows.x, reader.rows.count, reader.rows.dims),
            .y = (unsigned char *)reader.rows.y,
            .first_index = 1,
        };
        status = patterns_hold(&table->patterns, dataset_text_form(), error);
    } else
        rows_free(&reader.rows);
    return status;
}

enum status dataset_read_uci(const struct input *input, const char *format, struct dataset *dataset,
                             struct error *error)
{
    const struct layout *layout = layouts;
    while (strcmp(layout->format, format) != 0)
        layout++;
    struct reader reader = {.layout = layout, .columns = layout->columns, .label = layout->columns - 1, .error = error};
    reader.rows.dims = layout->columns - layout->first - 1;
    enum status status = read_file(&reader, input);
    if (status == STATUS_OK)
        status = dataset_allocate(dataset, reader.rows.count, reader.rows.dims, error);
    if (status == STATUS_OK) {
        memcpy(dataset->patterns.values, reader.rows.x, reader.rows.count * reader.rows.dims * sizeof(double));
        memcpy(dataset->y, reader.rows.y, reader.rows.count);
    }
    rows_free(&reader.rows);
    return status;
}
