/* run.json as it is written and read back, and what is refused in it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "harness/run/run_info.h"
#include "harness/support/file.h"

static char folder[] = "/tmp/hullbench-info-XXXXXX";

static const char *path_of(void)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/run.json", folder);
    return path;
}

static const char whole[] =
    "{\"schema\": 1, \"config\": \"a\", \"version\": \"0.2.0\", \"build\": \"gcc -O2\", \"compiler\": \"12\", \"gsl\": "
    "\"2.7\","
    "\"libc\": \"2.36\", \"finished\": \"2024-01-01T00:00:00Z\", \"plan\": \"00000000000000ab\","
    "\"plan_of\": {\"config\": \"0000000000000001\", \"options\": \"0000000000000002\", \"data\": "
    "\"ffffffffffffffff\"},"
    "\"program_sha256\": \"ab12\", \"records\": 12, \"units\": 3, \"units_of_plan\": 6,"
    "\"outcomes\": {\"converged\": 11, \"stalled\": 1}, \"restricted_to\": {\"splits\": \"1-3\", \"shard\": 2, "
    "\"shards\": 4},"
    "\"plugins\": [{\"file\": \"./x.so\", \"sha256\": \"cd\", \"solvers\": [\"x\", \"y\"]}],"
    "\"data\": [{\"dataset\": \"heart\", \"source\": \"h.mat\", \"sha256\": \"ef\", \"official\": 2, \"resampled\": 1,"
    "            \"train\": 170, \"test\": 100}],"
    "\"missing\": [{\"dataset\": \"q\", \"reason\": \"not here\", \"command\": \"get q\"}], \"partial\": [\"half\"],"
    "\"machine\": {\"system\": \"Linux\", \"release\": \"6\", \"architecture\": \"x86_64\", \"processor\": \"p\","
    "              \"vector_width\": \"avx2\", \"threads\": 2, \"peak_megabytes\": 20.5},"
    "\"seconds\": 1.5, \"check_rows\": true, \"time\": {\"kernels\": 1, \"start\": 2, \"selection\": 3, \"stopping\": "
    "4,"
    "\"update\": 5, \"judging\": 6, \"prediction\": 7, \"files\": 8, \"processor\": 2.5, \"busy\": 0.75},"
    "\"merged_from\": [{\"folder\": \"b\"}]}";

static enum status read_text(const char *text, struct run_info *info, struct error *error)
{
    assert_int_equal(file_write(path_of(), text, strlen(text), NULL), STATUS_OK);
    return run_info_read(path_of(), info, error);
}

static void every_member_is_read(void **state)
{
    struct run_info info;
    struct error error = {0};
    (void)state;
    assert_int_equal(read_text(whole, &info, &error), STATUS_OK);
    assert_string_equal(info.version, "0.2.0");
    assert_true(info.fingerprint.plan == 0xab && info.fingerprint.data == UINT64_MAX);
    assert_string_equal(info.fingerprint.program, "ab12");
    assert_true(info.has_records && info.records == 12 && info.units == 3 && info.total_units == 6);
    assert_int_equal(info.outcomes[OUTCOME_CONVERGED], 11);
    assert_true(!info.solvers && !info.datasets && strcmp(info.splits, "1-3") == 0 && info.shard == 2 &&
                info.shards == 4);
    assert_true(info.n_plugins == 1 && info.plugins[0].n_solvers == 2);
    assert_string_equal(info.plugins[0].solvers[1], "y");
    const struct run_info_data *data = run_info_data(&info, "heart");
    assert_true(data && data->splits[SPLIT_OFFICIAL] == 2 && data->splits[SPLIT_RESAMPLED] == 1 &&
                data->n_train == 170);
    assert_null(run_info_data(&info, "q"));
    assert_string_equal(run_info_why_missing(&info, "q"), "not here");
    assert_true(info.n_partial == 1 && info.check_rows && info.has_times && info.machine.threads == 2);
    assert_true(info.times.seconds[STAGE_FILES] == 8 && info.times.processor == 2.5 && info.busy == 0.75);
    run_info_free(&info);
}

static void what_is_read_is_written_again(void **state)
{
    struct run_info info;
    cJSON *before = NULL, *after = NULL;
    (void)state;
    assert_int_equal(read_text(whole, &info, NULL), STATUS_OK);
    assert_int_equal(json_read(path_of(), &before, NULL), STATUS_OK);
    assert_int_equal(run_info_write(folder, &info, NULL), STATUS_OK);
    assert_int_equal(json_read(path_of(), &after, NULL), STATUS_OK);
    assert_true(cJSON_Compare(before, after, 1));
    cJSON_Delete(before);
    cJSON_Delete(after);
    run_info_free(&info);
}

static void no_member_is_required(void **state)
{
    struct run_info info;
    (void)state;
    assert_int_equal(read_text("{\"later\": [1]}", &info, NULL), STATUS_OK);
    assert_true(!info.version && !info.has_records && info.fingerprint.plan == 0 && info.shards == 1 &&
                !info.has_times);
    run_info_free(&info);
}

static void a_member_of_another_type_is_named(void **state)
{
    static const char *const texts[][2] = {
        {"[]", "object"},
        {"{\"records\": \"1\"}", "records"},
        {"{\"records\": -2}", "records"},
        {"{\"plan\": \"zz\"}", "plan"},
        {"{\"plan_of\": {\"data\": 1}}", "plan_of.data"},
        {"{\"restricted_to\": {\"shard\": 3, \"shards\": 2}}", "restricted_to.shard"},
        {"{\"data\": {}}", "data"},
        {"{\"data\": [{}, {\"train\": \"x\"}]}", "data[1].train"},
        {"{\"plugins\": [{\"solvers\": [1]}]}", "plugins[0].solvers"},
        {"{\"machine\": {\"threads\": 0.5}}", "machine.threads"}};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct run_info info;
        struct error error = {0};
        assert_int_equal(read_text(texts[i][0], &info, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, folder) || !strstr(error.message, texts[i][1]))
            fail_msg("%s: no %s", error.message, texts[i][1]);
    }
}

static void an_absent_file_is_not_found(void **state)
{
    struct run_info info;
    struct error error = {0};
    (void)state;
    remove(path_of());
    assert_int_equal(run_info_read(path_of(), &info, &error), STATUS_NOT_FOUND);
    run_info_free(&info);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_is_read),
        cmocka_unit_test(what_is_read_is_written_again),
        cmocka_unit_test(no_member_is_required),
        cmocka_unit_test(a_member_of_another_type_is_named),
        cmocka_unit_test(an_absent_file_is_not_found),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(path_of());
    rmdir(folder);
    return failed;
}
