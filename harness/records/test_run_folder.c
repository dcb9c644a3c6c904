/* Reading run folders: refused folders, the status and message, and that files are read only once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/records/run_folder.h"
#include "harness/support/file.h"
#include "tests/read_run.h"
#include "tests/scratch_folder.h"

static void write_text(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    file_write(path, text, strlen(text));
}

static void clear(void)
{
    static const char *const names[] = {"run.json",     "config.json",   "journal.jsonl",
                                        "compare.json", "records.jsonl", "timings.jsonl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        file_remove(scratch_folder, names[i]);
}

/* Checks that reading the folder fails with this status, that the error has it too and names the folder, and that it
 * fails without an error struct as well. */
static void check_refused(enum folder_need need, enum status status, const char *named)
{
    struct run_folder found;
    struct error error = {.status = STATUS_OK};
    assert_int_equal(try_folder(scratch_folder, need, TRY_OPEN, &found, &error), status);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.message, scratch_folder));
    if (!strstr(error.message, named))
        fail_msg("%s: no %s", error.message, named);
    pool_free(found.pool);
    assert_int_equal(try_folder(scratch_folder, need, TRY_OPEN, &found, NULL), status);
    pool_free(found.pool);
}

#define RECORD(split)                                                                                                  \
    "{\"schema\":1,\"dataset\":\"d\",\"split\":" split                                                                 \
    ",\"split_source\":\"official\",\"solver\":\"s\",\"params\":{},\"kernel\":{},"                                     \
    "\"stop\":{},\"outcome\":\"converged\"}\n"

/* Writes a valid folder of two records. */
static void write_run(const char *records)
{
    clear();
    write_text("config.json", "{\"name\":\"c\",\"tables\":[\"p.t\"]}");
    write_text("run.json",
               "{\"plan\":\"00000000000000ab\",\"version\":\"1\",\"config\":\"c\",\"records\":2,\"data\":[{\"dataset\":"
               "\"d\",\"sha256\":\"ab\","
               "\"source\":\"here\"}],\"missing\":[{\"dataset\":\"e\",\"reason\":\"gone\"}],\"restricted_"
               "to\":{\"solvers\":\"s\"}}");
    write_text("timings.jsonl", "{\"index\":0,\"seconds\":0.5}\n{\"index\":1,\"seconds\":0.25}\n");
    write_text("records.jsonl", records);
}

static void a_folder_without_a_finished_run_is_not_found(void **state)
{
    (void)state;
    struct run_folder found;
    struct error error = {0};
    clear();
    check_refused(FOLDER_PART, STATUS_NOT_FOUND, "no run.json");
    check_refused(FOLDER_FINISHED, STATUS_BAD_INPUT, "no run.json");
    check_refused(FOLDER_CONFIG, STATUS_BAD_INPUT, "no config.json");
    for (int need = FOLDER_RECORDS; need <= FOLDER_PART; need++) {
        assert_int_equal(try_folder("/nowhere", (enum folder_need)need, TRY_OPEN, &found, &error),
                         need == FOLDER_PART ? STATUS_NOT_FOUND : STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "/nowhere: no such folder"));
        pool_free(found.pool);
    }
    write_text("config.json", "{}");
    write_text("journal.jsonl", "{\"jobs\":3}\n{}\n");
    check_refused(FOLDER_PART, STATUS_NOT_FOUND, "not finished: 1 of 3");
    check_refused(FOLDER_FINISHED, STATUS_BAD_INPUT, "not finished: 1 of 3");
    check_refused(FOLDER_CONFIG, STATUS_BAD_INPUT, "not finished: 1 of 3");
    check_refused(FOLDER_RECORDS, STATUS_BAD_INPUT, "not finished: 1 of 3");
}

