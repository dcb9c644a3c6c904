/* Exponents of power laws: exact ones, R's, and those with bounded costs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "harness/stats/curves.h"
#include "tests/with_r.h"

static const double sizes[] = {250, 500, 1000, 2000, 4000, 8000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void an_exact_power_law_is_found(void **state)
{
    (void)state;
    double y[SIZES];
    struct power_law law;
    for (size_t i = 0; i < SIZES; i++)
        y[i] = 0.25 * pow(sizes[i], 1.7);
    law = power_law_fit(sizes, y, NULL, SIZES, 0.95);
    assert_true(fabs(law.exponent.estimate - 1.7) < 1e-12 && fabs(law.factor - 0.25) < 1e-12);
    assert_true(law.exponent.high - law.exponent.low < 1e-12 && law.bound == POWER_LAW_EXACT && law.n == SIZES);
}

static void few_points_have_no_interval_or_no_exponent(void **state)
{
    (void)state;
    const double x[] = {2, 4}, y[] = {3, 12}, same[] = {2, 2, 2}, three[] = {1, 2, 3};
    struct power_law law;
    law = power_law_fit(x, y, NULL, 2, 0.95);
    assert_true(fabs(law.exponent.estimate - 2) < 1e-14 && isnan(law.exponent.low) && law.exponent.level == 0);
    law = power_law_fit(same, three, NULL, 3, 0.95);
    assert_true(isnan(law.exponent.estimate));
    law = power_law_fit(NULL, NULL, NULL, 0, 0.95);
    assert_true(isnan(law.exponent.estimate));
}

/* Raises the bounded costs and checks how the exponent changes. */
static void bounds_say_which_way_the_exponent_can_go(void **state)
{
    (void)state;
    static const unsigned char cases[][SIZES] = {{0, 0, 0, 0, 0, 1}, {0, 0, 0, 1, 0, 1}, {1, 0, 0, 0, 0, 0},
                                                 {1, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0}};
    static const enum power_law_bound expected[] = {POWER_LAW_AT_LEAST, POWER_LAW_AT_LEAST, POWER_LAW_AT_MOST,
                                                    POWER_LAW_UNKNOWN, POWER_LAW_EXACT};
    double y[SIZES], raised[SIZES];
    struct power_law law, other;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (size_t i = 0; i < SIZES; i++) {
            y[i] = pow(sizes[i], 1.5) * (1 + 0.1 * (double)(i % 2));
            raised[i] = cases[c][i] ? 3 * y[i] : y[i];
        }
        law = power_law_fit(sizes, y, cases[c], SIZES, 0.95);
        other = power_law_fit(sizes, raised, NULL, SIZES, 0.95);
        assert_int_equal(law.bound, expected[c]);
        if (law.bound == POWER_LAW_AT_LEAST)
            assert_true(other.exponent.estimate > law.exponent.estimate);
        if (law.bound == POWER_LAW_AT_MOST)
            assert_true(other.exponent.estimate < law.exponent.estimate);
    }
}

static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    enum { CASES = 10, POINTS = 18 };
    static double x[CASES][POINTS], y[CASES][POINTS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct power_law law;
    struct with_r r;
    with_r_open(&r);
    for (size_t c = 0; c < CASES; c++) {
        for (size_t i = 0; i < POINTS; i++) {
            x[c][i] = sizes[i % SIZES];
            y[c][i] = 2 * pow(x[c][i], 1 + 0.1 * (double)c) * exp(gsl_ran_gaussian(rng, 0.3));
        }
        with_r_values(&r, "x", x[c], POINTS);
        with_r_values(&r, "y", y[c], POINTS);
        with_r_line(&r, "f <- lm(log(y) ~ log(x)); i <- confint(f, level = 0.9)[2, ]; "
                        "show(coef(f)[2], i[1], i[2], exp(coef(f)[1]), summary(f)$sigma)");
    }
    gsl_rng_free(rng);
    with_r_run(&r);
    for (size_t c = 0; c < CASES; c++) {
        law = power_law_fit(x[c], y[c], NULL, POINTS, 0.9);
        with_r_agrees(&r, "exponent", law.exponent.estimate, 1e-10);
        with_r_agrees(&r, "low", law.exponent.low, 1e-10);
        with_r_agrees(&r, "high", law.exponent.high, 1e-10);
        with_r_agrees(&r, "factor", law.factor, 1e-9);
        with_r_agrees(&r, "deviation", law.deviation, 1e-10);
    }
    with_r_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_power_law_is_found),
        cmocka_unit_test(few_points_have_no_interval_or_no_exponent),
        cmocka_unit_test(bounds_say_which_way_the_exponent_can_go),
        cmocka_unit_test(r_agrees_where_it_is_installed),
    };
    return cmocka_run_group_tests_name("power law", tests, NULL, NULL);
}
