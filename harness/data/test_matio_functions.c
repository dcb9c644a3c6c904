/* matio is loaded when it is needed, and a missing library is an error that names the file that needs it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#undef MATIO_SONAME
#define MATIO_SONAME "libhullbench-has-no-such-library.so.0"
#define matio_load load_absent
#define matio_unload unload_absent
#include "harness/data/matio_functions.c"
#undef matio_load
#undef matio_unload

enum status matio_load(struct matio_functions *matio, const char *path, struct error *error);
void matio_unload(struct matio_functions *matio);

static void all_functions_are_found(void **state)
{
    (void)state;
    struct matio_functions matio = {0};
    struct error error = {0};
    assert_int_equal(matio_load(&matio, "a.mat", &error), STATUS_OK);
    assert_true(matio.open && matio.close && matio.set_log && matio.size_of_class && matio.read_info && matio.read &&
                matio.free && matio.field);
    assert_int_equal(matio.size_of_class(MAT_C_DOUBLE), sizeof(double));
    matio_unload(&matio);
}

static void a_missing_library_is_an_error(void **state)
{
    (void)state;
    struct matio_functions matio = {0};
    struct error error = {0};
    assert_int_equal(load_absent(&matio, "a.mat", &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "a.mat: "));
    assert_non_null(strstr(error.message, MATIO_SONAME));
    unload_absent(&matio);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_functions_are_found),
        cmocka_unit_test(a_missing_library_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
