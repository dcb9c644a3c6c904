/*
 * low-rank-interior-point: the factor gives the products of differences from one pattern, at any offset and with the
 * rank of the kernel; a step solves Newton's equations, recomputed from the factor; every point that is handed out is
 * feasible; badly scaled problems reach a certificate; what it cannot solve it refuses with the reason. Degenerate
 * inputs are in tests/solvers/test_degenerate.c.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "solvers/dense/low_rank_interior_point.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel square = {.type = KERNEL_POLYNOMIAL, .scale = 0.5, .offset = 1, .degree = 2};
static const struct kernel homogeneous = {.type = KERNEL_POLYNOMIAL, .scale = 1, .offset = 0, .degree = 2};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

static const struct solver *solver(void)
{
    return solver_find("low-rank-interior-point");
}

static void open_random(struct geometry *g, size_t n, size_t dims, const struct kernel *kernel, double c)
{
    geometry_random(g, n, dims, 0.7, 7, kernel);
    parameter_set(&g->problem.parameters, &parameter_c, c);
}

/* The same patterns, each feature multiplied by its scale, plus an offset. */
static void change_features(struct geometry *g, const double *scale, double offset)
{
    const struct geometry before = *g;
    const struct kernel kernel = *gram_kernel(g->gram);
    double *x = malloc(g->n * g->dims * sizeof *x);
    assert_non_null(x);
    for (size_t v = 0; v < g->n * g->dims; v++)
        x[v] = g->x[v] * (scale ? scale[v % g->dims] : 1) + offset;
    geometry_close(g);
    geometry_open(g, before.n, before.dims, x, before.y, &kernel);
    g->problem.parameters = before.problem.parameters;
    free(x);
}

/* ---- the factor ---- */

static const struct {
    const struct kernel *kernel;
    size_t dims, rank;
    double offset;
} factored[] = {
    {&linear, 5, 5, 0},
    {&linear, 5, 5, 1e5},
    {&linear, 1, 1, -3},
    {&square, 3, 9, 0},      /* the monomials of degree 1 and 2 */
    {&homogeneous, 3, 6, 0}, /* those of degree 2 */
    {&rbf, 3, 59, 0},
};

/* Kernel values are known to some units in the last place, and so is what their differences cancel to. */
static void check_factor(struct geometry *g, const struct kernel_factor *factor)
{
    double largest = 0;
    size_t o = 0; /* its row has no coordinates but beta */
    while (factor->simd->dot(factor->stride, factor->row[o], factor->row[o]) > factor->beta * factor->beta)
        o++;
    assert_true(o < g->n);
    for (size_t i = 0; i < g->n; i++)
        largest = fmax(largest, gram_row(g->gram, i)[i]);
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j <= i; j++) {
            double product = factor->simd->dot(factor->stride, factor->row[i], factor->row[j]);
            double is = (product - factor->beta * factor->beta) / factor->unit;
            double k_ij = gram_row(g->gram, i)[j], k_io = gram_row(g->gram, i)[o];
            double expected = (k_ij - k_io) - (gram_row(g->gram, o)[j] - gram_row(g->gram, o)[o]);
            if (!(fabs(is - expected) <= 100 * (double)(factor->rank + 8) * DBL_EPSILON * largest))
                fail_msg("patterns %zu and %zu: %.17g, expected %.17g", i, j, is, expected);
        }
}

static void the_factor_gives_the_products_of_differences(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof factored / sizeof *factored; f++) {
        struct geometry g;
        open_random(&g, 60, factored[f].dims, factored[f].kernel, 3);
        change_features(&g, NULL, factored[f].offset);
        struct low_rank *ip = geometry_start(&g, solver());
        const struct kernel_factor *factor = &ip->factor;
        assert_int_equal(factor->rank, factored[f].rank);
        check_factor(&g, factor);
        assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP), 60 * (factor->rank + 2));
        assert_true(factor->unit <= 3 && factor->unit == ldexp(1, ilogb(factor->unit)));
        free(ip);
        geometry_close(&g);
    }
}

/* ---- a step ---- */

