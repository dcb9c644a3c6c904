/* Bootstrap intervals against a naive implementation, values from R's boot, R itself, and their nominal coverage. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "harness/stats/bootstrap.h"
#include "tests/with_r.h"

/* cmocka compares reals as float; these are compared in double precision. */
#define assert_close(value, expected) assert_true(fabs((value) - (expected)) <= 1e-10 * fabs(expected))

/* No resample except the sample itself has its mean: R counts equal ones as above, not half. */
enum { N = 12, RESAMPLES = 199 };

static const double x[N] = {3.1137, 4.7291,  2.2511, 9.5073, 5.0239, 3.3407,
                            4.1613, 14.2879, 2.9041, 6.6313, 3.8501, 7.4783};
static const double y[N] = {2.0, 5.1, 1.7, 6.0, 4.4, 2.1, 4.6, 8.8, 3.0, 5.2, 2.5, 4.9};

static const double ones[N] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static struct pool *pool;

/* A mean with its BCa interval, and with that of percentiles; a ratio of means with that of percentiles. */
enum what { MEAN_BCA, MEAN, RATIO, KINDS };

static double statistic(enum what what, const size_t *chosen, size_t n)
{
    double first = 0, second = 0;
    for (size_t k = 0; k < n; k++) {
        first += x[chosen[k]];
        second += what == RATIO ? y[chosen[k]] : 1;
    }
    return first / second;
}

/* The statistic of the sample, of each resample, and without each value. */
struct plain {
    double sample, resampled[RESAMPLES], left_out[N];
};

static void make_plain(enum what what, unsigned long seed, struct plain *plain)
{
    size_t chosen[N];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    for (size_t b = 0; b < RESAMPLES; b++) {
        for (size_t k = 0; k < N; k++)
            chosen[k] = gsl_rng_uniform_int(rng, N);
        plain->resampled[b] = statistic(what, chosen, N);
    }
    gsl_rng_free(rng);
    for (size_t k = 0; k < N; k++)
        chosen[k] = k;
    plain->sample = statistic(what, chosen, N);
    for (size_t i = 0; i < N; i++) { /* the last value replaces the one left out, and the list is one shorter */
        for (size_t k = 0; k + 1 < N; k++)
            chosen[k] = k == i ? N - 1 : k;
        plain->left_out[i] = statistic(what, chosen, N - 1);
    }
}

static struct interval interval_of(enum what what, double level, size_t resamples, unsigned long seed)
{
    struct bootstrap_draws draws = bootstrap_draw(pool, N, resamples, seed);
    return what == MEAN_BCA ? bootstrap_mean(&draws, x, level)
                            : bootstrap_ratio(&draws, x, what == RATIO ? y : ones, level);
}

static struct interval mean_of(const double *values, size_t n)
{
    struct bootstrap_draws draws = bootstrap_draw(pool, n, BOOTSTRAP_RESAMPLES, 1);
    return bootstrap_mean(&draws, values, 0.95);
}

/* Resamples of GSL's mt19937 with seed 7, evaluated by R 4.2.2's boot 1.3: boot:::bca.ci and boot:::norm.inter. */
static void intervals_are_those_of_boot(void **state)
{
    (void)state;
    static const double figures[KINDS][3] = {{5.6065666666666667, 4.1744648906096558, 7.2551368430441414},
                                             {5.6065666666666667, 4.1308999999999996, 7.1290833333333339},
                                             {1.3375506958250496, 1.1789191489361701, 1.4629365426695842}};
    for (int what = 0; what < KINDS; what++) {
        struct interval interval = interval_of((enum what)what, 0.9, RESAMPLES, 7);
        assert_close(interval.estimate, figures[what][0]);
        assert_close(interval.low, figures[what][1]);
        assert_close(interval.high, figures[what][2]);
        assert_true(interval.level == 0.9);
    }
}

static void boot_agrees_where_r_is_installed(void **state)
{
    (void)state;
    struct with_r r;
    with_r_needs("boot");
    with_r_open(&r);
    with_r_line(&r, "l <- function(j) mean(j) - j");
    for (int what = 0; what < KINDS; what++) {
        struct plain plain;
        make_plain((enum what)what, 7, &plain);
        with_r_values(&r, "t0", &plain.sample, 1);
        with_r_values(&r, "t", plain.resampled, RESAMPLES);
        with_r_values(&r, "j", plain.left_out, N);
        with_r_line(&r, what == MEAN_BCA ? "show(t0, boot:::bca.ci(NULL, 0.9, 1, t0, t, l(j))[4:5])"
                                         : "show(t0, boot:::norm.inter(t, c(0.05, 0.95))[, 2])");
    }
    with_r_run(&r);
    for (int what = 0; what < KINDS; what++) {
        struct interval interval = interval_of((enum what)what, 0.9, RESAMPLES, 7);
        with_r_agrees(&r, "estimate", interval.estimate, 1e-10);
        with_r_agrees(&r, "low", interval.low, 1e-10);
        with_r_agrees(&r, "high", interval.high, 1e-10);
    }
    with_r_close(&r);
}

static void the_seed_decides_and_nothing_else(void **state)
{
    (void)state;
    struct interval usual = interval_of(MEAN_BCA, 0.95, 1999, 1), same = interval_of(MEAN_BCA, 0.95, 1999, 1),
                    other = interval_of(MEAN_BCA, 0.95, 1999, 2);
    assert_true(usual.low == same.low && usual.high == same.high && usual.level == 0.95);
    assert_true(usual.low != other.low &&
                fabs(usual.low - other.low) < 0.3); /* ten times the spread of that quantile */
}

