/* The rule of docs/verdicts.md, its bounds recomputed here from GSL's quantiles or by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>

#include "harness/papers/verdict.h"

/* cmocka compares reals as float; these are compared as they are. */
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

static struct summary summary(double mean, double sd, size_t n)
{
    return (struct summary){.n = n, .mean = mean, .sd = sd, .min = mean, .max = mean, .median = mean};
}

static enum verdict judged(struct printed printed, struct summary measured)
{
    return verdict_mean(&printed, &measured).verdict;
}

static void names_have_no_holes(void **state)
{
    (void)state;
    for (int v = 0; v < VERDICT_COUNT; v++)
        assert_true(verdict_names[v][0] != '\0');
    assert_string_equal(verdict_names[VERDICT_NEAR], "near");
}

static void equal_spreads_give_student_bounds(void **state)
{
    (void)state;
    /* s = 2 and n = 100 on both sides: e = 2 sqrt(2/100), Welch's df is exactly 198 */
    const struct printed printed = {50, 2, 100, 1, 1, 0};
    double e = 2 * sqrt(2.0 / 100);
    double match = gsl_cdf_tdist_Pinv(0.995, 198) * e + 0.05, near = gsl_cdf_tdist_Pinv(0.99995, 198) * e + 0.1;
    struct agreement agreement;
    struct summary measured = summary(50 + match, 2, 100);
    agreement = verdict_mean(&printed, &measured);
    assert_near(agreement.allowed, match, 1e-12); /* a few roundings of a number near 1 */
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_int_equal(judged(printed, summary(50 + sign * (match - 1e-6), 2, 100)), VERDICT_MATCH);
        assert_int_equal(judged(printed, summary(50 + sign * (match + 1e-6), 2, 100)), VERDICT_NEAR);
        assert_int_equal(judged(printed, summary(50 + sign * 2.4999, 2, 100)), VERDICT_NEAR); /* 5 % of 50 */
        assert_int_equal(judged(printed, summary(50 + sign * 2.5001, 2, 100)), VERDICT_DIFFERS);
    }
    assert_true(near < 2.5);
    const struct printed small = {0.5, 2, 100, 1, 1, 0}; /* here 5 % is less than the interval */
    assert_int_equal(judged(small, summary(0.5 + near - 1e-6, 2, 100)), VERDICT_NEAR);
    assert_int_equal(judged(small, summary(0.5 + near + 1e-6, 2, 100)), VERDICT_DIFFERS);
}

static void unequal_spreads_use_welch(void **state)
{
    (void)state;
    const struct printed printed = {10, 1, 20, 2, 2, 0};
    double a = 9.0 / 100, b = 1.0 / 20;
    double df = (a + b) * (a + b) / (a * a / 99 + b * b / 19);
    double match = gsl_cdf_tdist_Pinv(0.995, df) * sqrt(a + b) + 0.005;
    assert_int_equal(judged(printed, summary(10 + match - 1e-6, 3, 100)), VERDICT_MATCH);
    assert_int_equal(judged(printed, summary(10 + match + 1e-6, 3, 100)), VERDICT_NEAR);
}

static void without_spread_only_rounding_is_allowed(void **state)
{
    (void)state;
    const struct printed printed = {400, 0, 100, 1, 1, 0};
    assert_int_equal(judged(printed, summary(400.05, 0, 100)), VERDICT_MATCH); /* just half a unit */
    assert_int_equal(judged(printed, summary(400.06, 0, 100)), VERDICT_NEAR);
    assert_int_equal(judged(printed, summary(421, 0, 100)), VERDICT_DIFFERS);
    const struct printed tiny = {0.5, 0, 100, 1, 1, 0};
    assert_int_equal(judged(tiny, summary(0.65, 0, 100)), VERDICT_DIFFERS);
}

