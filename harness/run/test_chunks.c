/* Chunks of work: every job is in one chunk, and no chunk costs more than an eighth of a thread's share unless it is a
 * single job; most expensive first. And how several threads process chunks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/run/run.h"

enum { UNITS = 5, JOBS = 131 };

/* Costs of 1, 1, 50, 7 and 41 for units of 1, 30, 90, 7 and 3 jobs. */
static void plan_of(struct plan *plan, struct unit *units)
{
    static const size_t counts[UNITS] = {1, 30, 90, 7, 3};
    static const double costs[UNITS] = {1, 1, 50, 7, 41};
    memset(plan, 0, sizeof *plan);
    for (size_t u = 0; u < UNITS; u++) {
        units[u] = (struct unit){plan->n_jobs, counts[u], costs[u]};
        plan->n_jobs += counts[u];
    }
    plan->units = units;
    plan->n_units = UNITS;
    assert_int_equal(plan->n_jobs, JOBS);
}

static size_t unit_of(const struct plan *plan, size_t job)
{
    size_t u = 0;
    while (job >= plan->units[u].first + plan->units[u].count)
        u++;
    return u;
}

static void pieces_are_the_plan_cut_fine_enough(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 100; threads++) {
        struct plan plan;
        struct unit units[UNITS], *pieces;
        size_t count, seen[JOBS] = {0};
        double max = 100.0 / (8 * threads), cost = 0;
        plan_of(&plan, units);
        pieces = plan_chunks(&plan, threads, &count);
        for (size_t p = 0; p < count; p++) {
            const struct unit *unit = &units[unit_of(&plan, pieces[p].first)];
            double of_a_job = unit->cost / (double)unit->count;
            for (size_t j = pieces[p].first; j < pieces[p].first + pieces[p].count; j++)
                seen[j]++;
            assert_true(pieces[p].count > 0 && pieces[p].first + pieces[p].count <= unit->first + unit->count);
            assert_true(threads == 1 || pieces[p].cost < max + of_a_job); /* chunks differ by one job */
            assert_true(p == 0 || pieces[p].cost < pieces[p - 1].cost ||
                        (pieces[p].cost == pieces[p - 1].cost && pieces[p].first > pieces[p - 1].first));
            cost += pieces[p].cost;
        }
        for (size_t j = 0; j < JOBS; j++)
            assert_int_equal(seen[j], 1);
        assert_true(cost > 100 - 1e-9 && cost < 100 + 1e-9);
        assert_int_equal(count == UNITS, threads == 1);
        free(pieces);
    }
}

static void many_units_alike_stay_whole(void **state)
{
    (void)state;
    struct unit units[32], *pieces;
    struct plan plan = {.units = units, .n_units = 32, .n_jobs = 320};
    size_t count;
    for (size_t u = 0; u < 32; u++)
        units[u] = (struct unit){10 * u, 10, 3};
    pieces = plan_chunks(&plan, 4, &count);
    assert_int_equal(count, 32);
    for (size_t p = 0; p < 32; p++)
        assert_true(pieces[p].first == 10 * p && pieces[p].count == 10 && pieces[p].cost == 3);
    free(pieces);
}

/* The third item is interrupted, the fifth fails, and the others are not started. */
static void fail_at_five(void *context, size_t i, struct stage_times *stage_times)
{
    int *done = context;
    stage_times->seconds[STAGE_FILES] += 1;
#pragma omp atomic
    done[i]++;
    if (i == 4)
        die(STATUS_BAD_INPUT, "the fifth");
    if (i == 2)
        die(STATUS_INTERRUPTED, "another");
}

struct eight {
    int done[100], went_on;
};

static void work_on_eight(void *data)
{
    struct eight *eight = data;
    struct stage_times sum = {0};
    eight->went_on = run_in_parallel(100, 8, fail_at_five, eight->done, &sum);
}

static void parallel_work_ends_at_the_first_failure_which_goes_before_an_interruption(void **state)
{
    (void)state;
    struct error error = {0};
    struct stage_times sum = {0};
    struct eight eight = {.went_on = 1};
    int done[100] = {0};
    assert_true(run_in_parallel(2, 2, fail_at_five, done, &sum));
    assert_true(done[0] == 1 && done[1] == 1 && done[2] == 0 && sum.seconds[STAGE_FILES] == 2);
    assert_false(run_in_parallel(100, 1, fail_at_five, done, &sum));
    assert_true(done[2] == 1 && done[3] == 0 && sum.seconds[STAGE_FILES] == 5);
    enum status status = attempt(work_on_eight, &eight, &error);
    assert_int_equal(status, eight.done[4] ? STATUS_BAD_INPUT : STATUS_OK);
    assert_true(status == STATUS_OK ? !eight.went_on : strcmp(error.message, "the fifth") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_the_plan_cut_fine_enough),
        cmocka_unit_test(many_units_alike_stay_whole),
        cmocka_unit_test(parallel_work_ends_at_the_first_failure_which_goes_before_an_interruption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
