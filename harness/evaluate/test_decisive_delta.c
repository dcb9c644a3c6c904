/*
 * Rules delta <= c |W|^2 are checked without |W|^2 while delta alone shows that they are not met. The reference is a
 * manual run that computes |W|^2 every time: its delta and |W|^2 determine the first iteration that meets each
 * tolerance. The tolerances tested are those met exactly in some iteration, and their neighbours: every 4th iteration
 * is looked at, or every 60th unless HULLBENCH_TESTS=all.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/rounding.h"
#include "harness/evaluate/solve.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"

enum { N = 60, LONGEST = 4000 };

static const struct kernel rbf = {.type = KERNEL_RBF, .width = 2};
static const struct kernel linear = {.type = KERNEL_LINEAR};
static const char *const names[] = {"unary-mdm", "accelerated-mdm", "gilbert"};

/* A solver that wraps another one and counts what it was asked for and what it omitted. */
static const struct solver *inner;
static size_t looks, told, left_out;

static enum status counted_select(void *state, struct progress *progress)
{
    enum status status = inner->select(state, progress);
    looks++;
    told += progress->decisive_delta > 0;
    left_out += isnan(progress->norm2) != 0;
    return status;
}

static struct solver counted(const char *name)
{
    inner = solver_find(name);
    assert_non_null(inner);
    struct solver made = *inner;
    made.select = counted_select;
    looks = told = left_out = 0;
    return made;
}

struct series {
    size_t length;
    double delta[LONGEST], norm2[LONGEST];
};

static void run_by_hand(struct geometry *g, const struct solver *solver, struct series *series)
{
    void *state = geometry_start(g, solver);
    for (series->length = 0; series->length < LONGEST;) {
        struct progress progress = {.need_objective = 1};
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
        series->delta[series->length] = progress.delta;
        series->norm2[series->length++] = progress.norm2;
        if (!(progress.delta > 1e-9 * progress.norm2) || solver->update(state, g->oracle) != STATUS_OK)
            break;
    }
    free(state);
}

static size_t first_met(const struct series *series, double share)
{
    size_t t = 0;
    while (t < series->length && !(series->delta[t] <= share * series->norm2[t]))
        t++;
    return t;
}

static struct solution run(struct geometry *g, const struct solver *solver, struct stop stop, struct trace *trace)
{
    double *alpha = simd_doubles(g->n);
    struct solution solution;
    struct solve_request request = {.solver = solver,
                                    .problem = &g->problem,
                                    .oracle = g->oracle,
                                    .stop = stop,
                                    .budget = {.iterations = LONGEST},
                                    .trace = trace};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    free(alpha);
    return solution;
}

static void check_share(struct geometry *g, const struct solver *solver, const struct series *series, double share)
{
    size_t expected = first_met(series, share);
    if (expected >= series->length)
        return;
    assert_int_equal(run(g, solver, (struct stop){STOP_DELTA_NORM2, share}, NULL).iterations, expected);
    assert_int_equal(run(g, solver, (struct stop){STOP_DELTA_2NORM2, share / 2}, NULL).iterations, expected);
}

static void rules_on_delta_are_met_in_the_iteration_in_which_the_sums_meet_them(void **state)
{
    (void)state;
    static struct series series;
    for (unsigned long seed = 1; seed <= 4; seed++)
        for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
            struct geometry g;
            geometry_random(&g, N, 3, 0.4, seed, seed % 2 ? &rbf : &linear);
            parameter_set(&g.problem.parameters, &parameter_c, seed < 3 ? 1 : 100);
            const struct solver *solver = solver_find(names[s]);
            run_by_hand(&g, solver, &series);
            assert_true(series.length > 20);
            double least = HUGE_VAL;
            for (size_t t = 0; t < series.length; t++) {
                double share = series.delta[t] / series.norm2[t];
                if (!(share < 1.2 * least) || t % (all_tests() ? 4 : 60) > 0) /* tolerances met here, or nearly */
                    continue;
                least = fmin(least, share);
                check_share(&g, solver, &series, share);
                check_share(&g, solver, &series, nextafter(share, 0));
                check_share(&g, solver, &series, nextafter(share, 1));
            }
            geometry_close(&g);
        }
}

