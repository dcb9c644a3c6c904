/*
 * Compares verify's interior-point method with optima in 113 bits (tests/exact_optimum.h), starting from the patterns:
 * its interval holds the optimum for every formulation, with and without a square penalty, at several parameter values.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <gsl/gsl_errno.h>

#include "harness/verify/reference.h"
#include "harness/verify/settings.h"
#include "tests/exact_optimum.h"

enum { LARGEST = 12, EVERY = 3 };

struct tally {
    size_t compared, proved, unbounded;
};

/* Nonzero if an earlier solver in the registry has the same problem. */
static int is_repeated(const struct solver *const *at)
{
    for (const struct solver *const *before = solvers_all(); before != at; before++)
        if ((*before)->formulation == (*at)->formulation && (*before)->square_penalty == (*at)->square_penalty &&
            solver_reads(*before, &parameter_mu) == solver_reads(*at, &parameter_mu) &&
            solver_reads(*before, &parameter_nu) == solver_reads(*at, &parameter_nu))
            return 1;
    return 0;
}

static void check(const struct instance *instance, const struct solver *solver, const struct verify_setting *setting,
                  struct tally *tally)
{
    static quad k[MAX_QP][MAX_QP];
    static struct exact_problem exact;
    struct exact_optimum optimum;
    struct reference reference;
    const struct problem problem = setting_problem(setting, solver, instance);
    for (size_t i = 0; i < instance->n; i++)
        for (size_t j = 0; j < instance->n; j++)
            k[i][j] = exact_kernel(&instance->kernel, instance->dims, instance->x + i * instance->dims,
                                   instance->x + j * instance->dims, j);
    exact_problem_set(&exact, solver, &problem, k);
    if (!exact_optimum_find(&exact, &optimum))
        return;
    tally->compared++;
    if (!reference_find(instance, solver, &problem, &reference))
        return;
    tally->proved++;
    tally->unbounded += reference.is_unbounded != 0;
    double size = 0; /* of the terms of |W|^2, whose products are rounded by some units in their last places */
    for (size_t j = 0; j < instance->n; j++)
        size += fabs((double)optimum.x[j]) * sqrt((double)exact.q[j][j]);
    double rounding = 1e-9 * reference.unit + 1e-15 * size * size;
    double low = (double)optimum.min, high = (double)optimum.max;
    int is_apart = reference.low > high + rounding || reference.high < low - rounding;
    if (optimum.unbounded ? !reference.is_unbounded : !reference.is_unbounded && is_apart)
        fail_msg("%s, problem %u, %s: [%.12g, %.12g], exactly [%.12g, %.12g]", solver->name, instance->number,
                 setting->text, reference.low, reference.high, low, high);
}

static void the_interval_holds_the_optimum(void **state)
{
    (void)state;
    static struct verify_setting settings[MAX_SETTINGS];
    struct tally tally = {0};
    cJSON *none = cJSON_CreateObject();
    for (const struct solver *const *at = solvers_all(); *at; at++) {
        size_t count;
        if (is_repeated(at))
            continue;
        assert_int_equal(settings_make(*at, none, settings, &count, NULL), STATUS_OK);
        for (unsigned number = 1; number <= SMALL_INSTANCES; number += EVERY) {
            struct instance instance;
            assert_int_equal(instance_open(&instance, number, simd_select(NULL), NULL), STATUS_OK);
            if (instance.n <= LARGEST)
                check(&instance, *at, &settings[number / EVERY % count], &tally);
            instance_close(&instance);
        }
    }
    cJSON_Delete(none);
    assert_true(tally.compared > 150 && tally.unbounded > 0);
    assert_true(10 * tally.proved > 9 * tally.compared);
}

int main(void)
{
    gsl_set_error_handler_off(); /* as in the program */
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_interval_holds_the_optimum)};
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
