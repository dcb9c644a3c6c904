/*
 * CSV files: one pattern per row, one label column (numbers or words), all other columns features in order. Fields
 * follow RFC 4180: they are separated by commas, and a quoted field may hold commas, newlines and doubled quotes.
 * Blanks around fields are ignored. Fields are parsed in place in the reader's buffer.
 *
 * A first line is a header if the user says so; if it has the column that the user names, or all names that are
 * expected; or else if no cell is a number. It is refused as ambiguous
 *   - if no cell of a feature could be a name: NA, nan, ?, $5, an empty cell;
 *   - if its cells are the numbers 0, 1, 2, ... or 1, 2, ..., as libraries name columns without names.
 * Three checks need later rows (check_guess). Names of which none could be a value, and numbers of which one has a
 * sign, a point or an exponent, or that repeat, leave no doubt. All other guesses are noted.
 *
 * Two UCI files are read in their original form. breast-cancer-wisconsin.data has an id, nine features from 1 to 10,
 * and class 2 (benign, -1) or 4 (malignant, +1); the sixteen rows with an unknown value ('?') are skipped, which leaves
 * 683. sonar.all-data has sixty features, then R (rock, -1) or M (mine, +1).
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/data/dataset_text.h"
#include "solvers/unknown_name.h"

const struct table_layout *table_layout_find(const char *format)
{
    static const struct table_layout layouts[] = {{"wisconsin", 11, 1, "2", "4", "?"},
                                                   {"sonar", 61, 0, "R", "M", NULL}};
    for (size_t i = 0; format && i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(layouts[i].format, format) == 0)
            return &layouts[i];
    return NULL;
}

struct field {
    int is_quoted;
    size_t offset;        /* offset of its text, without quotes and outer blanks, from text->held */
    struct text_place at; /* where it begins */
};

struct reader {
    struct text_reader *text; /* its pool has what is needed while reading */
    const struct table_form *form;
    struct label_set *labels;
    struct labelled_table *table; /* being made; has its columns and notes from the first line on */
    struct LIST_OF(struct field) fields; /* of the current row */

    size_t columns; /* of the first line; 0: before it */
    struct text_place first_at;
    int is_header;   /* the first line has names */
    int is_guess;    /* ... or has none, because nobody said otherwise */
    int is_unsure;   /* the guess might be wrong: it is noted */
    int is_of_whole; /* its cells are different whole numbers in plain digits */
    size_t label;    /* the column of the labels, from 0; NO_COLUMN: there is none */
    size_t ignored;  /* a column of labels that do not count; NO_COLUMN */
    size_t *feature; /* of each column, the feature that it has; NULL: features in order of the columns */
    double *values;  /* then: of the current row */

    char *first_label;         /* the label's cell in the first line if that was guessed to be a header */
    unsigned char first_which; /* the label of the first row */
    size_t first_row;          /* of the file in the table */
    size_t n_fractions;        /* later rows with a value that is not whole */
};
#define NO_COLUMN ((size_t)-1)

static const char *cell(const struct reader *reader, size_t i)
{
    return reader->text->held + reader->fields.item[i].offset;
}

/* Nonzero for digits only. */
static int is_plain_integer(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

/* The first column with this text in the current row; NO_COLUMN if there is none. */
static size_t find_cell(const struct reader *reader, const char *text)
{
    for (size_t i = 0; i < reader->fields.count; i++)
        if (strcmp(cell(reader, i), text) == 0)
            return i;
    return NO_COLUMN;
}

/* All texts of the current row, and NULL. */
static const char **cells(const struct reader *reader)
{
    const char **texts = pool_array(reader->text->pool, reader->fields.count + 1, sizeof *texts);
    for (size_t i = 0; i < reader->fields.count; i++)
        texts[i] = pool_strdup(reader->text->pool, text_shown(cell(reader, i)));
    return texts;
}

/* ---- the header ---- */

/* Nonzero for a word that stands for a value that is not known, and for an empty cell. */
static int is_missing(const char *text)
{
    static const char *const words[] = {"",    "?",   "na",  "n/a",     "nan",     "null",
                                        "none", "nil", "nat", "missing", "unknown", "undefined"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text + strspn(text, "+-#<"), words[i]) == 0)
            return 1;
    return 0;
}

