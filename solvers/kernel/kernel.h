/*
 * Kernel functions and the patterns they are evaluated on.
 *
 *   rbf          k(x, z) = exp(-|x - z|^2 / width)        (width is the papers' sigma^2 or 2 sigma^2 as printed)
 *   polynomial   k(x, z) = (scale x.z + offset)^degree
 *   linear       k(x, z) = x.z
 *   precomputed  k(x_i, x_j) = entry (i, j) of the data set's square table
 *
 * and the kernels of plugins (kernel_family.h).
 *
 * This is the only place for these formulas. A kernel value is computed in two steps: a base value that does not depend
 * on the kernel's parameters (squared distance, inner product, table entry) and the kernel's function of it, so kernels
 * of different widths share base values. For a plugin's kernel of two patterns the base value is the kernel value
 * itself.
 */
#ifndef HULLBENCH_KERNEL_H
#define HULLBENCH_KERNEL_H

#include <stddef.h>

#include "solvers/error.h"
#include "solvers/kernel/kernel_family.h"
#include "solvers/kernel/patterns.h"
#include "solvers/kernel/simd.h"
#include "solvers/kernel/sparse_points.h"

/* A member of a kernel family: a function of two patterns. */
struct kernel {
    enum kernel_type type;
    double width;          /* rbf: > 0 */
    double scale, offset;  /* polynomial */
    unsigned degree;       /* polynomial: 1 .. 64 */
    const struct kernel_family *family;    /* for KERNEL_OF_PLUGIN; may otherwise be NULL */
    double value[KERNEL_MAX_PARAMETERS];   /* for KERNEL_OF_PLUGIN: values of the family's parameters, in order */
};

/* The member of the family with these parameter values. */
struct kernel kernel_of_family(const struct kernel_family *family, const double *values);
const struct kernel_family *kernel_family_of(const struct kernel *kernel);
/* The value of parameter k of its family. */
double kernel_parameter(const struct kernel *kernel, size_t k);
/* Nonzero if both kernels use the same base values. */
int kernel_same_base(const struct kernel *a, const struct kernel *b);
/* Nonzero if k(x, z) and k(z, x) are bitwise equal. */
int kernel_is_symmetric_to_the_bit(const struct kernel *kernel);
/* Nonzero if, in exact arithmetic, every kernel matrix is positive semidefinite, so that no |W|^2 and no duality gap
 * can be negative. */
int kernel_is_semidefinite(const struct kernel *kernel);

/* Nonzero if threads other than the caller's may compute its values. Zero for a plugin's kernel: only the thread that
 * has recorded which plugin it runs may compute them. */
int kernel_may_be_shared(const struct kernel *kernel);

/* Nonzero if both are the same function. */
int kernel_equal(const struct kernel *a, const struct kernel *b);

/* A subset of a data set's rows, laid out for the loops: columns[d * n_padded + j] is feature d of pattern j.
 * Compressed patterns are laid out by feature. They are laid out in columns if at least one value in eight is
 * nonzero and the columns are small, because the loops over columns are then faster. A precomputed kernel uses
 * neither layout. */
struct points {
    size_t n, n_padded, dims;
    double *columns;          /* dims x n_padded, zero padded; or NULL */
    struct sparse_points *sparse; /* compressed patterns by feature, or NULL (sparse_points.h) */
    double *sample[2]; /* for a plugin's kernel of compressed patterns: dims values each, 0 between uses; else NULL */
    struct patterns patterns; /* of the data set; the arrays are borrowed */
    const size_t *rows;       /* row numbers, n of them; borrowed */
};

/* Checks that the patterns are the square table of a precomputed kernel, whose entries (i, j) and (j, i) may differ by
 * rounding: by 1e-5 of sqrt(k_ii k_jj), or of the larger of the two. STATUS_BAD_INPUT names entries that differ by
 * more; the message begins with `source`. *is_symmetric: none differ at all. */
enum status kernel_table_check(const struct patterns *table, const char *source, int *is_symmetric,
                               struct error *error);
/* Sets entries (i, j) and (j, i) of a dense square table to their mean. */
void kernel_table_make_symmetric(struct patterns *table);

/* Gathers the rows of `patterns` listed in `rows`. The arrays of patterns and rows must outlive the points. Fails only
 * when out of memory. */
enum status points_create(struct points *points, enum kernel_type type, struct patterns patterns, const size_t *rows,
                          size_t n, struct error *error);