static void a_folder_of_another_kind_is_bad_input(void **state)
{
    (void)state;
    struct run_folder found;
    struct error error = {0};
    clear();
    write_text("compare.json", "{}");
    check_refused(FOLDER_CONFIG, STATUS_BAD_INPUT, "comparison");
    write_run("");
    write_text("config.json", "{\"tune\":{}}");
    check_refused(FOLDER_FINISHED, STATUS_BAD_INPUT, "tune");
    assert_int_equal(try_folder(scratch_folder, FOLDER_CONFIG, TRY_OPEN, &found, NULL), STATUS_OK);
    assert_true(run_folder_is_search(&found));
    assert_int_equal(try_more(&found, TRY_RECORDS, NULL, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "tune"));
    pool_free(found.pool);
}

static void a_damaged_file_is_named(void **state)
{
    (void)state;
    write_run("");
    write_text("config.json", "{\"tables\":[\"p\"]}");
    check_refused(FOLDER_RECORDS, STATUS_BAD_INPUT, "\"p\"");
    write_text("config.json", "[]");
    check_refused(FOLDER_CONFIG, STATUS_BAD_INPUT, "config.json:1");
    write_text("config.json", "{}");
    write_text("run.json", "{\"plan\": ");
    check_refused(FOLDER_RECORDS, STATUS_BAD_INPUT, "run.json");
    write_text("run.json", "{\"records\": 1}");
    check_refused(FOLDER_FINISHED, STATUS_BAD_INPUT, "plan");
    write_text("run.json", "{\"plan\":\"00000000000000ab\",\"version\":\"1\",\"records\":1,\"partial\":[\"p\"]}");
    check_refused(FOLDER_FINISHED, STATUS_BAD_INPUT, "lacks parts");
}

static void a_finished_run_is_read_once(void **state)
{
    (void)state;
    struct run_folder found;
    int has_times = 1;
    write_run(RECORD("1") RECORD("2"));
    assert_int_equal(try_folder(scratch_folder, FOLDER_FINISHED, TRY_LINES, &found, NULL), STATUS_OK);
    assert_string_equal(found.run.config, "c");
    assert_string_equal(found.run.solvers, "s");
    assert_true(!found.run.datasets && found.run.shards == 1 && found.run.records == 2 && !found.plan_agrees);
    assert_string_equal(run_info_data(&found.run, "d")->sha256, "ab");
    assert_null(run_info_data(&found.run, "e"));
    assert_string_equal(run_info_why_missing(&found.run, "e"), "gone");
    assert_true(run_folder_is_for(&found, "p.t") && run_folder_is_for(&found, "p") &&
                !run_folder_is_for(&found, "p.u"));
    clear(); /* no file is read twice */
    assert_int_equal(try_more(&found, TRY_RECORDS, NULL, NULL), STATUS_OK);
    const struct record *second = found.file.records.items[1];
    assert_int_equal(try_more(&found, TRY_RECORDS, NULL, NULL), STATUS_OK);
    assert_ptr_equal(found.file.records.items[1], second);
    assert_int_equal(try_more(&found, TRY_TIMES, &has_times, NULL), STATUS_OK);
    assert_true(!has_times && isnan(second->seconds));
    write_run("");
    assert_int_equal(try_more(&found, TRY_TIMES, &has_times, NULL), STATUS_OK);
    assert_true(has_times && second->seconds == 0.25);
    pool_free(found.pool);
}

