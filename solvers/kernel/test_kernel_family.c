/* Kernels of plugins in one process. Whatever the base value, matrix, cache and predictions hold the values of the
 * function. Also tests the checks of kernels and of plugins' declarations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/registry.h"
#include "tests/geometry.h"

enum { N = 21, DIMS = 3 };

static char file[] = "kernels.so";
static const struct solver_origin origin = {.file = file};

static const struct parameter shape = {
    .name = "shape", .meaning = "m", .min = 0, .min_is_open = 1, .max = HUGE_VAL, .fallback = NAN};

static double quadratic(double distance2, const double *values)
{
    return 1 / (1 + distance2 / values[0]);
}

static double squared(double product, const double *values)
{
    return (product + values[0]) * (product + values[0]);
}

/* The same as quadratic, features in the same order. */
static double of_samples(const double *x, const double *z, size_t dims, const double *values)
{
    double sum = 0;
    for (size_t d = 0; d < dims; d++)
        sum += (x[d] - z[d]) * (x[d] - z[d]);
    return quadratic(sum, values);
}

/* k(x, z) differs from k(z, x). */
static double lopsided(const double *x, const double *z, size_t dims, const double *values)
{
    return of_samples(x, z, dims, values) + 1e-3 * x[0];
}

static double infinite(const double *x, const double *z, size_t dims, const double *values)
{
    (void)dims, (void)values;
    return x[0] == z[0] ? 1 : HUGE_VAL;
}

static double distance_itself(double distance2, const double *values)
{
    (void)values;
    return distance2;
}

#define OWN .meaning = "m", .type = KERNEL_OF_PLUGIN, .parameters = PARAMETERS(&shape)

static const struct kernel_family distances = {.name = "distances", OWN, .is_semidefinite = 1,
                                               .of_distance = quadratic},
                                  products = {.name = "products", OWN, .is_semidefinite = 1,
                                              .of_inner_product = squared},
                                  samples = {.name = "samples", OWN, .is_semidefinite = 1, .of_samples = of_samples};

/* The value by the formula, features in order. */
static double wanted(const struct geometry *g, const struct kernel *kernel, size_t i, size_t j)
{
    const double *x = g->x + i * DIMS, *z = g->x + j * DIMS;
    double product = 0;
    for (size_t d = 0; d < DIMS; d++)
        product += x[d] * z[d];
    return kernel->family == &products ? squared(product, kernel->value) : of_samples(x, z, DIMS, kernel->value);
}

static void every_way_to_a_value_gives_that_of_the_function(void **state)
{
    (void)state;
    const struct kernel_family *const families[] = {&distances, &products, &samples};
    for (size_t f = 0; f < 6; f++) {
        const double value = f < 3 ? 2 : 0.5;
        const struct kernel kernel = kernel_of_family(families[f % 3], &value);
        struct geometry g;
        struct gram *rows;
        geometry_random(&g, N, DIMS, 0.5, 3, &kernel);
        assert_int_equal(gram_create(&rows, g.simd, &g.points, 1, 0, NULL), STATUS_OK); /* a cache of few rows */
        gram_set_kernel(rows, &kernel);
        if (f % 2)
            gram_prefetch_all(g.gram);
        const size_t some[] = {1, 4, 9, 20};
        double *scratch = simd_doubles(N), *sum = simd_doubles(N), weights[N] = {0};
        weights[2] = 1.5, weights[17] = -0.25;
        const struct expansion expansion = {
            .simd = g.simd, .kernel = &kernel, .points = &g.points, .rows = g.rows, .n = N, .coefficient = weights};
        kernel_expand(&expansion, sum);
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < N; j++) {
                assert_true(gram_row(g.gram, i)[j] == wanted(&g, &kernel, i, j));
                assert_true(gram_row(rows, i)[j] == wanted(&g, &kernel, i, j));
            }
            assert_true(gram_diagonal(rows, i) == wanted(&g, &kernel, i, i));
            gram_set_active(rows, some, 4);
            for (size_t k = 0; k < 4; k++)
                assert_true(gram_active_row(rows, i, scratch)[k] == wanted(&g, &kernel, i, some[k]));
            assert_true(sum[i] == 1.5 * wanted(&g, &kernel, 2, i) + -0.25 * wanted(&g, &kernel, 17, i));
        }
        free(scratch), free(sum);
        gram_free(rows);
        geometry_close(&g);
    }
}

