/* The oracle: values against the formulas, counts against the requests, the row cache against the full matrix. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/geometry.h"

static const struct kernel rbf = {.type = KERNEL_RBF, .width = 3}, wide = {.type = KERNEL_RBF, .width = 9};

static double distance2(const struct geometry *g, size_t i, size_t j)
{
    double sum = 0;
    for (size_t d = 0; d < g->dims; d++)
        sum += pow(g->x[i * g->dims + d] - g->x[j * g->dims + d], 2);
    return sum;
}

static double inner(const struct geometry *g, size_t i, size_t j)
{
    double sum = 0;
    for (size_t d = 0; d < g->dims; d++)
        sum += g->x[i * g->dims + d] * g->x[j * g->dims + d];
    return sum;
}

static void kernels_match_their_formulas(void **state)
{
    (void)state;
    const struct kernel kernels[] = {rbf, {.type = KERNEL_LINEAR},
                                     {.type = KERNEL_POLYNOMIAL, .degree = 3, .scale = 0.5, .offset = 2}};
    for (size_t k = 0; k < 3; k++) {
        struct geometry g;
        geometry_random(&g, 37, 4, 1, 7, &kernels[k]);
        for (size_t i = 0; i < g.n; i++) {
            const double *row = oracle_row(g.oracle, i);
            for (size_t j = 0; j < g.n; j++) {
                double expected = k == 0 ? exp(-distance2(&g, i, j) / 3) : inner(&g, i, j);
                if (k == 2)
                    expected = pow(0.5 * expected + 2, 3);
                assert_true(fabs(row[j] - expected) <=
                            1e-13 * fmax(1, fabs(expected))); /* rounding of about ten operations */
            }
            for (size_t j = g.n; j < oracle_padded(g.oracle); j++)
                assert_true(row[j] == 0);
        }
        geometry_close(&g);
    }
}

static void a_precomputed_kernel_is_looked_up(void **state)
{
    (void)state;
    const double table[9] = {2, 1, 0.5, 1, 3, 0.25, 0.5, 0.25, 4};
    const signed char y[3] = {1, -1, 1};
    const struct kernel precomputed = {.type = KERNEL_PRECOMPUTED};
    struct geometry g;
    geometry_open(&g, 3, 3, table, y, &precomputed);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            assert_true(oracle_row(g.oracle, i)[j] == table[3 * i + j]);
    geometry_close(&g);
}

static void every_request_is_counted_in_its_phase(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 30, 2, 1, 1, &rbf);
    const size_t indices[] = {3, 5, 8, 13};
    double *out = simd_doubles(30);
    struct hull_point with_rest = {indices, 4, 0.2, 21, 0.2}, without = {indices, 4, 0.25, 0, 0};
    oracle_reset(g.oracle);
    oracle_row(g.oracle, 3);
    assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP), 30);
    oracle_set_phase(g.oracle, PHASE_ITERATIONS);
    oracle_hull_point_row(g.oracle, &with_rest, out);
    assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS), 5 * 30);
    oracle_hull_point_norm2(g.oracle, &with_rest);
    assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS), 5 * 30 + 4 * 4 + 4 + 1);
    oracle_hull_point_row(g.oracle, &without, out);
    oracle_hull_point_norm2(g.oracle, &without);
    assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS), 5 * 30 + 21 + 4 * 30 + 16);
    assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP), 30);
    assert_int_equal(oracle_evaluations(g.oracle), 5 * 30); /* rows 3, 5, 8, 13, 21, each once */
    oracle_reset(g.oracle);
    assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS), 0);
    assert_int_equal(oracle_evaluations(g.oracle), 0);
    free(out);
    geometry_close(&g);
}

static void a_combination_is_the_weighted_sum_it_says(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 50, 3, 1, 2, &rbf);
    const size_t indices[] = {0, 4, 9, 16, 25, 36, 49};
    struct hull_point z = {indices, 7, 0.13, 12, 0.09};
    double *out = simd_doubles(50), weight[50] = {0}, norm2 = 0;
    for (size_t k = 0; k < 7; k++)
        weight[indices[k]] = 0.13;
    weight[12] = 0.09;
    oracle_hull_point_row(g.oracle, &z, out);
    for (size_t j = 0; j < 50; j++) {
        double sum = 0;
        for (size_t i = 0; i < 50; i++)
            sum += weight[i] * gram_row(g.gram, i)[j];
        assert_true(fabs(out[j] - sum) < 1e-14); /* eight products of numbers below one */
        norm2 += weight[j] * sum;
    }
    assert_true(fabs(oracle_hull_point_norm2(g.oracle, &z) - norm2) < 1e-14);
    free(out);
    geometry_close(&g);
}

