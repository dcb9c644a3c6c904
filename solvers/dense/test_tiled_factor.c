/* Cholesky's method on tiles: U'U = A and A x = b from the matrix; the same bits after leaving rows out and adding
 * others, and at every vector width; unknowns that depend on earlier ones stay 0. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gsl/gsl_rng.h>

#include "solvers/dense/tiled_factor.h"

static const size_t sizes[] = {1, 2, 15, 16, 17, 31, 33, 64, 100, 157};
enum { SIZES = sizeof sizes / sizeof *sizes, MOST = 176 };

/* A = G G' + shift I with G of that rank. */
static void draw_matrix(gsl_rng *rng, size_t n, size_t rank, double shift, double *a)
{
    double *g = malloc(n * rank * sizeof *g);
    assert_non_null(g);
    for (size_t k = 0; k < n * rank; k++)
        g[k] = gsl_rng_uniform(rng) - 0.5;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] = i == j ? shift : 0;
            for (size_t k = 0; k < rank; k++)
                a[i * n + j] += g[i * rank + k] * g[j * rank + k];
        }
    free(g);
}

static struct tiled_factor open_factor(size_t n, const char *width)
{
    struct tiled_factor factor = {simd_select(width), n, simd_doubles(tiled_factor_doubles(n))};
    assert_non_null(factor.values);
    return factor;
}

/* Writes the elements of the matrix of order[0], ..., order[n - 1] that tiled_factor_compute needs. */
static void write_matrix(const struct tiled_factor *factor, const double *a, size_t stride, const size_t *order,
                         size_t row, size_t column)
{
    for (size_t j = row; j < factor->n; j++)
        for (size_t i = j < column ? row : 0; i <= j; i++)
            *tiled_factor_at(factor, i, j) = a[order[i] * stride + order[j]];
}

static void the_factor_squares_to_the_matrix_and_solves_it(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t order[MOST];
    for (size_t k = 0; k < MOST; k++)
        order[k] = k;
    for (size_t s = 0; s < SIZES; s++) {
        const size_t n = sizes[s];
        double *a = malloc(n * n * sizeof *a), b[MOST], x[MOST];
        assert_non_null(a);
        draw_matrix(rng, n, n, 0.5, a);
        struct tiled_factor factor = open_factor(n, NULL);
        write_matrix(&factor, a, n, order, 0, 0);
        (void)tiled_factor_compute(&factor, 0, 0);
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++) {
                double sum = 0;
                for (size_t k = 0; k <= i; k++)
                    sum += *tiled_factor_at(&factor, k, i) * *tiled_factor_at(&factor, k, j);
                const double rounding = 2 * (double)(n + 1) * DBL_EPSILON;
                assert_true(fabs(sum - a[i * n + j]) <= rounding * (a[i * n + i] + a[j * n + j]));
            }
        for (size_t k = 0; k < n; k++)
            b[k] = x[k] = gsl_rng_uniform(rng) - 0.5;
        tiled_factor_solve(&factor, x);
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += a[i * n + j] * x[j];
            assert_true(fabs(sum - b[i]) <= 1e-12); /* |A| |x| below 100, in some 100 sums of 100 terms */
        }
        for (size_t k = n; k < tiled_factor_padded(n); k++)
            assert_true(x[k] == 0);
        free(a);
        free(factor.values);
    }
    gsl_rng_free(rng);
}

static void a_factor_that_kept_rows_has_the_bits_of_a_new_one_at_every_width(void **state)
{
    (void)state;
    const char *const widths[] = {"generic", "avx2", "avx512"};
    enum { N = 150, ROW = 48, LEFT_OUT = 20, ADDED = 30 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *a = malloc((N + ADDED) * (N + ADDED) * sizeof *a);
    assert_non_null(a);
    draw_matrix(rng, N + ADDED, N + ADDED, 0.5, a);
    gsl_rng_free(rng);
    size_t order[N + ADDED], changed[N + ADDED], n = 0;
    for (size_t k = 0; k < N + ADDED; k++)
        order[k] = k;
    struct tiled_factor kept = open_factor(N + ADDED, NULL);
    kept.n = N;
    write_matrix(&kept, a, N + ADDED, order, 0, 0);
    (void)tiled_factor_compute(&kept, 0, 0);
    for (size_t k = 0; k < N; k++)
        if (k < ROW || (k - ROW) % 5 != 3) {
            tiled_factor_move(&kept, k, n, k < ROW ? 0 : ROW);
            changed[n++] = k;
        }
    assert_int_equal(n, N - LEFT_OUT);
    const size_t column = n / FACTOR_TILE * FACTOR_TILE;
    for (size_t k = 0; k < ADDED; k++)
        changed[n++] = N + k;
    kept.n = n;
    write_matrix(&kept, a, N + ADDED, changed, ROW, column);
    for (size_t j = column; j < n; j++)
        for (size_t i = 0; i < ROW; i++)
            *tiled_factor_at(&kept, i, j) = a[changed[i] * (N + ADDED) + changed[j]];
    const double few = tiled_factor_compute(&kept, ROW, column);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        if (!simd_select(widths[w]))
            continue;
        struct tiled_factor anew = open_factor(n, widths[w]);
        write_matrix(&anew, a, N + ADDED, changed, 0, 0);
        assert_true(few < tiled_factor_compute(&anew, 0, 0));
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i <= j; i++)
                assert_memory_equal(tiled_factor_at(&kept, i, j), tiled_factor_at(&anew, i, j), sizeof(double));
        free(anew.values);
    }
    free(kept.values);
    free(a);
}

static void unknowns_that_depend_on_earlier_ones_stay_zero(void **state)
{
    (void)state;
    enum { N = 60, RANK = 23 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double a[N * N], x[MOST], b[N];
    size_t order[N], moved = 0;
    draw_matrix(rng, N, RANK, 0, a);
    for (size_t k = 0; k < N; k++)
        order[k] = k;
    struct tiled_factor factor = open_factor(N, NULL);
    write_matrix(&factor, a, N, order, 0, 0);
    (void)tiled_factor_compute(&factor, 0, 0);
    for (size_t k = 0; k < N; k++)
        b[k] = x[k] = a[k * N] + 2 * a[k * N + 5]; /* in the span of the columns */
    tiled_factor_solve(&factor, x);
    for (size_t k = 0; k < N; k++)
        moved += fabs(x[k]) > 1e-90;
    assert_int_equal(moved, RANK);
    for (size_t i = 0; i < N; i++) {
        double sum = 0;
        for (size_t j = 0; j < N; j++)
            sum += a[i * N + j] * x[j];
        assert_true(fabs(sum - b[i]) <= 1e-9); /* the first 23 rows may be nearly dependent */
    }
    free(factor.values);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factor_squares_to_the_matrix_and_solves_it),
        cmocka_unit_test(a_factor_that_kept_rows_has_the_bits_of_a_new_one_at_every_width),
        cmocka_unit_test(unknowns_that_depend_on_earlier_ones_stay_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
