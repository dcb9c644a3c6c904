/* What the judge's figures bear out, rule by rule, just inside and just outside the bound. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/confirm.h"

static int hulls(enum stop_rule rule, double plus, double minus, double rounding)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {.objective = 2, .class_gap = {plus, minus}, .rounding = rounding}; /* |W| = 2 */
    return confirm(&stop, solver_find("clip-mdm"), &judgement);
}

static int duals(const char *solver, enum stop_rule rule, double violation)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {.kkt_violation = violation};
    return confirm(&stop, solver_find(solver), &judgement);
}

static void gaps_of_hulls_are_bounded(void **state)
{
    (void)state;
    assert_true(hulls(STOP_RCH_GAP, 0.02, 5, 0));
    assert_true(hulls(STOP_RCH_GAP, 5, 0.02, 0));
    assert_false(hulls(STOP_RCH_GAP, 0.0201, 0.0201, 0));
    assert_true(hulls(STOP_RCH_GAP_BOTH, 0.02, 0.02, 0));
    assert_false(hulls(STOP_RCH_GAP_BOTH, 0.02, 0.0201, 0));
    assert_true(hulls(STOP_GAP_SUM_NORM2, 0.02, 0.02, 0));
    assert_false(hulls(STOP_GAP_SUM_NORM2, 0.02, 0.0201, 0));
    assert_true(hulls(STOP_GAP_MAX_NORM2, 0.04, 0.04, 0));
    assert_false(hulls(STOP_GAP_MAX_NORM2, 0.0401, 0.04, 0));
    assert_false(hulls(STOP_RCH_GAP_BOTH, (double)NAN, (double)NAN, 0));
    assert_true(hulls(STOP_RCH_GAP_BOTH, 0.02, 0.0201, 1e-3)); /* within what rounding can have made */
    assert_true(hulls(STOP_ITERATIONS, 5, 5, 0));
}

static void violations_of_duals_are_bounded(void **state)
{
    (void)state;
    assert_true(duals("1-smo", STOP_KKT, 0.01));
    assert_false(duals("1-smo", STOP_KKT, 0.0101));
    assert_false(duals("1-smo", STOP_KKT, (double)NAN));
    assert_true(duals("2-smo", STOP_DELTA, 0.02));
    assert_false(duals("2-smo", STOP_DELTA, 0.0201));
    assert_true(duals("svm-light", STOP_KKT_RELAXED, 0.02));
    assert_false(duals("svm-light", STOP_KKT_RELAXED, 0.0201));
    assert_true(duals("munk", STOP_KKT, 0.01));
    assert_false(duals("munk", STOP_KKT, 0.0101));
    assert_true(duals("1-smo", STOP_DUAL_CHANGE, 5)); /* bounds nothing that the multipliers tell */
    assert_true(duals("m3-bias", STOP_KKT, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_of_hulls_are_bounded),
        cmocka_unit_test(violations_of_duals_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