static void another_member_of_a_family_has_other_values(void **state)
{
    (void)state;
    const double one = 1, two = 2;
    const struct kernel first = kernel_of_family(&samples, &one), second = kernel_of_family(&samples, &two),
                        distance = kernel_of_family(&distances, &one), rbf = {.type = KERNEL_RBF, .width = 1};
    struct geometry g;
    struct gram *both;
    assert_false(kernel_equal(&first, &second) || kernel_equal(&first, &distance) || kernel_equal(&distance, &rbf));
    assert_true(kernel_same_base(&distance, &rbf) && !kernel_same_base(&first, &second));
    geometry_random(&g, N, DIMS, 0.5, 4, &first);
    /* base values are kept */
    assert_int_equal(gram_create(&both, g.simd, &g.points, (size_t)1 << 20, 1, NULL), STATUS_OK);
    const struct kernel *const turns[] = {&first, &rbf, &second, &distance, &first};
    for (size_t t = 0; t < 5; t++) {
        gram_set_kernel(both, turns[t]);
        if (turns[t] != &rbf)
            assert_true(gram_row(both, 3)[7] == wanted(&g, turns[t], 3, 7));
        else
            (void)gram_row(both, 3);
    }
    gram_free(both);
    geometry_close(&g);
}

static void checked(struct geometry *g, struct kernel_family family, const char *what)
{
    const double value = 1;
    struct error error = {.status = STATUS_OK};
    family.name = "own";
    const struct kernel kernel = kernel_of_family(&family, &value);
    assert_int_equal(kernel_check(&kernel, &g->points, &error), what ? STATUS_BAD_INPUT : STATUS_OK);
    if (what)
        assert_non_null(strstr(error.message, what));
}

static void a_kernel_that_is_not_what_it_says_is_refused(void **state)
{
    (void)state;
    const struct kernel linear = {.type = KERNEL_LINEAR};
    struct geometry g;
    geometry_random(&g, N, DIMS, 0.5, 5, &linear);
    checked(&g, distances, NULL);
    checked(&g, (struct kernel_family){OWN, .of_samples = lopsided}, "is not symmetric");
    checked(&g, (struct kernel_family){OWN, .of_samples = infinite}, "is inf");
    checked(&g, (struct kernel_family){OWN, .of_distance = distance_itself, .is_semidefinite = 1},
            "is not positive semidefinite");
    checked(&g, (struct kernel_family){OWN, .of_distance = distance_itself}, NULL);
    geometry_close(&g);
}

/* The kernel value if one of the two patterns has z_0 = 100. */
static double fault_value;

static double faulty(const double *x, const double *z, size_t dims, const double *values)
{
    return x[0] == 100 || z[0] == 100 ? fault_value : of_samples(x, z, dims, values);
}

/* Requests values in one of several ways; each except NONE reads a value of sample 4 and another sample. */
enum way { NONE, ROW, ROW_PART, ACTIVE_ROW, AGAIN, VALUE, DIAGONAL, EXPAND, ADD_ROWS, HULL_ROW, HULL_NORM2, WAYS };

static void ask(struct oracle *oracle, enum way way)
{
    static const size_t without[] = {0, 1, 2}, some[] = {0, 4, 9};
    static const double weights[N] = {0, 1, -1};
    const struct hull_point z = {.indices = without, .count = 3, .weight = 0.25, .last = 5, .last_weight = 0.25};
    double *out = simd_doubles(N);
    assert_non_null(out);
    if (way == NONE || way == ACTIVE_ROW || way == AGAIN) {
        oracle_set_active(oracle, way == ACTIVE_ROW ? some : without, 3);
        (void)oracle_active_row(oracle, 9, out);
    }
    if (way == ROW || way == AGAIN)
        (void)oracle_row(oracle, 9);
    else if (way == ROW_PART)
        (void)oracle_row_part(oracle, 9, 2);
    else if (way == VALUE)
        (void)oracle_value(oracle, 9, 4);
    else if (way == DIAGONAL)
        oracle_diagonal(oracle, out);
    else if (way == EXPAND)
        oracle_expand(oracle, weights, out);
    else if (way == ADD_ROWS)
        oracle_add_rows(oracle, without, weights, 3, out);
    else if (way == HULL_ROW)
        oracle_hull_point_row(oracle, &z, out);
    else if (way == HULL_NORM2)
        (void)oracle_hull_point_norm2(oracle, &z);
    free(out);
}

