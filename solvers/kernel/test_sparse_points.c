/*
 * Compressed patterns against dense ones and against the definitions: sums over all features, ascending, from 0. All
 * must agree bitwise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/gram.h"

static const char *const widths[] = {"generic", "avx2", "avx512"};

/* Kinds of values; NONE: all rows are empty. */
enum values { REAL, BINARY, HALVES, TINY, HUGE_ONES, UNEVEN, NONE, KINDS };

struct pair {
    struct patterns dense, compressed;
    size_t *rows, n; /* rows of the points: some of the patterns, some twice */
};

static uint64_t seed;

static uint64_t draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 33;
}

static double draw_value(enum values kind)
{
    const double sign = draw() % 2 ? 1 : -1, real = sign * (double)(draw() + 1) * 0x1p-31;
    switch (kind) {
    case BINARY:
        return 1;
    case HALVES:
        return sign * (double)(draw() % 9 + 1) / 2;
    case TINY:
        return real * 1e-170;
    case HUGE_ONES:
        return real * 1e99;
    case UNEVEN: /* whole numbers whose squares need more than 53 bits next to 1 */
        return draw() % 2 ? sign * 0x1p30 : sign;
    default:
        return real;
    }
}

/* About one value in `thin` is nonzero. Every fifth row is empty, and every seventh equals the previous one. */
static void open_pair(struct pair *pair, size_t rows, size_t dims, size_t thin, enum values kind, size_t n)
{
    assert_int_equal(patterns_create(&pair->dense, rows, dims, 0, PATTERNS_DENSE, NULL), STATUS_OK);
    for (size_t i = 0; i < rows; i++) {
        double *x = pair->dense.values + i * dims;
        if (i % 7 == 6)
            memcpy(x, x - dims, dims * sizeof *x);
        else if (i % 5 != 4 && kind != NONE)
            for (size_t d = 0; d < dims; d++)
                x[d] = draw() % thin == 0 ? draw_value(kind) : draw() % 50 == 0 ? -0.0 : 0;
    }
    pair->compressed = pair->dense;
    assert_int_equal(patterns_create(&pair->compressed, rows, dims, patterns_nonzeros(&pair->dense),
                                     PATTERNS_COMPRESSED, NULL), STATUS_OK);
    for (size_t i = 0; i < rows; i++)
        patterns_copy_row(&pair->compressed, i, &pair->dense, i, 0);
    pair->n = n;
    pair->rows = malloc((n + 1) * sizeof *pair->rows);
    assert_non_null(pair->rows);
    for (size_t j = 0; j < n; j++)
        pair->rows[j] = draw() % rows;
}

static void close_pair(struct pair *pair)
{
    patterns_free(&pair->dense);
    patterns_free(&pair->compressed);
    free(pair->rows);
}

static double sum_by_definition(const struct pair *pair, size_t row, size_t j, int is_distance)
{
    const size_t dims = pair->dense.dims;
    const double *p = pair->dense.values + row * dims, *c = pair->dense.values + pair->rows[j] * dims;
    double sum = 0;
    for (size_t d = 0; d < dims; d++)
        sum += is_distance ? (p[d] - c[d]) * (p[d] - c[d]) : p[d] * c[d];
    return sum;
}

static void expect_part(const struct pair *pair, const struct simd *simd, const struct points *points, size_t row,
                        size_t first, size_t count, double *out)
{
    const struct kernel linear = {.type = KERNEL_LINEAR}, rbf = {.type = KERNEL_RBF, .width = 1};
    for (int is_distance = 0; is_distance < 2; is_distance++) {
        memset(out, 0xff, simd_padded(count) * sizeof *out);
        kernel_base_part(simd, is_distance ? &rbf : &linear, points, row, first, count, out);
        for (size_t j = 0; j < count && first + j < points->n; j++) {
            double sum = sum_by_definition(pair, row, first + j, is_distance);
            assert_memory_equal(&out[j], &sum, sizeof sum);
        }
    }
}

