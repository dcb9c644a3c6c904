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
 * Every formula stands here once. A kernel value is made in two steps: a base value that does not depend on the
 * kernel's parameters (squared distance, inner product, table entry) and the kernel's function of it, so widths can
 * share bases. The base value of a plugin's kernel of two samples is the kernel value itself.
 */
#ifndef HULLBENCH_KERNEL_H
#define HULLBENCH_KERNEL_H

#include <stddef.h>

#include "solvers/error.h"
#include "solvers/kernel/kernel_family.h"
#include "solvers/kernel/patterns.h"
#include "solvers/kernel/simd.h"
#include "solvers/kernel/sparse_points.h"

/* A member of a family: a function of two patterns. */
struct kernel {
    enum kernel_type type;
    double width;          /* rbf: > 0 */
    double scale, offset;  /* polynomial */
    unsigned degree;       /* polynomial: 1 .. 64 */
    const struct kernel_family *family;    /* KERNEL_OF_PLUGIN; else it may be NULL */
    double value[KERNEL_MAX_PARAMETERS];   /* KERNEL_OF_PLUGIN: of the family's parameters, in their order */
};

/* The member of the family that has these values of its parameters. */
struct kernel kernel_of_family(const struct kernel_family *family, const double *values);
/* The family of a kernel. */
const struct kernel_family *kernel_family_of(const struct kernel *kernel);
/* The value of parameter k of its family. */
double kernel_parameter(const struct kernel *kernel, size_t k);
/* Nonzero when both kernels are made from the same base values. */
int kernel_same_base(const struct kernel *a, const struct kernel *b);
/* Nonzero when k(x, z) and k(z, x) are the same bits. */
int kernel_is_symmetric_to_the_bit(const struct kernel *kernel);
/* Nonzero where, in exact arithmetic, every kernel matrix is positive semidefinite: no |W|^2 and no duality gap can be
 * negative. */
int kernel_is_semidefinite(const struct kernel *kernel);

/* Nonzero when other threads than the caller's may compute its values. Not so for a plugin's kernel: the thread that
 * has noted which plugin it runs computes them. */
int kernel_may_be_shared(const struct kernel *kernel);

/* Nonzero when both are the same function. */
int kernel_equal(const struct kernel *a, const struct kernel *b);

/* A subset of a data set's rows, laid out for the loops: columns[d * n_padded + j] is feature d of pattern j.
 * Compressed patterns are laid out by feature, or in columns where at least one value of eight is not 0 and columns are
 * small: the loops over columns are then faster. For a precomputed kernel there is neither. */
struct points {
    size_t n, n_padded, dims;
    double *columns;          /* dims x n_padded, zero padded; or NULL */
    struct sparse_points *sparse; /* compressed patterns by feature, or NULL (sparse_points.h) */
    double *sample[2];        /* kernel of a plugin, compressed patterns: dims each, 0 between uses; else NULL */
    struct patterns patterns; /* the data set's; its arrays are borrowed */
    const size_t *rows;       /* which rows, n of them; borrowed */
};

/* Gathers the rows of `patterns` named by `rows`. The arrays of patterns and rows must outlive the points. Fails only
 * out of memory. */
enum status points_create(struct points *points, enum kernel_type type, struct patterns patterns, const size_t *rows,
                          size_t n, struct error *error);
/* Feature d of pattern j. */
static inline double points_value(const struct points *points, size_t j, size_t d)
{
    return patterns_value(&points->patterns, points->rows[j], d);
}
/* Accepts zeroed points. */
void points_free(struct points *points);
/* The points at index[0] < ... < index[count - 1] of `all`. `rows` and, where `all` has columns, `columns` with room
 * for as many are theirs; what is laid out by feature is released with points_unselect. Where there is no memory for
 * that, pairs are merged. */
struct points points_select(const struct points *all, const size_t *index, size_t count, size_t *rows,
                            double *columns);
/* Makes them no points. Accepts zeroed ones. */
void points_unselect(struct points *selected);
/* The memory that the layout of the points takes. */
size_t points_bytes(const struct points *points);
/* Parts of rows that begin at multiples of this cost what they have; others of compressed patterns up to as much more.
 * A multiple of SIMD_LANES. */
size_t points_grain(const struct points *points);

/* Whether a kernel of a plugin is what it says it is, looked at on some pairs of the points: its values are finite and
 * symmetric to 1e-12, and where it says that it is positive semidefinite, k(x, x) >= 0 and
 * k(x, z)^2 <= k(x, x) k(z, z). STATUS_BAD_INPUT names the first pair that is not. Built-in kernels are not looked
 * at. */
enum status kernel_check(const struct kernel *kernel, const struct points *points, struct error *error);

/* Base values between row `row` of the points' patterns and `count` of the points from `first` on, both multiples of
 * SIMD_LANES. */
void kernel_base_part(const struct simd *simd, const struct kernel *kernel, const struct points *points, size_t row,
                      size_t first, size_t count, double *out);
/* out[j] = the kernel's function of base[j] for j < n, and 0 for n <= j < n_padded; out may equal base. */
void kernel_apply(const struct simd *simd, const struct kernel *kernel, size_t n, size_t n_padded, const double *base,
                  double *out);
/* Kernel values between row `row` of the points' patterns and `count` of the points from `first` on, both multiples of
 * SIMD_LANES; 0 behind the last point. In blocks, so that base values stay in the processor's nearest memory. */
void kernel_part(const struct simd *simd, const struct kernel *kernel, const struct points *points, size_t row,
                 size_t first, size_t count, double *out);

/* The sum over i < n of coefficient[i] k(x_i, point j) at each of the points, x_i row rows[i] of their table. */
struct expansion {
    const struct simd *simd;
    const struct kernel *kernel;
    const struct points *points;
    const size_t *rows;
    size_t n;
    const double *coefficient;
    double ridge;  /* added to k(x_i, point i); 0 where rows are not those of the points */
    int may_share; /* nonzero: threads of the caller's team that are idle may compute parts (helpers.h) */
    struct kept_rows *kept; /* of these rows, kernel and points, for a ridge of 0; NULL: none */
};
/* Adds the sum to out[j], n_padded doubles, i ascending over the nonzero coefficients: the same bits for any number of
 * threads. Point by point in blocks that stay in the processor's nearest memory. */
void kernel_expand(const struct expansion *sum, double *out);

/* Kernel values k(x_i, point j) that one sum leaves for the next ones over the same rows, kernel and points. The sums
 * have the same bits with and without. */
struct kept_rows {
    double *values;         /* n rows of stride doubles, lanes-aligned; row i counts where is_kept[i] */
    unsigned char *is_kept; /* n */
    size_t stride;
};
/* Room for n rows over the points; zero where memory does not suffice, and *kept is then zeroed. No row is kept yet. */
int kept_rows_create(struct kept_rows *kept, size_t n, const struct points *points);
/* Accepts zeroed rows. */
void kept_rows_free(struct kept_rows *kept);

/* A kernel value that is not finite: k(x_i, point j). */
struct kernel_fault {
    int found;
    size_t i, j;
    double value;
};
/* Looks for one among the values that kernel_expand adds up, i ascending, then j; zero when all are finite. */
int kernel_find_fault(const struct simd *simd, const struct kernel *kernel, const struct points *points,
                      const size_t *rows, size_t n, const double *coefficient, struct kernel_fault *fault);
/* 'the kernel "laplace" gives nan on training samples 3 and 7', with samples counted from 1; with on_test point j is
 * test sample j. */
void kernel_fault_text(const struct kernel *kernel, const struct kernel_fault *fault, int on_test, char *text,
                       size_t size);

#endif
