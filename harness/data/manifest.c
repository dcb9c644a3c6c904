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

#include "harness/data/dataset_text.h"
#include "harness/support/file.h"
#include "harness/support/json_field.h"
#include "harness/support/resource.h"
#include "solvers/visible_text.h"

enum { MAX_ROWS = 1000000000 };

/* Reads a list of at least one entry. */
static enum status read_list(const cJSON *json, const char *key, const struct json_path *top, const cJSON **list,
                             size_t *count, struct error *error)
{
    struct json_path at = {.file = top->file, .outer = top, .key = key};
    *list = cJSON_GetObjectItemCaseSensitive(json, key);
    *count = 0;
    if (!cJSON_IsArray(*list) || cJSON_GetArraySize(*list) < 1)
        return json_error(&at, error, "expected a list with at least one entry");
    *count = (size_t)cJSON_GetArraySize(*list);
    return STATUS_OK;
}

/* ---- the program's manifest ---- */

static enum status read_file_entry(const cJSON *json, const struct json_path *at, struct manifest_file *file,
                                   struct error *error)
{
    const struct json_member members[] = {
        {"name", .required = 1, .text = &file->name},
        {"subfolder", .text = &file->subfolder},
        {"installed", .text = &file->installed},
        {"url", .text = &file->url},
        {"sha256", .required = 1, .text = &file->sha256},
    };
    enum status status = json_members(json, at, members, sizeof members / sizeof *members, error);
    if (status == STATUS_OK && (strlen(file->sha256) != 64 || strspn(file->sha256, "0123456789abcdef") != 64))
        return json_error(at, error, "sha256: expected 64 lower-case hexadecimal digits");
    return status;
}

/* Finds the entry of `files` with that name. */
static enum status file_named(const struct manifest *manifest, const char *name, const struct json_path *at,
                              const struct manifest_file **file, struct error *error)
{
    size_t i = 0;
    while (i < manifest->n_files && strcmp(manifest->files[i].name, name) != 0)
        i++;
    if (i == manifest->n_files)
        return json_error(at, error, "\"%.40s\" is not the name of an entry of \"files\"", name);
    *file = &manifest->files[i];
    return STATUS_OK;
}

static enum status read_set_files(const cJSON *json, const struct json_path *at, const struct manifest *manifest,
                                  struct manifest_set *set, struct error *error)
{
    struct json_path place = {.file = at->file, .outer = at, .key = "files"};
    const cJSON *list, *item = NULL;
    size_t count;
    enum status status = read_list(json, "files", at, &list, &count, error);
    if (status == STATUS_OK && count > MANIFEST_FILES_PER_SET)
        status = json_error(&place, error, "expected at most %d file names", MANIFEST_FILES_PER_SET);
    if (status != STATUS_OK)
        return status;
    cJSON_ArrayForEach(item, list) {
        const char *name = cJSON_IsString(item) ? item->valuestring : "";
        status = file_named(manifest, name, &place, &set->files[set->n_files], error);
        if (status != STATUS_OK)
            return status;
        set->n_files++;
    }
    return STATUS_OK;
}

static enum status refuse_header(const struct json_path *at, const char *word, struct error *error)
{
    const struct json_path header = {.file = at->file, .outer = at, .key = "header"};
    return json_unknown_name(&header, "header", word, header_words, error);
}

/* Checks that the keys suit the format. */
static enum status check_set(const struct json_path *at, const struct manifest_set *set, const char *test_file,
                             struct error *error)
{
    static const char *const formats[] = {"matlab", "wisconsin", "sonar", "libsvm", "csv", NULL};
    size_t f = 0;
    while (formats[f] && strcmp(formats[f], set->format) != 0)
        f++;
    if (!formats[f])
        return json_unknown_name(at, "format", set->format, formats, error);
    if ((f == 0) != (set->variable != NULL))
        return json_error(at, error, "format \"matlab\" needs \"variable\", which no other format has");
    if ((set->label_column || set->header) && strcmp(set->format, "csv") != 0)
        return json_error(at, error, "\"%s\" applies only to format \"csv\"",
                          set->header ? "header" : "label_column");
    if (!header_word_is_known(set->header))
        return refuse_header(at, set->header, error);
    if (test_file && !manifest_set_is_text(set))
        return json_error(at, error, "\"test_file\" applies only to formats \"libsvm\" and \"csv\"");
    if ((test_file || !set->n_test) &&
        (set->splits != 1 || !manifest_set_is_text(set) || set->n_train + set->n_test != set->rows))
        return json_error(at, error, "a data set with a test file or without test rows must have one split, with all "
                                     "its rows");
    if (set->n_train + set->n_test > set->rows || set->positives >= set->rows)
        return json_error(at, error, "rows: %zu is out of range; allowed: at least n_train + n_test, and at least "
                                     "positives + 1", set->rows);
    return STATUS_OK;
}

