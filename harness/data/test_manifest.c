/* The shipped manifest, compared with the data, and errors for broken ones. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/dataset.h"
#include "harness/support/file.h"
#include "harness/data/manifest.h"
#include "harness/support/resource.h"
#include "tests/all_tests.h"
#include "tests/load_dataset.h"
#include "tests/scratch_folder.h"

static void read_manifest(void *path)
{
    manifest_read(pool_new(), path);
}

static void load_manifest(void *folder)
{
    manifest_load(pool_new(), folder);
}

static void every_set_of_the_project_is_in_the_manifest(void **state)
{
    (void)state;
    static const char *const wanted[] = {"banana", "breast-cancer", "diabetis", "flare-solar", "german",
                                         "heart",  "image",         "ringnorm", "splice",      "thyroid",
                                         "titanic", "twonorm",      "waveform", "wisconsin",   "sonar"};
    struct pool *pool = pool_new();
    const struct manifest *manifest = manifest_load(pool, NULL);
    assert_true(manifest->sets.count >= sizeof wanted / sizeof *wanted); /* sets of other papers follow */
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(manifest->sets.item[i].spec.name, wanted[i]);
    pool_free(pool);
}

static void find_bananas(void *manifest)
{
    manifest_find(manifest, "bananas", &(struct json_path){.file = "--dataset"});
}

static void an_unknown_name_is_answered_with_the_known_ones(void **state)
{
    (void)state;
    struct pool *pool = pool_new();
    struct error error;
    assert_int_equal(attempt(find_bananas, manifest_load(pool, NULL), &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--dataset: unknown data set \"bananas\"; did you mean \"banana\"?"));
    assert_non_null(strstr(error.message, "sonar"));
    pool_free(pool);
}

#define FILES "\"files\":[{\"name\":\"f\",\"sha256\":" \
              "\"0000000000000000000000000000000000000000000000000000000000000000\"}]"
#define TEXTS "\"name\":\"n\",\"title\":\"t\",\"source\":\"s\",\"licence\":\"l\""
#define COUNTS_ALONE "\"rows\":9,\"dims\":1,\"positives\":4,\"n_test\":3,\"splits\":1"
#define COUNTS "\"files\":[\"f\"]," COUNTS_ALONE
#define SET(texts, counts) "{" FILES ",\"datasets\":[{" texts "," counts "}]}"

static void a_broken_manifest_is_refused_with_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{", ":1:2: not valid JSON"},
        {"{}", ": key \"files\" is missing"},
        {"{\"schema\":2}", ": schema: 2 is out of range"},
        {"{\"files\":[]}", ": files: the list is empty"},
        {"{" FILES "}", ": key \"datasets\" is missing"},
        {"{\"files\":[{}],\"datasets\":[{}]}", ": files[0]: key \"name\" is missing"},
        {"{\"files\":[{\"name\":\"f\",\"sha256\":\"0A\"}],\"datasets\":[{" TEXTS ",\"format\":\"sonar\"," COUNTS
         ",\"n_train\":6}]}",
         ": files[0]: sha256: expected 64 "},
        {"{" FILES ",\"datasets\":[7]}", ": datasets[0]: 7 is not an object"},
        {SET(TEXTS ",\"format\":\"arff\"", COUNTS ",\"n_train\":6"),
         ": datasets[0].format: unknown format \"arff\"; allowed: matlab, wisconsin, sonar, libsvm, csv"},
        {SET(TEXTS ",\"format\":\"sonar\",\"test_file\":\"f\"", COUNTS ",\"n_train\":6"),
         ": datasets[0]: \"test_file\" applies only to"},
        {SET(TEXTS ",\"format\":\"libsvm\",\"label_column\":\"1\"", COUNTS ",\"n_train\":6"),
         ": datasets[0]: \"label_column\" applies only to"},
        {SET(TEXTS ",\"format\":\"libsvm\",\"test_file\":\"g\"", COUNTS ",\"n_train\":6"),
         ": datasets[0]: \"g\" is not the name"},
        {SET(TEXTS ",\"format\":\"libsvm\",\"test_file\":\"f\"", COUNTS ",\"n_train\":5"),
         ": datasets[0]: a data set with a test file"},
        {SET(TEXTS ",\"format\":\"sonar\"",
             "\"files\":[\"f\"],\"rows\":9,\"dims\":1,\"positives\":4,\"n_test\":0,\"splits\":1,\"n_train\":9"),
         ": datasets[0]: a data set with a test file"},
        {SET(TEXTS ",\"format\":\"matlab\"", COUNTS ",\"n_train\":6"), ": datasets[0]: format \"matlab\" needs"},
        {SET(TEXTS ",\"format\":\"sonar\",\"variable\":\"v\"", COUNTS ",\"n_train\":6"),
         ": datasets[0]: format \"matlab\" needs"},
        {SET(TEXTS ",\"format\":\"sonar\",\"made\":1", COUNTS), ": datasets[0].made: expected true or false"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS), ": datasets[0]: key \"n_train\" is missing"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS ",\"n_train\":1.5"),
         ": datasets[0].n_train: 1.5 is not a whole number"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS ",\"n_train\":7"), ": datasets[0]: rows: 9 is out of range"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS_ALONE ",\"n_train\":6"),
         ": datasets[0]: key \"files\" is missing"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS_ALONE ",\"n_train\":6,\"files\":[\"g\"]"),
         ": datasets[0].files: \"g\""},
    };
    char path[SCRATCH_PATH_SIZE];
    assert_int_equal(scratch_file_new(path, "test-manifest"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {STATUS_OK, ""};
        file_write(path, cases[i].text, strlen(cases[i].text));
        enum status status = attempt(read_manifest, path, &error);
        if (status != STATUS_BAD_INPUT || !strstr(error.message, cases[i].message))
            fail_msg("case %zu: status %d, \"%s\" has no \"%s\"", i, (int)status, error.message, cases[i].message);
    }
    remove(path);
}

