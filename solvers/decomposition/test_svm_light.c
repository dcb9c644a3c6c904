/*
 * SVM-Light: the points of 1-SMO for q = 2, feasibility and descent at every update, the optimum for any q, number of
 * new variables and shrinking, and its counts.
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

#include "solvers/decomposition/box.h"
#include "solvers/decomposition/working_set.h"
#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"
#include "tests/real_split.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

static void set(struct problem *problem, const struct parameter *parameter, double value)
{
    parameter_set(&problem->parameters, parameter, value);
}

static void *start_solver(const struct solver *solver, struct problem *problem, struct oracle *oracle)
{
    void *state = simd_doubles(solver->state_size(problem) / sizeof(double) + 1);
    assert_non_null(state);
    oracle_reset(oracle);
    problem->solver = solver;
    assert_int_equal(solver->init(state, problem, oracle), STATUS_OK);
    oracle_set_phase(oracle, PHASE_ITERATIONS);
    return state;
}

/* Runs both from the same start, update by update; multipliers and Delta agree bitwise. Returns the number of
 * updates. */
static size_t go_together(struct problem *problem, struct oracle *oracle, size_t max)
{
    const struct solver *smo = solver_find("1-smo"), *light = solver_find("svm-light");
    double *a = simd_doubles(problem->n), *b = simd_doubles(problem->n);
    size_t updates = 0;
    set(problem, &parameter_q, 2);
    set(problem, &parameter_shrinking, 0);
    void *smo_state = start_solver(smo, problem, oracle), *light_state = start_solver(light, problem, oracle);
    for (int ended = 0; !ended && updates < max;) {
        struct progress of_smo = {0}, of_light = {0};
        smo->select(smo_state, &of_smo);
        light->select(light_state, &of_light);
        assert_memory_equal(&of_smo.delta, &of_light.delta, sizeof of_smo.delta);
        ended = smo->update(smo_state, oracle) != STATUS_OK;
        assert_int_equal(light->update(light_state, oracle) != STATUS_OK, ended);
        smo->alpha(smo_state, a);
        light->alpha(light_state, b);
        assert_memory_equal(a, b, problem->n * sizeof *a);
        updates += !ended;
    }
    free(smo_state), free(light_state), free(a), free(b);
    return updates;
}

static void with_two_variables_and_no_shrinking_it_visits_the_points_of_one_smo(void **state)
{
    (void)state;
    const double penalties[] = {0.1, 5, 1000};
    for (int start = START_ZERO; start <= START_FIRST_PAIR; start++)
        for (size_t c = 0; c < 3; c++)
            for (unsigned long seed = 1; seed <= 4; seed++) {
                struct geometry g;
                geometry_random(&g, 120, 3, 0.4, seed, seed % 2 ? &rbf : &linear);
                set(&g.problem, &parameter_c, penalties[c]);
                set(&g.problem, &parameter_start, start);
                assert_true(go_together(&g.problem, g.oracle, 800) > 100);
                geometry_close(&g);
            }
}

/* The sets of Lopez (2008), Table 5.3.1. */
static const struct {
    const char *name;
    double c, width;
} sets[] = {{"titanic", 5, 2},   {"heart", 3.16, 120},      {"diabetis", 1, 20},  {"breast-cancer", 15.19, 50},
            {"thyroid", 10, 3},  {"flare-solar", 1.02, 30}, {"splice", 1000, 70}, {"image", 500, 30},
            {"german", 3.16, 55}, {"banana", 316.2, 1}};
enum { SETS = sizeof sets / sizeof *sets };

static int open_set(struct real_split *real, size_t k)
{
    const struct kernel kernel = {.type = KERNEL_RBF, .width = sets[k].width};
    if (!real_split_open(real, sets[k].name, 1, &kernel))
        return 0;
    set(&real->problem, &parameter_c, sets[k].c);
    return 1;
}

