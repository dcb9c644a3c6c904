/* User-defined splits: a file that lists them, separate training and test files, and errors in invalid ones. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/dataset.h"
#include "harness/support/file.h"
#include "harness/support/sha256.h"
#include "tests/load_dataset.h"
#include "tests/scratch_folder.h"

/* A folder with three files that each test writes as needed. */
struct scratch {
    char folder[SCRATCH_PATH_SIZE], data[64], other[64];
};

static int make_place(void **state)
{
    struct scratch *place = calloc(1, sizeof *place);
    if (!place)
        return -1;
    if (!scratch_folder_new(place->folder, "test-own-splits")) {
        free(place);
        return -1;
    }
    snprintf(place->data, sizeof place->data, "%s/data", place->folder);
    snprintf(place->other, sizeof place->other, "%s/other", place->folder);
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    struct scratch *place = *state;
    remove(place->data);
    remove(place->other);
    int result = rmdir(place->folder);
    free(place);
    return result;
}

static void put(const char *path, const char *text)
{
    file_write(path, text, strlen(text));
}

static const char six[] = "1 1:1\n-1 1:2\n1 1:3\n-1 1:4\n1 1:5\n-1 1:6\n";

static enum status load_listed(const struct scratch *place, const char *splits, struct dataset **dataset,
                               struct error *error)
{
    const struct dataset_request request = {
        .set.name = "toy", .set.file = place->data, .set.split_file = place->other, .want_splits = 7};
    put(place->data, six);
    put(place->other, splits);
    return load_dataset(&request, dataset, error);
}

