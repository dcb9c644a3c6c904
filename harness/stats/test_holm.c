/* Holm's correction against the definition, by brute force, and against values of R's p.adjust(p, "holm"). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "harness/stats/holm.h"

static void values_of_r_come_out(void **state)
{
    (void)state;
    const double p[] = {0.03, 0.01, 0.05, 0.02, 0.04}, by_r[] = {0.09, 0.05, 0.09, 0.08, 0.09};
    double adjusted[5];
    assert_int_equal(holm_adjust(p, 5, adjusted, NULL), STATUS_OK);
    for (int i = 0; i < 5; i++)
        assert_true(fabs(adjusted[i] - by_r[i]) < 1e-15);
    assert_int_equal(holm_adjust(p, 0, adjusted, NULL), STATUS_OK);
}

/* The least level at which Holm's procedure rejects hypothesis i: it goes on through the sorted p as long as p_(k) <=
 * level/(n-k+1). */
static int rejects(const double *p, size_t n, size_t i, double level)
{
    int gone[8] = {0};
    for (size_t left = n; left > 0; left--) {
        size_t least = n;
        for (size_t j = 0; j < n; j++)
            if (!gone[j] && (least == n || p[j] < p[least]))
                least = j;
        if (p[least] > level / (double)left)
            return 0;
        if (p[least] == p[i] && least == i)
            return 1;
        gone[least] = 1;
    }
    return 0;
}

static void an_adjusted_value_is_the_least_level_that_rejects(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 300; trial++) {
        double p[8], adjusted[8];
        size_t n = 1 + gsl_rng_uniform_int(rng, 8);
        for (size_t i = 0; i < n; i++)
            p[i] = pow(gsl_rng_uniform(rng), 3);
        assert_int_equal(holm_adjust(p, n, adjusted, NULL), STATUS_OK);
        for (size_t i = 0; i < n; i++) {
            assert_true(adjusted[i] == 1 || rejects(p, n, i, adjusted[i] * (1 + 1e-12)));
            assert_false(rejects(p, n, i, adjusted[i] * (1 - 1e-12)));
        }
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_r_come_out),
        cmocka_unit_test(an_adjusted_value_is_the_least_level_that_rejects),
    };
    return cmocka_run_group_tests_name("holm", tests, NULL, NULL);
}
