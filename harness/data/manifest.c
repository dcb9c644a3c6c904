/*
 * Manifests, the program's and the user's, are input: every key is checked while reading, and no later code sees JSON.
 * The structs point into the parsed trees, which the manifest owns. A user manifest gives files names that
 * configurations and verbs can use:
 *     {"datasets": [{"name": "mine", "file": "mine.csv", "label_column": "class", "splits": 20}]}
 */
#include "harness/data/manifest.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/columns.h"
#include "harness/data/dataset_text.h"
#include "harness/support/file.h"
#include "harness/support/members.h"
#include "harness/support/resource.h"
#include "solvers/visible_text.h"

enum { MAX_ROWS = 1000000000 };

static const char *const formats[] = {"matlab", "wisconsin", "sonar", "libsvm", "csv", NULL},
                         *const text_formats[] = {"libsvm", "csv", NULL};

/* ---- the program's manifest ---- */

static const struct member file_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct manifest_file, name), MEMBER_REQUIRED},
    {"sha256", MEMBER_TEXT, FIELD(struct manifest_file, sha256), MEMBER_REQUIRED},
    {"subfolder", MEMBER_TEXT, FIELD(struct manifest_file, subfolder), .doc = "Also searched in each folder."},
    {"installed", MEMBER_TEXT, FIELD(struct manifest_file, installed),
     .doc = "Where a system package installs the file."},
    {"url", MEMBER_TEXT, FIELD(struct manifest_file, url)},
    MEMBERS_END_OTHERS_IGNORED,
};

