/* Checksums of run folders: known SHA-256 values (FIPS 180-4), and which differences are reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/run/file_hashes.h"
#include "harness/support/file.h"
#include "tests/scratch_folder.h"

#define SHA256_OF_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define SHA256_OF_NOTHING "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void write_text(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    file_write(path, text, strlen(text));
}

static void make_folder(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    folder_make(path);
}

struct checking {
    const cJSON *info;
    const char *name;
    const struct string_list *lines;
};

static void check_it(void *data)
{
    const struct checking *checking = data;
    if (checking->lines)
        file_hash_check_lines(checking->info, scratch_folder, checking->name, checking->lines);
    else
        file_hashes_check_present(checking->info, scratch_folder);
}

/* Checks that all files are present or, with lines, that the file has these. */
static enum status check(const cJSON *info, const char *name, const struct string_list *lines, struct error *error)
{
    struct checking checking = {info, name, lines};
    return attempt(check_it, &checking, error);
}

static void verify(void *info)
{
    struct string_list faults = {0}, unchecked = {0};
    struct pool *pool = pool_new();
    file_hashes_verify(pool, info, scratch_folder, &faults, &unchecked);
    pool_free(pool);
}

/* A folder with records, an empty timings.jsonl, a trace, a hidden and a temporary file. */
static cJSON *listed_folder(void)
{
    cJSON *info = cJSON_CreateObject();
    make_folder("traces");
    make_folder("tables");
    write_text("records.jsonl", "abc");
    write_text("timings.jsonl", "");
    write_text("traces/one.tsv", "abc");
    write_text("traces/.hidden", "x");
    write_text("traces/hullbench-0123456789abcdef.tmp", "x");
    file_hashes_add(info, scratch_folder, NULL);
    return info;
}

static const char *hash_of(const cJSON *info, const char *name)
{
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(info, "files");
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(files, name);
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "sha256"));
}

static size_t faults_of(const cJSON *info, char *first, size_t size)
{
    struct string_list faults = {0}, unchecked = {0};
    struct pool *pool = pool_new();
    file_hashes_verify(pool, info, scratch_folder, &faults, &unchecked);
    assert_int_equal(unchecked.count, 0);
    snprintf(first, size, "%s", faults.count ? faults.line[0] : "");
    const size_t count = faults.count;
    pool_free(pool);
    return count;
}

static void the_list_has_sizes_and_hashes(void **state)
{
    cJSON *info = listed_folder();
    (void)state;
    assert_string_equal(hash_of(info, "records.jsonl"), SHA256_OF_ABC);
    assert_string_equal(hash_of(info, "timings.jsonl"), SHA256_OF_NOTHING);
    assert_string_equal(hash_of(info, "traces/one.tsv"), SHA256_OF_ABC);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(info, "files")), 3);
    const cJSON *records = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(info, "files"),
                                                            "records.jsonl");
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(records, "bytes")) == 3);
    cJSON_Delete(info);
}

static void a_changed_lost_or_added_file_is_named(void **state)
{
    cJSON *info = listed_folder();
    char first[512];
    (void)state;
    assert_int_equal(faults_of(info, first, sizeof first), 0);
    write_text("records.jsonl", "abd");
    assert_int_equal(faults_of(info, first, sizeof first), 1);
    assert_non_null(strstr(first, "/records.jsonl: "));
    write_text("records.jsonl", "abc");
    write_text("traces/two.tsv", "abc");
    assert_int_equal(faults_of(info, first, sizeof first), 1);
    assert_non_null(strstr(first, "/traces/two.tsv: "));
    file_remove(scratch_folder, "traces/two.tsv");
    assert_int_equal(check(info, NULL, NULL, NULL), STATUS_OK);
    file_remove(scratch_folder, "traces/one.tsv");
    struct error error = {0};
    assert_int_equal(check(info, NULL, NULL, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "/traces/one.tsv: "));
    assert_int_equal(faults_of(info, first, sizeof first), 1);
    cJSON_Delete(info);
}

