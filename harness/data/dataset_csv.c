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
    int is_quoted;
    size_t offset;         /* offset of its text, without quotes and outer blanks, from text.held */
    struct label_place at; /* where it begins */
};

struct reader {
    struct text_reader text;
    struct field *fields; /* of the current row */
    size_t count, capacity;

    const struct layout *layout; /* NULL: any CSV file */
    const struct table_form *form;
    struct label_set *labels;
    struct column_plan plan;
    struct columns described;
    struct string_list notes;
    size_t columns; /* 0: before the first row */
    struct label_place first_at;
    char *first_label;         /* the label's cell in the first line if that was guessed to be a header */
    unsigned char first_which; /* its label */
    size_t n_fractions;        /* later rows with a value that is not whole */
    double *values;            /* a row whose columns are matched by name */
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

/* Decides what the columns are. */
static enum status start(struct reader *reader)
{
    const struct label_place *at = &reader->fields[0].at;
    struct column_plan *plan = &reader->plan;
    const char **cells = malloc(reader->count * sizeof *cells);
    if (!cells)
        return text_reader_no_memory(&reader->text);
    for (size_t i = 0; i < reader->count; i++)
        cells[i] = field_text(reader, i);
    const struct first_line line = {at->path, at->line, at->column, reader->count, cells};
    enum status status =
        columns_plan(&line, reader->form, plan, &reader->described, &reader->notes, reader->text.error);
    free(cells);
    if (status != STATUS_OK)
        return status;
    reader->columns = reader->count;
    reader->first_at = *at;
    if (plan->is_guess && plan->is_header && plan->label != COLUMN_NONE &&
        !(reader->first_label = strdup(field_text(reader, plan->label))))
        return text_reader_no_memory(&reader->text);
    if (plan->feature && !(reader->values = calloc(reader->described.count + 1, sizeof *reader->values)))
        return text_reader_no_memory(&reader->text);
    return STATUS_OK;
}

/* An error at the first line, whose guessed kind later rows have made doubtful. */
static enum status doubt(const struct reader *reader, const char *guess, const char *why)
{
    return fail(reader, &reader->first_at, "guessed to be %s, but %s; say --header yes or no (key \"header\")", guess,
                why);
}

static int is_label(const char *text, const struct label_seen *label)
{
    double number;
    return label->is_number && number_parse(text, &number) ? number == label->number : strcmp(text, label->text) == 0;
}

/* Judges the guess about the first line by the other rows. */
static enum status check_guess(const struct reader *reader)
{
    const struct label_set *labels = reader->labels;
    const size_t later = reader->rows.count - 1;
    for (size_t i = 0; reader->first_label && i < labels->count; i++)
        if (labels->seen[i].count > 0 && is_label(reader->first_label, &labels->seen[i]))
            return doubt(reader, "a header", "its cell in the label column is one of the labels");
    if (!reader->plan.is_guess || reader->plan.is_header)
        return STATUS_OK;
    if (reader->plan.is_of_whole && later >= 3 && reader->n_fractions == later)
        return doubt(reader, "a row of data", "only its cells are all whole numbers");
    const struct label_seen *first = reader->first_which < LABELS_MAX ? &labels->seen[reader->first_which] : NULL;
    if (reader->plan.label != COLUMN_NONE && labels->count > 2 && first && first->count == 1 &&
        (!first->is_number || reader->plan.is_of_whole))
        return doubt(reader, "a row of data", "no other row has its label");
    return STATUS_OK;
}

/* Columns are separated by commas alone: an unquoted label that looks like several columns is refused. */
static enum status check_separators(const struct reader *reader, size_t i)
{
    const char *text = field_text(reader, i), *blank = strrchr(text, ' ');
    char shown[44];
    const size_t digits = strspn(text, "0123456789");
    const int before = i > 0 && is_plain_integer(field_text(reader, i - 1) + strspn(field_text(reader, i - 1), "+-"));
    const int after = i + 1 < reader->count && is_plain_integer(field_text(reader, i + 1));
    if (reader->fields[i].is_quoted ||
        (!strpbrk(text, ";|\t") && !(before && digits && text[digits] == ' ') &&
         !(after && blank && is_plain_integer(blank + 1 + strspn(blank + 1, "+-")))))
        return STATUS_OK;
    return fail(reader, &reader->fields[i].at,
                "field %zu: \"%s\" looks like several columns; they are separated by commas alone, and decimals begin "
                "with a point; a label that is meant so needs quotes",
                i + 1, text_shown(text, shown));
}

/* Sets *which to 1 for the positive class of a layout, else to the label's index in the label set. */
static enum status take_label(struct reader *reader, unsigned char *which)
{
    const struct layout *layout = reader->layout;
    const size_t label = reader->plan.label;
    *which = 0;
    if (label == COLUMN_NONE)
        return STATUS_OK;
    const struct field *field = &reader->fields[label];
    const char *text = field_text(reader, label);
    char shown[44];
    if (layout) {
        *which = strcmp(text, layout->positive) == 0;
        if (*which || strcmp(text, layout->negative) == 0)
            return STATUS_OK;
        return fail(reader, &field->at, "label \"%s\" is not %s or %s", text_shown(text, shown), layout->negative,
                    layout->positive);
    }
    if (!*text)
        return fail(reader, &field->at, "field %zu: the label is missing", label + 1);
    enum status status = check_separators(reader, label);
    if (status == STATUS_OK)
        status = labels_add(reader->labels, text, &field->at, which, reader->text.error);
    if (reader->rows.count == 0)
        reader->first_which = *which;
    return status;
}

static enum status check_columns(const struct reader *reader)
{
    if (reader->count == reader->columns)
        return STATUS_OK;
    if (reader->layout)
        return fail(reader, &reader->fields[0].at, "%zu columns; expected %zu", reader->count,
                    reader->layout->columns);
    return fail(reader, &reader->fields[reader->count < reader->columns ? reader->count - 1 : reader->columns].at,
                "%zu columns, but line %zu has %zu", reader->count, reader->first_at.line, reader->columns);
}

static enum status refuse_value(const struct reader *reader, size_t i)
{
    const char *text = field_text(reader, i), *hint = "";
    char shown[44];
    if (strpbrk(text, "0123456789") && (strpbrk(text, ";|\t,") || text[strspn(text, "+-0123456789 ")] == '\0'))
        hint = "; columns are separated by commas alone, decimals begin with a point";
    else if (reader->plan.is_guess && !reader->plan.is_header && reader->text.line == reader->first_at.line)
        hint = "; if this line is a header, say --header yes (key \"header\")";
    return fail(reader, &reader->fields[i].at, "field %zu: \"%s\" is not a number up to %g in size%s", i + 1,
                text_shown(text, shown), DATASET_LARGEST, hint);
}

/* Reads the numbers of a row. Sets *is_unknown if one is missing in a layout that allows it. */
static enum status take_values(struct reader *reader, int *is_unknown)
{
    const struct layout *layout = reader->layout;
    const struct column_plan *plan = &reader->plan;
    size_t feature = 0;
    int has_fraction = 0;
    enum status status = STATUS_OK;
    for (size_t i = layout ? layout->first : 0; i < reader->count && status == STATUS_OK; i++) {
        const char *text = field_text(reader, i);
        double value = 0;
        if (i == plan->label || i == plan->ignored)
            continue;
        if (layout && layout->unknown && strcmp(text, layout->unknown) == 0)
            *is_unknown = 1;
        else if (!number_parse(text, &value))
            return refuse_value(reader, i);
        else if (plan->feature)
            reader->values[plan->feature[i]] = value;
        else
            status = row_store_add_value(&reader->rows, feature++, value, &reader->text);
        has_fraction |= plan->is_of_whole && value != floor(value);
    }
    for (size_t f = 0; plan->feature && f < reader->described.count && status == STATUS_OK; f++)
        status = row_store_add_value(&reader->rows, f, reader->values[f], &reader->text);
    reader->n_fractions += (size_t)has_fraction;
    return status;
}

static enum status take_row(struct reader *reader)
{
    const size_t n_values = reader->rows.n_values;
    int is_unknown = 0;
    unsigned char which = 0;
    if (!reader->columns) {
        enum status status = start(reader);
        if (status != STATUS_OK || reader->plan.is_header)
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
        *at == '"', (size_t)(at - text->held), {text->path, text->line, text_reader_column(text, at)}};
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
    const struct layout *layout = reader->layout;
    enum status status = text_reader_open(&reader->text, stream);
    if (status == STATUS_OK)
        status = read_lines(reader);
    if (status == STATUS_OK && reader->rows.count == 0)
        status = error_set(error, STATUS_BAD_INPUT, "%s:1:1: no rows", reader->text.path);
    if (status == STATUS_OK && !layout)
        status = check_guess(reader);
    if (status == STATUS_OK)
        status = row_store_finish(&reader->rows, reader->text.path, 0,
                                  layout ? reader->columns - 1 - layout->first : reader->described.count, table, error);
    if (status == STATUS_OK) {
        table->columns = reader->described;
        table->notes = reader->notes;
    } else {
        columns_free(&reader->described);
        string_list_free(&reader->notes);
    }
    text_reader_close(&reader->text);
    row_store_free(&reader->rows);
    free(reader->plan.feature);
    free(reader->first_label);
    free(reader->values);
    free(reader->fields);
    return status;
}

enum status labelled_table_read_csv(struct input_stream *stream, const struct table_form *form,
                                    struct label_set *labels, struct labelled_table *table, struct error *error)
{
    struct reader reader = {.text = {.error = error}, .form = form, .labels = labels};
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
    struct reader reader = {.text = {.error = error},
                            .layout = layout,
                            .plan = {.label = layout->columns - 1, .ignored = COLUMN_NONE},
                            .columns = layout->columns};
    struct labelled_table table = {.first_index = 0};
    enum status status = read_file(&reader, stream, &table);
    if (status == STATUS_OK)
        status = dataset_take(dataset, &table.patterns, error);
    for (size_t i = 0; status == STATUS_OK && i < table.rows; i++)
        dataset->y[i] = table.y[i] ? 1 : -1;
    labelled_table_free(&table);
    return status;
}