static void a_printed_zero_sd_stands_for_half_its_unit(void **state)
{
    (void)state;
    const struct printed printed = {1, 0, 20, 1, 1, 0};
    double a = 0.01 * 0.01 / 100, b = 0.05 * 0.05 / 20;
    double df = (a + b) * (a + b) / (a * a / 99 + b * b / 19);
    double match = gsl_cdf_tdist_Pinv(0.995, df) * sqrt(a + b) + 0.05;
    assert_int_equal(judged(printed, summary(1 + match - 1e-6, 0.01, 100)), VERDICT_MATCH);
    assert_int_equal(judged(printed, summary(1 + match + 1e-6, 0.01, 100)), VERDICT_NEAR);
}

static void one_record_borrows_the_printed_spread(void **state)
{
    (void)state;
    const struct printed printed = {16, 3.3, 100, 1, 1, 0};
    double a = 3.3 * 3.3, b = a / 100;
    double match = gsl_cdf_tdist_Pinv(0.995, (a + b) * (a + b) / (a * a / 99 + b * b / 99)) * sqrt(a + b) + 0.05;
    assert_int_equal(judged(printed, summary(16 + match - 1e-6, (double)NAN, 1)), VERDICT_MATCH);
    assert_int_equal(judged(printed, summary(16 + match + 1e-6, (double)NAN, 1)), VERDICT_NEAR);
}

/* Two errors of 19 % against 15.9 +- 3.2: an sd of 0 by chance is not a certainty. */
static void a_few_equal_records_borrow_the_printed_spread(void **state)
{
    (void)state;
    const struct printed printed = {15.9, 3.2, 100, 1, 1, 0};
    assert_int_equal(judged(printed, summary(19, 0, 2)),
                     VERDICT_MATCH); /* one printed sd off, e = 3.2 sqrt(1/2 + 1/100) */
    assert_int_equal(judged(printed, summary(19, 0, 5)), VERDICT_DIFFERS);
}

/* Both means then have our spread: (m_o - m_p) / (s_o sqrt(1/n_o + 1/n_p)) is Student's t with n_o - 1. */
static void a_mean_without_printed_spread_is_judged_by_ours(void **state)
{
    (void)state;
    const struct printed printed = {5.51, (double)NAN, 100, 2, 2, 0};
    double e = 0.8 * sqrt(1.0 / 20 + 1.0 / 100);
    double match = gsl_cdf_tdist_Pinv(0.995, 19) * e + 0.005, near = gsl_cdf_tdist_Pinv(0.99995, 19) * e + 0.01;
    assert_int_equal(judged(printed, summary(5.51 - match + 1e-6, 0.8, 20)), VERDICT_MATCH);
    assert_int_equal(judged(printed, summary(5.51 - match - 1e-6, 0.8, 20)), VERDICT_NEAR);
    assert_int_equal(judged(printed, summary(5.51 + near - 1e-6, 0.8, 20)), VERDICT_NEAR);
    assert_int_equal(judged(printed, summary(5.51 + near + 1e-6, 0.8, 20)), VERDICT_DIFFERS);
    /* one record has no spread: rounding, and 5 % */
    assert_int_equal(judged(printed, summary(5.514, (double)NAN, 1)), VERDICT_MATCH);
    assert_int_equal(judged(printed, summary(5.6, (double)NAN, 1)), VERDICT_NEAR);
    assert_int_equal(judged(printed, summary(6, (double)NAN, 1)), VERDICT_DIFFERS);
    struct agreement agreement;
    struct summary measured = summary(5.51, 0.8, 20);
    agreement = verdict_mean(&printed, &measured);
    assert_true(isnan(agreement.sd_ratio) && agreement.sds_agree == -1);
    assert_near(agreement.allowed, match, 1e-12);
}

static void nothing_measured_is_missing(void **state)
{
    (void)state;
    const struct summary none = summary((double)NAN, (double)NAN, 0);
    assert_int_equal(judged((struct printed){16, 3.3, 100, 1, 1, 0}, none), VERDICT_MISSING);
}

