/* The ring of updates, compared with a plain list of all updates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "solvers/cycle.h"

enum { UPDATES = 400, PATTERNS = 4 };

static struct cycle *open_cycle(size_t max)
{
    struct cycle measured;
    struct arena arena = {0};
    arena_take(&arena, sizeof measured);
    cycle_layout(&measured, &arena, max);
    struct cycle *cycle = (struct cycle *)(void *)simd_doubles(arena.used / sizeof(double) + 1);
    assert_non_null(cycle);
    arena = (struct arena){.block = (char *)cycle};
    arena_take(&arena, sizeof *cycle);
    cycle_layout(cycle, &arena, max);
    return cycle;
}

/* The latest of the last `reach` of n updates with this pair, counted back from the end; 0: none. */
static size_t find_in_list(const struct cycle_update *list, size_t n, size_t reach, size_t to, size_t from)
{
    for (size_t k = 1; k <= reach && k <= n; k++)
        if (list[n - k].to == to && list[n - k].from == from)
            return k;
    return 0;
}

static void check_combination(struct cycle *cycle, const struct cycle_update *list, size_t n, size_t k)
{
    double dense[PATTERNS] = {0};
    for (size_t j = 1; j <= k; j++) {
        dense[list[n - j].to] += list[n - j].step;
        dense[list[n - j].from] -= list[n - j].step;
    }
    cycle_combine(cycle, k);
    size_t different_from_zero = 0;
    for (size_t i = 0; i < PATTERNS; i++)
        different_from_zero += dense[i] != 0;
    assert_int_equal(cycle->members, different_from_zero);
    for (size_t h = 0; h < cycle->members; h++)
        assert_true(cycle->weights[h] == dense[cycle->indices[h]]); /* summed in the same order */
}

static void finding_and_adding_agree_with_a_list_of_all_updates(void **state)
{
    (void)state;
    const size_t histories[] = {0, 1, 2, 5, 50, 1000};
    for (size_t m = 0; m < sizeof histories / sizeof *histories; m++) {
        struct cycle_update list[UPDATES];
        struct cycle *cycle = open_cycle(histories[m]);
        gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
        size_t since = 0, found = 0;
        for (size_t n = 0; n < UPDATES; n++) {
            size_t to = gsl_rng_uniform_int(rng, PATTERNS);
            size_t from = (to + 1 + gsl_rng_uniform_int(rng, PATTERNS - 1)) % PATTERNS;
            size_t reach = since < histories[m] ? since : histories[m], k = cycle_find(cycle, to, from);
            assert_int_equal(k, find_in_list(list, n, reach, to, from));
            if (k > 0)
                check_combination(cycle, list, n, k);
            found += k > 0;
            if (k > 3) {
                cycle_forget(cycle);
                since = 0;
            }
            list[n] = (struct cycle_update){to, from, 0.25 * (double)(1 + gsl_rng_uniform_int(rng, 8))};
            cycle_remember(cycle, to, from, list[n].step);
            since++;
        }
        assert_true(histories[m] < 2 || found > 10);
        gsl_rng_free(rng);
        free(cycle);
    }
}

static void weights_that_cancel_are_left_out(void **state)
{
    (void)state;
    struct cycle *cycle = open_cycle(4);
    cycle_remember(cycle, 3, 5, 0.5);
    cycle_remember(cycle, 5, 4, 0.5);
    cycle_combine(cycle, 2);
    assert_int_equal(cycle->members, 2);
    assert_true(cycle->indices[0] + cycle->indices[1] == 7 && cycle->weights[0] + cycle->weights[1] == 0);
    cycle_remember(cycle, 4, 3, 0.5);
    cycle_combine(cycle, 3);
    assert_int_equal(cycle->members, 0);
    free(cycle);
}

/* 0.3 - 0.2 - 0.1 and 0.1 + 0.2 - 0.3 are neither 0 nor each other's negative. */
static void weights_that_are_rounding_alone_are_not_balanced(void **state)
{
    (void)state;
    const signed char y[] = {1, 1, 1, -1, -1};
    struct cycle *cycle = open_cycle(6);
    cycle_remember(cycle, 0, 1, 0.3);
    cycle_remember(cycle, 1, 2, 0.1);
    cycle_remember(cycle, 1, 2, 0.2);
    cycle_remember(cycle, 2, 0, 0.3);
    cycle_combine(cycle, 4);
    assert_int_equal(cycle->members, 2);
    assert_true(fabs(cycle->weights[0] + cycle->weights[1]) > 0.1 * fabs(cycle->weights[0]));
    assert_false(cycle_is_balanced(cycle, NULL));
    cycle_remember(cycle, 3, 4, 0.25);
    cycle_combine(cycle, 5); /* negligible next to a step of the other class */
    assert_true(cycle_is_balanced(cycle, y));
    cycle_forget(cycle);
    cycle_remember(cycle, 0, 3, 0.25); /* across the classes */
    cycle_combine(cycle, 1);
    assert_true(cycle_is_balanced(cycle, NULL));
    assert_false(cycle_is_balanced(cycle, y));
    free(cycle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finding_and_adding_agree_with_a_list_of_all_updates),
        cmocka_unit_test(weights_that_cancel_are_left_out),
        cmocka_unit_test(weights_that_are_rounding_alone_are_not_balanced),
    };
    return cmocka_run_group_tests_name("cycle", tests, NULL, NULL);
}
