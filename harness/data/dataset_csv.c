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
#include <string.h>

#include "harness/base/die.h"
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
    struct text_place at; /* where it begins */
};

struct reader {
    struct text_reader text;
    struct pool *pool; /* for what is needed while reading */
    struct {
        struct field *item;
        size_t count, capacity;
    } fields; /* of the current row */

    const struct layout *layout; /* NULL: any CSV file */
    const struct table_form *form;
    struct label_set *labels;
    struct column_plan plan;
    struct labelled_table *table; /* being made; has its columns and notes from the first line on */
    size_t columns; /* 0: before the first row */
    struct text_place first_at;
    char *first_label;         /* the label's cell in the first line if that was guessed to be a header */
    unsigned char first_which; /* its label */
    size_t n_fractions;        /* later rows with a value that is not whole */
    double *values;            /* a row whose columns are matched by name */
    struct row_store rows;
};

/* ---- rows ---- */

static const char *field_text(const struct reader *reader, size_t i)
{
    return reader->text.held + reader->fields.item[i].offset;
}

/* Decides what the columns are. */
static void start(struct reader *reader)
{
    const size_t count = reader->fields.count;
    struct column_plan *plan = &reader->plan;
    const char **cells = pool_array(reader->pool, count, sizeof *cells);
    for (size_t i = 0; i < count; i++)
        cells[i] = field_text(reader, i);
    const struct first_line line = {reader->fields.item[0].at, count, cells};
    *plan = columns_plan(reader->table->pool, &line, reader->form, &reader->table->columns, &reader->table->notes);
    reader->columns = count;
    reader->first_at = line.at;
    if (plan->is_guess && plan->is_header && plan->label != COLUMN_NONE)
        reader->first_label = pool_strdup(reader->pool, cells[plan->label]);
    if (plan->feature)
        reader->values = pool_array(reader->pool, reader->table->columns.count, sizeof *reader->values);
}

/* An error at the first line, whose guessed kind later rows have made doubtful. */
static _Noreturn void doubt(const struct reader *reader, const char *guess, const char *why)
{
    place_die(&reader->first_at, "guessed to be %s, but %s; say --header yes or no (key \"header\")", guess, why);
}

static int is_label(const char *text, const struct label_seen *label)
{
    double number;
    return label->is_number && number_parse(text, &number) ? number == label->number : strcmp(text, label->text) == 0;
}

/* Judges the guess about the first line by the other rows. */
static void check_guess(const struct reader *reader)
{
    const struct label_set *labels = reader->labels;
    const size_t later = reader->rows.count - 1;
    for (size_t i = 0; reader->first_label && i < labels->count; i++)
        if (labels->seen[i].count > 0 && is_label(reader->first_label, &labels->seen[i]))
            doubt(reader, "a header", "its cell in the label column is one of the labels");
    if (!reader->plan.is_guess || reader->plan.is_header)
        return;
    if (reader->plan.is_of_whole && later >= 3 && reader->n_fractions == later)
        doubt(reader, "a row of data", "only its cells are all whole numbers");
    const struct label_seen *first = reader->first_which < LABELS_MAX ? &labels->seen[reader->first_which] : NULL;
    if (reader->plan.label != COLUMN_NONE && labels->count > 2 && first && first->count == 1 &&
        (!first->is_number || reader->plan.is_of_whole))
        doubt(reader, "a row of data", "no other row has its label");
}

/* Columns are separated by commas alone: an unquoted label that looks like several columns is refused. */
static void check_separators(const struct reader *reader, size_t i)
{
    const char *text = field_text(reader, i), *blank = strrchr(text, ' ');
    char shown[44];
    const size_t digits = strspn(text, "0123456789");
    const int before = i > 0 && is_plain_integer(field_text(reader, i - 1) + strspn(field_text(reader, i - 1), "+-"));
    const int after = i + 1 < reader->fields.count && is_plain_integer(field_text(reader, i + 1));
    if (reader->fields.item[i].is_quoted ||
        (!strpbrk(text, ";|\t") && !(before && digits && text[digits] == ' ') &&
         !(after && blank && is_plain_integer(blank + 1 + strspn(blank + 1, "+-")))))
        return;
    place_die(&reader->fields.item[i].at,
              "field %zu: \"%s\" looks like several columns; they are separated by commas alone, and decimals begin "
              "with a point; a label that is meant so needs quotes",
              i + 1, text_shown(text, shown));
}