static void spreads_are_judged_apart(void **state)
{
    (void)state;
    const struct printed printed = {10, 1, 100, 1, 3, 0};
    double limit = sqrt(gsl_cdf_fdist_Pinv(0.995, 99, 99)) * 1.0005;
    struct agreement agreement;
    struct summary measured = summary(10, limit - 1e-6, 100);
    agreement = verdict_mean(&printed, &measured);
    assert_true(agreement.sds_agree == 1 && agreement.verdict == VERDICT_MATCH);
    assert_near(agreement.sd_ratio, measured.sd, 1e-15);
    measured.sd = limit + 1e-6;
    agreement = verdict_mean(&printed, &measured);
    assert_true(agreement.sds_agree == 0 && agreement.verdict == VERDICT_MATCH);
}

static enum verdict judged_minimum(double printed_minimum, const double *values, size_t n)
{
    const struct printed printed = {printed_minimum, (double)NAN, 100, 4, 4, 0};
    struct summary measured;
    assert_int_equal(summary_of(values, n, &measured, NULL), STATUS_OK);
    return verdict_minimum(&printed, &measured, values).verdict;
}

static void values_below_a_printed_minimum_are_counted(void **state)
{
    (void)state;
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = 0.0100 + 0.0010 * i; /* spacing 10 units of the last digit, 6 below 0.0159 ... */
    assert_int_equal(judged_minimum(0.0100, values, 100), VERDICT_MATCH);
    /* k = 6: (100 ... 95) / (200 ... 195) = 0.0145; k = 7: 0.0070; k = 13: 5.7e-5, k = 12: 1.3e-4 */
    assert_int_equal(judged_minimum(0.0155, values, 100), VERDICT_MATCH);
    assert_int_equal(judged_minimum(0.0165, values, 100), VERDICT_NEAR);
    assert_int_equal(judged_minimum(0.0215, values, 100), VERDICT_NEAR);
    assert_int_equal(judged_minimum(0.0225, values, 100), VERDICT_DIFFERS);
}

static void a_printed_minimum_below_all_ours_is_an_extreme(void **state)
{
    (void)state;
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = i % 2 ? 1.1 : 0.9; /* mean 1, sd 0.1 sqrt(100/99) */
    double sd = 0.1 * sqrt(100.0 / 99);
    double match = 1 - gsl_cdf_ugaussian_Pinv(pow(0.995, 0.01)) * sd;
    double near = 1 - gsl_cdf_ugaussian_Pinv(pow(0.99995, 0.01)) * sd;
    /* the printed value is rounded, so half a unit (0.00005) may be added to it; 1e-6 is well inside that */
    assert_int_equal(judged_minimum(match - 0.00005 + 1e-6, values, 100), VERDICT_MATCH);
    assert_int_equal(judged_minimum(match - 0.00005 - 1e-6, values, 100), VERDICT_NEAR);
    assert_int_equal(judged_minimum(near - 0.00005 + 1e-6, values, 100), VERDICT_NEAR);
    assert_int_equal(judged_minimum(near - 0.00005 - 1e-6, values, 100), VERDICT_DIFFERS);
    assert_int_equal(judged_minimum(1, values, 0), VERDICT_MISSING);
}

/* The interval of the difference is Welch's at 95 % and half a unit more on both sides. */
static void the_interval_of_means_is_welchs_and_the_rounding(void **state)
{
    (void)state;
    const struct printed printed = {10, 1, 20, 2, 2, 0};
    const struct summary measured = summary(10.3, 3, 100);
    double a = 9.0 / 100, b = 1.0 / 20;
    double width = gsl_cdf_tdist_Pinv(0.975, (a + b) * (a + b) / (a * a / 99 + b * b / 19)) * sqrt(a + b) + 0.005;
    const struct agreement agreement = verdict_mean(&printed, &measured);
    assert_near(agreement.low, 0.3 - width, 1e-11); /* the half-width is rounded to 12 digits */
    assert_near(agreement.high, 0.3 + width, 1e-11);
    assert_near(agreement.bound, 0.5, 1e-15);
}

