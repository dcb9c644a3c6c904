/* Hodges-Lehmann estimates against their definition, the tests they invert, values computed with R, and R itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "harness/stats/distributions.h"
#include "harness/stats/rank_tests.h"
#include "tests/with_r.h"

/* cmocka compares reals as float; these are compared in double precision. */
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

static const double rounding = 1e-12; /* for numbers up to 1000 */

static void check(const struct interval *shift, double estimate, double low, double high, double level)
{
    assert_near(shift->estimate, estimate, rounding);
    assert_near(shift->low, low, rounding);
    assert_near(shift->high, high, rounding);
    assert_near(shift->level, level, rounding);
}

/* Two samples of up to 300 values without ties. */
static void make_samples(double *u, double *v, int n, int modulus)
{
    for (int i = 0; i < n; i++) {
        u[i] = i * i * 37 % modulus / 8.0 + i / 1e5;
        v[i] = (i * i * 53 + 3 * i) % (modulus - 36) / 9.0 + 5 + i / 1e6;
    }
}

/* R 4.2.2: wilcox.test(x, y, paired = , exact = TRUE, conf.int = TRUE, conf.level = ); the levels are 1 - 2 P(V < q)
 * from psignrank. */
static void counted_intervals_are_those_of_r(void **state)
{
    (void)state;
    const double x[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double y[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    struct interval shift;
    shift = shift_paired(x, y, 9, 0.95);
    check(&shift, 0.46, 0.01, 0.786, 0.9609375);
    shift = shift_paired(x, y, 9, 0.9);
    check(&shift, 0.46, 0.175, 0.726, 0.90234375);
}

/* Six pairs: the 0.95 interval extends from the smallest to the largest difference, with level 1 - 2/64; the 11th of 21
 * means is the median. One end is 0, which exists as +0 and -0. */
static void an_interval_may_end_at_zero(void **state)
{
    (void)state;
    const double zero[6] = {0}, less[] = {0, -1, -2, -4, -8, -16};
    struct interval shift;
    shift = shift_paired(less, zero, 6, 0.95);
    check(&shift, -4.0, -16, 0, 0.96875);
    shift = shift_paired(zero, less, 6, 0.95);
    check(&shift, 4.0, 0, 16, 0.96875);
}

/* R 4.2.2, as above, with exact = FALSE, tol.root = 1e-12: R's root lies where the count jumps. */
static void larger_intervals_are_those_of_r(void **state)
{
    (void)state;
    double u[300], v[300];
    struct interval shift;
    make_samples(u, v, 300, 10009);
    shift = shift_paired(u, v, 300, 0.95);
    assert_near(shift.low, 24.85571016666609, 1e-9);
    assert_near(shift.high, 133.14674683333382, 1e-9);
    assert_true(shift.level == 0.95);
}

/* Sorts all sums, and finds the ends by the definition of q with counts from the module that the tests use. */
static void estimates_are_medians_of_all_sums(void **state)
{
    (void)state;
    const double zeros[40] = {0};
    double d[40], sums[820];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct interval shift;
    for (size_t n = 2; n <= 40; n++) {
        size_t k = 0;
        for (size_t i = 0; i < n; i++)
            d[i] = rint(gsl_ran_gaussian(rng, 3)); /* with ties and zeros */
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++)
                sums[k++] = (d[i] + d[j]) / 2;
        gsl_sort(sums, 1, k);
        shift = shift_paired(d, zeros, n, 0.9);
        assert_true(shift.estimate == (sums[(k - 1) / 2] + sums[k / 2]) / 2);
        assert_true(shift.low <= shift.estimate && shift.estimate <= shift.high);
    }
    gsl_rng_free(rng);
}

/* Just inside its ends the test does not reject the shift at 1 - level; just outside it does. */
static void intervals_hold_what_the_tests_do_not_refuse(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t n = 6; n <= EXACT_MAX_RANKS; n += 97)
        for (int side = 0; side < 4; side++) {
            double x[EXACT_MAX_RANKS], y[EXACT_MAX_RANKS], moved[EXACT_MAX_RANKS];
            struct interval paired;
            struct rank_test test;
            for (size_t i = 0; i < EXACT_MAX_RANKS; i++) {
                x[i] = gsl_ran_gaussian(rng, 1);
                y[i] = gsl_ran_gaussian(rng, 2);
            }
            paired = shift_paired(x, y, n, 0.95);
            double step = side % 2 ? 1e-9 : -1e-9;
            for (size_t i = 0; i < n; i++)
                moved[i] = x[i] - (side < 2 ? paired.low : paired.high) - step;
            test = signed_rank_test(moved, y, n, TAIL_TWO_SIDED);
            int inside = (side < 2) == (step > 0);
            assert_true(inside ? test.p_value >= 0.05 : test.p_value < 0.05);
        }
    gsl_rng_free(rng);
}

