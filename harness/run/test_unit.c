/*
 * A job on a split that can be solved by hand: patterns -1 and 1 on a line, so W = 2 and the decision is x. The repeats
 * run clip-mdm through wrappers, which count the runs and may change the later ones.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/run/record_line.h"
#include "harness/run/unit.h"

enum { ROWS = 6 };

/* State of the test solver; it changes runs after the first. */
static size_t runs;                       /* runs begun */
static double added;                      /* added to the first multiplier */
static size_t idle;                       /* updates that do nothing */
static const struct solver *clip_mdm;
static struct timing timing;              /* of the last repeat() */

static enum status counted_init(void *solver_state, const struct problem *problem, struct oracle *oracle)
{
    runs++;
    return clip_mdm->init(solver_state, problem, oracle);
}

static enum status idle_update(void *solver_state, struct oracle *oracle)
{
    if (runs > 1 && idle > 0) {
        idle--;
        return STATUS_OK;
    }
    return clip_mdm->update(solver_state, oracle);
}

static void moved_alpha(const void *solver_state, double *alpha)
{
    clip_mdm->alpha(solver_state, alpha);
    if (runs > 1)
        alpha[0] += added;
}

/* Runs the job with that many repeats and a budget of seconds, 0 for none; alpha gets the multipliers. */
static struct job_result repeat(unsigned repeats, double seconds, double alpha[2])
{
    double x[] = {-1, 1};
    signed char y[] = {-1, 1};
    const size_t train[] = {0, 1};
    char name[] = "line";
    struct split split = {.number = 1, .n_train = 2, .n_test = 2, .train = train, .test = train};
    const struct dataset dataset = {
        .name = name, .patterns = {.rows = 2, .dims = 1, .values = x}, .y = y, .full_size = 2,
        .n_splits = 1, .splits = &split};
    clip_mdm = solver_find("clip-mdm");
    struct solver made = *clip_mdm;
    made.init = counted_init;
    made.update = idle_update;
    made.alpha = moved_alpha;
    struct config_solver solver = {.solver = &made, .budget = {.iterations = 3, .seconds = seconds}};
    const struct config config = {
        .solvers = &solver, .n_solvers = 1, .support_threshold = 1e-6, .repeats = repeats};
    struct job job = {.kernel = {.type = KERNEL_LINEAR}, .stop = {STOP_ITERATIONS, 0}};
    struct split_session *unit;
    struct job_result result;
    parameter_set(&job.parameters, &parameter_mu, 1);
    runs = 0;
    struct pool *of_unit = pool_new();
    unit = unit_open(of_unit, simd_select(NULL), &dataset, 0, KERNEL_LINEAR, (size_t)1 << 20, 0);
    unit_run_job(unit, &config, &job, NULL, NULL, &result);
    alpha[0] = session_alpha(unit->session)[0];
    alpha[1] = session_alpha(unit->session)[1];
    timing = unit->timing;
    pool_free(of_unit);
    return result;
}

static void repeats_give_times_and_leave_the_result_of_the_first_run(void **state)
{
    (void)state;
    double first[2], alpha[2];
    added = 0;
    idle = 0;
    const struct job_result once = repeat(1, 0, first);
    assert_int_equal(runs, 1);
    assert_int_equal(timing.cpu.repeats, 0);
    assert_true(timing.seconds == once.solution.seconds);
    const struct job_result again = repeat(3, 0, alpha);
    const struct cpu_seconds *cpu = &timing.cpu;
    assert_true(runs > 3 && (runs - 1) % 3 == 0); /* each repeat has the same number of runs */
    assert_int_equal(cpu->repeats, 3);
    assert_true(0 <= cpu->min && cpu->min <= cpu->median && cpu->median <= cpu->max);
    assert_int_equal(again.solution.outcome, once.solution.outcome);
    assert_int_equal(again.solution.iterations, once.solution.iterations);
    assert_memory_equal(again.operations, once.operations, sizeof once.operations);
    assert_int_equal(again.evaluations, once.evaluations);
    assert_memory_equal(alpha, first, sizeof first);
}