static void cached_rows_have_the_bits_of_the_whole_matrix(void **state)
{
    (void)state;
    struct geometry g;
    struct gram *cache = NULL;
    struct oracle *small = NULL;
    geometry_random(&g, 40, 3, 1, 3, &rbf);
    assert_int_equal(gram_create(&cache, g.simd, &g.points, 1, 0, NULL), STATUS_OK);
    gram_set_kernel(cache, &rbf);
    assert_false(gram_is_full(cache));
    assert_true(gram_is_full(g.gram));
    assert_int_equal(oracle_create(&small, cache, NULL), STATUS_OK);
    for (size_t t = 0; t < 400; t++) {
        size_t i = t * t % 40;
        assert_memory_equal(oracle_row(small, i), gram_row(g.gram, i), 40 * sizeof(double));
    }
    size_t indices[20];
    for (size_t k = 0; k < 20; k++)
        indices[k] = 2 * k;
    struct hull_point z = {indices, 20, 0.05, 1, 0.01};
    double *a = simd_doubles(40), *b = simd_doubles(40);
    oracle_hull_point_row(small, &z, a);
    oracle_hull_point_row(g.oracle, &z, b);
    assert_memory_equal(a, b, 40 * sizeof(double));
    assert_true(oracle_hull_point_norm2(small, &z) == oracle_hull_point_norm2(g.oracle, &z));
    free(a), free(b);
    oracle_free(small);
    gram_free(cache);
    geometry_close(&g);
}

static void a_new_width_reuses_distances_without_changing_bits(void **state)
{
    (void)state;
    struct geometry g;
    struct gram *kept = NULL;
    geometry_random(&g, 40, 3, 1, 4, &wide);
    assert_int_equal(gram_create(&kept, g.simd, &g.points, (size_t)1 << 24, 1, NULL), STATUS_OK);
    gram_set_kernel(kept, &rbf);
    gram_set_kernel(kept, &wide);
    for (size_t i = 0; i < 40; i++)
        assert_memory_equal(gram_row(kept, i), gram_row(g.gram, i), 40 * sizeof(double));
    gram_free(kept);
    geometry_close(&g);
}

/* `gram`, for which all rows are announced after `before` requests, has the bits of rows computed one by one. */
static void check_all_at_once(struct gram *gram, struct gram *plain, const struct kernel *kernel, size_t before)
{
    size_t n = gram_size(gram), bytes = gram_padded(gram) * sizeof(double);
    gram_set_kernel(gram, kernel);
    gram_set_kernel(plain, kernel);
    for (size_t k = 0; k < before; k++)
        gram_row(gram, k * 5 % n);
    gram_prefetch_all(gram);
    for (size_t i = 0; i < n; i++)
        assert_memory_equal(gram_row(gram, i), gram_row(plain, i), bytes);
}

static void a_matrix_computed_by_halves_has_the_bits_of_single_rows(void **state)
{
    (void)state;
    const struct kernel kernels[] = {rbf, {.type = KERNEL_RBF, .width = 9}, {.type = KERNEL_LINEAR},
                                     {.type = KERNEL_POLYNOMIAL, .degree = 3, .scale = 0.5, .offset = 2}};
    const size_t sizes[] = {8, 37, 40, 63}, budgets[] = {0, (size_t)1 << 24};
    for (size_t t = 0; t < sizeof sizes / sizeof *sizes * 4; t++) {
        struct geometry g;
        struct gram *gram = NULL;
        geometry_random(&g, sizes[t / 4], 5, 1, 12, &rbf);
        assert_int_equal(gram_create(&gram, g.simd, &g.points, budgets[t % 2], t / 2 % 2 != 0, NULL), STATUS_OK);
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
            check_all_at_once(gram, g.gram, &kernels[k], k * 9);
        gram_free(gram);
        geometry_close(&g);
    }
}

/* Ascending patterns of 0 .. n - 1, each chosen with probability of_16 / 16. */
static size_t choose_patterns(size_t n, unsigned seed, unsigned of_16, size_t *index)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if ((seed = seed * 1664525u + 1013904223u) >> 28 < of_16)
            index[count++] = i;
    return count;
}

