/*
 * MinOver, MaxMinOver and SoftMaxMinOver against a plain version of the steps of Martinetz (2003), for patterns on a
 * grid of eighths, where every margin is exact; kernel operations; and incrementally updated sums against the judge.
 */
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
#include "tests/minover_steps.h"

enum { N = 40 };
static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

/* Follows a solver for `max` steps and checks the counts after each. */
static void follow(struct geometry *g, const char *name, size_t k, enum forgetting forgetting, int max)
{
    const struct solver *solver = solver_find(name);
    struct space space;
    space_write_out(g, k, &space);
    struct steps steps = {.space = &space, .forgetting = forgetting};
    void *state = geometry_start(g, solver);
    double alpha[MAX_GEOMETRY];
    for (int t = 1; t <= max; t++) {
        struct progress progress = {.need_objective = 1};
        steps_go_on(&steps);
        solver->alpha(state, alpha);
        for (size_t j = 0; j < g->n; j++) /* whole numbers divided by K t, each rounded once */
            if (alpha[j] != (double)steps.n[j] / ((double)k * t))
                fail_msg("%s, K %zu: n of pattern %zu is %g and not %ld at t = %d", name, k, j,
                         alpha[j] * (double)k * t, steps.n[j], t);
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
        assert_int_equal(solver->update(state, g->oracle), STATUS_OK);
    }
    free(state);
}

static void the_counts_are_those_of_the_steps_of_the_paper(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 5; seed++) {
        struct geometry g;
        open_separable(&g, N, seed);
        follow(&g, "minover", 1, FORGETTING_NO, 3000);
        follow(&g, "max-minover", 1, FORGETTING_PAPER, 3000);
        const size_t ks[] = {1, 3, 10, 25, N};
        for (size_t i = 0; i < 5; i++)
            for (int forgetting = FORGETTING_NO; forgetting <= FORGETTING_EQUIVALENT; forgetting++) {
                set_soft(&g, ks[i], (enum forgetting)forgetting);
                follow(&g, "soft-max-minover", ks[i], (enum forgetting)forgetting, 1000);
            }
        geometry_close(&g);
    }
}

static void nu_of_all_patterns_is_rounded_to_the_nearest_whole_number(void **state)
{
    (void)state;
    const double numbers[] = {0.3, 1.4, 1.6, 9.6, 10.4, N - 0.4}; /* nu N */
    const size_t ks[] = {1, 1, 2, 10, 10, N};
    struct geometry g;
    open_separable(&g, N, 6);
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        set_soft(&g, ks[i], FORGETTING_EQUIVALENT);
        parameter_set(&g.problem.parameters, &parameter_nu, numbers[i] / N);
        follow(&g, "soft-max-minover", ks[i], FORGETTING_EQUIVALENT, 200);
    }
    geometry_close(&g);
}

/* Patterns z of whole numbers, the longest of length 5: margins, R and 4 R^2 = 100 are exact, and at some steps the
 * difference equals 4 R^2. */
static void a_difference_of_just_the_threshold_is_forgotten(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    const double x[] = {3, -4, 0, 2, 3, 0, -1, 0, 0};
    const signed char y[] = {1, 1, -1};
    struct geometry g;
    struct space space;
    size_t just = 0;
    geometry_open(&g, COUNT, MINOVER_DIMS, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_added, 0);
    space_write_out(&g, 1, &space);
    assert_true(space_radius(&space) == 5);
    struct steps steps = {.space = &space, .forgetting = FORGETTING_PAPER};
    for (int t = 1; t <= 300; t++) {
        double u[MAX_GEOMETRY];
        size_t out[MAX_GEOMETRY], order[MAX_GEOMETRY] = {0, 1, 2};
        steps_go_on(&steps);
        space_margins(&space, steps.v, u);
        sort_by(u, 1, order, COUNT);
        just += steps_to_forget(&steps, u, out) - u[order[0]] == 100;
    }
    assert_true(just > 0);
    follow(&g, "max-minover", 1, FORGETTING_PAPER, 300);
    geometry_close(&g);
}