/* The corrector at the iterate before it: slope + d_slope = z + d_z - (v + d_v), and both sums. */
static void check_step(const struct low_rank *ip, const double *start, const double *z, const double *v,
                       const double *alpha)
{
    const struct low_rank_step *step = &ip->corrector;
    const struct kernel_factor *factor = &ip->factor;
    double sums[64] = {0}, size[64] = {0};
    _Alignas(SIMD_ALIGNMENT) double next[64];
    for (size_t k = 0; k < factor->stride; k++)
        next[k] = start[k] + step->w[k];
    for (size_t j = 0; j < ip->n; j++) {
        double plane = factor->simd->dot(factor->stride, factor->row[j], next), large = 1;
        double slope = ip->y[j] * plane - 1, to = z[j] + step->z[j] - (v[j] + step->v[j]);
        for (size_t k = 0; k < factor->stride; k++)
            large += fabs(factor->row[j][k] * next[k]);
        large += fabs(z[j]) + fabs(v[j]) + fabs(step->z[j]) + fabs(step->v[j]);
        if (!(fabs(slope - to) <= 1e-9 * large)) /* the matrix has condition numbers of up to some 1e6 here */
            fail_msg("%g at pattern %zu, expected %g", slope, j, to);
        for (size_t k = 0; k <= factor->rank; k++) {
            double moved = alpha[j] + step->alpha[j];
            sums[k] += ip->y[j] * moved * factor->row[j][k];
            size[k] += (fabs(alpha[j]) + fabs(step->alpha[j])) * fabs(factor->row[j][k]);
        }
    }
    for (size_t k = 0; k <= factor->rank; k++)
        assert_true(fabs(sums[k] - (k ? next[k] : 0)) <= 1e-9 * size[k]);
}

static void steps_solve_newtons_equations_and_stay_inside(void **state)
{
    (void)state;
    const struct kernel *kernels[] = {&linear, &square};
    for (size_t which = 0; which < 4; which++) {
        struct geometry g;
        double w[64], z[MAX_GEOMETRY], v[MAX_GEOMETRY], alpha[MAX_GEOMETRY];
        open_random(&g, which < 2 ? 131 : 16, 4, kernels[which % 2], 2);
        struct low_rank *ip = geometry_start(&g, solver());
        for (int k = 0; k < 6; k++) {
            memcpy(w, ip->w, ip->factor.stride * sizeof *w);
            memcpy(z, ip->z, g.n * sizeof *z);
            memcpy(v, ip->v, g.n * sizeof *v);
            memcpy(alpha, ip->alpha, g.n * sizeof *alpha);
            if (solver()->update(ip, g.oracle) != STATUS_OK)
                break;
            check_step(ip, w, z, v, alpha);
            for (size_t j = 0; j < g.n; j++)
                assert_true(ip->alpha[j] > 0 && ip->s[j] > 0 && ip->z[j] > 0 && ip->v[j] > 0);
        }
        assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS), 0);
        free(ip);
        geometry_close(&g);
    }
}

/* ---- the points that it hands out ---- */

static void every_point_is_feasible_and_no_gap_grows(void **state)
{
    (void)state;
    const double penalties[] = {1e-3, 1, 1e4, 1e12};
    for (size_t p = 0; p < 4; p++)
        for (size_t n = 5; n < 300; n *= 4) {
            struct geometry g;
            double alpha[MAX_GEOMETRY], last = HUGE_VAL, c = penalties[p];
            open_random(&g, n, 3, &linear, c);
            struct low_rank *ip = geometry_start(&g, solver());
            for (int k = 0; k < 200; k++) {
                double balance = 0, gap = solver()->gap(ip, 0);
                solver()->alpha(ip, alpha);
                for (size_t j = 0; j < n; j++) {
                    assert_true(alpha[j] >= 0 && alpha[j] <= c);
                    balance += g.y[j] * alpha[j];
                }
                assert_true(fabs(balance) <= (double)n * DBL_EPSILON * c);
                assert_true(gap <= last);
                last = gap;
                if (solver()->update(ip, g.oracle) != STATUS_OK)
                    break;
            }
            assert_int_equal(solver()->update(ip, g.oracle), STATUS_STALLED); /* it ends by itself */
            free(ip);
            geometry_close(&g);
        }
}

/* Features of 1e-2 to 1e2, one label in ten wrong: pair methods need millions of iterations. */
static void badly_scaled_problems_are_solved_to_a_small_gap(void **state)
{
    (void)state;
    const double penalties[] = {1, 100, 1e4};
    for (size_t p = 0; p < 3; p++) {
        struct geometry g;
        double scale[20], alpha[MAX_GEOMETRY];
        struct solution solution;
        struct judgement judged;
        open_random(&g, 400, 20, &linear, penalties[p]);
        for (size_t d = 0; d < 20; d++)
            scale[d] = pow(10, (double)(7 * d % 20) / 5 - 2);
        for (size_t j = 9; j < g.n; j += 10)
            g.y[j] = (signed char)-g.y[j];
        change_features(&g, scale, 0);
        struct solve_request request = {.solver = solver(),
                                        .problem = &g.problem,
                                        .oracle = g.oracle,
                                        .stop = {STOP_KKT, 1e-6},
                                        .budget = {.iterations = 60}};
        double *products = simd_doubles(g.n), *scratch = simd_doubles(g.n);
        assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
        judge(&(struct judging){&g.problem, FORMULATION_C_SVM, g.gram, alpha, 1e-6, products, scratch}, &judged);
        assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
        if (!(judged.duality_gap <= 1e-6 * judged.objective && judged.kkt_violation <= 2e-6))
            fail_msg("C = %g: gap %g of %g, violation %g", penalties[p], judged.duality_gap, judged.objective,
                     judged.kkt_violation);
        free(products);
        free(scratch);
        geometry_close(&g);
    }
}