static void it_visits_the_points_of_one_smo_on_real_splits(void **state)
{
    (void)state;
    size_t seen = 0;
    for (size_t k = 0; k < SETS; k++) {
        struct real_split real;
        if (!open_set(&real, k))
            continue;
        seen++;
        assert_true(go_together(&real.problem, real.oracle, 600) > 100);
        real_split_close(&real);
    }
    if (seen == 0)
        skip_for(no_data);
}

struct judged {
    struct solution solution;
    struct judgement judgement;
    uint64_t operations;
};

static struct judged run(const char *name, const struct problem *problem, struct gram *gram, struct oracle *oracle,
                         enum stop_rule rule, double tolerance)
{
    struct judged out;
    size_t n = problem->n;
    double *alpha = simd_doubles(n), *products = simd_doubles(n), *scratch = simd_doubles(n);
    struct solve_request request = {.solver = solver_find(name), .problem = problem, .oracle = oracle,
                                    .stop = {rule, tolerance}, .budget = {.iterations = 3000000}};
    assert_int_equal(solve(&request, alpha, &out.solution, NULL), STATUS_OK);
    judge(&(struct judging){problem, FORMULATION_C_SVM, gram, alpha, 1e-6, products, scratch}, &out.judgement);
    out.operations = oracle_operations(oracle, PHASE_ITERATIONS);
    free(alpha), free(products), free(scratch);
    return out;
}

static void ten_variables_with_shrinking_reach_the_optimum_of_one_smo_on_real_splits(void **state)
{
    (void)state;
    size_t seen = 0;
    for (size_t k = 0; k < SETS; k++) {
        struct real_split real;
        if (strcmp(sets[k].name, "image") == 0 && !all_tests()) /* takes three times as long as all others */
            continue;
        if (!open_set(&real, k))
            continue;
        seen++;
        struct judged smo = run("1-smo", &real.problem, real.gram, real.oracle, STOP_DELTA, 1e-6);
        struct judged light = run("svm-light", &real.problem, real.gram, real.oracle, STOP_KKT_RELAXED, 1e-6);
        assert_int_equal(light.solution.outcome, OUTCOME_CONVERGED);
        if (!(fabs(light.judgement.objective / smo.judgement.objective - 1) <= 1e-6))
            fail_msg("%s: svm-light %.15g, 1-smo %.15g", sets[k].name, light.judgement.objective,
                     smo.judgement.objective);
        assert_true(light.judgement.kkt_violation <= 2.001e-6); /* the judge rounds its products differently */
        real_split_close(&real);
    }
    if (seen == 0)
        skip_for(no_data);
}

/* The problems for all settings. */
enum { PROBLEMS = 6, PATTERNS = 60 };

static void open_problem(struct geometry *g, size_t which)
{
    double x[PATTERNS * 2];
    signed char y[PATTERNS];
    for (size_t i = 0; i < PATTERNS; i++) { /* 15 lattice points, four times each, with some contradicting labels */
        x[2 * i] = which == 4 ? 1 : (double)(i % 5);
        x[2 * i + 1] = which == 4 ? 1 : (double)(i % 3);
        y[i] = which == 3 ? (i == 7 ? 1 : -1) : (i % 5 + i / 30) % 3 == 0 ? 1 : -1;
    }
    switch (which) {
    case 0:
        geometry_random(g, PATTERNS, 3, 0.5, 1, &rbf);
        break;
    case 1:
        geometry_random(g, PATTERNS, 2, 0.3, 2, &linear);
        break;
    case 2: /* duplicates, fewer dimensions than variables */
    case 3: /* one pattern of a class */
    case 4: /* all patterns equal */
        geometry_open(g, PATTERNS, 2, x, y, &linear);
        break;
    default: /* one pattern per class */
        geometry_open(g, 2, 2, (const double[]){0, 1, 2, 3}, (const signed char[]){1, -1}, &linear);
    }
}

/* *norm2 = |W|^2; *size: the sum of the terms' magnitudes, to which rounding is relative. */
static double objective_of(const struct geometry *g, const double *alpha, double *norm2, double *size)
{
    double sum = 0;
    *norm2 = 0;
    *size = 1;
    for (size_t i = 0; i < g->n; i++) {
        sum += alpha[i];
        for (size_t j = 0; j < g->n; j++) {
            double term = alpha[i] * alpha[j] * g->y[i] * g->y[j] * gram_row(g->gram, i)[j];
            *norm2 += term;
            *size += fabs(term);
        }
    }
    return 0.5 * *norm2 - sum;
}

