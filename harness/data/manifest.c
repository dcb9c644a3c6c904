/*
 * Manifests are data, the program's and the user's own, so every key is checked when it is read and nothing after this
 * file looks at JSON. The structs point into the parsed trees, which the manifest keeps. A manifest of the user's own
 * gives files names that configurations and verbs know:
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

/* A list of at least one entry. */
static enum status read_list(const cJSON *json, const char *key, const struct json_path *top, const cJSON **list,
                             size_t *count, struct error *error)
{
    struct json_path at = {.file = top->file, .outer = top, .key = key};
    *list = cJSON_GetObjectItemCaseSensitive(json, key);
    *count = 0;
    if (!cJSON_IsArray(*list) || cJSON_GetArraySize(*list) < 1)
        return json_error(&at, error, "a list with at least one entry is expected");
    *count = (size_t)cJSON_GetArraySize(*list);
    return STATUS_OK;
}

/* ---- the program's manifest ---- */

static enum status read_file_entry(const cJSON *json, const struct json_path *at, struct manifest_file *file,
                                   struct error *error)
{
    enum status status;
    if ((status = json_text(json, "name", at, 1, &file->name, error)) != STATUS_OK ||
        (status = json_text(json, "subfolder", at, 0, &file->subfolder, error)) != STATUS_OK ||
        (status = json_text(json, "url", at, 0, &file->url, error)) != STATUS_OK ||
        (status = json_text(json, "sha256", at, 1, &file->sha256, error)) != STATUS_OK)
        return status;
    if (strlen(file->sha256) != 64 || strspn(file->sha256, "0123456789abcdef") != 64)
        return json_error(at, error, "sha256: 64 lower-case hexadecimal digits are expected");
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
        status = json_error(&place, error, "at most %d file names are expected", MANIFEST_FILES_PER_SET);
    if (status != STATUS_OK)
        return status;
    cJSON_ArrayForEach(item, list) {
        const char *name = cJSON_IsString(item) ? item->valuestring : "";
        size_t i = 0;
        while (i < manifest->n_files && strcmp(manifest->files[i].name, name) != 0)
            i++;
        if (i == manifest->n_files)
            return json_error(&place, error, "\"%.40s\" is not the name of an entry of files", name);
        set->files[set->n_files++] = &manifest->files[i];
    }
    return STATUS_OK;
}

static enum status read_set_counts(const cJSON *json, const struct json_path *at, struct manifest_set *set,
                                   struct error *error)
{
    const struct {
        const char *key;
        size_t *count;
    } counts[] = {
        {"rows", &set->rows},       {"dims", &set->dims},     {"positives", &set->positives},
        {"n_train", &set->n_train}, {"n_test", &set->n_test}, {"splits", &set->splits},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        enum status status = json_count(json, counts[i].key, at, 1, 1000000000, counts[i].count, error);
        if (status == STATUS_OK && *counts[i].count == 0)
            status = json_error(at, error, "key \"%s\" is missing", counts[i].key);
        if (status != STATUS_OK)
            return status;
    }
    if (set->n_train + set->n_test > set->rows || set->positives >= set->rows)
        return json_error(at, error, "rows: %zu is less than n_train + n_test or positives + 1", set->rows);
    return STATUS_OK;
}

static enum status read_set(const cJSON *json, const struct json_path *at, const struct manifest *manifest,
                            struct manifest_set *set, struct error *error)
{
    static const char *const formats[] = {"matlab", "wisconsin", "sonar", NULL};
    enum status status;
    if ((status = json_text(json, "name", at, 1, &set->name, error)) != STATUS_OK ||
        (status = json_text(json, "title", at, 1, &set->title, error)) != STATUS_OK ||
        (status = json_text(json, "format", at, 1, &set->format, error)) != STATUS_OK ||
        (status = json_text(json, "variable", at, 0, &set->variable, error)) != STATUS_OK ||
        (status = json_text(json, "source", at, 1, &set->source, error)) != STATUS_OK ||
        (status = json_text(json, "licence", at, 1, &set->licence, error)) != STATUS_OK ||
        (status = json_flag(json, "made", at, &set->synthetic, error)) != STATUS_OK || /* its name of old */
        (status = json_flag(json, "synthetic", at, &set->synthetic, error)) != STATUS_OK)
        return status;
    int matlab = strcmp(set->format, "matlab") == 0;
    if (!matlab && strcmp(set->format, "wisconsin") != 0 && strcmp(set->format, "sonar") != 0)
        return json_unknown_name(at, "format", set->format, formats, error);
    if (matlab != (set->variable != NULL))
        return json_error(at, error, "\"variable\" goes with format \"matlab\", and only with it");
    status = read_set_counts(json, at, set, error);
    return status == STATUS_OK ? read_set_files(json, at, manifest, set, error) : status;
}

