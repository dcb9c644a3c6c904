/* Adding solvers to the registry: all of a list or none, unique names, and a limited number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/registry.h"

static char first_file[] = "first.so", second_file[] = "second.so";
static const struct solver_origin first = {.file = first_file}, second = {.file = second_file};

static enum status do_nothing(const struct problem *problem, const struct points *patterns, const struct kernel *kernel,
                              double *alpha, uint64_t *iterations)
{
    (void)problem, (void)patterns, (void)kernel, (void)alpha, (void)iterations;
    return STATUS_OK;
}

static size_t count(void)
{
    size_t n = 0;
    while (solvers_all()[n])
        n++;
    return n;
}

static struct solver copy_of(const char *name, const char *as)
{
    struct solver solver = *solver_find(name);
    solver.name = as;
    return solver;
}

static void every_solver_built_in_is_fit_to_be_added(void **state)
{
    (void)state;
    struct error error;
    for (const struct solver *const *at = solvers_all(); *at; at++) {
        const struct solver *const list[] = {*at, NULL};
        assert_null(solver_origin(*at));
        assert_int_equal(solvers_add(list, &first, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "already exists, built in")); /* the last condition checked */
    }
}

static void a_list_is_added_whole_or_not_at_all(void **state)
{
    (void)state;
    struct error error;
    static struct solver one, two, bad;
    size_t before = count();
    one = copy_of("clip-mdm", "one");
    two = copy_of("clip-mdm", "two");
    bad = copy_of("clip-mdm", "three");
    bad.update = NULL;
    const struct solver *const spoilt[] = {&one, &two, &bad, NULL}, *const good[] = {&one, &two, NULL},
                               *const twice[] = {&bad, &bad, NULL};
    assert_int_equal(solvers_add(spoilt, &first, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.message, "first.so: solver \"three\": member update is NULL");
    assert_int_equal(count(), before);
    assert_null(solver_find("one"));
    assert_int_equal(solvers_add(good, &first, &error), STATUS_OK);
    assert_int_equal(count(), before + 2);
    assert_ptr_equal(solver_find("two"), &two);
    assert_ptr_equal(solver_origin(&two), &first);
    assert_int_equal(solvers_add(good, &second, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.message, "second.so: solver \"one\" already exists, from first.so");
    bad.update = one.update;
    assert_int_equal(solvers_add(twice, &second, &error), STATUS_BAD_INPUT);
    assert_int_equal(count(), before + 2);
}

static void a_solver_in_one_piece_needs_no_steps_but_one_rule(void **state)
{
    (void)state;
    struct error error;
    static const struct parameter *const parameters[] = {&parameter_c, NULL};
    static struct solver whole = {.name = "whole",
                                  .title = "",
                                  .reference = "",
                                  .formulation = FORMULATION_C_SVM,
                                  .parameters = parameters,
                                  .stops = 1u << STOP_KKT | 1u << STOP_DELTA};
    const struct solver *const list[] = {&whole, NULL};
    assert_int_equal(solvers_add(list, &first, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.message, "first.so: solver \"whole\": member state_size is NULL");
    whole.solve_external = do_nothing;
    assert_int_equal(solvers_add(list, &first, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "expected one rule"));
    whole.stops = 1u << STOP_KKT;
    assert_int_equal(solvers_add(list, &first, &error), STATUS_OK);
}

static void a_default_rule_is_one_of_the_solvers_own(void **state)
{
    (void)state;
    struct error error;
    static struct solver strict;
    const struct solver *const list[] = {&strict, NULL};
    strict = copy_of("clip-mdm", "strict");
    strict.default_stop = (struct stop){STOP_KKT, 1e-3};
    assert_int_equal(solvers_add(list, &first, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "default_stop"));
    strict.default_stop.rule = STOP_RCH_GAP;
    assert_int_equal(solvers_add(list, &first, &error), STATUS_OK);
}

static void a_full_registry_refuses_more(void **state)
{
    (void)state;
    static struct solver many[MAX_SOLVERS + 1];
    static char names[MAX_SOLVERS + 1][16];
    static const struct solver *list[MAX_SOLVERS + 2];
    struct error error;
    size_t room = MAX_SOLVERS - count();
    for (size_t i = 0; i <= room; i++) {
        snprintf(names[i], sizeof names[i], "many-%zu", i);
        many[i] = copy_of("clip-mdm", names[i]);
        list[i] = &many[i];
    }
    assert_int_equal(solvers_add(list, &first, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "first.so: too many solvers; allowed: at most 256"));
    assert_null(solver_find("many-0"));
    list[room] = NULL;
    assert_int_equal(solvers_add(list, &first, &error), STATUS_OK);
    assert_int_equal(count(), MAX_SOLVERS);
    assert_ptr_equal(solver_find(names[room - 1]), &many[room - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_built_in_is_fit_to_be_added),
        cmocka_unit_test(a_list_is_added_whole_or_not_at_all),
        cmocka_unit_test(a_solver_in_one_piece_needs_no_steps_but_one_rule),
        cmocka_unit_test(a_default_rule_is_one_of_the_solvers_own),
        cmocka_unit_test(a_full_registry_refuses_more),
    };
    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
