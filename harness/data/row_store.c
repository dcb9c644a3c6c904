/*
 * Large arrays grow by a quarter, and by moving pages instead of bytes (the C library's mremap), so that growing takes
 * neither twice the memory nor much time.
 */
#include "harness/data/row_store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/support/available_memory.h"

enum { VALUE_BYTES = sizeof(double) + sizeof(uint32_t), CHECK_FROM_BYTES = 64 << 20 };

/* Checks that `bytes` more are available. */
static void check_memory(const struct row_store *rows, size_t bytes, const struct text_reader *text)
{
    char where[512], what[128] = "what follows";
    double share = input_share(text->stream);
    snprintf(where, sizeof where, "%s:%zu", text->path, text->line);
    if (share > 0)
        snprintf(what, sizeof what, "%.0f %% of the file has been read and takes %.0f MB; the next part", 100 * share,
                 (double)(rows->n_values * VALUE_BYTES) / 1e6);
    memory_check(where, what, (double)bytes);
}

void row_store_grow(struct row_store *rows, const struct text_reader *text)
{
    size_t held = rows->capacity * VALUE_BYTES;
    size_t wanted = rows->capacity == 0         ? 1024
                    : held < CHECK_FROM_BYTES ? 2 * rows->capacity
                                              : rows->capacity + rows->capacity / 4;
    if (held >= CHECK_FROM_BYTES)
        check_memory(rows, (wanted - rows->capacity) * VALUE_BYTES, text);
    rows->values = xreallocarray(rows->values, wanted, sizeof *rows->values);
    rows->feature = xreallocarray(rows->feature, wanted, sizeof *rows->feature);
    rows->capacity = wanted;
}

void row_store_end_row(struct row_store *rows, unsigned char which)
{
    if (rows->count + 1 >= rows->row_capacity) {
        rows->row_capacity = rows->row_capacity ? 2 * rows->row_capacity : 64;
        rows->begin = xreallocarray(rows->begin, rows->row_capacity, sizeof *rows->begin);
        rows->y = xreallocarray(rows->y, rows->row_capacity, sizeof *rows->y);
        rows->begin[0] = 0;
    }
    rows->y[rows->count++] = which;
    rows->begin[rows->count] = rows->n_values;
}

static void release_store(void *data)
{
    struct row_store *rows = data;
    free(rows->feature);
    free(rows->values);
    free(rows->begin);
    free(rows->y);
}

void row_store_keep(struct pool *pool, struct row_store *rows)
{
    pool_keep(pool, release_store, rows);
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
static void hold_dense(struct row_store *rows, const char *where, size_t first, size_t dims)
{
    dataset_text_check_size(where, rows->count, dims);
    double *values = NULL;
    if (rows->count <= SIZE_MAX / sizeof *values / dims)
        values = realloc(rows->values, rows->count * dims * sizeof *values);
    if (!values)
        die(STATUS_NO_MEMORY, "%s: %zu x %zu values do not fit into memory", where, rows->count, dims);
    rows->values = values;
    spread(rows, first, dims);
    free(rows->feature);
    free(rows->begin);
    rows->feature = NULL;
    rows->begin = NULL;
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

void row_store_finish(struct row_store *rows, const char *where, size_t first, size_t dims,
                      struct labelled_table *table)
{
    enum patterns_form form = patterns_choose(dataset_text_form(), rows->count, dims, rows->n_values);
    if (form == PATTERNS_DENSE)
        hold_dense(rows, where, first, dims);
    if (form == PATTERNS_COMPRESSED) {
        for (size_t k = 0; first > 0 && k < rows->n_values; k++)
            rows->feature[k] -= (uint32_t)first;
        trim(rows);
    }
    table->rows = rows->count;
    table->patterns = (struct patterns){.rows = rows->count,
                                        .dims = dims,
                                        .values = rows->values,
                                        .begin = rows->begin,
                                        .feature = rows->feature};
    table->y = rows->y;
    table->first_index = first;
    memset(rows, 0, sizeof *rows);
}