/* 1 for the positive class of a layout, else the label's index in the label set. */
static unsigned char take_label(struct reader *reader)
{
    const struct layout *layout = reader->layout;
    const size_t label = reader->plan.label;
    if (label == COLUMN_NONE)
        return 0;
    const struct field *field = &reader->fields.item[label];
    const char *text = field_text(reader, label);
    char shown[44];
    if (layout && strcmp(text, layout->positive) != 0 && strcmp(text, layout->negative) != 0)
        place_die(&field->at, "label \"%s\" is not %s or %s", text_shown(text, shown), layout->negative,
                  layout->positive);
    if (layout)
        return strcmp(text, layout->positive) == 0;
    if (!*text)
        place_die(&field->at, "field %zu: the label is missing", label + 1);
    check_separators(reader, label);
    const unsigned char which = labels_add(reader->labels, text, &field->at);
    if (reader->rows.count == 0)
        reader->first_which = which;
    return which;
}

static void check_columns(const struct reader *reader)
{
    const size_t count = reader->fields.count, columns = reader->columns;
    if (count == columns)
        return;
    if (reader->layout)
        place_die(&reader->fields.item[0].at, "%zu columns; expected %zu", count, columns);
    place_die(&reader->fields.item[count < columns ? count - 1 : columns].at, "%zu columns, but line %zu has %zu",
              count, reader->first_at.line, columns);
}

static _Noreturn void refuse_value(const struct reader *reader, size_t i)
{
    const char *text = field_text(reader, i), *hint = "";
    char shown[44];
    if (strpbrk(text, "0123456789") && (strpbrk(text, ";|\t,") || text[strspn(text, "+-0123456789 ")] == '\0'))
        hint = "; columns are separated by commas alone, decimals begin with a point";
    else if (reader->plan.is_guess && !reader->plan.is_header && reader->text.line == reader->first_at.line)
        hint = "; if this line is a header, say --header yes (key \"header\")";
    place_die(&reader->fields.item[i].at, "field %zu: \"%s\" is not a number up to %g in size%s", i + 1,
              text_shown(text, shown), DATASET_LARGEST, hint);
}

/* Reads the numbers of a row. 0 if one is missing in a layout that allows it. */
static int take_values(struct reader *reader)
{
    const struct layout *layout = reader->layout;
    const struct column_plan *plan = &reader->plan;
    size_t feature = 0;
    int has_fraction = 0, is_complete = 1;
    for (size_t i = layout ? layout->first : 0; i < reader->fields.count; i++) {
        const char *text = field_text(reader, i);
        double value = 0;
        if (i == plan->label || i == plan->ignored)
            continue;
        if (layout && layout->unknown && strcmp(text, layout->unknown) == 0)
            is_complete = 0;
        else if (!number_parse(text, &value))
            refuse_value(reader, i);
        else if (plan->feature)
            reader->values[plan->feature[i]] = value;
        else
            row_store_add_value(&reader->rows, feature++, value, &reader->text);
        has_fraction |= plan->is_of_whole && value != floor(value);
    }
    for (size_t f = 0; plan->feature && f < reader->table->columns.count; f++)
        row_store_add_value(&reader->rows, f, reader->values[f], &reader->text);
    reader->n_fractions += (size_t)has_fraction;
    return is_complete;
}

static void take_row(struct reader *reader)
{
    const size_t n_values = reader->rows.n_values;
    if (!reader->columns) {
        start(reader);
        if (reader->plan.is_header)
            return;
    }
    check_columns(reader);
    const int is_complete = take_values(reader);
    const unsigned char which = take_label(reader);
    if (is_complete)
        row_store_end_row(&reader->rows, which);
    else
        reader->rows.n_values = n_values;
}

/* ---- fields ---- */

static void add_field(struct reader *reader, const char *at)
{
    const struct text_reader *text = &reader->text;
    *pool_push(reader->pool, &reader->fields) = (struct field){
        *at == '"', (size_t)(at - text->held), {text->path, text->line, text_reader_column(text, at)}};
}