static void a_value_that_is_not_finite_is_found_in_whatever_way_it_is_asked_for(void **state)
{
    (void)state;
    static const double faults[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1};
    const struct kernel_family family = {.name = "faulty", OWN, .of_samples = faulty};
    const double shape_value = 1;
    const struct kernel kernel = kernel_of_family(&family, &shape_value);
    struct geometry g;
    geometry_random(&g, N, DIMS, 0.5, 6, &kernel);
    g.x[4 * DIMS] = 100;
    for (size_t d = 0; d < DIMS; d++)
        g.points.columns[d * g.points.n_padded + 4] = g.x[4 * DIMS + d];
    for (unsigned k = 0; k < 2 * 4 * WAYS; k++) {
        const enum way way = (enum way)(k % WAYS);
        struct gram *gram;
        struct oracle *oracle;
        fault_value = faults[k / WAYS % 4];
        assert_int_equal(gram_create(&gram, g.simd, &g.points, k < 4 * WAYS ? (size_t)1 << 20 : 1, 0, NULL), STATUS_OK);
        assert_int_equal(oracle_create(&oracle, gram, NULL), STATUS_OK);
        gram_set_kernel(gram, &kernel);
        for (unsigned turn = 0; turn < 2; turn++) { /* the second finds rows in place */
            oracle_reset(oracle);
            ask(oracle, way);
            const struct kernel_fault *fault = oracle_kernel_fault(oracle);
            assert_int_equal(fault->found, way != NONE && !isfinite(fault_value));
            assert_true(!fault->found || fault->i == 4 || fault->j == 4);
            assert_true(!fault->found || (isnan(fault_value) ? isnan(fault->value) : fault->value == fault_value));
        }
        oracle_free(oracle);
        gram_free(gram);
    }
    geometry_close(&g);
}

enum { MANY = 1100 };

static void check_part(const struct kernel *kernel, const struct points *points, size_t first, size_t end)
{
    static _Alignas(SIMD_ALIGNMENT) double part[MANY + SIMD_LANES];
    const double shape_value = 2, *x = points->patterns.values + points->n / 2 * DIMS;
    memset(part, 0xff, points->n_padded * sizeof *part);
    kernel_part(simd_select(NULL), kernel, points, points->n / 2, first, end - first, part + first);
    for (size_t j = 0; j < points->n_padded; j++) {
        double value = j < points->n ? of_samples(x, points->patterns.values + j * DIMS, DIMS, &shape_value) : 0;
        if (kernel->type == KERNEL_RBF && j < points->n)
            value = exp(1 - 1 / value);
        assert_true(j < first || j >= end ? isnan(part[j]) : fabs(part[j] - value) <= (value != 0) * 1e-15);
    }
}

/* Values are computed in blocks of points. None may depend on where a block, or the requested part, begins. */
static void any_part_of_a_row_is_what_the_function_gives_and_zero_behind_the_points(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 7, 8, 9, 63, 64, 65, 511, 512, 513, MANY};
    static double table[MANY * DIMS];
    size_t rows[MANY];
    const double shape_value = 2;
    const struct kernel kernels[] = {kernel_of_family(&distances, &shape_value),
                                     kernel_of_family(&samples, &shape_value),
                                     {.type = KERNEL_RBF, .width = 2}};
    for (size_t i = 0; i < MANY * DIMS; i++)
        table[i] = sin((double)(i * i));
    for (size_t i = 0; i < MANY; i++)
        rows[i] = i;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct points points;
        assert_int_equal(points_create(&points, KERNEL_RBF, patterns_dense(table, MANY, DIMS), rows, sizes[s], NULL),
                         STATUS_OK);
        size_t step = sizes[s] < 100 ? SIMD_LANES : 21 * SIMD_LANES;
        for (size_t first = 0; first < points.n_padded; first += step)
            for (size_t k = 0; k < 3; k++) {
                check_part(&kernels[k], &points, first, points.n_padded);
                check_part(&kernels[k], &points, 0, first);
                check_part(&kernels[k], &points, first, first + SIMD_LANES);
            }
        points_free(&points);
    }
}

