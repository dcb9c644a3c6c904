/* Agreement of rankings at two targets, for two solvers whose costs are given. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "harness/atlas/atlas.h"
#include "harness/records/record.h"

enum { SOLVERS = 2, DATASETS = 3, TARGETS = 2, RUNS = SOLVERS * DATASETS * TARGETS, RESAMPLES = 20 };

/* One problem for each of the first or last data sets of an atlas. */
struct given {
    struct atlas atlas;
    struct atlas_family family;
    struct atlas_problem problems[DATASETS];
    struct record record;
    const struct record *runs[RUNS];
    double spent[RUNS], times[RESAMPLES * DATASETS], values[RESAMPLES], targets[TARGETS];
    size_t counting[SOLVERS];
};

/* Data set 0 has no problem if `skips` is 1. Resample b draws data set b % 3 three times, or two data sets. */
static struct pool *pool; /* of all atlases */

static void give(struct given *given, size_t n_problems, size_t skips)
{
    memset(given, 0, sizeof *given);
    given->record.converged = 1;
    given->targets[0] = 1e-1;
    given->targets[1] = 1e-3;
    given->counting[1] = 1;
    for (size_t p = 0; p < n_problems; p++)
        given->problems[p].dataset = p + skips;
    for (size_t k = 0; k < RUNS; k++)
        given->runs[k] = &given->record;
    for (size_t b = 0; b < RESAMPLES; b++) {
        given->times[b * DATASETS + b % DATASETS] = b % 2 ? 3 : 2;
        given->times[b * DATASETS + (b + 1) % DATASETS] += b % 2 ? 0 : 1;
        given->values[b] = -1; /* the worst agreement, of an earlier call */
    }
    given->atlas.pool = given->atlas.scratch = pool;
    given->atlas.n_datasets = DATASETS;
    given->atlas.draws = (struct bootstrap_draws){DATASETS, RESAMPLES, given->times, given->values};
    given->family = (struct atlas_family){.key = "linear",
                                          .loose = TARGETS - 1,
                                          .problems = given->problems,
                                          .targets = given->targets,
                                          .n_series = SOLVERS,
                                          .n_problems = n_problems,
                                          .n_targets = TARGETS,
                                          .runs = given->runs};
    given->family.costs[ATLAS_ITERATIONS] = (struct cube){.n_series = SOLVERS,
                                                          .n_tasks = n_problems * TARGETS,
                                                          .cost = given->spent,
                                                          .spent = given->spent,
                                                          .counting = given->counting,
                                                          .n_counting = SOLVERS};
}

/* Sets what the solvers spend on a problem up to a target. */
static void spend(struct given *given, size_t problem, size_t target, double first, double second)
{
    given->spent[atlas_at(&given->family, 0, problem, target)] = first;
    given->spent[atlas_at(&given->family, 1, problem, target)] = second;
}

/* The columns of atlas-stability. */
enum { REFERENCE = 3, TARGET, SHOWN, TAU, TAU_LOW, TAU_HIGH, SAME_WINNER = 10, LOSS = 14, PROBLEMS = 17, COLUMNS };

/* The rows of both targets. */
static struct result table_of(struct given *given)
{
    struct atlas_output out = {.atlas = &given->atlas};
    struct atlas_table table = {.out = &out, .page = {.pool = pool}, .data = {.pool = pool}};
    result_columns(&table.data, "family\tcost\ttargets\t#from\t#to\t#\t#\t#\t#\t#\t#\t#\t#\t#\t#\t#\t#\t#");
    rank_stability_put(&table, &given->family, ATLAS_ITERATIONS);
    return table.data;
}

static double number_at(const struct result *rows, size_t row, size_t column)
{
    return result_at(rows, row, column)->number;
}

static struct result rows_of(struct given *given)
{
    const struct result rows = table_of(given);
    assert_int_equal(rows.values.count, TARGETS * COLUMNS);
    assert_true(number_at(&rows, 1, TAU) == 1); /* the reference, 1e-3, with itself */
    return rows;
}

static void assert_tau(const struct result *rows, size_t row, double tau, double low, double high)
{
    assert_true(number_at(rows, row, TAU) == tau && number_at(rows, row, TAU_LOW) == low &&
                number_at(rows, row, TAU_HIGH) == high);
    const char *shown = result_at(rows, row, SHOWN)->text; /* a level other than that of the atlas would be in it */
    assert_true(strchr(shown, '[') && !strchr(shown, ';'));
}