static enum status read_entries(const char *path, struct manifest *manifest, struct error *error)
{
    const struct json_path top = {.file = path}, files_place = {.file = path, .outer = &top, .key = "files"},
                           sets_place = {.file = path, .outer = &top, .key = "datasets"};
    const cJSON *files = NULL, *sets = NULL, *item = NULL;
    enum status status = read_list(manifest->json, "files", &top, &files, &manifest->n_files, error);
    if (status == STATUS_OK)
        status = read_list(manifest->json, "datasets", &top, &sets, &manifest->n_sets, error);
    if (status != STATUS_OK)
        return status;
    manifest->files = calloc(manifest->n_files, sizeof *manifest->files);
    manifest->sets = calloc(manifest->n_sets, sizeof *manifest->sets);
    if (!manifest->files || !manifest->sets)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
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

enum status manifest_read(const char *path, struct manifest **manifest, struct error *error)
{
    *manifest = NULL;
    struct manifest *read = calloc(1, sizeof *read);
    if (!read)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    enum status status = json_read(path, &read->json, error);
    if (status == STATUS_OK)
        status = read_entries(path, read, error);
    if (status == STATUS_OK)
        *manifest = read;
    else
        manifest_free(read);
    return status;
}

/* ---- the user's own ---- */

int manifest_name_is_good(const char *name)
{
    return *name && !strpbrk(name, "/\\\" \t\n");
}

/* A path beside the manifest; *path is malloc'ed, NULL where the key is not given. */
static enum status read_path(const cJSON *json, const char *key, const struct json_path *at, char **path,
                             struct error *error)
{
    const char *name = NULL;
    enum status status = json_text(json, key, at, 0, &name, error);
    if (status != STATUS_OK || !name)
        return status;
    const char *slash = strrchr(at->file, '/');
    char *folder = slash ? strndup(at->file, (size_t)(slash - at->file)) : strdup(".");
    if (folder)
        *path = *name == '/' ? strdup(name) : path_join(folder, name);
    free(folder);
    return *path ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", at->file);
}

static enum status read_own_counts(const cJSON *json, const struct json_path *at, struct manifest_set *set,
                                   struct error *error)
{
    set->splits = 100;
    enum status status = json_count(json, "n_train", at, 2, 1000000000, &set->n_train, error);
    if (status == STATUS_OK)
        status = json_count(json, "n_test", at, 1, 1000000000, &set->n_test, error);
    if (status == STATUS_OK)
        status = json_count(json, "splits", at, 1, 100000, &set->splits, error);
    if (status == STATUS_OK && set->test_file && set->split_file)
        return json_error(at, error, "\"test_file\" and \"split_file\" do not go together");
    if (status == STATUS_OK && (set->test_file || set->split_file) &&
        (set->n_train || set->n_test || cJSON_HasObjectItem(json, "splits")))
        return json_error(at, error, "split sizes and counts do not go with \"%s\"",
                          set->test_file ? "test_file" : "split_file");
    return status;
}

static enum status read_own_set(const struct manifest *manifest, const cJSON *json, const struct json_path *at,
                                struct manifest_set *set, struct error *error)
{
    static const char *const keys[] = {"name",         "title",   "file",   "test_file", "split_file", "format",
                                       "label_column", "n_train", "n_test", "splits",    NULL};
    static const char *const formats[] = {"libsvm", "csv", NULL};
    enum status status = json_check_keys(json, at, keys, error);
    if (status != STATUS_OK || (status = json_text(json, "name", at, 1, &set->name, error)) != STATUS_OK ||
        (status = json_text(json, "title", at, 0, &set->title, error)) != STATUS_OK ||
        (status = json_text(json, "format", at, 0, &set->format, error)) != STATUS_OK ||
        (status = json_text(json, "label_column", at, 0, &set->label_column, error)) != STATUS_OK ||
        (status = read_path(json, "file", at, &set->file, error)) != STATUS_OK ||
        (status = read_path(json, "test_file", at, &set->test_file, error)) != STATUS_OK ||
        (status = read_path(json, "split_file", at, &set->split_file, error)) != STATUS_OK ||
        (status = read_own_counts(json, at, set, error)) != STATUS_OK)
        return status;
    if (!set->file)
        return json_error(at, error, "key \"file\" is missing");
    if (set->format && strcmp(set->format, "libsvm") != 0 && strcmp(set->format, "csv") != 0)
        return json_unknown_name(at, "format", set->format, formats, error);
    if (!set->format)
        set->format = dataset_text_is_csv(set->file, NULL) ? "csv" : "libsvm";
    if (!set->title)
        set->title = "";
    if (!manifest_name_is_good(set->name))
        return json_error(at, error, "data set name \"%.40s\" is empty or holds a slash, quote or space", set->name);
    for (size_t i = 0; i < manifest->n_sets; i++)
        if (strcmp(manifest->sets[i].name, set->name) == 0)
            return json_error(at, error, "there is a data set \"%s\" already", set->name);
    return STATUS_OK;
}

static enum status read_own_sets(struct manifest *manifest, const cJSON *json, const char *path, struct error *error)
{
    static const char *const keys[] = {"about", "datasets", NULL};
    const struct json_path top = {.file = path}, place = {.file = path, .outer = &top, .key = "datasets"};
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "datasets"), *item = NULL;
    enum status status = json_check_keys(json, &top, keys, error);
    size_t number = 0;
    if (status == STATUS_OK && !cJSON_IsArray(list))
        return json_error(&place, error, "a list of data sets is expected");
    cJSON_ArrayForEach (item, list) {
        const struct json_path at = {.file = path, .outer = &place, .index = number++};
        if (status != STATUS_OK)
            return status;
        struct manifest_set *sets = realloc(manifest->sets, (manifest->n_sets + 1) * sizeof *sets);
        if (!sets)
            return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
        manifest->sets = sets;
        memset(&sets[manifest->n_sets], 0, sizeof *sets);
        status = read_own_set(manifest, item, &at, &sets[manifest->n_sets], error);
        manifest->n_sets++; /* a set that is refused is released with the others */
    }
    return status;
}