/* Reads the quoted field at *at: removes the quotes, reads further lines if necessary, and moves *at past it. */
static void quoted_field(struct reader *reader, char **at)
{
    struct text_reader *text = &reader->text;
    struct field *field = &reader->fields.item[reader->fields.count - 1];
    size_t to = ++field->offset, from = to, size;
    for (;; from++) {
        char byte = text->held[from];
        if (byte == '"' && text->held[from + 1] != '"')
            break;
        if (byte == '\0') {
            if (!text_reader_add_line(text, &size))
                place_die(&field->at, "a quoted field has no closing quote");
            byte = text->held[from];
        }
        from += byte == '"';
        text->held[to++] = byte;
    }
    *at = text->held + from + 1;
    *at += strspn(*at, " \t");
    if (**at != ',' && **at != '\0')
        text_reader_die(text, *at, "a quoted field is not followed by a comma or the end of its row");
    text->held[to] = '\0';
}

/* The same for an unquoted field at *at; *end is set to its end, without trailing blanks. */
static void bare_field(const struct reader *reader, char **at, char **end)
{
    char *stop = *at;
    while (*stop != ',' && *stop != '\0' && *stop != '"')
        stop++;
    if (*stop == '"')
        text_reader_die(&reader->text, stop, "a quote inside a field that does not start with a quote");
    for (*end = stop; *end > *at && ((*end)[-1] == ' ' || (*end)[-1] == '\t');)
        --*end;
    *at = stop;
}

/* Reads the fields from `at`, which is not a blank, to the end of the row. */
static void read_row(struct reader *reader, char *at)
{
    int has_more = 1;
    reader->fields.count = 0;
    while (has_more) {
        char *end = NULL;
        at += strspn(at, " \t");
        add_field(reader, at);
        if (*at == '"')
            quoted_field(reader, &at);
        else
            bare_field(reader, &at, &end);
        has_more = *at++ == ',';
        if (end)
            *end = '\0';
    }
    take_row(reader);
}

static void read_lines(struct reader *reader)
{
    struct text_reader *text = &reader->text;
    size_t size;
    while (text_reader_whole_line(text, &size)) {
        char *at = text->start;
        if (text->line == 1 && strncmp(at, "\xef\xbb\xbf", 3) == 0)
            at += 3; /* a byte order mark is not part of the first field */
        at += strspn(at, " \t");
        if (*at)
            read_row(reader, at);
    }
}

static void read_file(struct reader *reader, struct input_stream *stream, struct labelled_table *table)
{
    const struct layout *layout = reader->layout;
    struct pool *inner = pool_new();
    reader->pool = inner;
    reader->table = table;
    row_store_keep(inner, &reader->rows);
    text_reader_open(&reader->text, inner, stream);
    read_lines(reader);
    if (reader->rows.count == 0)
        die(STATUS_BAD_INPUT, "%s:1:1: no rows", reader->text.path);
    if (!layout)
        check_guess(reader);
    row_store_finish(&reader->rows, reader->text.path, 0,
                     layout ? reader->columns - 1 - layout->first : table->columns.count, table);
    table->first_index = 1;
    pool_free(inner);
}

void labelled_table_read_csv(struct input_stream *stream, const struct table_form *form, struct label_set *labels,
                             struct labelled_table *table)
{
    struct reader reader = {.form = form, .labels = labels};
    read_file(&reader, stream, table);
}

void dataset_read_uci(struct input_stream *stream, const char *format, struct dataset *dataset)
{
    const struct layout *layout = layouts;
    while (strcmp(layout->format, format) != 0)
        layout++;
    struct reader reader = {.layout = layout,
                            .plan = {.label = layout->columns - 1, .ignored = COLUMN_NONE},
                            .columns = layout->columns};
    struct pool *inner = pool_new();
    struct labelled_table *table = labelled_table_new(inner);
    read_file(&reader, stream, table);
    dataset_take(dataset, &table->patterns);
    for (size_t i = 0; i < table->rows; i++)
        dataset->y[i] = table->y[i] ? 1 : -1;
    pool_free(inner);
}