/* At any patterns the same bits as at all of them, from a cache and a full matrix, whatever is active. */
static void an_expansion_at_some_patterns_has_the_bits_of_the_whole(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 7, 8, 9, 63, 64, 65, 250}; /* with 20 features a block has 200 patterns */
    for (size_t t = 0; t < 2 * sizeof sizes / sizeof *sizes; t++) {
        struct geometry g;
        struct gram *cache = NULL;
        struct oracle *small = NULL;
        size_t n = sizes[t / 2];
        geometry_random(&g, n, 20, 1, (unsigned)t, &rbf);
        assert_int_equal(gram_create(&cache, g.simd, &g.points, 1, 0, NULL), STATUS_OK);
        gram_set_kernel(cache, &rbf);
        gram_set_ridge(cache, t % 2 ? 0.25 : 0);
        gram_set_ridge(g.gram, t % 2 ? 0.25 : 0);
        assert_int_equal(oracle_create(&small, cache, NULL), STATUS_OK);
        double *coefficient = simd_doubles(n), *whole = simd_doubles(n), *part = simd_doubles(n);
        size_t *index = malloc(n * sizeof *index), *active = malloc(n * sizeof *active), terms = 0;
        for (size_t i = 0; i < n; i++)
            terms += (coefficient[i] = i % 3 == 1 ? 0 : (double)i / 7 - 3) != 0;
        gram_expand(g.gram, coefficient, whole);
        oracle_set_active(small, active, choose_patterns(n, 77, 8, active));
        for (unsigned of_16 = 0; of_16 <= 16; of_16 += 4) {
            size_t count = choose_patterns(n, 5, of_16, index);
            for (int from_cache = 0; from_cache <= 1; from_cache++) {
                struct oracle *oracle = from_cache ? small : g.oracle;
                memset(part, 0, simd_padded(n) * sizeof *part);
                oracle_reset(oracle);
                oracle_expand_at(oracle, index, count, coefficient, part);
                assert_int_equal(oracle_operations(oracle, PHASE_SETUP), terms * count);
                for (size_t k = 0; k < count; k++)
                    assert_memory_equal(&part[k], &whole[index[k]], sizeof *part);
            }
        }
        free(coefficient), free(whole), free(part), free(index), free(active);
        oracle_free(small);
        gram_free(cache);
        geometry_close(&g);
    }
}

/* A matrix keeps the part of a row that is requested a second time, if the budget leaves room for it; changes of the
 * ridge and of the active patterns reach what is kept. */
static void parts_of_rows_are_kept_within_the_budget(void **state)
{
    (void)state;
    const size_t some[] = {1, 2, 5, 8, 13, 21, 34}, count = 7; /* 8 values with padding: 64 bytes a part */
    double scratch[8];
    for (size_t room = 0; room <= 3; room++) {
        struct geometry g;
        struct gram *gram = NULL;
        geometry_random(&g, 40, 3, 1, 14, &rbf);
        assert_int_equal(gram_create(&gram, g.simd, &g.points, (40 * 40 + room * 8) * sizeof(double), 0, NULL),
                         STATUS_OK);
        gram_set_kernel(gram, &rbf);
        gram_set_active(gram, some, count);
        for (int times = 1; times <= 3; times++)
            for (size_t k = 0; k < count; k++)
                assert_int_equal(gram_active_row(gram, some[k], scratch) != scratch, times > 1 && k < room);
        gram_set_ridge(gram, 2);
        for (size_t k = 0; k < count; k++)
            assert_true(gram_active_row(gram, some[k], scratch)[k] == 3); /* k(x, x) = 1 */
        gram_set_active(gram, some + 2, count - 2);
        for (int times = 1; times <= 3; times++)
            for (size_t k = 0; k < count - 2; k++)
                assert_true(gram_active_row(gram, some[2], scratch)[k] == gram_row(gram, some[2])[some[k + 2]]);
        gram_free(gram);
        geometry_close(&g);
    }
}

static void check_focus(struct gram *gram, struct gram *plain, const size_t *index, size_t count)
{
    double *scratch = simd_doubles(count);
    gram_set_active(gram, index, count);
    for (size_t t = 0; t < 3 * gram_size(gram); t++) {
        size_t i = t * 7 % gram_size(gram);
        const double *row = gram_active_row(gram, i, scratch), *expected = gram_row(plain, i);
        for (size_t k = 0; k < simd_padded(count); k++)
            assert_true(row[k] == (k < count ? expected[index[k]] : 0));
    }
    free(scratch);
}

