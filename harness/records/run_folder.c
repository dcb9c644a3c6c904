/* Reading a finished run's folder, see finished.h. */
#include "harness/records/run_folder.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/json_field.h"
#include "harness/support/file.h"
#include "harness/records/folder_kind.h"
#include "harness/run/plan_fingerprint.h"

static enum status read_text(const char *folder, const char *name, char **text, struct error *error)
{
    char *path = path_join(folder, name);
    enum status status =
        path ? file_read(path, text, NULL, error) : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    free(path);
    return status;
}

static enum status read_about(const char *folder, struct cJSON **about, struct error *error)
{
    char *path = path_join(folder, "run.json");
    enum status status =
        path ? json_read(path, about, error) : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    free(path);
    if (status == STATUS_NOT_FOUND && folder_check_whole(folder, error) == STATUS_OK)
        error_set(error, status, "%s: no finished run is there: run.json is missing", folder);
    if (status == STATUS_NOT_FOUND && error)
        error->status = status;
    return status;
}

static enum status take_restrictions(struct finished *finished, const struct json_path *top, struct error *error)
{
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(finished->about, "restricted_to");
    const struct json_path place = {.file = top->file, .outer = top, .key = "restricted_to"};
    double shard = 1, shards = 1;
    enum status status = json_text(json, "solvers", &place, 0, &finished->solvers, error);
    if (status == STATUS_OK)
        status = json_text(json, "datasets", &place, 0, &finished->datasets, error);
    if (status == STATUS_OK)
        status = json_text(json, "splits", &place, 0, &finished->splits, error);
    if (status == STATUS_OK)
        status = json_integer(json, "shards", &place, 0, 1e6, &shards, error);
    if (status == STATUS_OK)
        status = json_integer(json, "shard", &place, 0, shards, &shard, error);
    finished->shard = (size_t)shard;
    finished->shards = (size_t)shards;
    return status;
}

static enum status take_members(struct finished *finished, const struct json_path *place, struct error *error)
{
    double records = -1, units = 0;
    enum status status = json_text(finished->about, "plan", place, 1, &finished->plan, error);
    if (status == STATUS_OK)
        status = json_text(finished->about, "version", place, 1, &finished->version, error);
    if (status == STATUS_OK)
        status = json_integer(finished->about, "records", place, -1, 1e15, &records, error);
    if (status == STATUS_OK && records < 0)
        return json_error(place, error, "key \"records\" is missing");
    if (status == STATUS_OK)
        status = json_integer(finished->about, "units_of_plan", place, -1, 1e15, &units, error);
    if (status == STATUS_OK && cJSON_HasObjectItem(finished->about, "partial"))
        return json_error(place, error, "a result that lacks parts; give the folders it was made of");
    finished->records = (size_t)records;
    finished->units_of_plan = (size_t)units;
    return status == STATUS_OK ? take_restrictions(finished, place, error) : status;
}

/* Appends the member sha256 of each element of the list; returns how many. */
static size_t add_hashes(const cJSON *list, const char **sha256)
{
    const cJSON *item = NULL;
    size_t count = 0;
    cJSON_ArrayForEach (item, list) {
        const char *hash = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "sha256"));
        sha256[count++] = hash ? hash : "";
    }
    return count;
}

/* Whether configuration, restrictions and files named in the folder give the plan it says it has. */
static enum status compare_plan(struct finished *finished, struct error *error)
{
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(finished->about, "data");
    const cJSON *plugins = cJSON_GetObjectItemCaseSensitive(finished->about, "plugins");
    const char **sha256 = calloc((size_t)(cJSON_GetArraySize(data) + cJSON_GetArraySize(plugins)) + 1, sizeof *sha256);
    struct plan_fingerprint identity = {.version = finished->version,
                                     .config = finished->config,
                                     .solvers = finished->solvers,
                                     .datasets = finished->datasets,
                                     .splits = finished->splits,
                                     .shard = finished->shard,
                                     .shards = finished->shards,
                                     .sha256 = sha256};
    if (!sha256)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", finished->folder);
    identity.n_files = add_hashes(data, sha256);
    identity.n_files += add_hashes(plugins, sha256 + identity.n_files);
    char plan[24];
    snprintf(plan, sizeof plan, "%016" PRIx64, plan_fingerprint_hash(&identity));
    free(sha256);
    finished->plan_agrees = strcmp(plan, finished->plan) == 0;
    return STATUS_OK;
}

enum status finished_read(const char *folder, struct finished *finished, struct error *error)
{
    *finished = (struct finished){.folder = folder};
    char *path = path_join(folder, "run.json");
    const struct json_path place = {.file = path};
    enum status status = path ? read_about(folder, &finished->about, error)
                              : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    if (status == STATUS_OK)
        status = folder_check_kind(folder, FOLDER_OF_RUN, error);
    if (status == STATUS_OK) {
        status = read_text(folder, "config.json", &finished->config, error);
        if (status == STATUS_NOT_FOUND)
            status = error->status = STATUS_BAD_INPUT;
    }
    if (status == STATUS_OK)
        status = take_members(finished, &place, error);
    if (status == STATUS_OK)
        status = compare_plan(finished, error);
    free(path);
    if (status != STATUS_OK)
        finished_free(finished);
    return status;
}

void finished_free(struct finished *finished)
{
    if (!finished)
        return;
    free(finished->config);
    cJSON_Delete(finished->about);
    *finished = (struct finished){0};
}

static const cJSON *entry_of(const cJSON *list, const char *dataset)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dataset"));
        if (name && strcmp(name, dataset) == 0)
            return item;
    }
    return NULL;
}

static const char *member_of(const struct finished *finished, const char *list, const char *dataset, const char *key)
{
    const cJSON *item = entry_of(cJSON_GetObjectItemCaseSensitive(finished->about, list), dataset);
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, key));
}

const char *finished_data(const struct finished *finished, const char *dataset)
{
    return member_of(finished, "data", dataset, "sha256");
}

const char *finished_source(const struct finished *finished, const char *dataset)
{
    return member_of(finished, "data", dataset, "source");
}

int finished_has_plugin(const struct finished *finished, const char *sha256)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(finished->about, "plugins")) {
        const char *hash = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "sha256"));
        if (hash && strcmp(hash, sha256) == 0)
            return 1;
    }
    return 0;
}

const char *finished_missing(const struct finished *finished, const char *dataset)
{
    return member_of(finished, "missing", dataset, "reason");
}
