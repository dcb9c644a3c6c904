/* Comparing made-up counts: what moved, is missing or new is found as a comparison of all pairs finds it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/regression/export.h"
#include "harness/support/file.h"

static const struct json_path place = {.file = "test"};

static cJSON *record(const char *solver, int split, double iterations, const char *more)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "{\"solver\":\"%s\",\"dataset\":\"d\",\"split\":%d,\"params\":{\"mu\":0.5},"
             "\"kernel\":{\"type\":\"rbf\",\"width\":2},"
        "\"stop\":{\"rule\":\"rch-gap\",\"tolerance\":0.1},\"outcome\":\"converged\",\"iterations\":%.0f,"
        "\"kernel_operations\":{\"setup\":1,\"iterations\":2,\"predict\":3},"
             "\"kernel_evaluations\":4,\"support_vectors\":5%s}",
        solver, split, iterations, more);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    return json;
}

/* Entries of a file of which each is one of the given ones, which are taken over. */
static enum status take(cJSON **json, size_t count, struct record_file *file, struct records *entries,
                        struct error *error)
{
    cJSON *list = cJSON_CreateArray();
    *entries = (struct records){0};
    for (size_t i = 0; i < count; i++)
        if (json[i])
            cJSON_AddItemToArray(list, json[i]);
    enum status status = record_file_take("test", list, file, error);
    if (status == STATUS_OK) {
        records_append(entries, &file->records);
        status = counts_sort(entries, error);
    }
    cJSON_Delete(list);
    return status;
}

static void an_entry_has_the_counts_of_its_record(void **state)
{
    (void)state;
    struct error error = {0};
    struct record_file file;
    struct records entries;
    char text[128], brief[12];
    cJSON *json = record("mdm", 7, 11, "");
    assert_int_equal(take(&json, 1, &file, &entries, &error), STATUS_OK);
    const struct record *entry = entries.items[0];
    assert_string_equal(entry->solver, "mdm");
    assert_int_equal(entry->split, 7);
    const double expected[COUNTS] = {11, 1, 2, 3, 4, 5};
    for (unsigned c = 0; c < COUNTS; c++)
        assert_true(count_of(entry, (enum count)c) == expected[c]);
    assert_string_equal(record_settings_text(entry, text, sizeof text), "mu=0.5, rbf width=2, rch-gap tolerance=0.1");
    assert_string_equal(record_settings_text(entry, brief, sizeof brief), "mu=0.5, rbf");
    records_free(&entries);
    record_file_free(&file);
}

static void counts_may_be_null_and_nothing_else(void **state)
{
    (void)state;
    static const char *const good[] = {"null", "0", "5e15"}, *const bad[] = {"-1", "1.5", "\"1\"", "[1]", "true"};
    struct error error = {0};
    struct record_file file;
    struct records entries;
    for (size_t i = 0; i < 8; i++) {
        cJSON *json = record("mdm", 1, 1, "");
        cJSON_ReplaceItemInObject(json, "kernel_evaluations", cJSON_Parse(i < 3 ? good[i] : bad[i - 3]));
        assert_int_equal(take(&json, 1, &file, &entries, &error), i < 3 ? STATUS_OK : STATUS_BAD_INPUT);
        if (i == 0)
            assert_true(isnan(count_of(entries.items[0], COUNT_EVALUATIONS)));
        if (i >= 3)
            assert_non_null(strstr(error.message, "test: records[0]: kernel_evaluations"));
        records_free(&entries);
        record_file_free(&file);
    }
    cJSON *json = record("mdm", 1, 1, "");
    cJSON_ReplaceItemInObject(json, "kernel_operations", cJSON_CreateNull());
    assert_int_equal(take(&json, 1, &file, &entries, &error), STATUS_OK);
    const struct record *entry = entries.items[0];
    assert_true(isnan(count_of(entry, COUNT_SETUP)) && isnan(count_of(entry, COUNT_PREDICT)) &&
                count_of(entry, COUNT_ITERATIONS) == 1);
    records_free(&entries);
    record_file_free(&file);
    json = record("mdm", 1, 1, "");
    cJSON_DeleteItemFromObject(json, "support_vectors");
    assert_int_equal(take(&json, 1, &file, &entries, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "support_vectors"));
    records_free(&entries);
    record_file_free(&file);
}