static enum status read_set(const cJSON *json, const struct json_path *at, const struct manifest *manifest,
                            struct manifest_set *set, struct error *error)
{
    const char *test_file = NULL;
    const struct json_member members[] = {
        {"name", .required = 1, .text = &set->name},
        {"title", .required = 1, .text = &set->title},
        {"format", .required = 1, .text = &set->format},
        {"variable", .text = &set->variable},
        {"label_column", .text = &set->label_column},
        {"header", .text = &set->header},
        {"test_file", .text = &test_file},
        {"source", .required = 1, .text = &set->source},
        {"licence", .required = 1, .text = &set->licence},
        {"made", .flag = &set->synthetic}, /* the old name */
        {"synthetic", .flag = &set->synthetic},
        {"rows", .required = 1, .count = &set->rows, .at_most = MAX_ROWS},
        {"dims", .required = 1, .count = &set->dims, .at_most = MAX_ROWS},
        {"positives", .required = 1, .count = &set->positives, .at_most = MAX_ROWS},
        {"n_train", .required = 1, .count = &set->n_train, .at_most = MAX_ROWS},
        {"n_test", .required = 1, .count = &set->n_test, .above = -1, .at_most = MAX_ROWS},
        {"splits", .required = 1, .count = &set->splits, .at_most = MAX_ROWS},
    };
    enum status status = json_members(json, at, members, sizeof members / sizeof *members, error);
    if (status != STATUS_OK)
        return status;
    status = check_set(at, set, test_file, error);
    if (status == STATUS_OK && test_file)
        status = file_named(manifest, test_file, at, &set->test_rows, error);
    return status == STATUS_OK ? read_set_files(json, at, manifest, set, error) : status;
}

static enum status read_entries(const char *path, struct manifest *manifest, struct error *error)
{
    const struct json_path top = {.file = path}, files_place = {.file = path, .outer = &top, .key = "files"},
                           sets_place = {.file = path, .outer = &top, .key = "datasets"};
    const cJSON *files = NULL, *sets = NULL, *item = NULL;
    size_t schema = 1;
    enum status status = json_count(manifest->json, "schema", &top, 1, 1, &schema, error);
    if (status == STATUS_OK)
        status = read_list(manifest->json, "files", &top, &files, &manifest->n_files, error);
    if (status == STATUS_OK)
        status = read_list(manifest->json, "datasets", &top, &sets, &manifest->n_sets, error);
    if (status != STATUS_OK)
        return status;
    manifest->files = pool_array(manifest->pool, manifest->n_files, sizeof *manifest->files);
    manifest->sets = pool_array(manifest->pool, manifest->n_sets, sizeof *manifest->sets);
    manifest->n_sets_allocated = manifest->n_sets;
    struct json_path at = {.file = path, .outer = &files_place};
    cJSON_ArrayForEach(item, files) {
        status = status == STATUS_OK ? read_file_entry(item, &at, &manifest->files[at.index], error) : status;
        at.index++;
    }
    at = (struct json_path){.file = path, .outer = &sets_place};
    cJSON_ArrayForEach(item, sets) {
        status = status == STATUS_OK ? read_set(item, &at, manifest, &manifest->sets[at.index], error) : status;
        at.index++;
    }
    return status;
}

struct manifest *manifest_read(struct pool *pool, const char *path)
{
    struct manifest *manifest = pool_alloc(pool, sizeof *manifest);
    struct error error;
    manifest->pool = pool;
    manifest->json = json_read(pool, path);
    if (read_entries(path, manifest, &error) != STATUS_OK)
        die_of(&error);
    return manifest;
}

/* ---- the user's manifests ---- */

int manifest_set_is_text(const struct manifest_set *set)
{
    return strcmp(set->format, "libsvm") == 0 || strcmp(set->format, "csv") == 0;
}

