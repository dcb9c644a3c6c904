/*
 * CMA-ES: its behaviour on functions with known minima, and its parts from first principles: eigenvectors compared with
 * their matrix, powers of two with libm.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "harness/tune/cma_es.h"
#include "harness/support/decimal.h"
#include "harness/tune/tune_config.h"

enum { POINTS = 40 };
static struct pool *pool;

static double sphere(const double *x)
{
    return x[0] * x[0] + x[1] * x[1];
}

/* Condition 10^4. */
static double ellipsoid(const double *x)
{
    return x[0] * x[0] + 1e4 * x[1] * x[1];
}

static double rosenbrock(const double *x)
{
    return 100 * pow(x[1] - x[0] * x[0], 2) + pow(1 - x[0], 2);
}

static void begin(struct cma_es *search, double start, uint32_t seed)
{
    cma_es_begin(pool, search, CMA_ES_POPULATION, (const double[]){start, start}, 0.5, seed);
}

/* Checks that C is symmetric and equals B D^2 B' for an orthonormal B, up to a few rounding errors. */
static void check_decomposition(const struct cma_es *search)
{
    double largest = fmax(search->covariance[0][0], search->covariance[1][1]);
    assert_true(search->covariance[0][1] == search->covariance[1][0]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double product = 0, rebuilt = 0;
            for (int k = 0; k < 2; k++) {
                product += search->vectors[k][i] * search->vectors[k][j];
                rebuilt += search->vectors[i][k] * pow(search->lengths[k], 2) * search->vectors[j][k];
            }
            assert_true(fabs(product - (i == j)) < 4e-15); /* a dozen rounding errors */
            assert_true(fabs(rebuilt - search->covariance[i][j]) < 4e-15 * largest);
        }
}

/* The number of evaluations until a value is below 1e-8; above `max` if none is. Checks the covariance in every
 * generation. */
static size_t evaluations(double (*function)(const double *), double start, uint32_t seed, size_t max)
{
    double points[POINTS * 2], values[POINTS];
    struct cma_es search;
    size_t used = 0;
    int found = 0;
    begin(&search, start, seed);
    while (!found && used <= max) {
        cma_es_ask(&search, points);
        for (size_t p = 0; p < CMA_ES_POPULATION; p++) {
            values[p] = function(points + p * 2);
            found |= values[p] < 1e-8;
        }
        used += CMA_ES_POPULATION;
        cma_es_tell(&search, points, values);
        check_decomposition(&search);
        assert_true(search.covariance[0][0] * search.covariance[1][1] > pow(search.covariance[0][1], 2));
        assert_true(search.step > 0);
    }
    return used;
}

static void expect_below(double (*function)(const double *), double start, size_t max)
{
    size_t worst = 0;
    for (uint32_t seed = 1; seed <= 10; seed++) {
        size_t used = evaluations(function, start, seed, max);
        worst = used > worst ? used : worst;
        assert_in_range(used, 1, max);
    }
    print_message("# at most %zu evaluations\n", worst);
}

/* Budgets: one and a half to two times the evaluations of the worst of the ten seeds. */
static void known_functions_are_minimised(void **state)
{
    (void)state;
    expect_below(sphere, 1, 500);
    expect_below(ellipsoid, 1, 800);
    expect_below(rosenbrock, 0, 1500);
}

static void the_same_seed_gives_the_same_points_and_another_seed_others(void **state)
{
    (void)state;
    double points[3][POINTS * 2], values[POINTS];
    struct cma_es search[3];
    int differ = 0;
    for (uint32_t s = 0; s < 3; s++)
        begin(&search[s], 1, s == 2 ? 8 : 7);
    for (int generation = 0; generation < 30; generation++) {
        for (size_t s = 0; s < 3; s++) {
            cma_es_ask(&search[s], points[s]);
            for (size_t p = 0; p < CMA_ES_POPULATION; p++)
                values[p] = rosenbrock(points[s] + 2 * p);
            cma_es_tell(&search[s], points[s], values);
        }
        assert_memory_equal(points[0], points[1], CMA_ES_POPULATION * 2 * sizeof **points);
        differ |= memcmp(points[0], points[2], CMA_ES_POPULATION * 2 * sizeof **points) != 0;
    }
    assert_true(differ);
}

/* The first generation is m + sigma z; over many seeds its mean and deviation are the requested ones. */
static void the_first_generation_has_the_mean_and_step_asked_for(void **state)
{
    (void)state;
    double points[POINTS * 2], sum = 0, squares = 0;
    size_t n = 0;
    for (uint32_t seed = 1; seed <= 500; seed++) {
        struct cma_es search;
        begin(&search, 3, seed);
        cma_es_ask(&search, points);
        for (size_t i = 0; i < 2 * CMA_ES_POPULATION; i++, n++) {
            sum += points[i] - 3;
            squares += (points[i] - 3) * (points[i] - 3);
        }
    }
    /* 6000 deviates of sd 0.5: four standard errors */
    assert_true(fabs(sum / (double)n) < 4 * 0.5 / sqrt((double)n));
    assert_true(fabs(sqrt(squares / (double)n) - 0.5) < 4 * 0.5 / sqrt(2 * (double)n));
}

/* One generation computed by hand from the tutorial's formulas: population 4, so two parents, n = 2, C = I. `far`: the
 * parents are so far out that h is 0 and the step grows by e. */
