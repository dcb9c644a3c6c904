/* Splits files into lines; refuses files that are cut off or contain zero bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "tests/scratch_folder.h"

static char path[SCRATCH_PATH_SIZE];

static struct pool *pool;
static struct string_list lines;

static void read_lines(void *from)
{
    lines = lines_read(pool, from);
}

static enum status read_bytes(const char *bytes, size_t size, struct error *error)
{
    file_write(path, bytes, size);
    return attempt(read_lines, path, error);
}

static void lines_are_those_between_newlines(void **state)
{
    (void)state;
    struct error error = {0};
    assert_int_equal(read_bytes("one\n\nthree\n", 11, &error), STATUS_OK);
    assert_int_equal(lines.count, 3);
    assert_string_equal(lines.line[0], "one");
    assert_string_equal(lines.line[1], "");
    assert_string_equal(lines.line[2], "three");
    assert_int_equal(read_bytes("", 0, &error), STATUS_OK);
    assert_int_equal(lines.count, 0);
}

static void many_lines_are_read(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    char *text = malloc(MANY * 6 + 1);
    struct error error = {0};
    assert_non_null(text);
    for (int i = 0; i < MANY; i++)
        snprintf(text + 6 * i, 7, "%05u\n", (unsigned)i % 100000u);
    assert_int_equal(read_bytes(text, MANY * 6, &error), STATUS_OK);
    assert_int_equal(lines.count, MANY);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(atoi(lines.line[i]), i);
    free(text);
}

static void a_cut_line_and_a_zero_byte_are_named(void **state)
{
    (void)state;
    struct error error = {0};
    assert_int_equal(read_bytes("one\ntw", 6, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":2: the file ends within this line"));
    assert_int_equal(read_bytes("one\ntwo\nth\0ee\n", 14, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":3: zero byte"));
}

static void a_file_that_is_not_there_is_not_found(void **state)
{
    (void)state;
    struct error error = {0};
    char nowhere[] = "/nowhere/lines";
    assert_int_equal(attempt(read_lines, nowhere, &error), STATUS_NOT_FOUND);
}

static int set_up(void **state)
{
    (void)state;
    return scratch_file_new(path, "test-lines");
}

static int tear_down(void **state)
{
    (void)state;
    return remove(path);
}

int main(void)
{
    pool = pool_new();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_between_newlines),
        cmocka_unit_test(many_lines_are_read),
        cmocka_unit_test(a_cut_line_and_a_zero_byte_are_named),
        cmocka_unit_test(a_file_that_is_not_there_is_not_found),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