static void a_solver_that_is_not_deterministic_fails_by_name_of_what_differs(void **state)
{
    (void)state;
    double first[2], alpha[2];
    added = 0;
    idle = 0;
    repeat(1, 0, first);
    added = 1e-15;
    struct job_result result = repeat(5, 0, alpha);
    assert_int_equal(result.solution.outcome, OUTCOME_FAILED);
    assert_non_null(strstr(result.solution.reason, "not deterministic"));
    assert_non_null(strstr(result.solution.reason, "multipliers"));
    assert_int_equal(runs, 2); /* stops there */
    assert_int_equal(timing.cpu.repeats, 0);
    assert_memory_equal(alpha, first, sizeof first);
    added = 0;
    idle = 1;
    result = repeat(5, 0, alpha);
    assert_int_equal(result.solution.outcome, OUTCOME_FAILED);
    assert_non_null(strstr(result.solution.reason, "iterations"));
}

static void runs_that_the_clock_ends_may_differ(void **state)
{
    (void)state;
    double alpha[2];
    added = 1e-15;
    idle = 0;
    const struct job_result result = repeat(2, 1e-9, alpha); /* exhausted before the first update */
    assert_int_equal(result.solution.outcome, OUTCOME_TIME_LIMIT);
    assert_int_equal(timing.cpu.repeats, 2);
}

/* The error on some rows of the data set, in per cent. The decision is exactly 0 for rows 2 and 3; rows 4 and 5 are on
 * either side. */
static double error_on(const size_t *test, size_t n_test)
{
    double x[ROWS] = {-1, 1, 0, 0, -3, 0.5}, error;
    signed char y[ROWS] = {-1, 1, 1, -1, -1, 1};
    const size_t train[] = {0, 1};
    char name[] = "line";
    struct split split = {.number = 1, .n_train = 2, .n_test = n_test, .train = train, .test = test};
    const struct dataset dataset = {
        .name = name, .patterns = {.rows = ROWS, .dims = 1, .values = x}, .y = y, .full_size = ROWS,
        .n_splits = 1, .splits = &split};
    struct config_solver solver = {.solver = solver_find("clip-mdm"), .budget = {.iterations = 100}};
    const struct config config = {.solvers = &solver, .n_solvers = 1, .support_threshold = 1e-6};
    struct job job = {.kernel = {.type = KERNEL_LINEAR}, .stop = {STOP_RCH_GAP, 1e-6}};
    struct split_session *unit;
    struct job_result result;
    job.parameters = (struct parameters){0};
    parameter_set(&job.parameters, &parameter_mu, 1);
    struct pool *of_unit = pool_new();
    unit = unit_open(of_unit, simd_select(NULL), &dataset, 0, KERNEL_LINEAR, (size_t)1 << 20, 0);
    unit_run_job(unit, &config, &job, NULL, NULL, &result);
    assert_int_equal(result.solution.outcome, OUTCOME_CONVERGED);
    assert_true(result.judgement.bias == 0);
    error = result.error_percent;
    pool_free(of_unit);
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
    assert_true(error_on((const size_t[]){3, 4, 3, 5, 3}, 5) == 60); /* a row may occur twice */
    assert_true(isnan(error_on(NULL, 0)));
}

/* The errors of 1-smo on x = -2, 2 and 1 with the polynomial kernel, which ignores signs, then the linear, then the
 * polynomial one again, on one unit that keeps at most max_bytes of test rows. */