static void rows_in_focus_are_parts_of_whole_rows(void **state)
{
    (void)state;
    const struct kernel polynomial = {.type = KERNEL_POLYNOMIAL, .degree = 2, .scale = 0.5, .offset = 2};
    const size_t budgets[] = {20, 12, 60, 63, 1000}; /* in rows: two caches; matrices without and with room for parts */
    for (int t = 0; t < 10; t++) {
        struct geometry g;
        struct gram *gram = NULL;
        size_t some[60], fewer[60], count, less = 0;
        geometry_random(&g, 60, 3, 1, 14, t & 1 ? &polynomial : &rbf);
        size_t budget = budgets[t / 2] * 64 * sizeof(double);
        assert_int_equal(gram_create(&gram, g.simd, &g.points, budget, 0, NULL), STATUS_OK);
        gram_set_kernel(gram, t & 1 ? &polynomial : &rbf);
        gram_set_ridge(gram, 0.5);
        gram_set_ridge(g.gram, 0.5);
        gram_row(gram, 3), gram_row(gram, 59), gram_row(gram, 0);
        count = choose_patterns(60, (unsigned)t, 11, some);
        check_focus(gram, g.gram, some, count);
        for (size_t k = 0; k < count; k += 1 + k % 2)
            fewer[less++] = some[k];
        check_focus(gram, g.gram, fewer, less); /* a subset of those before: rows are shortened */
        check_focus(gram, g.gram, some, count); /* more than before: rows are dropped */
        for (size_t i = 0; i < 60; i++)
            assert_memory_equal(gram_row(gram, i), gram_row(g.gram, i), 60 * sizeof(double));
        gram_free(gram);
        geometry_close(&g);
    }
}

static void an_expansion_has_the_bits_of_its_rows_added_up(void **state)
{
    (void)state;
    enum { N = MAX_GEOMETRY };
    for (int t = 0; t < 2; t++) {
        struct geometry g;
        struct gram *cache = NULL;
        geometry_random(&g, N - 5, t ? 40 : 3, 1, 15, &rbf);
        assert_int_equal(gram_create(&cache, g.simd, &g.points, 0, 0, NULL), STATUS_OK);
        gram_set_kernel(cache, &rbf);
        gram_set_ridge(cache, 0.5);
        gram_set_ridge(g.gram, 0.5);
        double *coefficient = simd_doubles(N), *out = simd_doubles(N), *whole = simd_doubles(N), *sum = simd_doubles(N);
        for (size_t i = 0; i < g.n; i += 3)
            coefficient[i] = 0.1 * (double)i - 9;
        for (size_t j = 0; j < g.n; j++)
            out[j] = whole[j] = sum[j] = 0.3;
        for (size_t i = 0; i < g.n; i++)
            for (size_t j = 0; j < g.n; j++)
                sum[j] += coefficient[i] * gram_row(g.gram, i)[j]; /* including 0, which changes nothing */
        gram_expand(cache, coefficient, out);
        gram_expand(g.gram, coefficient, whole);
        assert_memory_equal(out, sum, g.n * sizeof *sum);
        assert_memory_equal(whole, sum, g.n * sizeof *sum);
        free(coefficient), free(out), free(whole), free(sum);
        gram_free(cache);
        geometry_close(&g);
    }
}

static void a_diagonal_entry_is_that_of_its_row(void **state)
{
    (void)state;
    const struct kernel kernels[] = {rbf, {.type = KERNEL_POLYNOMIAL, .degree = 2, .scale = 0.5, .offset = 2}};
    for (size_t k = 0; k < 2; k++) {
        struct geometry g;
        double before[37];
        geometry_random(&g, 37, 4, 1, 13, &kernels[k]);
        gram_set_ridge(g.gram, 0.25);
        for (size_t i = 0; i < g.n; i++)
            before[i] = gram_diagonal(g.gram, i);
        for (size_t i = 0; i < g.n; i++)
            assert_true(before[i] == gram_row(g.gram, i)[i] && before[i] == gram_diagonal(g.gram, i));
        geometry_close(&g);
    }
}

/* The gram's rows with a ridge have the bits of `plain`, a full matrix without one, except for the ridge on the
 * diagonal. */
static void check_ridge(struct gram *gram, struct gram *plain, double ridge)
{
    size_t n = gram_size(gram);
    for (size_t t = 0; t < 2 * n; t++) {
        size_t i = t * 7 % n; /* each twice, so that a cache must fetch again */
        const double *row = gram_row(gram, i), *expected = gram_row(plain, i);
        for (size_t j = 0; j < gram_padded(gram); j++)
            assert_true(row[j] == (j == i ? expected[j] + ridge : expected[j]));
    }
}

