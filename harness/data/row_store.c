/*
 * Large arrays grow by a quarter, and by moving pages instead of bytes (the C library's mremap), so that growing takes
 * neither twice the memory nor much time.
 */
#include "harness/data/row_store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/available_memory.h"

enum { VALUE_BYTES = sizeof(double) + sizeof(uint32_t), CHECK_FROM_BYTES = 64 << 20 };

/* Checks that `bytes` more are available. */
static enum status check_memory(const struct row_store *rows, size_t bytes, const struct text_reader *text)
{
    char where[512], what[128] = "what follows";
    double share = input_share(text->stream);
    snprintf(where, sizeof where, "%s:%zu", text->path, text->line);
    if (share > 0)
        snprintf(what, sizeof what, "%.0f %% of the file has been read and takes %.0f MB; the next part", 100 * share,
                 (double)(rows->n_values * VALUE_BYTES) / 1e6);
    return memory_check(where, what, (double)bytes, text->error);
}

enum status row_store_grow(struct row_store *rows, const struct text_reader *text)
{
    size_t held = rows->capacity * VALUE_BYTES;
    size_t wanted = rows->capacity == 0         ? 1024
                    : held < CHECK_FROM_BYTES ? 2 * rows->capacity
                                              : rows->capacity + rows->capacity / 4;
    if (held >= CHECK_FROM_BYTES) {
        enum status status = check_memory(rows, (wanted - rows->capacity) * VALUE_BYTES, text);
        if (status != STATUS_OK)
            return status;
    }
    double *values = realloc(rows->values, wanted * sizeof *values);
    if (values)
        rows->values = values;
    uint32_t *feature = realloc(rows->feature, wanted * sizeof *feature);
    if (feature)
        rows->feature = feature;
    if (!values || !feature)
        return text_reader_no_memory(text);
    rows->capacity = wanted;
    return STATUS_OK;
}

enum status row_store_end_row(struct row_store *rows, unsigned char which, const struct text_reader *text)
{
    if (!array_grow(&rows->begin, rows->count + 1, &rows->begin_capacity, sizeof *rows->begin) ||
        !array_grow(&rows->y, rows->count, &rows->y_capacity, sizeof *rows->y))
        return text_reader_no_memory(text);
    if (rows->count == 0)
        rows->begin[0] = 0;
    rows->y[rows->count++] = which;
    rows->begin[rows->count] = rows->n_values;
    return STATUS_OK;
}

void row_store_free(struct row_store *rows)
{
    free(rows->feature);
    free(rows->values);
    free(rows->begin);
    free(rows->y);
    memset(rows, 0, sizeof *rows);
}

/* Inserts zeros between the values, in place, from the last on: value k moves to i dims + d >= k. */
static void spread(struct row_store *rows, size_t first, size_t dims)
{
    for (size_t i = rows->count, k = rows->n_values; i-- > 0;) {
        double *row = rows->values + i * dims;
        for (size_t d = dims; d-- > 0;)
            row[d] = k > rows->begin[i] && rows->feature[k - 1] - first == d ? rows->values[--k] : 0;
    }
}

/* Converts the rows to dense ones. */
static enum status hold_dense(struct row_store *rows, const char *where, size_t first, size_t dims, struct error *error)
{
    enum status status = dataset_text_check_size(where, rows->count, dims, error);
    double *values = NULL;
    if (status == STATUS_OK && rows->count <= SIZE_MAX / sizeof *values / dims)
        values = realloc(rows->values, rows->count * dims * sizeof *values);
    if (!values)
        return status != STATUS_OK ? status
                                   : error_set(error, STATUS_NO_MEMORY, "%s: %zu x %zu values do not fit into memory",
                                               where, rows->count, dims);
    rows->values = values;
    spread(rows, first, dims);
    free(rows->feature);
    free(rows->begin);
    rows->feature = NULL;
    rows->begin = NULL;
    return STATUS_OK;
}

/* Shrinks an array, or leaves it as it is if that fails. */
static void *shorter(void *array, size_t size)
{
    void *made = realloc(array, size);
    /* cppcheck-suppress memleak ; it is what is returned */
    return made ? made : array;
}

/* Frees unused memory. */
static void trim(struct row_store *rows)
{
    rows->values = shorter(rows->values, (rows->n_values + 1) * sizeof *rows->values);
    rows->feature = shorter(rows->feature, (rows->n_values + 1) * sizeof *rows->feature);
}

enum status row_store_finish(struct row_store *rows, const char *where, size_t first, size_t dims,
                             struct labelled_table *table, struct error *error)
{
    enum patterns_form form = patterns_choose(dataset_text_form(), rows->count, dims, rows->n_values);
    enum status status = form == PATTERNS_DENSE ? hold_dense(rows, where, first, dims, error) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (form == PATTERNS_COMPRESSED) {
        for (size_t k = 0; first > 0 && k < rows->n_values; k++)
            rows->feature[k] -= (uint32_t)first;
        trim(rows);
    }
    *table = (struct labelled_table){
        .rows = rows->count,
        .patterns = {.rows = rows->count,
                     .dims = dims,
                     .values = rows->values,
                     .begin = rows->begin,
                     .feature = rows->feature},
        .y = rows->y,
        .first_index = first,
    };
    memset(rows, 0, sizeof *rows);
    return STATUS_OK;
}
