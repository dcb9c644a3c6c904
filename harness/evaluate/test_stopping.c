/* The stopping rules on hand-made states, one by one, on both sides of each limit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "harness/evaluate/stopping.h"

/* A solver that consists only of its two gaps: the state is their array, class +1 first. */
static double gap_of(const void *state, int class)
{
    const double *gaps = state;
    return class > 0 ? gaps[0] : class < 0 ? gaps[1] : gaps[0] + gaps[1];
}
static const struct solver gaps_only = {.name = "gaps-only", .gap = gap_of};

static enum stop_verdict look(enum stop_rule rule, double tolerance, const double *gaps,
                              const struct progress *progress, enum status choice)
{
    struct stop_memory memory = {0};
    const struct stop stop = {.rule = rule, .tolerance = tolerance};
    return stop_look(&stop, &memory, &gaps_only, gaps, progress, choice);
}

static struct progress at_norm(double norm2, int updated_class)
{
    return (struct progress){.norm2 = norm2, .updated_class = updated_class, .class_gap = {(double)NAN, (double)NAN}};
}

static void every_rule_has_a_name_a_formula_and_is_found_by_its_name(void **state)
{
    (void)state;
    for (unsigned r = 0; r < STOP_RULES; r++) {
        const char *name = stop_rule_name((enum stop_rule)r);
        assert_non_null(name);
        assert_true(strlen(stop_rule_text((enum stop_rule)r)) > 10);
        assert_int_equal(stop_rule_find(name), r);
        for (unsigned other = 0; other < r; other++)
            assert_string_not_equal(name, stop_rule_name((enum stop_rule)other));
    }
    assert_int_equal(stop_rule_find("rch"), STOP_RULES);
    assert_null(stop_rule_name(STOP_RULES));
}

static void rch_gap_looks_at_the_class_about_to_be_updated(void **state)
{
    (void)state;
    /* |W| = 2, eps = 1/4: the limit is 1/2 */
    const double gaps[] = {0.5, 0.75};
    struct progress plus = at_norm(4, 1), minus = at_norm(4, -1), both = at_norm(4, 0);
    assert_int_equal(look(STOP_RCH_GAP, 0.25, gaps, &plus, STATUS_OK), STOP_MET);
    assert_int_equal(look(STOP_RCH_GAP, 0.25, gaps, &minus, STATUS_OK), STOP_GO_ON);
    assert_int_equal(look(STOP_RCH_GAP, 0.25, gaps, &both, STATUS_OK), STOP_GO_ON);
    assert_int_equal(look(STOP_RCH_GAP_BOTH, 0.25, gaps, &plus, STATUS_OK), STOP_GO_ON);
    assert_int_equal(look(STOP_RCH_GAP_BOTH, 0.375, gaps, &plus, STATUS_OK), STOP_MET);
    assert_int_equal(look(STOP_RCH_GAP, 0.2499, gaps, &plus, STATUS_OK), STOP_GO_ON);
}

static void a_class_that_there_is_not_stands_for_both(void **state)
{
    (void)state;
    const double plus_small[] = {0.5, 0.75}, minus_small[] = {0.75, 0.5}, small[] = {0.5, 0.5};
    for (int class = -5; class <= 5; class += 10) { /* -5, 5 */
        struct progress progress = at_norm(4, class);
        assert_int_equal(look(STOP_RCH_GAP, 0.25, plus_small, &progress, STATUS_OK), STOP_GO_ON);
        assert_int_equal(look(STOP_RCH_GAP, 0.25, minus_small, &progress, STATUS_OK), STOP_GO_ON);
        assert_int_equal(look(STOP_RCH_GAP, 0.25, small, &progress, STATUS_OK), STOP_MET);
    }
}