/* budget 0: the minimum number of rows */
static void check_ridge_of(size_t budget, int keep_base)
{
    const struct kernel quadratic = {.type = KERNEL_POLYNOMIAL, .degree = 2, .scale = 1, .offset = 1};
    struct geometry g;
    struct gram *gram = NULL;
    geometry_random(&g, 40, 3, 1, 6, &wide);
    assert_int_equal(gram_create(&gram, g.simd, &g.points, budget, keep_base, NULL), STATUS_OK);
    gram_set_ridge(gram, 0.125); /* before a kernel is set */
    gram_set_kernel(gram, &wide);
    check_ridge(gram, g.gram, 0.125);
    gram_set_ridge(gram, 0.1); /* replaces the previous ridge, does not add to it */
    check_ridge(gram, g.gram, 0.1);
    gram_set_kernel(g.gram, &rbf);
    gram_set_kernel(gram, &rbf);
    check_ridge(gram, g.gram, 0.1);
    gram_set_ridge(gram, 1e17); /* swallows the diagonal, which must nevertheless be restored */
    gram_set_ridge(gram, 0);
    check_ridge(gram, g.gram, 0);
    gram_set_kernel(g.gram, &quadratic);
    gram_set_kernel(gram, &quadratic);
    gram_set_ridge(gram, 3);
    check_ridge(gram, g.gram, 3);
    gram_free(gram);
    geometry_close(&g);
}

static void a_ridge_is_added_to_the_diagonal_and_taken_back_without_a_trace(void **state)
{
    (void)state;
    check_ridge_of((size_t)1 << 24, 0);
    check_ridge_of((size_t)1 << 24, 1);
    check_ridge_of(0, 0);
}

/* All patterns are moved to the origin after their distances have been computed. Returns the number of values that
 * changed thereby. */
static size_t values_that_follow_the_patterns(int keep_base, int all_at_once)
{
    struct geometry g;
    struct gram *gram = NULL;
    size_t changed = 0;
    geometry_random(&g, 40, 3, 1, 6, &wide);
    assert_int_equal(gram_create(&gram, g.simd, &g.points, (size_t)1 << 24, keep_base, NULL), STATUS_OK);
    gram_set_kernel(gram, &rbf);
    if (all_at_once)
        gram_prefetch_all(gram);
    for (size_t i = 0; i < g.n; i++)
        assert_true(gram_row(gram, i)[i] == 1 && gram_row(g.gram, i)[i] == 1);
    memset(g.points.columns, 0, g.dims * g.points.n_padded * sizeof(double));
    gram_set_kernel(gram, &wide);
    for (size_t i = 0; i < g.n; i++)
        for (size_t j = 0; j < g.n; j++)
            changed += gram_row(gram, i)[j] != gram_row(g.gram, i)[j];
    gram_free(gram);
    geometry_close(&g);
    return changed;
}

static void kept_distances_are_not_computed_again_for_another_kernel(void **state)
{
    (void)state;
    for (int all_at_once = 0; all_at_once < 2; all_at_once++) {
        assert_int_equal(values_that_follow_the_patterns(1, all_at_once), 0);
        assert_true(values_that_follow_the_patterns(0, all_at_once) >= 40 * 39);
    }
}

static void the_oracle_serves_the_ridge_and_leaves_predictions_alone(void **state)
{
    (void)state;
    struct geometry g;
    struct points test;
    const double ridge = 0.5;
    geometry_random(&g, 30, 3, 1, 8, &rbf);
    assert_int_equal(points_create(&test, KERNEL_RBF, patterns_dense(g.x, g.n, g.dims), g.rows, 20, NULL), STATUS_OK);
    double *coefficient = simd_doubles(30);
    double *before = simd_doubles(20), *after = simd_doubles(20);
    for (size_t i = 0; i < 30; i++)
        coefficient[i] = 0.01 * (double)i;
    oracle_predict(g.oracle, &test, coefficient, -0.1, NULL, before);
    oracle_set_ridge(g.oracle, ridge);
    oracle_predict(g.oracle, &test, coefficient, -0.1, NULL, after); /* the test patterns here are training patterns */
    assert_memory_equal(before, after, 20 * sizeof *before);
    assert_true(oracle_row(g.oracle, 4)[4] == 1 + ridge && oracle_value(g.oracle, 4, 4) == 1 + ridge);
    const size_t indices[] = {4, 9};
    struct hull_point z = {indices, 2, 0.5, 0, 0};
    double expected = 0.25 * (2 * (1 + ridge) + 2 * exp(-distance2(&g, 4, 9) / 3));
    assert_true(fabs(oracle_hull_point_norm2(g.oracle, &z) - expected) < 1e-14); /* about ten operations */
    free(coefficient), free(before), free(after);
    points_free(&test);
    geometry_close(&g);
}

