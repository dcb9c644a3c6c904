/* Summaries of speed ratios, from ratios chosen so that the answers are obvious. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tests/bench/speedup.h"

/* Rounding of log and exp of numbers up to 8. */
#define assert_near(value, expected) assert_true(fabs((value) - (expected)) <= 1e-14 * (expected))

enum { PROBLEMS = 3, SOLVERS = 2 };

/* First solver: 2, 4, 8. Second: 8, 1, 1. Each row is a problem. */
static const double ratios[PROBLEMS * SOLVERS] = {2, 8, 4, 1, 8, 1};

static void each_solver_has_its_own_geometric_mean_and_least_ratio(void **state)
{
    (void)state;
    struct speedup first = speedup_of(ratios, PROBLEMS, SOLVERS), second = speedup_of(ratios + 1, PROBLEMS, SOLVERS);
    assert_near(first.geometric_mean, 4);
    assert_true(first.min == 2 && first.min_at == 0 && first.problems == 3 && first.missing == 0);
    assert_near(second.geometric_mean, 2);
    assert_true(second.min == 1 && second.min_at == 1); /* the first on a tie */
}

static void the_best_of_several_beats_each_of_them(void **state)
{
    (void)state;
    double best[PROBLEMS];
    speedup_best(ratios, PROBLEMS, SOLVERS, best);
    assert_true(best[0] == 8 && best[1] == 4 && best[2] == 8);
    struct speedup speedup = speedup_of(best, PROBLEMS, 1);
    assert_near(speedup.geometric_mean, cbrt(8.0 * 4 * 8));
    assert_true(speedup.min == 4 && speedup.min_at == 1);
}

static void a_solver_slower_than_the_peer_is_seen_in_the_least_ratio_alone(void **state)
{
    (void)state;
    const double values[] = {16, 0.25, 16};
    struct speedup speedup = speedup_of(values, 3, 1);
    assert_near(speedup.geometric_mean, 4);
    assert_true(speedup.min == 0.25 && speedup.min_at == 1);
}

static void problems_without_a_ratio_are_counted_and_left_out(void **state)
{
    (void)state;
    const double some[] = {NAN, 8, 4, NAN, NAN, NAN, 2, NAN};
    double best[4];
    struct speedup first = speedup_of(some, 4, 2);
    assert_near(first.geometric_mean, sqrt(8.0));
    assert_true(first.problems == 2 && first.missing == 2 && first.min == 2 && first.min_at == 3);
    speedup_best(some, 4, 2, best);
    assert_true(best[0] == 8 && best[1] == 4 && isnan(best[2]) && best[3] == 2);
    struct speedup none = speedup_of(best + 2, 1, 1);
    assert_true(none.problems == 0 && none.missing == 1 && isnan(none.geometric_mean) && isnan(none.min));
    struct speedup empty = speedup_of(some, 0, 1);
    assert_true(empty.problems == 0 && empty.missing == 0 && isnan(empty.geometric_mean));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_solver_has_its_own_geometric_mean_and_least_ratio),
        cmocka_unit_test(the_best_of_several_beats_each_of_them),
        cmocka_unit_test(a_solver_slower_than_the_peer_is_seen_in_the_least_ratio_alone),
        cmocka_unit_test(problems_without_a_ratio_are_counted_and_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
