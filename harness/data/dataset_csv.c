/*
 * CSV files: one pattern a row, one column the label, a number or a word, all others features in their order.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/data/csv_rows.h"
#include "harness/data/dataset_text.h"

struct reader {
    const char *path, *label_column;
    struct label_set *labels;
    size_t columns, label; /* columns 0: the first row is still to come; label counted from 0 */
    size_t first_line;
    double *values;
    struct rows rows;
};

static int is_header(const struct csv_row *row)
{
    double ignored;
    for (size_t i = 0; i < row->count; i++)
        if (number_parse(row->fields[i], &ignored))
            return 0;
    return 1;
}

/* Turns label_column into a place: the last column, the number of a column, or a name that the header has once. */
static enum status label_place(struct reader *reader, const struct csv_row *row, int header, struct error *error)
{
    size_t found = 0;
    char *end = NULL, shown[44];
    reader->label = row->count - 1;
    if (!reader->label_column)
        return STATUS_OK;
    for (size_t i = 0; header && i < row->count; i++)
        if (strcmp(row->fields[i], reader->label_column) == 0) {
            reader->label = i;
            found++;
        }
    if (found == 1)
        return STATUS_OK;
    const char *name = text_shown(reader->label_column, shown);
    if (found > 1)
        return csv_fail(row, 0, error, "label column \"%s\" is in the header %zu times", name, found);
    unsigned long number = strtoul(reader->label_column, &end, 10);
    if (reader->label_column[strspn(reader->label_column, "0123456789")] != '\0' || end == reader->label_column ||
        number < 1 || number > row->count)
        return csv_fail(row, 0, error, "label column \"%s\" is not %sa number from 1 to %zu", name,
                        header ? "in the header nor " : "", row->count);
    reader->label = number - 1;
    return STATUS_OK;
}

static enum status start(struct reader *reader, const struct csv_row *row, int header, struct error *error)
{
    if (row->count < 2)
        return csv_fail(row, 0, error,
                        "1 column; a label and at least one feature are needed, with commas between them");
    reader->columns = row->count;
    reader->first_line = row->line;
    reader->rows.dims = row->count - 1;
    reader->values = calloc(reader->rows.dims, sizeof *reader->values);
    if (!reader->values)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", row->path);
    return label_place(reader, row, header, error);
}

static enum status take_row(const struct csv_row *row, void *context, struct error *error)
{
    struct reader *reader = context;
    char shown[44];
    unsigned char which;
    if (!reader->columns) {
        int header = is_header(row);
        enum status status = start(reader, row, header, error);
        if (status != STATUS_OK || header)
            return status;
    }
    if (row->count != reader->columns)
        return csv_fail(row, row->count < reader->columns ? row->count - 1 : reader->columns, error,
                        "%zu columns, but line %zu has %zu", row->count, reader->first_line, reader->columns);
    for (size_t i = 0, feature = 0; i < row->count; i++) {
        if (i == reader->label)
            continue;
        if (!number_parse(row->fields[i], &reader->values[feature++]))
            return csv_fail(row, i, error, "field %zu: \"%s\" is not a number up to %g in size", i + 1,
                            text_shown(row->fields[i], shown), DATASET_LARGEST);
    }
    const char *text = row->fields[reader->label];
    const struct csv_place *place = &row->places[reader->label];
    const struct label_place at = {reader->path, place->line, place->column};
    if (!*text)
        return csv_fail(row, reader->label, error, "field %zu: a label is missing", reader->label + 1);
    enum status status = labels_add(reader->labels, text, &at, &which, error);
    return status == STATUS_OK ? rows_add(&reader->rows, reader->values, (signed char)which, row->path, error) : status;
}

enum status dataset_text_read_csv(const struct input *input, const char *label_column, struct label_set *labels,
                           struct labelled_table *table, struct error *error)
{
    struct reader reader = {.path = input->path, .label_column = label_column, .labels = labels};
    enum status status = csv_rows_read(input, take_row, &reader, error);
    if (status == STATUS_OK && reader.rows.count == 0)
        status = error_set(error, STATUS_BAD_INPUT, "%s:1:1: no rows", input->path);
    free(reader.values);
    if (status == STATUS_OK)
        *table = (struct labelled_table){reader.rows, 1};
    else
        rows_free(&reader.rows);
    return status;
}