static void a_listed_file_of_another_size_is_noticed_without_reading_it(void **state)
{
    cJSON *info = listed_folder();
    struct error error = {0};
    (void)state;
    write_text("traces/one.tsv", "abd");
    assert_int_equal(check(info, NULL, NULL, NULL), STATUS_OK);
    write_text("traces/one.tsv", "abcd");
    assert_int_equal(check(info, NULL, NULL, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "/traces/one.tsv: "));
    assert_non_null(strstr(error.message, "4 bytes"));
    write_text("traces/one.tsv", "abc");
    cJSON_Delete(info);
}

static void other_files_are_named_but_no_fault(void **state)
{
    cJSON *info = listed_folder();
    struct string_list faults = {0}, unchecked = {0};
    struct pool *pool = pool_new();
    (void)state;
    make_folder("plots");
    write_text("plots/a.dat", "x");
    write_text("letter.txt", "x");
    write_text("config.json", "{}");
    assert_int_equal(file_hashes_verify(pool, info, scratch_folder, &faults, &unchecked), 3);
    assert_int_equal(unchecked.count, 1);
    assert_string_equal(unchecked.line[0], "letter.txt");
    assert_int_equal(faults.count, 1); /* a configuration that run.json does not list */
    assert_non_null(strstr(faults.line[0], "/config.json: "));
    file_remove(scratch_folder, "letter.txt");
    file_remove(scratch_folder, "config.json");
    pool_free(pool);
    cJSON_Delete(info);
}

static void known_hashes_are_listed_without_reading_the_files(void **state)
{
    cJSON *info = cJSON_CreateObject();
    const struct record_hashes known = {{7, SHA256_OF_NOTHING}, {8, SHA256_OF_ABC}};
    (void)state;
    file_hashes_add(info, scratch_folder, &known);
    assert_string_equal(hash_of(info, "records.jsonl"), SHA256_OF_NOTHING);
    assert_string_equal(hash_of(info, "timings.jsonl"), SHA256_OF_ABC);
    cJSON_Delete(info);
}

static void lines_are_hashed_as_the_file_that_they_come_from(void **state)
{
    cJSON *info = listed_folder();
    struct pool *pool = pool_new();
    char path[512];
    (void)state;
    write_text("records.jsonl", "one\ntwo\n");
    file_hash_put(info, scratch_folder, "records.jsonl");
    snprintf(path, sizeof path, "%s/records.jsonl", scratch_folder);
    const struct string_list lines = lines_read(pool, path);
    assert_int_equal(check(info, "records.jsonl", &lines, NULL), STATUS_OK);
    lines.line[1][0] = 'T';
    assert_int_equal(check(info, "records.jsonl", &lines, NULL), STATUS_BAD_INPUT);
    assert_int_equal(check(info, "other.jsonl", &lines, NULL), STATUS_BAD_INPUT);
    pool_free(pool);
    cJSON_Delete(info);
}

static void a_run_without_a_list_is_read_but_not_verified(void **state)
{
    cJSON *info = cJSON_CreateObject();
    struct error error = {0};
    (void)state;
    file_hash_check(info, scratch_folder, "records.jsonl", SHA256_OF_ABC, NULL);
    file_hash_check(NULL, scratch_folder, "records.jsonl", SHA256_OF_ABC, NULL);
    file_hash_put(info, scratch_folder, "records.jsonl");
    assert_false(cJSON_HasObjectItem(info, "files"));
    assert_int_equal(attempt(verify, info, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "run.json lists no checksums"));
    cJSON_Delete(info);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_has_sizes_and_hashes),
        cmocka_unit_test(a_changed_lost_or_added_file_is_named),
        cmocka_unit_test(a_listed_file_of_another_size_is_noticed_without_reading_it),
        cmocka_unit_test(other_files_are_named_but_no_fault),
        cmocka_unit_test(known_hashes_are_listed_without_reading_the_files),
        cmocka_unit_test(lines_are_hashed_as_the_file_that_they_come_from),
        cmocka_unit_test(a_run_without_a_list_is_read_but_not_verified),
    };
    return cmocka_run_group_tests(tests, scratch_folder_make, scratch_folder_remove);
}
