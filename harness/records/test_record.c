/* Reading records: accepted and refused lines, the place named in errors, and repeats. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/records/record_filter.h"
#include "harness/records/selection.h"
#include "tests/read_run.h"
#include "tests/scratch_folder.h"

#define LINE(split, solver, rest)                                                                                      \
    "{\"schema\":1,\"config\":\"c\",\"dataset\":\"heart\",\"split\":" split                                            \
    ",\"split_source\":\"official\",\"solver\":\"" solver                                                              \
    "\",\"params\":{\"mu\":0.5},\"kernel\":{\"type\":\"rbf\",\"width\":120},\"stop\":{\"rule\":\"rch-gap\"},"          \
    "\"outcome\":\"converged\"" rest "}\n"

static char path[SCRATCH_PATH_SIZE];

static int make_file(void **state)
{
    (void)state;
    return scratch_file_new(path, "hullbench-record");
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static enum status read_text(const char *text, struct record_file *file, struct error *error)
{
    file_write(path, text, strlen(text));
    return try_records(path, file, error);
}

static void numbers_are_found_by_dotted_path(void **state)
{
    (void)state;
    struct record_file file = {0};
    assert_int_equal(
        read_text(LINE("3", "mdm", ",\"kernel_operations\":{\"iterations\":64600},\"rch_mu\":null"), &file, NULL),
        STATUS_OK);
    assert_int_equal(file.records.count, 1);
    const struct record *record = file.records.items[0];
    assert_string_equal(record->dataset, "heart");
    assert_string_equal(record->solver, "mdm");
    assert_string_equal(record->params_text, "{\"mu\":0.5}");
    assert_int_equal(record->split, 3);
    assert_true(record->field[FIELD_KERNEL_OPERATIONS] == 64600);
    assert_true(isnan(record->field[FIELD_SETUP_OPERATIONS]));
    assert_true(isnan(record->field[FIELD_RCH_MU]) && isnan(record->field[FIELD_ITERATIONS]));
    assert_true(record_includes(record->kernel, NULL));
    assert_true(record_includes(record->kernel, record->kernel));
    assert_false(record_includes(record->kernel, record->params));
    pool_free(file.pool);
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
        {"{\"schema\":3}\n", ":2: schema: 3 is out of range"},
        {LINE("0", "mdm", ""), ":2: split: 0 is"},
        {LINE("1.5", "mdm", ""), ":2: split: 1.5 is"},
        {LINE("1", "", ""), ":2: solver: \"\" is"},
        {"{\"schema\":1,\"split\":1,\"dataset\":\"a\",\"solver\":\"b\",\"split_source\":\"mine\"}\n",
         ":2: split_source: unknown split_source \"mine\""},
        {"{\"schema\":1}", ":2: the file ends within this line"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct record_file file = {0};
        struct error error = {0};
        char text[1024];
        snprintf(text, sizeof text, "%s%s", LINE("1", "gsk", ""), bad[i].second);
        assert_int_equal(read_text(text, &file, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, path));
        if (!strstr(error.message, bad[i].says))
            fail_msg("\"%s\" does not say \"%s\"", error.message, bad[i].says);
        pool_free(file.pool);
    }
}

static void a_repeated_record_counts_once(void **state)
{
    (void)state;
    struct record_file file = {0};
    assert_int_equal(
        read_text(LINE("1", "gsk", ",\"iterations\":5") LINE("2", "gsk", ",\"iterations\":7"), &file, NULL),
        STATUS_OK);
    struct records twice = {.pool = file.pool};
    records_join(&twice, &file.records);
    records_join(&twice, &file.records);
    assert_int_equal(twice.count, 2);
    assert_int_equal(file.records.count, 2);
    assert_int_equal(file.records.items[0]->split, 1);
    assert_int_equal(file.records.items[1]->split, 2);
    pool_free(file.pool);
}

/* Lines that differ in schema and configuration alone, and lines that differ behind or within this beginning. */
static void a_repeated_record_of_another_configuration_counts_once_unless_it_differs(void **state)
{
    (void)state;
    static const struct {
        const char *first, *other;
        size_t count; /* 0: refused */
    } cases[] = {{"{\"schema\":1,\"config\":\"c\"",
                  "{\"schema\":2,\"config\":\"another, \\\"dataset\\\":\"", 1},
                 {"{\"schema\":1,\"config\":\"a\\\"b\"", "{\"schema\":1,\"config\":\"a\\\"c\"", 1},
                 {"{\"schema\":1,\"config\":\"c\",\"iterations\":5", "{\"schema\":1,\"config\":\"d\"", 0},
                 {"{\"schema\":1,\"iterations\":5,\"config\":\"c\"",
                  "{\"schema\":1,\"iterations\":6,\"config\":\"c\"", 0}};
    const char *const line = LINE("1", "gsk", ""), *rest = strstr(line, ",\"dataset\"");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record_file file = {0};
        struct error error = {0};
        char text[1024];
        snprintf(text, sizeof text, "%s%s%s%s", cases[i].first, rest, cases[i].other, rest);
        assert_int_equal(read_text(text, &file, &error), cases[i].count ? STATUS_OK : STATUS_BAD_INPUT);
        if (cases[i].count)
            assert_int_equal(file.records.count, cases[i].count);
        else
            assert_non_null(strstr(error.message, "\"iterations\" is "));
        pool_free(file.pool);
    }
}

