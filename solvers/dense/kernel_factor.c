/*
 * Incomplete Cholesky factorisation with pivots (Fine and Scheinberg 2001, Section 4; Bach and Jordan 2002) of
 *
 *     K'_ij = (k_ij - k_io) - (k_oj - k_oo),   the products of X_i - X_o and X_j - X_o.
 *
 * A step takes the pattern p of the largest residual R_pp, requests its row, and adds the column
 *
 *     g_jr = (K'_jp - sum over q < r of g_jq g_pq) / sqrt(R_pp),   R_jj -= g_jr^2.
 *
 * It ends when each R_jj is at the level of rounding, 8 (r + 8) DBL_EPSILON sqrt(a_j a_p) for the largest a_p of a
 * pivot so far, where a_j = k_jj + k_oo bounds the kernel values that K'_jj is the difference of. For k_jp is rounded
 * by about DBL_EPSILON sqrt(k_jj k_pp), and its share of R_jj is multiplied by g_jr / sqrt(R_pp) <= 1, since R_pp is
 * the largest. What remains, R_ij, is below sqrt(R_ii R_jj), because K' is positive semidefinite. The origin o is the
 * pattern with the median of the diagonal, which neither a zero row nor an outlier can be.
 */
#include "solvers/dense/kernel_factor.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/hull/smallest.h"

static const double not_rounding = 64; /* times the level of rounding */

void kernel_factor_layout(struct kernel_factor *factor, struct arena *arena, size_t n, size_t max_rank)
{
    factor->n = n;
    factor->max_rank = max_rank;
    factor->stride = simd_padded(max_rank + 1);
    factor->values = arena_doubles(arena, n * factor->stride);
    factor->row = arena_take(arena, n * sizeof *factor->row);
    factor->residual = arena_doubles(arena, n);
    factor->size = arena_doubles(arena, n);
    factor->origin = arena_doubles(arena, n);
    factor->order = arena_take(arena, n * sizeof *factor->order);
}

static double *row_of(const struct kernel_factor *factor, size_t j)
{
    return factor->values + j * factor->stride;
}

/* The index of the median. */
static size_t median_at(const struct kernel_factor *factor, const double *values)
{
    size_t half = (factor->n + 1) / 2;
    for (size_t j = 0; j < factor->n; j++)
        factor->order[j] = j;
    smallest_partition(factor->order, factor->n, half, values);
    return factor->order[half - 1];
}

static enum status check_finite(const struct kernel_factor *factor, const double *values, struct error *error)
{
    for (size_t j = 0; j < factor->n; j++)
        if (!isfinite(values[j]))
            return error_set(error, STATUS_NOT_FOUND, "a kernel value of pattern %zu is not finite", j + 1);
    return STATUS_OK;
}

/* Takes the origin, and its index. */
static enum status start(struct kernel_factor *factor, struct oracle *oracle, size_t *origin, struct error *error)
{
    double *diagonal = factor->size;
    oracle_diagonal(oracle, diagonal);
    if (check_finite(factor, diagonal, error) != STATUS_OK)
        return STATUS_NOT_FOUND;
    const size_t o = *origin = median_at(factor, diagonal);
    memcpy(factor->origin, oracle_row(oracle, o), factor->n * sizeof(double));
    const double of_origin = diagonal[o];
    for (size_t j = 0; j < factor->n; j++) {
        factor->residual[j] = (diagonal[j] - factor->origin[j]) + (of_origin - factor->origin[j]);
        factor->size[j] = sqrt(fabs(diagonal[j]) + fabs(of_origin));
    }
    factor->largest = factor->size[o];
    factor->residual[o] = 0;
    return check_finite(factor, factor->residual, error);
}

static double rounding_of(const struct kernel_factor *factor, size_t j)
{
    return 8 * (double)(factor->rank + 8) * (DBL_EPSILON * (factor->size[j] * factor->largest)) + DBL_MIN;
}