/* The reciprocal of a ratio has the reciprocal interval; scaling data scales the interval. */
static void intervals_follow_what_is_done_to_the_data(void **state)
{
    (void)state;
    struct bootstrap_draws draws = bootstrap_draw(pool, N, 199, 3); /* ends are the 10th and 190th of 199 */
    double eight[N], minus[N];
    for (size_t i = 0; i < N; i++) {
        eight[i] = 8 * x[i];
        minus[i] = -x[i];
    }
    struct interval one = bootstrap_ratio(&draws, x, y, 0.9), other = bootstrap_ratio(&draws, y, x, 0.9);
    assert_close(one.low, 1 / other.high);
    assert_close(one.high, 1 / other.low);
    one = mean_of(x, N);
    other = mean_of(eight, N);
    assert_true(other.low == 8 * one.low && other.high == 8 * one.high && other.estimate == 8 * one.estimate);
    other = mean_of(minus, N);
    assert_close(other.low, -one.high);
    assert_close(other.high, -one.low);
}

/* 2000 samples of 40 values: the share that covers the mean is within 0.04 of the level. For normal values the
 * percentile interval lacks the factor t/z and sqrt(40/39), which gives 0.937, and four standard errors are 0.02. */
static void intervals_cover_what_they_promise(void **state)
{
    (void)state;
    enum { SAMPLES = 2000, SIZE = 40 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double all_ones[SIZE];
    for (int i = 0; i < SIZE; i++)
        all_ones[i] = 1;
    for (int method = 0; method < 2; method++) {
        int covered = 0;
        for (int s = 0; s < SAMPLES; s++) {
            struct bootstrap_draws draws = bootstrap_draw(pool, SIZE, 399, (unsigned long)s + 1);
            double values[SIZE];
            for (int i = 0; i < SIZE; i++)
                values[i] = gsl_ran_gaussian(rng, 1);
            const struct interval interval =
                method ? bootstrap_ratio(&draws, values, all_ones, 0.95) : bootstrap_mean(&draws, values, 0.95);
            covered += interval.low <= 0 && 0 <= interval.high;
            pool_reset(pool);
        }
        assert_true(fabs(covered / (double)SAMPLES - 0.937) < 0.02);
    }
    gsl_rng_free(rng);
}

/* Error rates have one decimal; ten times them are integers, whose sums are exact. Resamples with the mean of the
 * sample must count as ties in both, so that the decimal interval is a tenth of the other. The last two samples are
 * differences and carry the rounding errors of larger numbers. */
static void ties_count_in_decimal_values_as_in_integers(void **state)
{
    (void)state;
    enum { SAMPLES = 6, SIZE = 5 };
    static const int tenths[SAMPLES][SIZE] = {{1, 3, 2, 7, 7},  {1, 2, 3, 4, 5},   {11, 13, 12, 17, 19},
                                              {3, 3, 3, 6, 12}, {-1, 2, 0, 3, -7}, {1, 1, 1, 2, 2}};
    for (int s = 0; s < SAMPLES; s++) {
        double values[SIZE], scaled[SIZE];
        for (int i = 0; i < SIZE; i++) {
            scaled[i] = tenths[s][i];
            values[i] = s < 4 ? tenths[s][i] / 10.0 : (tenths[s][i] + 123) / 10.0 - 12.3;
        }
        const struct interval decimal = mean_of(values, SIZE), integer = mean_of(scaled, SIZE);
        assert_true(fabs(10 * decimal.low - integer.low) < 1e-10);
        assert_true(fabs(10 * decimal.high - integer.high) < 1e-10);
    }
}

static void tiny_and_constant_samples_have_their_answer(void **state)
{
    (void)state;
    const double same[] = {0.1, 0.1, 0.1}, two[] = {1, 3};
    struct interval interval = mean_of(x, 0);
    assert_true(isnan(interval.estimate) && isnan(interval.low) && isnan(interval.high) && interval.level == 0);
    interval = mean_of(x, 1);
    assert_true(interval.estimate == x[0] && interval.low == interval.high && interval.level == 0);
    interval = mean_of(same, 3);
    assert_true(interval.estimate == 0.1 && interval.low == 0.1 && interval.high == 0.1 && interval.level == 0.95);
    interval = mean_of(two, 2);
    assert_true(interval.estimate == 2 && interval.low == 1 &&
                interval.high == 3); /* a quarter of the draws is at each end */
}

static void a_value_that_is_not_finite_leaves_no_interval(void **state)
{
    (void)state;
    const double bad[] = {1, (double)NAN};
    const struct interval interval = mean_of(bad, 2);
    assert_true(isnan(interval.estimate) && isnan(interval.low) && isnan(interval.high) && interval.level == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_those_of_boot),
        cmocka_unit_test(boot_agrees_where_r_is_installed),
        cmocka_unit_test(the_seed_decides_and_nothing_else),
        cmocka_unit_test(intervals_follow_what_is_done_to_the_data),
        cmocka_unit_test(intervals_cover_what_they_promise),
        cmocka_unit_test(ties_count_in_decimal_values_as_in_integers),
        cmocka_unit_test(tiny_and_constant_samples_have_their_answer),
        cmocka_unit_test(a_value_that_is_not_finite_leaves_no_interval),
    };
    pool = pool_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
