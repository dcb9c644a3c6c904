/* What the judge's values confirm, rule by rule, just inside and just outside the limit and the rounding bound. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/recheck.h"
#include "harness/evaluate/solve.h"

static char reason[REASON_SIZE];

/* The verdict; checks that it has a reason unless the rule is confirmed. */
static enum recheck recheck(const struct stop *stop, const char *solver, const struct judgement *judgement)
{
    enum recheck answer = recheck_rule(stop, solver_find(solver), 0, judgement, reason);
    assert_int_equal(*reason == 0, answer == RECHECK_BORNE_OUT);
    return answer;
}

/* |W| = 2 throughout; `rounding` is that of each gap, the objective and |W|^2. */
static enum recheck hulls_within(enum stop_rule rule, double plus, double minus, double rounding)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {
        .norm2 = 4,
        .objective = 2,
        .class_gap = {plus, minus},
        .rounding = {.class_gap = {rounding, rounding}, .norm2 = rounding, .objective = rounding}};
    return recheck(&stop, "clip-mdm", &judgement);
}

static int hulls(enum stop_rule rule, double plus, double minus)
{
    return hulls_within(rule, plus, minus, 0) == RECHECK_BORNE_OUT;
}

static enum recheck norms_within(const char *solver, enum stop_rule rule, double gap, double rounding)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {
        .norm2 = 4,
        .objective = 2,
        .class_gap = {(double)NAN, (double)NAN},
        .duality_gap = gap,
        .rounding = {.duality_gap = rounding, .norm2 = rounding, .objective = rounding}};
    return recheck(&stop, solver, &judgement);
}

static int norms(const char *solver, enum stop_rule rule, double gap)
{
    return norms_within(solver, rule, gap, 0) == RECHECK_BORNE_OUT;
}

static enum recheck duals_within(const char *solver, enum stop_rule rule, double violation, double gap, double rounding)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {
        .norm2 = 4,
        .objective = 2,
        .class_gap = {(double)NAN, (double)NAN},
        .duality_gap = gap,
        .kkt_violation = violation,
        .rounding = {.duality_gap = rounding, .kkt_violation = rounding, .objective = rounding}};
    return recheck(&stop, solver, &judgement);
}

static int duals(const char *solver, enum stop_rule rule, double violation, double gap)
{
    return duals_within(solver, rule, violation, gap, 0) == RECHECK_BORNE_OUT;
}

static void gaps_of_hulls_are_bounded(void **state)
{
    (void)state;
    assert_true(hulls(STOP_RCH_GAP, 0.02, 5));
    assert_true(hulls(STOP_RCH_GAP, 5, 0.02));
    assert_false(hulls(STOP_RCH_GAP, 0.0201, 0.0201));
    assert_true(hulls(STOP_RCH_GAP_UPDATED, 0.02, 5));
    assert_true(hulls(STOP_RCH_GAP_UPDATED, 5, 0.02));
    assert_false(hulls(STOP_RCH_GAP_UPDATED, 0.0201, 0.0201));
    assert_true(hulls(STOP_RCH_GAP_BOTH, 0.02, 0.02));
    assert_false(hulls(STOP_RCH_GAP_BOTH, 0.02, 0.0201));
    assert_true(hulls(STOP_GAP_SUM_NORM2, 0.02, 0.02));
    assert_false(hulls(STOP_GAP_SUM_NORM2, 0.02, 0.0201));
    assert_true(hulls(STOP_GAP_MAX_NORM2, 0.04, 0.04));
    assert_false(hulls(STOP_GAP_MAX_NORM2, 0.0401, 0.04));
    assert_false(hulls(STOP_RCH_GAP_BOTH, (double)NAN, (double)NAN));
    assert_false(hulls(STOP_RCH_GAP_BOTH, (double)NAN, 0));
    assert_true(hulls(STOP_ITERATIONS, 5, 5));
}

/* The gap of a hull that is a single point is 0 wherever the other point is. */
static void the_gap_of_a_single_point_bears_nothing_out(void **state)
{
    const struct stop stop = {STOP_RCH_GAP, 0.01};
    struct judgement judgement = {.norm2 = 4, .objective = 2, .class_gap = {0, 0.0201}, .single_point = {1, 0}};
    (void)state;
    assert_int_equal(recheck(&stop, "mu-mdm", &judgement), RECHECK_NOT_MET);
    judgement.class_gap[1] = 0.02;
    assert_int_equal(recheck(&stop, "mu-mdm", &judgement), RECHECK_BORNE_OUT);
    judgement = (struct judgement){.norm2 = 4, .objective = 2, .class_gap = {0.0201, 0}, .single_point = {0, 1}};
    assert_int_equal(recheck(&stop, "mu-mdm", &judgement), RECHECK_NOT_MET);
    judgement.single_point[0] = 1; /* both hulls are fixed points */
    assert_int_equal(recheck(&stop, "mu-mdm", &judgement), RECHECK_BORNE_OUT);
}