static void errors_of_kernels(size_t max_bytes, double *error)
{
    double x[] = {-2, 2, 1, -1, 0.5, -0.8, 3, -3};
    signed char y[] = {-1, 1, 1, -1, 1, -1, 1, -1};
    const size_t train[] = {0, 1, 2}, test[] = {3, 4, 5, 6, 7};
    const struct kernel squares = {.type = KERNEL_POLYNOMIAL, .degree = 2, .scale = 1},
                        kernels[] = {squares, {.type = KERNEL_LINEAR}, squares};
    char name[] = "line";
    struct split split = {.number = 1, .n_train = 3, .n_test = 5, .train = train, .test = test};
    const struct dataset dataset = {
        .name = name, .patterns = {.rows = 8, .dims = 1, .values = x}, .y = y, .full_size = 8,
        .n_splits = 1, .splits = &split};
    struct config_solver solver = {.solver = solver_find("1-smo"), .budget = {.iterations = 100}};
    const struct config config = {.solvers = &solver, .n_solvers = 1, .support_threshold = 1e-6};
    struct split_session *unit;
    struct pool *of_unit = pool_new();
    unit = unit_open(of_unit, simd_select(NULL), &dataset, 0, KERNEL_LINEAR, (size_t)1 << 20, 1);
    session_keep_test_rows(unit->session, max_bytes);
    for (size_t k = 0; k < 3; k++) {
        struct job job = {.kernel = kernels[k], .stop = {STOP_KKT, 1e-6}};
        struct job_result result;
        parameter_set(&job.parameters, &parameter_c, 1);
        unit_run_job(unit, &config, &job, NULL, NULL, &result);
        error[k] = result.error_percent;
    }
    pool_free(of_unit);
}

static void test_rows_are_kept_for_one_kernel_only(void **state)
{
    (void)state;
    double kept[3], computed[3];
    errors_of_kernels(1 << 20, kept);
    errors_of_kernels(0, computed);
    assert_memory_equal(kept, computed, sizeof kept);
    assert_true(computed[0] > 0 && computed[1] == 0 && computed[2] > 0);
}

/* ---- kernels with values that are not finite ---- */

enum { TRAINED = 26, ALL = 30, AT = 1 }; /* kernel_check checks samples 0, 2, 4, 6, 8, 10, 13, ... of 26 */

static double wrong_at, wrong_value; /* the sample with wrong kernel values, and the wrong value */

/* The inner product, except for one sample. */
static double wrong_there(const double *x, const double *z, size_t dims, const double *values)
{
    (void)dims, (void)values;
    return x[0] == wrong_at || z[0] == wrong_at ? wrong_value : 1 + x[0] * z[0];
}

/* Runs clip-mdm on samples of both classes along a line, with a kernel that is wrong at sample `at`. */
static struct job_result run_with_fault(size_t at, double value, size_t gram_bytes)
{
    static const struct kernel_family family = {
        .name = "wrong-there", .meaning = "m", .type = KERNEL_OF_PLUGIN, .of_samples = wrong_there};
    double x[ALL];
    signed char y[ALL];
    size_t rows[ALL];
    for (size_t i = 0; i < ALL; i++) {
        y[i] = i % 2 ? 1 : -1;
        x[i] = y[i] * (1 + (double)i / ALL);
        rows[i] = i;
    }
    wrong_at = x[at];
    wrong_value = value;
    char name[] = "line";
    struct split split = {.number = 1, .n_train = TRAINED, .n_test = ALL - TRAINED, .train = rows,
                          .test = rows + TRAINED};
    const struct dataset dataset = {
        .name = name, .patterns = {.rows = ALL, .dims = 1, .values = x}, .y = y, .full_size = ALL,
        .n_splits = 1, .splits = &split};
    struct config_solver solver = {.solver = solver_find("clip-mdm"), .budget = {.iterations = 1000}};
    const struct config config = {.solvers = &solver, .n_solvers = 1, .support_threshold = 1e-6};
    struct job job = {.kernel = kernel_of_family(&family, &(double){0}), .stop = {STOP_RCH_GAP_BOTH, 1e-6}};
    struct split_session *unit;
    struct job_result result;
    parameter_set(&job.parameters, &parameter_mu, 0.5);
    struct pool *of_unit = pool_new();
    unit = unit_open(of_unit, simd_select(NULL), &dataset, 0, KERNEL_OF_PLUGIN, gram_bytes, 0);
    unit_run_job(unit, &config, &job, NULL, NULL, &result);
    pool_free(of_unit);
    return result;
}

