/* Profiles, by hand and by their definition. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_rng.h>
#include <math.h>

#include "harness/stats/curves.h"

static const double endless = (double)INFINITY;

/* Three solvers on four problems; none solves the last. */
static const double costs[12] = {
    10, 30, 0, (double)INFINITY, 20, 15, 0, (double)INFINITY, (double)INFINITY, 60, 7, (double)INFINITY,
};

/* The share of the ratios that are at most `ratio`; 0 without problems. */
static double profile_share(const double *ratios, size_t problems, double ratio)
{
    size_t within = 0;
    for (size_t p = 0; p < problems; p++)
        within += ratios[p] <= ratio;
    return problems > 0 ? (double)within / (double)problems : 0;
}

static void performance_is_relative_to_the_best(void **state)
{
    (void)state;
    const double expected[12] = {1, 2, 1, endless, 2, 1, 1, endless, endless, 4, endless, endless};
    double ratios[12];
    struct profile_step steps[4];
    profile_performance(costs, 3, 4, ratios);
    for (int k = 0; k < 12; k++)
        assert_true(ratios[k] == expected[k]);
    assert_int_equal(profile_steps(ratios, 4, steps), 2);
    assert_true(steps[0].ratio == 1 && steps[0].share == 0.5 && steps[1].ratio == 2 && steps[1].share == 0.75);
    assert_int_equal(profile_steps(ratios + 8, 4, steps), 1);
    assert_true(steps[0].ratio == 4 && steps[0].share == 0.25);
    assert_true(profile_share(ratios, 4, 1) == 0.5 && profile_share(ratios, 4, 0.5) == 0);
    assert_true(profile_share(ratios, 4, 1.9) == 0.5 && profile_share(ratios, 4, 1e9) == 0.75);
}

static void budgets_are_in_units_of_the_problem(void **state)
{
    (void)state;
    const double units[] = {10, 5, 2, 1};
    double ratios[12];
    struct profile_step steps[4];
    profile_data(costs, units, 3, 4, ratios);
    assert_int_equal(profile_steps(ratios + 4, 4, steps), 3); /* 2, 3, 0 */
    assert_true(steps[0].ratio == 0 && steps[1].ratio == 2 && steps[2].ratio == 3 && steps[2].share == 0.75);
}

static void steps_are_the_share_at_every_ratio(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 200; trial++) {
        double made[60], ratios[60];
        struct profile_step steps[20];
        for (int k = 0; k < 60; k++)
            made[k] = gsl_rng_uniform_int(rng, 5) ? 1 + (double)gsl_rng_uniform_int(rng, 8) : endless;
        profile_performance(made, 3, 20, ratios);
        for (int s = 0; s < 3; s++) {
            size_t count = profile_steps(ratios + 20 * s, 20, steps);
            for (size_t k = 0; k < count; k++) {
                assert_true(steps[k].share == profile_share(ratios + 20 * s, 20, steps[k].ratio));
                assert_true(k == 0 || (steps[k].ratio > steps[k - 1].ratio && steps[k].share > steps[k - 1].share));
            }
            double all = profile_share(ratios + 20 * s, 20, 1e300);
            assert_true(all == (count ? steps[count - 1].share : 0));
        }
    }
    gsl_rng_free(rng);
}

static void nothing_is_nothing(void **state)
{
    (void)state;
    const double unsolved[2] = {(double)INFINITY, (double)INFINITY};
    double ratios[2];
    struct profile_step steps[2];
    profile_performance(NULL, 0, 0, NULL);
    assert_true(profile_share(NULL, 0, 5) == 0);
    assert_int_equal(profile_steps(NULL, 0, steps), 0);
    profile_performance(unsolved, 1, 2, ratios);
    assert_int_equal(profile_steps(ratios, 2, steps), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(performance_is_relative_to_the_best),  cmocka_unit_test(budgets_are_in_units_of_the_problem),
        cmocka_unit_test(steps_are_the_share_at_every_ratio),   cmocka_unit_test(nothing_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
