/*
 * The mu of C against optima in 113 bits, and the relation it expresses: the nearest points of hulls reduced by mu are
 * the C-SVM's solution times 2 / sum alpha, with the same plane.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/session.h"
#include "tests/all_tests.h"
#include "tests/exact_optimum.h"
#include "tests/geometry.h"

static const struct kernel kernels[] = {{.type = KERNEL_RBF, .width = 0.2}, {.type = KERNEL_RBF, .width = 2},
                                        {.type = KERNEL_RBF, .width = 200}, {.type = KERNEL_LINEAR}};
enum { KERNELS = sizeof kernels / sizeof *kernels, MAX_N = 96 };

struct scratch {
    _Alignas(SIMD_ALIGNMENT) double alpha[MAX_N], products[MAX_N], second[MAX_N];
    struct judgement judgement; /* of alpha, the C-SVM's multipliers */
};

static struct mu_of_c find_with(struct geometry *g, struct oracle *oracle, uint64_t max_iterations,
                                struct scratch *scratch)
{
    const struct judging judging = {.problem = &g->problem,
                                    .formulation = FORMULATION_C_SVM,
                                    .gram = oracle_gram(oracle),
                                    .alpha = scratch->alpha,
                                    .products = scratch->products,
                                    .scratch = scratch->second};
    struct mu_of_c found;
    assert_int_equal(mu_of_c_find(&judging, oracle, max_iterations, scratch->alpha, NULL, &found, NULL), STATUS_OK);
    judge(&judging, &scratch->judgement);
    return found;
}

static void use_c(struct geometry *g, double c)
{
    parameter_set(&g->problem.parameters, &parameter_c, c);
}

static struct mu_of_c find_in(struct geometry *g, double c, uint64_t max_iterations, struct scratch *scratch)
{
    use_c(g, c);
    return find_with(g, g->oracle, max_iterations, scratch);
}

static struct mu_of_c find(struct geometry *g, double c, struct scratch *scratch)
{
    return find_in(g, c, MU_OF_C_MAX_ITERATIONS, scratch);
}

static double least_mu(const struct geometry *g)
{
    double count[2] = {0, 0};
    for (size_t i = 0; i < g->n; i++)
        count[g->y[i] < 0]++;
    return 1 / fmin(count[0], count[1]);
}

/* 2C / sum alpha in 113 bits, at most 1. */
static double exact_mu(struct geometry *g, const struct kernel *kernel, double c)
{
    static quad k[MAX_QP][MAX_QP];
    static struct exact_problem exact;
    static struct exact_optimum optimum;
    quad sum = 0;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            k[i][j] = exact_kernel(kernel, g->dims, &g->x[i * g->dims], &g->x[j * g->dims], j);
    use_c(g, c);
    exact_problem_set(&exact, solver_find("1-smo"), &g->problem, k);
    assert_true(exact_optimum_find(&exact, &optimum));
    for (size_t i = 0; i < g->n; i++)
        sum += optimum.x[i];
    return fmin(1, (double)(2 * (quad)c / sum));
}

static void it_is_2c_by_the_sum_of_an_exact_solution(void **state)
{
    (void)state;
    struct scratch scratch;
    for (size_t k = 0; k < KERNELS; k++) {
        struct geometry g;
        geometry_random(&g, 21, 2, 0.4, k + 1, &kernels[k]);
        for (double c = 0x1p-4; c <= 0x1p14; c *= all_tests() ? 4 : 16) {
            const struct mu_of_c found = find(&g, c, &scratch);
            const double expected = exact_mu(&g, &kernels[k], c);
            assert_true(found.is_known);
            assert_true(fabs(found.mu - expected) <= 1e-9 * expected);
        }
        geometry_close(&g);
    }
}

static double kernel_values[MAX_N][MAX_N]; /* from the formulas, not the oracle */

static void compute_kernel_values(const struct geometry *g, const struct kernel *kernel)
{
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            kernel_values[i][j] =
                (double)exact_kernel(kernel, g->dims, &g->x[i * g->dims], &g->x[j * g->dims], j);
}