static void a_value_is_an_entry_of_its_row_and_one_operation(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 30, 2, 1, 9, &rbf);
    oracle_reset(g.oracle);
    for (size_t i = 0; i < 30; i++)
        for (size_t j = 0; j < 30; j++)
            assert_true(oracle_value(g.oracle, i, j) == gram_row(g.gram, i)[j]);
    assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP), 900);
    assert_int_equal(oracle_evaluations(g.oracle), 900);
    oracle_set_phase(g.oracle, PHASE_ITERATIONS);
    oracle_value(g.oracle, 3, 5);
    assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS), 1);
    assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP), 900);
    geometry_close(&g);
}

/* Every value counts when it is first needed: an entry of the diagonal by itself, a row by its other values then. */
static void no_value_is_evaluated_twice(void **state)
{
    (void)state;
    struct geometry g;
    double *out = simd_doubles(30);
    geometry_random(&g, 30, 2, 1, 9, &rbf);
    oracle_reset(g.oracle);
    oracle_value(g.oracle, 7, 7);
    assert_int_equal(oracle_evaluations(g.oracle), 1);
    for (int times = 0; times < 2; times++) {
        oracle_diagonal(g.oracle, out);
        assert_int_equal(oracle_evaluations(g.oracle), 30);
    }
    assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP), 1 + 2 * 30);
    for (int times = 0; times < 2; times++) {
        oracle_row(g.oracle, 3);
        oracle_value(g.oracle, 3, 3);
        oracle_value(g.oracle, 3, 5);
        assert_int_equal(oracle_evaluations(g.oracle), 30 + 29);
    }
    for (size_t i = 0; i < 30; i++)
        oracle_count_row(g.oracle, i);
    assert_int_equal(oracle_evaluations(g.oracle), 30 * 30);
    oracle_reset(g.oracle);
    oracle_row(g.oracle, 3);
    oracle_diagonal(g.oracle, out);
    assert_int_equal(oracle_evaluations(g.oracle), 30 + 29); /* row 3, then the other entries */
    free(out);
    geometry_close(&g);
}

static void predictions_are_counted_and_equal_the_expansion(void **state)
{
    (void)state;
    struct geometry g;
    struct points test;
    geometry_random(&g, 30, 3, 1, 5, &rbf);
    assert_int_equal(points_create(&test, KERNEL_RBF, patterns_dense(g.x, g.n, g.dims), g.rows + 10, 15, NULL),
                     STATUS_OK);
    double *coefficient = simd_doubles(30), *decision = simd_doubles(15);
    coefficient[2] = 0.5;
    coefficient[20] = -0.25;
    oracle_reset(g.oracle);
    oracle_set_phase(g.oracle, PHASE_PREDICT);
    oracle_predict(g.oracle, &test, coefficient, 0.1, NULL, decision);
    assert_int_equal(oracle_operations(g.oracle, PHASE_PREDICT), 2 * 15);
    for (size_t t = 0; t < 15; t++) {
        double expected = 0.1 + 0.5 * exp(-distance2(&g, 2, t + 10) / 3) - 0.25 * exp(-distance2(&g, 20, t + 10) / 3);
        assert_true(fabs(decision[t] - expected) < 1e-14);
    }
    free(coefficient), free(decision);
    points_free(&test);
    geometry_close(&g);
}