const struct member manifest_set_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct manifest_set, name), MEMBER_REQUIRED},
    {"title", MEMBER_TEXT, FIELD(struct manifest_set, title), MEMBER_REQUIRED},
    {"source", MEMBER_TEXT, FIELD(struct manifest_set, source), MEMBER_REQUIRED},
    {"licence", MEMBER_TEXT, FIELD(struct manifest_set, licence), MEMBER_REQUIRED},
    {"format", MEMBER_TEXT, FIELD(struct manifest_set, format), MEMBER_REQUIRED, .names = formats},
    {"variable", MEMBER_TEXT, FIELD(struct manifest_set, variable), .doc = "Only with the format matlab."},
    {"label_column", MEMBER_TEXT, FIELD(struct manifest_set, label_column), .doc = "Only with the format csv."},
    {"header", MEMBER_TEXT, FIELD(struct manifest_set, header), .names = header_words,
     .doc = "Only with the format csv."},
    {"files", MEMBER_JSON, FIELD(struct manifest_set, file_names), .doc = "Names of files, in order of preference."},
    {"test_file", MEMBER_TEXT, FIELD(struct manifest_set, test_rows_name),
     .doc = "The file with the test rows of the only split."},
    {"synthetic", MEMBER_FLAG, FIELD(struct manifest_set, synthetic), .former = "made",
     .doc = "Whether the set is generated if the files are missing."},
    {"rows", MEMBER_COUNT, FIELD(struct manifest_set, rows), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    {"dims", MEMBER_COUNT, FIELD(struct manifest_set, dims), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    {"positives", MEMBER_COUNT, FIELD(struct manifest_set, positives), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    {"n_train", MEMBER_COUNT, FIELD(struct manifest_set, n_train), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    {"n_test", MEMBER_COUNT, FIELD(struct manifest_set, n_test), MEMBER_REQUIRED, .high = MAX_ROWS},
    {"splits", MEMBER_COUNT, FIELD(struct manifest_set, splits), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    MEMBERS_END_OTHERS_IGNORED,
};

struct manifest_given {
    size_t schema;
    struct {
        struct manifest_file *item;
        size_t count, capacity;
    } files;
    const cJSON *sets;
};
const struct member manifest_members[] = {
    {"schema", MEMBER_COUNT, FIELD(struct manifest_given, schema), .low = 1, .high = 1, .fallback = 1},
    {"files", MEMBER_LIST, FIELD(struct manifest_given, files), MEMBER_REQUIRED | MEMBER_NOT_EMPTY,
     .inner = file_members, .inner_size = sizeof(struct manifest_file),
     .expected = "a list with at least one entry"},
    {"datasets", MEMBER_JSON, FIELD(struct manifest_given, sets), MEMBER_REQUIRED,
     .expected = "a list with at least one entry"},
    MEMBERS_END_OTHERS_IGNORED,
};

/* Finds the entry of `files` with that name. */
static const struct manifest_file *file_named(const struct manifest *manifest, const char *name,
                                              const struct json_path *at)
{
    for (size_t i = 0; i < manifest->n_files; i++)
        if (strcmp(manifest->files[i].name, name) == 0)
            return &manifest->files[i];
    json_die(at, "\"%.40s\" is not the name of an entry of \"files\"", name);
}

static void check_list(const cJSON *list, const struct json_path *at)
{
    if (!cJSON_IsArray(list) || !list->child)
        json_die(at, "expected a list with at least one entry");
}

static void read_set_files(const struct json_path *at, const struct manifest *manifest, struct manifest_set *set)
{
    const struct json_path place = {.outer = at, .key = "files"};
    const cJSON *item = NULL;
    check_list(set->file_names, &place);
    if (cJSON_GetArraySize(set->file_names) > MANIFEST_FILES_PER_SET)
        json_die(&place, "expected at most %d file names", MANIFEST_FILES_PER_SET);
    cJSON_ArrayForEach (item, set->file_names)
        set->files[set->n_files++] = file_named(manifest, cJSON_IsString(item) ? item->valuestring : "", &place);
}

/* Checks that the keys suit the format. */
static void check_set(const struct json_path *at, const struct manifest_set *set)
{
    const char *test_file = set->test_rows_name;
    if ((strcmp(set->format, "matlab") == 0) != (set->variable != NULL))
        json_die(at, "format \"matlab\" needs \"variable\", which no other format has");
    if ((set->label_column || set->header) && strcmp(set->format, "csv") != 0)
        json_die(at, "\"%s\" applies only to format \"csv\"", set->header ? "header" : "label_column");
    if (test_file && !manifest_set_is_text(set))
        json_die(at, "\"test_file\" applies only to formats \"libsvm\" and \"csv\"");
    if ((test_file || !set->n_test) &&
        (set->splits != 1 || !manifest_set_is_text(set) || set->n_train + set->n_test != set->rows))
        json_die(at, "a data set with a test file or without test rows must have one split, with all its rows");
    if (set->n_train + set->n_test > set->rows || set->positives >= set->rows)
        json_die(at, "rows: %zu is out of range; allowed: at least n_train + n_test, and at least positives + 1",
                 set->rows);
}

static void read_set(const cJSON *json, const struct json_path *at, const struct manifest *manifest,
                     struct manifest_set *set)
{
    members_read(manifest->pool, manifest_set_members, json, at, set);
    check_set(at, set);
    if (set->test_rows_name)
        set->test_rows = file_named(manifest, set->test_rows_name, at);
    read_set_files(at, manifest, set);
}

static void read_entries(const char *path, struct manifest *manifest)
{
    const struct json_path top = {.file = path}, in_files = {.outer = &top, .key = "files"},
                           in_sets = {.outer = &top, .key = "datasets"};
    struct manifest_given given;
    const cJSON *item = NULL;
    members_read(manifest->pool, manifest_members, manifest->json, &top, &given);
    manifest->files = given.files.item;
    manifest->n_files = given.files.count;
    for (size_t i = 0; i < manifest->n_files; i++) {
        const struct json_path at = {.outer = &in_files, .index = i};
        const char *hash = manifest->files[i].sha256;
        if (strlen(hash) != 64 || strspn(hash, "0123456789abcdef") != 64)
            json_die(&at, "sha256: expected 64 lower-case hexadecimal digits");
    }
    check_list(given.sets, &in_sets);
    manifest->n_sets_allocated = (size_t)cJSON_GetArraySize(given.sets);
    manifest->sets = pool_array(manifest->pool, manifest->n_sets_allocated, sizeof *manifest->sets);
    cJSON_ArrayForEach (item, given.sets) {
        const struct json_path at = {.outer = &in_sets, .index = manifest->n_sets};
        read_set(item, &at, manifest, &manifest->sets[manifest->n_sets]);
        manifest->n_sets++;
    }
}

struct manifest *manifest_read(struct pool *pool, const char *path)
{
    struct manifest *manifest = pool_alloc(pool, sizeof *manifest);
    manifest->pool = pool;
    manifest->json = json_read(pool, path);
    read_entries(path, manifest);
    return manifest;
}

/* ---- the user's manifests ---- */

int manifest_set_is_text(const struct manifest_set *set)
{
    return strcmp(set->format, "libsvm") == 0 || strcmp(set->format, "csv") == 0;
}

void manifest_check_name(const char *name, const struct json_path *place)
{
    if (!*name || strpbrk(name, "/\\\" ") || text_has_control(name, "") || strlen(name) > FILE_NAME_PART_MAX)
        json_die(place,
                 "data set name \"%.40s\" is empty, contains a slash, quote, space or control character, or has more "
                 "than %d bytes",
                 name, (int)FILE_NAME_PART_MAX);
}

/* The path of a file named relative to the manifest at `path`; NULL if there is no name. */
static char *set_path(const struct manifest *manifest, const char *name, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!name || *name == '/')
        return name ? pool_strdup(manifest->pool, name) : NULL;
    return slash ? pool_printf(manifest->pool, "%.*s/%s", (int)(slash - path), path, name)
                 : pool_printf(manifest->pool, "./%s", name);
}

const struct member manifest_own_set_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct manifest_set, name), MEMBER_REQUIRED},
    {"title", MEMBER_TEXT, FIELD(struct manifest_set, title)},
    {"file", MEMBER_TEXT, FIELD(struct manifest_set, file), MEMBER_REQUIRED,
     .doc = "Relative to the folder of datasets.json."},
    {"test_file", MEMBER_TEXT, FIELD(struct manifest_set, test_file)},
    {"split_file", MEMBER_TEXT, FIELD(struct manifest_set, split_file)},
    {"format", MEMBER_TEXT, FIELD(struct manifest_set, format), .names = text_formats,
     .doc = "Default: by the content of the file."},
    {"label_column", MEMBER_TEXT, FIELD(struct manifest_set, label_column)},
    {"header", MEMBER_TEXT, FIELD(struct manifest_set, header), .names = header_words,
     .doc = "CSV: whether the first line has the names of the columns. Default: auto, a guess."},
    {"n_train", MEMBER_COUNT, FIELD(struct manifest_set, n_train), .low = 2, .high = MAX_ROWS},
    {"n_test", MEMBER_COUNT, FIELD(struct manifest_set, n_test), .low = 1, .high = MAX_ROWS},
    {"splits", MEMBER_COUNT, FIELD(struct manifest_set, splits), .low = 1, .high = 100000, .fallback = 100},
    MEMBERS_END,
};

