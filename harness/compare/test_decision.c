/* The finding of a comparison and its sentence: each condition that forbids a claim, met by itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/compare/decision.h"
#include "tests/made_pairs.h"

/* What the world comes to; the sentence has the text in it. */
static void check_claim(const struct world *world, int times, enum claim claim, const char *text)
{
    struct comparison comparison;
    struct error error = {0};
    assert_int_equal(world_compare(world, times, 0, &comparison, &error), STATUS_OK);
    struct finding finding = finding_of(&comparison);
    char *sentence = finding_sentence(&comparison, &finding);
    assert_string_equal(claim_name(finding.claim), claim_name(claim));
    assert_non_null(sentence);
    if (!strstr(sentence, text))
        fail_msg("\"%s\" is not in \"%s\"", text, sentence);
    free(sentence);
    compare_free(&comparison);
}

static void a_clear_difference_is_claimed_with_its_interval(void **state)
{
    (void)state;
    struct comparison comparison;
    struct error error = {0};
    char text[160];
    const struct world lower = world_of(8, 9, 0.75, 20), higher = world_of(8, 9, 1.25, 20),
                       times = world_of(8, 9, 4, 20);
    assert_int_equal(world_compare(&lower, 1, 0, &comparison, &error), STATUS_OK);
    const struct interval ratio = comparison.results[COMPARE_KERNEL_OPERATIONS].total.ratio;
    compare_free(&comparison);
    assert_true(ratio.low > 0.7 && ratio.high < 0.8 && ratio.low < 0.75 && ratio.high > 0.74);
    snprintf(text, sizeof text,
             "cycle-clip-mdm needs %.0f %% fewer kernel operations than clip-mdm (95 %% interval %.0f to %.0f %%)",
             100 * (1 - ratio.estimate), 100 * (1 - ratio.high), 100 * (1 - ratio.low));
    check_claim(&lower, 1, CLAIM_LOWER, text);
    check_claim(&lower, 1, CLAIM_LOWER,
                "; significantly fewer on 8 of 8 data sets, more on 0; over 8 data sets no difference in test error");
    check_claim(&higher, 1, CLAIM_HIGHER, "% more kernel operations than clip-mdm");
    check_claim(&times, 1, CLAIM_HIGHER,
                "cycle-clip-mdm needs 4 times the kernel operations of clip-mdm (95 % interval");
}

static void noise_is_no_difference(void **state)
{
    (void)state;
    const struct world world = world_of(8, 9, 1, 40);
    check_claim(&world, 1, CLAIM_INTERVAL, "No difference between cycle-clip-mdm and clip-mdm is shown");
}

static void equal_records_are_alike(void **state)
{
    (void)state;
    struct world world = world_of(8, 9, 1, 40);
    memcpy(world.arm[1], world.arm[0], sizeof world.arm[0]);
    check_claim(&world, 1, CLAIM_ALIKE, "equal on all 72 pairs.");
    world.arm[1][3][4].error += 1;
    check_claim(&world, 1, CLAIM_INTERVAL,
                "the ratio of kernel operations is 1 (95 % interval 1 to 1), which contains 1");
}

static void one_pair_has_no_interval(void **state)
{
    (void)state;
    const struct world world = world_of(7, 1, 0.5, 20);
    struct comparison comparison;
    struct error error = {0};
    assert_int_equal(world_compare(&world, 1, 0, &comparison, &error), STATUS_OK);
    for (size_t d = 0; d < 7; d++) {
        const struct contrast_row *row = &comparison.results[COMPARE_KERNEL_OPERATIONS].rows[d];
        assert_true(isnan(row->ratio.low) && isnan(row->ratio.high) && isnan(row->shift.low) &&
                    row->ratio.estimate > 0.4);
        assert_true(isnan(row->p[CONTRAST_CORRECTED_T]));
    }
    compare_free(&comparison);
    check_claim(&world, 1, CLAIM_LOWER,
                "; the data sets have too few splits for tests of their own"); /* over seven sets */
}

static void data_sets_without_a_ratio_are_counted_in_the_sentence(void **state)
{
    (void)state;
    struct world world = world_of(9, 9, 0.5, 20);
    for (size_t k = 0; k < 9; k++)
        world.arm[BASELINE][2][k].operations = world.arm[CANDIDATE][5][k].operations = 0;
    check_claim(&world, 1, CLAIM_LOWER, "% fewer kernel operations than clip-mdm");
    check_claim(&world, 1, CLAIM_LOWER, "; the ratio leaves out 2 of 9 data sets, where a mean is 0");
    for (size_t d = 0; d < 9; d++)
        for (size_t k = 0; k < 9; k++) {
            world.arm[BASELINE][d][k].operations = 0;
            world.arm[CANDIDATE][d][k].operations = 1000;
        }
    check_claim(&world, 1, CLAIM_FEW_SETS, "the kernel operations have no ratio");
}

