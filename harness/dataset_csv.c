/*
 * CSV files: one pattern a row, one column the label, all others features in their order. Labels are +1 or -1 and
 * nothing else: which of two other names were to be positive would be a guess.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/csv_rows.h"

struct reader {
    const char *label_column;
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
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: label column \"%s\" is in the header %zu times", row->path,
                         row->line, name, found);
    unsigned long number = strtoul(reader->label_column, &end, 10);
    if (reader->label_column[strspn(reader->label_column, "0123456789")] != '\0' || end == reader->label_column ||
        number < 1 || number > row->count)
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: label column \"%s\" is not %sa number from 1 to %zu",
                         row->path, row->line, name, header ? "in the header nor " : "", row->count);
    reader->label = number - 1;
    return STATUS_OK;
}

static enum status start(struct reader *reader, const struct csv_row *row, int header, struct error *error)
{
    if (row->count < 2)
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: 1 column; a label and at least one feature are needed",
                         row->path, row->line);
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
    double label = 0;
    if (!reader->columns) {
        int header = is_header(row);
        enum status status = start(reader, row, header, error);
        if (status != STATUS_OK || header)
            return status;
    }
    if (row->count != reader->columns)
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: %zu columns, but line %zu has %zu", row->path, row->line,
                         row->count, reader->first_line, reader->columns);
    for (size_t i = 0, feature = 0; i < row->count; i++) {
        if (i == reader->label)
            continue;
        if (!number_parse(row->fields[i], &reader->values[feature++]))
            return error_set(error, STATUS_BAD_INPUT, "%s:%zu: column %zu: \"%s\" is not a number up to %g in size",
                             row->path, row->line, i + 1, text_shown(row->fields[i], shown), DATASET_LARGEST);
    }
    const char *text = row->fields[reader->label];
    if (!number_parse(text, &label) || (label != 1 && label != -1))
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: label \"%s\" is not +1 or -1", row->path, row->line,
                         text_shown(text, shown));
    return rows_add(&reader->rows, reader->values, label > 0 ? 1 : -1, row->path, error);
}

enum status dataset_read_csv(const struct input *input, const char *label_column, struct dataset *dataset,
                             struct error *error)
{
    struct reader reader = {.label_column = label_column};
    enum status status = csv_rows_read(input, take_row, &reader, error);
    if (status == STATUS_OK)
        status = rows_give(&reader.rows, dataset, error);
    free(reader.values);
    rows_free(&reader.rows);
    return status;
}