static enum recheck carried(enum stop_rule rule, double objective)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {.objective = -2, .rounding = {.objective = 1e-3}};
    enum recheck answer = recheck_carried_objective(&stop, objective, &judgement, reason);
    assert_int_equal(*reason == 0, answer == RECHECK_BORNE_OUT);
    return answer;
}

/* The limit is 1e-3 eps |D| + rounding, 2e-5 + 1e-3. */
static void an_objective_that_drifted_does_not_bear_its_change_out(void **state)
{
    (void)state;
    assert_int_equal(carried(STOP_DUAL_CHANGE, -2), RECHECK_BORNE_OUT);
    assert_int_equal(carried(STOP_DUAL_CHANGE, -2.00101), RECHECK_BORNE_OUT);
    assert_int_equal(carried(STOP_DUAL_CHANGE, -2.00103), RECHECK_NOT_MET);
    assert_int_equal(carried(STOP_DUAL_CHANGE, -1.99897), RECHECK_NOT_MET);
    assert_int_equal(carried(STOP_DUAL_CHANGE, 2), RECHECK_NOT_MET);
    assert_int_equal(carried(STOP_DUAL_CHANGE, (double)NAN), RECHECK_NOT_MET);
    assert_int_equal(carried(STOP_KKT, (double)NAN), RECHECK_BORNE_OUT);
}

static void gaps_of_hulls_are_bounded_by_delta(void **state)
{
    (void)state;
    assert_true(hulls(STOP_DELTA, 0.02, 0.02));
    assert_false(hulls(STOP_DELTA, 0.0201, 0));
    assert_false(hulls(STOP_DELTA, 0, 0.0201));
    assert_true(hulls(STOP_DELTA_NORM2, 0.04, 0.04));
    assert_false(hulls(STOP_DELTA_NORM2, 0.04, 0.0401));
    assert_true(hulls(STOP_DELTA_2NORM2, 0.08, 0.08));
    assert_false(hulls(STOP_DELTA_2NORM2, 0.0801, 0.08));
    assert_false(hulls(STOP_DELTA_NORM2, 0, (double)NAN));
    assert_true(hulls(STOP_DUAL_CHANGE, 5, 5)); /* bounds nothing that the multipliers determine */
}

static void gaps_of_minimum_norms_are_bounded(void **state)
{
    static const char *const solvers[] = {"unary-mdm", "accelerated-mdm", "gilbert", "max-minover", "soft-max-minover"};
    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        assert_true(norms(solvers[s], STOP_GAP_MAX_NORM2, 0.04));
        assert_false(norms(solvers[s], STOP_GAP_MAX_NORM2, 0.0401));
        assert_false(norms(solvers[s], STOP_GAP_MAX_NORM2, (double)NAN));
        assert_true(norms(solvers[s], STOP_DELTA, 0.02));
        assert_false(norms(solvers[s], STOP_DELTA, 0.0201));
        assert_true(norms(solvers[s], STOP_DELTA_NORM2, 0.04));
        assert_false(norms(solvers[s], STOP_DELTA_NORM2, 0.0401));
        assert_true(norms(solvers[s], STOP_DELTA_2NORM2, 0.08));
        assert_false(norms(solvers[s], STOP_DELTA_2NORM2, 0.0801));
        assert_true(norms(solvers[s], STOP_DUAL_CHANGE, 5));
    }
    /* a plugin may request it */
    assert_true(norms("gilbert", STOP_GAP_SUM_NORM2, 0.04));
    assert_false(norms("gilbert", STOP_GAP_SUM_NORM2, 0.0401));
    assert_true(norms("gilbert", STOP_RCH_GAP, 0.02));
    assert_false(norms("gilbert", STOP_RCH_GAP, 0.0201));
    assert_true(norms("gilbert", STOP_RCH_GAP_BOTH, 0.02));
    assert_false(norms("gilbert", STOP_RCH_GAP_BOTH, 0.0201));
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
    assert_true(duals("1-smo", STOP_DUAL_CHANGE, 5, 5)); /* bounds nothing that the multipliers determine */
    assert_false(duals("m3-bias", STOP_KKT, 5, 5)); /* no solver is trusted */
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
        assert_false(duals(solvers[s], STOP_GAP_MAX_NORM2, 0, HUGE_VAL)); /* no separating plane */
        assert_false(duals(solvers[s], STOP_GAP_MAX_NORM2, 0, (double)NAN));
        assert_false(duals(solvers[s], STOP_GAP_SUM_NORM2, 0, 0.0401));
        assert_true(duals(solvers[s], STOP_DUAL_CHANGE, 5, 5));
    }
}