static void records_that_were_cut_are_bad_input(void **state)
{
    (void)state;
    static const struct {
        const char *records, *named;
    } cases[] = {{RECORD("1"), "has 1 lines"},
                 {RECORD("1") RECORD("1"), "has 1 different records"},
                 {RECORD("1") "{", ":2:"},
                 {RECORD("1") "{}\n", ":2:"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run_folder found;
        struct error error = {0};
        write_run(cases[i].records);
        assert_int_equal(try_folder(scratch_folder, FOLDER_CONFIG, TRY_RECORDS, &found, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, scratch_folder) || !strstr(error.message, cases[i].named))
            fail_msg("%s: no %s", error.message, cases[i].named);
        pool_free(found.pool);
    }
    struct run_folder found;
    write_run("");
    file_remove(scratch_folder, "records.jsonl");
    assert_int_equal(try_folder(scratch_folder, FOLDER_FINISHED, TRY_OPEN, &found, NULL), STATUS_OK);
    assert_int_equal(try_more(&found, TRY_LINES, NULL, NULL), STATUS_BAD_INPUT); /* run.json reports some */
    pool_free(found.pool);
    assert_int_equal(try_folder(scratch_folder, FOLDER_CONFIG, TRY_RECORDS, &found, NULL), STATUS_BAD_INPUT);
    pool_free(found.pool);
}

#define WITH_CPU(cpu) "{\"index\":0,\"seconds\":1,\"cpu_seconds\":" cpu "}\n{\"index\":1,\"seconds\":1}\n"

static void times_of_other_records_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"{\"index\":0,\"seconds\":1}\n{\"index\":1,\"seconds\":}\n",
                                        "{\"index\":0,\"seconds\":1}\n",
                                        "{\"index\":0,\"seconds\":1}\n{\"index\":2,\"seconds\":1}\n",
                                        "{\"index\":0,\"seconds\":1}\n{\"index\":1}\n",
                                        WITH_CPU("1"),
                                        WITH_CPU("{}"),
                                        WITH_CPU("{\"median\":1,\"min\":1,\"max\":-1,\"spread\":0,\"repeats\":5}")};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run_folder found;
        struct error error = {0};
        write_run(RECORD("1") RECORD("2"));
        write_text("timings.jsonl", cases[i]);
        assert_int_equal(try_folder(scratch_folder, FOLDER_CONFIG, TRY_TIMES, &found, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "timings.jsonl"));
        if (i == 0 && !strstr(error.message, "timings.jsonl:2: not one JSON object (column 22 of 22): "))
            fail_msg("%s", error.message);
        pool_free(found.pool);
    }
}

static void times_of_repeats_are_read_beside_single_shots(void **state)
{
    (void)state;
    struct run_folder found;
    write_run(RECORD("1") RECORD("2"));
    write_text("timings.jsonl",
               "{\"index\":0,\"seconds\":1}\n{\"index\":1,\"seconds\":2,\"job\":[0,1,0,0,0],\"cpu_seconds\":"
               "{\"median\":1.5,\"min\":1.25,\"max\":1.75,\"spread\":0.125,\"repeats\":5}}\n");
    assert_int_equal(try_folder(scratch_folder, FOLDER_CONFIG, TRY_TIMES, &found, NULL), STATUS_OK);
    const struct record *single = found.file.records.items[0], *repeated = found.file.records.items[1];
    assert_true(single->seconds == 1 && single->cpu.repeats == 0);
    assert_true(repeated->seconds == 2 && repeated->cpu.repeats == 5 && repeated->cpu.median == 1.5);
    assert_true(repeated->cpu.min == 1.25 && repeated->cpu.max == 1.75 && repeated->cpu.spread == 0.125);
    pool_free(found.pool);
}

static void folders_give_each_record_once(void **state)
{
    (void)state;
    const char *const paths[] = {scratch_folder, scratch_folder};
    struct pool *pool = pool_new();
    write_run(RECORD("1") RECORD("2"));
    const struct run_folders folders = run_folders_open(pool, paths, 2, FOLDER_CONFIG);
    struct records records = run_folders_records(pool, &folders, "p", DRAWS_ALL);
    assert_int_equal(records.count, 2);
    records = run_folders_records(pool, &folders, "q", DRAWS_ALL);
    assert_int_equal(records.count, 0);
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_without_a_finished_run_is_not_found),
        cmocka_unit_test(a_folder_of_another_kind_is_bad_input),
        cmocka_unit_test(a_damaged_file_is_named),
        cmocka_unit_test(a_finished_run_is_read_once),
        cmocka_unit_test(records_that_were_cut_are_bad_input),
        cmocka_unit_test(times_of_other_records_are_refused),
        cmocka_unit_test(times_of_repeats_are_read_beside_single_shots),
        cmocka_unit_test(folders_give_each_record_once),
    };
    return cmocka_run_group_tests(tests, scratch_folder_make, scratch_folder_remove);
}