static void rch_gap_updated_looks_at_the_class_moved_before(void **state)
{
    (void)state;
    /* |W| = 2, eps = 1/4: the limit is 1/2 */
    const double plus_small[] = {0.5, 0.75}, minus_small[] = {0.75, 0.5};
    const struct stop stop = {.rule = STOP_RCH_GAP_UPDATED, .tolerance = 0.25};
    struct progress plus = at_norm(4, 1), minus = at_norm(4, -1), both = at_norm(4, 0);
    struct stop_memory memory = {0};
    assert_int_equal(stop_look(&stop, &memory, &gaps_only, plus_small, &plus, STATUS_OK),
                     STOP_GO_ON); /* no class has moved yet */
    assert_int_equal(stop_look(&stop, &memory, &gaps_only, minus_small, &minus, STATUS_OK), STOP_GO_ON); /* +1 moved */
    assert_int_equal(stop_look(&stop, &memory, &gaps_only, minus_small, &plus, STATUS_OK), STOP_MET);    /* -1 moved */
    plus.gap_lower_bound = 0.6; /* for the class to be updated, which is not checked */
    assert_int_equal(stop_look(&stop, &memory, &gaps_only, plus_small, &plus, STATUS_OK), STOP_MET);
    plus.gap_lower_bound = 0;
    plus.class_stuck = 1; /* the other class is stuck: both are checked */
    assert_int_equal(stop_look(&stop, &memory, &gaps_only, plus_small, &plus, STATUS_OK), STOP_GO_ON);
    memory = (struct stop_memory){0};
    assert_int_equal(stop_look(&stop, &memory, &gaps_only, plus_small, &both, STATUS_OK), STOP_GO_ON);
    assert_int_equal(stop_look(&stop, &memory, &gaps_only, plus_small, &plus, STATUS_OK), STOP_GO_ON); /* both moved */
    assert_true(stop_needs_values(STOP_RCH_GAP_UPDATED));
}

static void rch_gap_takes_gaps_that_are_known_instead_of_asking(void **state)
{
    (void)state;
    const double gaps[] = {100, 100};
    struct progress known = at_norm(4, 1);
    known.class_gap[0] = 0.5;
    assert_int_equal(look(STOP_RCH_GAP, 0.25, gaps, &known, STATUS_OK), STOP_MET);
    known.gap_lower_bound = 0.51; /* a lower bound above the limit decides without computing a gap */
    assert_int_equal(look(STOP_RCH_GAP, 0.25, gaps, &known, STATUS_OK), STOP_GO_ON);
}

static void a_class_without_a_choice_does_not_end_a_run_as_converged(void **state)
{
    (void)state;
    const double far[] = {0.5, 0.75}, near[] = {0.5, 0.5};
    struct progress progress = at_norm(4, 1);
    progress.class_stuck = 1;
    assert_int_equal(look(STOP_RCH_GAP, 0.25, far, &progress, STATUS_OK), STOP_STUCK);
    assert_int_equal(look(STOP_RCH_GAP, 0.25, near, &progress, STATUS_OK), STOP_MET);
}

static void a_stalled_choice_is_converged_only_where_both_gaps_are_small(void **state)
{
    (void)state;
    const double one[] = {0.5, 0.75}, both[] = {0.5, 0.5};
    struct progress progress = at_norm(4, 1);
    assert_int_equal(look(STOP_RCH_GAP, 0.25, one, &progress, STATUS_STALLED), STOP_GO_ON);
    assert_int_equal(look(STOP_RCH_GAP, 0.25, both, &progress, STATUS_STALLED), STOP_MET);
    progress.delta = 0;
    progress.violation = 0;
    assert_int_equal(look(STOP_GAP_SUM_NORM2, 0.25, both, &progress, STATUS_STALLED), STOP_MET);
    assert_int_equal(look(STOP_GAP_SUM_NORM2, 0.25, one, &progress, STATUS_STALLED), STOP_GO_ON);
    assert_int_equal(look(STOP_GAP_MAX_NORM2, 0.125, both, &progress, STATUS_STALLED), STOP_MET);
    assert_int_equal(look(STOP_GAP_MAX_NORM2, 0.125, one, &progress, STATUS_STALLED), STOP_GO_ON);
    const enum stop_rule rules[] = {STOP_DELTA,       STOP_DELTA_NORM2, STOP_DELTA_2NORM2, STOP_DUAL_CHANGE,
                                    STOP_KKT,         STOP_KKT_RELAXED, STOP_ITERATIONS};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        assert_int_equal(look(rules[r], 1, both, &progress, STATUS_STALLED), STOP_GO_ON);
}

static void rules_on_the_violation_stop_at_their_limit_and_not_above(void **state)
{
    (void)state;
    static const struct {
        enum stop_rule rule;
        double limit; /* for eps = 1/8 and |W|^2 = 4 */
    } cases[] = {{STOP_DELTA, 0.25}, {STOP_DELTA_NORM2, 0.5}, {STOP_DELTA_2NORM2, 1}, {STOP_KKT, 0.125}};
    const double gaps[] = {100, 100};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct progress progress = at_norm(4, 1);
        progress.delta = cases[i].limit;
        assert_int_equal(look(cases[i].rule, 0.125, gaps, &progress, STATUS_OK), STOP_MET);
        progress.delta = nextafter(cases[i].limit, 2);
        assert_int_equal(look(cases[i].rule, 0.125, gaps, &progress, STATUS_OK), STOP_GO_ON);
        progress.delta = (double)NAN;
        assert_int_equal(look(cases[i].rule, 0.125, gaps, &progress, STATUS_OK), STOP_GO_ON);
    }
}