/* Then every resample has the estimate too. */
static void data_sets_that_all_rank_alike_leave_no_doubt(void **state)
{
    struct given given;
    (void)state;
    give(&given, DATASETS, 0);
    for (size_t p = 0; p < DATASETS; p++) {
        spend(&given, p, 0, 30, 20);
        spend(&given, p, 1, 40, 50);
    }
    const struct result rows = rows_of(&given);
    assert_tau(&rows, 0, -1, -1, -1);
    assert_tau(&rows, 1, 1, 1, 1); /* the reference itself */
}

/* Resamples without data set 2 have tau = 1; those with it at least twice have -1. */
static void data_sets_that_disagree_widen_the_interval(void **state)
{
    struct given given;
    (void)state;
    give(&given, DATASETS, 0);
    for (size_t p = 0; p < DATASETS; p++) {
        spend(&given, p, 0, p == 2 ? 30 : 20, p == 2 ? 20 : 30); /* the mean log cost is lower for solver 0 */
        spend(&given, p, 1, 40, 50);
    }
    const struct result rows = rows_of(&given);
    assert_tau(&rows, 0, 1, -1, 1);
}

/* Resamples that draw none of the two are left out, since all their means are equal. */
static void two_data_sets_with_problems_give_an_interval(void **state)
{
    (void)state;
    for (size_t skips = 0; skips < 2; skips++) {
        struct given given;
        give(&given, 2, skips);
        for (size_t p = 0; p < 2; p++) {
            spend(&given, p, 0, 20, 30);
            spend(&given, p, 1, 40, 50);
        }
        const struct result rows = rows_of(&given);
        assert_tau(&rows, 0, 1, 1, 1);
    }
}

static void one_data_set_with_problems_gives_none(void **state)
{
    (void)state;
    for (size_t skips = 0; skips < 2; skips++) {
        struct given given;
        give(&given, 1, skips);
        spend(&given, 0, 0, 20, 30);
        spend(&given, 0, 1, 40, 50);
        const struct result rows = rows_of(&given);
        assert_true(number_at(&rows, 0, TAU) == 1 && isnan(number_at(&rows, 0, TAU_LOW)) &&
                    isnan(number_at(&rows, 0, TAU_HIGH)) && !strchr(result_at(&rows, 0, SHOWN)->text, '['));
    }
}

/* At 1e-3 solver 0 wins problems 0 and 1, and both solvers win problem 2. At 0.1 solver 0 wins problem 0 only. */
static void winners_at_the_reference_are_followed(void **state)
{
    struct given given;
    (void)state;
    give(&given, DATASETS, 0);
    spend(&given, 0, 0, 10, 20);
    spend(&given, 1, 0, 60, 20);
    spend(&given, 2, 0, 90, 30);
    spend(&given, 0, 1, 40, 50);
    spend(&given, 1, 1, 70, 80);
    spend(&given, 2, 1, 90, 90);
    const struct result rows = rows_of(&given);
    assert_true(fabs(number_at(&rows, 0, SAME_WINNER) - (1 + 0 + 0.5) / 3) < 1e-15);
    assert_true(fabs(number_at(&rows, 0, LOSS) - pow(1 * 3 * sqrt(3), 1 / 3.)) < 1e-14); /* times the winner's cost */
    assert_int_equal(number_at(&rows, 0, PROBLEMS), 3);
    assert_true(number_at(&rows, 1, SAME_WINNER) == 1 && number_at(&rows, 1, LOSS) == 1);
}

static void one_solver_or_one_target_cannot_be_ranked(void **state)
{
    struct given given;
    (void)state;
    give(&given, DATASETS, 0);
    given.family.costs[ATLAS_ITERATIONS].n_counting = 1;
    assert_int_equal(table_of(&given).values.count, 0);
    give(&given, DATASETS, 0);
    given.family.n_targets = 1;
    assert_int_equal(table_of(&given).values.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_sets_that_all_rank_alike_leave_no_doubt),
        cmocka_unit_test(data_sets_that_disagree_widen_the_interval),
        cmocka_unit_test(two_data_sets_with_problems_give_an_interval),
        cmocka_unit_test(one_data_set_with_problems_gives_none),
        cmocka_unit_test(winners_at_the_reference_are_followed),
        cmocka_unit_test(one_solver_or_one_target_cannot_be_ranked),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
