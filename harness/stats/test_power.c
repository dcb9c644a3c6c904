/* Detectable differences of tests, against R, the tests themselves on simulated data, and by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "harness/stats/rank_tests.h"
#include "harness/stats/resampled_t.h"
#include "tests/with_r.h"

static double t_difference(double sd, size_t n, double overlap, double alpha, double power)
{
    double difference;
    difference = power_t(sd, n, overlap, alpha, power);
    return difference;
}

static double rank_difference(double sd, size_t n, double alpha, double power)
{
    double difference;
    difference = power_signed_rank(sd, n, alpha, power);
    return difference;
}

static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    static const size_t sizes[] = {3, 5, 13, 100, 1000};
    static const double alphas[] = {0.05, 0.01}, powers[] = {0.5, 0.8, 0.99};
    struct with_r r;
    with_r_open(&r);
    with_r_line(&r, "f <- function(n, a, p) uniroot(function(l) { c <- qt(a / 2, n - 1, lower = FALSE);"
                    " pt(c, n - 1, l, lower = FALSE) + pt(-c, n - 1, l) - p }, c(0, 200), tol = 1e-13)$root");
    for (int i = 0; i < 5; i++)
        for (int a = 0; a < 2; a++)
            for (int p = 0; p < 3; p++)
                with_r_line(&r, "show(f(%zu, %g, %g))", sizes[i], alphas[a], powers[p]);
    with_r_line(&r, "show(power.t.test(13, sd = 2.5, power = 0.8, type = 'paired', strict = TRUE, tol = 1e-12)$delta)");
    with_r_run(&r);
    for (int i = 0; i < 5; i++)
        for (int a = 0; a < 2; a++)
            for (int p = 0; p < 3; p++) { /* pt() is accurate to some 1e-9, up to 37 */
                double lambda = t_difference(1, sizes[i], 0, alphas[a], powers[p]) * sqrt((double)sizes[i]);
                with_r_agrees(&r, "noncentrality", lambda, 1e-7);
            }
    with_r_agrees(&r, "power.t.test", t_difference(2.5, 13, 0, 0.05, 0.8), 1e-9);
    with_r_close(&r);
}

/* The paired t test with 13 differences: R 4.2.2's power.t.test(13, power = 0.8, type = "paired", strict = TRUE). */
static void overlap_and_spread_scale_the_difference(void **state)
{
    (void)state;
    double one = t_difference(1, 13, 0, 0.05, 0.8);
    assert_true(fabs(one - 0.8466548) < 5e-8);
    assert_true(fabs(t_difference(3, 13, 0, 0.05, 0.8) - 3 * one) < 1e-12);
    assert_true(fabs(t_difference(1, 13, 1, 0.05, 0.8) - one * sqrt(14)) < 1e-12);
    assert_true(t_difference(0, 13, 1, 0.05, 0.8) == 0);
    assert_true(t_difference(1, 100, 100.0 / 170, 0.05, 0.8) > 0.7 * t_difference(1, 10, 100.0 / 170, 0.05, 0.8));
}

/* The share of 4 000 samples in which the test's p is at most 0.05; its standard error is 0.0063 at 0.8. */
static double simulated_power(double difference, size_t n, int ranks)
{
    enum { SAMPLES = 4000, MAX_N = 54 };
    double x[MAX_N], zeros[MAX_N] = {0};
    int refused = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int s = 0; s < SAMPLES; s++) {
        struct resampled_t t;
        struct rank_test rank;
        double common = gsl_ran_gaussian(rng, 1); /* correlates the differences by 1/3: overlap 1/2 */
        for (size_t i = 0; i < n; i++)
            x[i] = difference + (ranks ? gsl_ran_gaussian(rng, 1)
                                       : common * sqrt(0.5) + gsl_ran_gaussian(rng, 1));
        if (ranks)
            rank = signed_rank_test(x, zeros, n, TAIL_TWO_SIDED);
        else
            t = resampled_t_test(x, zeros, n, 0.5, TAIL_TWO_SIDED, 0.95);
        refused += (ranks ? rank.p_value : t.p_value) <= 0.05;
    }
    gsl_rng_free(rng);
    return refused / (double)SAMPLES;
}

static void the_t_test_finds_it_in_four_samples_of_five(void **state)
{
    (void)state;
    assert_true(fabs(simulated_power(t_difference(1, 13, 0.5, 0.05, 0.8), 13, 0) - 0.8) < 4 * 0.0063);
    assert_true(fabs(simulated_power(t_difference(1, 13, 0.5, 0.05, 0.5), 13, 0) - 0.5) < 4 * 0.0079);
}

/* 3 % of the difference change the power by at most 0.024, 7 % at six by 0.06; plus three standard errors. */
static void the_signed_rank_test_nearly_does(void **state)
{
    (void)state;
    static const size_t sizes[] = {6, 7, 8, 10, 13, 20, 54};
    for (int k = 0; k < 7; k++) {
        double power = simulated_power(rank_difference(1, sizes[k], 0.05, 0.8), sizes[k], 1);
        assert_true(fabs(power - 0.8) < (k == 0 ? 0.06 : 0.024) + 3 * 0.0063);
    }
}

/* Six differences of one sign have p = 2/64, five 2/32. With 300 the level is alpha, which leaves the factor 3/pi. */
static void without_a_level_to_reach_nothing_is_found(void **state)
{
    (void)state;
    assert_true(isinf(rank_difference(1, 5, 0.05, 0.8)) && isfinite(rank_difference(1, 6, 0.05, 0.8)));
    assert_true(isfinite(rank_difference(1, 5, 2.0 / 32, 0.8)) && isinf(rank_difference(1, 6, 0.03, 0.8)));
    assert_true(isinf(rank_difference(1, 0, 0.05, 0.8)) && isinf(t_difference(1, 1, 0, 0.05, 0.8)));
    const double ratio = rank_difference(1, 300, 0.05, 0.8) / t_difference(1, 300, 0, 0.05, 0.8);
    assert_true(fabs(ratio - sqrt(acos(-1) / 3)) < 1e-3);
}

static void an_unknown_spread_detects_nothing(void **state)
{
    (void)state;
    assert_true(isinf(power_t((double)INFINITY, 3, 0, 0.05, 0.8)));
    assert_true(isinf(power_signed_rank((double)NAN, 30, 0.05, 0.8)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r_agrees_where_it_is_installed),
        cmocka_unit_test(overlap_and_spread_scale_the_difference),
        cmocka_unit_test(the_t_test_finds_it_in_four_samples_of_five),
        cmocka_unit_test(the_signed_rank_test_nearly_does),
        cmocka_unit_test(without_a_level_to_reach_nothing_is_found),
        cmocka_unit_test(an_unknown_spread_detects_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
