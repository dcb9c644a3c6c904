/* The manifest that is shipped, against the data, and what happens to a broken one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/dataset.h"
#include "harness/file.h"
#include "harness/manifest.h"
#include "harness/share.h"

static void every_set_of_the_project_is_in_the_manifest(void **state)
{
    (void)state;
    static const char *const wanted[] = {"banana", "breast-cancer", "diabetis", "flare-solar", "german",
                                         "heart",  "image",         "ringnorm", "splice",      "thyroid",
                                         "titanic", "twonorm",      "waveform", "wisconsin",   "sonar"};
    char **names = NULL;
    size_t count = 0;
    struct error error;
    assert_int_equal(dataset_names(&names, &count, &error), STATUS_OK);
    assert_int_equal(count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(names[i], wanted[i]);
        free(names[i]);
    }
    free(names);
}

static void an_unknown_name_is_answered_with_the_known_ones(void **state)
{
    (void)state;
    struct manifest *manifest = NULL;
    const struct manifest_set *set = NULL;
    struct error error;
    assert_int_equal(manifest_load(&manifest, &error), STATUS_OK);
    assert_int_equal(manifest_find(manifest, "bananas", &set, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "\"bananas\" is not known; there are: banana breast-cancer"));
    assert_non_null(strstr(error.message, "sonar"));
    assert_null(set);
    manifest_free(manifest);
    manifest_free(NULL);
}

#define FILES "\"files\":[{\"name\":\"f\",\"sha256\":" \
              "\"0000000000000000000000000000000000000000000000000000000000000000\"}]"
#define TEXTS "\"name\":\"n\",\"title\":\"t\",\"source\":\"s\",\"licence\":\"l\""
#define COUNTS "\"rows\":9,\"dims\":1,\"positives\":4,\"n_test\":3,\"splits\":1"
#define SET(texts, counts) "{" FILES ",\"datasets\":[{" texts "," counts "}]}"

static void a_broken_manifest_is_refused_with_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{", ":1: not valid JSON"},
        {"{}", ": files: has to be a list"},
        {"{\"files\":[]}", ": files: has to be a list"},
        {"{" FILES "}", ": datasets: has to be a list"},
        {"{\"files\":[{}],\"datasets\":[{}]}", ": files[0].name: has to be a string"},
        {"{\"files\":[{\"name\":\"f\",\"sha256\":\"0A\"}],\"datasets\":[{}]}", ": files[0].sha256: has to be 64"},
        {"{" FILES ",\"datasets\":[7]}", ": datasets[0].name: has to be a string"},
        {SET(TEXTS ",\"format\":\"arff\"", COUNTS), ": datasets[0].format: \"arff\" is not"},
        {SET(TEXTS ",\"format\":\"matlab\"", COUNTS), ": datasets[0].variable: goes with"},
        {SET(TEXTS ",\"format\":\"sonar\",\"variable\":\"v\"", COUNTS), ": datasets[0].variable: goes with"},
        {SET(TEXTS ",\"format\":\"sonar\",\"made\":1", COUNTS), ": datasets[0].made: has to be true or false"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS), ": datasets[0].n_train: has to be a whole number"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS ",\"n_train\":1.5"), ": datasets[0].n_train: has to be a whole"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS ",\"n_train\":7"), ": datasets[0].rows: 9 is less than"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS ",\"n_train\":6"), ": datasets[0].files: has to be a list"},
        {SET(TEXTS ",\"format\":\"sonar\"", COUNTS ",\"n_train\":6,\"files\":[\"g\"]"), ": datasets[0].files: \"g\""},
    };
    char path[] = "/tmp/test_manifest_XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct manifest *manifest = NULL;
        struct error error = {STATUS_OK, ""};
        assert_int_equal(file_write(path, cases[i].text, strlen(cases[i].text), &error), STATUS_OK);
        enum status status = manifest_read(path, &manifest, &error);
        if (status != STATUS_BAD_INPUT || !strstr(error.message, cases[i].message))
            fail_msg("case %zu: status %d, \"%s\" has no \"%s\"", i, (int)status, error.message, cases[i].message);
        assert_null(manifest);
    }
    remove(path);
}

/* The script has the addresses and hashes once more, since it has to run where nothing is built. */
static void the_download_script_has_the_manifests_addresses_and_hashes(void **state)
{
    (void)state;
    struct manifest *manifest = NULL;
    struct error error;
    char *path = NULL, *text = NULL;
    size_t addresses = 0;
    assert_int_equal(share_find("datasets/fetch.sh", &path, &error), STATUS_OK);
    assert_int_equal(file_read(path, &text, NULL, &error), STATUS_OK);
    assert_int_equal(manifest_load(&manifest, &error), STATUS_OK);
    for (size_t i = 0; i < manifest->n_files; i++) {
        const struct manifest_file *file = &manifest->files[i];
        if (!file->url)
            continue;
        char line[512];
        snprintf(line, sizeof line, "\nfetch %s %s \\\n    %s\n", file->name, file->sha256, file->url);
        assert_non_null(strstr(text, line));
        addresses++;
    }
    assert_int_equal(addresses, 3);
    manifest_free(manifest);
    free(path);
    free(text);
}

/* The shapes in the manifest are used for sets that are missing, so they have to be the real ones. */
static void the_shapes_are_those_of_the_data(void **state)
{
    (void)state;
    struct manifest *manifest = NULL;
    struct error error;
    size_t compared = 0;
    assert_int_equal(manifest_load(&manifest, &error), STATUS_OK);
    for (size_t i = 0; i < manifest->n_sets; i++) {
        const struct manifest_set *set = &manifest->sets[i];
        const struct dataset_request request = {.name = set->name, .search_path = getenv("HULLBENCH_DATA")};
        struct dataset *dataset = NULL;
        enum status status = dataset_load(&request, &dataset, &error);
        if (status == STATUS_NOT_FOUND)
            continue;
        if (status != STATUS_OK)
            fail_msg("%s", error.message);
        size_t positives = 0;
        for (size_t row = 0; row < dataset->rows; row++)
            positives += dataset->y[row] > 0 ? dataset->multiplicity[row] : 0;
        assert_int_equal(dataset->full_size, set->rows);
        assert_int_equal(dataset->dims, set->dims);
        assert_int_equal(positives, set->positives);
        assert_int_equal(dataset->splits[0].n_train, set->n_train);
        assert_int_equal(dataset->splits[0].n_test, set->n_test);
        assert_int_equal(dataset->n_splits, set->splits);
        dataset_free(dataset);
        compared++;
    }
    manifest_free(manifest);
    if (compared == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_of_the_project_is_in_the_manifest),
        cmocka_unit_test(an_unknown_name_is_answered_with_the_known_ones),
        cmocka_unit_test(a_broken_manifest_is_refused_with_the_place),
        cmocka_unit_test(the_download_script_has_the_manifests_addresses_and_hashes),
        cmocka_unit_test(the_shapes_are_those_of_the_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