static void expect_rows(const size_t *rows, size_t count, const char *wanted)
{
    char text[64] = "";
    for (size_t i = 0, used = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu", i ? " " : "", rows[i]);
    assert_string_equal(text, wanted);
}

static void a_file_lists_splits_of_any_sizes(void **state)
{
    const struct scratch *place = *state;
    struct dataset *dataset = NULL;
    struct error error = {STATUS_OK, ""};
    static const char splits[] =
        "# three\ntrain 1 4-5\r\n\n  train 2,3 # no test line above\ntest 6\ntrain 6-6\t1\ntest";
    static const char *const train[] = {"0 3 4", "1 2", "5 0"}, *const test[] = {"1 2 5", "5", ""};
    if (load_listed(place, splits, &dataset, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(dataset->n_splits, 3);
    for (size_t s = 0; s < 3; s++) {
        assert_int_equal(dataset->splits[s].number, s + 1);
        assert_int_equal(dataset->splits[s].source, SPLIT_OFFICIAL);
        expect_rows(dataset->splits[s].train, dataset->splits[s].n_train, train[s]);
        expect_rows(dataset->splits[s].test, dataset->splits[s].n_test, test[s]);
    }
    char both[512], hex[65];
    snprintf(both, sizeof both, "%s%s", six, splits);
    sha256_hex(both, strlen(both), hex);
    assert_string_equal(dataset->sha256, hex); /* other splits make other data */
    release_dataset(dataset);
}

static void bad_lists_are_refused_with_line_and_column(void **state)
{
    const struct scratch *place = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "other:1:1: no splits; each begins with a line \"train ROWS\""},
        {"# nothing\n", "other:1:1: no splits"},
        {"train 1 2\nlearn 3\n", "other:2:1: \"learn\" is not \"train\" or \"test\""},
        {"1 2 3\n", "other:1:1: \"1\" is not \"train\" or \"test\""},
        {"training 1 2\n", "other:1:1: \"training\" is not"},
        {"test 1\n", "other:1:1: \"test\" must follow a line \"train\""},
        {"train 1 2\ntest 3\n test 4\n", "other:3:2: \"test\" must follow a line \"train\""},
        {"train 1 0\n", "other:1:9: \"0\" is out of range; allowed: rows from 1 to 6"},
        {"train 1 7\n", "other:1:9: \"7\" is out of range; allowed: rows from 1 to 6"},
        {"train 1-99999999999999999999999\n", "other:1:7: \"1-99999999999999999999999\" is out of range"},
        {"train 4-2\n", "other:1:7: \"4-2\" is out of range; allowed: rows from 1 to 6"},
        {"train 1 -2\n", "other:1:9: \"-2\" is not a row or a range of rows, such as 7 or 7-20"},
        {"train 1-\n", "other:1:7: \"1-\" is not a row"},
        {"train 1-2-3\n", "other:1:7: \"1-2-3\" is not a row"},
        {"train 1.5\n", "other:1:7: \"1.5\" is not a row"},
        {"train 1 2 x\n", "other:1:11: \"x\" is not a row"},
        {"train 1 2 1\n", "other:1:11: \"1\" occurs twice in this split"},
        {"train 1 2\ntest 3 2-4\n", "other:2:8: \"2-4\" occurs twice in this split"},
        {"train 1 2\n\ntrain 1 3 5\n", "other:3:1: split 2 trains on 3 rows of one class; both are needed"},
        {"train\n", "other:1:1: split 1 trains on 0 rows of one class"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dataset *dataset = NULL;
        struct error error = {STATUS_OK, ""};
        enum status status = load_listed(place, cases[i].text, &dataset, &error);
        if (status != STATUS_BAD_INPUT || !strstr(error.message, cases[i].message))
            fail_msg("case %zu: status %d, \"%s\" has no \"%s\"", i, (int)status, error.message, cases[i].message);
        assert_null(dataset);
    }
}

static enum status load_two(const struct scratch *place, const char *format, const char *train, const char *test,
                            struct dataset **dataset, struct error *error)
{
    const struct dataset_request request = {
        .set.name = "toy", .set.file = place->data, .set.test_file = place->other, .set.format = format};
    put(place->data, train);
    put(place->other, test);
    return load_dataset(&request, dataset, error);
}

static void one_file_trains_and_another_tests(void **state)
{
    const struct scratch *place = *state;
    struct dataset *dataset = NULL;
    struct error error = {STATUS_OK, ""};
    /* the second file has one class, an index 0 and a feature that the first lacks */
    if (load_two(place, NULL, "2 1:1 3:3\n1 2:2\n", "2 0:9\n2.0 4:4\n2\n", &dataset, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    const double x[] = {0, 1, 0, 3, 0, 0, 0, 2, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0};
    const signed char y[] = {1, -1, 1, 1, 1};
    assert_int_equal(dataset->patterns.rows, 5);
    assert_int_equal(dataset->patterns.dims, 5);
    assert_int_equal(dataset->first_index, 0);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        assert_true(patterns_value(&dataset->patterns, i / 5, i % 5) == x[i]);
    assert_memory_equal(dataset->y, y, sizeof y);
    assert_int_equal(dataset->n_splits, 1);
    assert_int_equal(dataset->splits[0].source, SPLIT_OFFICIAL);
    expect_rows(dataset->splits[0].train, dataset->splits[0].n_train, "0 1");
    expect_rows(dataset->splits[0].test, dataset->splits[0].n_test, "2 3 4");
    release_dataset(dataset);
}

static void two_files_have_to_go_together(void **state)
{
    const struct scratch *place = *state;
    struct dataset *dataset = NULL;
    struct error error = {STATUS_OK, ""};
    assert_int_equal(load_two(place, NULL, "1 1:1\n2 1:2\n", "1 1:1\n 3 1:1\n", &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "other:2:2: label \"3\" is a third class"));
    assert_int_equal(load_two(place, NULL, "1 1:1\n1 1:2\n", "2 1:1\n", &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "data:1:1: all labels are \"1\"; both classes are needed to train"));
    assert_int_equal(load_two(place, "csv", "1,1,a\n1,2,b\n", "1,b\n", &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "other:1:1: 1 features, but "));
    remove(place->other);
    const struct dataset_request request = {.set.name = "toy", .set.file = place->data, .set.test_file = place->other};
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, "other: cannot be read"));
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_lists_splits_of_any_sizes),
        cmocka_unit_test(bad_lists_are_refused_with_line_and_column),
        cmocka_unit_test(one_file_trains_and_another_tests),
        cmocka_unit_test(two_files_have_to_go_together),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
