/*
 * Jobs that differ only in the tolerance, run both on a unit that continues from one to the next and on separate units:
 * outcome, counts, values, multipliers and traces must be the same to the bit. Calls of init are counted, to detect a
 * unit that restarts every run.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/die.h"
#include "harness/run/unit.h"
#include "tests/all_tests.h"

enum { ROWS = 60, TRAIN = 40, DIMS = 2, JOBS = 6 };

/* One is met at once, one occurs twice, one exhausts the budget. */
static const double tolerances[JOBS] = {1e3, 1e-1, 1e-2, 1e-2, 1e-3, 1e-13};

static const struct solver *inner;
static size_t begun;
static int is_first; /* no select since init */

static enum status counted_init(void *state, const struct problem *problem, struct oracle *oracle)
{
    begun++;
    is_first = 1;
    assert_true(isnan(problem->tolerance) == (inner->ignores_tolerance != 0));
    return inner->init(state, problem, oracle);
}

static enum status select_below_zero(void *state, struct progress *progress)
{
    enum status status = inner->select(state, progress);
    if (is_first)
        progress->norm2 = -1e-300;
    is_first = 0;
    return status;
}

struct outcome_of_job {
    struct job_result result;
    double alpha[TRAIN];
    struct trace trace;
};

struct world {
    double x[ROWS * DIMS];
    signed char y[ROWS];
    size_t rows[ROWS];
    struct split split;
    struct dataset dataset;
    struct solver solver;
    struct config_solver of_config;
    struct config config;
    struct job job;
};

static double next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static void make_world(struct world *world, const struct solver *solver, enum kernel_type type)
{
    static char name[] = "made";
    uint64_t seed = 7;
    memset(world, 0, sizeof *world);
    for (size_t i = 0; i < ROWS; i++) {
        world->y[i] = i % 2 ? 1 : -1;
        world->rows[i] = i;
        for (size_t d = 0; d < DIMS; d++)
            world->x[i * DIMS + d] = 4 * next_random(&seed) - 2 + 0.8 * world->y[i];
    }
    world->split = (struct split){
        .number = 1, .n_train = TRAIN, .n_test = ROWS - TRAIN, .train = world->rows, .test = world->rows + TRAIN};
    world->dataset = (struct dataset){.name = name,
                                      .patterns = {.rows = ROWS, .dims = DIMS, .values = world->x},
                                      .y = world->y,
                                      .full_size = ROWS, .n_splits = 1, .splits = &world->split};
    inner = solver;
    world->solver = *solver;
    world->solver.init = counted_init;
    world->of_config = (struct config_solver){.solver = &world->solver, .budget = {.iterations = 100}};
    world->config = (struct config){
        .solvers = &world->of_config, .n_solvers = 1, .support_threshold = 1e-6, .repeats = 1};
    world->job = (struct job){.kernel = {.type = type, .width = 2}};
    for (size_t p = 0; p < solver_count_parameters(solver); p++) {
        const struct parameter *parameter = solver->parameters[p];
        double some = parameter->max <= 1 ? 0.2 : 10; /* mu, nu and C have no fallback */
        parameter_set(&world->job.parameters, parameter, isnan(parameter->fallback) ? some : parameter->fallback);
    }
    if (solver_reads(solver, &parameter_mu))
        parameter_set(&world->job.parameters, &parameter_c, 10); /* svm-gap needs C */
}

static struct split_session *open_unit(struct pool *pool, const struct world *world, int keeps)
{
    struct split_session *unit;
    unit = unit_open(pool, simd_select(NULL), &world->dataset, 0, world->job.kernel.type, (size_t)1 << 20, 0);
    if (keeps)
        session_keep_runs(unit->session);
    return unit;
}

static void run_one(struct split_session *unit, const struct world *world, double tolerance, int traced,
                    struct outcome_of_job *out)
{
    struct job job = world->job;
    job.stop.tolerance = tolerance;
    memset(out, 0, sizeof *out);
    unit_run_job(unit, &world->config, &job, traced ? &out->trace : NULL, NULL, &out->result);
    memcpy(out->alpha, session_alpha(unit->session), sizeof out->alpha);
}

static void run_alone(const struct world *world, double tolerance, int traced, struct outcome_of_job *out)
{
    struct pool *pool = pool_new();
    struct split_session *unit = open_unit(pool, world, 0);
    run_one(unit, world, tolerance, traced, out);
    pool_free(pool);
}

