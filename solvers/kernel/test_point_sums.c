/* Sums over rows of changing lists, against sums from the start in the specified order. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "solvers/kernel/point_sums.h"
#include "tests/geometry.h"

enum { N = 150, MOST = 120 };

static const char *const widths[] = {"generic", "avx2", "avx512"};

static double sum_of_squares(const double *const *row, const size_t *list, size_t count, double *diagonal)
{
    double off = 0;
    *diagonal = 0;
    for (size_t k = 0; k < count; k++) {
        double s[4] = {0};
        for (size_t l = 0; l < k; l++)
            s[l % 4] += row[list[k]][list[l]];
        off += (s[0] + s[2]) + (s[1] + s[3]);
        *diagonal += row[list[k]][list[k]];
    }
    return off;
}

static void sum_of_rows(const double *const *row, const size_t *list, size_t count, double *out)
{
    for (size_t j = 0; j < N; j++) {
        out[j] = 0;
        for (size_t k = 0; k < count; k++)
            out[j] += row[list[k]][j];
    }
}

/* Redraws the patterns from some place on: often none, or only the last. */
static void change(gsl_rng *rng, size_t *list, size_t count)
{
    unsigned long how = gsl_rng_uniform_int(rng, 4);
    size_t from = how == 0 ? count : how == 1 ? count - 1 : gsl_rng_uniform_int(rng, count);
    for (size_t k = from; k < count; k++)
        list[k] = gsl_rng_uniform_int(rng, N);
}

/* Omits rows that must not be read. */
static const double *const *rows_from(const double *const *row, const size_t *list, size_t count, size_t first,
                                      const double **given)
{
    for (size_t k = 0; k < count; k++)
        given[k] = k < first ? NULL : row[list[k]];
    return given;
}

static void kept_sums_have_the_bits_of_sums_from_the_beginning(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, MOST};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t padded = simd_padded(N), list[MOST] = {0}, kept = 0;
    double *values = simd_doubles(N * padded), *out = simd_doubles(padded), expected[N], diagonal;
    const double *row[N], *given[MOST];
    for (size_t i = 0; i < N; i++) {
        row[i] = values + i * padded;
        for (size_t j = 0; j < N; j++)
            values[i * padded + j] = gsl_rng_uniform(rng) - 0.25;
    }
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const struct simd *simd = simd_select(widths[w]);
        struct point_sums sums;
        assert_true(point_sums_open(&sums, MOST, padded));
        for (size_t t = 0; simd && t < 60 * (sizeof counts / sizeof *counts); t++) {
            /* twice each, ascending, then ascending again */
            size_t count = counts[t / 30 % (sizeof counts / sizeof *counts)];
            change(rng, list, count);
            point_sums_turn(&sums, list, count);
            size_t first = point_sums_rows_kept(&sums);
            kept += first;
            point_sums_of_rows(&sums, simd, rows_from(row, list, count, first, given), out);
            sum_of_rows(row, list, count, expected);
            assert_memory_equal(out, expected, sizeof expected);
            if (t % 3 == 0) /* squares are not requested for every list */
                continue;
            point_sums_of_squares(&sums, rows_from(row, list, count, sums.n_squares, given));
            assert_true(sums.off[count] == sum_of_squares(row, list, count, &diagonal));
            assert_true(sums.diagonal[count] == diagonal);
        }
        point_sums_free(&sums);
    }
    assert_true(kept > 1000);
    free(values);
    free(out);
    gsl_rng_free(rng);
}

/* Alternates between two lists, as for two classes, and changes their matrix in between. Counts are as if nothing were
 * kept. */
static void an_oracle_gives_the_same_sums_and_counts_whatever_it_was_asked_before(void **state)
{
    (void)state;
    const struct kernel rbf = {.type = KERNEL_RBF, .width = 2};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct geometry g;
    geometry_random(&g, N, 3, 1, 9, &rbf);
    double *out = simd_doubles(g.points.n_padded), expected[N], diagonal;
    size_t lists[2][40] = {{0}};
    const double *row[N];
    for (size_t t = 0; t < 400; t++) {
        size_t count = t < 200 ? 40 : 25, *list = lists[gsl_rng_uniform_int(rng, 2)];
        if (t % 50 == 0) {
            oracle_reset(g.oracle);
            oracle_set_ridge(g.oracle, (double)t / 10);
        }
        change(rng, list, count);
        for (size_t i = 0; i < N; i++)
            row[i] = gram_row(g.gram, i);
        struct hull_point z = {list, count, 0.5, 0, 0};
        uint64_t before = oracle_operations(g.oracle, PHASE_SETUP);
        oracle_hull_point_row(g.oracle, &z, out);
        sum_of_rows(row, list, count, expected);
        for (size_t j = 0; j < N; j++)
            assert_true(out[j] == 0.5 * expected[j]);
        double off = sum_of_squares(row, list, count, &diagonal);
        assert_true(oracle_hull_point_norm2(g.oracle, &z) == 0.25 * (2 * off + diagonal));
        assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP) - before, count * N + count * count);
    }
    free(out);
    gsl_rng_free(rng);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_sums_have_the_bits_of_sums_from_the_beginning),
        cmocka_unit_test(an_oracle_gives_the_same_sums_and_counts_whatever_it_was_asked_before),
    };
    return cmocka_run_group_tests_name("point sums", tests, NULL, NULL);
}