/* Nonzero unless a cell is a missing value, infinite, or begins like a number. */
static int could_be_name(const char *text)
{
    const char *word = text + strspn(text, "+-#<");
    if (is_missing(text) || strcasecmp(word, "inf") == 0 || strcasecmp(word, "infinity") == 0)
        return 0;
    for (const char *at = text; *at; at++)
        if ((*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z'))
            return *at > '9';
    return (*text & 0x80) != 0; /* letters of another script */
}

static int has_expected_names(const struct reader *reader)
{
    const struct columns *expected = reader->form->expected;
    if (!expected || !expected->names || expected->count > reader->fields.count)
        return 0;
    for (size_t i = 0; i < expected->count; i++) /* almost always in order */
        if (strcmp(cell(reader, i), expected->names[i]) != 0 && find_cell(reader, expected->names[i]) == NO_COLUMN)
            return 0;
    return 1;
}

/* Nonzero if all cells are whole numbers in plain digits, and none equals another. *are_numbered: they are those from 0
 * or 1 on, in order, or from four cells on in any order. */
static int are_different_integers(const struct reader *reader, int *are_numbered)
{
    const size_t count = reader->fields.count;
    double *numbers = pool_array(reader->text->pool, count, sizeof *numbers);
    int are_in_order = 1;
    *are_numbered = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_plain_integer(cell(reader, i)))
            return 0;
        numbers[i] = strtod(cell(reader, i), NULL);
        are_in_order = are_in_order && (i == 0 || numbers[i] == numbers[i - 1] + 1);
    }
    gsl_sort(numbers, 1, count);
    for (size_t i = 1; i < count; i++)
        if (numbers[i] == numbers[i - 1])
            return 0;
    *are_numbered = count >= 3 && numbers[0] <= 1 && numbers[count - 1] == numbers[0] + (double)(count - 1) &&
                    (count > 3 || are_in_order);
    return 1;
}

static _Noreturn void ambiguous(const struct reader *reader, const char *why)
{
    place_die(reader->first_at, "%s; say --header yes or no (key \"header\")", why);
}

static void guess_header(struct reader *reader)
{
    const size_t count = reader->fields.count;
    const char *label = reader->form->set->label_column;
    size_t n_numbers = 0, n_names = 0, n_names_of_all = 0;
    double ignored;
    int are_numbered;
    reader->is_header = 1;
    if ((label && *label && !is_plain_integer(label) && find_cell(reader, label) != NO_COLUMN) ||
        has_expected_names(reader))
        return;
    reader->is_guess = 1;
    const size_t label_at = label                        ? strtoul(label, NULL, 10) - 1
                            : reader->form->has_no_labels ? NO_COLUMN
                                                          : count - 1;
    for (size_t i = 0; i < count; i++)
        if (number_parse(cell(reader, i), &ignored))
            n_numbers++;
        else if (could_be_name(cell(reader, i))) {
            n_names_of_all++;
            n_names += i != label_at; /* a label may be any word */
        }
    reader->is_header = n_numbers == 0;
    reader->is_of_whole = are_different_integers(reader, &are_numbered);
    reader->is_unsure = reader->is_header ? n_names_of_all < count : reader->is_of_whole;
    if (are_numbered)
        ambiguous(reader, "a header or a row of data? its cells are whole numbers in a row");
    if (n_numbers == 0 && n_names == 0)
        ambiguous(reader, "a header or a row of data? no cell is a number, and no feature's could be a name");
}

/* ---- the label column ---- */

/* The column with this name in the header, in which it occurs once; NO_COLUMN if there is none. */
static size_t find_name(const struct reader *reader, const char *name)
{
    const size_t found = reader->is_header ? find_cell(reader, name) : NO_COLUMN;
    for (size_t i = found + 1; found != NO_COLUMN && i < reader->fields.count; i++)
        if (strcmp(cell(reader, i), name) == 0)
            place_die(reader->first_at, "label column \"%s\" occurs 2 times in the header", text_shown(name));
    return found;
}