struct own_given {
    const cJSON *about, *sets;
};
const struct member manifest_own_members[] = {
    {"about", MEMBER_JSON, FIELD(struct own_given, about), .doc = "Anything; hullbench does not read it."},
    {"datasets", MEMBER_JSON, FIELD(struct own_given, sets), MEMBER_REQUIRED, .expected = "a list of data sets"},
    MEMBERS_END,
};

static void check_own_set(const struct manifest *manifest, const cJSON *json, const struct json_path *at,
                          const struct manifest_set *set)
{
    if (set->test_file && set->split_file)
        json_die(at, "\"test_file\" cannot be combined with \"split_file\"");
    if ((set->test_file || set->split_file) && (set->n_train || set->n_test || cJSON_HasObjectItem(json, "splits")))
        json_die(at, "split sizes and counts cannot be combined with \"%s\"",
                 set->test_file ? "test_file" : "split_file");
    manifest_check_name(set->name, at);
    for (size_t i = 0; i < manifest->n_sets; i++)
        if (strcmp(manifest->sets[i].name, set->name) == 0)
            json_die(at, "data set \"%s\" already exists", set->name);
}

static void read_own_set(const struct manifest *manifest, const cJSON *json, const struct json_path *at,
                         const char *path, struct manifest_set *set)
{
    members_read(manifest->pool, manifest_own_set_members, json, at, set);
    set->file = set_path(manifest, set->file, path);
    set->test_file = set_path(manifest, set->test_file, path);
    set->split_file = set_path(manifest, set->split_file, path);
    if (!set->format)
        set->format = dataset_text_is_csv(set->file, NULL) ? "csv" : "libsvm";
    if (!set->title)
        set->title = "";
    check_own_set(manifest, json, at, set);
}

void manifest_add_own(struct manifest *manifest, const char *path)
{
    const struct json_path top = {.file = path}, place = {.outer = &top, .key = "datasets"};
    struct json_path at = {.outer = &place};
    struct own_given given;
    const cJSON *item = NULL;
    members_read(manifest->pool, manifest_own_members, json_read(manifest->pool, path), &top, &given);
    if (!cJSON_IsArray(given.sets))
        json_die(&place, "expected a list of data sets");
    cJSON_ArrayForEach (item, given.sets) {
        manifest->sets = pool_grow(manifest->pool, manifest->sets, manifest->n_sets, &manifest->n_sets_allocated,
                                   sizeof *manifest->sets);
        read_own_set(manifest, item, &at, path, &manifest->sets[manifest->n_sets]);
        manifest->n_sets++;
        at.index++;
    }
}

/* Adds FOLDER/datasets.json of each folder that has one. */
static void add_folders(struct manifest *manifest, const char *folder)
{
    for (size_t length = 0; search_path_next(&folder, &length);) {
        const char *path = pool_printf(manifest->pool, "%.*s/datasets.json", (int)length, folder);
        if (access(path, F_OK) == 0)
            manifest_add_own(manifest, path);
    }
}

struct manifest *manifest_load(struct pool *pool, const char *search_path)
{
    struct manifest *manifest = manifest_read(pool, resource_find(pool, "datasets/manifest.json", STATUS_BAD_INPUT));
    manifest->search_path = pool_strdup(pool, search_path ? search_path : "");
    add_folders(manifest, manifest->search_path);
    return manifest;
}

const struct manifest_set *manifest_find(const struct manifest *manifest, const char *name)
{
    char known[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < manifest->n_sets; i++) {
        const char *candidate = manifest->sets[i].name;
        if (strcmp(candidate, name) == 0)
            return &manifest->sets[i];
        size_t length = strlen(candidate);
        if (used + length + 2 < sizeof known) {
            known[used] = ' ';
            memcpy(known + used + 1, candidate, length + 1);
            used += length + 1;
        }
    }
    die(STATUS_BAD_INPUT, "unknown data set \"%.60s\"; allowed:%s", name, known);
}