static void check_generation(const double *points, int far)
{
    const double start[2] = {0, 0}, values[4] = {3, 1, 2, 4}, sigma = 0.5;
    struct cma_es search;
    cma_es_begin(pool, &search, 4, start, sigma, 1);
    cma_es_tell(&search, points, values);
    double w[2] = {log(2.5) - log(1), log(2.5) - log(2)}, total = w[0] + w[1];
    w[0] /= total;
    w[1] /= total;
    double mu = 1 / (w[0] * w[0] + w[1] * w[1]);
    double y[2][2] = {{points[2] / sigma, points[3] / sigma}, {points[4] / sigma, points[5] / sigma}}, mean[2];
    for (int i = 0; i < 2; i++)
        mean[i] = w[0] * y[0][i] + w[1] * y[1][i];
    double cs = (mu + 2) / (2 + mu + 5), ds = 1 + cs, cc = (4 + mu / 2) / (6 + mu), c1 = 2 / (3.3 * 3.3 + mu);
    double cmu = 2 * (0.25 + mu + 1 / mu - 2) / (16 + mu), chi = sqrt(2) * (1 - 1.0 / 8 + 1.0 / 84);
    double length = sqrt(cs * (2 - cs) * mu * (mean[0] * mean[0] + mean[1] * mean[1]));
    int h = length / sqrt(1 - pow(1 - cs, 2)) < (1.4 + 2.0 / 3) * chi;
    double growth = cs / ds * (length / chi - 1);
    assert_true(far ? !h && growth > 1 : h && growth < 1);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(search.mean[i] - sigma * mean[i]) < 1e-11);
        for (int j = 0; j < 2; j++) {
            double wanted = (1 + c1 * (1 - h) * cc * (2 - cc) - c1 - cmu) * (i == j);
            wanted += h * c1 * cc * (2 - cc) * mu * mean[i] * mean[j];
            wanted += cmu * (w[0] * y[0][i] * y[0][j] + w[1] * y[1][i] * y[1][j]);
            /* the weights have 12 digits */
            assert_true(fabs(search.covariance[i][j] - wanted) < 1e-11 * fmax(1, fabs(wanted)));
        }
    }
    assert_true(fabs(search.step - sigma * exp(fmin(1, growth))) < 1e-11);
}

static void one_generation_is_that_of_the_formulas(void **state)
{
    (void)state;
    check_generation((const double[]){0.3, 0.1, -0.2, 0.4, 0.25, -0.5, 1, 1}, 0);
    /* with a path 1.3 times as long, h would be 0 */
    check_generation((const double[]){0.3, 0.1, 0.8, 0.3, 0.9, 0.4, 1, 1}, 0);
    check_generation((const double[]){0.3, 0.1, 3, 4, 2, 3.5, 1, 1}, 1);
}

static void a_flat_function_and_one_without_values_leave_finite_numbers(void **state)
{
    (void)state;
    double points[POINTS * 2], values[POINTS];
    for (int kind = 0; kind < 3; kind++) {
        struct cma_es search;
        begin(&search, 1, 5);
        for (int generation = 0; generation < 3000; generation++) {
            cma_es_ask(&search, points);
            for (size_t p = 0; p < CMA_ES_POPULATION; p++) {
                values[p] = kind == 0 ? 1 : (double)NAN;
                points[2 * p] = kind == 2 ? 1 : fmin(2, fmax(0, points[2 * p])); /* 2: all points equal */
                points[2 * p + 1] = kind == 2 ? 1 : fmin(2, fmax(0, points[2 * p + 1]));
            }
            cma_es_tell(&search, points, values);
        }
        for (int i = 0; i < 4; i++)
            assert_true(isfinite(search.covariance[i / 2][i % 2]));
        assert_true(isfinite(search.mean[0]) && isfinite(search.mean[1]) &&
                    isfinite(search.step));
    }
}

static void points_without_a_value_are_the_worst(void **state)
{
    (void)state;
    const double start[2] = {0, 0}, points[8] = {9, 9, -1, 0, 9, 9, 0, -1};
    const double with[4] = {(double)NAN, 1, (double)NAN, 2}, without[4] = {8, 1, 7, 2};
    struct cma_es search[2];
    for (int s = 0; s < 2; s++) {
        cma_es_begin(pool, &search[s], 4, start, 1, 1);
        cma_es_tell(&search[s], points, s ? with : without);
    }
    assert_memory_equal(search[0].mean, search[1].mean, sizeof search[0].mean);
}

static void powers_of_two_have_twelve_digits_and_logarithms_give_them_back(void **state)
{
    (void)state;
    const struct tune_axis axis = {.logarithmic = 1};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 10000; i++) {
        double x = ldexp(floor(ldexp(40 * gsl_rng_uniform(random) - 20, 20)), -20), value = tune_axis_value(&axis, x);
        assert_true(x * 1048576 == floor(x * 1048576));
        assert_true(fabs(value / exp2(x) - 1) < 6e-12); /* 12 digits: half a unit in the twelfth */
        assert_true(tune_axis_place(&axis, value) == x);
    }
    for (int k = -20; k <= 20; k++)
        assert_true(tune_axis_value(&axis, k) == round_to_12_digits(ldexp(1, k)));
    gsl_rng_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_functions_are_minimised),
        cmocka_unit_test(the_same_seed_gives_the_same_points_and_another_seed_others),
        cmocka_unit_test(the_first_generation_has_the_mean_and_step_asked_for),
        cmocka_unit_test(one_generation_is_that_of_the_formulas),
        cmocka_unit_test(a_flat_function_and_one_without_values_leave_finite_numbers),
        cmocka_unit_test(points_without_a_value_are_the_worst),
        cmocka_unit_test(powers_of_two_have_twelve_digits_and_logarithms_give_them_back),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
