/* Numbers as tables print them, against the rule of the Particle Data Group worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/format/number_text.h"

static const struct number_format by_rule = {-1, 0};

static void the_mean_ends_at_the_digit_that_its_deviation_supports(void **state)
{
    (void)state;
    static const struct {
        double mean, sd;
        const char *joined;
    } cases[] = {
        /* 203: two digits; 456: one; 950 and more become 1000 with two; ends of the ranges */
        {5583.2, 203, "5580 ± 200"},
        {5583.2, 456, "5600 ± 500"},
        {5583.2, 967, "5600 ± 1000"},
        {5583.2, 354, "5580 ± 350"},
        {5583.2, 355, "5600 ± 400"},
        {5583.2, 949, "5600 ± 900"},
        {5583.2, 950, "5600 ± 1000"},
        {0.827, 0.119, "0.83 ± 0.12"},   /* the examples of the Review */
        {0.827, 0.367, "0.8 ± 0.4"},
        {22.86, 1.087, "22.9 ± 1.1"},
        {-3, 20, "−3 ± 20"},
        {-0.3, 20, "0 ± 20"},                 /* no negative zero */
        {150, 0, "150 ± 0"},
        {34e6, 0, "3.4·10⁷ ± 0"},
        {167.4e6, 2.3e6, "(1.674 ± 0.023)·10⁸"},
        {4.136e-6, 3.6e-7, "(4.1 ± 0.4)·10⁻⁶"},
        {0.0063, 0.0019, "0.0063 ± 0.0019"},
        {2e-4, 6e-4, "(2 ± 6)·10⁻⁴"},     /* the larger of the two determines the power */
        {12345.6, (double)NAN, "12350"},      /* one value has no sd */
        {(double)NAN, (double)NAN, "–"},
    };
    const char *text;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text = number_text_mean_sd(cases[i].mean, cases[i].sd, &by_rule);
        assert_string_equal(text, cases[i].joined);
    }
}

static void decimals_and_thin_spaces_are_as_asked_for(void **state)
{
    (void)state;
    const struct number_format two = {2, 0}, thin = {-1, 1};
    const char *text;
    text = number_text_mean_sd(5583.256, 203, &two);
    assert_string_equal(text, "5583.26 ± 203.00");
    text = number_text(1e300, 4, &two);
    assert_string_equal(text, "1.00·10³⁰⁰");
    text = number_text(1234, 4, &thin);
    assert_string_equal(text, "1234");
    text = number_text(1234567, 4, &thin);
    assert_string_equal(text, "1\u202f234\u202f567");
    text = number_text_mean_sd(-12345.6, 2000, &thin);
    assert_string_equal(text, "−12\u202f300 ± 2000");
}

static void other_numbers_have_the_digits_asked_for_and_whole_ones_all(void **state)
{
    (void)state;
    const char *text;
    text = number_text(9999999, 4, &by_rule);
    assert_string_equal(text, "9999999");
    text = number_text(0.57321, 3, &by_rule);
    assert_string_equal(text, "0.573");
    text = number_text(0.9996, 3, &by_rule);
    assert_string_equal(text, "1.00");
    text = number_text(0, 4, &by_rule);
    assert_string_equal(text, "0");
    text = number_text_mean(5583.2, 20.3, &by_rule);
    assert_string_equal(text, "5583");
    text = number_text_mean(22.5, 0, &by_rule);
    assert_string_equal(text, "22.5");
}

/* 9.97e-8 with a spread of 2e-9 is 9.97e-8; with 2e-8 it is rounded to 1e-9 and becomes 1.00e-7. */
static void the_power_of_ten_is_that_of_the_rounded_number(void **state)
{
    (void)state;
    static const struct {
        double mean, spread;
        const char *alone, *both;
    } cases[] = {
        {9.97e-8, 2e-9, "9.97·10⁻⁸", "(9.97 ± 0.20)·10⁻⁸"},
        {9.97e-8, 2e-8, "1.00·10⁻⁷", "(1.00 ± 0.20)·10⁻⁷"},
        {9.7e-8, 4e-8, "1.0·10⁻⁷", "(1.0 ± 0.4)·10⁻⁷"},
        {9.7e-4, 4e-4, "0.0010", "0.0010 ± 0.0004"},
        {9.96e6, 4e5, "1.00·10⁷", "(1.00 ± 0.04)·10⁷"},
        {9.4e6, 4e5, "9400000", "9400000 ± 400000"},
        {7e-9, 4e-8, "1·10⁻⁸", "(1 ± 4)·10⁻⁸"},
        {3e-9, 4e-8, "0·10⁻⁸", "(0 ± 4)·10⁻⁸"},
        {1e-5, 0.04, "0.00", "0.00 ± 0.04"},
    };
    const char *text;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text = number_text_mean(cases[i].mean, cases[i].spread, &by_rule);
        assert_string_equal(text, cases[i].alone);
        text = number_text_mean_sd(cases[i].mean, cases[i].spread, &by_rule);
        assert_string_equal(text, cases[i].both);
    }
    text = number_text(9.99996e-8, 4, &by_rule);
    assert_string_equal(text, "1.000·10⁻⁷");
}

static void values_of_settings_lose_their_letter_e(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"1e-05", "10⁻⁵"}, {"2.5e-07", "2.5·10⁻⁷"}, {"1e+20", "10²⁰"},
                                           {"0.02", "0.02"},  {"zero", "zero"},        {"low-e5", "low-e5"},
                                           {"0.632455532034", "0.6325"}, {"6.32455532034e-05", "6.325·10⁻⁵"},
                                           {"12345678", "12345678"},
                                           {"e", "e"},        {"1e", "1e"},            {"1e5x", "1e5x"}};
    const char *text;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text = number_text_setting(cases[i][0]);
        assert_string_equal(text, cases[i][1]);
    }
}

static void durations_have_at_most_two_units(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{-3, "0 s"}, {(double)NAN, "0 s"}, {0, "0 s"}, {0.004, "under 1 s"}, {0.999, "under 1 s"}, {1, "1 s"},
                 {1.6, "2 s"}, {59.4, "59 s"}, {59.6, "1 min 00 s"}, {65, "1 min 05 s"}, {200, "3 min 20 s"},
                 {3599, "59 min 59 s"}, {3599.6, "1 h 00 min"}, {3900, "1 h 05 min"}, {3929, "1 h 05 min"},
                 {3931, "1 h 06 min"}, {360000, "100 h 00 min"}};
    const char *text;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text = number_text_duration(cases[i].seconds);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_ends_at_the_digit_that_its_deviation_supports),
        cmocka_unit_test(decimals_and_thin_spaces_are_as_asked_for),
        cmocka_unit_test(other_numbers_have_the_digits_asked_for_and_whole_ones_all),
        cmocka_unit_test(the_power_of_ten_is_that_of_the_rounded_number),
        cmocka_unit_test(values_of_settings_lose_their_letter_e),
        cmocka_unit_test(durations_have_at_most_two_units),
    };
    return cmocka_run_group_tests_name("number text", tests, NULL, NULL);
}