static void a_figure_that_rounding_may_have_moved_by_more_than_the_limit_tells_nothing(void **state)
{
    (void)state;
    assert_int_equal(hulls_within(STOP_RCH_GAP_BOTH, 0.001, 0.001, 0.019), RECHECK_BORNE_OUT);
    assert_int_equal(hulls_within(STOP_RCH_GAP_BOTH, 0.001, 0.001, 0.021), RECHECK_CANNOT_TELL);
    assert_non_null(strstr(reason, "0.021"));
    assert_int_equal(hulls_within(STOP_RCH_GAP_BOTH, 0.001, 0.0405, 0.021), RECHECK_CANNOT_TELL);
    assert_int_equal(hulls_within(STOP_RCH_GAP_BOTH, 0.001, 0.042, 0.021), RECHECK_NOT_MET); /* in spite of rounding */
    assert_int_equal(hulls_within(STOP_GAP_SUM_NORM2, 0, 0, 0.019), RECHECK_BORNE_OUT);
    assert_int_equal(hulls_within(STOP_GAP_SUM_NORM2, 0, 0, 0.021), RECHECK_CANNOT_TELL);
    assert_int_equal(norms_within("gilbert", STOP_GAP_MAX_NORM2, 0, 0.039), RECHECK_BORNE_OUT);
    assert_int_equal(norms_within("gilbert", STOP_GAP_MAX_NORM2, 0, 0.041), RECHECK_CANNOT_TELL);
    assert_int_equal(norms_within("gilbert", STOP_GAP_MAX_NORM2, 0, HUGE_VAL), RECHECK_CANNOT_TELL);
    assert_int_equal(duals_within("1-smo", STOP_KKT, 0, 0, 0.0099), RECHECK_BORNE_OUT);
    assert_int_equal(duals_within("1-smo", STOP_KKT, 0, 0, 0.0101), RECHECK_CANNOT_TELL);
    assert_int_equal(duals_within("1-smo", STOP_DELTA, 0, 0, 0.0201), RECHECK_CANNOT_TELL);
    assert_int_equal(duals_within("munk", STOP_GAP_MAX_NORM2, 0, 0, 0.0401), RECHECK_CANNOT_TELL);
    assert_int_equal(duals_within("1-smo", STOP_KKT, (double)NAN, 0, HUGE_VAL), RECHECK_NOT_MET);
}

static void figures_within_their_rounding_of_the_limit_are_compared_as_they_are(void **state)
{
    (void)state;
    assert_int_equal(hulls_within(STOP_RCH_GAP_BOTH, 0, 0.0201, 1e-3), RECHECK_NOT_MET);
    assert_int_equal(norms_within("gilbert", STOP_GAP_MAX_NORM2, 0.0401, 1e-3), RECHECK_NOT_MET);
    assert_int_equal(duals_within("2-smo", STOP_KKT, 0.0101, 0, 1e-3), RECHECK_NOT_MET);
}

/* |W| = 2; the gaps of the classes, their sum as the duality gap, and Delta. */
static enum recheck without_step(const char *solver, enum stop_rule rule, double plus, double minus, double delta)
{
    const struct stop stop = {rule, 0.01};
    const struct judgement judgement = {.norm2 = 4,
                                        .objective = 2,
                                        .class_gap = {plus, minus},
                                        .duality_gap = plus + minus,
                                        .kkt_violation = delta};
    return recheck_rule(&stop, solver_find(solver), 1, &judgement, reason);
}

