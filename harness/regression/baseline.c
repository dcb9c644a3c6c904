/*
 * Reading and writing baselines. Every record, data set and change of the past has a line of its own, in a fixed order,
 * so that the difference of two versions shows what moved and nothing else.
 */
#include "harness/regression/baseline.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/program/json_writer.h"
#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/support/sha256.h"

/* ---- reading ---- */

enum status run_counts_read(const char *path, struct run_counts *measured, struct error *error)
{
    struct run_folder *folder = &measured->folder;
    struct error cause = {0};
    *measured = (struct run_counts){0};
    enum status status = run_folder_read(path, FOLDER_FINISHED, folder, &cause);
    if (status != STATUS_OK)
        return error_set(error, status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status, "%s", cause.message);
    if (!folder->run.config)
        return error_set(error, STATUS_BAD_INPUT, "%s/run.json: key \"config\" is missing", path);
    sha256_hex(folder->config_text, strlen(folder->config_text), measured->config_hash);
    status = run_folder_read_records(folder, error);
    if (status != STATUS_OK)
        return status;
    /* Times are for show: a folder without them, or with those of other records, is judged all the same. */
    status = run_folder_read_times(folder, error);
    if (status != STATUS_OK && status != STATUS_NOT_FOUND && status != STATUS_BAD_INPUT)
        return status;
    records_append(&measured->entries, &folder->file.records);
    return counts_sort(&measured->entries, error);
}

void run_counts_free(struct run_counts *measured)
{
    records_free(&measured->entries);
    run_folder_free(&measured->folder);
}

