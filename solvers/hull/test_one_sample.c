/*
 * Nearest-point solvers if a class has one or few samples. A class of one sample has no pair (hull.h): its weight
 * cannot move, and only the other class can gain. The optimum comes from tests/small_qp.c. If both classes' gaps are
 * within eps |W|, the objective exceeds it by at most 2 eps |W|.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "solvers/hull/hull.h"
#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"
#include "tests/small_qp.h"
#include "tests/tested_solvers.h"

enum { DIMS = 3 };
static const struct kernel kernels[] = {{.type = KERNEL_LINEAR}, {.type = KERNEL_RBF, .width = 4}};

/* n samples of which `few`, at random places, belong to class `s`. Sets the parameters for full hulls. */
static void open_problem(struct geometry *g, unsigned long seed, size_t n, size_t few, int s)
{
    double x[MAX_QP * DIMS];
    signed char y[MAX_QP];
    if (under_valgrind())
        skip_for("valgrind's long double has 53 bits");
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    memset(y, -s, n);
    for (size_t left = few; left > 0;) {
        size_t i = gsl_rng_uniform_int(rng, n);
        left -= y[i] != s;
        y[i] = (signed char)s;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < DIMS; d++)
            x[i * DIMS + d] = 4 * gsl_rng_uniform(rng) - 2 + (d == 0 ? y[i] * (double)(seed % 4) : 0);
    gsl_rng_free(rng);
    geometry_open(g, n, DIMS, x, y, &kernels[seed % 2]);
    parameter_set(&g->problem.parameters, &parameter_c, seed % 3 == 0 ? 1 : seed % 3 == 1 ? 50 : 1000);
    parameter_set(&g->problem.parameters, &parameter_mu, 1);
}

/* 1/2 |W*|^2 of the hulls of K + ridge I, with the oracle's K. */
static double optimum(struct geometry *g, const struct solver *solver)
{
    double ridge = solver_ridge(solver, &g->problem), count[2] = {0, 0};
    struct small_qp qp = {.n = g->n, .rows = 2, .b = {1, 1}, .upper = INFINITY};
    for (size_t i = 0; i < g->n; i++)
        count[g->y[i] < 0]++;
    for (size_t i = 0; i < g->n; i++) {
        const double *row = gram_row(g->gram, i);
        qp.a[g->y[i] < 0][i] = 1;
        qp.x[i] = 1 / count[g->y[i] < 0];
        for (size_t j = 0; j < g->n; j++)
            qp.q[i][j] = g->y[i] * g->y[j] * ((long double)row[j] + (i == j ? ridge : 0));
    }
    double value = (double)small_qp_solve(&qp);
    if (isnan(value))
        fail_msg("no reference optimum");
    return value;
}

/* Fails if the solver has stalled, or has converged too far from the optimum. Returns whether it has converged. */
static int solve_and_check(struct geometry *g, const struct solver *solver, enum stop_rule rule, double exact,
                           unsigned long seed)
{
    const double tolerance = 1e-4;
    double *alpha = simd_doubles(g->n);
    struct solution solution;
    struct solve_request request = {.solver = solver,
                                    .problem = &g->problem,
                                    .oracle = g->oracle,
                                    .stop = {rule, tolerance},
                                    .budget = {.iterations = all_tests() ? 200000 : 20000}};
    double *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    struct judgement judged;
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    judge(&(struct judging){&g->problem, solver->formulation, g->gram, alpha, 1e-6, products, scratch}, &judged);
    int converged = solution.outcome == OUTCOME_CONVERGED;
    if (!converged && solution.outcome != OUTCOME_ITERATION_LIMIT)
        fail_msg("%s, problem %lu: %s after %lu iterations", solver->name, seed, outcome_name(solution.outcome),
                 (unsigned long)solution.iterations);
    double allowed = 2 * tolerance * sqrt(2 * judged.objective) + 1e-12;
    if (!(judged.objective >= exact - 1e-9 * fmax(1, exact)) || (converged && !(judged.objective <= exact + allowed)))
        fail_msg("%s, problem %lu: %.12g after %lu iterations, the optimum is %.12g", solver->name, seed,
                 judged.objective, (unsigned long)solution.iterations, exact);
    free(alpha), free(products), free(scratch);
    return converged;
}