static void five_data_sets_and_five_splits_are_too_few(void **state)
{
    (void)state;
    const struct world sets = world_of(5, 9, 0.5, 20), splits = world_of(1, 5, 0.5, 20), six = world_of(1, 6, 0.5, 20);
    check_claim(&sets, 1, CLAIM_FEW_SETS, "on 5 data sets, which are too few for a claim (6 are needed)");
    check_claim(&splits, 1, CLAIM_FEW_SPLITS, "on 5 splits, which are too few for a claim (6 are needed)");
    check_claim(&six, 1, CLAIM_LOWER, "50 % fewer kernel operations");
}

static void the_corrected_t_can_forbid_a_claim_over_splits(void **state)
{
    (void)state;
    struct world world = world_of(1, 10, 1, 0);
    for (size_t k = 0; k < 10; k++) /* always less, by amounts that differ much */
        world.arm[CANDIDATE][0][k].operations -= k < 5 ? 300 : 700;
    world.train = 1000;
    world.test = 10;
    check_claim(&world, 1, CLAIM_LOWER, "fewer kernel operations");
    world.train = 100;
    world.test = 900;
    check_claim(&world, 1, CLAIM_TEST, "but a test over splits does not confirm it (p = 0.");
}

static void a_looser_gap_forbids_the_claim_it_makes(void **state)
{
    (void)state;
    struct comparison comparison;
    struct error error = {0};
    struct world world = world_of(8, 10, 0.5, 20);
    for (size_t k = 0; k < 10; k++)
        world.arm[CANDIDATE][1][k].gap = 1e-4; /* seven sets are left, and say the same */
    check_claim(&world, 1, CLAIM_LOWER,
                "; 10 of 80 pairs did not reach the same gap and are counted (without them the ratio is 0.");
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.arm[CANDIDATE][d][k].gap = 1e-4;
    check_claim(&world, 1, CLAIM_LOOSER, "but on no pair the two came to the same accuracy");
    assert_int_equal(world_compare(&world, 1, 1, &comparison, &error), STATUS_NOT_FOUND);
    compare_free(&comparison);
    for (size_t k = 0; k < 10; k++)
        world.arm[CANDIDATE][3][k].gap = 1e-5;
    check_claim(&world, 1, CLAIM_LOOSER, "but the two came to the same accuracy on 10 pairs alone, of too few");
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.arm[CANDIDATE][d][k].gap = 1e-4;
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            if (k % 2) { /* where both came equally far both cost alike */
                world.arm[CANDIDATE][d][k] = world.arm[BASELINE][d][k];
                world.arm[CANDIDATE][d][k].error += 1;
            }
    check_claim(&world, 1, CLAIM_LOOSER,
                "but of the 40 pairs on which the two came to the same accuracy it is 1 (95 % interval 1 to 1, p = 1)");
    assert_int_equal(world_compare(&world, 1, 1, &comparison, &error), STATUS_OK);
    assert_int_equal(comparison.compared, 40);
    assert_int_equal(comparison.marks[PAIR_CANDIDATE_LOOSER], 40);
    assert_int_equal(comparison.results[COMPARE_ITERATIONS].n_pairs, 40);
    compare_free(&comparison);
}

static void a_solver_that_does_not_converge_wins_nothing(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 0.5, 20);
    for (size_t k = 0; k < 4; k++)
        world.arm[CANDIDATE][k][k].at_limit = 1; /* 4 of 80 are 5 % */
    check_claim(&world, 1, CLAIM_LOWER,
                "; 4 of 80 pairs are left out because clip-mdm (0) or cycle-clip-mdm (4) did not converge");
    world.arm[CANDIDATE][5][0].at_limit = 1;
    check_claim(&world, 1, CLAIM_UNENDED, "but on 5 of 80 pairs the one that needs less did not converge");
    for (size_t k = 0; k < 10; k++)
        world.arm[BASELINE][7][k].at_limit = 1; /* the baseline's failures do not speak against the other */
    world.arm[CANDIDATE][5][0].at_limit = 0;
    check_claim(&world, 1, CLAIM_LOWER, "clip-mdm (10) or cycle-clip-mdm (4)");
}

static void what_is_not_counted_is_compared_by_time_or_iterations(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 0.5, 20);
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.arm[CANDIDATE][d][k].uncounted = world.arm[BASELINE][d][k].uncounted = 1;
    check_claim(&world, 1, CLAIM_LOWER, "50 % less time than");
    check_claim(&world, 0, CLAIM_LOWER, "50 % fewer iterations than");
}