static void check_sums(const struct pair *pair, const struct simd *simd)
{
    struct points points;
    double *out = simd_doubles(pair->n + SIMD_LANES);
    assert_int_equal(points_create(&points, KERNEL_RBF, pair->compressed, pair->rows, pair->n, NULL), STATUS_OK);
    for (size_t row = 0; row < pair->dense.rows && row < 9; row++) {
        expect_part(pair, simd, &points, row, 0, points.n_padded, out);
        for (size_t t = 0; t < 4; t++) {
            size_t vectors = points.n_padded / SIMD_LANES, first = draw() % vectors, end = first + draw() % vectors + 1;
            end = end < vectors ? end : vectors;
            expect_part(pair, simd, &points, row, first * SIMD_LANES, (end - first) * SIMD_LANES, out);
        }
    }
    free(out);
    points_free(&points);
}

static void sums_of_compressed_patterns_are_those_of_the_definition(void **state)
{
    (void)state;
    static const struct {
        size_t rows, dims, thin, n;
    } shapes[] = {{1, 1, 1, 1},    {3, 1, 2, 7},     {9, 2, 1, 8},      {30, 40, 9, 9},     {40, 300, 30, 63},
                  {50, 5, 20, 64}, {50, 20, 30, 65}, {60, 70, 25, 300}, {90, 30, 12, 2047}, {90, 30, 12, 2048},
                  {90, 600, 60, 2049}, {99, 15, 10, 5000}, {99, 90, 2, 700}};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const struct simd *simd = simd_select(widths[w]);
        for (size_t s = 0; simd && s < sizeof shapes / sizeof *shapes; s++)
            for (int kind = 0; kind < KINDS; kind++) {
                struct pair pair;
                seed = s * 100 + (size_t)kind;
                open_pair(&pair, shapes[s].rows, shapes[s].dims, shapes[s].thin, (enum values)kind, shapes[s].n);
                check_sums(&pair, simd);
                close_pair(&pair);
            }
    }
}

static void features_up_to_2_to_the_31_take_no_memory_of_their_own(void **state)
{
    (void)state;
    size_t begin[] = {0, 2, 3, 3, 5}, rows[] = {3, 2, 1, 0, 0};
    uint32_t feature[] = {0, 2147483645, 2147483645, 5, 2147483645};
    double values[] = {1, 3, -2, 0.1, 7}, out[8];
    const struct patterns patterns = {
        .rows = 4, .dims = 2147483646, .values = values, .begin = begin, .feature = feature};
    struct sparse_points *points = sparse_points_create(&patterns, rows, 5);
    assert_non_null(points);
    sparse_inner_products(simd_select(NULL), points, &patterns, 0, 0, 5, out);
    const double products[] = {21, 0, -6, 10, 10};
    assert_memory_equal(out, products, sizeof products);
    sparse_squared_distances(simd_select(NULL), points, &patterns, 0, 0, 5, out);
    const double distances[] = {1 + 0.1 * 0.1 + 16, 10, 26, 0, 0};
    assert_memory_equal(out, distances, sizeof distances);
    sparse_points_free(points);
}

/* ---- the matrix, its cache and sums over rows ---- */

/* Two grams of the same patterns, dense and compressed, with their points. */
struct twins {
    struct pair pair;
    struct points points[2];
    struct gram *gram[2];
    double *out[2];
};

static void open_twins(struct twins *twins, size_t budget, const struct kernel *kernel, enum values kind, size_t n)
{
    open_pair(&twins->pair, 300, 60, 15, kind, n);
    for (int t = 0; t < 2; t++) {
        const struct patterns *patterns = t ? &twins->pair.compressed : &twins->pair.dense;
        assert_int_equal(points_create(&twins->points[t], kernel->type, *patterns, twins->pair.rows, n, NULL),
                         STATUS_OK);
        assert_int_equal(gram_create(&twins->gram[t], simd_select(NULL), &twins->points[t], budget, 0, NULL),
                         STATUS_OK);
        gram_set_kernel(twins->gram[t], kernel);
        twins->out[t] = simd_doubles(n);
    }
}

static void close_twins(struct twins *twins)
{
    for (int t = 0; t < 2; t++) {
        gram_free(twins->gram[t]);
        points_free(&twins->points[t]);
        free(twins->out[t]);
    }
    close_pair(&twins->pair);
}

static void expect_same(const double *dense, const double *compressed, size_t count)
{
    assert_memory_equal(dense, compressed, count * sizeof *dense);
}