static const enum class_choice choices[] = {CLASS_LARGEST_DELTA, CLASS_OF_LOW, CLASS_OF_HIGH};

static void ch_mdm_solves_one_sample_against_29_with_every_choice_of_the_class(void **state)
{
    (void)state;
    const struct solver *solver = solver_find("ch-mdm");
    const unsigned long problems = all_tests() ? 200 : 50;
    for (unsigned long seed = 1; seed <= problems; seed++) {
        struct geometry g;
        open_problem(&g, seed, 30, 1, seed % 4 < 2 ? 1 : -1);
        double exact = optimum(&g, solver);
        for (size_t k = 0; k < 3; k++) {
            parameter_set(&g.problem.parameters, &parameter_class, choices[k]);
            assert_true(solve_and_check(&g, solver, STOP_RCH_GAP, exact, seed));
            assert_true(solve_and_check(&g, solver, STOP_RCH_GAP_BOTH, exact, seed));
        }
        geometry_close(&g);
    }
}

/* A class with all weight on one sample, as both have at the start, has score 0 under the choice `high`, since v of U
 * is its own value. So with `high` the solver may wait until the other class has not even rounding left to gain. It
 * must not stall or be called converged. */
static void ch_mdm_never_chooses_a_class_that_gains_nothing_while_the_other_does(void **state)
{
    (void)state;
    const struct solver *solver = solver_find("ch-mdm");
    const unsigned long problems = all_tests() ? 100 : 50;
    size_t converged[3] = {0, 0, 0};
    for (unsigned long seed = 1; seed <= problems; seed++) {
        struct geometry g;
        open_problem(&g, seed, 8, 2 + seed % 3, seed % 4 < 2 ? 1 : -1);
        double exact = optimum(&g, solver);
        for (size_t k = 0; k < 3; k++) {
            parameter_set(&g.problem.parameters, &parameter_class, choices[k]);
            if (choices[k] != CLASS_LARGEST_DELTA) /* the class with the larger Delta may have the smaller gap */
                converged[k] += (size_t)solve_and_check(&g, solver, STOP_RCH_GAP, exact, seed);
            converged[k] += (size_t)solve_and_check(&g, solver, STOP_RCH_GAP_BOTH, exact, seed);
        }
        geometry_close(&g);
    }
    assert_true(converged[0] == problems && converged[1] == 2 * problems);
    assert_true(10 * converged[2] >= 17 * problems); /* some wait: 12 of the runs of the first 50 problems */
}

/* All except those that may get stuck or whose steps shrink as 1/t. */
static void every_hull_solver_solves_one_sample_against_many(void **state)
{
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        if ((*at)->formulation != FORMULATION_NEAREST_POINTS || (*at)->may_stall || (*at)->converges_slowly)
            continue;
        for (unsigned long seed = 1; seed <= 20; seed++) {
            struct geometry g;
            /* disjoint hulls: with |W| = 0 no gap is within eps |W| */
            open_problem(&g, 4 * seed + 3, 12, 1, seed % 2 ? 1 : -1);
            assert_true(solve_and_check(&g, *at, STOP_RCH_GAP_BOTH, optimum(&g, *at), seed));
            geometry_close(&g);
        }
    }
}

static void one_sample_against_one_is_solved_at_once(void **state)
{
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        if ((*at)->formulation != FORMULATION_NEAREST_POINTS || (*at)->may_stall)
            continue;
        for (size_t k = 0; k < 3; k++) {
            struct geometry g;
            open_problem(&g, 3, 2, 1, 1);
            parameter_set(&g.problem.parameters, &parameter_class, choices[k]);
            assert_true(solve_and_check(&g, *at, STOP_RCH_GAP, optimum(&g, *at), k));
            geometry_close(&g);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ch_mdm_solves_one_sample_against_29_with_every_choice_of_the_class),
        cmocka_unit_test(ch_mdm_never_chooses_a_class_that_gains_nothing_while_the_other_does),
        cmocka_unit_test(every_hull_solver_solves_one_sample_against_many),
        cmocka_unit_test(one_sample_against_one_is_solved_at_once),
    };
    return cmocka_run_group_tests_name("one sample", tests, NULL, NULL);
}
