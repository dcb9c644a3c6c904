/*
 * The Cholesky factor U, U'U = A, of a symmetric positive definite matrix, of which rows may be left out and added.
 *
 * The columns of U are kept in tiles of FACTOR_TILE. Each element is
 *
 *     U_ij = (A_ij - U_0i U_0j - U_1i U_1j - ... - U_(i-1)i U_(i-1)j) / U_ii,  U_ii the root of the same for j = i,
 *
 * in this order, so it has the same bits whatever was kept of an earlier factor, and with any vector width and number
 * of threads. A pivot of at most MIN_PIVOT A_ii is rounding error: row and column depend on those before them. It is
 * made so large that the unknown becomes 0.
 */
#ifndef HULLBENCH_TILED_FACTOR_H
#define HULLBENCH_TILED_FACTOR_H

#include "solvers/kernel/simd.h"

struct tiled_factor {
    const struct simd *simd;
    size_t n;       /* unknowns */
    double *values; /* tiled_factor_doubles(n) at least, SIMD-aligned */
};

/* The number of doubles of a factor of n unknowns; 0 if it is too large. */
size_t tiled_factor_doubles(size_t n);
/* Length of the vectors of tiled_factor_solve. */
static inline size_t tiled_factor_padded(size_t n)
{
    return (n + FACTOR_TILE - 1) / FACTOR_TILE * FACTOR_TILE;
}
/* Where A_ij, i <= j, is to be written before tiled_factor_compute, which replaces it by U_ij. */
static inline double *tiled_factor_at(const struct tiled_factor *factor, size_t i, size_t j)
{
    const size_t tile = j / FACTOR_TILE;
    return factor->values + FACTOR_TILE * (FACTOR_TILE * (tile * (tile + 1) / 2) + i) + j % FACTOR_TILE;
}
/* Column `from` of an earlier factor becomes column `to` <= from, as far as it is above row `rows` <= to. */
void tiled_factor_move(const struct tiled_factor *factor, size_t from, size_t to, size_t rows);
/* Computes U. Rows above `row` are kept in the columns before `column`; both are multiples of FACTOR_TILE, row <=
 * column. All other A_ij must have been written. Returns the number of multiplications. */
double tiled_factor_compute(const struct tiled_factor *factor, size_t row, size_t column);
/* x = A^-1 x. x has tiled_factor_padded(n) elements; those from n on become 0. */
void tiled_factor_solve(const struct tiled_factor *factor, double *x);

#endif