/* Rows that a solver must request, from the sets of patterns that its counts imply: those that entered or left, at most
 * K; for K = 1, one. */
struct sets {
    int had[2][MAX_GEOMETRY]; /* learned, forgotten, when last summed */
    int any[2];
};

static uint64_t rows_of(struct sets *sets, int which, const int *now, size_t n, size_t k)
{
    size_t changes = 0;
    for (size_t j = 0; j < n; j++)
        changes += now[j] != sets->had[which][j];
    memcpy(sets->had[which], now, n * sizeof *now);
    return k == 1 || changes > k ? k : changes;
}

static void check_operations(const char *name, size_t k, enum forgetting forgetting, unsigned long seed)
{
    const struct solver *solver = solver_find(name);
    struct geometry g;
    struct space space;
    struct sets sets = {.any = {1, 0}};
    open_separable(&g, N, seed);
    if (strcmp(name, "soft-max-minover") == 0)
        set_soft(&g, k, forgetting);
    space_write_out(&g, k, &space);
    struct steps steps = {.space = &space, .forgetting = forgetting};
    void *state = geometry_start(&g, solver);
    uint64_t expected = (forgetting == FORGETTING_NO ? 0 : N) + k * N; /* the diagonal for R_K; the first K rows */
    steps_go_on(&steps);
    for (size_t j = 0; j < k; j++)
        sets.had[0][j] = 1;
    for (int t = 1; t <= 400; t++) {
        struct steps before = steps;
        struct progress progress = {.need_objective = 0};
        int learned[MAX_GEOMETRY], forgotten[MAX_GEOMETRY];
        assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP) + oracle_operations(g.oracle, PHASE_ITERATIONS),
                         expected);
        steps_go_on(&steps);
        int forgets = steps.forgotten_steps > before.forgotten_steps;
        for (size_t j = 0; j < N; j++) {
            long change = steps.n[j] - before.n[j];
            learned[j] = forgets ? change >= 1 : change == 1;
            forgotten[j] = change == -1 || (forgets && change == 1);
        }
        expected += rows_of(&sets, 0, learned, N, k) * N;
        if (forgets)
            expected += rows_of(&sets, 1, forgotten, N, k) * N;
        solver->select(state, &progress);
        solver->update(state, g.oracle);
    }
    free(state);
    geometry_close(&g);
}

static void a_step_asks_for_the_rows_of_what_came_and_went(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 5; seed++) {
        check_operations("minover", 1, FORGETTING_NO, seed);
        check_operations("max-minover", 1, FORGETTING_PAPER, seed);
        const size_t ks[] = {1, 2, 10, 30};
        for (size_t i = 0; i < 4; i++)
            for (int forgetting = FORGETTING_NO; forgetting <= FORGETTING_EQUIVALENT; forgetting++)
                check_operations("soft-max-minover", ks[i], (enum forgetting)forgetting, seed);
    }
}

/* Sums updated incrementally for 20000 steps against the judge, which recomputes them. */
static void what_is_carried_along_does_not_drift(void **state)
{
    (void)state;
    const double nus[] = {0.02, 0.3, 0.8};
    for (size_t i = 0; i < 3; i++) {
        const struct solver *solver = solver_find("soft-max-minover");
        struct geometry g;
        struct judgement judged;
        geometry_random(&g, 150, MINOVER_DIMS, 0.7, 3, &rbf);
        parameter_set(&g.problem.parameters, &parameter_nu, nus[i]);
        parameter_set(&g.problem.parameters, &parameter_forgetting, FORGETTING_EQUIVALENT);
        double *alpha = simd_doubles(g.n), *products = simd_doubles(g.n), *scratch = simd_doubles(g.n);
        void *solver_state = geometry_start(&g, solver);
        for (int t = 1; t <= 20000; t++) {
            struct progress progress = {.need_objective = 1};
            solver->select(solver_state, &progress);
            solver->alpha(solver_state, alpha);
            if (t % 1000 == 0) {
                judge(&(struct judging){&g.problem, solver->formulation, g.gram, alpha, 1e-6, products, scratch},
                      &judged);
                assert_true(judged.feasibility <= 1e-13);
                assert_true(fabs(progress.objective - judged.objective) <= 1e-12);
                assert_true(fabs(progress.delta - judged.duality_gap) <= 1e-12 && judged.duality_gap >= -1e-14);
                assert_true(fabs(solver->gap(solver_state, 0) - judged.duality_gap) <= 1e-12);
            }
            solver->update(solver_state, g.oracle);
        }
        free(solver_state), free(alpha), free(products), free(scratch);
        geometry_close(&g);
    }
}