/* The pattern of the largest residual above so many times the level of rounding; n if there is none. */
static size_t next_pivot(const struct kernel_factor *factor, double times)
{
    size_t pivot = factor->n;
    for (size_t j = 0; j < factor->n; j++)
        if (factor->residual[j] > times * rounding_of(factor, j) &&
            (pivot == factor->n || factor->residual[j] > factor->residual[pivot]))
            pivot = j;
    return pivot;
}

/* Column 0 is that of beta, which is still 0. */
static void add_column(struct kernel_factor *factor, size_t pivot, size_t o, const double *kernel)
{
    const size_t column = ++factor->rank, padded = simd_padded(column);
    const double root = sqrt(factor->residual[pivot]), *of_pivot = row_of(factor, pivot);
    const double shift = kernel[o] - factor->origin[o];
    for (size_t j = 0; j < factor->n; j++) {
        if (j == pivot || factor->residual[j] == 0) /* 0: a pivot, or a pattern without a remainder */
            continue;
        double *row = row_of(factor, j), product = (kernel[j] - factor->origin[j]) - shift;
        row[column] = (product - factor->simd->dot(padded, row, of_pivot)) / root;
        factor->residual[j] -= row[column] * row[column];
    }
    row_of(factor, pivot)[column] = root;
    factor->residual[pivot] = 0;
}

/* Moves the rows together, once the rank is known; scales them, and gives them their first coordinate. */
static void finish(struct kernel_factor *factor)
{
    const size_t stride = simd_padded(factor->rank + 1);
    const double root = sqrt(factor->unit);
    for (size_t j = 0; j < factor->n; j++) {
        double *to = factor->values + j * stride;
        memmove(to, row_of(factor, j), stride * sizeof *to);
        factor->simd->scale(stride, root, to);
        to[0] = factor->beta;
        factor->row[j] = to;
    }
    factor->stride = stride;
}

/* The largest power of two that is at most both. */
static double unit_of(double bound, double largest)
{
    int exponent;
    double most = largest > 0 ? fmin(bound, 1 / largest) : bound;
    frexp(fmax(fmin(most, DBL_MAX), DBL_MIN), &exponent);
    return ldexp(1, exponent - 1);
}

enum status kernel_factor_compute(struct kernel_factor *factor, struct oracle *oracle, double bound,
                                  struct error *error)
{
    factor->simd = oracle_simd(oracle);
    factor->rank = 0;
    size_t o;
    if (start(factor, oracle, &o, error) != STATUS_OK)
        return STATUS_NOT_FOUND;
    double largest = 0;
    for (size_t j = 0; j < factor->n; j++)
        largest = fmax(largest, factor->residual[j]);
    factor->unit = unit_of(bound, largest);
    const double median = factor->residual[median_at(factor, factor->residual)];
    factor->beta = median > 0 ? sqrt(factor->unit * median) : 1;
    for (size_t pivot; factor->rank < factor->max_rank && (pivot = next_pivot(factor, 1)) < factor->n;) {
        factor->largest = fmax(factor->largest, factor->size[pivot]);
        add_column(factor, pivot, o, oracle_row(oracle, pivot));
    }
    if (next_pivot(factor, not_rounding) < factor->n)
        return error_set(error, STATUS_NOT_FOUND,
                         "the kernel matrix has a rank above %zu, the limit that max_rank sets; raise max_rank, or use "
                         "a solver for kernels of any rank",
                         factor->max_rank);
    for (size_t j = 0; j < factor->n; j++)
        if (factor->residual[j] < -not_rounding * rounding_of(factor, j))
            return error_set(error, STATUS_NOT_FOUND, "the kernel matrix is not positive semidefinite");
    finish(factor);
    return STATUS_OK;
}

void kernel_factor_sum(const struct kernel_factor *factor, const double *weights, double *out)
{
    memset(out, 0, factor->stride * sizeof *out);
    factor->simd->add_rows(factor->stride, factor->row, weights, factor->n, out);
}

void kernel_factor_products(const struct kernel_factor *factor, const double *vector, double *out)
{
    for (size_t j = 0; j < factor->n; j++)
        out[j] = factor->simd->dot(factor->stride, factor->row[j], vector);
}