/* The user's label column: its number from 1, or its name. Else that of the training data, else the last. */
static size_t decide_label(const struct reader *reader)
{
    const struct table_form *form = reader->form;
    const char *name = form->set->label_column, *trained = form->expected ? form->expected->label : NULL;
    const size_t count = reader->fields.count, number = name && is_plain_integer(name) ? strtoul(name, NULL, 10) : 0;
    if (!name && (!reader->is_header || !trained))
        return count - 1;
    const size_t named = find_name(reader, name ? name : trained);
    const size_t label = number >= 1 && number <= count ? number - 1 : named;
    if (label == NO_COLUMN && !name)
        place_die(reader->first_at,
                  "no column \"%s\", which has the labels of %s; --label-column names another, and predict --no-labels "
                  "does without",
                  text_shown(trained), form->expected_in);
    if (label == NO_COLUMN && !reader->is_header)
        place_die(reader->first_at, "label column \"%s\" is unknown; allowed: a number from 1 to %zu; the first line "
                  "counts as data (--header, key \"header\")", text_shown(name), count);
    if (label == NO_COLUMN)
        place_die(reader->first_at, "%s, or a number from 1 to %zu",
                  unknown_name_text("label column", text_shown(name), cells(reader), message_room(), MESSAGE_ROOM),
                  count);
    if (named != NO_COLUMN && named != label)
        table_note(reader->table, "%s:%zu: label column \"%s\" is column %zu; the header has this name for column %zu",
                   reader->first_at.path, reader->first_at.line, name, number, named + 1);
    return label;
}

/* ---- the features ---- */

/* Matches the columns with the expected features by name; those of equal names in order. */
static void match_names(struct reader *reader)
{
    const struct columns *expected = reader->form->expected;
    const char *in = reader->form->expected_in;
    struct pool *pool = reader->text->pool;
    unsigned char *seen = pool_alloc(pool, expected->count);
    size_t likely = 0, position = 0, n_moved = 0; /* likely: the feature after the latest */
    reader->feature = pool_array(pool, reader->fields.count, sizeof *reader->feature);
    reader->values = pool_array(pool, reader->table->columns.count, sizeof *reader->values);
    for (size_t i = 0; i < reader->fields.count; i++) {
        const char *name = cell(reader, i);
        size_t tries = 0;
        if (i == reader->label || i == reader->ignored)
            continue;
        for (; tries < expected->count && (seen[likely] || strcmp(expected->names[likely], name) != 0); tries++)
            likely = (likely + 1) % expected->count;
        if (tries == expected->count)
            place_die(reader->first_at, "column %zu, \"%s\", is no feature of %s", i + 1, text_shown(name), in);
        seen[likely] = 1;
        n_moved += likely != position++;
        reader->feature[i] = likely;
        likely = (likely + 1) % expected->count;
    }
    for (size_t f = 0; f < expected->count; f++)
        if (!seen[f])
            place_die(reader->first_at, "no column \"%s\", which is a feature of %s",
                      text_shown(expected->names[f]), in);
    if (n_moved > 0)
        table_note(reader->table, "%s: its columns are in another order than those of %s; they are matched by name",
                   reader->first_at.path, in);
}

/* Takes the names of the features and of the label column. */
static void take_names(const struct reader *reader)
{
    struct columns *columns = &reader->table->columns;
    size_t feature = 0;
    columns->names = pool_array(reader->table->pool, columns->count, sizeof *columns->names);
    for (size_t i = 0; i < reader->fields.count; i++)
        if (i == reader->label)
            columns->label = pool_strdup(reader->table->pool, cell(reader, i));
        else if (i != reader->ignored)
            columns->names[feature++] = pool_strdup(reader->table->pool, cell(reader, i));
}

/* Decides what the columns are. */
static void start(struct reader *reader)
{
    const struct table_form *form = reader->form;
    const struct columns *expected = form->expected;
    struct columns *columns = &reader->table->columns;
    const size_t count = reader->fields.count;
    reader->columns = count;
    reader->first_at = reader->fields.item[0].at;
    if (!form->has_no_labels && count < 2)
        place_die(reader->first_at, "1 column; expected a label and at least one feature, separated by commas");
    if (!form->set->header || strcmp(form->set->header, "auto") == 0)
        guess_header(reader);
    else
        reader->is_header = strcmp(form->set->header, "yes") == 0;
    if (!form->has_no_labels)
        reader->label = decide_label(reader);
    else if (expected && expected->label)
        reader->ignored = find_name(reader, expected->label);
    columns->count = count - (reader->label != NO_COLUMN) - (reader->ignored != NO_COLUMN);
    if (reader->is_header && expected && expected->names)
        match_names(reader);
    if (expected && expected->count > 0 && columns->count != expected->count)
        place_die(reader->first_at, "%zu features, but %s has %zu%s", columns->count, form->expected_in,
                  expected->count,
                  reader->label != NO_COLUMN && columns->count + 1 == expected->count
                      ? "; predict --no-labels reads files without labels"
                      : "");
    if (expected && expected->count && !reader->is_header != !expected->names)
        table_note(reader->table, "%s: %s has a header, the other none: columns are matched by position",
                   reader->first_at.path, reader->is_header ? "this file" : form->expected_in);
    if (reader->is_header)
        take_names(reader);
    if (reader->is_unsure)
        table_note(reader->table, "%s:%zu: guessed to be a %s (\"%s\", ...; %zu columns); --header states it",
                   reader->first_at.path, reader->first_at.line,
                   reader->is_header ? "header" : "row of data, not a header", text_shown(cell(reader, 0)),
                   count);
    if (reader->is_guess && reader->is_header && reader->label != NO_COLUMN)
        reader->first_label = pool_strdup(reader->text->pool, cell(reader, reader->label));
}