static void a_run_without_a_step_has_met_what_holds_for_every_choice(void **state)
{
    (void)state;
    const enum stop_rule of_one_class[] = {STOP_RCH_GAP, STOP_RCH_GAP_UPDATED, STOP_RCH_GAP_BOTH};
    for (size_t r = 0; r < 3; r++) {
        assert_int_equal(without_step("mu-mdm", of_one_class[r], 0.02, 0.02, 9), RECHECK_BORNE_OUT);
        assert_int_equal(without_step("mu-mdm", of_one_class[r], 0, 0.0201, 0), RECHECK_NOT_MET);
        assert_int_equal(without_step("mu-mdm", of_one_class[r], 0.0201, 0, 0), RECHECK_NOT_MET);
    }
    assert_int_equal(without_step("mu-mdm", STOP_DELTA, 0, 0, 0.02), RECHECK_BORNE_OUT);
    assert_int_equal(without_step("mu-mdm", STOP_DELTA, 0, 0, 0.0201), RECHECK_NOT_MET);
    assert_int_equal(without_step("mu-mdm", STOP_DELTA_NORM2, 0, 0, 0.04), RECHECK_BORNE_OUT);
    assert_int_equal(without_step("mu-mdm", STOP_DELTA_NORM2, 0, 0, 0.0401), RECHECK_NOT_MET);
    assert_int_equal(without_step("gilbert", STOP_DELTA_2NORM2, 0, 0, 0.08), RECHECK_BORNE_OUT);
    assert_int_equal(without_step("gilbert", STOP_DELTA_2NORM2, 0, 0, 0.0801), RECHECK_NOT_MET);
    assert_int_equal(without_step("clip-gsk", STOP_DUAL_CHANGE, 0, 0, 0), RECHECK_NOT_MET);
    assert_int_equal(without_step("platt-smo", STOP_KKT_RELAXED, 9, 9, 0.02), RECHECK_BORNE_OUT);
    assert_int_equal(without_step("platt-smo", STOP_KKT_RELAXED, 0, 0, 0.0201), RECHECK_NOT_MET);
    assert_int_equal(without_step("1-smo", STOP_ITERATIONS, 0, 0, 0), RECHECK_NOT_MET);
    assert_int_equal(*reason, 0);
}

static void what_can_be_told_rests_on_the_least_that_W_can_be(void **state)
{
    (void)state;
    assert_int_equal(hulls_within(STOP_GAP_MAX_NORM2, 0, 0, 0.0395), RECHECK_BORNE_OUT); /* 0.01 (4 - 0.0395) */
    assert_int_equal(hulls_within(STOP_GAP_MAX_NORM2, 0, 0, 0.0398), RECHECK_CANNOT_TELL);
    assert_int_equal(hulls_within(STOP_GAP_MAX_NORM2, 0.04, 0, 0.01), RECHECK_BORNE_OUT); /* with |W|^2 itself */
}

static void a_change_of_the_objective_cannot_be_told_where_the_objective_is_not_known_as_well(void **state)
{
    (void)state;
    assert_int_equal(hulls_within(STOP_DUAL_CHANGE, 5, 5, 0.0199), RECHECK_BORNE_OUT);
    assert_int_equal(hulls_within(STOP_DUAL_CHANGE, 5, 5, 0.0201), RECHECK_CANNOT_TELL);
    assert_int_equal(duals_within("2-smo", STOP_DUAL_CHANGE, 5, 5, 0.0201), RECHECK_CANNOT_TELL);
}

static void hulls_with_a_W_within_its_rounding_meet(void **state)
{
    (void)state;
    struct judgement judgement = {.norm2 = 1e-17, .class_gap = {0, 0}, .rounding = {.norm2 = 1e-16}};
    for (enum stop_rule rule = 0; rule < STOP_RULES; rule++) {
        const struct stop stop = {rule, 0.01};
        int relative = stop_is_relative(rule) && rule != STOP_DUAL_CHANGE; /* it bounds no gap */
        enum recheck expected = relative ? RECHECK_CANNOT_TELL : RECHECK_BORNE_OUT;
        assert_int_equal(recheck(&stop, "clip-mdm", &judgement), expected);
        assert_true(!relative || strstr(reason, "1e-16"));
    }
    assert_true(recheck_hulls_meet(FORMULATION_NEAREST_POINTS, &judgement, reason));
    assert_true(recheck_hulls_meet(FORMULATION_MINIMUM_NORM, &judgement, reason));
    assert_false(recheck_hulls_meet(FORMULATION_C_SVM, &judgement, reason));
    judgement.norm2 = 1.1e-16;
    assert_false(recheck_hulls_meet(FORMULATION_NEAREST_POINTS, &judgement, reason));
}

