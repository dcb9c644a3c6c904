/* Which parameter declarations are valid, which values they allow, and sets of values. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "solvers/solver.h"

static const char *const words[] = {"first", "second", NULL}, *const one_word[] = {"only", NULL};
static const char *const twice[] = {"first", "second", "first", NULL}, *const no_letters[] = {"first", "", NULL},
                         *const equals[] = {"a=b", "second", NULL}, *const comma[] = {"first", "a,b", NULL},
                         *const space[] = {"first", "a b", NULL}, *const accent[] = {"first", "\xc3\xa9", NULL},
                         *const fit[] = {"l1", "L2-norm", "max_2.5", NULL};

static const struct parameter whole = {
    .name = "every", .meaning = "iterations between two looks", .type = PARAMETER_INTEGER, .min = 0, .max = 6};

static void a_value_that_was_not_set_is_the_fallback(void **state)
{
    (void)state;
    struct parameters parameters = {0};
    struct parameter other = whole;
    other.fallback = 4;
    assert_true(parameter_get(&parameters, &other) == 4);
    assert_true(isnan(parameter_get(&parameters, &parameter_mu)));
    parameter_set(&parameters, &other, 2);
    parameter_set(&parameters, &parameter_mu, 0.5);
    parameter_set(&parameters, &other, 3);
    assert_int_equal(parameters.count, 2);
    assert_true(parameter_get(&parameters, &other) == 3 && parameter_get(&parameters, &parameter_mu) == 0.5);
    assert_true(parameter_get(&parameters, &whole) == 0); /* same name, but of another solver */
}

static void ends_of_a_range_are_allowed_unless_they_are_open(void **state)
{
    (void)state;
    struct parameter real = {.name = "r", .min = -1, .max = 2, .max_is_open = 1};
    assert_true(parameter_allows(&real, -1) && parameter_allows(&real, nextafter(2, 0)));
    assert_false(parameter_allows(&real, 2) || parameter_allows(&real, nextafter(-1, -2)));
    assert_false(parameter_allows(&real, NAN) || parameter_allows(&real, INFINITY));
    real.min_is_open = 1, real.max_is_open = 0;
    assert_true(parameter_allows(&real, 2));
    assert_false(parameter_allows(&real, -1));
    struct parameter even = {.name = "e", .type = PARAMETER_INTEGER, .min = 2, .max = 8, .multiple_of = 2};
    assert_true(parameter_allows(&even, 2) && parameter_allows(&even, 8));
    assert_false(parameter_allows(&even, 3) || parameter_allows(&even, 0) || parameter_allows(&even, 10));
    assert_true(parameter_allows(&whole, 5));
    assert_false(parameter_allows(&whole, 4.5));
}

static void words_are_allowed_by_their_place(void **state)
{
    (void)state;
    const struct parameter choice = {.name = "c", .type = PARAMETER_CHOICE, .choices = words};
    const struct parameter flag = {.name = "f", .type = PARAMETER_SWITCH};
    assert_true(parameter_allows(&choice, 0) && parameter_allows(&choice, 1) && parameter_allows(&flag, 1));
    assert_false(parameter_allows(&choice, 2) || parameter_allows(&choice, 0.5) || parameter_allows(&choice, -1));
    assert_false(parameter_allows(&flag, 2));
    assert_string_equal(parameter_words(&flag)[1], "yes");
    assert_null(parameter_words(&whole));
}

