/* Tables of patterns, dense or compressed. See patterns.h. */
#include "solvers/kernel/patterns.h"

#include <stdlib.h>
#include <string.h>

enum patterns_form patterns_choose(enum patterns_form form, size_t rows, size_t dims, size_t nonzeros)
{
    const double n = (double)rows; /* the products may be larger than a size_t */
    if (form != PATTERNS_SMALLER)
        return form;
    return 12 * (double)nonzeros + 8 * (n + 1) < 8 * n * (double)dims ? PATTERNS_COMPRESSED : PATTERNS_DENSE;
}

enum status patterns_create(struct patterns *patterns, size_t rows, size_t dims, size_t nonzeros,
                            enum patterns_form form, struct error *error)
{
    int is_compressed = patterns_choose(form, rows, dims, nonzeros) == PATTERNS_COMPRESSED;
    *patterns = (struct patterns){.rows = rows, .dims = dims};
    if (is_compressed) {
        patterns->begin = calloc(rows + 1, sizeof *patterns->begin);
        patterns->feature = malloc((nonzeros + 1) * sizeof *patterns->feature);
        patterns->values = malloc((nonzeros + 1) * sizeof *patterns->values);
    } else if (dims == 0 || rows <= SIZE_MAX / sizeof(double) / dims)
        patterns->values = calloc(rows * dims + 1, sizeof *patterns->values);
    if (patterns->values && (!is_compressed || (patterns->begin && patterns->feature)))
        return STATUS_OK;
    patterns_free(patterns);
    return error_set(error, STATUS_NO_MEMORY, "out of memory for %zu patterns of %zu features", rows, dims);
}

void patterns_free(struct patterns *patterns)
{
    free(patterns->values);
    free(patterns->begin);
    free(patterns->feature);
    *patterns = (struct patterns){0};
}

size_t patterns_nonzeros(const struct patterns *patterns)
{
    if (patterns_are_compressed(patterns))
        return patterns->begin[patterns->rows];
    size_t count = 0;
    for (size_t i = 0; i < patterns->rows; i++)
        count += patterns_row_nonzeros(patterns, i);
    return count;
}

size_t patterns_row_nonzeros(const struct patterns *patterns, size_t i)
{
    const double *values;
    const uint32_t *feature;
    const size_t stored = patterns_row(patterns, i, &values, &feature);
    size_t count = 0;
    for (size_t k = 0; k < stored; k++)
        count += values[k] != 0;
    return count;
}

void patterns_copy_row(struct patterns *to, size_t i, const struct patterns *from, size_t row, size_t shift)
{
    const double *values;
    const uint32_t *feature;
    size_t count = patterns_row(from, row, &values, &feature);
    if (!patterns_are_compressed(to)) {
        double *dense = to->values + i * to->dims + shift;
        for (size_t k = 0; k < count; k++)
            dense[feature ? feature[k] : k] = values[k];
        return;
    }
    size_t next = to->begin[i];
    for (size_t k = 0; k < count; k++)
        if (values[k] != 0) {
            to->feature[next] = (uint32_t)(shift + (feature ? feature[k] : k));
            to->values[next++] = values[k];
        }
    to->begin[i + 1] = next;
}

/* Inserts zeros between the values, in place, from the last on; value k moves to i dims + d >= k. */
static enum status make_dense(struct patterns *patterns, struct error *error)
{
    const size_t rows = patterns->rows, dims = patterns->dims;
    double *values = NULL;
    if (dims == 0 || rows <= (SIZE_MAX / sizeof *values - 1) / dims)
        values = realloc(patterns->values, (rows * dims + 1) * sizeof *values);
    if (!values)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for %zu patterns of %zu features", rows, dims);
    patterns->values = values;
    for (size_t i = rows, k = patterns->begin[rows]; i-- > 0;)
        for (size_t d = dims; d-- > 0;)
            values[i * dims + d] = k > patterns->begin[i] && patterns->feature[k - 1] == d ? values[--k] : 0;
    free(patterns->begin);
    free(patterns->feature);
    patterns->begin = NULL;
    patterns->feature = NULL;
    return STATUS_OK;
}

enum status patterns_hold(struct patterns *patterns, enum patterns_form form, struct error *error)
{
    size_t nonzeros = patterns_nonzeros(patterns);
    form = patterns_choose(form, patterns->rows, patterns->dims, nonzeros);
    if (patterns_are_compressed(patterns) == (form == PATTERNS_COMPRESSED))
        return STATUS_OK;
    if (form == PATTERNS_DENSE)
        return make_dense(patterns, error);
    struct patterns other;
    enum status status = patterns_create(&other, patterns->rows, patterns->dims, nonzeros, form, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < patterns->rows; i++)
        patterns_copy_row(&other, i, patterns, i, 0);
    patterns_free(patterns);
    *patterns = other;
    return STATUS_OK;
}

double patterns_value(const struct patterns *patterns, size_t i, size_t d)
{
    const double *values;
    const uint32_t *feature;
    size_t low = 0, count = patterns_row(patterns, i, &values, &feature), high = count;
    if (!feature)
        return values[d];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (feature[middle] < d)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && feature[low] == d ? values[low] : 0;
}

const double *patterns_spread(const struct patterns *patterns, size_t i, double *dense)
{
    const double *values;
    const uint32_t *feature;
    size_t count = patterns_row(patterns, i, &values, &feature);
    if (!feature)
        return values;
    for (size_t k = 0; k < count; k++)
        dense[feature[k]] = values[k];
    return dense;
}

void patterns_clear(const struct patterns *patterns, size_t i, double *dense)
{
    const double *values;
    const uint32_t *feature;
    size_t count = patterns_row(patterns, i, &values, &feature);
    for (size_t k = 0; feature && k < count; k++)
        dense[feature[k]] = 0;
}

double patterns_squared_distance(const struct patterns *patterns, size_t i, size_t j)
{
    size_t a = patterns->begin[i], a_end = patterns->begin[i + 1];
    size_t b = patterns->begin[j], b_end = patterns->begin[j + 1];
    double sum = 0;
    while (a < a_end || b < b_end) {
        int has_a = b == b_end || (a < a_end && patterns->feature[a] <= patterns->feature[b]);
        int has_b = a == a_end || (b < b_end && patterns->feature[b] <= patterns->feature[a]);
        double difference = (has_a ? patterns->values[a] : 0) - (has_b ? patterns->values[b] : 0);
        sum += difference * difference;
        a += (size_t)has_a;
        b += (size_t)has_b;
    }
    return sum;
}

double patterns_inner_product(const struct patterns *patterns, size_t i, size_t j)
{
    size_t a = patterns->begin[i], a_end = patterns->begin[i + 1];
    size_t b = patterns->begin[j], b_end = patterns->begin[j + 1];
    double sum = 0;
    while (a < a_end && b < b_end) {
        uint32_t of_a = patterns->feature[a], of_b = patterns->feature[b];
        if (of_a == of_b)
            sum += patterns->values[a] * patterns->values[b];
        a += of_a <= of_b;
        b += of_b <= of_a;
    }
    return sum;
}