/* A reduction of 88.82 % leaves 11.18 %; one of 2 % saves 2 %: 5 % of the smaller. */
static void the_bound_of_a_reduction_is_that_of_its_smaller_part(void **state)
{
    (void)state;
    struct printed printed = {88.82, (double)NAN, 100, 2, 2, 100};
    const struct summary measured = summary(91.3, 0.4, 20);
    assert_near(verdict_mean(&printed, &measured).bound, 0.559, 1e-12);
    printed.mean = 2;
    assert_near(verdict_mean(&printed, &measured).bound, 0.1, 1e-12);
}

static void few_records_without_a_printed_spread_leave_the_difference_open(void **state)
{
    (void)state;
    const struct printed printed = {5.51, (double)NAN, 100, 2, 2, 0};
    struct summary measured = summary(5.51, 0, 4);
    struct agreement agreement = verdict_mean(&printed, &measured);
    assert_true(isinf(agreement.low) && isinf(agreement.high) && agreement.low < agreement.high);
    measured.n = 5;
    agreement = verdict_mean(&printed, &measured);
    assert_near(agreement.low, -0.005, 1e-15);
    assert_near(agreement.high, 0.005, 1e-15);
}

/* n_o = n_p = 100: five smallest all ours with chance 0.0282, six with 0.0134, so the sixth smallest is the end. */
static void the_interval_of_a_minimum_is_from_ranks_above_and_a_normal_tail_below(void **state)
{
    (void)state;
    double values[100], five = 1, mean = 0;
    for (int i = 0; i < 100; i++) {
        values[i] = 2 - 0.01 * i; /* not in ascending order; the sixth smallest is 2 - 0.94 */
        mean += values[i] / 100;
    }
    for (int i = 0; i < 5; i++)
        five *= (100.0 - i) / (200.0 - i);
    assert_true(five > 0.025 && five * 95 / 195 <= 0.025);
    struct summary measured;
    assert_int_equal(summary_of(values, 100, &measured, NULL), STATUS_OK);
    const struct printed printed = {1, (double)NAN, 100, 1, 1, 0};
    const struct agreement agreement = verdict_minimum(&printed, &measured, values);
    assert_near(agreement.high, 1.06 - 1 + 0.05, 1e-12);
    double lowest = mean - gsl_cdf_tdist_Pinv(1 - 0.025 / 100, 99) * measured.sd * sqrt(1.01);
    assert_near(agreement.low, lowest - 1 - 0.05, 1e-9); /* 1 - 0.00025 has lost four of 16 digits */
    const struct printed many = {1, (double)NAN, 1, 1, 1, 0};
    struct summary few;
    assert_int_equal(summary_of(values, 4, &few, NULL), STATUS_OK);
    const struct agreement open = verdict_minimum(&many, &few, values);
    assert_true(isinf(open.low) && isinf(open.high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_no_holes),
        cmocka_unit_test(equal_spreads_give_student_bounds),
        cmocka_unit_test(unequal_spreads_use_welch),
        cmocka_unit_test(without_spread_only_rounding_is_allowed),
        cmocka_unit_test(a_printed_zero_sd_stands_for_half_its_unit),
        cmocka_unit_test(one_record_borrows_the_printed_spread),
        cmocka_unit_test(a_few_equal_records_borrow_the_printed_spread),
        cmocka_unit_test(a_mean_without_printed_spread_is_judged_by_ours),
        cmocka_unit_test(nothing_measured_is_missing),
        cmocka_unit_test(spreads_are_judged_apart),
        cmocka_unit_test(values_below_a_printed_minimum_are_counted),
        cmocka_unit_test(a_printed_minimum_below_all_ours_is_an_extreme),
        cmocka_unit_test(the_interval_of_means_is_welchs_and_the_rounding),
        cmocka_unit_test(the_bound_of_a_reduction_is_that_of_its_smaller_part),
        cmocka_unit_test(few_records_without_a_printed_spread_leave_the_difference_open),
        cmocka_unit_test(the_interval_of_a_minimum_is_from_ranks_above_and_a_normal_tail_below),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
