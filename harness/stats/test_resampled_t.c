/* The corrected resampled t test and means of ratios: by hand, against values computed with R, and against R itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "harness/stats/bootstrap.h"
#include "harness/stats/rank_tests.h"
#include "harness/stats/resampled_t.h"
#include "tests/with_r.h"

/* cmocka compares reals as float; these are compared in double precision. */
#define assert_close(value, expected) assert_true(fabs((value) - (expected)) <= 1e-10 * fabs(expected))

enum { N = 10 };

static const double x[N] = {22.1, 24.5, 19.8, 23.3, 25.0, 21.7, 22.9, 20.4, 24.1, 23.6};
static const double y[N] = {21.5, 24.9, 19.1, 22.0, 25.3, 20.8, 22.2, 20.6, 23.0, 22.7};
static const double endless = (double)INFINITY;

/* R 4.2.2: t.test(x, y, paired = TRUE, alternative = "t", "g" and "l"). */
static void without_a_test_set_it_is_the_paired_t_test(void **state)
{
    (void)state;
    static const double p[] = {0.022447447618175204, 0.011223723809087602, 0.98877627619091246};
    struct resampled_t result;
    for (int tail = 0; tail < 3; tail++) {
        result = resampled_t_test(x, y, N, 0, (enum tail)tail, 0.95);
        assert_close(result.t, 2.750799181852532360);
        assert_close(result.p_value, p[tail]);
        assert_close(result.difference.low, 0.094147283381254554);
        assert_close(result.difference.high, 0.965852716618745388);
        assert_true(result.degrees == N - 1 && result.difference.level == 0.95);
    }
}

/* R 4.2.2: d <- x - y; s <- sqrt((1/10 + 300/170) * var(d)); t <- mean(d)/s; pt(., 9); mean(d) -+ qt(0.95, 9) * s. */
static void the_correction_is_that_of_the_formula(void **state)
{
    (void)state;
    static const double p[] = {0.53997461984657469, 0.26998730992328734, 0.73001269007671266};
    struct resampled_t result;
    for (int tail = 0; tail < 3; tail++) {
        result = resampled_t_test(x, y, N, 300.0 / 170, (enum tail)tail, 0.9);
        assert_close(result.t, 0.63702095098233635);
        assert_close(result.p_value, p[tail]);
        assert_close(result.difference.estimate, 0.53);
        assert_close(result.difference.low, -0.99514584145089602);
        assert_close(result.difference.high, 2.05514584145089607);
    }
}

static void tiny_and_constant_samples_have_their_answer(void **state)
{
    (void)state;
    const double one[] = {1, 1, 1}, two[] = {2, 2, 2};
    struct resampled_t result;
    for (size_t n = 0; n < 2; n++) {
        result = resampled_t_test(x, y, n, 0.5, TAIL_TWO_SIDED, 0.95);
        assert_true(result.p_value == 1 && result.t == 0 && result.difference.level == 0);
        assert_true(n == 0 ? isnan(result.difference.estimate) : result.difference.low == x[0] - y[0]);
    }
    result = resampled_t_test(one, one, 3, 0.5, TAIL_GREATER, 0.95);
    assert_true(result.p_value == 1 && result.t == 0 && result.difference.high == 0);
    result = resampled_t_test(two, one, 3, 0.5, TAIL_TWO_SIDED, 0.95);
    assert_true(result.p_value == 0 && result.t == endless && result.difference.low == 1);
    result = resampled_t_test(one, two, 3, 0.5, TAIL_LESS, 0.95);
    assert_true(result.p_value == 0 && result.t == -endless);
    result = resampled_t_test(one, two, 3, 0.5, TAIL_GREATER, 0.95);
    assert_true(result.p_value == 1);
}