static void check_rows(struct twins *twins)
{
    const size_t n = twins->pair.n;
    for (size_t t = 0; t < 12; t++) {
        size_t i = draw() % n;
        double diagonal[2] = {gram_diagonal(twins->gram[0], i), gram_diagonal(twins->gram[1], i)};
        expect_same(&diagonal[0], &diagonal[1], 1);
        expect_same(gram_row(twins->gram[0], i), gram_row(twins->gram[1], i), simd_padded(n));
    }
    gram_prefetch_all(twins->gram[0]);
    gram_prefetch_all(twins->gram[1]);
    for (size_t i = 0; i < n && gram_is_full(twins->gram[0]); i++)
        expect_same(gram_row(twins->gram[0], i), gram_row(twins->gram[1], i), simd_padded(n));
}

static void check_active(struct twins *twins)
{
    const size_t n = twins->pair.n;
    size_t *index = malloc(n * sizeof *index), count = n;
    double *weights = calloc(n, sizeof *weights);
    assert_true(index && weights);
    for (size_t i = 0; i < n; i++)
        index[i] = i;
    for (int turn = 0; turn < 3; turn++) {
        size_t left = 0;
        for (size_t k = 0; k < count; k++)
            if (draw() % 3 != 0)
                index[left++] = index[k];
        count = left;
        for (int t = 0; t < 2; t++)
            gram_set_active(twins->gram[t], index, count);
        for (size_t t = 0; t < 5; t++) {
            size_t i = index[draw() % count];
            expect_same(gram_active_row(twins->gram[0], i, twins->out[0]),
                        gram_active_row(twins->gram[1], i, twins->out[1]), count);
        }
        for (size_t i = 0; i < n; i++)
            weights[i] = draw() % 4 == 0 ? draw_value(REAL) : 0;
        for (int t = 0; t < 2; t++) {
            memset(twins->out[t], 0, simd_padded(n) * sizeof(double));
            gram_expand_at(twins->gram[t], index, count, weights, twins->out[t]);
        }
        expect_same(twins->out[0], twins->out[1], count);
    }
    for (int t = 0; t < 2; t++) {
        memset(twins->out[t], 0, simd_padded(n) * sizeof(double));
        gram_expand(twins->gram[t], weights, twins->out[t]);
    }
    expect_same(twins->out[0], twins->out[1], n);
    free(index);
    free(weights);
}

static void matrices_caches_and_sums_of_both_forms_have_the_same_bits(void **state)
{
    (void)state;
    static const struct kernel kernels[] = {{.type = KERNEL_RBF, .width = 3},
                                            {.type = KERNEL_LINEAR},
                                            {.type = KERNEL_POLYNOMIAL, .scale = 0.5, .offset = 1, .degree = 3}};
    static const size_t sizes[] = {9, 65, 500, 2100};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int full = 0; full < (sizes[s] < 2000 ? 2 : 1); full++)
                for (int kind = REAL; kind <= HALVES; kind++) {
                    struct twins twins;
                    seed = k * 1000 + s * 10 + (size_t)kind;
                    open_twins(&twins, full ? (size_t)1 << 27 : 0, &kernels[k], (enum values)kind, sizes[s]);
                    gram_set_ridge(twins.gram[0], 0.25 * full);
                    gram_set_ridge(twins.gram[1], 0.25 * full);
                    check_rows(&twins);
                    check_active(&twins);
                    close_twins(&twins);
                }
}

static void a_table_of_kernel_values_may_be_compressed(void **state)
{
    (void)state;
    struct twins twins;
    const struct kernel table = {.type = KERNEL_PRECOMPUTED};
    open_pair(&twins.pair, 60, 60, 9, REAL, 40);
    close_pair(&twins.pair);
    open_pair(&twins.pair, 60, 60, 9, REAL, 40);
    for (int t = 0; t < 2; t++) {
        const struct patterns *patterns = t ? &twins.pair.compressed : &twins.pair.dense;
        assert_int_equal(points_create(&twins.points[t], table.type, *patterns, twins.pair.rows, 40, NULL), STATUS_OK);
        twins.out[t] = simd_doubles(40);
    }
    for (size_t i = 0; i < 60; i++) {
        for (int t = 0; t < 2; t++)
            kernel_part(simd_select(NULL), &table, &twins.points[t], i, 0, 40, twins.out[t]);
        for (size_t j = 0; j < 40; j++)
            assert_true(twins.out[0][j] == twins.out[1][j]);
    }
    for (int t = 0; t < 2; t++) {
        points_free(&twins.points[t]);
        free(twins.out[t]);
    }
    close_pair(&twins.pair);
}

