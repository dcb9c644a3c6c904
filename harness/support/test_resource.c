/* Where the program looks for its own files: the variable, its old name, and the folders above the executable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "tests/scratch_folder.h"

static int forget_variables(void **state)
{
    (void)state;
    return unsetenv("HULLBENCH_DATADIR") | unsetenv("HULLBENCH_SHARE");
}

static struct pool *pool;

static void find(void *name)
{
    resource_find(pool, name, STATUS_NOT_FOUND);
}

static void without_a_variable_the_tree_of_the_executable_is_searched(void **state)
{
    (void)state;
    assert_non_null(strstr(resource_find(pool, "papers/lopez2011.json", STATUS_IO), "papers/lopez2011.json"));
}

static void the_folder_of_either_variable_is_the_only_one(void **state)
{
    (void)state;
    static const char *const variables[] = {"HULLBENCH_DATADIR", "HULLBENCH_SHARE"};
    for (size_t v = 0; v < 2; v++) {
        struct error error;
        forget_variables(NULL);
        assert_int_equal(setenv(variables[v], "/nowhere", 1), 0);
        char name[] = "papers/lopez2011.json";
        assert_null(resource_find_or_null(pool, name));
        assert_int_equal(attempt(find, name, &error), STATUS_NOT_FOUND);
        assert_non_null(strstr(error.message, "/nowhere/papers/lopez2011.json"));
        assert_non_null(strstr(error.message, variables[v]));
    }
}

static void the_new_name_of_the_variable_comes_first(void **state)
{
    (void)state;
    char name[] = "x";
    struct error error;
    assert_int_equal(setenv("HULLBENCH_SHARE", "/old", 1), 0);
    assert_int_equal(setenv("HULLBENCH_DATADIR", "/new", 1), 0);
    assert_int_equal(attempt(find, name, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, "/new/x"));
}

static void a_file_is_found_and_read_in_one_call(void **state)
{
    (void)state;
    char none[] = "papers/none.json";
    const char *text = resource_read(pool, "papers/lopez2011.json", STATUS_IO);
    assert_int_equal(text[0], '{');
    assert_non_null(strstr(text, "\"paper\": \"lopez2011\""));
    assert_int_equal(attempt(find, none, NULL), STATUS_NOT_FOUND);
}

static void a_file_of_the_old_folders_is_found_in_the_new_ones_and_the_reverse(void **state)
{
    (void)state;
    char path[PATH_MAX];
    assert_string_equal(resource_moved(pool, "results/baselines/ci.json"), "baselines/ci.json");
    assert_string_equal(resource_moved(pool, "./results/paper/lopez2011.json"), "./papers/lopez2011.json");
    assert_string_equal(resource_moved(pool, "papers/lopez2011.json"), "papers/lopez2011.json");
    assert_string_equal(resource_moved(pool, "results/baselines/none.json"), "results/baselines/none.json");
    assert_string_equal(resource_moved(pool, "my-results/baselines/ci.json"), "my-results/baselines/ci.json");
    assert_non_null(
        strstr(resource_find(pool, "results/paper/lopez2011.json", STATUS_IO), "/papers/lopez2011.json"));
    /* The folder of a user of version 0.2.0. */
    snprintf(path, sizeof path, "%s/results/paper", scratch_folder);
    folder_make(path);
    snprintf(path, sizeof path, "%s/results/paper/own.json", scratch_folder);
    file_write(path, "{}", 2);
    assert_int_equal(setenv("HULLBENCH_DATADIR", scratch_folder, 1), 0);
    assert_string_equal(resource_find(pool, "papers/own.json", STATUS_IO), path);
}

int main(void)
{
    pool = pool_new();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(without_a_variable_the_tree_of_the_executable_is_searched, forget_variables),
        cmocka_unit_test_teardown(a_file_is_found_and_read_in_one_call, forget_variables),
        cmocka_unit_test_teardown(a_file_of_the_old_folders_is_found_in_the_new_ones_and_the_reverse, forget_variables),
        cmocka_unit_test_teardown(the_folder_of_either_variable_is_the_only_one, forget_variables),
        cmocka_unit_test_teardown(the_new_name_of_the_variable_comes_first, forget_variables),
    };
    forget_variables(NULL);
    return cmocka_run_group_tests(tests, scratch_folder_make, scratch_folder_remove);
}
