/* Reading records: what is taken, what is refused and where, and repeats. */
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
#include "harness/records/record.h"

#define LINE(split, solver, rest)                                                                                      \
    "{\"schema\":1,\"config\":\"c\",\"dataset\":\"heart\",\"split\":" split                                            \
    ",\"split_source\":\"official\",\"solver\":\"" solver                                                              \
    "\",\"params\":{\"mu\":0.5},\"kernel\":{\"type\":\"rbf\",\"width\":120},\"stop\":{\"rule\":\"rch-gap\"},"          \
    "\"outcome\":\"converged\"" rest "}\n"

static char path[] = "/tmp/hullbench-record-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static enum status read_text(const char *text, struct records *records, struct error *error)
{
    assert_int_equal(file_write(path, text, strlen(text), NULL), STATUS_OK);
    return records_read(path, records, error);
}

static void numbers_are_found_by_dotted_path(void **state)
{
    (void)state;
    struct records records = {0};
    double value = -1;
    assert_int_equal(
        read_text(LINE("3", "mdm", ",\"kernel_operations\":{\"iterations\":64600},\"rch_mu\":null"), &records, NULL),
        STATUS_OK);
    assert_int_equal(records.count, 1);
    const struct record *record = &records.items[0];
    assert_string_equal(record->dataset, "heart");
    assert_string_equal(record->solver, "mdm");
    assert_string_equal(record->params_text, "{\"mu\":0.5}");
    assert_int_equal(record->split, 3);
    assert_true(record_number(record, "kernel_operations.iterations", &value) && value == 64600);
    value = -1;
    assert_false(record_number(record, "kernel_operations.setup", &value));
    assert_false(record_number(record, "rch_mu", &value));
    assert_false(record_number(record, "iterations", &value));
    assert_false(record_number(record, "outcome", &value));
    assert_true(value == -1);
    assert_true(record_includes(record->kernel, NULL));
    assert_true(record_includes(record->kernel, record->kernel));
    assert_false(record_includes(record->kernel, record->params));
    records_free(&records);
}

static void damaged_lines_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *second, *says;
    } bad[] = {
        {"{\"schema\":1,\n", ":2: not one JSON object"},
        {"\n", ":2: not one JSON object"},
        {"[1]\n", ":2: not one JSON object"},
        {"{} {}\n", ":2: not one JSON object"},
        {"{\"schema\":2}\n", ":2: \"schema\" must be a whole number from 1 to 1"},
        {LINE("0", "mdm", ""), ":2: \"split\" must be"},
        {LINE("1.5", "mdm", ""), ":2: \"split\" must be"},
        {LINE("1", "", ""), ":2: \"solver\" must be a text"},
        {"{\"schema\":1,\"split\":1,\"dataset\":\"a\",\"solver\":\"b\",\"split_source\":\"mine\"}\n",
         ":2: \"split_source\" is \"mine\""},
        {"{\"schema\":1}", ":2: the last line is cut off"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct records records = {0};
        struct error error = {0};
        char text[1024];
        snprintf(text, sizeof text, "%s%s", LINE("1", "gsk", ""), bad[i].second);
        assert_int_equal(read_text(text, &records, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, path));
        if (!strstr(error.message, bad[i].says))
            fail_msg("\"%s\" does not say \"%s\"", error.message, bad[i].says);
        records_free(&records);
    }
}

static void a_repeated_record_counts_once(void **state)
{
    (void)state;
    struct records records = {0};
    assert_int_equal(
        read_text(LINE("1", "gsk", ",\"iterations\":5") LINE("2", "gsk", ",\"iterations\":7"), &records, NULL),
        STATUS_OK);
    assert_int_equal(records_read(path, &records, NULL), STATUS_OK);
    assert_int_equal(records.count, 2);
    assert_int_equal(records.items[0].split, 1);
    assert_int_equal(records.items[1].split, 2);
    records_free(&records);
}

static void contradicting_records_are_refused(void **state)
{
    (void)state;
    struct records records = {0};
    struct error error = {0};
    assert_int_equal(
        read_text(LINE("1", "gsk", ",\"iterations\":5") LINE("1", "gsk", ",\"iterations\":6"), &records, &error),
        STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":2: contradicts"));
    assert_non_null(strstr(error.message, ":1: both say"));
    assert_non_null(strstr(error.message, "\"iterations\" is 6 here and 5 there"));
    assert_non_null(strstr(error.message, "budget"));
    records_free(&records);
    /* a member that one of the two lacks */
    assert_int_equal(read_text(LINE("1", "gsk", "") LINE("1", "gsk", ",\"iterations\":6"), &records, &error),
                     STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "\"iterations\" is 6 here and missing there"));
    records_free(&records);
    assert_int_equal(read_text(LINE("1", "gsk", ",\"iterations\":6") LINE("1", "gsk", ""), &records, &error),
                     STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "\"iterations\" is missing here and 6 there"));
    records_free(&records);
    assert_int_equal(records_read("/nowhere/records.jsonl", &records, &error), STATUS_NOT_FOUND);
    records_free(&records);
    records_free(NULL);
}

static void an_empty_file_has_no_records(void **state)
{
    (void)state;
    struct records records = {0};
    assert_int_equal(read_text("", &records, NULL), STATUS_OK);
    assert_int_equal(records.count, 0);
    records_free(&records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_by_dotted_path), cmocka_unit_test(damaged_lines_are_named),
        cmocka_unit_test(a_repeated_record_counts_once),    cmocka_unit_test(contradicting_records_are_refused),
        cmocka_unit_test(an_empty_file_has_no_records),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
