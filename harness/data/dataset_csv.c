/*
 * CSV files: one pattern per row, one label column (numbers or words), all other columns features in order. Two UCI
 * files are read in their original form. breast-cancer-wisconsin.data has an id, nine features from 1 to 10, and class
 * 2 (benign, -1) or 4 (malignant, +1); the sixteen rows with an unknown value ('?') are skipped, which leaves 683.
 * sonar.all-data has sixty features, then R (rock, -1) or M (mine, +1).
 *
 * Fields follow RFC 4180: they are separated by commas, and a quoted field may hold commas, newlines and doubled
 * quotes. Blanks around fields are ignored. Fields are parsed in place in the reader's buffer.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_text.h"
#include "harness/data/row_store.h"
#include "harness/data/text_reader.h"

/* A UCI file; the label is in its last column. */
struct layout {
    const char *format; /* in the manifest */
    size_t columns, first; /* fields in a row; index of the first feature */
    const char *negative, *positive;
    const char *unknown; /* rows with this in place of a number are skipped; NULL: none */
};

static const struct layout layouts[] = {{"wisconsin", 11, 1, "2", "4", "?"}, {"sonar", 61, 0, "R", "M", NULL}};

struct field {
    size_t offset;         /* offset of its text, without quotes and outer blanks, from text.held */
    struct label_place at; /* where it begins */
};

struct reader {
    struct text_reader text;
    struct field *fields; /* of the current row */
    size_t count, capacity;

    const struct layout *layout; /* NULL: any CSV file */
    const char *label_column;
    struct label_set *labels;
    size_t columns, label; /* columns 0: before the first row; label counted from 0 */
    size_t first_line;
    struct row_store rows;
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
    return error_set(reader->text.error, STATUS_BAD_INPUT, "%s:%zu:%zu: %s", at->path, at->line, at->column, text);
}

/* ---- rows ---- */

static const char *field_text(const struct reader *reader, size_t i)
{
    return reader->text.held + reader->fields[i].offset;
}

static int is_header(const struct reader *reader)
{
    double ignored;
    for (size_t i = 0; i < reader->count; i++)
        if (number_parse(field_text(reader, i), &ignored))
            return 0;
    return 1;
}

/* Resolves label_column to an index: the last column, a column number, or a name that occurs once in the header. */
static enum status label_place(struct reader *reader, int header)
{
    const char *column = reader->label_column;
    size_t found = 0;
    char shown[44];
    reader->label = reader->count - 1;
    if (!column)
        return STATUS_OK;
    for (size_t i = 0; header && i < reader->count; i++)
        if (strcmp(field_text(reader, i), column) == 0) {
            reader->label = i;
            found++;
        }
    if (found == 1)
        return STATUS_OK;
    if (found > 1)
        return fail(reader, &reader->fields[0].at, "label column \"%s\" occurs %zu times in the header",
                    text_shown(column, shown), found);
    unsigned long number = strtoul(column, NULL, 10);
    if (column[strspn(column, "0123456789")] != '\0' || number < 1 || number > reader->count)
        return fail(reader, &reader->fields[0].at, "label column \"%s\" is unknown; allowed: %sa number from 1 to %zu",
                    text_shown(column, shown), header ? "a name in the header or " : "", reader->count);
    reader->label = number - 1;
    return STATUS_OK;
}

static enum status start(struct reader *reader, int header)
{
    if (reader->count < 2)
        return fail(reader, &reader->fields[0].at,
                    "1 column; expected a label and at least one feature, separated by commas");
    reader->columns = reader->count;
    reader->first_line = reader->text.line;
    return label_place(reader, header);
}

/* Sets *which to 1 for the positive class of a layout, else to the label's index in the label set. */
static enum status take_label(struct reader *reader, unsigned char *which)
{
    const struct layout *layout = reader->layout;
    const struct field *field = &reader->fields[reader->label];
    const char *text = field_text(reader, reader->label);
    char shown[44];
    if (layout) {
        *which = strcmp(text, layout->positive) == 0;
        if (*which || strcmp(text, layout->negative) == 0)
            return STATUS_OK;
        return fail(reader, &field->at, "label \"%s\" is not %s or %s", text_shown(text, shown), layout->negative,
                    layout->positive);
    }
    if (!*text)
        return fail(reader, &field->at, "field %zu: the label is missing", reader->label + 1);
    return labels_add(reader->labels, text, &field->at, which, reader->text.error);
}

static enum status check_columns(const struct reader *reader)
{
    if (reader->count == reader->columns)
        return STATUS_OK;
    if (reader->layout)
        return fail(reader, &reader->fields[0].at, "%zu columns; expected %zu", reader->count,
                    reader->layout->columns);
    return fail(reader, &reader->fields[reader->count < reader->columns ? reader->count - 1 : reader->columns].at,
                "%zu columns, but line %zu has %zu", reader->count, reader->first_line, reader->columns);
}

/* Reads the numbers of a row. Sets *is_unknown if one is missing in a layout that allows it. */
static enum status take_values(struct reader *reader, int *is_unknown)
{
    const struct layout *layout = reader->layout;
    char shown[44];
    size_t feature = 0;
    enum status status = STATUS_OK;
    for (size_t i = layout ? layout->first : 0; i < reader->count && status == STATUS_OK; i++) {
        const char *text = field_text(reader, i);
        double value;
        if (i == reader->label)
            continue;
        if (layout && layout->unknown && strcmp(text, layout->unknown) == 0)
            *is_unknown = 1;
        else if (number_parse(text, &value))
            status = row_store_add_value(&reader->rows, feature++, value, &reader->text);
        else
            status = fail(reader, &reader->fields[i].at, "field %zu: \"%s\" is not a number up to %g in size", i + 1,
                          text_shown(text, shown), DATASET_LARGEST);
    }
    return status;
}

