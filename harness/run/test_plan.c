/* The plan on data sets without patterns: the product in order, nonexistent splits, shards, missing sets. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/run/plan.h"

static const char text[] =
    "{\"name\": \"plan\", \"datasets\": [\"titanic\", \"heart\", \"twonorm\"], \"splits\": \"1-5\","
    "\"standardise\": \"none\","
    "\"kernel\": {\"type\": \"rbf\", \"width\": {\"per_dataset\": {\"twonorm\": [3, 1, 2], \"default\": 7}}},"
    "\"parameters\": {\"mu\": [0.5, 0.25]}, \"solvers\": [\"clip-mdm\", \"gsk\", \"mu-gsk\"],"
    "\"stop\": {\"rule\": \"rch-gap\", \"tolerance\": [0.1, 0.01]}}";

enum { TITANIC_SPLITS = 3, TWONORM_SPLITS = 9, USED_SPLITS = 5, TITANIC_JOBS = 10, TWONORM_JOBS = 30 };

struct fixture {
    struct pool *pool;
    struct config *config;
    struct split splits[TWONORM_SPLITS];
    struct dataset titanic, twonorm;
    struct dataset *datasets[3]; /* heart is missing */
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->pool = pool_new();
    fixture->config = config_parse(fixture->pool, "plan.json", text);
    for (size_t s = 0; s < TWONORM_SPLITS; s++)
        fixture->splits[s] = (struct split){.number = s + 1, .n_train = 100, .n_test = 10};
    fixture->titanic.n_splits = TITANIC_SPLITS;
    fixture->twonorm.n_splits = TWONORM_SPLITS;
    fixture->titanic.splits = fixture->twonorm.splits = fixture->splits;
    fixture->datasets[0] = &fixture->titanic;
    fixture->datasets[2] = &fixture->twonorm;
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    pool_free(fixture->pool);
    free(fixture);
    return 0;
}

/* The jobs of one solver in order: parameters before tolerances, the last varying fastest. */
static void check_solver_jobs(const struct job *job, size_t solver)
{
    static const double mus[] = {0.5, 0.25}, tolerances[] = {0.1, 0.01};
    size_t count = solver == 1 ? 2 : 4; /* gsk has no mu */
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(job[k].solver, solver);
        assert_true(job[k].stop.tolerance == tolerances[k % 2]);
        if (solver != 1)
            assert_true(parameter_get(&job[k].parameters, &parameter_mu) == mus[k / 2]);
    }
}

static void the_plan_is_the_product_in_the_order_it_is_written(void **state)
{
    struct fixture *fixture = *state;
    struct plan plan;
    static const double widths[] = {3, 1, 2};
    plan_build(fixture->config, fixture->datasets, 1, 1, &plan);
    assert_int_equal(plan.n_units, TITANIC_SPLITS + USED_SPLITS);
    assert_int_equal(plan.n_jobs, TITANIC_SPLITS * TITANIC_JOBS + USED_SPLITS * TWONORM_JOBS);
    size_t next = 0;
    for (size_t u = 0; u < plan.n_units; u++) {
        const struct unit *unit = &plan.units[u];
        int twonorm = u >= TITANIC_SPLITS;
        assert_int_equal(unit->first, next);
        assert_int_equal(unit->count, twonorm ? TWONORM_JOBS : TITANIC_JOBS);
        for (size_t j = 0; j < unit->count; j++) {
            const struct job *job = &plan.jobs[unit->first + j];
            assert_int_equal(job->dataset, twonorm ? 2 : 0);
            assert_int_equal(job->split, twonorm ? u - TITANIC_SPLITS : u);
            assert_true(job->kernel.width == (twonorm ? widths[j / TITANIC_JOBS] : 7));
        }
        for (size_t block = unit->first; block < unit->first + unit->count; block += TITANIC_JOBS) {
            check_solver_jobs(&plan.jobs[block], 0);
            check_solver_jobs(&plan.jobs[block + 4], 1);
            check_solver_jobs(&plan.jobs[block + 6], 2);
        }
        next += unit->count;
    }
}

/* Blocks as data set, split and kernel, in the order in which they are assigned to shards. */
static const unsigned char dealt[][3] = {
    {0, 0, 0}, {0, 1, 0}, {0, 2, 0},                       /* titanic */
    {2, 0, 1}, {2, 1, 1}, {2, 2, 1}, {2, 3, 1}, {2, 4, 1}, /* twonorm, from kernel -2 modulo 3 on */
    {2, 0, 2}, {2, 1, 2}, {2, 2, 2}, {2, 3, 2}, {2, 4, 2},
    {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {2, 3, 0}, {2, 4, 0},
};
enum { BLOCKS = sizeof dealt / sizeof *dealt };

/* The shard contains exactly the jobs of its blocks, in the order of the whole plan. */
static void check_shard_jobs(const struct plan *whole, const struct plan *plan, size_t shard, size_t shards)
{
    size_t at = 0;
    for (size_t j = 0; j < whole->n_jobs; j++) {
        const struct job *job = &whole->jobs[j];
        size_t block = 0;
        while (dealt[block][0] != job->dataset || dealt[block][1] != job->split ||
               dealt[block][2] != job->place[PLACE_KERNEL])
            block++;
        if (block % shards != shard - 1)
            continue;
        assert_true(at < plan->n_jobs);
        assert_memory_equal(plan->jobs[at].place, job->place, sizeof job->place);
        assert_true(kernel_equal(&plan->jobs[at++].kernel, &job->kernel));
    }
    assert_int_equal(plan->n_jobs, at);
}

/* Each job is in exactly one unit, and each unit has all jobs of one split. */
static void check_shard_units(const struct plan *plan)
{
    size_t next = 0;
    for (size_t u = 0; u < plan->n_units; u++) {
        const struct unit *unit = &plan->units[u];
        const struct job *first = &plan->jobs[unit->first];
        assert_int_equal(unit->first, next);
        assert_true(unit->count > 0 && unit->cost == 100.0 * 100 * (double)unit->count);
        for (size_t j = 0; j < unit->count; j++)
            assert_true(first[j].dataset == first->dataset && first[j].split == first->split);
        next += unit->count;
        if (next < plan->n_jobs)
            assert_true(plan->jobs[next].dataset != first->dataset || plan->jobs[next].split != first->split);
    }
    assert_int_equal(next, plan->n_jobs);
}

static void shards_share_out_the_blocks_each_once_and_evenly(void **state)
{
    struct fixture *fixture = *state;
    struct plan whole, plan;
    plan_build(fixture->config, fixture->datasets, 1, 1, &whole);
    for (size_t shards = 1; shards <= BLOCKS + 2; shards++)
        for (size_t shard = 1; shard <= shards; shard++) {
            plan_build(fixture->config, fixture->datasets, shard, shards, &plan);
            assert_int_equal(plan.total_blocks, BLOCKS);
            assert_int_equal(plan.n_jobs > 0, shard <= BLOCKS);
            check_shard_jobs(&whole, &plan, shard, shards);
            check_shard_units(&plan);
        }
}

static void without_data_the_plan_is_empty(void **state)
{
    struct fixture *fixture = *state;
    struct dataset *none[3] = {NULL};
    struct plan plan;
    plan_build(fixture->config, none, 1, 1, &plan);
    assert_int_equal(plan.n_units, 0);
    assert_int_equal(plan.n_jobs, 0);
}

#define PLAN_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLAN_TEST(the_plan_is_the_product_in_the_order_it_is_written),
        PLAN_TEST(shards_share_out_the_blocks_each_once_and_evenly),
        PLAN_TEST(without_data_the_plan_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
