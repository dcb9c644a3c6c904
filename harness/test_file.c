/* Whole files: a write either happens or leaves what was there; what is read is named when it cannot be. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/file.h"

struct fixture {
    char folder[64], path[96], aside[128];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    strcpy(fixture->folder, "/tmp/test_file.XXXXXX");
    assert_non_null(mkdtemp(fixture->folder));
    snprintf(fixture->path, sizeof fixture->path, "%s/f", fixture->folder);
    snprintf(fixture->aside, sizeof fixture->aside, "%s.aside", fixture->path);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    remove(fixture->aside);
    remove(fixture->path);
    rmdir(fixture->folder);
    free(fixture);
    return 0;
}

static void check_holds(const char *path, const char *bytes, size_t size)
{
    char *text = NULL;
    size_t found = 0;
    assert_int_equal(file_read(path, &text, &found, NULL), STATUS_OK);
    assert_int_equal(found, size);
    assert_memory_equal(text, bytes, size);
    assert_int_equal(text[size], '\0');
    free(text);
}

static void any_bytes_are_read_as_they_were_written(void **state)
{
    const struct fixture *fixture = *state;
    enum { SIZE = 200000 }; /* more than the buffer that file_read begins with */
    char *bytes = malloc(SIZE);
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * 37 % 251);
    const size_t sizes[] = {0, 1, 65534, 65535, 65536, 65537, SIZE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(file_write(fixture->path, bytes, sizes[i], NULL), STATUS_OK);
        check_holds(fixture->path, bytes, sizes[i]);
        assert_int_not_equal(access(fixture->aside, F_OK), 0);
    }
    free(bytes);
}

static void a_file_being_written_leaves_the_old_one_until_it_is_committed(void **state)
{
    const struct fixture *fixture = *state;
    struct outfile out;
    assert_int_equal(file_write(fixture->path, "old", 3, NULL), STATUS_OK);
    assert_int_equal(outfile_open(&out, fixture->path, NULL), STATUS_OK);
    fputs("new", out.stream);
    check_holds(fixture->path, "old", 3);
    outfile_abandon(&out);
    check_holds(fixture->path, "old", 3);
    assert_int_not_equal(access(fixture->aside, F_OK), 0);
    outfile_abandon(&out); /* once more is harmless */
    assert_int_equal(outfile_open(&out, fixture->path, NULL), STATUS_OK);
    fputs("new", out.stream);
    assert_int_equal(outfile_commit(&out, NULL), STATUS_OK);
    check_holds(fixture->path, "new", 3);
    outfile_abandon(&out);
    check_holds(fixture->path, "new", 3);
}

static void a_failed_write_names_the_file_and_leaves_the_old_one(void **state)
{
    const struct fixture *fixture = *state;
    struct outfile out;
    struct error error = {0};
    if (access("/dev/full", W_OK) != 0) {
        skip();
        return;
    }
    assert_int_equal(file_write(fixture->path, "old", 3, NULL), STATUS_OK);
    const size_t sizes[] = {1, 100000}; /* seen only when flushed, and seen while writing */
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(outfile_open(&out, fixture->path, NULL), STATUS_OK);
        assert_non_null(freopen("/dev/full", "wb", out.stream));
        for (size_t n = 0; n < sizes[i]; n++)
            fputc('x', out.stream);
        assert_int_equal(outfile_commit(&out, &error), STATUS_IO);
        assert_non_null(strstr(error.message, fixture->path));
        assert_non_null(strstr(error.message, "No space left on device"));
        check_holds(fixture->path, "old", 3);
        assert_int_not_equal(access(fixture->aside, F_OK), 0);
    }
}

static void what_cannot_be_read_says_whether_it_is_there(void **state)
{
    const struct fixture *fixture = *state;
    struct error error = {0};
    char *text;
    assert_int_equal(file_read(fixture->path, &text, NULL, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, fixture->path));
    assert_null(text);
    assert_int_equal(file_read(fixture->folder, &text, NULL, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "Is a directory"));
    assert_null(text);
}

static void folders_are_made_with_their_parents_and_may_be_there(void **state)
{
    const struct fixture *fixture = *state;
    char deep[128];
    struct stat about;
    struct error error = {0};
    snprintf(deep, sizeof deep, "%s/f/g/", fixture->folder);
    assert_int_equal(folder_make(deep, NULL), STATUS_OK);
    assert_int_equal(folder_make(deep, NULL), STATUS_OK);
    assert_true(stat(deep, &about) == 0 && S_ISDIR(about.st_mode));
    rmdir(deep);
    rmdir(fixture->path);
    assert_int_equal(file_write(fixture->path, "", 0, NULL), STATUS_OK);
    assert_int_equal(folder_make(deep, &error), STATUS_IO);
    assert_non_null(strstr(error.message, fixture->path));
}

static void json_errors_name_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "label:1: "},
        {"{\n\"a\": 1,\n\"b\": x\n}", "label:3: "},
        {"{}\n{}", "label:2: "},
        {"[1, 2\n\n", "label:"},
        {"nul", "label:1: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *json;
        struct error error = {0};
        assert_int_equal(json_parse("label", cases[i].text, &json, &error), STATUS_BAD_INPUT);
        assert_null(json);
        assert_non_null(strstr(error.message, cases[i].says));
        assert_null(strchr(error.message, '\n'));
    }
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(any_bytes_are_read_as_they_were_written),
        FILE_TEST(a_file_being_written_leaves_the_old_one_until_it_is_committed),
        FILE_TEST(a_failed_write_names_the_file_and_leaves_the_old_one),
        FILE_TEST(what_cannot_be_read_says_whether_it_is_there),
        FILE_TEST(folders_are_made_with_their_parents_and_may_be_there),
        cmocka_unit_test(json_errors_name_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
