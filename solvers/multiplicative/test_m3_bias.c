/*
 * m3-bias when the bound it minimises is linear in some coefficients: rows of zeros under the linear kernel, whose k_jj
 * and a_j vanish. The optimum comes from tests/small_qp.c. At a bias between the thresholds no pattern violates its
 * condition by more than v, the KKT violation, so by weak duality the objective is at most n C v below the optimum.
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
#include <gsl/gsl_rng.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "tests/geometry.h"
#include "tests/small_qp.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const double penalties[] = {0.01, 0.1, 1, 10};
enum { N = 14, DIMS = 2, PENALTIES = sizeof penalties / sizeof *penalties };

struct drawn {
    double x[N * DIMS];
    signed char y[N];
};

/* `zeros[c]` rows of zeros at the start of class c (0: +1, 1: -1); `in_plus` of the other rows in class +1. */
static struct drawn draw(unsigned long seed, const size_t zeros[2], size_t in_plus, double shift)
{
    struct drawn drawn = {{0}, {0}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    for (size_t i = 0; i < N; i++) {
        int is_zero = i < zeros[0] + zeros[1];
        drawn.y[i] = is_zero ? (i < zeros[0] ? 1 : -1) : i - zeros[0] - zeros[1] < in_plus ? 1 : -1;
        for (size_t d = 0; d < DIMS && !is_zero; d++)
            drawn.x[i * DIMS + d] = 2 * gsl_rng_uniform(rng) - 1 + (d == 0 ? shift * drawn.y[i] : 0);
    }
    gsl_rng_free(rng);
    return drawn;
}

static void open(struct geometry *g, const struct drawn *drawn, double c)
{
    geometry_open(g, N, DIMS, drawn->x, drawn->y, &linear);
    parameter_set(&g->problem.parameters, &parameter_c, c);
}

static double optimum(const struct drawn *drawn, double c)
{
    struct small_qp qp = {.n = N, .rows = 1, .upper = c};
    double count[2] = {0, 0};
    for (size_t i = 0; i < N; i++)
        count[drawn->y[i] < 0]++;
    for (size_t i = 0; i < N; i++) {
        qp.p[i] = 1;
        qp.a[0][i] = drawn->y[i];
        qp.x[i] = 0.5 * c / count[drawn->y[i] < 0];
        for (size_t j = 0; j < N; j++) {
            long double dot = 0;
            for (size_t d = 0; d < DIMS; d++)
                dot += (long double)drawn->x[i * DIMS + d] * drawn->x[j * DIMS + d];
            qp.q[i][j] = drawn->y[i] * drawn->y[j] * dot;
        }
    }
    double value = (double)small_qp_solve(&qp);
    if (isnan(value))
        fail_msg("no reference optimum");
    return -value;
}

/* Solves, judges, and fails if a converged run is farther below the optimum than its tolerance allows. Returns whether
 * it converged. `noise`: bound on the rounding error of the objective. */
static int solve_and_check(const struct drawn *drawn, double c, double tolerance, uint64_t iterations, double noise,
                           unsigned long seed)
{
    struct geometry g;
    open(&g, drawn, c);
    const struct solver *solver = solver_find("m3-bias");
    double *alpha = simd_doubles(N), *products = simd_doubles(N), *scratch = simd_doubles(N);
    struct solution solution;
    struct judgement judged;
    struct solve_request request = {.solver = solver,
                                    .problem = &g.problem,
                                    .oracle = g.oracle,
                                    .stop = {STOP_KKT, tolerance},
                                    .budget = {.iterations = iterations}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    judge(&(struct judging){&g.problem, solver->formulation, g.gram, alpha, 1e-6, products, scratch}, &judged);
    assert_int_not_equal(solution.outcome, OUTCOME_FAILED);
    assert_true(judged.feasibility <= 1e-12);
    int bears_out = judged.kkt_violation <= tolerance * (1 + 1e-6), converged = solution.outcome == OUTCOME_CONVERGED;
    if (converged && noise <= 1e-12 && !bears_out)
        fail_msg("problem %lu, C %g: converged with a violation of %g at tolerance %g", seed, c, judged.kkt_violation,
                 tolerance);
    converged = converged && bears_out;
    double exact = optimum(drawn, c), allowed = N * c * tolerance + noise;
    if (converged && !(fabs(judged.objective - exact) <= allowed + 1e-12 * fmax(1, exact)))
        fail_msg("problem %lu, C %g: converged at %.12g, the optimum is %.12g", seed, c, judged.objective, exact);
    free(alpha), free(products), free(scratch);
    geometry_close(&g);
    return converged;
}

static const size_t zero_rows[][2] = {{1, 0}, {0, 1}, {1, 1}, {3, 0}, {2, 2}};
enum { KINDS = sizeof zero_rows / sizeof *zero_rows };

static void with_rows_of_zeros_converged_means_at_the_optimum(void **state)
{
    (void)state;
    size_t runs = 0, converged = 0;
    for (unsigned long seed = 1; seed <= 50; seed++)
        for (size_t k = 0; k < PENALTIES; k++) {
            const struct drawn drawn = draw(seed, zero_rows[seed % KINDS], 5, (double)(seed % 3) * 0.4);
            runs++;
            converged += (size_t)solve_and_check(&drawn, penalties[k], 1e-3, 4000, 0, seed);
        }
    assert_true(converged >= runs * 3 / 4);
}

static void a_class_of_one_sample_and_a_class_of_zeros_are_solved(void **state)
{
    (void)state;
    const size_t zeros[][2] = {{1, 0}, {0, 0}, {1, 2}, {4, 0}}, in_plus[] = {0, 1, 0, 0};
    for (size_t kind = 0; kind < 4; kind++)
        for (unsigned long seed = 1; seed <= 8; seed++)
            for (size_t k = 0; k < PENALTIES; k++) {
                const struct drawn drawn = draw(seed, zeros[kind], in_plus[kind], 1);
                assert_true(solve_and_check(&drawn, penalties[k], 1e-2, 20000, 0, seed));
            }
}

/* All rows are zeros: any balanced point is optimal once one class is at C. */
static void rows_of_zeros_alone_are_solved_in_one_iteration(void **state)
{
    (void)state;
    const size_t zeros[2] = {5, N - 5};
    const struct drawn drawn = draw(1, zeros, 0, 0);
    for (size_t k = 0; k < PENALTIES; k++)
        assert_true(solve_and_check(&drawn, penalties[k], 1e-6, 1, 0, 1));
}

/* Offsets of both coordinates: k is about 2 offset^2, and the objective sums N^2 terms of alpha^2 k, rounded in N
 * steps. */
static void far_from_the_origin_converged_means_at_the_optimum_but_for_rounding(void **state)
{
    (void)state;
    size_t converged = 0;
    for (double offset = 1; offset <= 1e6; offset *= 100)
        for (unsigned long seed = 1; seed <= 10; seed++) {
            const size_t none[2] = {0, 0};
            struct drawn drawn = draw(seed, none, 6, 0.5);
            for (size_t k = 0; k < N * DIMS; k++)
                drawn.x[k] += offset;
            double noise = N * DBL_EPSILON * 2 * offset * offset * N * N;
            converged += (size_t)solve_and_check(&drawn, 1, 1e-2, 2000, noise, seed);
        }
    assert_true(converged >= 9); /* the others, from offsets of 100 on, are too slow */
}

/* A solver stepped by hand. */
struct stepped {
    struct geometry g;
    void *state;
    double *alpha, *products, *scratch;
};

static void start(struct stepped *at, const struct drawn *drawn, double c, double tolerance)
{
    open(&at->g, drawn, c);
    at->g.problem.tolerance = tolerance;
    at->state = geometry_start(&at->g, solver_find("m3-bias"));
    at->alpha = simd_doubles(N);
    at->products = simd_doubles(N);
    at->scratch = simd_doubles(N);
}

static void end(struct stepped *at)
{
    free(at->state), free(at->alpha), free(at->products), free(at->scratch);
    geometry_close(&at->g);
}

/* The balance, and the solver's values against the judge's: sums of 14 terms of up to C = 10 times k, which is below 5.
 * Returns the objective. */
static double check_state(struct stepped *at, double c)
{
    const struct solver *solver = solver_find("m3-bias");
    struct progress progress = {.need_objective = 1};
    struct judgement judged;
    double balance = 0, sum = 0;
    assert_int_equal(solver->select(at->state, &progress), STATUS_OK);
    solver->alpha(at->state, at->alpha);
    judge(&(struct judging){&at->g.problem, solver->formulation, at->g.gram, at->alpha, 1e-6, at->products,
          at->scratch}, &judged);
    for (size_t j = 0; j < N; j++) {
        balance += at->g.y[j] * at->alpha[j];
        sum += at->alpha[j];
    }
    assert_true(fabs(balance) <= 4 * N * DBL_EPSILON * fmax(sum, c));
    assert_true(fabs(fmax(progress.delta, 0) - judged.kkt_violation) <= 1e-11);
    assert_true(fabs(progress.objective + judged.objective) <= 1e-10);
    assert_true(fabs(solver->gap(at->state, 0) - judged.duality_gap) <= 1e-9);
    return progress.objective;
}

/* With coefficients of the returned point set to 0 (tolerances above 0), and without. */
static void every_iteration_keeps_the_balance_and_tells_of_what_it_hands_out(void **state)
{
    (void)state;
    const double tolerances[] = {0, 1e-3, 0.1, 1};
    for (unsigned long seed = 1; seed <= 20; seed++)
        for (size_t k = 0; k < 4 * PENALTIES; k++) {
            const struct drawn drawn = draw(seed, zero_rows[seed % KINDS], 5, 0.4);
            double previous = HUGE_VAL, c = penalties[k % PENALTIES], tolerance = tolerances[k / PENALTIES];
            struct stepped at;
            start(&at, &drawn, c, tolerance);
            for (int iteration = 0; iteration < 200; iteration++) {
                double objective = check_state(&at, c);
                assert_true(tolerance > 0 || objective <= previous + 1e-11);
                previous = objective;
                assert_int_equal(solver_find("m3-bias")->update(at.state, at.g.oracle), STATUS_OK);
            }
            end(&at);
        }
}

/* k of 1e306: once alpha is C = 1e10, a_j and c_j are infinite and no bias balances the classes. */
static void an_update_that_cannot_be_balanced_is_not_done(void **state)
{
    (void)state;
    const double x[] = {1e153, 0, 0, 1e153, -1e153, 1e152, 1e152, -1e153, 0, -1e153};
    const signed char y[] = {1, 1, -1, -1, -1};
    const struct solver *solver = solver_find("m3-bias");
    struct geometry g;
    double alpha[5], kept[5];
    enum status status = STATUS_OK;
    geometry_open(&g, 5, 2, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 1e10);
    void *solver_state = geometry_start(&g, solver);
    for (int iteration = 0; iteration < 10 && status == STATUS_OK; iteration++) {
        solver->alpha(solver_state, kept);
        status = solver->update(solver_state, g.oracle);
        solver->alpha(solver_state, alpha);
        assert_true(fabs((alpha[0] + alpha[1]) - (alpha[2] + alpha[3] + alpha[4])) <= 1e-15 * 2e10);
    }
    assert_int_equal(status, STATUS_STALLED);
    assert_memory_equal(alpha, kept, sizeof alpha);
    free(solver_state);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_rows_of_zeros_converged_means_at_the_optimum),
        cmocka_unit_test(a_class_of_one_sample_and_a_class_of_zeros_are_solved),
        cmocka_unit_test(rows_of_zeros_alone_are_solved_in_one_iteration),
        cmocka_unit_test(far_from_the_origin_converged_means_at_the_optimum_but_for_rounding),
        cmocka_unit_test(every_iteration_keeps_the_balance_and_tells_of_what_it_hands_out),
        cmocka_unit_test(an_update_that_cannot_be_balanced_is_not_done),
    };
    return cmocka_run_group_tests_name("m3-bias", tests, NULL, NULL);
}