static void check_point(const struct geometry *g, const double *alpha, double c)
{
    double balance = 0;
    for (size_t i = 0; i < g->n; i++) {
        assert_true(alpha[i] >= 0 && alpha[i] <= c);
        balance += g->y[i] * alpha[i];
    }
    if (!(fabs(balance) <= 1e-12 * fmax(1, c))) /* rounding of some hundred steps */
        fail_msg("sum y alpha = %g for C = %g", balance, c);
}

/* At every update the point is feasible, the objective is not higher, and the reported objective and |W|^2 are those of
 * the multipliers. */
static void walk(struct geometry *g, double tolerance)
{
    const struct solver *light = solver_find("svm-light");
    double previous = HUGE_VAL, *alpha = simd_doubles(g->n), c = parameter_get(&g->problem.parameters, &parameter_c);
    g->problem.tolerance = tolerance;
    void *state = start_solver(light, &g->problem, g->oracle);
    for (int k = 0; k < 150; k++) {
        struct progress progress = {.need_objective = 1};
        assert_int_equal(light->select(state, &progress), STATUS_OK);
        light->alpha(state, alpha);
        check_point(g, alpha, c);
        double norm2, size, objective = objective_of(g, alpha, &norm2, &size);
        double rounding = 1e-14 * size; /* of sums of 60 terms after 150 updates */
        if (!(objective <= previous + rounding && fabs(progress.objective - objective) <= rounding))
            fail_msg("iteration %d: %.17g after %.17g, told %.17g", k, objective, previous, progress.objective);
        if (!(fabs(progress.norm2 - norm2) <= 2 * rounding)) /* computed from the objective */
            fail_msg("iteration %d: |W|^2 is %.17g, told %.17g", k, norm2, progress.norm2);
        previous = objective;
        if (light->update(state, g->oracle) != STATUS_OK)
            break;
    }
    free(state), free(alpha);
}

static void every_update_is_feasible_and_no_higher_for_any_setting(void **state)
{
    (void)state;
    const double sizes[] = {2, 4, 10, 50, PATTERNS}, penalties[] = {1e-3, 1, 1e5}, after[] = {0, 1, 7};
    for (size_t which = 0; which < PROBLEMS; which++)
        for (size_t c = 0; c < 3; c++)
            for (size_t q = 0; q < 5; q++)
                for (size_t h = 0; h < 3; h++) {
                    struct geometry g;
                    open_problem(&g, which);
                    set(&g.problem, &parameter_c, penalties[c]);
                    set(&g.problem, &parameter_q, sizes[q]);
                    set(&g.problem, &parameter_new_variables, q == 2 ? 4 : 0);
                    set(&g.problem, &parameter_shrinking, after[h] > 0);
                    set(&g.problem, &parameter_shrink_after, fmax(1, after[h]));
                    walk(&g, 1e-6);
                    geometry_close(&g);
                }
}