static int same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void assert_same(const struct outcome_of_job *a, const struct outcome_of_job *b)
{
    const struct job_result *x = &a->result, *y = &b->result;
    assert_int_equal(x->solution.outcome, y->solution.outcome);
    assert_string_equal(x->solution.reason, y->solution.reason);
    assert_int_equal(x->solution.iterations, y->solution.iterations);
    assert_memory_equal(x->operations, y->operations, sizeof x->operations);
    assert_int_equal(x->evaluations, y->evaluations);
    assert_true(same_number(x->judgement.objective, y->judgement.objective));
    assert_true(same_number(x->judgement.duality_gap, y->judgement.duality_gap));
    assert_true(same_number(x->judgement.bias, y->judgement.bias));
    assert_true(same_number(x->error_percent, y->error_percent));
    assert_true(same_number(x->mu_effective, y->mu_effective));
    assert_memory_equal(a->alpha, b->alpha, sizeof a->alpha);
    assert_int_equal(a->trace.count, b->trace.count);
    for (size_t i = 0; i < a->trace.count; i++) {
        const struct trace_point *p = &a->trace.points[i], *q = &b->trace.points[i];
        assert_true(p->iteration == q->iteration && p->kernel_operations == q->kernel_operations);
        assert_true(same_number(p->objective, q->objective) && same_number(p->gap, q->gap));
        assert_true(same_number(p->w[0], q->w[0]) && same_number(p->w[1], q->w[1]));
    }
}

/* Runs the jobs in the order of `tolerances`, or in reverse, on one unit; returns the number of calls of init. */
static size_t check_jobs(const struct world *world, int traced, int back)
{
    struct pool *pool = pool_new();
    struct split_session *unit = open_unit(pool, world, 1);
    size_t sum = 0;
    double last = (double)NAN;
    struct outcome_of_job alone = {0}, kept;
    for (size_t k = 0; k < JOBS; k++) {
        double tolerance = tolerances[back ? JOBS - 1 - k : k];
        if (tolerance != last) {
            trace_free(&alone.trace);
            run_alone(world, tolerance, traced, &alone);
        }
        last = tolerance;
        begun = 0;
        run_one(unit, world, tolerance, traced, &kept);
        sum += begun;
        assert_same(&alone, &kept);
        trace_free(&kept.trace);
    }
    trace_free(&alone.trace);
    pool_free(pool);
    return sum;
}

/* Unless all tests are asked for, the linear kernel is tested with traces only, which then have a plane. */
static void check_solver(const struct solver *solver, enum kernel_type type)
{
    struct world world;
    make_world(&world, solver, type);
    for (enum stop_rule rule = 0; stop_rule_name(rule); rule = stop_rule_next(rule)) {
        if (!stop_rule_fits(rule, solver))
            continue;
        world.job.stop.rule = rule;
        int shares = rule == STOP_SVM_GAP || (solver->ignores_tolerance && stop_reads_progress_alone(rule));
        if (type == KERNEL_RBF || all_tests())
            assert_int_equal(check_jobs(&world, 0, 0), shares ? 1 : JOBS);
        assert_int_equal(check_jobs(&world, 1, 0), JOBS); /* a trace requests gaps */
    }
}

static void a_run_that_goes_on_gives_what_runs_alone_give(void **state)
{
    (void)state;
    size_t shared = 0;
    for (const struct solver *const *solver = solvers_all(); *solver; solver++) {
        if ((*solver)->solve_external)
            continue;
        shared += (*solver)->ignores_tolerance != 0;
        check_solver(*solver, KERNEL_RBF);
        if (!(*solver)->stays_positive) /* these refuse negative kernel values */
            check_solver(*solver, KERNEL_LINEAR);
    }
    assert_true(shared >= 10);
}

static void looser_tolerances_begin_anew(void **state)
{
    (void)state;
    struct world world;
    make_world(&world, solver_find("unary-mdm"), KERNEL_RBF);
    world.job.stop.rule = STOP_DELTA_NORM2;
    assert_int_equal(check_jobs(&world, 0, 1), JOBS - 1); /* one tolerance occurs twice */
}

/* Runs a job at 0.1, applies the change, and runs it at 0.01; returns the number of calls of init for the second. */
static size_t begun_after(struct world *world, void (*change)(struct world *world))
{
    struct outcome_of_job first, alone, second;
    struct pool *pool = pool_new();
    struct split_session *unit = open_unit(pool, world, 1);
    run_one(unit, world, 0.1, 0, &first);
    change(world);
    run_alone(world, 0.01, 0, &alone);
    begun = 0;
    run_one(unit, world, 0.01, 0, &second);
    assert_same(&alone, &second);
    pool_free(pool);
    return begun;
}

static void change_nothing(struct world *world)
{
    (void)world;
}

static void change_kernel(struct world *world)
{
    world->job.kernel.width = 3;
}

static void change_parameter(struct world *world)
{
    parameter_set(&world->job.parameters, &parameter_c, 7);
}

