/* External solvers, which compute the multipliers in one call: their inputs, and how their answers are used. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/solve.h"
#include "tests/geometry.h"

static const double square[] = {1, 0, 2, 1, -1, 0, -2, 1};
static const signed char labels[] = {1, 1, -1, -1};
static const struct kernel kernel = {.type = KERNEL_RBF, .width = 2};

/* Returns its inputs to the test: tolerance, kernel width, one coordinate of the patterns. */
static enum status echo(const struct problem *problem, const struct points *patterns, const struct kernel *given,
                        double *alpha, uint64_t *iterations)
{
    alpha[0] = problem->tolerance;
    alpha[1] = given->width;
    alpha[2] = points_value(patterns, 3, 0);
    *iterations = patterns->n * 1000 + patterns->dims;
    return STATUS_OK;
}

static enum status give_up(const struct problem *problem, const struct points *patterns, const struct kernel *given,
                           double *alpha, uint64_t *iterations)
{
    (void)problem, (void)patterns, (void)given;
    alpha[0] = 0.25;
    *iterations = 7;
    return STATUS_STALLED;
}

static enum status say_why(const struct problem *problem, const struct points *patterns, const struct kernel *given,
                           double *alpha, uint64_t *iterations)
{
    (void)patterns, (void)given, (void)alpha, (void)iterations;
    return error_set(problem->error, STATUS_BAD_INPUT, "too many");
}

static enum status say_nothing(const struct problem *problem, const struct points *patterns, const struct kernel *given,
                               double *alpha, uint64_t *iterations)
{
    (void)problem, (void)patterns, (void)given, (void)alpha, (void)iterations;
    return STATUS_BAD_INPUT;
}

struct answer {
    enum status status;
    double alpha[4];
    struct solution solution;
    struct error error;
};

static struct answer ask(struct solver *solver, struct trace *trace, const volatile sig_atomic_t *interrupted)
{
    struct geometry g;
    struct answer answer = {.alpha = {9, 9, 9, 9}};
    geometry_open(&g, 4, 2, square, labels, &kernel);
    struct solve_request request = {.solver = solver,
                                    .problem = &g.problem,
                                    .oracle = g.oracle,
                                    .patterns = &g.points,
                                    .kernel = &kernel,
                                    .stop = {STOP_KKT, 0.125},
                                    .budget = {.iterations = 1},
                                    .trace = trace,
                                    .interrupted = interrupted};
    oracle_row(g.oracle, 0); /* earlier counts are discarded */
    answer.status = solve(&request, answer.alpha, &answer.solution, &answer.error);
    if (answer.status == STATUS_OK)
        for (unsigned p = 0; p < PHASE_COUNT; p++)
            assert_int_equal(oracle_operations(g.oracle, (enum phase)p), 0);
    geometry_close(&g);
    return answer;
}

static void it_is_given_patterns_kernel_and_tolerance(void **state)
{
    (void)state;
    struct solver solver = {.name = "echo", .solve_external = echo};
    struct answer answer = ask(&solver, NULL, NULL);
    assert_int_equal(answer.status, STATUS_OK);
    assert_int_equal(answer.solution.outcome, OUTCOME_CONVERGED);
    assert_int_equal(answer.solution.iterations, 4002);
    assert_true(answer.solution.seconds >= 0);
    assert_true(answer.alpha[0] == 0.125 && answer.alpha[1] == 2 && answer.alpha[2] == -2 && answer.alpha[3] == 0);
}

static void a_limit_of_its_own_is_an_iteration_limit(void **state)
{
    (void)state;
    struct solver solver = {.name = "give-up", .solve_external = give_up};
    struct answer answer = ask(&solver, NULL, NULL);
    assert_int_equal(answer.status, STATUS_OK);
    assert_int_equal(answer.solution.outcome, OUTCOME_ITERATION_LIMIT);
    assert_int_equal(answer.solution.iterations, 7);
    assert_true(answer.alpha[0] == 0.25);
}

static void where_it_cannot_start_it_fails_or_says_why(void **state)
{
    (void)state;
    struct solver solver = {.name = "silent", .solve_external = say_nothing};
    struct answer answer = ask(&solver, NULL, NULL);
    assert_int_equal(answer.status, STATUS_OK);
    assert_int_equal(answer.solution.outcome, OUTCOME_FAILED);
    assert_true(answer.alpha[0] == 0);
    solver = (struct solver){.name = "loud", .solve_external = say_why};
    answer = ask(&solver, NULL, NULL);
    assert_int_equal(answer.status, STATUS_BAD_INPUT);
    assert_string_equal(answer.error.message, "loud: too many");
}

static void traces_and_signals_are_answered_before_it_starts(void **state)
{
    (void)state;
    const volatile sig_atomic_t interrupted = 2;
    struct trace trace = {0};
    struct solver solver = {.name = "echo", .solve_external = echo};
    assert_int_equal(ask(&solver, NULL, &interrupted).status, STATUS_INTERRUPTED);
    struct answer answer = ask(&solver, &trace, NULL);
    assert_int_equal(answer.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(answer.error.message, "\"echo\" leaves no trace"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_given_patterns_kernel_and_tolerance),
        cmocka_unit_test(a_limit_of_its_own_is_an_iteration_limit),
        cmocka_unit_test(where_it_cannot_start_it_fails_or_says_why),
        cmocka_unit_test(traces_and_signals_are_answered_before_it_starts),
    };
    return cmocka_run_group_tests_name("whole", tests, NULL, NULL);
}
