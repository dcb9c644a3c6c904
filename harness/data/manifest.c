/*
 * The manifest is data that ships with the program, but it can be edited, so every key is checked when it is read and
 * nothing after this file looks at JSON. The structs point into the parsed tree, which the manifest keeps.
 */
#include "harness/data/manifest.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/support/resource.h"

static const double largest_count = 1e9;

/* Where a key is looked up, for the message. */
struct json_path {
    const char *path, *list;
    size_t number;
    const cJSON *object;
};

static enum status text_get(const struct json_path *at, const char *key, int required, const char **text,
                            struct error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(at->object, key);
    *text = NULL;
    if (!item && !required)
        return STATUS_OK;
    if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
        return error_set(error, STATUS_BAD_INPUT, "%s: %s[%zu].%s: has to be a string that is not empty", at->path,
                         at->list, at->number, key);
    *text = item->valuestring;
    return STATUS_OK;
}

static enum status count_get(const struct json_path *at, const char *key, size_t *count, struct error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(at->object, key);
    double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (!(value >= 1 && value <= largest_count) || value != floor(value))
        return error_set(error, STATUS_BAD_INPUT, "%s: %s[%zu].%s: has to be a whole number from 1 to %.0f", at->path,
                         at->list, at->number, key, largest_count);
    *count = (size_t)value;
    return STATUS_OK;
}

static enum status list_get(const char *path, const cJSON *json, const char *key, const cJSON **list, size_t *count,
                            struct error *error)
{
    *list = cJSON_GetObjectItemCaseSensitive(json, key);
    *count = 0;
    if (!cJSON_IsArray(*list) || cJSON_GetArraySize(*list) < 1)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s: has to be a list with at least one entry", path, key);
    *count = (size_t)cJSON_GetArraySize(*list);
    return STATUS_OK;
}

static enum status file_entry(const struct json_path *at, struct manifest_file *file, struct error *error)
{
    enum status status = text_get(at, "name", 1, &file->name, error);
    if (status == STATUS_OK)
        status = text_get(at, "subfolder", 0, &file->subfolder, error);
    if (status == STATUS_OK)
        status = text_get(at, "url", 0, &file->url, error);
    if (status == STATUS_OK)
        status = text_get(at, "sha256", 1, &file->sha256, error);
    if (status == STATUS_OK && (strlen(file->sha256) != 64 || strspn(file->sha256, "0123456789abcdef") != 64))
        status = error_set(error, STATUS_BAD_INPUT, "%s: %s[%zu].sha256: has to be 64 lower-case hexadecimal digits",
                           at->path, at->list, at->number);
    return status;
}

static enum status set_files(const struct json_path *at, const struct manifest *manifest, struct manifest_set *set,
                             struct error *error)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(at->object, "files"), *item = NULL;
    int count = cJSON_GetArraySize(list);
    if (!cJSON_IsArray(list) || count < 1 || count > MANIFEST_FILES_PER_SET)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s[%zu].files: has to be a list of 1 to %d file names", at->path,
                         at->list, at->number, MANIFEST_FILES_PER_SET);
    cJSON_ArrayForEach(item, list) {
        const char *name = cJSON_IsString(item) ? item->valuestring : "";
        size_t i = 0;
        while (i < manifest->n_files && strcmp(manifest->files[i].name, name) != 0)
            i++;
        if (i == manifest->n_files)
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: %s[%zu].files: \"%.40s\" is not the name of an entry of files", at->path, at->list,
                             at->number, name);
        set->files[set->n_files++] = &manifest->files[i];
    }
    return STATUS_OK;
}

static enum status set_counts(const struct json_path *at, struct manifest_set *set, struct error *error)
{
    const struct {
        const char *key;
        size_t *count;
    } counts[] = {
        {"rows", &set->rows},       {"dims", &set->dims},     {"positives", &set->positives},
        {"n_train", &set->n_train}, {"n_test", &set->n_test}, {"splits", &set->splits},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        enum status status = count_get(at, counts[i].key, counts[i].count, error);
        if (status != STATUS_OK)
            return status;
    }
    if (set->n_train + set->n_test > set->rows || set->positives >= set->rows)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: %s[%zu].rows: %zu is less than n_train + n_test or positives + 1", at->path, at->list,
                         at->number, set->rows);
    return STATUS_OK;
}

