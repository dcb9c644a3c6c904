/* A job on a split small enough to be done by hand: patterns -1 and 1 on a line, so W = 2 and the decision is x. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/run/unit.h"

enum { ROWS = 6 };

/* The error on some rows of the data set, in per cent. Rows 2 and 3 have a decision of exactly 0, 4 and 5 lie on
 * both sides. */
static double error_on(const size_t *test, size_t n_test)
{
    double x[ROWS] = {-1, 1, 0, 0, -3, 0.5}, error;
    signed char y[ROWS] = {-1, 1, 1, -1, -1, 1};
    const size_t train[] = {0, 1};
    char name[] = "line";
    struct split split = {.number = 1, .n_train = 2, .n_test = n_test, .train = train, .test = test};
    const struct dataset dataset = {
        .name = name, .rows = ROWS, .dims = 1, .x = x, .y = y, .full_size = ROWS, .n_splits = 1, .splits = &split};
    struct config_solver solver = {.solver = solver_find("clip-mdm"), .budget = {.iterations = 100}};
    const struct config config = {.solvers = &solver, .n_solvers = 1, .support_threshold = 1e-6};
    struct job job = {.kernel = {.type = KERNEL_LINEAR}, .stop = {STOP_RCH_GAP, 1e-6}};
    struct unit_run *unit;
    struct job_result result;
    job.parameters = (struct parameters){0};
    parameter_set(&job.parameters, &parameter_mu, 1);
    assert_int_equal(unit_open(&unit, simd_select(NULL), &dataset, 0, KERNEL_LINEAR, (size_t)1 << 20, 0, NULL),
                     STATUS_OK);
    assert_int_equal(unit_run_job(unit, &config, &job, NULL, NULL, &result, NULL), STATUS_OK);
    assert_int_equal(result.solution.outcome, OUTCOME_CONVERGED);
    assert_true(result.judgement.bias == 0);
    error = result.error_percent;
    unit_close(unit);
    return error;
}

static void a_decision_of_exactly_0_counts_as_the_positive_class(void **state)
{
    (void)state;
    assert_true(error_on((const size_t[]){2}, 1) == 0);
    assert_true(error_on((const size_t[]){3}, 1) == 100);
}

static void the_error_is_the_share_of_tested_patterns_on_the_wrong_side(void **state)
{
    (void)state;
    assert_true(error_on((const size_t[]){2, 3, 4, 5}, 4) == 25);
    assert_true(error_on((const size_t[]){3, 4, 3, 5, 3}, 5) == 60); /* a row may repeat */
    assert_true(isnan(error_on(NULL, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decision_of_exactly_0_counts_as_the_positive_class),
        cmocka_unit_test(the_error_is_the_share_of_tested_patterns_on_the_wrong_side),
    };
    return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
