/* Finds the differences of two lines member by member, to the last digit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/base/pool.h"
#include "harness/records/record.h"

static struct pool *pool;

static void check_difference(const struct json_difference *difference, const char *path, const char *was,
                             const char *is)
{
    assert_string_equal(difference->path, path);
    assert_string_equal(difference->was, was);
    assert_string_equal(difference->is, is);
}

static void equal_lines_have_no_difference(void **state)
{
    (void)state;
    const char *line = "{\"a\":1,\"b\":{\"c\":[1,2],\"d\":\"x\\\"}\"},\"e\":null}";
    assert_int_equal(record_diff(pool, line, line).count, 0);
    assert_int_equal(record_diff(pool, "{}", "{}").count, 0);
}

static void figures_differ_by_their_last_digit(void **state)
{
    (void)state;
    const struct json_differences found = record_diff(pool, "{\"a\":1,\"gap\":2.8897065880995054e-06}",
                                                      "{\"a\":1,\"gap\":2.8897065880995058e-06}");
    assert_int_equal(found.count, 1);
    check_difference(&found.item[0], "gap", "2.8897065880995054e-06", "2.8897065880995058e-06");
}

static void members_of_an_inner_object_have_its_name_before_them(void **state)
{
    (void)state;
    const struct json_differences found =
        record_diff(pool, "{\"ops\":{\"setup\":1,\"of\":{\"predict\":2}},\"z\":[1,{\"y\":2}]}",
                    "{\"ops\":{\"setup\":1,\"of\":{\"predict\":30}},\"z\":[1,{\"y\":3}]}");
    assert_int_equal(found.count, 2);
    check_difference(&found.item[0], "ops.of.predict", "2", "30");
    check_difference(&found.item[1], "z", "[1,{\"y\":2}]", "[1,{\"y\":3}]");
}

static void members_that_one_line_lacks_are_told(void **state)
{
    (void)state;
    const struct json_differences found = record_diff(pool, "{\"a\":1,\"b\":2}", "{\"b\":2,\"c\":\"w,{\"}");
    assert_int_equal(found.count, 2);
    check_difference(&found.item[0], "a", "1", "missing");
    check_difference(&found.item[1], "c", "missing", "\"w,{\"");
}

static void lines_that_are_no_objects_end_without_harm(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "", "{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":[", "{\"a\":1", "x", "[1]", "{\"a\\"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(record_diff(pool, lines[i], lines[i]).count, 0);
        assert_true(record_diff(pool, lines[i], "{\"b\":1}").count >= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_lines_have_no_difference),
        cmocka_unit_test(figures_differ_by_their_last_digit),
        cmocka_unit_test(members_of_an_inner_object_have_its_name_before_them),
        cmocka_unit_test(members_that_one_line_lacks_are_told),
        cmocka_unit_test(lines_that_are_no_objects_end_without_harm),
    };
    pool = pool_new();
    const int status = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return status;
}