/* The manifest's shapes are used for missing sets, so they have to be the real ones. */
static void the_shapes_are_those_of_the_data(void **state)
{
    (void)state;
    struct pool *pool = pool_new();
    const struct manifest *manifest = manifest_load(pool, NULL);
    struct error error;
    size_t compared = 0;
    for (size_t i = 0; i < manifest->sets.count; i++) {
        const struct manifest_set *set = &manifest->sets.item[i];
        const struct dataset_request request = {.set.name = set->spec.name, .search_path = getenv("HULLBENCH_DATA")};
        struct dataset *dataset = NULL;
        enum status status = load_dataset(&request, &dataset, &error);
        if (status == STATUS_NOT_FOUND)
            continue;
        if (status != STATUS_OK)
            fail_msg("%s", error.message);
        size_t positives = 0;
        for (size_t row = 0; row < dataset->patterns.rows; row++)
            positives += dataset->y[row] > 0 ? dataset->multiplicity[row] : 0;
        assert_int_equal(dataset->full_size, set->rows);
        assert_int_equal(dataset->patterns.dims, set->dims);
        assert_int_equal(positives, set->positives);
        assert_int_equal(dataset->splits[0].n_train, set->spec.n_train);
        assert_int_equal(dataset->splits[0].n_test, set->spec.n_test);
        assert_int_equal(dataset->n_splits, set->splits);
        release_dataset(dataset);
        compared++;
    }
    pool_free(pool);
    if (compared == 0)
        skip_for(no_data);
}

/* A folder with a datasets.json and a file, both removed at the end. */
struct own {
    char folder[SCRATCH_PATH_SIZE], manifest[64], data[64];
};

static void own_open(struct own *own, const char *text)
{
    assert_non_null(scratch_folder_new(own->folder, "test-own-manifest"));
    snprintf(own->manifest, sizeof own->manifest, "%s/datasets.json", own->folder);
    snprintf(own->data, sizeof own->data, "%s/mine.csv", own->folder);
    file_write(own->manifest, text, strlen(text));
}

static void own_close(const struct own *own)
{
    remove(own->manifest);
    remove(own->data);
    assert_int_equal(rmdir(own->folder), 0);
}

