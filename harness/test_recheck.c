/* What the judge's figures bear out, rule by rule, just inside and just outside the bound. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/recheck.h"

/* |W| = 2 in all of them. */
static int hulls(enum stop_rule rule, double plus, double minus, double rounding)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {.norm2 = 4, .class_gap = {plus, minus}, .rounding = rounding};
    return recheck_convergence(&stop, solver_find("clip-mdm"), &judgement);
}

static int norms(const char *solver, enum stop_rule rule, double gap, double rounding)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {
        .norm2 = 4, .class_gap = {(double)NAN, (double)NAN}, .duality_gap = gap, .rounding = rounding};
    return recheck_convergence(&stop, solver_find(solver), &judgement);
}

static int duals(const char *solver, enum stop_rule rule, double violation, double gap)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {
        .norm2 = 4, .class_gap = {(double)NAN, (double)NAN}, .duality_gap = gap, .kkt_violation = violation};
    return recheck_convergence(&stop, solver_find(solver), &judgement);
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
    assert_false(hulls(STOP_RCH_GAP_BOTH, (double)NAN, 0, 0));
    assert_true(hulls(STOP_RCH_GAP_BOTH, 0.02, 0.0201, 1e-3)); /* within what rounding can have made */
    assert_true(hulls(STOP_ITERATIONS, 5, 5, 0));
}

static void gaps_of_hulls_are_bounded_by_delta(void **state)
{
    (void)state;
    assert_true(hulls(STOP_DELTA, 0.02, 0.02, 0));
    assert_false(hulls(STOP_DELTA, 0.0201, 0, 0));
    assert_false(hulls(STOP_DELTA, 0, 0.0201, 0));
    assert_true(hulls(STOP_DELTA, 0, 0.0201, 1e-3));
    assert_true(hulls(STOP_DELTA_NORM2, 0.04, 0.04, 0));
    assert_false(hulls(STOP_DELTA_NORM2, 0.04, 0.0401, 0));
    assert_true(hulls(STOP_DELTA_2NORM2, 0.08, 0.08, 0));
    assert_false(hulls(STOP_DELTA_2NORM2, 0.0801, 0.08, 0));
    assert_false(hulls(STOP_DELTA_NORM2, 0, (double)NAN, 0));
    assert_true(hulls(STOP_DUAL_CHANGE, 5, 5, 0)); /* bounds nothing that the multipliers tell */
}

static void gaps_of_minimum_norms_are_bounded(void **state)
{
    static const char *const solvers[] = {"unary-mdm", "accelerated-mdm", "gilbert", "max-minover", "soft-max-minover"};
    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        assert_true(norms(solvers[s], STOP_GAP_MAX_NORM2, 0.04, 0));
        assert_false(norms(solvers[s], STOP_GAP_MAX_NORM2, 0.0401, 0));
        assert_false(norms(solvers[s], STOP_GAP_MAX_NORM2, (double)NAN, 0));
        assert_true(norms(solvers[s], STOP_GAP_MAX_NORM2, 0.0401, 1e-3)); /* within what rounding can have made */
        assert_false(norms(solvers[s], STOP_GAP_MAX_NORM2, 0.042, 1e-3));
        assert_true(norms(solvers[s], STOP_DELTA, 0.02, 0));
        assert_false(norms(solvers[s], STOP_DELTA, 0.0201, 0));
        assert_true(norms(solvers[s], STOP_DELTA_NORM2, 0.04, 0));
        assert_false(norms(solvers[s], STOP_DELTA_NORM2, 0.0401, 0));
        assert_true(norms(solvers[s], STOP_DELTA_2NORM2, 0.08, 0));
        assert_false(norms(solvers[s], STOP_DELTA_2NORM2, 0.0801, 0));
        assert_true(norms(solvers[s], STOP_DUAL_CHANGE, 5, 0));
    }
    /* what a plugin may ask for */
    assert_true(norms("gilbert", STOP_GAP_SUM_NORM2, 0.04, 0));
    assert_false(norms("gilbert", STOP_GAP_SUM_NORM2, 0.0401, 0));
    assert_true(norms("gilbert", STOP_RCH_GAP, 0.02, 0));
    assert_false(norms("gilbert", STOP_RCH_GAP, 0.0201, 0));
    assert_true(norms("gilbert", STOP_RCH_GAP_BOTH, 0.02, 0));
    assert_false(norms("gilbert", STOP_RCH_GAP_BOTH, 0.0201, 0));
}

static void violations_of_duals_are_bounded(void **state)
{
    (void)state;
    assert_true(duals("1-smo", STOP_KKT, 0.01, 5));
    assert_false(duals("1-smo", STOP_KKT, 0.0101, 0));
    assert_false(duals("1-smo", STOP_KKT, (double)NAN, 0));
    assert_true(duals("2-smo", STOP_DELTA, 0.02, 5));
    assert_false(duals("2-smo", STOP_DELTA, 0.0201, 0));
    assert_true(duals("svm-light", STOP_KKT_RELAXED, 0.02, 5));
    assert_false(duals("svm-light", STOP_KKT_RELAXED, 0.0201, 0));
    assert_true(duals("1-smo", STOP_DUAL_CHANGE, 5, 5)); /* bounds nothing that the multipliers tell */
    assert_true(duals("m3-bias", STOP_KKT, 5, 5));
}

static void duals_without_bias_are_bounded(void **state)
{
    static const char *const solvers[] = {"munk", "munk-soft", "m3", "kernel-adatron-soft"};
    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        assert_true(duals(solvers[s], STOP_KKT, 0.01, 5));
        assert_false(duals(solvers[s], STOP_KKT, 0.0101, 0));
        assert_true(duals(solvers[s], STOP_DELTA, 0.02, 5));
        assert_false(duals(solvers[s], STOP_DELTA, 0.0201, 0));
        assert_true(duals(solvers[s], STOP_GAP_MAX_NORM2, 5, 0.04));
        assert_false(duals(solvers[s], STOP_GAP_MAX_NORM2, 0, 0.0401));
        assert_false(duals(solvers[s], STOP_GAP_MAX_NORM2, 0, HUGE_VAL)); /* nothing separates */
        assert_false(duals(solvers[s], STOP_GAP_MAX_NORM2, 0, (double)NAN));
        assert_false(duals(solvers[s], STOP_GAP_SUM_NORM2, 0, 0.0401));
        assert_true(duals(solvers[s], STOP_DUAL_CHANGE, 5, 5));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_of_hulls_are_bounded),
        cmocka_unit_test(gaps_of_hulls_are_bounded_by_delta),
        cmocka_unit_test(gaps_of_minimum_norms_are_bounded),
        cmocka_unit_test(violations_of_duals_are_bounded),
        cmocka_unit_test(duals_without_bias_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