/* Schema 2 changed what kernel_evaluations counts, and nothing else. */
static void records_of_both_schemas_are_read_together(void **state)
{
    (void)state;
    const char *const later = LINE("1", "gsk", ",\"kernel_evaluations\":%d"), *rest = strchr(later, ',');
    char text[1024], second[512];
    struct error error = {0};
    for (int evaluations = 5; evaluations <= 6; evaluations++) {
        struct record_file file = {0};
        snprintf(second, sizeof second, rest, evaluations);
        snprintf(text, sizeof text, "%s{\"schema\":2%s", LINE("1", "gsk", ",\"kernel_evaluations\":5"), second);
        enum status status = read_text(text, &file, &error);
        assert_int_equal(status, evaluations == 5 ? STATUS_OK : STATUS_BAD_INPUT);
        if (status == STATUS_OK)
            assert_int_equal(file.records.count, 1);
        else
            assert_non_null(strstr(error.message, "\"kernel_evaluations\" is 6 here and 5 there"));
        pool_free(file.pool);
    }
}

static void contradicting_records_are_refused(void **state)
{
    (void)state;
    struct record_file file = {0};
    struct error error = {0};
    assert_int_equal(
        read_text(LINE("1", "gsk", ",\"iterations\":5") LINE("1", "gsk", ",\"iterations\":6"), &file, &error),
        STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":2: contradicts"));
    assert_non_null(strstr(error.message, ":1: both are of"));
    assert_non_null(strstr(error.message, "\"iterations\" is 6 here and 5 there"));
    assert_non_null(strstr(error.message, "budget"));
    pool_free(file.pool);
    /* a member missing in one of the two */
    assert_int_equal(read_text(LINE("1", "gsk", "") LINE("1", "gsk", ",\"iterations\":6"), &file, &error),
                     STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "\"iterations\" is 6 here and missing there"));
    pool_free(file.pool);
    assert_int_equal(read_text(LINE("1", "gsk", ",\"iterations\":6") LINE("1", "gsk", ""), &file, &error),
                     STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "\"iterations\" is missing here and 6 there"));
    pool_free(file.pool);
    assert_int_equal(try_records("/nowhere/records.jsonl", &file, &error), STATUS_BAD_INPUT);
    pool_free(file.pool);
}

