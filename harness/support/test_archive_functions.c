/* libarchive is loaded with all functions; a missing library or function is an error that names it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/base/die.h"
#include "harness/support/archive_functions.h"

struct opening {
    const char *soname; /* NULL: that of the program */
    struct archive_functions functions;
};

static void open_library(void *data)
{
    struct opening *opening = data;
    if (opening->soname)
        archive_load_from(opening->soname, &opening->functions, "a.mat");
    else
        archive_load(&opening->functions, "a.mat");
}

static void all_functions_are_found(void **state)
{
    (void)state;
    struct opening opening = {NULL, {0}};
    assert_int_equal(attempt(open_library, &opening, NULL), STATUS_OK);
    assert_non_null(opening.functions.archive_errno);
    assert_non_null(opening.functions.archive_entry_sparse_count);
    struct archive *archive = opening.functions.archive_read_new();
    assert_non_null(archive);
    assert_int_equal(opening.functions.archive_read_free(archive), ARCHIVE_OK);
}

static void what_is_missing_is_an_error(void **state)
{
    (void)state;
    struct error error = {0};
    struct opening opening = {"libhullbench-none.so.0", {0}};
    assert_int_equal(attempt(open_library, &opening, &error), STATUS_BAD_INPUT);
    assert_int_equal(strncmp(error.message, "a.mat: ", 7), 0);
    assert_non_null(strstr(error.message, "libhullbench-none.so.0"));

    opening.soname = "libm.so.6";
    assert_int_equal(attempt(open_library, &opening, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "archive_errno"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_functions_are_found),
        cmocka_unit_test(what_is_missing_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