/* Four different rows, 50 times each. All equal rows of a class have the same multiplier in the interior; a point with
 * the same W exists in which no more are between the bounds than there are unknowns. */
static void of_equal_patterns_few_are_between_the_bounds(void **state)
{
    (void)state;
    enum { N = 200, DIMS = 4 };
    static double x[N * DIMS];
    signed char y[N];
    double alpha[N];
    for (size_t j = 0; j < N; j++) {
        x[j * DIMS + j % DIMS] = 1;
        y[j] = (j % DIMS < 2) == (j % 7 > 0) ? 1 : -1;
    }
    struct geometry g;
    geometry_open(&g, N, DIMS, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 0.1);
    struct low_rank *ip = geometry_start(&g, solver());
    while (solver()->update(ip, g.oracle) == STATUS_OK)
        ;
    size_t between = 0;
    solver()->alpha(ip, alpha);
    for (size_t j = 0; j < N; j++)
        between += alpha[j] > 0 && alpha[j] < 0.1;
    assert_true(solver()->gap(ip, 0) <= 1e-9 * N);
    assert_int_equal(ip->factor.rank, 3);
    if (between > ip->factor.rank + 1)
        fail_msg("%zu multipliers between the bounds", between);
    free(ip);
    geometry_close(&g);
}

/* ---- refusals ---- */

static void assert_refused(struct geometry *g, const char *part)
{
    struct error error = {.status = STATUS_OK};
    double alpha[MAX_GEOMETRY];
    struct solution solution;
    struct solve_request request = {.solver = solver(),
                                    .problem = &g->problem,
                                    .oracle = g->oracle,
                                    .stop = {STOP_KKT, 1e-3},
                                    .budget = {.iterations = 60}};
    assert_int_equal(solve(&request, alpha, &solution, &error), STATUS_OK);
    assert_int_equal(solution.outcome, OUTCOME_FAILED);
    if (!strstr(solution.reason, part))
        fail_msg("\"%s\" lacks \"%s\"", solution.reason, part);
    geometry_close(g);
}

static void what_it_cannot_factor_is_refused_with_the_reason(void **state)
{
    (void)state;
    const struct kernel cube = {.type = KERNEL_POLYNOMIAL, .scale = 1, .offset = 0, .degree = 3};
    const struct kernel precomputed = {.type = KERNEL_PRECOMPUTED};
    const double table[] = {1, 2, 0.1, 0.3, 2, 1, 0.2, 0, 0.1, 0.2, 1, 0.5, 0.3, 0, 0.5, 1};
    const signed char y[] = {1, 1, -1, -1};
    const double huge[] = {1e120, 1e120};
    struct geometry g;
    open_random(&g, 60, 3, &rbf, 1);
    parameter_set(&g.problem.parameters, &parameter_max_rank, 58);
    assert_refused(&g, "rank above 58");
    open_random(&g, 60, 2, &cube, 1);
    change_features(&g, huge, 0);
    assert_refused(&g, "not finite");
    geometry_open(&g, 4, 4, table, y, &precomputed);
    parameter_set(&g.problem.parameters, &parameter_c, 1);
    assert_refused(&g, "not positive semidefinite");
}

static void a_rank_at_the_limit_is_accepted(void **state)
{
    (void)state;
    struct geometry g;
    open_random(&g, 60, 5, &linear, 1);
    parameter_set(&g.problem.parameters, &parameter_max_rank, 5);
    free(geometry_start(&g, solver()));
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factor_gives_the_products_of_differences),
        cmocka_unit_test(steps_solve_newtons_equations_and_stay_inside),
        cmocka_unit_test(every_point_is_feasible_and_no_gap_grows),
        cmocka_unit_test(badly_scaled_problems_are_solved_to_a_small_gap),
        cmocka_unit_test(of_equal_patterns_few_are_between_the_bounds),
        cmocka_unit_test(what_it_cannot_factor_is_refused_with_the_reason),
        cmocka_unit_test(a_rank_at_the_limit_is_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