/* Rows that are scattered for the function, and scattered again for the next value. */
static void a_function_of_samples_gets_the_same_samples_from_either_form(void **state)
{
    (void)state;
    enum { FEATURES = 7 };
    static double table[N * FEATURES];
    size_t rows[N];
    const double shape_value = 2;
    const struct kernel kernel = kernel_of_family(&samples, &shape_value);
    struct patterns dense = patterns_dense(table, N, FEATURES), compressed;
    struct points points;
    double *row = simd_doubles(N);
    for (size_t i = 0; i < N * FEATURES; i++)
        table[i] = i % 3 == 0 || i % 5 == 0 ? 1 + sin((double)(i * i)) : 0;
    assert_int_equal(
        patterns_create(&compressed, N, FEATURES, patterns_nonzeros(&dense), PATTERNS_COMPRESSED, NULL), STATUS_OK);
    for (size_t i = 0; i < N; i++) {
        rows[i] = N - 1 - i;
        patterns_copy_row(&compressed, i, &dense, i, 0);
    }
    assert_int_equal(points_create(&points, KERNEL_OF_PLUGIN, compressed, rows, N, NULL), STATUS_OK);
    for (size_t i = 0; i < N; i++) {
        kernel_part(simd_select(NULL), &kernel, &points, i, 0, points.n_padded, row);
        for (size_t j = 0; j < N; j++)
            assert_true(row[j] == of_samples(table + i * FEATURES, table + rows[j] * FEATURES, FEATURES, &shape_value));
    }
    free(row);
    points_free(&points);
    patterns_free(&compressed);
}

static void families_are_added_all_or_none(void **state)
{
    (void)state;
    struct error error = {.status = STATUS_OK};
    const struct kernel_family nameless = {OWN, .of_distance = quadratic},
                               twice = {.name = "rbf", OWN, .of_distance = quadratic},
                               both = {.name = "both", OWN, .of_distance = quadratic, .of_inner_product = squared};
    const struct kernel_family *const bad[] = {&nameless, &twice, &both};
    for (size_t i = 0; i < 3; i++) {
        const struct kernel_family *const list[] = {&distances, bad[i], NULL};
        assert_int_equal(kernel_families_add(list, &origin, &error), STATUS_BAD_INPUT);
        assert_memory_equal(error.message, file, strlen(file));
        assert_null(kernel_family_find("distances"));
    }
    const struct kernel_family *const good[] = {&distances, &samples, NULL};
    assert_int_equal(kernel_families_add(good, &origin, &error), STATUS_OK);
    assert_ptr_equal(kernel_family_find("samples"), &samples);
    assert_ptr_equal(kernel_family_origin(&samples), &origin);
    assert_null(kernel_family_origin(kernel_family_find("rbf")));
    assert_true(kernel_families_know_parameter("shape"));
    /* no solver may use this parameter name now */
    assert_int_equal(parameter_check(&shape, "here", &error), STATUS_BAD_INPUT);
    kernel_families_remove(&origin);
    assert_null(kernel_family_find("samples"));
    assert_int_equal(parameter_check(&shape, "here", &error), STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_a_value_gives_that_of_the_function),
        cmocka_unit_test(another_member_of_a_family_has_other_values),
        cmocka_unit_test(a_kernel_that_is_not_what_it_says_is_refused),
        cmocka_unit_test(a_value_that_is_not_finite_is_found_in_whatever_way_it_is_asked_for),
        cmocka_unit_test(any_part_of_a_row_is_what_the_function_gives_and_zero_behind_the_points),
        cmocka_unit_test(a_function_of_samples_gets_the_same_samples_from_either_form),
        cmocka_unit_test(families_are_added_all_or_none),
    };
    return cmocka_run_group_tests_name("kernel families", tests, NULL, NULL);
}
