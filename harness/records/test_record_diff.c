/* Finds the differences of two lines member by member, to the last digit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/records/record_diff.h"

enum { MAX = 4 };

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
    struct json_difference found[MAX];
    const char *line = "{\"a\":1,\"b\":{\"c\":[1,2],\"d\":\"x\\\"}\"},\"e\":null}";
    assert_int_equal(record_diff(line, line, found, MAX), 0);
    assert_int_equal(record_diff("{}", "{}", found, MAX), 0);
}

static void figures_differ_by_their_last_digit(void **state)
{
    (void)state;
    struct json_difference found[MAX];
    assert_int_equal(record_diff("{\"a\":1,\"gap\":2.8897065880995054e-06}",
                                     "{\"a\":1,\"gap\":2.8897065880995058e-06}", found, MAX),
                     1);
    check_difference(&found[0], "gap", "2.8897065880995054e-06", "2.8897065880995058e-06");
}

static void members_of_an_inner_object_have_its_name_before_them(void **state)
{
    (void)state;
    struct json_difference found[MAX];
    assert_int_equal(record_diff("{\"ops\":{\"setup\":1,\"predict\":2},\"z\":[1,{\"y\":2}]}",
                                     "{\"ops\":{\"setup\":1,\"predict\":30},\"z\":[1,{\"y\":3}]}", found, MAX),
                     2);
    check_difference(&found[0], "ops.predict", "2", "30");
    check_difference(&found[1], "z", "[1,{\"y\":2}]", "[1,{\"y\":3}]");
}

static void members_that_one_line_lacks_are_told(void **state)
{
    (void)state;
    struct json_difference found[MAX];
    assert_int_equal(record_diff("{\"a\":1,\"b\":2}", "{\"b\":2,\"c\":\"w,{\"}", found, MAX), 2);
    check_difference(&found[0], "a", "1", "");
    check_difference(&found[1], "c", "", "\"w,{\"");
}

static void all_are_counted_where_there_is_room_for_few(void **state)
{
    (void)state;
    struct json_difference found[1];
    assert_int_equal(record_diff("{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":2,\"b\":3,\"c\":4}", found, 1), 3);
    check_difference(&found[0], "a", "1", "2");
    assert_int_equal(record_diff("{\"a\":1}", "{\"a\":2}", NULL, 0), 1);
}

static void lines_that_are_no_objects_end_without_harm(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "", "{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":[", "{\"a\":1", "x", "[1]", "{\"a\\"};
    struct json_difference found[MAX];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(record_diff(lines[i], lines[i], found, MAX), 0);
        assert_true(record_diff(lines[i], "{\"b\":1}", found, MAX) >= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_lines_have_no_difference),
        cmocka_unit_test(figures_differ_by_their_last_digit),
        cmocka_unit_test(members_of_an_inner_object_have_its_name_before_them),
        cmocka_unit_test(members_that_one_line_lacks_are_told),
        cmocka_unit_test(all_are_counted_where_there_is_room_for_few),
        cmocka_unit_test(lines_that_are_no_objects_end_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