static void an_entry_stands_there_once(void **state)
{
    (void)state;
    struct error error = {0};
    struct record_file file;
    struct records entries;
    cJSON *json[] = {record("mdm", 1, 1, ""), record("mdm", 2, 1, ""), record("mdm", 1, 1, "")};
    assert_int_equal(take(json, 3, &file, &entries, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "records[0]"));
    assert_non_null(strstr(error.message, "records[2]"));
    records_free(&entries);
    record_file_free(&file);
}

static void tolerances_hold_to_their_edge(void **state)
{
    (void)state;
    const struct tolerance none = {0}, five = {5, 0}, half = {0.5, 1};
    assert_true(tolerance_holds(&none, 7, 7) && !tolerance_holds(&none, 7, 8));
    assert_true(tolerance_holds(&five, 10, 15) && tolerance_holds(&five, 10, 5) && !tolerance_holds(&five, 10, 16));
    assert_true(tolerance_holds(&half, 10, 15) && !tolerance_holds(&half, 10, 16) && !tolerance_holds(&half, 0, 1));
    assert_true(tolerance_holds(&none, NAN, NAN) && !tolerance_holds(&half, NAN, 1) && !tolerance_holds(&half, 1, NAN));
}

static void tolerances_are_read_by_name(void **state)
{
    (void)state;
    static const char *const bad[] = {"iterations",    "iterations=",   "=1",      "x=1",
                                      "iterations=1x", "iterations=-1", "all=inf", "all=1%%"};
    struct tolerance tolerances[COUNTS] = {{0}};
    struct error error = {0};
    assert_int_equal(tolerance_parse(tolerances, "all=1%", &place, &error), STATUS_OK);
    assert_int_equal(tolerance_parse(tolerances, "kernel_operations=3", &place, &error), STATUS_OK);
    assert_int_equal(tolerance_parse(tolerances, "kernel_operations.predict=.5", &place, &error), STATUS_OK);
    assert_true(tolerances[COUNT_ITERATIONS].relative && tolerances[COUNT_ITERATIONS].amount == 0.01);
    assert_true(!tolerances[COUNT_SETUP].relative && tolerances[COUNT_SETUP].amount == 3 &&
                tolerances[COUNT_UPDATES].amount == 3);
    assert_true(tolerances[COUNT_PREDICT].amount == 0.5 && tolerances[COUNT_EVALUATIONS].relative);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(tolerance_parse(tolerances, bad[i], &place, &error), STATUS_BAD_INPUT);
}

/* ---- random runs against each other ---- */

enum { SPLITS = 40 };

struct side {
    struct record_file file;
    struct records entries;
};

static void make_side(gsl_rng *random, struct side *side, double *iterations)
{
    struct error error = {0};
    cJSON *json[SPLITS];
    for (int s = 0; s < SPLITS; s++) {
        json[s] = NULL;
        iterations[s] = NAN;
        if (gsl_rng_uniform_int(random, 4) == 0)
            continue;
        iterations[s] = (double)gsl_rng_uniform_int(random, 3); /* so that many are alike, and some 0 */
        json[s] = record(s % 2 ? "mdm" : "gsk", s + 1, iterations[s], "");
    }
    assert_int_equal(take(json, SPLITS, &side->file, &side->entries, &error), STATUS_OK);
}

static void free_side(struct side *side)
{
    records_free(&side->entries);
    record_file_free(&side->file);
}

static void every_move_is_found_and_no_other(void **state)
{
    (void)state;
    const struct tolerance tolerances[COUNTS] = {{1, 0}};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(random);
    for (int round = 0; round < 200; round++) {
        double was[SPLITS], is[SPLITS];
        struct side old, now;
        struct error error = {0};
        struct regression regression;
        make_side(random, &old, was);
        make_side(random, &now, is);
        struct baseline baseline = {.config = "c", .entries = old.entries};
        struct run_counts measured = {.folder = {.run = {.config = "c"}}, .entries = now.entries};
        int subset = round % 2;
        size_t moved = 0, missing = 0, fresh = 0, both = 0;
        for (int s = 0; s < SPLITS; s++) {
            missing += !isnan(was[s]) && isnan(is[s]);
            fresh += isnan(was[s]) && !isnan(is[s]);
            both += !isnan(was[s]) && !isnan(is[s]);
            moved += fabs(was[s] - is[s]) > 1; /* false where one is NAN */
        }
        assert_int_equal(regression_compare(&baseline, &measured, tolerances, subset, &regression, &error), STATUS_OK);
        assert_int_equal(regression.compared, both);
        assert_int_equal(regression.moved, moved);
        assert_int_equal(regression.kinds[CHANGE_COUNT], moved);
        assert_int_equal(regression.totals[COUNT_ITERATIONS].moved, moved);
        assert_int_equal(regression.kinds[CHANGE_NEW], fresh);
        assert_int_equal(regression.kinds[CHANGE_MISSING], subset ? 0 : missing);
        assert_int_equal(regression.passed, subset ? missing : 0);
        for (size_t i = 1; i < regression.n_changes; i++) {
            const struct change *one = &regression.changes[i - 1], *next = &regression.changes[i];
            assert_true(one->kind < next->kind || (one->kind == next->kind && one->size >= next->size));
        }
        regression_free(&regression);
        free_side(&old);
        free_side(&now);
    }
    gsl_rng_free(random);
}