enum status manifest_check_name(const char *name, const struct json_path *place, struct error *error)
{
    if (*name && !strpbrk(name, "/\\\" ") && !text_has_control(name, "") && strlen(name) <= FILE_NAME_PART_MAX)
        return STATUS_OK;
    return json_error(place, error,
                      "data set name \"%.40s\" is empty, contains a slash, quote, space or control character, or has "
                      "more than %d bytes",
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

static enum status check_own_set(const struct manifest *manifest, const cJSON *json, const struct json_path *at,
                                 const struct manifest_set *set, struct error *error)
{
    static const char *const formats[] = {"libsvm", "csv", NULL};
    if (set->test_file && set->split_file)
        return json_error(at, error, "\"test_file\" cannot be combined with \"split_file\"");
    if ((set->test_file || set->split_file) && (set->n_train || set->n_test || cJSON_HasObjectItem(json, "splits")))
        return json_error(at, error, "split sizes and counts cannot be combined with \"%s\"",
                          set->test_file ? "test_file" : "split_file");
    if (!manifest_set_is_text(set))
        return json_unknown_name(at, "format", set->format, formats, error);
    if (!header_word_is_known(set->header))
        return refuse_header(at, set->header, error);
    enum status status = manifest_check_name(set->name, at, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < manifest->n_sets; i++)
        if (strcmp(manifest->sets[i].name, set->name) == 0)
            return json_error(at, error, "data set \"%s\" already exists", set->name);
    return STATUS_OK;
}

static enum status read_own_set(const struct manifest *manifest, const cJSON *json, const struct json_path *at,
                                struct manifest_set *set, struct error *error)
{
    const char *file = NULL, *test_file = NULL, *split_file = NULL;
    const struct json_member members[] = {
        {"name", .required = 1, .text = &set->name},
        {"title", .text = &set->title},
        {"file", .required = 1, .text = &file},
        {"test_file", .text = &test_file},
        {"split_file", .text = &split_file},
        {"format", .text = &set->format},
        {"label_column", .text = &set->label_column},
        {"header", .text = &set->header},
        {"n_train", .count = &set->n_train, .above = 1, .at_most = MAX_ROWS},
        {"n_test", .count = &set->n_test, .at_most = MAX_ROWS},
        {"splits", .count = &set->splits, .at_most = 100000},
    };
    set->splits = 100;
    enum status status = json_only_members(json, at, members, sizeof members / sizeof *members, error);
    if (status != STATUS_OK)
        return status;
    set->file = set_path(manifest, file, at->file);
    set->test_file = set_path(manifest, test_file, at->file);
    set->split_file = set_path(manifest, split_file, at->file);
    if (!set->format)
        set->format = dataset_text_is_csv(set->file, NULL) ? "csv" : "libsvm";
    if (!set->title)
        set->title = "";
    return check_own_set(manifest, json, at, set, error);
}

static enum status read_own_sets(struct manifest *manifest, const cJSON *json, const char *path, struct error *error)
{
    static const char *const keys[] = {"about", "datasets", NULL};
    const struct json_path top = {.file = path}, place = {.file = path, .outer = &top, .key = "datasets"};
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "datasets"), *item = NULL;
    enum status status = json_check_keys(json, &top, keys, error);
    size_t number = 0;
    if (status == STATUS_OK && !cJSON_IsArray(list))
        return json_error(&place, error, "expected a list of data sets");
    cJSON_ArrayForEach (item, list) {
        const struct json_path at = {.file = path, .outer = &place, .index = number++};
        if (status != STATUS_OK)
            return status;
        manifest->sets = pool_grow(manifest->pool, manifest->sets, manifest->n_sets, &manifest->n_sets_allocated,
                                   sizeof *manifest->sets);
        status = read_own_set(manifest, item, &at, &manifest->sets[manifest->n_sets], error);
        manifest->n_sets++;
    }
    return status;
}

void manifest_add_own(struct manifest *manifest, const char *path)
{
    struct error error;
    if (read_own_sets(manifest, json_read(manifest->pool, path), path, &error) != STATUS_OK)
        die_of(&error);
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

enum status manifest_find(const struct manifest *manifest, const char *name, const struct manifest_set **set,
                          struct error *error)
{
    char known[512] = "";
    size_t used = 0;
    *set = NULL;
    for (size_t i = 0; i < manifest->n_sets; i++) {
        const char *candidate = manifest->sets[i].name;
        if (strcmp(candidate, name) == 0) {
            *set = &manifest->sets[i];
            return STATUS_OK;
        }
        size_t length = strlen(candidate);
        if (used + length + 2 < sizeof known) {
            known[used] = ' ';
            memcpy(known + used + 1, candidate, length + 1);
            used += length + 1;
        }
    }
    return error_set(error, STATUS_BAD_INPUT, "unknown data set \"%.60s\"; allowed:%s", name, known);
}
