/* Reading baselines, see baseline.h. */
#include "harness/regression/baseline.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"

static enum status read_tolerances(struct baseline *baseline, const struct json_path *top, struct error *error)
{
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(baseline->json, "tolerances"), *item = NULL;
    const struct json_path place = {.file = top->file, .outer = top, .key = "tolerances"};
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (item, json) {
        const struct json_path at = {.file = top->file, .outer = &place, .key = item->string};
        char number[32];
        const char *value = cJSON_GetStringValue(item);
        if (cJSON_IsNumber(item))
            value = json_number_to_text(item->valuedouble, number, sizeof number);
        status = value ? tolerance_set(baseline->tolerances, item->string, value, &at, error)
                       : json_error(&at, error, "a number, or a text such as \"2%%\", is expected");
        if (status != STATUS_OK)
            break;
    }
    return status;
}

static enum status read_entries(struct baseline *baseline, const struct json_path *top, struct error *error)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(baseline->json, "records"), *item = NULL;
    const struct json_path place = {.file = top->file, .outer = top, .key = "records"};
    if (!cJSON_IsArray(list))
        return json_error(&place, error, "a list of records is expected");
    baseline->entries.items = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *baseline->entries.items);
    if (!baseline->entries.items)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", top->file);
    cJSON_ArrayForEach (item, list) {
        const struct json_path at = {.file = top->file, .outer = &place, .index = baseline->entries.count};
        enum status status = count_record_take(item, &at, &baseline->entries.items[baseline->entries.count++], error);
        if (status != STATUS_OK)
            return status;
    }
    const struct count_record *twice = count_records_sort(&baseline->entries);
    return twice ? json_error(&place, error, "%s, %s, split %zu, params %s stands there twice", twice->solver,
                              twice->dataset, twice->split, twice->params)
                 : STATUS_OK;
}

static enum status read_members(struct baseline *baseline, const struct json_path *top, struct error *error)
{
    static const char *const keys[] = {"schema",     "config",  "config_sha256", "data",
                                       "tolerances", "history", "records",       NULL};
    double schema = 0;
    enum status status = json_check_keys(baseline->json, top, keys, error);
    if (status == STATUS_OK)
        status = json_number(baseline->json, "schema", top, 1, 0, 1, &schema, error);
    if (status == STATUS_OK)
        status = json_text(baseline->json, "config", top, 1, &baseline->config, error);
    if (status == STATUS_OK)
        status = json_text(baseline->json, "config_sha256", top, 1, &baseline->config_hash, error);
    baseline->data = cJSON_GetObjectItemCaseSensitive(baseline->json, "data");
    if (status == STATUS_OK && !cJSON_IsObject(baseline->data))
        status = json_error(top, error, "\"data\" has to be an object of data sets and their SHA-256");
    if (status == STATUS_OK && !cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(baseline->json, "history")))
        status = json_error(top, error, "\"history\" has to be a list");
    if (status == STATUS_OK)
        status = read_tolerances(baseline, top, error);
    return status == STATUS_OK ? read_entries(baseline, top, error) : status;
}

enum status baseline_read(const char *path, struct baseline *baseline, struct error *error)
{
    const struct json_path top = {.file = path};
    *baseline = (struct baseline){0};
    enum status status = json_read(path, &baseline->json, error);
    if (status == STATUS_OK)
        status = read_members(baseline, &top, error);
    if (status != STATUS_OK)
        baseline_free(baseline);
    return status;
}

void baseline_free(struct baseline *baseline)
{
    count_records_free(&baseline->entries);
    cJSON_Delete(baseline->json);
    *baseline = (struct baseline){0};
}