static void a_manifest_of_ones_own_names_files(void **state)
{
    (void)state;
    static const char rows[] = "class,a\nyes,1\nno,2\nyes,3\nno,4\nyes,5\nno,6\n";
    struct own own;
    struct error error = {STATUS_OK, ""};
    struct dataset *dataset = NULL;
    struct pool *pool = pool_new();
    const size_t of_the_project = manifest_load(pool, NULL)->sets.count;
    char path[64];
    own_open(&own, "{\"about\":\"x\",\"datasets\":[{\"name\":\"mine\",\"file\":\"mine.csv\",\"label_column\":\"class\","
                   "\"n_train\":4,"
                   "\"n_test\":1,\"splits\":3}]}");
    file_write(own.data, rows, sizeof rows - 1);
    snprintf(path, sizeof path, "/nowhere:%s", own.folder);
    const struct manifest *manifest = manifest_load(pool, path);
    assert_int_equal(manifest->sets.count, of_the_project + 1);
    assert_string_equal(manifest->sets.item[of_the_project].spec.name, "mine");
    pool_free(pool);
    struct dataset_request request = {.set.name = "mine", .search_path = path};
    if (load_dataset(&request, &dataset, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(dataset->patterns.rows, 6);
    assert_string_equal(dataset->source, own.data);
    assert_string_equal(dataset->class_names[0], "yes");
    assert_int_equal(dataset->n_splits, 3);
    assert_int_equal(dataset->splits[2].n_train, 4);
    assert_int_equal(dataset->splits[2].n_test, 1);
    release_dataset(dataset);
    remove(own.data);
    /* not skipped like a missing known set */
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "mine.csv: cannot be read"));
    own_close(&own);
}

static void a_bad_manifest_of_ones_own_is_refused_with_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[", "datasets.json:1:2: not valid JSON"},
        {"[]", "datasets.json: [] is not an object"},
        {"{}", "datasets.json: key \"datasets\" is missing"},
        {"{\"sets\":[]}", "datasets.json:1:2: unknown key \"sets\"; "},
        {"{\"datasets\":[7]}", "datasets.json:1:14: datasets[0]: 7 is not an object"},
        {"{\"datasets\":[{\"file\":\"f\"}]}", "datasets.json:1:14: datasets[0]: key \"name\" is missing"},
        {"{\"datasets\":[{\"name\":\"a\"}]}", "datasets.json:1:14: datasets[0]: key \"file\" is missing"},
        {"{\"datasets\":[{\"name\":\"a b\",\"file\":\"f\"}]}",
         "datasets[0]: data set name \"a b\" contains a slash"},
        {"{\"datasets\":[{\"name\":\"\",\"file\":\"f\"}]}", "datasets[0]"},
        {"{\"datasets\":[{\"name\":\"heart\",\"file\":\"f\"}]}", "datasets[0]: data set \"heart\" already exists"},
        {"{\"datasets\":[{\"name\":\"a\",\"file\":\"f\"},{\"name\":\"a\",\"file\":\"g\"}]}",
         "datasets[1]: data set \"a\" already exists"},
        {"{\"datasets\":[{\"name\":\"a\",\"file\":\"f\",\"format\":\"arff\"}]}",
         "datasets[0].format: unknown format \"arff\""},
        {"{\"datasets\":[{\"name\":\"a\",\"file\":\"f\",\"splits\":0}]}", "datasets[0].splits: 0 is out of range"},
        {"{\"datasets\":[{\"name\":\"a\",\"file\":\"f\",\"n_train\":1.5}]}", "datasets[0].n_train: 1.5 is not"},
        {"{\"datasets\":[{\"name\":\"a\",\"file\":\"f\",\"test_file\":\"g\",\"split_file\":\"h\"}]}",
         "datasets[0]: \"test_file\" cannot be combined with \"split_file\""},
        {"{\"datasets\":[{\"name\":\"a\",\"file\":\"f\",\"test_file\":\"g\",\"splits\":2}]}",
         "datasets[0]: \"splits\" cannot be combined with a file of test rows or splits"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct own own;
        struct error error = {STATUS_OK, ""};
        own_open(&own, cases[i].text);
        enum status status = attempt(load_manifest, own.folder, &error);
        own_close(&own);
        if (status != STATUS_BAD_INPUT || !strstr(error.message, cases[i].message))
            fail_msg("case %zu: status %d, \"%s\" has no \"%s\"", i, (int)status, error.message, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_of_the_project_is_in_the_manifest),
        cmocka_unit_test(an_unknown_name_is_answered_with_the_known_ones),
        cmocka_unit_test(a_broken_manifest_is_refused_with_the_place),
        cmocka_unit_test(the_shapes_are_those_of_the_data),
        cmocka_unit_test(a_manifest_of_ones_own_names_files),
        cmocka_unit_test(a_bad_manifest_of_ones_own_is_refused_with_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
