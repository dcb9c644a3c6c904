/* The bootstrap over data sets, against its definition and against all possible draws. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_rng.h>
#include <math.h>

#include "harness/stats/bootstrap.h"

static struct pool *pool;

static void each_resample_draws_as_many_data_sets_as_there_are(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 13; n += 4) {
        struct bootstrap_draws draws = bootstrap_draw(pool, n, 50, 7);
        for (size_t b = 0; b < 50; b++) {
            double all = 0;
            for (size_t i = 0; i < n; i++)
                all += draws.times[b * n + i];
            assert_true(all == (double)n);
        }
    }
}

/* With two data sets the statistic is that of one, of the other, or of both: probabilities 1/4, 1/4, 1/2. */
static void of_two_data_sets_the_ends_are_each_alone(void **state)
{
    (void)state;
    const double x[] = {1, 8}, y[] = {10, 10};
    struct interval interval;
    struct bootstrap_draws draws = bootstrap_draw(pool, 2, 1000, 1);
    interval = bootstrap_ratio(&draws, x, y, 0.95);
    assert_true(interval.estimate == 0.45 && interval.low == 0.1 && interval.high == 0.8);
    interval = bootstrap_ratio(&draws, x, y, 0.2); /* the middle fifth lies within the half that draws both */
    assert_true(interval.low == 0.45 && interval.high == 0.45);
}

static void data_sets_without_values_do_not_count(void **state)
{
    (void)state;
    const double x[] = {0, 5, 0}, y[] = {0, 10, 0}, none[] = {0, 0, 0};
    struct interval interval;
    struct bootstrap_draws draws = bootstrap_draw(pool, 3, 100, 1);
    interval = bootstrap_ratio(&draws, x, y, 0.95);
    assert_true(interval.estimate == 0.5 && isnan(interval.low) && interval.level == 0);
    interval = bootstrap_ratio(&draws, none, none, 0.95);
    assert_true(isnan(interval.estimate) && isnan(interval.high));
    for (size_t b = 0; b < 100; b++)
        draws.values[b] = (double)NAN;
    interval = bootstrap_percentiles(&draws, 0.5, 0.95);
    assert_true(isnan(interval.low) && interval.level == 0);
}

/* Shares of 13 data sets with a known true mean: the 95 % interval covers it somewhat less often than 95 %. */
static void the_interval_covers_the_true_mean_nearly_as_often_as_it_says(void **state)
{
    (void)state;
    enum { STUDIES = 1000, SETS = 13 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t covered = 0;
    for (size_t study = 0; study < STUDIES; study++) {
        double x[SETS], y[SETS];
        struct interval interval;
            for (size_t i = 0; i < SETS; i++) {
            x[i] = gsl_rng_uniform(rng);
            y[i] = 1;
        }
        struct bootstrap_draws draws = bootstrap_draw(pool, SETS, 400, study + 1);
        interval = bootstrap_ratio(&draws, x, y, 0.95);
        covered += interval.low <= 0.5 && 0.5 <= interval.high;
    }
    gsl_rng_free(rng);
    /* percentile intervals of 13 values are too short by sqrt(12/13) and Student's quantile: they cover 91.7 % of
     * normal means; three standard errors of 0.9 % on both sides */
    assert_in_range(covered, 890, 945);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_resample_draws_as_many_data_sets_as_there_are),
        cmocka_unit_test(of_two_data_sets_the_ends_are_each_alone),
        cmocka_unit_test(data_sets_without_values_do_not_count),
        cmocka_unit_test(the_interval_covers_the_true_mean_nearly_as_often_as_it_says),
    };
    pool = pool_new();
    int failed = cmocka_run_group_tests_name("bootstrap of ratios", tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
