/*
 * A factor of the kernel matrix for linear kernels and other kernels of low rank: rows (beta, g_j) with
 *
 *     g_i . g_j = unit (X_i - X_o) . (X_j - X_o),  up to rounding,
 *
 * for a pattern o. If sum y_j alpha_j = 0, then W = sum alpha_j y_j (X_j - X_o) for every o, so the SVM's dual with a
 * bias does not depend on o. Without o, data far from the origin would lose their digits.
 */
#ifndef HULLBENCH_KERNEL_FACTOR_H
#define HULLBENCH_KERNEL_FACTOR_H

#include "solvers/arena.h"
#include "solvers/solver.h"

struct kernel_factor {
    const struct simd *simd;
    size_t n, max_rank, rank;
    size_t stride;      /* doubles from one row to the next: rank + 1, padded with zeros */
    double *values;     /* n rows of stride */
    const double **row; /* n: the addresses of the rows */
    double unit;        /* a power of two, such that no g_j . g_j exceeds 1 and unit <= the bound of the multipliers */
    double beta;        /* the first coordinate of each row: the square root of the median of g_j . g_j */
    double *residual;   /* n: the diagonal of what the factor does not cover */
    double *size;       /* n: the square roots of k_jj + k_oo, */
    double largest;     /* and the largest of a pivot */
    double *origin;     /* n: the kernel's row of pattern o */
    size_t *order;      /* n: scratch */
};

/* Places (or measures) the arrays for n patterns and ranks up to max_rank. */
void kernel_factor_layout(struct kernel_factor *factor, struct arena *arena, size_t n, size_t max_rank);
/* Computes the factor: n kernel operations for the diagonal and n for each of rank + 1 rows. `bound` is that of the
 * multipliers. STATUS_NOT_FOUND, with *error: the rank is above max_rank, a kernel value is not finite, or the matrix
 * is not positive semidefinite. */
enum status kernel_factor_compute(struct kernel_factor *factor, struct oracle *oracle, double bound,
                                  struct error *error);

/* out = sum over j of weights[j] times row j; stride doubles. */
void kernel_factor_sum(const struct kernel_factor *factor, const double *weights, double *out);
/* out[j] = row j times the vector; n values. */
void kernel_factor_products(const struct kernel_factor *factor, const double *vector, double *out);

#endif
