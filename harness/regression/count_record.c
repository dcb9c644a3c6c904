/* Records of counts, see count_record.h. */
#include "harness/regression/count_record.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A count's place in a record: a member, or one of the kernel operations. */
static const struct {
    const char *name, *key;
    int phase;
} counts[COUNTS] = {
    [COUNT_ITERATIONS] = {"iterations", "iterations", 0},
    [COUNT_SETUP] = {"kernel_operations.setup", "setup", 1},
    [COUNT_UPDATES] = {"kernel_operations.iterations", "iterations", 1},
    [COUNT_PREDICT] = {"kernel_operations.predict", "predict", 1},
    [COUNT_EVALUATIONS] = {"kernel_evaluations", "kernel_evaluations", 0},
    [COUNT_SUPPORT_VECTORS] = {"support_vectors", "support_vectors", 0},
};

const char *count_name(enum count count)
{
    return counts[count].name;
}

static enum status take_text(const cJSON *json, const char *key, const struct json_path *place, char **text,
                             struct error *error)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(json, key);
    const struct json_path at = {.file = place->file, .outer = place, .key = key};
    if (!cJSON_IsObject(object))
        return json_error(&at, error, "an object is expected");
    *text = cJSON_PrintUnformatted(object);
    return *text ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", place->file);
}

static enum status take_count(const cJSON *json, enum count count, const struct json_path *place, double *value,
                              struct error *error)
{
    const cJSON *operations = cJSON_GetObjectItemCaseSensitive(json, "kernel_operations");
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(counts[count].phase ? operations : json, counts[count].key);
    const struct json_path at = {.file = place->file, .outer = place, .key = counts[count].name};
    *value = NAN;
    if (cJSON_IsNull(item) || (counts[count].phase && cJSON_IsNull(operations)))
        return STATUS_OK;
    if (!cJSON_IsNumber(item) || item->valuedouble < 0 || item->valuedouble != floor(item->valuedouble))
        return json_error(&at, error, "a whole number from 0, or null, is expected");
    *value = item->valuedouble;
    return STATUS_OK;
}

enum status count_record_take(const cJSON *json, const struct json_path *place, struct count_record *entry,
                              struct error *error)
{
    double split = 0;
    *entry = (struct count_record){.seconds = NAN};
    enum status status = json_text(json, "solver", place, 1, &entry->solver, error);
    if (status == STATUS_OK)
        status = json_text(json, "dataset", place, 1, &entry->dataset, error);
    if (status == STATUS_OK)
        status = json_text(json, "outcome", place, 1, &entry->outcome, error);
    if (status == STATUS_OK)
        status = json_number(json, "split", place, 1, 0, 1e9, &split, error);
    if (status == STATUS_OK)
        status = take_text(json, "params", place, &entry->params, error);
    if (status == STATUS_OK)
        status = take_text(json, "kernel", place, &entry->kernel, error);
    if (status == STATUS_OK)
        status = take_text(json, "stop", place, &entry->stop, error);
    for (unsigned c = 0; c < COUNTS && status == STATUS_OK; c++)
        status = take_count(json, (enum count)c, place, &entry->counts[c], error);
    entry->split = (size_t)split;
    return status;
}

void count_records_free(struct count_records *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        cJSON_free(entries->items[i].params);
        cJSON_free(entries->items[i].kernel);
        cJSON_free(entries->items[i].stop);
    }
    free(entries->items);
    *entries = (struct count_records){0};
}

int count_record_compare(const struct count_record *a, const struct count_record *b)
{
    int order = strcmp(a->solver, b->solver);
    order = order ? order : strcmp(a->dataset, b->dataset);
    order = order ? order : (a->split > b->split) - (a->split < b->split);
    order = order ? order : strcmp(a->params, b->params);
    order = order ? order : strcmp(a->kernel, b->kernel);
    return order ? order : strcmp(a->stop, b->stop);
}

static int compare(const void *a, const void *b)
{
    return count_record_compare(a, b);
}

const struct count_record *count_records_sort(struct count_records *entries)
{
    if (entries->count)
        qsort(entries->items, entries->count, sizeof *entries->items, compare);
    for (size_t i = 1; i < entries->count; i++)
        if (count_record_compare(&entries->items[i - 1], &entries->items[i]) == 0)
            return &entries->items[i - 1];
    return NULL;
}

/* {"mu":0.03,"class":"low"} as mu=0.03 class=low; of kernel and stop the first name goes without saying. */
static size_t append_plain(char *text, size_t size, size_t used, const char *object, int named)
{
    const char *at = named || !strchr(object, ':') ? object : strchr(object, ':') + 1;
    for (; *at && used + 1 < size; at++)
        if (!strchr("{}\"", *at))
            text[used++] = *at == ',' ? ' ' : *at == ':' ? '=' : *at;
    text[used] = '\0';
    return used;
}

const char *count_record_settings(const struct count_record *entry, char *text, size_t size)
{
    const char *parts[] = {entry->params, entry->kernel, entry->stop};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (used && used + 3 < size)
            used += (size_t)snprintf(text + used, size - used, ", ");
        used = append_plain(text, size, used, parts[i], i == 0);
    }
    return text;
}
