/* Cholesky's method on tiles of columns, see tiled_factor.h. */
#include "solvers/dense/tiled_factor.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "solvers/kernel/helpers.h"

enum { TILE_SIZE = FACTOR_TILE * FACTOR_TILE };
static const double MIN_PIVOT = 1e-12, HUGE_PIVOT = 1e100; /* relative to the diagonal element */
static const double MIN_SHARED = 1 << 17; /* multiplications of a part that another thread may take */

size_t tiled_factor_doubles(size_t n)
{
    const size_t tiles = n / FACTOR_TILE + 1;
    return tiles < UINT32_MAX / TILE_SIZE ? TILE_SIZE * (tiles * (tiles + 1) / 2) : 0;
}

/* Rows r FACTOR_TILE to (r + 1) FACTOR_TILE of the columns t FACTOR_TILE to (t + 1) FACTOR_TILE, r <= t. */
static double *block_at(const struct tiled_factor *factor, size_t r, size_t t)
{
    return tiled_factor_at(factor, r * FACTOR_TILE, t * FACTOR_TILE);
}

void tiled_factor_move(const struct tiled_factor *factor, size_t from, size_t to, size_t rows)
{
    const double *source = tiled_factor_at(factor, 0, from);
    double *target = tiled_factor_at(factor, 0, to);
    for (size_t i = 0; i < rows; i++)
        target[i * FACTOR_TILE] = source[i * FACTOR_TILE];
}

/* The last tile may have more columns than the matrix: those of the unit matrix. */
static void pad(const struct tiled_factor *factor)
{
    const size_t end = tiled_factor_padded(factor->n);
    for (size_t j = factor->n; j < end; j++)
        for (size_t i = 0; i < end; i++)
            *tiled_factor_at(factor, i, j) = i == j;
}

/* u = U of a block on the diagonal, from which the products of the rows above have been subtracted; `diagonal` has its
 * diagonal before that. */
static void factor_diagonal(double *u, const double *diagonal)
{
    for (size_t i = 0; i < FACTOR_TILE; i++) {
        double *row = u + i * FACTOR_TILE;
        for (size_t k = 0; k < i; k++) {
            const double *above = u + k * FACTOR_TILE;
            for (size_t j = i; j < FACTOR_TILE; j++)
                row[j] -= above[i] * above[j];
            row[k] = 0;
        }
        const double pivot = sqrt(row[i] > MIN_PIVOT * diagonal[i] ? row[i] : HUGE_PIVOT * fmax(diagonal[i], 1e-100));
        for (size_t j = i + 1; j < FACTOR_TILE; j++)
            row[j] /= pivot;
        row[i] = pivot;
    }
}

/* The same for the rows of `block`, which is beside the block `u` on the diagonal. */
static void factor_beside(const double *u, double *block)
{
    for (size_t i = 0; i < FACTOR_TILE; i++) {
        double row[FACTOR_TILE];
        memcpy(row, block + i * FACTOR_TILE, sizeof row);
        for (size_t k = 0; k < i; k++) {
            const double factor = u[k * FACTOR_TILE + i], *above = block + k * FACTOR_TILE;
            for (size_t j = 0; j < FACTOR_TILE; j++)
                row[j] -= factor * above[j];
        }
        for (size_t j = 0; j < FACTOR_TILE; j++)
            row[j] /= u[i * FACTOR_TILE + i];
        memcpy(block + i * FACTOR_TILE, row, sizeof row);
    }
}

struct blocks {
    const struct tiled_factor *factor;
    size_t row, first; /* the row of blocks, and the tile of its first one that is computed */
};

static void compute_blocks(void *context, const struct helpers_part *part)
{
    const struct blocks *blocks = context;
    const struct tiled_factor *factor = blocks->factor;
    const size_t r = blocks->row;
    for (size_t t = blocks->first + part->first; t < blocks->first + part->end; t++) {
        double *block = block_at(factor, r, t);
        factor->simd->subtract_products(r * FACTOR_TILE, block_at(factor, 0, r), block_at(factor, 0, t), block);
        factor_beside(block_at(factor, r, r), block);
    }
}