static void the_optimum_is_that_of_one_smo_for_any_setting(void **state)
{
    (void)state;
    const double settings[][3] = {{2, 0, 0},  {2, 0, 1},  {4, 0, 1},   {4, 2, 5},        {10, 0, 1},
                                  {10, 4, 3}, {10, 6, 0}, {50, 10, 2}, {PATTERNS, 0, 1}, {4096, 0, 0}};
    /* each: q, new_variables, shrink_after or 0 */
    const double penalties[] = {1e-3, 1, 100};
    for (size_t which = 0; which < PROBLEMS; which++)
        for (size_t c = 0; c < 3; c++) {
            struct geometry g;
            open_problem(&g, which);
            set(&g.problem, &parameter_c, penalties[c]);
            struct judged smo = run("1-smo", &g.problem, g.gram, g.oracle, STOP_DELTA, 1e-9);
            for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
                for (int rule = STOP_KKT; rule <= STOP_KKT_RELAXED; rule++) {
                    set(&g.problem, &parameter_q, settings[s][0]);
                    set(&g.problem, &parameter_new_variables, settings[s][1]);
                    set(&g.problem, &parameter_shrinking, settings[s][2] > 0);
                    set(&g.problem, &parameter_shrink_after, fmax(1, settings[s][2]));
                    struct judged light = run("svm-light", &g.problem, g.gram, g.oracle, (enum stop_rule)rule, 1e-8);
                    const char *ended = outcome_name(light.solution.outcome);
                    if (light.solution.outcome != OUTCOME_CONVERGED)
                        fail_msg("problem %zu, C %g, setting %zu: %s", which, penalties[c], s, ended);
                    /* 1.1: the judge sums the products in another order */
                    assert_true(light.judgement.kkt_violation <= 1.1 * (rule == STOP_KKT ? 1e-8 : 2e-8));
                    assert_true(fabs(light.judgement.objective - smo.judgement.objective) <=
                                light.judgement.duality_gap + smo.judgement.duality_gap + 1e-12);
                }
            geometry_close(&g);
        }
}

/* Patterns leave early and fewer values are requested. The solver stops only after the final check of all patterns, so
 * none is forgotten. */
static void shrinking_saves_kernel_operations_and_forgets_nobody(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 6; seed++) {
        struct geometry g;
        geometry_random(&g, 300, 2, 0.5, seed, &rbf);
        set(&g.problem, &parameter_c, 30);
        set(&g.problem, &parameter_shrink_after, 10);
        struct judged with = run("svm-light", &g.problem, g.gram, g.oracle, STOP_KKT_RELAXED, 1e-5);
        set(&g.problem, &parameter_shrinking, 0);
        struct judged without = run("svm-light", &g.problem, g.gram, g.oracle, STOP_KKT_RELAXED, 1e-5);
        assert_true(with.judgement.kkt_violation <= 2.001e-5 && without.judgement.kkt_violation <= 2.001e-5);
        assert_true(with.operations / with.solution.iterations < without.operations / without.solution.iterations);
        assert_true(with.solution.outcome == OUTCOME_CONVERGED);
        geometry_close(&g);
    }
}

static void while_patterns_are_left_out_no_rule_can_be_met(void **state)
{
    (void)state;
    const struct solver *light = solver_find("svm-light");
    struct geometry g;
    size_t shrunk = 0;
    geometry_random(&g, 200, 2, 0.5, 3, &rbf);
    set(&g.problem, &parameter_c, 100);
    set(&g.problem, &parameter_shrink_after, 1);
    g.problem.tolerance = 1e-3;
    void *solver_state = start_solver(light, &g.problem, g.oracle);
    for (;;) {
        struct progress progress = {0};
        light->select(solver_state, &progress);
        uint64_t before = oracle_operations(g.oracle, PHASE_ITERATIONS);
        if (progress.delta <= 2e-3)
            assert_true(isfinite(progress.violation)); /* no pattern is inactive */
        if (progress.violation <= 1e-3)
            break;
        assert_int_equal(light->update(solver_state, g.oracle), STATUS_OK);
        uint64_t asked = oracle_operations(g.oracle, PHASE_ITERATIONS) - before;
        shrunk += asked < 10 * 200 && isinf(progress.violation);
    }
    assert_true(shrunk > 5);
    free(solver_state);
    geometry_close(&g);
}

static void an_iteration_costs_a_row_for_each_variable_of_its_set(void **state)
{
    (void)state;
    const double sizes[] = {2, 4, 10, 50};
    for (size_t q = 0; q < 4; q++) {
        struct geometry g;
        const struct solver *light = solver_find("svm-light");
        geometry_random(&g, 90, 3, 0.5, 1, &rbf);
        set(&g.problem, &parameter_c, 5);
        set(&g.problem, &parameter_q, sizes[q]);
        set(&g.problem, &parameter_shrinking, 0);
        void *solver_state = start_solver(light, &g.problem, g.oracle);
        uint64_t before = 0;
        for (int k = 0; k < 100; k++) {
            struct progress progress = {0};
            light->select(solver_state, &progress);
            assert_true(oracle_operations(g.oracle, PHASE_ITERATIONS) == before);
            if (light->update(solver_state, g.oracle) != STATUS_OK)
                break;
            uint64_t rows = (oracle_operations(g.oracle, PHASE_ITERATIONS) - before) / 90;
            assert_true(rows >= 2 && rows <= (uint64_t)sizes[q] && (k > 0 || rows == (uint64_t)sizes[q]));
            before += 90 * rows;
            assert_true(oracle_operations(g.oracle, PHASE_ITERATIONS) == before);
        }
        free(solver_state);
        geometry_close(&g);
    }
}

