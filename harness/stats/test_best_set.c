/* The confidence set for the best, checked by hand, and how often it misses the best in simulated studies. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "harness/stats/several_solvers.h"

enum { SETS = 13, SOLVERS = 8 };

/* Solver s is worse than the first by at least s/10 on every data set. */
static void fill(double costs[SOLVERS][SETS])
{
    for (size_t s = 0; s < SOLVERS; s++)
        for (size_t i = 0; i < SETS; i++)
            costs[s][i] = (double)i + (double)s / 10 + 1e-3 * (double)(s * i); /* differences without ties */
}

static void a_solver_that_is_better_everywhere_is_alone(void **state)
{
    (void)state;
    double costs[SOLVERS][SETS];
    unsigned char member[SOLVERS];
    struct best_set set;
    fill(costs);
    set = best_set(&(struct contest){*costs, SOLVERS, SETS, 0.05, (double)NAN, 0}, member);
    assert_true(set.best == 0 && set.second == 1 && set.members == 1 && set.distinct == SOLVERS);
    assert_true(member[0] == 1 && member[1] == 0 && member[SOLVERS - 1] == 0);
    assert_true(fabs(set.p - (SOLVERS - 1) * ldexp(1, -SETS)) < 1e-15); /* all 13 signs agree */
}

static void the_correction_is_for_all_others(void **state)
{
    (void)state;
    double costs[SOLVERS][SETS];
    unsigned char member[SOLVERS];
    struct best_set set;
    fill(costs);
    /* 7 data sets that agree: p = 1/128, times 7 is 0.0547 */
    double few[SOLVERS][7];
    for (size_t s = 0; s < SOLVERS; s++)
        for (size_t i = 0; i < 7; i++)
            few[s][i] = costs[s][i];
    set = best_set(&(struct contest){*few, SOLVERS, 7, 0.05, (double)NAN, 0}, member);
    assert_int_equal(set.members, SOLVERS);
    set = best_set(&(struct contest){*few, SOLVERS - 1, 7, 0.05, (double)NAN, 0}, member);
    assert_int_equal(set.members, 1); /* times 6: 0.047 */
}

static void equal_solvers_count_once_and_stand_together(void **state)
{
    (void)state;
    double costs[3][SETS];
    unsigned char member[3];
    struct best_set set;
    for (size_t i = 0; i < SETS; i++) {
        costs[0][i] = (double)i + 1 + 1e-3 * (double)i;
        costs[1][i] = costs[2][i] = (double)i;
    }
    set = best_set(&(struct contest){*costs, 3, SETS, 0.05, (double)NAN, 0}, member);
    assert_true(set.best == 1 && set.second == 0 && set.distinct == 2 && set.members == 2);
    assert_true(!member[0] && member[1] && member[2]);
    assert_true(fabs(set.p - ldexp(1, -SETS)) < 1e-15);
    set = best_set(&(struct contest){costs[1], 2, SETS, 0.05, (double)NAN, 0}, member);
    assert_true(set.best == 0 && set.second == 0 && set.distinct == 1 && set.members == 2 && set.p == 1);
    set = best_set(&(struct contest){costs[1], 1, SETS, 0.05, (double)NAN, 0}, member);
    assert_true(set.members == 1 && set.distinct == 1 && set.p == 1);
}

static void few_splits_decide_nothing(void **state)
{
    (void)state;
    const double costs[] = {1, 1.1, 1.2, 1.3, 1.4, 3, 3.2, 3.3, 3.1, 3};
    unsigned char member[2];
    struct best_set set;
    set = best_set(&(struct contest){costs, 2, 5, 0.05, 0.5, 6}, member);
    assert_int_equal(set.members, 2);
    set = best_set(&(struct contest){costs, 2, 5, 0.05, 0.5, 5}, member);
    assert_true(set.members == 1 && set.best == 0);
}

/* Simulates studies in which solver 3 leads the other, identical solvers by `lead`. */
static void simulate(double lead, size_t studies, size_t *missed, size_t *decided)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    *missed = *decided = 0;
    for (size_t study = 0; study < studies; study++) {
        double costs[SOLVERS][SETS];
        unsigned char member[SOLVERS];
        struct best_set set;
        for (size_t i = 0; i < SETS; i++) {
            const double level = gsl_ran_gaussian(rng, 3); /* data sets differ far more than solvers do */
            for (size_t s = 0; s < SOLVERS; s++)
                costs[s][i] = level + gsl_ran_gaussian(rng, 1) - (s == 3 ? lead : 0);
        }
        set = best_set(&(struct contest){*costs, SOLVERS, SETS, 0.05, (double)NAN, 0}, member);
        *missed += !member[3];
        *decided += set.members == 1;
    }
    gsl_rng_free(rng);
}

static void the_best_is_missed_in_at_most_one_study_of_twenty(void **state)
{
    (void)state;
    size_t missed, decided;
    simulate(0, 2000, &missed, &decided); /* all are equally good: the hardest case */
    assert_in_range(missed, 0, 100);
    assert_in_range(decided, 0, 100); /* no solver is better */
    simulate(0.3, 2000, &missed, &decided);
    assert_in_range(missed, 0, 100);
    simulate(3, 500, &missed, &decided); /* a clear lead is found */
    assert_int_equal(missed, 0);
    assert_in_range(decided, 450, 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solver_that_is_better_everywhere_is_alone),
        cmocka_unit_test(the_correction_is_for_all_others),
        cmocka_unit_test(equal_solvers_count_once_and_stand_together),
        cmocka_unit_test(few_splits_decide_nothing),
        cmocka_unit_test(the_best_is_missed_in_at_most_one_study_of_twenty),
    };
    return cmocka_run_group_tests_name("best set", tests, NULL, NULL);
}