/* Sums over 1, then 2, then 3 of 4 of the 40 patterns, with and without kept rows. */
static void check_kept_rows(const struct geometry *g, const struct simd *simd, const struct points *points)
{
    enum { TRAINED = 40 };
    struct kept_rows kept;
    double coefficient[TRAINED], *with = simd_doubles(points->n + 1), *without = simd_doubles(points->n + 1);
    assert_true(kept_rows_create(&kept, TRAINED, points));
    for (size_t round = 0; round < 3; round++) {
        struct expansion sum = {.simd = simd, .kernel = &rbf, .points = points, .rows = g->rows, .n = TRAINED,
                                .coefficient = coefficient};
        for (size_t i = 0; i < TRAINED; i++)
            coefficient[i] = i % 4 <= round ? (double)(i + round) - 7.3 : 0;
        for (size_t t = 0; t < points->n_padded; t++)
            with[t] = without[t] = -0.1;
        kernel_expand(&sum, without);
        sum.kept = &kept;
        kernel_expand(&sum, with);
        assert_memory_equal(with, without, points->n * sizeof *with);
        for (size_t i = 0; i < TRAINED; i++) {
            assert_int_equal(kept.is_kept[i], i % 4 <= round);
            for (size_t t = 0; t < points->n && kept.is_kept[i]; t++)
                assert_true(fabs(kept.values[i * kept.stride + t] - exp(-distance2(g, i, points->rows[t]) / 3)) <
                            1e-14);
        }
    }
    if (points->n > 0) { /* a kept row is not recomputed */
        const struct expansion sum = {.simd = simd, .kernel = &rbf, .points = points, .rows = g->rows, .n = TRAINED,
                                      .coefficient = coefficient, .kept = &kept};
        kept.values[4 * kept.stride] += 1;
        with[0] = without[0] = 0;
        kernel_expand(&sum, with);
        kept.values[4 * kept.stride] -= 1;
        kernel_expand(&sum, without);
        assert_true(fabs(with[0] - without[0] - coefficient[4]) < 1e-11);
    }
    kept_rows_free(&kept);
    free(with), free(without);
}

static void sums_over_kept_rows_have_the_bits_of_sums_over_computed_ones(void **state)
{
    (void)state;
    static const char *const widths[] = {"generic", "avx2", "avx512"};
    static const size_t sizes[] = {0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1300};
    struct geometry g;
    size_t rows[1300];
    geometry_random(&g, 40, 3, 1, 6, &rbf);
    for (size_t t = 0; t < 1300; t++)
        rows[t] = g.rows[t * 7 % 40];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct points points;
        assert_int_equal(points_create(&points, KERNEL_RBF, patterns_dense(g.x, g.n, g.dims), rows, sizes[s], NULL),
                         STATUS_OK);
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            if (simd_select(widths[w]))
                check_kept_rows(&g, simd_select(widths[w]), &points);
        points_free(&points);
    }
    geometry_close(&g);
}

static void kept_rows_change_no_count(void **state)
{
    (void)state;
    struct geometry g;
    struct kept_rows kept;
    double coefficient[30] = {[2] = 0.5, [20] = -0.25}, *decision = simd_doubles(30);
    geometry_random(&g, 30, 3, 1, 5, &rbf);
    assert_true(kept_rows_create(&kept, 30, &g.points));
    oracle_reset(g.oracle);
    oracle_set_phase(g.oracle, PHASE_PREDICT);
    for (size_t times = 1; times <= 3; times++) {
        oracle_predict(g.oracle, &g.points, coefficient, 0.1, &kept, decision);
        assert_int_equal(oracle_operations(g.oracle, PHASE_PREDICT), times * 2 * 30);
        assert_int_equal(oracle_evaluations(g.oracle), times * 2 * 30);
    }
    kept_rows_free(&kept);
    free(decision);
    geometry_close(&g);
}

enum change { SIGN, LAST_BIT, SWAP, CHANGES };

/* A borrower's write to a row of 12 values that it may not change; none of them is 0. */
static void write_to(const double *row, size_t j, enum change change)
{
    double *writable = (double *)(uintptr_t)row, value = row[j];
    writable[j] = change == SIGN ? -value : change == LAST_BIT ? nextafter(value, 2) : row[(j + 1) % 12];
    if (change == SWAP)
        writable[(j + 1) % 12] = value;
}

static int is_seen(struct gram *gram, size_t i, size_t j, enum change change)
{
    assert_int_equal(gram_watch(gram, NULL), STATUS_OK);
    write_to(gram_row(gram, i), j, change);
    return gram_unwatch(gram);
}