static enum status read_tolerances(struct baseline *baseline, const struct json_path *top, struct error *error)
{
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(baseline->json, "tolerances"), *item = NULL;
    const struct json_path place = {.outer = top, .key = "tolerances"};
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (item, json) {
        const struct json_path at = {.outer = &place, .key = item->string};
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

static enum status read_members(struct baseline *baseline, const struct json_path *top, struct error *error)
{
    static const char *const keys[] = {"schema",     "config",  "config_sha256", "data",
                                       "tolerances", "history", "records",       NULL};
    const struct json_path place = {.outer = top, .key = "records"};
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
    cJSON *list = cJSON_GetObjectItemCaseSensitive(baseline->json, "records");
    if (status == STATUS_OK && !cJSON_IsArray(list))
        status = json_error(&place, error, "a list of records is expected");
    if (status == STATUS_OK)
        status = record_file_take(top->file, list, &baseline->file, error);
    if (status != STATUS_OK)
        return status;
    records_append(&baseline->entries, &baseline->file.records);
    return counts_sort(&baseline->entries, error);
}

enum status baseline_read(const char *path, struct baseline *baseline, struct error *error)
{
    const struct json_path top = {.file = path};
    *baseline = (struct baseline){0};
    enum status status = json_read(path, &baseline->json, error);
    return status == STATUS_OK ? read_members(baseline, &top, error) : status;
}

void baseline_free(struct baseline *baseline)
{
    records_free(&baseline->entries);
    record_file_free(&baseline->file);
    cJSON_Delete(baseline->json);
    *baseline = (struct baseline){0};
}

/* ---- writing ---- */

/* The members of a record that a baseline keeps. */
static void put_record(cJSON *list, const struct record *record)
{
    static const char *const keys[] = {"solver",     "dataset",           "split",
                                       "params",     "kernel",            "stop",
                                       "outcome",    "iterations",        "kernel_operations",
                                       "kernel_evaluations", "support_vectors"};
    cJSON *json = json_add_object(list);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        json_put_copy(json, keys[k], cJSON_GetObjectItemCaseSensitive(record->json, keys[k]));
}

/* Both lists are sorted: what is in both, or only in the run's, is taken from the run. */
static void put_records(cJSON *list, const struct records *old, const struct records *now)
{
    for (size_t o = 0, n = 0; o < old->count || n < now->count;) {
        int order = o == old->count ? 1 : n == now->count ? -1 : counts_compare(old->items[o], now->items[n]);
        put_record(list, order < 0 ? old->items[o] : now->items[n]);
        o += order <= 0;
        n += order >= 0;
    }
}

static int by_key(const void *a, const void *b)
{
    const cJSON *const *x = a, *const *y = b;
    return strcmp((*x)->string, (*y)->string);
}

/* Data sets by name; of one that both have, the run's. */
static void put_data(cJSON *json, const cJSON *old, const struct run_info *run)
{
    cJSON *all = json_new_object();
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, old)
        json_put_copy(all, item->string, item);
    for (size_t d = 0; d < run->n_data; d++) {
        if (!run->data[d].dataset)
            continue;
        cJSON_DeleteItemFromObjectCaseSensitive(all, run->data[d].dataset);
        json_put_text(all, run->data[d].dataset, run->data[d].sha256);
    }
    size_t count = 0;
    const cJSON **sorted = xcalloc((size_t)cJSON_GetArraySize(all) + 1, sizeof *sorted);
    cJSON_ArrayForEach (item, all)
        sorted[count++] = item;
    qsort(sorted, count, sizeof *sorted, by_key);
    for (size_t i = 0; i < count; i++)
        json_put_copy(json, sorted[i]->string, sorted[i]);
    free(sorted);
    cJSON_Delete(all);
}

static void put_change(cJSON *history, const struct baseline_change *change, const char *version)
{
    char date[32] = "";
    time_t clock = time(NULL);
    struct tm utc;
    if (gmtime_r(&clock, &utc))
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    cJSON *json = json_add_object(history);
    json_put_text(json, "date", date);
    json_put_text(json, "by", change->by);
    json_put_text(json, "version", version);
    json_put_number(json, "moved", (double)change->moved);
    json_put_text(json, "message", change->message);
}

/* A copy of the old baseline's member, or an empty one. */
static cJSON *put_old(cJSON *json, const struct baseline *old, const char *key, cJSON *(*empty)(cJSON *, const char *))
{
    const cJSON *item = old ? cJSON_GetObjectItemCaseSensitive(old->json, key) : NULL;
    return item ? json_put_copy(json, key, item) : empty(json, key);
}

/* "KEY": JSON, as far as the item has a key. */
static void write_item(FILE *stream, const cJSON *item)
{
    char *text = json_line(item), *key = item->string ? json_quoted(item->string) : NULL;
    fprintf(stream, "%s%s%s", key ? key : "", key ? ": " : "", text);
    free(text);
    free(key);
}

/* A line for each member that is no list or object, and for each element of one that is. */
static void write_lines(FILE *stream, const cJSON *json)
{
    const cJSON *member = NULL, *item = NULL;
    cJSON_ArrayForEach (member, json) {
        fputs(member == json->child ? "{\n" : ",\n", stream);
        if (!cJSON_IsArray(member) && !cJSON_IsObject(member)) {
            write_item(stream, member);
            continue;
        }
        fprintf(stream, "\"%s\": %c", member->string, cJSON_IsArray(member) ? '[' : '{');
        cJSON_ArrayForEach (item, member) {
            fputs(item == member->child ? "\n" : ",\n", stream);
            write_item(stream, item);
        }
        fprintf(stream, "%s%c", member->child ? "\n" : "", cJSON_IsArray(member) ? ']' : '}');
    }
    fputs("\n}\n", stream);
}

enum status baseline_write(const char *path, const struct baseline *old, const struct run_counts *measured, int keep,
                           const struct baseline_change *change, struct error *error)
{
    const struct run_info *run = &measured->folder.run;
    const struct baseline none = {0}, *kept = keep && old ? old : &none;
    struct outfile out;
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "config", run->config);
    json_put_text(json, "config_sha256", measured->config_hash);
    put_data(json_put_object(json, "data"), kept->data, run);
    put_old(json, old, "tolerances", json_put_object);
    put_change(put_old(json, old, "history", json_put_array), change, run->version);
    put_records(json_put_array(json, "records"), &kept->entries, &measured->entries);
    write_lines(out.stream, json);
    cJSON_Delete(json);
    return outfile_commit(&out, error);
}