/* ---- the forms ---- */

/* The layouts of 20 x 40 compressed patterns with the given number of values that are not 0. */
static void expect_layout(size_t nonzeros, enum kernel_type type, int has_columns, int has_features)
{
    enum { ROWS = 20, FEATURES = 40 };
    struct patterns dense, compressed;
    struct points points;
    size_t rows[ROWS];
    assert_int_equal(patterns_create(&dense, ROWS, FEATURES, 0, PATTERNS_DENSE, NULL), STATUS_OK);
    for (size_t k = 0; k < ROWS * FEATURES; k++)
        dense.values[k] = k % 8 == 0 && k / 8 < nonzeros;
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = i;
    dense.values[1] = nonzeros > ROWS * FEATURES / 8;
    assert_int_equal(patterns_create(&compressed, ROWS, FEATURES, nonzeros, PATTERNS_COMPRESSED, NULL), STATUS_OK);
    for (size_t i = 0; i < ROWS; i++)
        patterns_copy_row(&compressed, i, &dense, i, 0);
    assert_int_equal(patterns_nonzeros(&compressed), nonzeros);
    assert_int_equal(points_create(&points, type, compressed, rows, ROWS, NULL), STATUS_OK);
    assert_int_equal(points.columns != NULL, has_columns);
    assert_int_equal(points.sparse != NULL, has_features);
    points_free(&points);
    patterns_free(&dense);
    patterns_free(&compressed);
}

static void one_value_in_eight_makes_columns_and_fewer_a_layout_by_feature(void **state)
{
    (void)state;
    expect_layout(101, KERNEL_RBF, 1, 0);
    expect_layout(100, KERNEL_RBF, 1, 0);
    expect_layout(99, KERNEL_RBF, 0, 1);
    expect_layout(99, KERNEL_LINEAR, 0, 1);
    expect_layout(100, KERNEL_PRECOMPUTED, 0, 0);
}

static void the_smaller_form_is_chosen_and_each_becomes_the_other(void **state)
{
    (void)state;
    for (size_t thin = 1; thin < 9; thin++) {
        struct pair pair;
        seed = thin;
        open_pair(&pair, 20, 30, thin, REAL, 0);
        size_t nonzeros = 0;
        for (size_t k = 0; k < 600; k++)
            nonzeros += pair.dense.values[k] != 0;
        assert_int_equal(patterns_nonzeros(&pair.dense), nonzeros);
        assert_int_equal(patterns_nonzeros(&pair.compressed), nonzeros);
        enum patterns_form smaller = 12 * nonzeros + 8 * 21 < 8 * 600 ? PATTERNS_COMPRESSED : PATTERNS_DENSE;
        assert_int_equal(patterns_choose(PATTERNS_SMALLER, 20, 30, nonzeros), smaller);
        for (size_t k = 0; k < 600; k++)
            assert_true(patterns_value(&pair.compressed, k / 30, k % 30) == pair.dense.values[k]);
        assert_int_equal(patterns_hold(&pair.compressed, PATTERNS_DENSE, NULL), STATUS_OK);
        assert_int_equal(patterns_hold(&pair.compressed, PATTERNS_SMALLER, NULL), STATUS_OK);
        assert_int_equal(patterns_are_compressed(&pair.compressed), smaller == PATTERNS_COMPRESSED);
        for (size_t k = 0; k < 600; k++)
            assert_true(patterns_value(&pair.compressed, k / 30, k % 30) == pair.dense.values[k]);
        close_pair(&pair);
    }
    assert_int_equal(patterns_choose(PATTERNS_SMALLER, SIZE_MAX / 16, SIZE_MAX / 16, 5), PATTERNS_COMPRESSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_compressed_patterns_are_those_of_the_definition),
        cmocka_unit_test(features_up_to_2_to_the_31_take_no_memory_of_their_own),
        cmocka_unit_test(matrices_caches_and_sums_of_both_forms_have_the_same_bits),
        cmocka_unit_test(a_table_of_kernel_values_may_be_compressed),
        cmocka_unit_test(one_value_in_eight_makes_columns_and_fewer_a_layout_by_feature),
        cmocka_unit_test(the_smaller_form_is_chosen_and_each_becomes_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
