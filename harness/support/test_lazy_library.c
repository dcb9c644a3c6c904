/* A library is loaded with all functions asked for; a missing library or function is an error that names it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/base/die.h"
#include "harness/support/lazy_library.h"

struct functions {
    double (*cosine)(double), (*root)(double);
};

struct opening {
    const char *soname, *second;
    struct functions *functions;
};

static void open_both(void *data)
{
    const struct opening *opening = data;
    const struct lazy_function list[] = {{"cos", offsetof(struct functions, cosine)},
                                         {opening->second, offsetof(struct functions, root)}};
    lazy_library_open(opening->soname, list, 2, opening->functions, "a.mat");
}

static enum status open_math(const char *soname, const char *second, struct functions *functions,
                             struct error *error)
{
    struct opening opening = {soname, second, functions};
    return attempt(open_both, &opening, error);
}

static void all_functions_are_found(void **state)
{
    (void)state;
    struct functions functions = {0};
    struct error error = {0};
    assert_int_equal(open_math("libm.so.6", "sqrt", &functions, &error), STATUS_OK);
    assert_true(functions.cosine(0) == 1 && functions.root(4) == 2);
}

static void what_is_missing_is_an_error(void **state)
{
    (void)state;
    struct functions functions = {0};
    struct error error = {0};
    assert_int_equal(open_math("libhullbench-none.so.0", "sqrt", &functions, &error), STATUS_BAD_INPUT);
    assert_int_equal(strncmp(error.message, "a.mat: ", 7), 0);
    assert_non_null(strstr(error.message, "libhullbench-none.so.0"));

    assert_int_equal(open_math("libm.so.6", "no_such_function", &functions, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "no_such_function"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_functions_are_found),
        cmocka_unit_test(what_is_missing_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
