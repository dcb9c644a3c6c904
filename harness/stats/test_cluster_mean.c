/* The t interval over clusters and the test of equivalence, from first principles and by simulated studies. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "harness/stats/bootstrap.h"
#include "harness/stats/cluster_mean.h"
#include "harness/stats/distributions.h"

static struct pool *pool;

/* Three data sets with means 1, 2 and 6: mean 3, variance 7. t of two degrees of freedom has P(|T| > t) = 1 - t /
 * sqrt(2 + t^2). */
static void with_equal_weights_it_is_students_interval_of_the_means(void **state)
{
    const double x[] = {2, 4, 12}, y[] = {2, 2, 2}, error = sqrt(7. / 3), t = 3 / error;
    const struct cluster_mean mean = cluster_mean_of(x, y, 3);
    const struct interval interval = cluster_mean_interval(&mean, 0.95);
    const double half = interval.high - 3, at = half / error;
    (void)state;
    assert_true(mean.n == 3 && fabs(mean.estimate - 3) < 1e-15 && fabs(mean.error - error) < 1e-15);
    assert_true(fabs(at / sqrt(2 + at * at) - 0.95) < 1e-12 && fabs(interval.low - (3 - half)) < 1e-14);
    assert_true(fabs(cluster_mean_p(&mean) - (1 - t / sqrt(2 + t * t))) < 1e-14);
}

/* Residuals of x = theta y, theta = 20/8: 2 - 2.5, 6 - 5, 12 - 12.5. */
static void with_unequal_weights_the_error_is_that_of_a_ratio(void **state)
{
    const double x[] = {2, 6, 0, 12}, y[] = {1, 2, 0, 5};
    const struct cluster_mean mean = cluster_mean_of(x, y, 4);
    (void)state;
    assert_true(mean.n == 3 && fabs(mean.estimate - 2.5) < 1e-15);
    assert_true(fabs(mean.error - sqrt(3. / 2 * (0.25 + 1 + 0.25)) / 8) < 1e-15);
}

/* p is the smallest alpha whose interval of level 1 - 2 alpha lies within the margin. */
static void equivalence_agrees_with_the_interval(void **state)
{
    const double x[] = {0.1, -0.2, 0.05, 0.3, -0.1, 0.02}, y[] = {1, 1, 1, 1, 1, 1};
    const struct cluster_mean mean = cluster_mean_of(x, y, 6);
    (void)state;
    for (double margin = 0.1; margin < 0.5; margin += 0.1) {
        const double p = cluster_mean_equivalence(&mean, margin);
        const struct interval wide = cluster_mean_interval(&mean, 1 - 2 * p * 0.999),
                              narrow = cluster_mean_interval(&mean, 1 - 2 * p * 1.001);
        assert_true(p < 0.5 && (wide.high > margin || wide.low < -margin));
        assert_true(narrow.high < margin && narrow.low > -margin);
    }
}

static void too_few_clusters_and_no_spread_are_told(void **state)
{
    const double x[] = {3, 3, 3}, y[] = {1, 0, 0}, all[] = {1, 1, 1};
    const struct cluster_mean one = cluster_mean_of(x + 1, y, 1), none = cluster_mean_of(x, y + 1, 2),
                              equal = cluster_mean_of(x, all, 3);
    const struct interval of_one = cluster_mean_interval(&one, 0.95), of_equal = cluster_mean_interval(&equal, 0.95);
    (void)state;
    assert_true(one.estimate == 3 && of_one.level == 0 && isnan(of_one.low) && isnan(cluster_mean_p(&one)));
    assert_true(none.n == 0 && isnan(none.estimate) && isnan(cluster_mean_equivalence(&none, 1)));
    assert_true(of_equal.low == 3 && of_equal.high == 3 && cluster_mean_p(&equal) == 0);
    assert_true(cluster_mean_equivalence(&equal, 4) == 0 && cluster_mean_equivalence(&equal, 2) == 1);
}

/* ---- coverage with 13 data sets ---- */

enum { SETS = 13, STUDIES = 4000 };

/* The share of studies whose 95 % interval contains the true mean of values with this distribution: the t interval, the
 * percentile and the BCa bootstrap. */
static void cover(double (*draw)(gsl_rng *), double truth, double *covered)
{
    gsl_rng *rng = random_numbers(pool, 7);
    struct bootstrap_draws draws = bootstrap_draw(pool, SETS, 999, 1);
    double x[SETS], y[SETS];
    for (int i = 0; i < 3; i++)
        covered[i] = 0;
    for (size_t study = 0; study < STUDIES; study++) {
        for (size_t i = 0; i < SETS; i++) {
            x[i] = draw(rng);
            y[i] = 1;
        }
        const struct cluster_mean mean = cluster_mean_of(x, y, SETS);
        const struct interval intervals[] = {cluster_mean_interval(&mean, 0.95), bootstrap_ratio(&draws, x, y, 0.95),
                                             bootstrap_mean(&draws, x, 0.95)};
        for (int i = 0; i < 3; i++)
            covered[i] += intervals[i].low <= truth && truth <= intervals[i].high;
    }
    for (int i = 0; i < 3; i++)
        covered[i] /= STUDIES;
}

static double normal(gsl_rng *rng)
{
    return gsl_ran_ugaussian(rng);
}

static double lognormal(gsl_rng *rng)
{
    return exp(gsl_ran_ugaussian(rng));
}

static void print_covered(const char *values, const double covered[3])
{
    print_message("%s: t %.1f %%, percentile %.1f %%, BCa %.1f %%\n", values, 100 * covered[0], 100 * covered[1],
                  100 * covered[2]);
}

/* Standard errors are at most 0.6 %. docs/statistics.md states these shares. */
static void of_logarithms_of_lognormal_ratios_the_t_interval_covers_what_it_says(void **state)
{
    double covered[3];
    (void)state;
    cover(normal, 0, covered);
    print_covered("normal", covered);
    assert_true(fabs(covered[0] - 0.95) < 3 * 0.0035);
    assert_true(covered[1] < covered[0] - 0.01 && covered[2] < covered[0] - 0.01);
}

static void of_skewed_values_no_interval_covers_enough_and_t_most(void **state)
{
    double covered[3];
    (void)state;
    cover(lognormal, exp(0.5), covered);
    print_covered("lognormal", covered);
    assert_true(covered[0] < 0.93 && covered[1] < covered[0] - 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_equal_weights_it_is_students_interval_of_the_means),
        cmocka_unit_test(with_unequal_weights_the_error_is_that_of_a_ratio),
        cmocka_unit_test(equivalence_agrees_with_the_interval),
        cmocka_unit_test(too_few_clusters_and_no_spread_are_told),
        cmocka_unit_test(of_logarithms_of_lognormal_ratios_the_t_interval_covers_what_it_says),
        cmocka_unit_test(of_skewed_values_no_interval_covers_enough_and_t_most),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
