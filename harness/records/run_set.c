/*
 * A configuration names the published tables its runs are for; only those feed a table, so that a run of the same
 * solver with other settings, made for another purpose, is never mixed into a comparison with a paper.
 */
#include "harness/records/run_set.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/records/folder_kind.h"

static enum status read_file(const char *folder, const char *name, struct cJSON **json, struct error *error)
{
    char *path = path_join(folder, name);
    if (!path)
        return error_set(error, STATUS_NO_MEMORY, "%s/%s: out of memory", folder, name);
    enum status status = json_read(path, json, error);
    free(path);
    return status;
}

static enum status read_folder(struct run_folder *run, struct error *error)
{
    enum status status = folder_check_whole(run->path, error);
    if (status == STATUS_OK)
        status = read_file(run->path, "config.json", &run->config, error);
    if (status != STATUS_OK)
        return status;
    struct error absent;
    status = read_file(run->path, "run.json", &run->info, &absent);
    if (status != STATUS_OK && status != STATUS_NOT_FOUND)
        return error_set(error, status, "%s", absent.message);
    run->tables = cJSON_GetObjectItemCaseSensitive(run->config, "tables");
    if (run->tables && !cJSON_IsArray(run->tables))
        return error_set(error, STATUS_BAD_INPUT, "%s/config.json: \"tables\" must be an array of names", run->path);
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, run->tables)
        if (!cJSON_IsString(item) || !strchr(item->valuestring, '.') || strchr(item->valuestring, '/'))
            return error_set(error, STATUS_BAD_INPUT, "%s/config.json: \"tables\" holds \"%.100s\", not PAPER.TABLE",
                             run->path, cJSON_IsString(item) ? item->valuestring : "no text");
    return STATUS_OK;
}

enum status runs_read(const char *const *paths, size_t count, struct runs *runs, struct error *error)
{
    *runs = (struct runs){0};
    runs->items = calloc(count + 1, sizeof *runs->items);
    if (!runs->items)
        return error_set(error, STATUS_NO_MEMORY, "%zu run folders: out of memory", count);
    for (size_t i = 0; i < count; i++) {
        struct run_folder *run = &runs->items[runs->count++];
        run->path = paths[i];
        enum status status = read_folder(run, error);
        if (status != STATUS_OK) {
            runs_free(runs);
            return status;
        }
    }
    return STATUS_OK;
}

void runs_free(struct runs *runs)
{
    if (!runs)
        return;
    for (size_t i = 0; i < runs->count; i++) {
        cJSON_Delete(runs->items[i].config);
        cJSON_Delete(runs->items[i].info);
    }
    free(runs->items);
    *runs = (struct runs){0};
}

int run_is_for(const struct run_folder *run, const char *name)
{
    size_t length = strlen(name);
    int whole = strchr(name, '.') != NULL;
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, run->tables)
        if (whole ? strcmp(item->valuestring, name) == 0
                  : strncmp(item->valuestring, name, length) == 0 && item->valuestring[length] == '.')
            return 1;
    return 0;
}

/* A folder's file holds as many records as its run.json says, where that says so: a file cut at a line's end looks sound. */
static enum status check_count(const struct run_folder *run, const char *path, struct error *error)
{
    struct records own = {0};
    const cJSON *said = cJSON_GetObjectItemCaseSensitive(run->info, "records");
    if (cJSON_HasObjectItem(run->config, "tune"))
        return error_set(error, STATUS_BAD_INPUT, "%s: is of hullbench tune, which leaves no records; see tune.md in it", run->path);
    if (!cJSON_IsNumber(said))
        return STATUS_OK;
    enum status status = records_read(path, &own, error);
    if (status == STATUS_OK && (double)own.count != said->valuedouble)
        status = error_set(error, STATUS_BAD_INPUT, "%s: holds %zu different records, run.json says %.0f", path, own.count,
                           said->valuedouble);
    records_free(&own);
    return status;
}

enum status runs_records(const struct runs *runs, const char *name, struct records *records, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < runs->count && status == STATUS_OK; i++) {
        if (name && !run_is_for(&runs->items[i], name))
            continue;
        char *path = path_join(runs->items[i].path, "records.jsonl");
        status = path ? check_count(&runs->items[i], path, error)
                      : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", runs->items[i].path);
        if (status == STATUS_OK)
            status = records_read(path, records, error);
        free(path);
    }
    return status;
}

enum status runs_missing(const struct runs *runs, const char *name, struct cJSON **missing, struct error *error)
{
    *missing = cJSON_CreateArray();
    for (size_t i = 0; i < runs->count && *missing; i++) {
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(runs->items[i].info, "missing"), *item = NULL;
        if (name && !run_is_for(&runs->items[i], name))
            continue;
        cJSON_ArrayForEach (item, list) {
            cJSON *copy = cJSON_Duplicate(item, 1);
            if (copy && cJSON_AddItemToArray(*missing, copy))
                continue;
            cJSON_Delete(copy);
            cJSON_Delete(*missing);
            *missing = NULL;
            break;
        }
    }
    return *missing ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "what is missing: out of memory");
}