static enum status set_entry(const struct json_path *at, const struct manifest *manifest, struct manifest_set *set,
                             struct error *error)
{
    const struct {
        const char *key;
        int required;
        const char **text;
    } texts[] = {
        {"name", 1, &set->name},         {"title", 1, &set->title},   {"format", 1, &set->format},
        {"variable", 0, &set->variable}, {"source", 1, &set->source}, {"licence", 1, &set->licence},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        enum status status = text_get(at, texts[i].key, texts[i].required, texts[i].text, error);
        if (status != STATUS_OK)
            return status;
    }
    int matlab = strcmp(set->format, "matlab") == 0;
    if (!matlab && strcmp(set->format, "wisconsin") != 0 && strcmp(set->format, "sonar") != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s[%zu].format: \"%.40s\" is not matlab, wisconsin or sonar",
                         at->path, at->list, at->number, set->format);
    if (matlab != (set->variable != NULL))
        return error_set(error, STATUS_BAD_INPUT, "%s: %s[%zu].variable: goes with format \"matlab\", and only with it",
                         at->path, at->list, at->number);
    const cJSON *made = cJSON_GetObjectItemCaseSensitive(at->object, "made");
    if (made && !cJSON_IsBool(made))
        return error_set(error, STATUS_BAD_INPUT, "%s: %s[%zu].made: has to be true or false", at->path, at->list,
                         at->number);
    set->made = cJSON_IsTrue(made);
    enum status status = set_counts(at, set, error);
    return status == STATUS_OK ? set_files(at, manifest, set, error) : status;
}

static enum status fill(const char *path, struct manifest *manifest, struct error *error)
{
    const cJSON *files = NULL, *sets = NULL, *item = NULL;
    enum status status = list_get(path, manifest->json, "files", &files, &manifest->n_files, error);
    if (status == STATUS_OK)
        status = list_get(path, manifest->json, "datasets", &sets, &manifest->n_sets, error);
    if (status != STATUS_OK)
        return status;
    manifest->files = calloc(manifest->n_files, sizeof *manifest->files);
    manifest->sets = calloc(manifest->n_sets, sizeof *manifest->sets);
    if (!manifest->files || !manifest->sets)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    size_t i = 0;
    cJSON_ArrayForEach(item, files) {
        const struct json_path at = {path, "files", i, item};
        status = file_entry(&at, &manifest->files[i++], error);
        if (status != STATUS_OK)
            return status;
    }
    i = 0;
    cJSON_ArrayForEach(item, sets) {
        const struct json_path at = {path, "datasets", i, item};
        status = set_entry(&at, manifest, &manifest->sets[i++], error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status manifest_read(const char *path, struct manifest **manifest, struct error *error)
{
    *manifest = NULL;
    struct manifest *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    enum status status = json_read(path, &made->json, error);
    if (status == STATUS_OK)
        status = fill(path, made, error);
    if (status == STATUS_OK)
        *manifest = made;
    else
        manifest_free(made);
    return status;
}

/* folder/datasets.json, where there is one */
static enum status add_folder(struct manifest *manifest, const char *folder, struct error *error)
{
    char *path = path_join(folder, "datasets.json");
    enum status status = STATUS_OK;
    if (!path)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    if (access(path, F_OK) == 0)
        status = manifest_add_own(manifest, path, error);
    free(path);
    return status;
}

static enum status add_folders(struct manifest *manifest, const char *search_path, struct error *error)
{
    char *folders = strdup(search_path ? search_path : ""), *rest = NULL;
    enum status status = STATUS_OK;
    if (!folders)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", search_path);
    for (char *folder = strtok_r(folders, ":", &rest); folder && status == STATUS_OK;
         folder = strtok_r(NULL, ":", &rest))
        status = add_folder(manifest, folder, error);
    free(folders);
    return status;
}

enum status manifest_load(const char *search_path, struct manifest **manifest, struct error *error)
{
    char *path = NULL;
    *manifest = NULL;
    enum status status = resource_find("datasets/manifest.json", &path, error);
    if (status == STATUS_OK)
        status = manifest_read(path, manifest, error);
    free(path);
    if (status == STATUS_OK && (status = add_folders(*manifest, search_path, error)) != STATUS_OK) {
        manifest_free(*manifest);
        *manifest = NULL;
    }
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
    free(manifest->own);
    free(manifest->files);
    free(manifest->sets);
    cJSON_Delete(manifest->json);
    free(manifest);
}