/* Feature d of pattern j. */
static inline double points_value(const struct points *points, size_t j, size_t d)
{
    return patterns_value(&points->patterns, points->rows[j], d);
}
/* Accepts zeroed points. */
void points_free(struct points *points);
/* The points at index[0] < ... < index[count - 1] of `all`. They use the caller's `rows` and, if `all` has columns,
 * `columns`, with enough room. A layout by feature is released with points_unselect; if memory for it is lacking, pairs
 * of rows are merged instead. */
struct points points_select(const struct points *all, const size_t *index, size_t count, size_t *rows,
                            double *columns);
/* Empties the selection. Accepts zeroed points. */
void points_unselect(struct points *selected);
/* Bytes of the layout of the points. */
size_t points_bytes(const struct points *points);
/* Parts of rows that begin at multiples of this number cost in proportion to their length; other parts of compressed
 * patterns cost up to this number of points more. A multiple of SIMD_LANES. */
size_t points_grain(const struct points *points);

/* Checks a plugin's kernel on some pairs of points: its values must be finite and symmetric to 1e-12, and if it claims
 * to be positive semidefinite, k(x, x) >= 0 and k(x, z)^2 <= k(x, x) k(z, z). STATUS_BAD_INPUT names the first pair
 * that fails. Built-in kernels are not checked. */
enum status kernel_check(const struct kernel *kernel, const struct points *points, struct error *error);

/* Base values between row `row` of the points' patterns and `count` points starting at `first`, both multiples of
 * SIMD_LANES; what kernel_apply ignores after the last point is not set. */
void kernel_base_part(const struct simd *simd, const struct kernel *kernel, const struct points *points, size_t row,
                      size_t first, size_t count, double *out);
/* out[j] = the kernel's function of base[j] for j < n, and 0 for n <= j < n_padded. out may equal base. */
void kernel_apply(const struct simd *simd, const struct kernel *kernel, size_t n, size_t n_padded, const double *base,
                  double *out);
/* Kernel values between row `row` of the points' patterns and `count` points starting at `first`, both multiples of
 * SIMD_LANES; 0 after the last point. Computed in blocks, so that base values stay in the processor's cache. */
void kernel_part(const struct simd *simd, const struct kernel *kernel, const struct points *points, size_t row,
                 size_t first, size_t count, double *out);

/* The sum over i < n of coefficient[i] k(x_i, point j) at each point j, where x_i is row rows[i] of the points'
 * table. */
struct expansion {
    const struct simd *simd;
    const struct kernel *kernel;
    const struct points *points;
    const size_t *rows;
    size_t n;
    const double *coefficient;
    double ridge;  /* added to k(x_i, point i); must be 0 unless the rows are those of the points */
    struct kept_rows *kept; /* for these rows, kernel and points, with ridge 0; NULL: none */
};
/* Adds the sum to out[j], n_padded doubles, in ascending i over the nonzero coefficients. The result is bitwise the
 * same for any number of threads. Works point by point, in blocks that stay in the processor's cache. */
void kernel_expand(const struct expansion *sum, double *out);

/* Kernel values k(x_i, point j) that a sum keeps for later sums over the same rows, kernel and points. They do not
 * change the bits of the sums. */
struct kept_rows {
    double *values;         /* n rows of stride doubles, SIMD-aligned; row i is valid if is_kept[i] */
    unsigned char *is_kept; /* n elements */
    size_t stride;
};
/* Allocates n rows over the points, none of them kept yet. Returns 0, with *kept zeroed, when out of memory. */
int kept_rows_create(struct kept_rows *kept, size_t n, const struct points *points);
/* Accepts zeroed rows. */
void kept_rows_free(struct kept_rows *kept);

/* A kernel value k(x_i, point j) that is not finite. */
struct kernel_fault {
    int found;
    size_t i, j;
    double value;
};
/* Searches the values that kernel_expand adds up, in ascending i, then j. Returns 0 if all are finite. */
int kernel_find_fault(const struct simd *simd, const struct kernel *kernel, const struct points *points,
                      const size_t *rows, size_t n, const double *coefficient, struct kernel_fault *fault);
/* 'the kernel "laplace" gives nan on training samples 3 and 7', with samples counted from 1; if on_test, point j is
 * test sample j. */
void kernel_fault_text(const struct kernel *kernel, const struct kernel_fault *fault, int on_test, char *text,
                       size_t size);

#endif