static void soft_with_one_pattern_is_max_minover(void **state)
{
    (void)state;
    struct geometry g;
    double alpha[2][MAX_GEOMETRY];
    open_separable(&g, N, 4);
    for (int forgetting = FORGETTING_PAPER; forgetting <= FORGETTING_EQUIVALENT; forgetting++)
        for (int s = 0; s < 2; s++) {
            const struct solver *solver = solver_find(s ? "max-minover" : "soft-max-minover");
            struct solution solution;
            struct solve_request request = {.solver = solver, .problem = &g.problem, .oracle = g.oracle,
                                            .stop = {STOP_ITERATIONS, 0}, .budget = {.iterations = 5000}};
            set_soft(&g, 1, (enum forgetting)forgetting);
            assert_int_equal(solve(&request, alpha[s], &solution, NULL), STATUS_OK);
            assert_int_equal(solution.iterations, 5000);
            if (s)
                assert_memory_equal(alpha[0], alpha[1], N * sizeof(double));
        }
    geometry_close(&g);
}

/* If the printed forgetting has left the reduced hull, no gap is reported, and no rule on it is met. */
static void outside_the_reduced_hull_there_is_no_gap(void **state)
{
    (void)state;
    const double x[] = {0, 2, 0, 3, 3, 0, 4, 4, 0, -5, -1, 0};
    const signed char y[] = {-1, 1, -1, 1};
    struct geometry g;
    struct judgement judged;
    struct progress progress = {.need_objective = 0};
    geometry_open(&g, 4, MINOVER_DIMS, x, y, &linear);
    set_soft(&g, 3, FORGETTING_PAPER);
    const struct solver *solver = solver_find("soft-max-minover");
    double *alpha = simd_doubles(4), *products = simd_doubles(4), scratch[4];
    void *solver_state = geometry_start(&g, solver);
    for (int t = 1; t <= 3000; t++) {
        solver->select(solver_state, &progress);
        solver->update(solver_state, g.oracle);
    }
    solver->select(solver_state, &progress);
    assert_true(isinf(progress.delta) && isnan(solver->gap(solver_state, 0)));
    solver->alpha(solver_state, alpha);
    judge(&(struct judging){&g.problem, solver->formulation, g.gram, alpha, 1e-6, products, scratch}, &judged);
    assert_true(isnan(judged.duality_gap) && isnan(judged.kkt_violation) && judged.feasibility <= 1e-15);
    /* the equivalent forgetting promises the bound, so this counts as a violation */
    parameter_set(&g.problem.parameters, &parameter_forgetting, FORGETTING_EQUIVALENT);
    judge(&(struct judging){&g.problem, solver->formulation, g.gram, alpha, 1e-6, products, scratch}, &judged);
    assert_true(judged.feasibility > 0.05);
    free(solver_state), free(alpha), free(products);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counts_are_those_of_the_steps_of_the_paper),
        cmocka_unit_test(nu_of_all_patterns_is_rounded_to_the_nearest_whole_number),
        cmocka_unit_test(a_difference_of_just_the_threshold_is_forgotten),
        cmocka_unit_test(a_step_asks_for_the_rows_of_what_came_and_went),
        cmocka_unit_test(what_is_carried_along_does_not_drift),
        cmocka_unit_test(soft_with_one_pattern_is_max_minover),
        cmocka_unit_test(outside_the_reduced_hull_there_is_no_gap),
    };
    return cmocka_run_group_tests_name("minover", tests, NULL, NULL);
}