enum status manifest_add_own(struct manifest *manifest, const char *path, struct error *error)
{
    cJSON *json = NULL;
    enum status status = json_read(path, &json, error);
    if (status != STATUS_OK)
        return status;
    cJSON **own = realloc(manifest->own, (manifest->n_own + 1) * sizeof *own);
    if (!own) {
        cJSON_Delete(json);
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    }
    manifest->own = own;
    own[manifest->n_own++] = json;
    return read_own_sets(manifest, json, path, error);
}

/* FOLDER/datasets.json of each folder that has one. */
static enum status add_folders(struct manifest *manifest, const char *folder, struct error *error)
{
    enum status status = STATUS_OK;
    char path[PATH_MAX];
    for (size_t length = 0; status == STATUS_OK && search_path_next(&folder, &length);) {
        int size = snprintf(path, sizeof path, "%.*s/datasets.json", (int)length, folder);
        if (size < PATH_MAX && access(path, F_OK) == 0)
            status = manifest_add_own(manifest, path, error);
    }
    return status;
}

enum status manifest_load(const char *search_path, struct manifest **out, struct error *error)
{
    char *path = NULL;
    struct manifest *manifest = NULL;
    enum status status = resource_find("datasets/manifest.json", &path, error);
    if (status == STATUS_OK)
        status = manifest_read(path, &manifest, error);
    free(path);
    if (status == STATUS_OK && !(manifest->search_path = strdup(search_path ? search_path : "")))
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", search_path);
    if (status == STATUS_OK)
        status = add_folders(manifest, manifest->search_path, error);
    *out = status == STATUS_OK ? manifest : NULL;
    if (status != STATUS_OK)
        manifest_free(manifest);
    /* The program's own file being absent is not a missing data set, which a caller may pass over. */
    if (status == STATUS_NOT_FOUND) {
        status = STATUS_BAD_INPUT;
        if (error)
            error->status = status;
    }
    return status;
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
    return error_set(error, STATUS_BAD_INPUT, "data set \"%.60s\" is not known; there are:%s", name, known);
}

void manifest_free(struct manifest *manifest)
{
    if (!manifest)
        return;
    for (size_t s = 0; manifest->sets && s < manifest->n_sets; s++) {
        free(manifest->sets[s].file);
        free(manifest->sets[s].test_file);
        free(manifest->sets[s].split_file);
    }
    for (size_t m = 0; m < manifest->n_own; m++)
        cJSON_Delete(manifest->own[m]);
    free(manifest->search_path);
    free(manifest->own);
    free(manifest->files);
    free(manifest->sets);
    cJSON_Delete(manifest->json);
    free(manifest);
}