static void what_is_not_finite_shows_nothing(void **state)
{
    (void)state;
    const double bad[] = {1, (double)NAN};
    const struct resampled_t several = resampled_t_test(x, bad, 2, 0.5, TAIL_LESS, 0.95),
                             one = resampled_t_test(x, &endless, 1, 0.5, TAIL_LESS, 0.95);
    assert_true(several.p_value == 1 && isnan(several.difference.estimate) && several.difference.level == 0);
    assert_true(one.p_value == 1 && isnan(one.difference.low));
}

enum { CASES = 20, MAX_N = 100 };

static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    static double made[CASES][MAX_N], zeros[MAX_N];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct with_r r;
    with_r_open(&r);
    for (int c = 0; c < CASES; c++) {
        for (int i = 0; i < MAX_N; i++)
            made[c][i] = gsl_ran_gaussian(rng, 1) + c / 8.0;
        with_r_values(&r, "d", made[c], 5 * (size_t)c + 5);
        with_r_line(&r, "n <- length(d); s <- sqrt((1/n + 3/%d) * var(d)); t <- mean(d)/s; q <- qt(0.995, n-1) * s",
                    c + 2);
        with_r_line(&r, "show(t, 2 * pt(-abs(t), n-1), pt(-t, n-1), pt(t, n-1), mean(d) - q, mean(d) + q)");
    }
    gsl_rng_free(rng);
    with_r_run(&r);
    for (int c = 0; c < CASES; c++) {
        struct resampled_t result;
        size_t n = 5 * (size_t)c + 5;
        for (int tail = 0; tail < 3; tail++) {
            result = resampled_t_test(made[c], zeros, n, 3 / (c + 2.0), (enum tail)tail, 0.99);
            if (tail == 0)
                with_r_agrees(&r, "t", result.t, 1e-10);
            with_r_agrees(&r, "p", result.p_value, 1e-10);
        }
        with_r_agrees(&r, "low", result.difference.low, 1e-10);
        with_r_agrees(&r, "high", result.difference.high, 1e-10);
    }
    with_r_close(&r);
}

/* i + 0.1 - i is 0.1 except for rounding, and 1.1 (i + 1) minus itself times (1 + eps) is 0. */
static void rounding_is_no_spread_and_too_large_shows_nothing(void **state)
{
    (void)state;
    double first[10], second[10], third[10];
    for (int i = 0; i < 10; i++) {
        first[i] = i + 0.1;
        second[i] = i;
        third[i] = first[i] * (1 + 2.3e-16 * (i % 3));
    }
    struct resampled_t result;
    result = resampled_t_test(first, second, 10, 1, TAIL_TWO_SIDED, 0.95);
    assert_true(isinf(result.t) && result.t > 0 && result.p_value == 0);
    result = resampled_t_test(third, first, 10, 1, TAIL_TWO_SIDED, 0.95);
    assert_true(result.t == 0 && result.p_value == 1);
    first[3] += 1e-12; /* no longer a rounding error */
    result = resampled_t_test(first, second, 10, 1, TAIL_TWO_SIDED, 0.95);
    assert_true(isfinite(result.t) && result.p_value > 0);
    const double large[3] = {1.7e308, 1.6e308, 1.5e308}, none[3] = {0};
    result = resampled_t_test(large, none, 3, 1, TAIL_TWO_SIDED, 0.95);
    assert_true(result.p_value == 1 && isnan(result.difference.estimate));
    assert_true(isnan(shift_paired(large, none, 3, 0.95).estimate));
    struct pool *pool = pool_new();
    struct bootstrap_draws draws = bootstrap_draw(pool, 3, 1999, 1);
    assert_true(isnan(bootstrap_mean(&draws, large, 0.95).estimate));
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_test_set_it_is_the_paired_t_test),
        cmocka_unit_test(the_correction_is_that_of_the_formula),
        cmocka_unit_test(tiny_and_constant_samples_have_their_answer),
        cmocka_unit_test(what_is_not_finite_shows_nothing),
        cmocka_unit_test(rounding_is_no_spread_and_too_large_shows_nothing),
        cmocka_unit_test(r_agrees_where_it_is_installed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