static void rules_on_gaps_and_norm2_compare_the_sum_and_the_larger(void **state)
{
    (void)state;
    /* |W|^2 = 4, eps = 1/8: the limit is 1/2 */
    static const struct {
        double gaps[2];
        enum stop_verdict sum, larger;
    } cases[] = {
        {{0.25, 0.25}, STOP_MET, STOP_MET},    {{0.25, 0.2501}, STOP_GO_ON, STOP_MET},
        {{0.5, 0}, STOP_MET, STOP_MET},        {{0, 0.5}, STOP_MET, STOP_MET},
        {{0.5, 0.5}, STOP_GO_ON, STOP_MET},    {{0.5001, 0}, STOP_GO_ON, STOP_GO_ON},
        {{0, 0.5001}, STOP_GO_ON, STOP_GO_ON},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int class = -1; class <= 1; class++) { /* for any class to be updated */
            struct progress progress = at_norm(4, class);
            assert_int_equal(look(STOP_GAP_SUM_NORM2, 0.125, cases[i].gaps, &progress, STATUS_OK), cases[i].sum);
            assert_int_equal(look(STOP_GAP_MAX_NORM2, 0.125, cases[i].gaps, &progress, STATUS_OK), cases[i].larger);
            progress.class_gap[0] = progress.class_gap[1] = 0; /* known gaps take precedence over requested ones */
            assert_int_equal(look(STOP_GAP_SUM_NORM2, 0.125, cases[i].gaps, &progress, STATUS_OK), STOP_MET);
            assert_int_equal(look(STOP_GAP_MAX_NORM2, 0.125, cases[i].gaps, &progress, STATUS_OK), STOP_MET);
        }
}

static void kkt_relaxed_looks_at_the_violation_of_single_patterns_alone(void **state)
{
    (void)state;
    const double gaps[] = {100, 100};
    struct progress progress = at_norm(4, 0);
    progress.delta = 100;
    progress.violation = 0.125;
    assert_int_equal(look(STOP_KKT_RELAXED, 0.125, gaps, &progress, STATUS_OK), STOP_MET);
    progress.violation = nextafter(0.125, 1);
    progress.delta = 0;
    assert_int_equal(look(STOP_KKT_RELAXED, 0.125, gaps, &progress, STATUS_OK), STOP_GO_ON);
    progress.violation = HUGE_VAL; /* not all patterns have been checked */
    assert_int_equal(look(STOP_KKT_RELAXED, 1e300, gaps, &progress, STATUS_OK), STOP_GO_ON);
    progress.violation = (double)NAN;
    assert_int_equal(look(STOP_KKT_RELAXED, 1e300, gaps, &progress, STATUS_OK), STOP_GO_ON);
}

static void rules_that_compare_with_norm2_or_objective_ask_for_them(void **state)
{
    (void)state;
    static const enum stop_rule needing[] = {STOP_DELTA_NORM2, STOP_DELTA_2NORM2, STOP_GAP_SUM_NORM2,
                                             STOP_GAP_MAX_NORM2, STOP_DUAL_CHANGE};
    for (size_t r = 0; r < sizeof needing / sizeof *needing; r++)
        assert_true(stop_needs_values(needing[r]));
}

static void dual_change_is_relative_to_the_objective_of_the_iteration_before(void **state)
{
    (void)state;
    static const struct {
        double objective;
        enum stop_verdict verdict;
    } steps[] = {
        {0, STOP_GO_ON},     /* nothing to compare with */
        {-8, STOP_GO_ON},    /* |D - D'| = 8 > 0 / 8 */
        {-16, STOP_GO_ON},   /* 8 > 8 / 8 */
        {-18, STOP_MET},     /* 2 <= 16 / 8 */
        {-16, STOP_MET},     /* 2 <= 18 / 8, for either sign */
        {-13.5, STOP_GO_ON}, /* 2.5 > 16 / 8 */
        {-16, STOP_GO_ON},   /* 2.5 > 13.5 / 8 */
        {-18.1, STOP_GO_ON}, /* 2.1 > 16 / 8, although not above 18.1 / 8 */
        {-18, STOP_MET},     /* 0.1 <= 18.1 / 8 */
        {-15.75, STOP_MET},  /* 2.25 <= 18 / 8, although above 15.75 / 8 */
    };
    const double gaps[] = {0, 0};
    struct stop_memory memory = {0};
    const struct stop stop = {.rule = STOP_DUAL_CHANGE, .tolerance = 0.125};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct progress progress = at_norm(1, 0);
        progress.objective = steps[i].objective;
        assert_int_equal(stop_look(&stop, &memory, &gaps_only, gaps, &progress, STATUS_OK), steps[i].verdict);
    }
}