/* 4000 samples of 12 normal values rounded so that they tie: the level reached is 0.9575; four standard errors of a
 * share of 4000 are 0.013. Ties can only raise the coverage, since the interval is closed. */
static void ties_do_not_lower_the_cover(void **state)
{
    (void)state;
    enum { SAMPLES = 4000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int covered = 0;
    struct interval shift;
    for (int s = 0; s < SAMPLES; s++) {
        double x[12], zeros[12] = {0};
        for (int i = 0; i < 12; i++)
            x[i] = rint(gsl_ran_gaussian(rng, 1.5));
        shift = shift_paired(x, zeros, 12, 0.95);
        covered += shift.low <= 0 && 0 <= shift.high;
    }
    gsl_rng_free(rng);
    assert_true(covered > (0.9575 - 0.013) * SAMPLES);
}

/* R 4.2.2 gives the same ends, and the level 0.88 to two digits. */
static void few_values_give_what_there_is(void **state)
{
    (void)state;
    const double x[] = {1.83, 0.50, 1.62, 2.48}, y[] = {0.878, 0.647, 0.598, 2.05};
    struct interval shift;
    shift = shift_paired(x, y, 4, 0.95);
    check(&shift, 0.56425, -0.147, 1.022, 0.875);
    shift = shift_paired(x, y, 1, 0.95);
    check(&shift, 0.952, 0.952, 0.952, 0);
    shift = shift_paired(x, y, 0, 0.95);
    assert_true(isnan(shift.estimate) && isnan(shift.low) && isnan(shift.high) && shift.level == 0);
}

static void constant_differences_are_a_point(void **state)
{
    (void)state;
    double same[250], zeros[250] = {0};
    struct interval shift;
    for (int i = 0; i < 250; i++)
        same[i] = -2.5;
    for (size_t n = 10; n <= 250; n += 240) {
        shift = shift_paired(same, zeros, n, 0.95);
        assert_true(shift.estimate == -2.5 && shift.low == -2.5 && shift.high == -2.5 && shift.level >= 0.95);
    }
}

static void what_is_not_finite_has_no_shift(void **state)
{
    (void)state;
    const double good[] = {1, 2}, bad[] = {1, (double)NAN};
    const struct interval shift = shift_paired(good, bad, 2, 0.95);
    assert_true(isnan(shift.estimate) && isnan(shift.low) && isnan(shift.high) && shift.level == 0);
}

enum { CASES = 20 };

static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    static double x[CASES][60], y[CASES][60];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct with_r r;
    with_r_open(&r);
    for (int c = 0; c < CASES; c++) {
        for (int i = 0; i < 60; i++) {
            x[c][i] = gsl_ran_gaussian(rng, 1);
            y[c][i] = gsl_ran_gaussian(rng, 2) + c / 10.0;
        }
        with_r_values(&r, "x", x[c], 60);
        with_r_values(&r, "y", y[c], 60);
        with_r_line(&r,
                    "n <- %d; t <- wilcox.test(x[1:n], y[1:n], paired = TRUE, exact = TRUE,"
                    "conf.int = TRUE, conf.level = 0.9); show(t$estimate, t$conf.int)",
                    3 * c + 3);
    }
    with_r_run(&r);
    for (int c = 0; c < CASES; c++) {
        struct interval shift;
        shift = shift_paired(x[c], y[c], 3 * (size_t)c + 3, 0.9);
        with_r_agrees(&r, "estimate", shift.estimate, 1e-10);
        with_r_agrees(&r, "low", shift.low, 1e-10);
        with_r_agrees(&r, "high", shift.high, 1e-10);
    }
    with_r_close(&r);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_may_end_at_zero),
        cmocka_unit_test(counted_intervals_are_those_of_r),
        cmocka_unit_test(larger_intervals_are_those_of_r),
        cmocka_unit_test(estimates_are_medians_of_all_sums),
        cmocka_unit_test(intervals_hold_what_the_tests_do_not_refuse),
        cmocka_unit_test(ties_do_not_lower_the_cover),
        cmocka_unit_test(few_values_give_what_there_is),
        cmocka_unit_test(constant_differences_are_a_point),
        cmocka_unit_test(what_is_not_finite_has_no_shift),
        cmocka_unit_test(r_agrees_where_it_is_installed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