static void what_is_allowed_is_said(void **state)
{
    (void)state;
    const struct parameter even = {.type = PARAMETER_INTEGER, .min = 2, .max = HUGE_VAL, .multiple_of = 2};
    const struct parameter any = {.min = -HUGE_VAL, .max = HUGE_VAL}, below = {.min = 0, .max = 1, .max_is_open = 1};
    const struct parameter choice = {.type = PARAMETER_CHOICE, .choices = words};
    const struct {
        const struct parameter *parameter;
        const char *text;
    } cases[] = {{&parameter_mu, "above 0, at most 1"},
                 {&whole, "a whole number from 0, at most 6"},
                 {&even, "a multiple of 2 from 2"},
                 {&any, "a number"},
                 {&below, "from 0, below 1"},
                 {&choice, "one of first, second"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        parameter_allowed(cases[i].parameter, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    char cut[8];
    parameter_allowed(&parameter_mu, cut, sizeof cut);
    assert_string_equal(cut, "above 0");
}

static void a_declaration_that_is_not_sound_is_refused(void **state)
{
    (void)state;
    const struct {
        struct parameter parameter;
        const char *named;
    } cases[] = {
        {{.name = NULL, .meaning = "m", .max = 1}, "name"},
        {{.name = "", .meaning = "m", .max = 1}, "name"},
        {{.name = "2nd", .meaning = "m", .max = 1}, "2nd"},
        {{.name = "with space", .meaning = "m", .max = 1}, "with space"},
        {{.name = "a_name_that_is_longer_than_any_name", .meaning = "m", .max = 1}, "a_name"},
        {{.name = "mu", .meaning = "m", .max = 1}, "share"},
        {{.name = "width", .meaning = "m", .max = 1}, "width"},
        {{.name = "x", .max = 1}, "meaning"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_TYPES, .max = 1}, "type"},
        {{.name = "x", .meaning = "m", .min = 1, .max = 0}, "min"},
        {{.name = "x", .meaning = "m", .min = NAN, .max = 0}, "min"},
        {{.name = "x", .meaning = "m", .min = 1, .max = 1, .max_is_open = 1, .fallback = 1}, "range"},
        {{.name = "x", .meaning = "m", .max = 1, .fallback = 2}, "fallback"},
        {{.name = "x", .meaning = "m", .max = 1, .multiple_of = 2}, "multiple_of"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_INTEGER, .max = 9, .multiple_of = 1.5}, "multiple_of"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_INTEGER, .max = 9, .fallback = 1.5}, "fallback"},
        {{.name = "x", .meaning = "m", .min = -1, .max = 1, .scale = PARAMETER_LOG}, "logarithmic"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_CHOICE}, "two words"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_CHOICE, .choices = one_word}, "two words"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_CHOICE, .choices = twice}, "choice \"first\" occurs twice"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_CHOICE, .choices = no_letters},
         "choice \"\" is invalid; allowed: one or more of a-z"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_CHOICE, .choices = equals},
         "choice \"a=b\" is invalid; allowed: one or more of a-z"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_CHOICE, .choices = comma},
         "choice \"a,b\" is invalid; allowed: one or more of a-z"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_CHOICE, .choices = space},
         "choice \"a b\" is invalid; allowed: one or more of a-z"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_CHOICE, .choices = accent},
         "choice \"\xc3\xa9\" is invalid; allowed: one or more of a-z"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_SWITCH, .choices = words}, "choices"},
        {{.name = "x", .meaning = "m", .type = PARAMETER_SWITCH, .fallback = 2}, "fallback"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        assert_int_equal(parameter_check(&cases[i].parameter, "p.so", &error), STATUS_BAD_INPUT);
        assert_true(strncmp(error.message, "p.so: ", 6) == 0);
        if (!strstr(error.message, cases[i].named))
            fail_msg("\"%s\" does not name \"%s\"", error.message, cases[i].named);
    }
    struct error error = {0};
    assert_int_equal(parameter_check(&whole, "p.so", &error), STATUS_OK);
    const struct parameter choice = {.name = "x", .meaning = "m", .type = PARAMETER_CHOICE, .choices = fit};
    assert_int_equal(parameter_check(&choice, "p.so", &error), STATUS_OK);
}

static void names_that_mean_something_else_beside_settings_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"metric", "settings", "split_source", "grid", "folds", "splits", "stratified",
                                        "printed", "sd", "not_converged", "seconds", "index", "job", "failed", "folder",
                                        "record", "n_train", "n_test", "trace", "rule", "type", "tolerance"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct parameter of_solver = {.name = names[i], .meaning = "m", .max = 1};
        struct error error = {0};
        assert_int_equal(parameter_check(&of_solver, "p.so", &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, names[i]));
        assert_int_equal(parameter_check_of_kernel(&of_solver, "p.so", NULL), STATUS_BAD_INPUT);
    }
}

static void the_shared_parameters_are_sound_and_have_names_of_their_own(void **state)
{
    (void)state;
    struct error error = {0};
    for (const struct parameter *const *at = parameters_shared; *at; at++) {
        assert_int_equal(parameter_check(*at, "", &error), STATUS_OK);
        for (const struct parameter *const *other = at + 1; *other; other++)
            assert_string_not_equal((*at)->name, (*other)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_was_not_set_is_the_fallback),
        cmocka_unit_test(ends_of_a_range_are_allowed_unless_they_are_open),
        cmocka_unit_test(words_are_allowed_by_their_place),
        cmocka_unit_test(what_is_allowed_is_said),
        cmocka_unit_test(a_declaration_that_is_not_sound_is_refused),
        cmocka_unit_test(names_that_mean_something_else_beside_settings_are_refused),
        cmocka_unit_test(the_shared_parameters_are_sound_and_have_names_of_their_own),
    };
    return cmocka_run_group_tests_name("parameters", tests, NULL, NULL);
}
