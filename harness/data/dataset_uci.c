/*
 * Two files of the UCI repository, as they are there. breast-cancer-wisconsin.data: id, nine features from 1 to 10,
 * class 2 (benign, -1) or 4 (malignant, +1); the sixteen rows with an unknown value ('?') are left out, which leaves
 * 683. sonar.all-data: sixty features, then R (rock, -1) or M (mine, +1).
 */
#include <string.h>

#include "harness/data/csv_rows.h"

struct layout {
    size_t columns, first; /* fields in a row; the first feature's place */
    const char *negative, *positive;
    int drop_unknown;
};

struct reader {
    const struct layout *layout;
    struct rows rows;
};

enum { most_features = 60 };

static enum status take_row(const struct csv_row *row, void *context, struct error *error)
{
    struct reader *reader = context;
    const struct layout *layout = reader->layout;
    double values[most_features];
    char shown[44];
    int unknown = 0;
    if (row->count != layout->columns)
        return csv_fail(row, 0, error, "%zu columns; there have to be %zu", row->count, layout->columns);
    for (size_t i = 0; i < reader->rows.dims; i++) {
        const char *field = row->fields[layout->first + i];
        if (layout->drop_unknown && strcmp(field, "?") == 0)
            unknown = 1;
        else if (!number_parse(field, &values[i]))
            return csv_fail(row, layout->first + i, error, "field %zu: \"%s\" is not a number", layout->first + i + 1,
                            text_shown(field, shown));
    }
    const char *label = row->fields[layout->columns - 1];
    int positive = strcmp(label, layout->positive) == 0;
    if (!positive && strcmp(label, layout->negative) != 0)
        return csv_fail(row, layout->columns - 1, error, "label \"%s\" is not %s or %s", text_shown(label, shown),
                        layout->negative, layout->positive);
    return unknown ? STATUS_OK : rows_add(&reader->rows, values, positive ? 1 : -1, row->path, error);
}

static enum status read_rows(const struct input *input, const struct layout *layout, struct dataset *dataset,
                             struct error *error)
{
    struct reader reader = {.layout = layout, .rows.dims = layout->columns - layout->first - 1};
    enum status status = csv_rows_read(input, take_row, &reader, error);
    if (status == STATUS_OK)
        status = rows_give(&reader.rows, dataset, error);
    rows_free(&reader.rows);
    return status;
}

enum status dataset_read_wisconsin(const struct input *input, struct dataset *dataset, struct error *error)
{
    static const struct layout layout = {11, 1, "2", "4", 1};
    return read_rows(input, &layout, dataset, error);
}

enum status dataset_read_sonar(const struct input *input, struct dataset *dataset, struct error *error)
{
    static const struct layout layout = {61, 0, "R", "M", 0};
    return read_rows(input, &layout, dataset, error);
}