static void a_record_has_its_numbers_settings_and_line(void **state)
{
    (void)state;
    struct record_file file = {0};
    static const char second[] = LINE("2", "gsk", ",\"error_percent\":null,\"kernel_operations\":{\"iterations\":7}");
    char text[2048];
    snprintf(text, sizeof text, "%s%s", LINE("1", "gsk", ",\"error_percent\":2.5"), second);
    assert_int_equal(read_text(text, &file, NULL), STATUS_OK);
    const struct record *one = file.records.items[0], *two = file.records.items[1];
    assert_true(one->field[FIELD_ERROR] == 2.5 && isnan(two->field[FIELD_ERROR]));
    assert_true(isnan(one->field[FIELD_KERNEL_OPERATIONS]) && two->field[FIELD_KERNEL_OPERATIONS] == 7);
    assert_true(one->converged && !one->at_limit && !one->stalled && !one->failed && !one->resampled &&
                !one->generated);
    assert_string_equal(strrchr(two->where, ':'), ":2");
    assert_int_equal(strlen(two->text), strlen(second) - 1);
    assert_memory_equal(two->text, second, strlen(two->text));
    static const char *const settings[][2] = {{"mu", "0.5"}, {"kernel", "rbf"}, {"width", "120"}, {"stop", "rch-gap"}};
    assert_int_equal(two->n_settings, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(two->settings[i].name, settings[i][0]);
        assert_string_equal(two->settings[i].text, settings[i][1]);
        assert_ptr_equal(two->settings[i].text, one->settings[i].text);
        assert_ptr_equal(record_setting(two, settings[i][0]), &two->settings[i]);
    }
    assert_true(record_setting(two, "width")->number == 120 && isnan(record_setting(two, "stop")->number));
    assert_null(record_setting(two, "C"));
    assert_true(one->settings == two->settings && one->params_text == two->params_text);
    assert_true(one->dataset == two->dataset && one->solver == two->solver && isnan(two->seconds));
    pool_free(file.pool);
}

static void filters_keep_what_they_name(void **state)
{
    (void)state;
    struct record_file file = {0};
    static const struct {
        const char *dataset, *solver, *params, *entry;
        size_t kept;
    } cases[] = {
        {NULL, NULL, NULL, NULL, 3},
        {"heart", "gsk", NULL, NULL, 2},
        {"banana", NULL, NULL, NULL, 0},
        {NULL, NULL, "{\"mu\":0.5}", NULL, 3},
        {NULL, NULL, "{\"mu\":0.4}", NULL, 0},
        {NULL, NULL, "{\"C\":1}", NULL, 0},
        {NULL, NULL, NULL, "{\"solver\":\"mdm\"}", 1},
        {NULL, NULL, NULL, "{\"solvers\":[\"mdm\",\"gsk\"],\"datasets\":[\"heart\"]}", 3},
        {NULL, NULL, NULL, "{\"dataset\":\"banana\"}", 0},
        {NULL, NULL, NULL, "{\"where\":{\"mu\":0.5,\"kernel\":\"rbf\"}}", 3},
        {NULL, NULL, NULL, "{\"where\":{\"width\":121}}", 0},
        {NULL, NULL, NULL, "{\"where\":{\"C\":1}}", 0},
    };
    assert_int_equal(read_text(LINE("1", "gsk", "") LINE("2", "gsk", "") LINE("1", "mdm", ""), &file, NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *params = cJSON_Parse(cases[i].params), *entry = cJSON_Parse(cases[i].entry);
        const struct record_filter filter = {.solver = cases[i].solver, .params = params, .field = "iterations"};
        struct records kept = {.pool = file.pool};
        for (size_t k = 0; k < file.records.count; k++)
            if (selection_matches(entry, file.records.items[k]))
                records_add(&kept, file.records.items[k]);
        const struct sample sample = sample_take(file.pool, &kept, &filter, cases[i].dataset, 1, NULL);
        assert_int_equal(sample.n + sample.n_null, cases[i].kept);
        cJSON_Delete(params);
        cJSON_Delete(entry);
    }
    pool_free(file.pool);
}

static void an_empty_file_has_no_records(void **state)
{
    (void)state;
    struct record_file file = {0};
    assert_int_equal(read_text("", &file, NULL), STATUS_OK);
    assert_int_equal(file.records.count, 0);
    pool_free(file.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_by_dotted_path),
        cmocka_unit_test(damaged_lines_are_named),
        cmocka_unit_test(a_repeated_record_counts_once),
        cmocka_unit_test(a_repeated_record_of_another_configuration_counts_once_unless_it_differs),
        cmocka_unit_test(records_of_both_schemas_are_read_together),
        cmocka_unit_test(contradicting_records_are_refused),
        cmocka_unit_test(an_empty_file_has_no_records),
        cmocka_unit_test(a_record_has_its_numbers_settings_and_line),
        cmocka_unit_test(filters_keep_what_they_name),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