static void a_kernel_that_is_not_finite_on_a_test_sample_leaves_no_error_and_is_named(void **state)
{
    (void)state;
    const double values[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    static const char *const names[] = {"gives nan on", "gives inf on", "gives -inf on"};
    for (size_t k = 0; k < 3; k++) {
        const struct job_result result = run_with_fault(TRAINED + 2, values[k], (size_t)1 << 20);
        assert_int_equal(result.solution.outcome, OUTCOME_FAILED);
        assert_true(isnan(result.error_percent));
        assert_non_null(strstr(result.solution.reason, "kernel \"wrong-there\""));
        assert_non_null(strstr(result.solution.reason, names[k]));
        assert_non_null(strstr(result.solution.reason, "test sample 3"));
    }
}

static void a_kernel_that_is_not_finite_on_training_samples_ends_the_run_and_is_named(void **state)
{
    (void)state;
    const double values[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < 6; k++) { /* with a full matrix, and with a cache of rows */
        const struct job_result result = run_with_fault(AT, values[k % 3], k < 3 ? (size_t)1 << 20 : 1);
        assert_int_equal(result.solution.outcome, OUTCOME_FAILED);
        assert_true(isnan(result.error_percent));
        assert_non_null(strstr(result.solution.reason, "kernel \"wrong-there\""));
        assert_non_null(strstr(result.solution.reason, "training samples"));
        assert_true(result.solution.iterations <= 1);
    }
}

static void a_kernel_that_is_wrong_nowhere_it_is_asked_for_is_not_blamed(void **state)
{
    (void)state;
    const struct job_result result = run_with_fault(AT, 1, (size_t)1 << 20);
    assert_true(isfinite(result.error_percent));
    assert_null(strstr(result.solution.reason, "gives"));
}

/* ---- mu of C ---- */

enum { MU_ROWS = 9, MU_JOBS = 6 };

static struct job job_of_c(size_t solver, double c, double width)
{
    struct job job = {.solver = solver, .kernel = {.type = KERNEL_RBF, .width = width},
                      .stop = {solver ? STOP_KKT : STOP_GAP_SUM_NORM2, 1e-10}};
    parameter_set(&job.parameters, &parameter_c, c);
    return job;
}

/* Runs clip-mdm with the mu of C (solver 0) or 1-smo (1), one after the other on one unit, and copies their records. */
static void run_in_turn(const struct config_solver *limits, const struct job *jobs, size_t count,
                        struct job_result *results, char **lines)
{
    double x[] = {0, 1, 2.5, 3, 4, 1.5, 3.5, 6, 7};
    signed char y[] = {1, 1, 1, 1, -1, -1, -1, -1, -1};
    const size_t train[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    char name[] = "overlap";
    struct split split = {.number = 1, .n_train = MU_ROWS, .train = train};
    const struct dataset dataset = {.name = name, .patterns = {.rows = MU_ROWS, .dims = 1, .values = x}, .y = y,
                                    .full_size = MU_ROWS, .n_splits = 1, .splits = &split};
    struct config_solver solvers[] = {*limits, *limits};
    solvers[0].solver = solver_find("clip-mdm");
    solvers[0].mu_of_c = 1;
    solvers[1].solver = solver_find("1-smo");
    const struct config config = {.name = name, .solvers = solvers, .n_solvers = 2};
    struct split_session *unit;
    struct pool *of_unit = pool_new();
    unit = unit_open(of_unit, simd_select(NULL), &dataset, 0, KERNEL_RBF, (size_t)1 << 20, 1);
    session_keep_runs(unit->session);
    for (size_t j = 0; j < count; j++) {
        unit_run_job(unit, &config, &jobs[j], NULL, NULL, &results[j]);
        struct pool *pool = pool_new();
        lines[j] = xstrdup(record_line(pool, record_of_job(pool, &config, &dataset, &jobs[j], &results[j])));
        pool_free(pool);
    }
    pool_free(of_unit);
}

static void a_hull_gets_the_mu_of_c_whatever_ran_before_it(void **state)
{
    (void)state;
    const struct job jobs[MU_JOBS] = {job_of_c(0, 0.5, 4), job_of_c(1, 0.5, 4), job_of_c(0, 3, 4),
                                      job_of_c(1, 3, 4),   job_of_c(0, 3, 9),   job_of_c(1, 3, 9)};
    struct job_result results[MU_JOBS], alone;
    char *lines[MU_JOBS], *line;
    const struct config_solver limits = {.budget = {.iterations = 100000}};
    run_in_turn(&limits, jobs, MU_JOBS, results, lines);
    for (size_t j = 0; j < MU_JOBS; j += 2) {
        const struct job_result *hull = &results[j], *svm = &results[j + 1];
        assert_int_equal(hull->solution.outcome, OUTCOME_CONVERGED);
        assert_true(isnan(svm->mu_effective));
        assert_true(hull->mu_effective < 1 && fabs(hull->mu_effective - svm->judgement.rch_mu) <= 1e-8);
        assert_non_null(strstr(lines[j], j ? "\"params\":{\"C\":3}" : "\"params\":{\"C\":0.5}"));
        run_in_turn(&limits, &jobs[j], 1, &alone, &line);
        assert_string_equal(line, lines[j]); /* the counts, too: they exclude the search for mu */
        free(line);
    }
    assert_true(results[0].mu_effective < results[2].mu_effective);
    assert_true(results[2].mu_effective != results[4].mu_effective);
    for (size_t j = 0; j < MU_JOBS; j++)
        free(lines[j]);
}

/* A limit of m N^2 equals a limit of that many kernel operations, rounded down. */
static void a_budget_in_kernel_matrices_is_one_in_kernel_operations(void **state)
{
    (void)state;
    const double n2 = MU_ROWS * MU_ROWS;
    const struct {
        struct config_solver given;
        uint64_t operations;
    } cases[] = {
        {{.kernel_matrices = 1.5}, 121},
        {{.kernel_matrices = 1.5, .budget = {.kernel_operations = 200}}, 121},
        {{.kernel_matrices = 1.5, .budget = {.kernel_operations = 90}}, 90},
        {{.kernel_matrices = 1e-9}, 1},
    };
    assert_true(floor(1.5 * n2) == 121);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t solver = 0; solver < 2; solver++) {
            const struct config_solver plain = {.budget = {.kernel_operations = cases[i].operations}};
            const struct job job = job_of_c(solver, 3, 4);
            struct job_result by_matrices, by_operations;
            char *line, *expected;
            run_in_turn(&cases[i].given, &job, 1, &by_matrices, &line);
            run_in_turn(&plain, &job, 1, &by_operations, &expected);
            assert_int_equal(by_matrices.solution.outcome, OUTCOME_OPERATION_LIMIT);
            assert_true(by_matrices.operations[PHASE_ITERATIONS] >= cases[i].operations);
            assert_string_equal(line, expected);
            free(line);
            free(expected);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decision_of_exactly_0_counts_as_the_positive_class),
        cmocka_unit_test(the_error_is_the_share_of_tested_patterns_on_the_wrong_side),
        cmocka_unit_test(test_rows_are_kept_for_one_kernel_only),
        cmocka_unit_test(repeats_give_times_and_leave_the_result_of_the_first_run),
        cmocka_unit_test(a_solver_that_is_not_deterministic_fails_by_name_of_what_differs),
        cmocka_unit_test(runs_that_the_clock_ends_may_differ),
        cmocka_unit_test(a_kernel_that_is_not_finite_on_a_test_sample_leaves_no_error_and_is_named),
        cmocka_unit_test(a_kernel_that_is_not_finite_on_training_samples_ends_the_run_and_is_named),
        cmocka_unit_test(a_kernel_that_is_wrong_nowhere_it_is_asked_for_is_not_blamed),
        cmocka_unit_test(a_hull_gets_the_mu_of_c_whatever_ran_before_it),
        cmocka_unit_test(a_budget_in_kernel_matrices_is_one_in_kernel_operations),
    };
    return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