static void change_rule(struct world *world)
{
    world->job.stop.rule = STOP_DELTA_2NORM2;
}

static void change_budget(struct world *world)
{
    world->of_config.budget.iterations = 101;
}

static void change_operations(struct world *world)
{
    world->of_config.budget.kernel_operations = (uint64_t)1 << 40;
}

static void change_solver(struct world *world)
{
    static struct solver other;
    other = world->solver;
    world->of_config.solver = &other;
}

static void change_to_seconds(struct world *world)
{
    world->of_config.budget.seconds = 1000;
}

static void jobs_that_differ_in_more_begin_anew(void **state)
{
    (void)state;
    static void (*const changes[])(struct world *) = {change_nothing, change_kernel,     change_parameter, change_rule,
                                                      change_budget,  change_operations, change_solver,
                                                      change_to_seconds};
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        struct world world;
        make_world(&world, solver_find("unary-mdm"), KERNEL_RBF);
        world.job.stop.rule = STOP_DELTA_NORM2;
        assert_int_equal(begun_after(&world, changes[k]), k > 0);
    }
}

/* Where |W|^2 < 0, delta <= tolerance |W|^2 is easier to meet with a smaller tolerance: a run alone could end there. */
static void a_squared_norm_below_zero_ends_runs_under_rules_on_it(void **state)
{
    (void)state;
    static const enum stop_rule rules[] = {STOP_DELTA_NORM2, STOP_DELTA_2NORM2, STOP_DELTA};
    for (size_t k = 0; k < 3; k++) {
        struct world world;
        make_world(&world, solver_find("unary-mdm"), KERNEL_RBF);
        world.solver.select = select_below_zero;
        world.job.stop.rule = rules[k];
        assert_int_equal(begun_after(&world, change_nothing), rules[k] != STOP_DELTA);
    }
}

static void units_do_not_keep_runs_unasked_or_with_rows_that_are_checked(void **state)
{
    (void)state;
    struct world world;
    struct outcome_of_job out;
    make_world(&world, solver_find("unary-mdm"), KERNEL_RBF);
    world.job.stop.rule = STOP_DELTA_NORM2;
    for (int checked = 0; checked < 2; checked++) {
        struct pool *pool = pool_new();
        struct split_session *unit = open_unit(pool, &world, checked);
        if (checked)
            assert_int_equal(session_check_rows(unit->session, NULL), STATUS_OK);
        begun = 0;
        run_one(unit, &world, 0.1, 0, &out);
        run_one(unit, &world, 0.01, 0, &out);
        assert_int_equal(begun, 2);
        pool_free(pool);
    }
}

struct interrupting {
    struct split_session *unit;
    const struct world *world;
    const struct job *job;
    struct job_result *result;
};

static const volatile sig_atomic_t interrupted = 1;

static void run_interrupted(void *data)
{
    const struct interrupting *run = data;
    unit_run_job(run->unit, &run->world->config, run->job, NULL, &interrupted, run->result);
}

static void an_interrupted_run_is_not_gone_on_with(void **state)
{
    (void)state;
    struct world world;
    struct outcome_of_job out, alone;
    make_world(&world, solver_find("unary-mdm"), KERNEL_RBF);
    world.job.stop.rule = STOP_DELTA_NORM2;
    world.of_config.budget.iterations = 1000000;
    struct pool *pool = pool_new();
    struct split_session *unit = open_unit(pool, &world, 1);
    run_one(unit, &world, 0.1, 0, &out);
    assert_int_equal(out.result.solution.outcome, OUTCOME_CONVERGED); /* work remains to be interrupted */
    struct job job = world.job;
    job.stop.tolerance = 0.001;
    struct interrupting interrupting = {unit, &world, &job, &out.result};
    assert_int_equal(attempt(run_interrupted, &interrupting, NULL), STATUS_INTERRUPTED);
    run_alone(&world, 0.001, 0, &alone);
    begun = 0;
    run_one(unit, &world, 0.001, 0, &out);
    assert_int_equal(begun, 1);
    assert_same(&alone, &out);
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_goes_on_gives_what_runs_alone_give),
        cmocka_unit_test(looser_tolerances_begin_anew),
        cmocka_unit_test(jobs_that_differ_in_more_begin_anew),
        cmocka_unit_test(a_squared_norm_below_zero_ends_runs_under_rules_on_it),
        cmocka_unit_test(units_do_not_keep_runs_unasked_or_with_rows_that_are_checked),
        cmocka_unit_test(an_interrupted_run_is_not_gone_on_with),
    };
    return cmocka_run_group_tests_name("kept runs", tests, NULL, NULL);
}
