/* Summaries against the definitions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/stats/summary.h"

/* cmocka compares reals as float; these are compared in double precision. */
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

static void mean_and_sd_follow_their_definitions(void **state)
{
    (void)state;
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct summary summary;
    summary = summary_of(values, 8);
    assert_int_equal(summary.n, 8);
    /* sums of squares 32 over n - 1 = 7; the tolerance is a few rounding errors of numbers of size 10 */
    assert_near(summary.mean, 5, 1e-14);
    assert_near(summary.sd, sqrt(32.0 / 7), 1e-14);
    assert_true(summary.min == 2 && summary.max == 9 && summary.median == 4.5);
    assert_true(summary.low_quartile == 4 && summary.high_quartile == 5.5); /* at 1.75 and 5.25 of 0 to 7 */
    assert_near(summary.kurtosis, 8 * 356 / (32.0 * 32), 1e-14); /* the fourth powers sum to 356 */
    summary = summary_of(values, 3);
    assert_true(summary.median == 4);
}

static void empty_and_single_samples_say_what_they_cannot(void **state)
{
    (void)state;
    const double one[] = {3.5};
    struct summary summary;
    summary = summary_of(NULL, 0);
    assert_true(summary.n == 0 && isnan(summary.mean) && isnan(summary.sd) && isnan(summary.min) &&
                isnan(summary.kurtosis));
    summary = summary_of(one, 1);
    assert_true(summary.n == 1 && summary.mean == 3.5 && isnan(summary.sd) && summary.median == 3.5);
}

static void a_constant_sample_has_spread_exactly_zero(void **state)
{
    (void)state;
    double values[7];
    struct summary summary;
    for (int i = 0; i < 7; i++)
        values[i] = 0.1;
    summary = summary_of(values, 7);
    assert_true(summary.mean == 0.1 && summary.sd == 0 && isnan(summary.kurtosis));
}

static void a_kurtosis_has_no_unit(void **state)
{
    (void)state;
    const double values[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, large[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1e150};
    struct summary summary;
    /* one value occurs with frequency p: (1 - 3 p (1 - p)) / (p (1 - p)), at p = 1/10 */
    summary = summary_of(values, 10);
    assert_near(summary.kurtosis, 0.73 / 0.09, 1e-13);
    summary = summary_of(large, 10);
    assert_near(summary.kurtosis, 0.73 / 0.09, 1e-13);
}

/* At 1e20 exact sums need more than the 64 mantissa bits that a long double has on some systems. */
static void sums_lose_nothing_and_ask_for_no_wider_type(void **state)
{
    (void)state;
    const double values[] = {1e20, 1, 1, 1, -1e20}, squares[] = {1e10, 1, -1, 1, -1};
    assert_true(summary_mean(values, 5) == 3.0 / 5);
    assert_true(summary_sd(squares, 5, 0) == sqrt((1e20 + 4) / 4));
    assert_true(isinf(summary_mean((const double[]){INFINITY, 1}, 2)));
    assert_true(isinf(summary_sd((const double[]){1e200, 0}, 2, 0)));
}

static void quantiles_are_on_the_line_between_their_neighbours(void **state)
{
    (void)state;
    const double sorted[] = {1, 2, 4, 8, 16, 32};
    assert_true(summary_quantile(sorted, 6, 0) == 1 && summary_quantile(sorted, 6, 1) == 32);
    assert_true(summary_quantile(sorted, 6, 0.25) == 2.5 && summary_quantile(sorted, 6, 0.75) == 14);
    assert_true(summary_quantile(sorted, 6, 0.5) == 6 && summary_quantile(sorted, 5, 0.5) == 4);
    assert_true(summary_quantile(sorted, 1, 0.75) == 1);
}

static void a_value_that_is_not_a_number_leaves_no_summary(void **state)
{
    (void)state;
    const double values[] = {1, (double)NAN};
    const struct summary summary = summary_of(values, 2);
    assert_true(isnan(summary.mean) && isnan(summary.sd) && isnan(summary.min) && isnan(summary.median));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_and_sd_follow_their_definitions),
        cmocka_unit_test(empty_and_single_samples_say_what_they_cannot),
        cmocka_unit_test(a_constant_sample_has_spread_exactly_zero),
        cmocka_unit_test(a_kurtosis_has_no_unit),
        cmocka_unit_test(sums_lose_nothing_and_ask_for_no_wider_type),
        cmocka_unit_test(quantiles_are_on_the_line_between_their_neighbours),
        cmocka_unit_test(a_value_that_is_not_a_number_leaves_no_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