static void a_baseline_reads_back_what_was_written(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_check_XXXXXX", *path;
    double iterations[SPLITS];
    struct side now;
    struct error error = {0};
    struct baseline first, second;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(mkdtemp(folder));
    assert_non_null(path = path_join(folder, "baseline.json"));
    make_side(random, &now, iterations);
    struct run_info_data data[] = {{.dataset = "z", .sha256 = "1"}, {.dataset = "d", .sha256 = "2"}};
    struct run_counts measured = {.config_hash = "ab",
                                  .entries = now.entries,
                                  .folder = {.run = {.config = "c \"quoted\"",
                                                     .version = "1.0",
                                                     .data = data,
                                                     .n_data = 2}}};
    struct baseline_change change = {.by = "me\\", .message = "a \"reason\"\nand more", .moved = 3};
    assert_int_equal(baseline_write(path, NULL, &measured, 0, &change, &error), STATUS_OK);
    assert_int_equal(baseline_read(path, &first, &error), STATUS_OK);
    assert_string_equal(first.config, measured.folder.run.config);
    assert_int_equal(first.entries.count, now.entries.count);
    for (size_t i = 0; i < now.entries.count; i++) {
        assert_int_equal(counts_compare(first.entries.items[i], now.entries.items[i]), 0);
        for (unsigned c = 0; c < COUNTS; c++)
            assert_true(count_of(first.entries.items[i], (enum count)c) ==
                        count_of(now.entries.items[i], (enum count)c));
    }
    change.message = "again";
    assert_int_equal(baseline_write(path, &first, &measured, 1, &change, &error), STATUS_OK);
    assert_int_equal(baseline_read(path, &second, &error), STATUS_OK);
    const cJSON *history = cJSON_GetObjectItem(second.json, "history");
    assert_int_equal(cJSON_GetArraySize(history), 2);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(history, 0), "message")->valuestring,
                        "a \"reason\"\nand more");
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(history, 1), "message")->valuestring, "again");
    assert_string_equal(second.data->child->string, "d");
    assert_int_equal(second.entries.count, first.entries.count);
    baseline_free(&first);
    baseline_free(&second);
    free_side(&now);
    gsl_rng_free(random);
    remove(path);
    rmdir(folder);
    free(path);
}

/* Writes with `export`, and returns what is in the file then. */
static char *exported(enum status (*export)(const char *, const struct run_counts *, struct error *),
                      const struct run_counts *measured, const struct regression *regression)
{
    char path[] = "/tmp/test_check_XXXXXX", *text = NULL;
    struct error error = {0};
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    enum status status =
        export ? export(path, measured, &error) : export_junit(path, regression, measured, &error);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(file_read(path, &text, NULL, &error), STATUS_OK);
    remove(path);
    return text;
}

