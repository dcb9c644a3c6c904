/* Corrections against their definitions, by brute force, against values of R's p.adjust, and against R itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_rng.h>
#include <math.h>

#include "harness/stats/several_solvers.h"
#include "tests/with_r.h"

/* R 4.2.2: p.adjust(p, "holm"). */
static void values_of_r_come_out(void **state)
{
    (void)state;
    const double p[] = {0.03, 0.01, 0.05, 0.02, 0.04}, by_r[] = {0.09, 0.05, 0.09, 0.08, 0.09};
    double adjusted[5];
    adjust_holm(p, 5, adjusted);
    for (int i = 0; i < 5; i++)
        assert_true(fabs(adjusted[i] - by_r[i]) < 1e-15);
    adjust_holm(p, 0, adjusted);
    adjust_holm(p, 1, adjusted);
    assert_true(adjusted[0] == p[0]);
}

/* Whether hypothesis i is rejected at a level, stepping through the sorted p while p_(k) <= level/(n-k+1). */
static int rejects(const double *p, size_t n, size_t i, double level)
{
    int gone[8] = {0};
    for (size_t left = n; left > 0; left--) {
        size_t min = n;
        for (size_t j = 0; j < n; j++)
            if (!gone[j] && (min == n || p[j] < p[min]))
                min = j;
        if (p[min] > level / (double)left)
            return 0;
        if (min == i)
            return 1;
        gone[min] = 1;
    }
    return 0;
}

static void an_adjusted_value_is_the_least_level_that_rejects(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 600; trial++) {
        double p[8], adjusted[8];
        size_t n = 1 + gsl_rng_uniform_int(rng, 8);
        for (size_t i = 0; i < n; i++)
            p[i] = pow(gsl_rng_uniform(rng), 3);
        adjust_holm(p, n, adjusted);
        for (size_t i = 0; i < n; i++) {
            assert_true(adjusted[i] == 1 || rejects(p, n, i, adjusted[i] * (1 + 1e-12)));
            assert_false(rejects(p, n, i, adjusted[i] * (1 - 1e-12)));
        }
    }
    gsl_rng_free(rng);
}

enum { CASES = 20, TESTS = 13 };

static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    static double p[CASES][TESTS];
    double adjusted[TESTS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct with_r r;
    with_r_open(&r);
    for (int c = 0; c < CASES; c++) {
        for (int i = 0; i < TESTS; i++) /* with ties */
            p[c][i] = pow(floor(gsl_rng_uniform(rng) * 20) / 20, c % 4 + 1);
        with_r_values(&r, "p", p[c], TESTS);
        with_r_line(&r, "show(p.adjust(p, 'holm'))");
    }
    gsl_rng_free(rng);
    with_r_run(&r);
    for (int c = 0; c < CASES; c++) {
        adjust_holm(p[c], TESTS, adjusted);
        for (int i = 0; i < TESTS; i++)
            with_r_agrees(&r, "adjusted", adjusted[i], 1e-10);
    }
    with_r_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_r_come_out),
        cmocka_unit_test(an_adjusted_value_is_the_least_level_that_rejects),
        cmocka_unit_test(r_agrees_where_it_is_installed),
    };
    return cmocka_run_group_tests_name("adjust", tests, NULL, NULL);
}