static void the_rule_iterations_is_never_met(void **state)
{
    (void)state;
    const double gaps[] = {0, 0};
    struct progress progress = at_norm(0, 1);
    assert_int_equal(look(STOP_ITERATIONS, 1, gaps, &progress, STATUS_OK), STOP_GO_ON);
}

/* A naive comparison would meet each rule: infinity is the limit, is not below any limit, or is as far from infinity as
 * infinity. */
static void no_rule_is_met_on_infinities(void **state)
{
    (void)state;
    const double gaps[] = {0, 0};
    for (unsigned r = 0; r < STOP_RULES; r++) {
        struct progress progress = at_norm(HUGE_VAL, 1);
        struct stop_memory memory = {.has_previous = 1, .previous_objective = 1};
        const struct stop stop = {.rule = (enum stop_rule)r, .tolerance = 1};
        progress.objective = 1;
        for (int choice = STATUS_OK; choice <= STATUS_STALLED; choice += STATUS_STALLED - STATUS_OK)
            assert_int_equal(stop_look(&stop, &memory, &gaps_only, gaps, &progress, (enum status)choice), STOP_GO_ON);
    }
    static const enum stop_rule on_delta[] = {STOP_DELTA, STOP_DELTA_NORM2, STOP_DELTA_2NORM2, STOP_KKT};
    for (size_t i = 0; i < sizeof on_delta / sizeof *on_delta; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct progress progress = at_norm(4, 1);
            progress.delta = sign * HUGE_VAL;
            assert_int_equal(look(on_delta[i], 1, gaps, &progress, STATUS_OK), STOP_GO_ON);
        }
}

static void dual_change_is_not_met_next_to_an_infinite_objective(void **state)
{
    (void)state;
    const double gaps[] = {0, 0}, objectives[] = {1, HUGE_VAL, 1, -HUGE_VAL, -HUGE_VAL, 1, 1};
    const struct stop stop = {.rule = STOP_DUAL_CHANGE, .tolerance = 0.125};
    struct stop_memory memory = {0};
    for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++) {
        struct progress progress = at_norm(1, 0);
        progress.objective = objectives[i];
        assert_int_equal(stop_look(&stop, &memory, &gaps_only, gaps, &progress, STATUS_OK),
                         i == 6 ? STOP_MET : STOP_GO_ON);
    }
}

/* |W|^2 is NaN if the rule did not request it. */
static void rules_without_norm2_are_met_where_it_is_not_known(void **state)
{
    (void)state;
    const double gaps[] = {100, 100};
    static const enum stop_rule rules[] = {STOP_DELTA, STOP_KKT, STOP_KKT_RELAXED};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        struct progress progress = at_norm((double)NAN, 0);
        assert_int_equal(look(rules[r], 1, gaps, &progress, STATUS_OK), STOP_MET);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_has_a_name_a_formula_and_is_found_by_its_name),
        cmocka_unit_test(rch_gap_looks_at_the_class_about_to_be_updated),
        cmocka_unit_test(a_class_that_there_is_not_stands_for_both),
        cmocka_unit_test(rch_gap_updated_looks_at_the_class_moved_before),
        cmocka_unit_test(rch_gap_takes_gaps_that_are_known_instead_of_asking),
        cmocka_unit_test(a_class_without_a_choice_does_not_end_a_run_as_converged),
        cmocka_unit_test(a_stalled_choice_is_converged_only_where_both_gaps_are_small),
        cmocka_unit_test(rules_on_the_violation_stop_at_their_limit_and_not_above),
        cmocka_unit_test(rules_on_gaps_and_norm2_compare_the_sum_and_the_larger),
        cmocka_unit_test(kkt_relaxed_looks_at_the_violation_of_single_patterns_alone),
        cmocka_unit_test(rules_that_compare_with_norm2_or_objective_ask_for_them),
        cmocka_unit_test(dual_change_is_relative_to_the_objective_of_the_iteration_before),
        cmocka_unit_test(the_rule_iterations_is_never_met),
        cmocka_unit_test(no_rule_is_met_on_infinities),
        cmocka_unit_test(dual_change_is_not_met_next_to_an_infinite_objective),
        cmocka_unit_test(rules_without_norm2_are_met_where_it_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