static void most_sums_are_left_out(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        struct geometry g;
        geometry_random(&g, N, 3, 0.4, 1, &rbf);
        parameter_set(&g.problem.parameters, &parameter_c, 10);
        const struct solver solver = counted(names[s]);
        struct solution solution = run(&g, &solver, (struct stop){STOP_DELTA_NORM2, 1e-3}, NULL);
        assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
        assert_true(looks > 100);
        assert_int_equal(told, looks - 1); /* all except the first, before which no |W|^2 is known */
        assert_true(left_out > looks * 8 / 10);
        geometry_close(&g);
    }
}

/* Runs unary-mdm, modified or under other conditions, where every |W|^2 is needed. */
static void every_sum_is_made_where_it_may_matter(void **state)
{
    (void)state;
    struct geometry g;
    struct trace trace = {0};
    geometry_random(&g, N, 3, 0.4, 1, &rbf);
    parameter_set(&g.problem.parameters, &parameter_c, 100);
    struct solver solver = counted(names[0]);
    run(&g, &solver, (struct stop){STOP_DELTA_NORM2, 1e-6}, &trace); /* a trace records it */
    trace_free(&trace);
    run(&g, &solver, (struct stop){STOP_DUAL_CHANGE, 1e-9}, NULL); /* other rules need it */
    run(&g, &solver, (struct stop){STOP_GAP_MAX_NORM2, 1e-4}, NULL);
    solver.is_monotone = 0; /* it may grow */
    run(&g, &solver, (struct stop){STOP_DELTA_NORM2, 1e-6}, NULL);
    solver.is_monotone = 1;
    solver.square_penalty = 0; /* no ridge: the hull may contain the origin */
    run(&g, &solver, (struct stop){STOP_DELTA_NORM2, 1e-6}, NULL);
    solver.square_penalty = 1;
    parameter_set(&g.problem.parameters, &parameter_c, 1e14); /* a negligible ridge */
    run(&g, &solver, (struct stop){STOP_DELTA_NORM2, 1e-6}, NULL);
    assert_true(looks > 100);
    assert_int_equal(told, 0);
    assert_int_equal(left_out, 0);
    geometry_close(&g);
}

/* With n weights 1/n on patterns at 0, |W|^2 equals that bound plus the share of the added coordinate. */
static void no_norm_is_below_the_least_one(void **state)
{
    (void)state;
    const double x[4] = {0};
    const signed char y[] = {1, -1, 1, -1};
    struct geometry g;
    geometry_open(&g, 4, 1, x, y, &linear);
    gram_set_ridge(g.gram, 0.5);
    assert_true(rounding_least_norm2(&g.problem, FORMULATION_MINIMUM_NORM, g.gram) == 4 * 0.0625 * 0.5);
    assert_true(rounding_least_norm2(&g.problem, FORMULATION_NEAREST_POINTS, g.gram) <= 4 * 0.25 * 0.5);
    assert_true(rounding_least_norm2(&g.problem, FORMULATION_SQUARE_SVM, g.gram) == 0);
    gram_set_ridge(g.gram, 0);
    assert_true(rounding_least_norm2(&g.problem, FORMULATION_MINIMUM_NORM, g.gram) == 0);
    geometry_close(&g);
    const struct kernel indefinite = {.type = KERNEL_POLYNOMIAL, .degree = 3, .scale = 1, .offset = -1};
    geometry_open(&g, 4, 1, x, y, &indefinite);
    gram_set_ridge(g.gram, 0.5);
    assert_true(rounding_least_norm2(&g.problem, FORMULATION_MINIMUM_NORM, g.gram) == 0);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_on_delta_are_met_in_the_iteration_in_which_the_sums_meet_them),
        cmocka_unit_test(most_sums_are_left_out),
        cmocka_unit_test(every_sum_is_made_where_it_may_matter),
        cmocka_unit_test(no_norm_is_below_the_least_one),
    };
    return cmocka_run_group_tests_name("decisive delta", tests, NULL, NULL);
}