/* Judges the guess about the first line by the other rows. */
static void check_guess(const struct reader *reader)
{
    const struct label_set *labels = reader->labels;
    const size_t later = reader->table->rows - reader->first_row - 1;
    const unsigned char which = reader->first_label ? labels_find(labels, reader->first_label) : LABELS_MAX;
    if (which < LABELS_MAX && labels->seen[which].count > 0)
        ambiguous(reader, "guessed to be a header, but its cell in the label column is one of the labels");
    if (!reader->is_guess || reader->is_header)
        return;
    if (reader->is_of_whole && later >= 3 && reader->n_fractions == later)
        ambiguous(reader, "guessed to be a row of data, but only its cells are all whole numbers");
    const struct label_seen *first = reader->first_which < LABELS_MAX ? &labels->seen[reader->first_which] : NULL;
    if (reader->label != NO_COLUMN && labels->count > 2 && first && first->count == 1 &&
        (!first->is_number || reader->is_of_whole))
        ambiguous(reader, "guessed to be a row of data, but no other row has its label");
}

/* ---- rows ---- */

/* Nonzero for a whole number with or without a sign. */
static int is_integer(const char *text)
{
    return is_plain_integer(text + strspn(text, "+-"));
}

/* Columns are separated by commas alone: an unquoted label that looks like several columns is refused. */
static void check_separators(const struct reader *reader, size_t i)
{
    const char *text = cell(reader, i), *blank = strrchr(text, ' ');
    const size_t digits = strspn(text, "0123456789");
    const int before = i > 0 && is_integer(cell(reader, i - 1));
    const int after = i + 1 < reader->fields.count && is_plain_integer(cell(reader, i + 1));
    if (reader->fields.item[i].is_quoted ||
        (!strpbrk(text, ";|\t") && !(before && digits && text[digits] == ' ') &&
         !(after && blank && is_integer(blank + 1))))
        return;
    place_die(reader->fields.item[i].at,
              "field %zu: \"%s\" looks like several columns; they are separated by commas alone, and decimals begin "
              "with a point; a label that is meant so needs quotes",
              i + 1, text_shown(text));
}

/* The label's index in the label set. */
static unsigned char take_label(struct reader *reader)
{
    const struct table_layout *layout = reader->form->layout;
    const size_t label = reader->label;
    if (label == NO_COLUMN)
        return 0;
    const struct text_place at = reader->fields.item[label].at;
    const char *text = cell(reader, label);
    if (layout && labels_find(reader->labels, text) > 1)
        place_die(at, "label \"%s\" is not %s or %s", text_shown(text), layout->negative, layout->positive);
    if (!*text)
        place_die(at, "field %zu: the label is missing", label + 1);
    check_separators(reader, label);
    const unsigned char which = labels_add(reader->labels, text, at);
    if (reader->table->rows == reader->first_row)
        reader->first_which = which;
    return which;
}

static void check_columns(const struct reader *reader)
{
    const size_t count = reader->fields.count, columns = reader->columns;
    if (count != columns && reader->form->layout)
        place_die(reader->fields.item[0].at, "%zu columns; expected %zu", count, columns);
    if (count != columns)
        place_die(reader->fields.item[count < columns ? count - 1 : columns].at, "%zu columns, but line %zu has %zu",
                  count, reader->first_at.line, columns);
}