/* In matrices and caches, rows computed before and after the watch begins. A changed row is then computed anew. */
static void a_change_of_a_watched_row_is_seen(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 12, 2, 1, 9, &rbf);
    for (int is_full = 0; is_full < 2; is_full++) {
        struct gram *gram;
        double right[12];
        assert_int_equal(gram_create(&gram, g.simd, &g.points, is_full ? 1 << 20 : 1, 0, NULL), STATUS_OK);
        assert_int_equal(gram_is_full(gram), is_full);
        for (int turn = 0; turn < 2; turn++) { /* sums of the first kernel's rows are not those of the second's */
            gram_set_kernel(gram, turn ? &rbf : &wide);
            for (size_t i = 12; i-- > 0;)
                (void)gram_row(gram, i);
            assert_int_equal(gram_watch(gram, NULL), STATUS_OK);
            assert_false(gram_unwatch(gram));
        }
        for (size_t i = 0; i < 12; i++) {
            memcpy(right, gram_row(gram, i), sizeof right);
            for (size_t j = 0; j < 12; j++) {
                for (enum change change = SIGN; change < CHANGES; change++) {
                    assert_true(is_seen(gram, i, j, change));
                    assert_memory_equal(gram_row(gram, i), right, sizeof right);
                }
                assert_int_equal(gram_watch(gram, NULL), STATUS_OK);
                (void)gram_row(gram, (i + j) % 12); /* requests change nothing, nor does a ridge */
                gram_set_ridge(gram, 0.5);
                gram_set_ridge(gram, 0);
                assert_false(gram_unwatch(gram));
            }
        }
        gram_free(gram);
    }
    geometry_close(&g);
}

/* A row of a cache that gives way, or is shortened, is checked before that. */
static void a_change_is_seen_in_a_row_that_leaves_the_cache(void **state)
{
    (void)state;
    static const size_t some[] = {2, 5, 7};
    struct geometry g;
    struct gram *gram;
    geometry_random(&g, 40, 2, 1, 9, &rbf);
    for (int way = 0; way < 3; way++) {
        assert_int_equal(gram_create(&gram, g.simd, &g.points, 1, 0, NULL), STATUS_OK);
        gram_set_kernel(gram, &rbf);
        assert_int_equal(gram_watch(gram, NULL), STATUS_OK);
        const double *row = gram_row(gram, 5);
        if (way > 0)
            write_to(row, 11, SIGN);
        if (way < 2)
            for (size_t i = 8; i < 40; i++)
                (void)gram_row(gram, i);
        gram_set_active(gram, some, 3);
        assert_int_equal(gram_unwatch(gram) != 0, way > 0);
        gram_free(gram);
    }
    geometry_close(&g);
}

/* A matrix for another kernel holds no row until one is requested. */
static void a_row_that_is_not_valid_any_more_is_not_watched(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 12, 2, 1, 9, &rbf);
    const double *row = gram_row(g.gram, 3);
    gram_set_kernel(g.gram, &wide);
    assert_int_equal(gram_watch(g.gram, NULL), STATUS_OK);
    write_to(row, 4, SIGN);
    assert_false(gram_unwatch(g.gram));
    assert_true(is_seen(g.gram, 3, 4, SIGN));
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_expansion_at_some_patterns_has_the_bits_of_the_whole),
        cmocka_unit_test(kernels_match_their_formulas),
        cmocka_unit_test(a_precomputed_kernel_is_looked_up),
        cmocka_unit_test(every_request_is_counted_in_its_phase),
        cmocka_unit_test(no_value_is_evaluated_twice),
        cmocka_unit_test(a_combination_is_the_weighted_sum_it_says),
        cmocka_unit_test(cached_rows_have_the_bits_of_the_whole_matrix),
        cmocka_unit_test(a_matrix_computed_by_halves_has_the_bits_of_single_rows),
        cmocka_unit_test(rows_in_focus_are_parts_of_whole_rows),
        cmocka_unit_test(parts_of_rows_are_kept_within_the_budget),
        cmocka_unit_test(an_expansion_has_the_bits_of_its_rows_added_up),
        cmocka_unit_test(a_diagonal_entry_is_that_of_its_row),
        cmocka_unit_test(a_new_width_reuses_distances_without_changing_bits),
        cmocka_unit_test(a_ridge_is_added_to_the_diagonal_and_taken_back_without_a_trace),
        cmocka_unit_test(kept_distances_are_not_computed_again_for_another_kernel),
        cmocka_unit_test(the_oracle_serves_the_ridge_and_leaves_predictions_alone),
        cmocka_unit_test(a_value_is_an_entry_of_its_row_and_one_operation),
        cmocka_unit_test(predictions_are_counted_and_equal_the_expansion),
        cmocka_unit_test(sums_over_kept_rows_have_the_bits_of_sums_over_computed_ones),
        cmocka_unit_test(kept_rows_change_no_count),
        cmocka_unit_test(a_change_of_a_watched_row_is_seen),
        cmocka_unit_test(a_change_is_seen_in_a_row_that_leaves_the_cache),
        cmocka_unit_test(a_row_that_is_not_valid_any_more_is_not_watched),
    };
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