static double largest_distance2(const struct geometry *g)
{
    double max = 0;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < i; j++)
            max = fmax(max, gram_row(g->gram, i)[i] + gram_row(g->gram, j)[j] - 2 * gram_row(g->gram, i)[j]);
    return max;
}

/* With multipliers of 1e10 the inner solver takes violations of about 1e-4 for rounding. The run continues from there
 * while the step of the most violating pair, Delta / |X_i - X_j|^2, exceeds the rounding of the larger multiplier. */
static void it_stalls_only_where_the_step_of_the_worst_pair_is_lost_in_rounding(void **state)
{
    (void)state;
    const struct solver *light = solver_find("svm-light");
    size_t stalled = 0;
    for (unsigned long seed = 1; seed <= 10; seed++) {
        struct geometry g;
        double *alpha = simd_doubles(60), largest = 0;
        struct progress progress = {0};
        geometry_random(&g, 60, 2, 0, seed, &linear);
        for (size_t i = 0; i < g.n; i++)
            g.y[i] = i < 3 ? 1 : -1;
        set(&g.problem, &parameter_c, 1e10);
        void *solver_state = start_solver(light, &g.problem, g.oracle);
        int ended = 0;
        for (int k = 0; k < 300 && !ended; k++) {
            light->select(solver_state, &progress);
            ended = light->update(solver_state, g.oracle) != STATUS_OK;
        }
        light->alpha(solver_state, alpha);
        for (size_t i = 0; i < g.n; i++)
            largest = fmax(largest, alpha[i]);
        stalled += (size_t)ended;
        assert_true(!ended || progress.delta <= DBL_EPSILON * largest * largest_distance2(&g));
        free(solver_state), free(alpha);
        geometry_close(&g);
    }
    assert_true(stalled > 0);
}

/* Where the inner solver moves nothing, the step of 1-smo along the worst pair is rounded to the spacing of the larger
 * multiplier, unless it ends at a bound; there it may be lost in the other multiplier. From the start alpha = 1, 0, 1,
 * the pair has the step 15 / 25. With other multipliers and F = 0, set by hand, the inner solver finds no violation. */
static void the_step_of_the_worst_pair_is_rounded_or_ends_at_a_bound(void **state)
{
    (void)state;
    static const double x[] = {4, -1, 1}, c = 0x1p30, rounded = 5033165 * 0x1p-23;
    static const signed char y[] = {1, 1, -1};
    static const struct {
        double low, up, low_after, up_after;
    } cases[] = {{1, 0x1p29, 1 - rounded, 0x1p29 + rounded},
                 {0x1p-40, 0x1p29, 0, 0x1p29},
                 {0x1p30, 0x1p30 - 0x1p-23, 0x1p30 - 0x1p-23, 0x1p30}};
    const struct solver *light = solver_find("svm-light");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct geometry g;
        struct progress progress = {0};
        geometry_open(&g, 3, 1, x, y, &linear);
        set(&g.problem, &parameter_c, c);
        set(&g.problem, &parameter_start, START_FIRST_PAIR);
        void *solver_state = start_solver(light, &g.problem, g.oracle);
        struct box *box = solver_state;
        light->select(solver_state, &progress);
        assert_true(progress.delta == 15);
        box_set(box, 0, cases[k].low);
        box_set(box, 1, cases[k].up);
        memset(box->f, 0, 3 * sizeof *box->f);
        assert_int_equal(light->update(solver_state, g.oracle), STATUS_OK);
        assert_true(box->alpha[0] == cases[k].low_after && box->alpha[1] == cases[k].up_after && box->alpha[2] == 1);
        for (size_t j = 0; j < 3; j++) {
            double f = ((cases[k].low_after - cases[k].low) * x[0] + (cases[k].up_after - cases[k].up) * x[1]) * x[j];
            assert_true(fabs(box->f[j] - f) <= 1e-14 * fabs(f));
        }
        free(solver_state);
        geometry_close(&g);
    }
}