static void compute_on_diagonal(const struct tiled_factor *factor, size_t r)
{
    double *block = block_at(factor, r, r), diagonal[FACTOR_TILE];
    for (size_t i = 0; i < FACTOR_TILE; i++)
        diagonal[i] = block[i * FACTOR_TILE + i];
    factor->simd->subtract_products(r * FACTOR_TILE, block_at(factor, 0, r), block_at(factor, 0, r), block);
    factor_diagonal(block, diagonal);
}

double tiled_factor_compute(const struct tiled_factor *factor, size_t row, size_t column)
{
    const size_t tiles = tiled_factor_padded(factor->n) / FACTOR_TILE;
    const size_t kept_rows = row / FACTOR_TILE, kept_columns = column / FACTOR_TILE;
    double count = 0;
    pad(factor);
    for (size_t r = 0; r < tiles; r++) {
        const int is_kept = r < kept_rows;
        if (!is_kept)
            compute_on_diagonal(factor, r);
        struct blocks blocks = {factor, r, is_kept ? kept_columns : r + 1};
        const double each = (double)(r + 1) * TILE_SIZE * FACTOR_TILE;
        const size_t size = blocks.first < tiles ? tiles - blocks.first : 0;
        helpers_run(&(struct helpers_division){size, 1, 1 + (size_t)(MIN_SHARED / each), 2}, compute_blocks, &blocks);
        count += each * (double)(size + !is_kept);
    }
    return count;
}

/* x = U'^-1 x */
static void solve_forward(const struct tiled_factor *factor, size_t tiles, double *x)
{
    for (size_t t = 0; t < tiles; t++) {
        const double *rows = block_at(factor, 0, t);
        double sum[FACTOR_TILE];
        memcpy(sum, x + t * FACTOR_TILE, sizeof sum);
        for (size_t k = 0; k < t * FACTOR_TILE; k++)
            for (size_t j = 0; j < FACTOR_TILE; j++)
                sum[j] -= x[k] * rows[k * FACTOR_TILE + j];
        const double *u = block_at(factor, t, t);
        for (size_t i = 0; i < FACTOR_TILE; i++) {
            sum[i] /= u[i * FACTOR_TILE + i];
            for (size_t j = i + 1; j < FACTOR_TILE; j++)
                sum[j] -= sum[i] * u[i * FACTOR_TILE + j];
        }
        memcpy(x + t * FACTOR_TILE, sum, sizeof sum);
    }
}

/* x = U^-1 x */
static void solve_backward(const struct tiled_factor *factor, size_t tiles, double *x)
{
    for (size_t t = tiles; t-- > 0;) {
        double *part = x + t * FACTOR_TILE;
        const double *rows = block_at(factor, 0, t), *u = block_at(factor, t, t);
        for (size_t i = FACTOR_TILE; i-- > 0;) {
            for (size_t j = i + 1; j < FACTOR_TILE; j++)
                part[i] -= u[i * FACTOR_TILE + j] * part[j];
            part[i] /= u[i * FACTOR_TILE + i];
        }
        for (size_t k = 0; k < t * FACTOR_TILE; k++) {
            double each[FACTOR_TILE];
            for (size_t j = 0; j < FACTOR_TILE; j++)
                each[j] = rows[k * FACTOR_TILE + j] * part[j];
            for (size_t half = FACTOR_TILE / 2; half > 0; half /= 2)
                for (size_t j = 0; j < half; j++)
                    each[j] += each[j + half];
            x[k] -= each[0];
        }
    }
}

void tiled_factor_solve(const struct tiled_factor *factor, double *x)
{
    const size_t padded = tiled_factor_padded(factor->n);
    memset(x + factor->n, 0, (padded - factor->n) * sizeof *x);
    solve_forward(factor, padded / FACTOR_TILE, x);
    solve_backward(factor, padded / FACTOR_TILE, x);
}