/* Nonzero if the values are impossible; checks that this has a reason. */
static int impossible(enum formulation formulation, const struct kernel *kernel, const struct judgement *judgement)
{
    struct problem problem = {.n = 2};
    problem.parameters = (struct parameters){0};
    parameter_set(&problem.parameters, &parameter_forgetting, FORGETTING_PAPER);
    reason[0] = 0;
    int answer = figures_impossible(&problem, formulation, kernel, judgement, reason);
    assert_int_equal(*reason != 0, answer);
    return answer;
}

static void figures_that_cannot_be_are_named(void **state)
{
    (void)state;
    const struct kernel linear = {.type = KERNEL_LINEAR};
    const struct judgement sound = {.norm2 = 4, .objective = 2, .rounding = {.norm2 = 0.1, .duality_gap = 0.1}};
    for (int f = 0; f < FORMULATION_COUNT; f++) {
        enum formulation formulation = (enum formulation)f;
        struct judgement of = sound;
        assert_false(impossible(formulation, &linear, &of));
        of.norm2 = of.duality_gap = -0.09;
        assert_false(impossible(formulation, &linear, &of));
        of.norm2 = -0.11;
        assert_true(impossible(formulation, &linear, &of) && strstr(reason, "-0.11"));
        of = sound, of.duality_gap = -0.11;
        assert_true(impossible(formulation, &linear, &of) && strstr(reason, "-0.11"));
        of.gap_shortfall = 0.02;
        assert_false(impossible(formulation, &linear, &of));
        of = sound, of.norm2 = (double)NAN;
        assert_true(impossible(formulation, &linear, &of));
        of = sound, of.objective = HUGE_VAL;
        assert_true(impossible(formulation, &linear, &of));
        of = sound, of.bias = (double)NAN;
        assert_true(impossible(formulation, &linear, &of));
        of = sound, of.kkt_violation = HUGE_VAL;
        assert_true(impossible(formulation, &linear, &of));
        of = sound, of.duality_gap = -HUGE_VAL;
        assert_true(impossible(formulation, &linear, &of));
        of = sound, of.duality_gap = HUGE_VAL;
        assert_int_equal(impossible(formulation, &linear, &of), formulation != FORMULATION_NO_BIAS_HARD_MARGIN);
        of = sound, of.duality_gap = of.kkt_violation = (double)NAN;
        assert_int_equal(impossible(formulation, &linear, &of), formulation != FORMULATION_MINIMUM_NORM);
    }
}

static void a_kernel_that_is_not_semidefinite_is_named_where_it_makes_a_norm_negative(void **state)
{
    (void)state;
    const struct kernel table = {.type = KERNEL_PRECOMPUTED};
    struct judgement judgement = {.norm2 = -4, .objective = -2};
    assert_true(impossible(FORMULATION_NEAREST_POINTS, &table, &judgement) && strstr(reason, "semidefinite"));
    judgement = (struct judgement){.norm2 = 4, .objective = 2, .duality_gap = -1};
    assert_false(impossible(FORMULATION_NEAREST_POINTS, &table, &judgement));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_of_hulls_are_bounded),
        cmocka_unit_test(the_gap_of_a_single_point_bears_nothing_out),
        cmocka_unit_test(an_objective_that_drifted_does_not_bear_its_change_out),
        cmocka_unit_test(gaps_of_hulls_are_bounded_by_delta),
        cmocka_unit_test(gaps_of_minimum_norms_are_bounded),
        cmocka_unit_test(violations_of_duals_are_bounded),
        cmocka_unit_test(duals_without_bias_are_bounded),
        cmocka_unit_test(a_figure_that_rounding_may_have_moved_by_more_than_the_limit_tells_nothing),
        cmocka_unit_test(figures_within_their_rounding_of_the_limit_are_compared_as_they_are),
        cmocka_unit_test(a_run_without_a_step_has_met_what_holds_for_every_choice),
        cmocka_unit_test(what_can_be_told_rests_on_the_least_that_W_can_be),
        cmocka_unit_test(a_change_of_the_objective_cannot_be_told_where_the_objective_is_not_known_as_well),
        cmocka_unit_test(hulls_with_a_W_within_its_rounding_meet),
        cmocka_unit_test(figures_that_cannot_be_are_named),
        cmocka_unit_test(a_kernel_that_is_not_semidefinite_is_named_where_it_makes_a_norm_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