/* If no variable between its bounds determines the bias, it is midway between the thresholds, where both violations of
 * the worst pair are equal. */
static void without_a_variable_between_its_bounds_the_bias_is_midway(void **state)
{
    (void)state;
    const struct solver *light = solver_find("svm-light");
    const double penalties[] = {0.05, 0.2, 1};
    size_t told = 0, midway = 0;
    for (unsigned long seed = 1; seed <= 600; seed++) {
        struct geometry g;
        double alpha[12], bound = penalties[seed % 3];
        geometry_random(&g, 12, 2, 0.5, seed, &linear);
        set(&g.problem, &parameter_c, bound);
        set(&g.problem, &parameter_q, seed % 2 ? 2 : 4);
        set(&g.problem, &parameter_shrinking, 0);
        void *solver_state = start_solver(light, &g.problem, g.oracle);
        size_t free_before = 0;
        for (int k = 0; k < 200; k++) {
            struct progress progress = {0};
            size_t free_now = 0;
            light->select(solver_state, &progress);
            light->alpha(solver_state, alpha);
            for (size_t i = 0; i < g.n; i++)
                free_now += alpha[i] > 0 && alpha[i] < bound;
            told += free_now > 0 && progress.violation != 0.5 * progress.delta;
            if (free_now == 0 && free_before > 0 && progress.delta > 0) {
                midway++;
                assert_true(fabs(progress.violation - 0.5 * progress.delta) <= 1e-12); /* for numbers of order 1 */
            }
            free_before += free_now;
            if (light->update(solver_state, g.oracle) != STATUS_OK)
                break;
        }
        free(solver_state);
        geometry_close(&g);
    }
    assert_true(told > 0 && midway > 2);
}

static void a_working_set_larger_than_the_problem_takes_no_more_memory_than_the_problem(void **state)
{
    (void)state;
    const struct solver *light = solver_find("svm-light");
    struct geometry g;
    geometry_random(&g, 50, 2, 0.5, 1, &linear);
    set(&g.problem, &parameter_c, 1);
    set(&g.problem, &parameter_q, 50);
    size_t all = light->state_size(&g.problem);
    set(&g.problem, &parameter_q, 4096);
    assert_int_equal(light->state_size(&g.problem), all);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_two_variables_and_no_shrinking_it_visits_the_points_of_one_smo),
        cmocka_unit_test(it_visits_the_points_of_one_smo_on_real_splits),
        cmocka_unit_test(ten_variables_with_shrinking_reach_the_optimum_of_one_smo_on_real_splits),
        cmocka_unit_test(every_update_is_feasible_and_no_higher_for_any_setting),
        cmocka_unit_test(the_optimum_is_that_of_one_smo_for_any_setting),
        cmocka_unit_test(shrinking_saves_kernel_operations_and_forgets_nobody),
        cmocka_unit_test(while_patterns_are_left_out_no_rule_can_be_met),
        cmocka_unit_test(an_iteration_costs_a_row_for_each_variable_of_its_set),
        cmocka_unit_test(it_stalls_only_where_the_step_of_the_worst_pair_is_lost_in_rounding),
        cmocka_unit_test(the_step_of_the_worst_pair_is_rounded_or_ends_at_a_bound),
        cmocka_unit_test(without_a_variable_between_its_bounds_the_bias_is_midway),
        cmocka_unit_test(a_working_set_larger_than_the_problem_takes_no_more_memory_than_the_problem),
    };
    return cmocka_run_group_tests_name("svm_light", tests, NULL, NULL);
}