/* f_j = W . X_j of the multipliers. */
static void products_of(const struct geometry *g, const double *alpha, double *f)
{
    for (size_t j = 0; j < g->n; j++) {
        f[j] = 0;
        for (size_t i = 0; i < g->n; i++)
            f[j] += g->y[i] * alpha[i] * kernel_values[i][j];
    }
}

/* Runs clip-mdm with the mu of C and compares its W, objective and bias with those of the C-SVM, whose multipliers are
 * in svm->alpha. */
static void compare_hull_with_svm(struct geometry *g, double c, double mu, struct scratch *svm)
{
    double alpha[MAX_N], f_svm[MAX_N], f_hull[MAX_N], sum = 0, largest = 0;
    struct solution solution;
    struct judgement judgement;
    const struct solver *clip = solver_find("clip-mdm");
    parameter_set(&g->problem.parameters, &parameter_mu, fmax(mu, least_mu(g)));
    const struct solve_request request = {.solver = clip, .problem = &g->problem, .oracle = g->oracle,
                                          .stop = {STOP_GAP_SUM_NORM2, 1e-11}, .budget = {.iterations = 3000000}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    judge(&(struct judging){&g->problem, clip->formulation, g->gram, alpha, 1e-6, svm->products, svm->second},
          &judgement);
    products_of(g, svm->alpha, f_svm);
    products_of(g, alpha, f_hull);
    for (size_t i = 0; i < g->n; i++) {
        sum += svm->alpha[i];
        largest = fmax(largest, fabs(f_svm[i]));
    }
    const double scale = sum / 2, norm2 = scale * scale * judgement.norm2;
    for (size_t j = 0; j < g->n; j++)
        assert_true(fabs(scale * f_hull[j] - f_svm[j]) <= 1e-5 * largest);
    assert_true(fabs((sum - norm2 / 2) - svm->judgement.objective) <=
                1e-6 * svm->judgement.objective);
    /* if free multipliers determine them, the scaled plane's margin is 1 and its bias that of the SVM */
    size_t free[2] = {0, 0};
    for (size_t i = 0; i < g->n; i++)
        free[g->y[i] < 0] += svm->alpha[i] > 1e-3 * c && svm->alpha[i] < (1 - 1e-3) * c;
    if (free[0] && free[1]) {
        assert_true(fabs(scale * judgement.middle.margin - 1) <= 1e-4 * fmax(1, largest));
        assert_true(fabs(scale * judgement.middle.bias - svm->judgement.bias) <= 1e-4 * fmax(1, largest));
    }
}

static void hulls_reduced_by_it_have_the_plane_of_the_svm(void **state)
{
    (void)state;
    struct scratch svm;
    size_t at_floor = 0, unbounded = 0, between = 0;
    for (size_t k = 0; k < KERNELS; k++)
        for (unsigned long seed = 1; seed <= 2; seed++) {
            struct geometry g;
            geometry_random(&g, 60, 3, 0.5, seed, &kernels[k]);
            compute_kernel_values(&g, &kernels[k]);
            /* linear kernel and overlapping classes: for larger C, |W|^2 of the hulls is below its rounding error */
            const double max_c = kernels[k].type == KERNEL_LINEAR ? 0x1p6 : 0x1p14;
            for (double c = 0x1p-8; c <= max_c; c *= all_tests() ? 4 : 16) {
                const struct mu_of_c found = find(&g, c, &svm);
                assert_true(found.is_known);
                at_floor += found.mu <= least_mu(&g) * (1 + 1e-12);
                unbounded += found.mu == 1;
                between += found.mu < 1 && found.mu > 1.01 * least_mu(&g);
                compare_hull_with_svm(&g, c, found.mu, &svm);
            }
            geometry_close(&g);
        }
    assert_true(at_floor >= 5 && unbounded >= 5 && between >= 10);
}

/* The whole smaller class at C: sum alpha = 2 C min(N+, N-). None at C: C changes only mu. */
static void its_ends_are_the_least_mu_and_1(void **state)
{
    (void)state;
    struct scratch scratch;
    struct geometry g;
    geometry_random(&g, 60, 3, 0.5, 1, &kernels[1]);
    assert_true(fabs(find(&g, 1e-6, &scratch).mu / least_mu(&g) - 1) <= 1e-14);
    size_t at_c = 0;
    for (size_t i = 0; i < g.n; i++)
        at_c += scratch.alpha[i] == 1e-6;
    assert_true((double)at_c * least_mu(&g) >= 1);
    assert_true(find(&g, 1e7, &scratch).mu == 1);
    for (size_t i = 0; i < g.n; i++)
        assert_true(scratch.alpha[i] < 1e7);
    geometry_close(&g);
}

static void two_identical_classes_have_a_mu_too(void **state)
{
    (void)state;
    /* W = 0 and every alpha = C: 2C / (4C) */
    const double x[] = {-1, 1, -1, 1};
    const signed char y[] = {1, 1, -1, -1};
    struct scratch scratch;
    struct geometry g;
    geometry_open(&g, 4, 1, x, y, &kernels[3]);
    const struct mu_of_c found = find(&g, 3, &scratch);
    assert_true(found.is_known && found.mu == 0.5);
    geometry_close(&g);
}

static void it_has_the_same_bytes_at_all_vector_widths_and_sizes_of_the_cache(void **state)
{
    (void)state;
    static const char *const lanes[] = {"generic", "avx2", "avx512"};
    for (size_t n = 57; n <= 71; n += 7)
        for (size_t w = 0; w < 3; w++)
            for (size_t rows = 8; rows <= n; rows = rows == 8 ? n : n + 1) {
                struct geometry g;
                struct scratch scratch;
                geometry_random(&g, n, 3, 0.5, n, &kernels[1]);
                const struct mu_of_c expected = find(&g, 20, &scratch);
                const struct simd *simd = simd_select(lanes[w]);
                struct gram *gram;
                struct oracle *oracle;
                if (!simd || strcmp(simd->name, lanes[w]) != 0) {
                    geometry_close(&g);
                    continue;
                }
                assert_int_equal(gram_create(&gram, simd, &g.points, rows * n * sizeof(double), 0, NULL), STATUS_OK);
                assert_int_equal(oracle_create(&oracle, gram, NULL), STATUS_OK);
                gram_set_kernel(gram, &kernels[1]);
                const struct mu_of_c found = find_with(&g, oracle, MU_OF_C_MAX_ITERATIONS, &scratch);
                assert_memory_equal(&found.mu, &expected.mu, sizeof found.mu);
                assert_true(found.iterations == expected.iterations);
                oracle_free(oracle);
                gram_free(gram);
                geometry_close(&g);
            }
}

static void it_is_not_known_before_the_optimality_conditions_hold(void **state)
{
    (void)state;
    struct scratch scratch;
    struct geometry g;
    geometry_random(&g, 60, 3, 0.5, 1, &kernels[1]);
    size_t unknown = 0;
    for (uint64_t limit = 1; limit <= 4096; limit *= 2) {
        const struct mu_of_c found = find_in(&g, 20, limit, &scratch);
        assert_true(found.iterations <= limit);
        assert_int_equal(found.is_known, found.kkt_violation <= MU_OF_C_MAX_VIOLATION);
        unknown += !found.is_known;
    }
    assert_true(unknown > 0 && unknown < 13);
    geometry_close(&g);
}

static void it_is_not_known_where_the_kernel_has_values_that_are_not_finite(void **state)
{
    (void)state;
    static const struct kernel overflows = {.type = KERNEL_POLYNOMIAL, .degree = 64, .scale = 1e10, .offset = 1};
    struct scratch scratch;
    struct geometry g;
    geometry_random(&g, 10, 3, 0.5, 1, &overflows);
    assert_false(find(&g, 1, &scratch).is_known);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_2c_by_the_sum_of_an_exact_solution),
        cmocka_unit_test(hulls_reduced_by_it_have_the_plane_of_the_svm),
        cmocka_unit_test(its_ends_are_the_least_mu_and_1),
        cmocka_unit_test(two_identical_classes_have_a_mu_too),
        cmocka_unit_test(it_has_the_same_bytes_at_all_vector_widths_and_sizes_of_the_cache),
        cmocka_unit_test(it_is_not_known_before_the_optimality_conditions_hold),
        cmocka_unit_test(it_is_not_known_where_the_kernel_has_values_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
