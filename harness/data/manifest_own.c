/*
 * A manifest of the user's own, which gives files names that configurations and verbs know:
 *     {"datasets": [{"name": "mine", "file": "mine.csv", "label_column": "class", "splits": 20}]}
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/json_field.h"
#include "harness/support/file.h"
#include "harness/data/manifest.h"
#include "harness/data/dataset_text.h"

int manifest_name_is_good(const char *name)
{
    return *name && !strpbrk(name, "/\\\" \t\n");
}

/* A path beside the manifest; *path is malloc'ed, NULL where the key is not given. */
static enum status path_read(const cJSON *json, const char *key, const struct json_path *at, char **path,
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

static enum status counts_read(const cJSON *json, const struct json_path *at, struct manifest_set *set,
                               struct error *error)
{
    double n_train = 0, n_test = 0, splits = 100;
    enum status status = json_integer(json, "n_train", at, 1, 1e9, &n_train, error);
    if (status == STATUS_OK)
        status = json_integer(json, "n_test", at, 0, 1e9, &n_test, error);
    if (status == STATUS_OK)
        status = json_integer(json, "splits", at, 0, 100000, &splits, error);
    set->n_train = (size_t)n_train;
    set->n_test = (size_t)n_test;
    set->splits = (size_t)splits;
    if (status == STATUS_OK && set->test_file && set->split_file)
        return json_error(at, error, "\"test_file\" and \"split_file\" do not go together");
    if (status == STATUS_OK && (set->test_file || set->split_file) &&
        (n_train > 0 || n_test > 0 || cJSON_HasObjectItem(json, "splits")))
        return json_error(at, error, "split sizes and counts do not go with \"%s\"",
                          set->test_file ? "test_file" : "split_file");
    return status;
}

static enum status set_read(const struct manifest *manifest, const cJSON *json, const struct json_path *at,
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
        (status = path_read(json, "file", at, &set->file, error)) != STATUS_OK ||
        (status = path_read(json, "test_file", at, &set->test_file, error)) != STATUS_OK ||
        (status = path_read(json, "split_file", at, &set->split_file, error)) != STATUS_OK ||
        (status = counts_read(json, at, set, error)) != STATUS_OK)
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

static enum status sets_read(struct manifest *manifest, const cJSON *json, const char *path, struct error *error)
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
        status = set_read(manifest, item, &at, &sets[manifest->n_sets], error);
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
    return sets_read(manifest, json, path, error);
}
