/* Kernel functions: base values (distances, inner products, table entries) and functions of them. See kernel.h. */
#include "solvers/kernel/kernel.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {
    [KERNEL_RBF] = "rbf",
    [KERNEL_POLYNOMIAL] = "polynomial",
    [KERNEL_LINEAR] = "linear",
    [KERNEL_PRECOMPUTED] = "precomputed",
};
_Static_assert(sizeof type_names / sizeof *type_names == KERNEL_TYPES, "one name per kernel type");

const char *kernel_type_name(enum kernel_type type)
{
    return (unsigned)type < KERNEL_TYPES ? type_names[type] : NULL;
}

static int uses_inner_products(enum kernel_type type)
{
    return type == KERNEL_POLYNOMIAL || type == KERNEL_LINEAR;
}

int kernel_same_base(const struct kernel *a, const struct kernel *b)
{
    return a->type == b->type || (uses_inner_products(a->type) && uses_inner_products(b->type));
}

int kernel_equal(const struct kernel *a, const struct kernel *b)
{
    return a->type == b->type && a->width == b->width && a->degree == b->degree && a->scale == b->scale &&
           a->offset == b->offset;
}

enum status points_create(struct points *points, enum kernel_type type, const double *table, size_t dims,
                          const size_t *rows, size_t n, struct error *error)
{
    *points = (struct points){.n = n, .n_padded = simd_padded(n), .dims = dims, .table = table, .rows = rows};
    if (type == KERNEL_PRECOMPUTED)
        return STATUS_OK;
    if (dims && points->n_padded > SIZE_MAX / sizeof(double) / dims)
        return error_set(error, STATUS_NO_MEMORY, "%zu patterns of %zu features do not fit in memory", n, dims);
    points->columns = simd_doubles(dims * points->n_padded);
    if (!points->columns)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for %zu patterns of %zu features", n, dims);
    for (size_t j = 0; j < n; j++)
        for (size_t d = 0; d < dims; d++)
            points->columns[d * points->n_padded + j] = table[rows[j] * dims + d];
    return STATUS_OK;
}

void points_free(struct points *points)
{
    free(points->columns);
    memset(points, 0, sizeof *points);
}

static void table_part(const struct points *points, const double *values, size_t first, size_t count, double *out)
{
    for (size_t j = 0; j < count; j++)
        out[j] = first + j < points->n ? values[points->rows[first + j]] : 0;
}

void kernel_base_part(const struct simd *simd, enum kernel_type type, const struct points *points, size_t row,
                      size_t first, size_t count, double *out)
{
    const double *point = points->table + row * points->dims;
    if (type == KERNEL_RBF)
        simd->squared_distances(count, points->dims, point, points->columns + first, points->n_padded, out);
    else if (uses_inner_products(type))
        simd->dot_products(count, points->dims, point, points->columns + first, points->n_padded, out);
    else
        table_part(points, point, first, count, out);
}

void kernel_base_row(const struct simd *simd, enum kernel_type type, const struct points *points, size_t row,
                     double *out)
{
    kernel_base_part(simd, type, points, row, 0, points->n_padded, out);
}

/* x^degree by repeated squaring: always the same products in the same order. */
static double power(double x, unsigned degree)
{
    double result = 1;
    for (; degree; degree >>= 1, x *= x)
        if (degree & 1)
            result *= x;
    return result;
}

void kernel_apply(const struct simd *simd, const struct kernel *kernel, size_t n, size_t n_padded, const double *base,
                  double *out)
{
    if (kernel->type == KERNEL_RBF)
        simd->exp_negative(n_padded, base, kernel->width, out);
    else if (kernel->type == KERNEL_POLYNOMIAL)
        for (size_t j = 0; j < n; j++)
            out[j] = power(kernel->scale * base[j] + kernel->offset, kernel->degree);
    else if (out != base)
        memcpy(out, base, n * sizeof *out);
    memset(out + n, 0, (n_padded - n) * sizeof *out);
}

enum {
    MAX_BLOCK = 512
}; /* points; the block's values and, of up to 8 features, coordinates then fill half of 64 KiB */

static size_t block_length(size_t dims)
{
    size_t length = (size_t)MAX_BLOCK * 8 / (dims > 8 ? dims : 8) / SIMD_LANES * SIMD_LANES;
    return length > SIMD_LANES ? length : SIMD_LANES;
}

void kernel_expand(const struct simd *simd, const struct kernel *kernel, const struct points *points,
                   const size_t *rows, size_t n, const double *coefficient, double ridge, double *out)
{
    _Alignas(SIMD_ALIGNMENT) double values[MAX_BLOCK];
    size_t length = block_length(points->dims);
    for (size_t first = 0; first < points->n; first += length) {
        size_t left = points->n - first, count = left < length ? left : length, padded = simd_padded(count);
        for (size_t i = 0; i < n; i++) {
            if (coefficient[i] == 0)
                continue;
            kernel_base_part(simd, kernel->type, points, rows[i], first, padded, values);
            kernel_apply(simd, kernel, count, padded, values, values);
            if (ridge != 0 && i >= first && i < first + count)
                values[i - first] += ridge;
            simd->axpy(padded, coefficient[i], values, out + first);
        }
    }
}