static enum status take_row(struct reader *reader)
{
    const size_t n_values = reader->rows.n_values;
    int is_unknown = 0;
    unsigned char which = 0;
    if (!reader->columns) {
        int header = is_header(reader);
        enum status status = start(reader, header);
        if (status != STATUS_OK || header)
            return status;
    }
    enum status status = check_columns(reader);
    if (status == STATUS_OK)
        status = take_values(reader, &is_unknown);
    if (status == STATUS_OK)
        status = take_label(reader, &which);
    if (status == STATUS_OK && !is_unknown)
        return row_store_end_row(&reader->rows, which, &reader->text);
    reader->rows.n_values = n_values;
    return status;
}

/* ---- fields ---- */

static enum status add_field(struct reader *reader, const char *at)
{
    struct text_reader *text = &reader->text;
    if (!array_grow(&reader->fields, reader->count, &reader->capacity, sizeof *reader->fields))
        return text_reader_no_memory(text);
    reader->fields[reader->count++] = (struct field){
        (size_t)(at - text->held), {text->path, text->line, text_reader_column(text, at)}};
    return STATUS_OK;
}

/* Reads the quoted field at *at: removes the quotes, reads further lines if necessary, and moves *at past it. */
static enum status quoted_field(struct reader *reader, char **at)
{
    struct text_reader *text = &reader->text;
    struct field *field = &reader->fields[reader->count - 1];
    size_t to = ++field->offset, from = to, size;
    for (;; from++) {
        char byte = text->held[from];
        if (byte == '"' && text->held[from + 1] != '"')
            break;
        if (byte == '\0') {
            if (!text_reader_add_line(text, &size))
                return text->status != STATUS_OK ? text->status
                                                 : fail(reader, &field->at, "a quoted field has no closing quote");
            byte = text->held[from];
        }
        from += byte == '"';
        text->held[to++] = byte;
    }
    *at = text->held + from + 1;
    *at += strspn(*at, " \t");
    if (**at != ',' && **at != '\0')
        return text_reader_fail(text, *at, "a quoted field is not followed by a comma or the end of its row");
    text->held[to] = '\0';
    return STATUS_OK;
}

/* The same for an unquoted field at *at; *end is set to its end, without trailing blanks. */
static enum status bare_field(const struct reader *reader, char **at, char **end)
{
    char *stop = *at;
    while (*stop != ',' && *stop != '\0' && *stop != '"')
        stop++;
    if (*stop == '"')
        return text_reader_fail(&reader->text, stop, "a quote inside a field that does not start with a quote");
    for (*end = stop; *end > *at && ((*end)[-1] == ' ' || (*end)[-1] == '\t');)
        --*end;
    *at = stop;
    return STATUS_OK;
}

/* Reads the fields from `at`, which is not a blank, to the end of the row. */
static enum status read_row(struct reader *reader, char *at)
{
    int has_more = 1;
    reader->count = 0;
    while (has_more) {
        char *end = NULL;
        at += strspn(at, " \t");
        int is_quoted = *at == '"';
        enum status status = add_field(reader, at);
        if (status == STATUS_OK)
            status = is_quoted ? quoted_field(reader, &at) : bare_field(reader, &at, &end);
        if (status != STATUS_OK)
            return status;
        has_more = *at++ == ',';
        if (end)
            *end = '\0';
    }
    return take_row(reader);
}

static enum status read_lines(struct reader *reader)
{
    struct text_reader *text = &reader->text;
    enum status status = STATUS_OK;
    size_t size;
    while (status == STATUS_OK && text_reader_whole_line(text, &size)) {
        char *at = text->start;
        if (text->line == 1 && strncmp(at, "\xef\xbb\xbf", 3) == 0)
            at += 3; /* a byte order mark is not part of the first field */
        at += strspn(at, " \t");
        if (*at)
            status = read_row(reader, at);
    }
    return status == STATUS_OK ? text->status : status;
}

static enum status read_file(struct reader *reader, struct input_stream *stream, struct labelled_table *table)
{
    struct error *error = reader->text.error;
    enum status status = text_reader_open(&reader->text, stream);
    if (status == STATUS_OK)
        status = read_lines(reader);
    if (status == STATUS_OK && reader->rows.count == 0)
        status = error_set(error, STATUS_BAD_INPUT, "%s:1:1: no rows", reader->text.path);
    if (status == STATUS_OK)
        status = row_store_finish(&reader->rows, reader->text.path, 0,
                                  reader->columns - 1 - (reader->layout ? reader->layout->first : 0), table, error);
    text_reader_close(&reader->text);
    row_store_free(&reader->rows);
    free(reader->fields);
    return status;
}

enum status labelled_table_read_csv(struct input_stream *stream, const char *label_column, struct label_set *labels,
                                    struct labelled_table *table, struct error *error)
{
    struct reader reader = {.text = {.error = error}, .label_column = label_column, .labels = labels};
    enum status status = read_file(&reader, stream, table);
    table->first_index = 1;
    return status;
}

enum status dataset_read_uci(struct input_stream *stream, const char *format, struct dataset *dataset,
                             struct error *error)
{
    const struct layout *layout = layouts;
    while (strcmp(layout->format, format) != 0)
        layout++;
    struct reader reader = {
        .text = {.error = error}, .layout = layout, .columns = layout->columns, .label = layout->columns - 1};
    struct labelled_table table = {.first_index = 0};
    enum status status = read_file(&reader, stream, &table);
    if (status == STATUS_OK)
        status = dataset_take(dataset, &table.patterns, error);
    for (size_t i = 0; status == STATUS_OK && i < table.rows; i++)
        dataset->y[i] = table.y[i] ? 1 : -1;
    labelled_table_free(&table);
    return status;
}
