/*
 * Rows of a comma-separated file in memory, by libcsv, with the line each one ends on.
 */
#ifndef HULLBENCH_CSV_ROWS_H
#define HULLBENCH_CSV_ROWS_H

#include "harness/data/dataset_parts.h"

/* One row: fields are NUL-terminated, without their quotes and outer blanks, and live until the call returns. */
struct csv_row {
    const char *path;
    size_t line, count; /* line: the one the row ends on */
    const char *const *fields;
    const struct csv_place {
        size_t line, column; /* where a field begins: line, and byte in it, both from 1 */
    } *places;
};

/* Fills *error with "PATH:LINE:COLUMN: MESSAGE", where the field begins, and returns STATUS_BAD_INPUT. */
enum status csv_fail(const struct csv_row *row, size_t field, struct error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Calls take(row, context, error) for each row that is not empty, until one returns something else than STATUS_OK. An
 * error in the quoting is STATUS_BAD_INPUT and names line and column. */
enum status csv_rows_read(const struct input *input,
                          enum status (*take)(const struct csv_row *row, void *context, struct error *error),
                          void *context, struct error *error);

#endif