/* Refuses a value: with the name of its column, if it has one, and what to do. */
static _Noreturn void refuse_value(const struct reader *reader, size_t i)
{
    const int may_be_header = reader->is_guess && !reader->is_header && reader->text->line == reader->first_at.line;
    const size_t feature = i - (reader->label < i) - (reader->ignored < i);
    const char *name = reader->is_header ? text_shown(reader->table->columns.names[feature]) : "";
    const char *hint =
        may_be_header               ? "; if this line is a header, say --header yes (key \"header\")"
        : is_missing(cell(reader, i)) ? "; fill in a missing value, or remove its row or its column"
        : reader->form->set->label_column
            ? "; decimals have a point, only commas separate columns; remove a column that is no feature"
            : "; decimals have a point, only commas separate columns, and --label-column (key \"label_column\") names "
              "the column of the labels, by default the last; remove a column that is no feature";
    place_die(reader->fields.item[i].at, "field %zu%s%s%s: \"%s\" is not a number up to %g in size%s", i + 1,
              *name ? " (" : "", name, *name ? ")" : "", text_shown(cell(reader, i)), DATASET_LARGEST, hint);
}

/* Reads the numbers of a row. 0 if one is missing in a layout that allows it. */
static int take_values(struct reader *reader)
{
    const struct table_layout *layout = reader->form->layout;
    size_t feature = 0;
    int has_fraction = 0, is_complete = 1;
    for (size_t i = layout ? layout->first : 0; i < reader->fields.count; i++) {
        const char *text = cell(reader, i);
        double value = 0;
        if (i == reader->label || i == reader->ignored)
            continue;
        if (layout && layout->unknown && strcmp(text, layout->unknown) == 0)
            is_complete = 0;
        else if (!number_parse(text, &value))
            refuse_value(reader, i);
        else if (reader->feature)
            reader->values[reader->feature[i]] = value;
        else
            table_add_value(reader->table, ++feature, value, reader->text);
        has_fraction |= reader->is_of_whole && value != floor(value);
    }
    for (size_t f = 0; reader->feature && f < reader->table->columns.count; f++)
        table_add_value(reader->table, f + 1, reader->values[f], reader->text);
    reader->n_fractions += (size_t)has_fraction;
    return is_complete;
}

static void take_row(struct reader *reader)
{
    const size_t n_values = reader->table->n_values;
    if (!reader->columns) {
        start(reader);
        if (reader->is_header)
            return;
    }
    check_columns(reader);
    const int is_complete = take_values(reader);
    const unsigned char which = take_label(reader);
    if (is_complete)
        table_end_row(reader->table, which);
    else
        reader->table->n_values = n_values;
}

/* ---- fields ---- */

/* Reads the quoted field at *at: removes the quotes, reads further lines if necessary, and moves *at past it. */
static void quoted_field(struct reader *reader, char **at)
{
    struct text_reader *text = reader->text;
    struct field *field = &reader->fields.item[reader->fields.count - 1];
    size_t to = ++field->offset, from = to, size;
    for (;; from++) {
        char byte = text->held[from];
        if (byte == '"' && text->held[from + 1] != '"')
            break;
        if (byte == '\0') {
            if (!text_reader_add_line(text, &size))
                place_die(field->at, "a quoted field has no closing quote");
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
    char *stop = *at + strcspn(*at, ",\"");
    if (*stop == '"')
        text_reader_die(reader->text, stop, "a quote inside a field that does not start with a quote");
    for (*end = stop; *end > *at && ((*end)[-1] == ' ' || (*end)[-1] == '\t');)
        --*end;
    *at = stop;
}

/* Reads the fields from `at`, which is not a blank, to the end of the row. */
static void read_row(struct reader *reader, char *at)
{
    struct text_reader *text = reader->text;
    int has_more = 1;
    reader->fields.count = 0;
    while (has_more) {
        char *end = NULL;
        at += strspn(at, " \t");
        *pool_push(text->pool, &reader->fields) =
            (struct field){*at == '"', (size_t)(at - text->held), text_reader_place(text, at)};
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

void table_read_csv(struct text_reader *text, const struct table_form *form, struct label_set *labels,
                    struct labelled_table *table)
{
    const struct table_layout *layout = form->layout;
    struct reader reader = {
        .text = text, .form = form, .labels = labels, .table = table, .label = NO_COLUMN, .ignored = NO_COLUMN,
        .first_row = table->rows};
    size_t size;
    if (layout) {
        reader.columns = layout->columns;
        reader.label = layout->columns - 1;
        table->columns.count = layout->columns - 1 - layout->first;
    }
    while (text_reader_whole_line(text, &size)) {
        char *at = text->rest + strspn(text->rest, " \t");
        if (*at)
            read_row(&reader, at);
    }
    if (table->rows == reader.first_row)
        die(STATUS_BAD_INPUT, "%s:1:1: no rows", text->path);
    check_guess(&reader);
    if (table->columns.count > table->largest)
        table->largest = table->columns.count;
}