static void exports_leave_out_what_is_not_counted_and_quote_names(void **state)
{
    (void)state;
    struct error error = {0};
    struct record_file file;
    struct records entries;
    cJSON *json[2] = {record("s", 1, 3, ""), record("s", 2, 4, "")};
    for (int i = 0; i < 2; i++)
        cJSON_ReplaceItemInObject(json[i], "dataset", cJSON_CreateString("a<b>&\"c\"\x01"));
    cJSON_ReplaceItemInObject(cJSON_GetObjectItem(json[1], "kernel_operations"), "predict", cJSON_CreateNull());
    assert_int_equal(take(json, 2, &file, &entries, &error), STATUS_OK);
    const double updates = count_of(entries.items[0], COUNT_UPDATES);
    struct run_counts measured = {.folder = {.run = {.config = "c&d"}}, .entries = entries};
    struct change moved = {.kind = CHANGE_OUTCOME, .was = entries.items[1], .is = entries.items[1]};
    struct regression regression = {.changes = &moved, .n_changes = 1, .moved = 1, .kinds = {[CHANGE_OUTCOME] = 1}};

    char *text = exported(export_bencher, &measured, NULL);
    cJSON *bencher = cJSON_Parse(text), *series = bencher->child;
    assert_string_equal(series->string, "s/a<b>&\"c\"\x01");
    assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(series, "iterations"), "value")->valuedouble == 7);
    assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(series, "support-vectors"), "value")->valuedouble == 10);
    assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(series, "kernel-operations"), "value")->valuedouble ==
                2 * updates);
    assert_null(cJSON_GetObjectItem(series, "kernel-operations-predict")); /* one record does not count it */
    cJSON_Delete(bencher);
    free(text);
    text = exported(export_github, &measured, NULL);
    cJSON *github = cJSON_Parse(text);
    assert_int_equal(cJSON_GetArraySize(github), 5); /* six measures but for the one that is not counted */
    assert_string_equal(cJSON_GetObjectItem(github->child, "extra")->valuestring, "sum over 2 records");
    cJSON_Delete(github);
    free(text);
    text = exported(NULL, &measured, &regression);
    assert_non_null(strstr(text, "<testsuite name=\"hullbench check c&amp;d\" tests=\"2\" failures=\"1\""));
    assert_non_null(strstr(text, "classname=\"s.a&lt;b&gt;&amp;&quot;c&quot;?\" name=\"split 1, mu=0.5, rbf width=2"));
    assert_non_null(strstr(text, "outcome: was converged, is converged"));
    free(text);
    /* missing records and data are tests beside those measured; all kinds that fail are failures */
    regression = (struct regression){.moved = 8, .kinds = {[CHANGE_MISSING] = 1, [CHANGE_DATA] = 2, [CHANGE_NEW] = 4}};
    text = exported(NULL, &measured, &regression);
    assert_non_null(strstr(text, "<testsuites tests=\"5\" failures=\"15\">"));
    assert_non_null(strstr(text, "\" tests=\"5\" failures=\"15\" errors"));
    free(text);
    records_free(&entries);
    record_file_free(&file);
}

static void damaged_baselines_are_named_by_member(void **state)
{
    (void)state;
#define HEAD "\"schema\":1,\"config\":\"c\",\"config_sha256\":\"x\",\"data\":{},\"history\":[]"
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"[]", "object"},
        {"{\"schema\":2}", "schema"},
        {"{" HEAD "}", "records: a list"},
        {"{" HEAD ",\"records\":[{}]}", "records[0]"},
        {"{" HEAD ",\"records\":[],\"tolerances\":{\"speed\":1}}", "unknown count \"speed\""},
        {"{" HEAD ",\"records\":[],\"tolerances\":{\"iterations\":[1]}}", "tolerances.iterations: a number"},
        {"{" HEAD ",\"records\":[],\"tolerances\":{\"iterations\":-1}}", "is no tolerance"},
        {"{" HEAD ",\"records\":[],\"other\":1}", "other"},
        {"{\"schema\":1,\"config\":\"c\",\"config_sha256\":\"x\",\"data\":[],\"history\":[],\"records\":[]}",
         "\"data\" has to be"},
        {"{\"schema\":1,\"config\":\"c\",\"config_sha256\":\"x\",\"data\":{},\"history\":1,\"records\":[]}",
         "\"history\" has to be"},
    };
    char path[] = "/tmp/test_check_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error error = {0};
        struct baseline baseline;
        assert_int_equal(file_write(path, bad[i].text, strlen(bad[i].text), &error), STATUS_OK);
        assert_int_equal(baseline_read(path, &baseline, &error), STATUS_BAD_INPUT);
        baseline_free(&baseline);
        if (!strstr(error.message, bad[i].says))
            fail_msg("%s: %s", bad[i].text, error.message);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_has_the_counts_of_its_record),
        cmocka_unit_test(counts_may_be_null_and_nothing_else),
        cmocka_unit_test(an_entry_stands_there_once),
        cmocka_unit_test(tolerances_hold_to_their_edge),
        cmocka_unit_test(tolerances_are_read_by_name),
        cmocka_unit_test(every_move_is_found_and_no_other),
        cmocka_unit_test(a_baseline_reads_back_what_was_written),
        cmocka_unit_test(exports_leave_out_what_is_not_counted_and_quote_names),
        cmocka_unit_test(damaged_baselines_are_named_by_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