static void times_with_and_without_kernel_values_are_not_compared(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 0.5, 20);
    struct comparison comparison;
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.arm[CANDIDATE][d][k].uncounted = 1;
    check_claim(&world, 1, CLAIM_LOWER, "50 % fewer iterations than");
    check_claim(&world, 1, CLAIM_LOWER,
                "; kernel operations of cycle-clip-mdm are not counted, and times are not of one kind");
    assert_int_equal(world_compare(&world, 1, 0, &comparison, NULL), STATUS_OK);
    assert_string_equal(comparison.arms.without_times,
                        "Times are not compared: those of cycle-clip-mdm have its kernel values "
                        "in them, those of clip-mdm have not.");
    compare_free(&comparison);
}

static void start_ups_that_differ_are_said(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 0.5, 0);
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.arm[CANDIDATE][d][k].start_up = 100 + world.arm[CANDIDATE][d][k].operations;
    check_claim(&world, 1, CLAIM_LOWER, "; with the start-up, in which they differ, the ratio is 1;");
}

static void an_error_that_is_higher_on_every_set_is_higher(void **state)
{
    (void)state;
    struct world world = world_of(9, 10, 0.5, 20);
    world.test = 2000; /* per-set tests find nothing where the test set is much larger than the training set */
    for (size_t d = 0; d < 9; d++)
        for (size_t k = 0; k < 10; k++)
            world.arm[CANDIDATE][d][k].error = world.arm[BASELINE][d][k].error + 1 + ((d + k) % 2 ? 4 : -4);
    check_claim(&world, 1, CLAIM_LOWER,
                "; over 9 data sets test error is higher by 1 (percentage points; 95 % interval 1 to 1, p = 0.0039)");
    check_claim(&world, 1, CLAIM_LOWER, "; on no single one of the 9 data sets is a difference in test error shown");
    for (size_t d = 0; d < 9; d++)
        for (size_t k = 0; k < 10; k++)
            world.arm[CANDIDATE][d][k].error = world.arm[BASELINE][d][k].error - 1;
    for (size_t k = 0; k < 10; k++) { /* a set without any error has no ratio, and counts all the same */
        world.arm[BASELINE][3][k].error = 1;
        world.arm[CANDIDATE][3][k].error = 0;
    }
    check_claim(&world, 1, CLAIM_LOWER,
                "; over 9 data sets test error is lower by 1 (percentage points; 95 % interval 1 to 1, p = 0.0039)");
}

/* 88 % of the splits cost 3 % less, 12 % four times as much. */
static void a_few_dear_splits_outweigh_the_rest_in_words(void **state)
{
    (void)state;
    struct world world = world_of(9, 50, 0.97, 0), one = world_of(1, 50, 0.97, 0);
    struct comparison comparison;
    for (size_t d = 0; d < 9; d++)
        for (size_t k = 0; k < 50; k++)
            if (k % 8 == 0 && k < 48)
                world.arm[CANDIDATE][d][k].operations = 4 * world.arm[BASELINE][d][k].operations;
    assert_int_equal(world_compare(&world, 1, 0, &comparison, NULL), STATUS_OK);
    const struct compare_result *result = &comparison.results[COMPARE_KERNEL_OPERATIONS];
    assert_true(result->rows[0].shift.estimate < 0 && result->rows[0].ratio.estimate > 1.3);
    assert_int_equal(result->cases.wins, 9);
    assert_int_equal(result->opposed, 9);
    compare_free(&comparison);
    check_claim(&world, 1, CLAIM_HIGHER, "% more kernel operations than clip-mdm");
    check_claim(&world, 1, CLAIM_HIGHER,
                "; significantly fewer on 9 of 9 data sets, more on 0 (on 9 of these the means differ the other way");
    memcpy(one.arm[CANDIDATE][0], world.arm[CANDIDATE][0], sizeof one.arm[CANDIDATE][0]);
    one.train = one.test = 0; /* without sizes there is no corrected t, which would see nothing here */
    check_claim(&one, 1, CLAIM_OPPOSED, "but on most splits the difference is the other way");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clear_difference_is_claimed_with_its_interval),
        cmocka_unit_test(noise_is_no_difference),
        cmocka_unit_test(equal_records_are_alike),
        cmocka_unit_test(one_pair_has_no_interval),
        cmocka_unit_test(data_sets_without_a_ratio_are_counted_in_the_sentence),
        cmocka_unit_test(five_data_sets_and_five_splits_are_too_few),
        cmocka_unit_test(the_corrected_t_can_forbid_a_claim_over_splits),
        cmocka_unit_test(a_looser_gap_forbids_the_claim_it_makes),
        cmocka_unit_test(a_solver_that_does_not_converge_wins_nothing),
        cmocka_unit_test(what_is_not_counted_is_compared_by_time_or_iterations),
        cmocka_unit_test(times_with_and_without_kernel_values_are_not_compared),
        cmocka_unit_test(start_ups_that_differ_are_said),
        cmocka_unit_test(an_error_that_is_higher_on_every_set_is_higher),
        cmocka_unit_test(a_few_dear_splits_outweigh_the_rest_in_words),
    };
    return cmocka_run_group_tests(tests, world_set_up, world_tear_down);
}
