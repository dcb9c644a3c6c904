/*
 * Reads records.jsonl. Every line must be an object with the keys on which all later stages rely; other numbers are
 * looked up by name, so new members of the format need no code here. Two records of the same measurement (same data
 * set, split, solver, params, kernel and stop) must agree: statistics over both would count one split twice, and if
 * they differ it is unknown which one is right.
 */
#include "harness/records/record.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/run/unit.h"
#include "harness/support/json_field.h"
#include "harness/support/json_text.h"

const char *const record_field_names[RECORD_FIELDS] = {
    [FIELD_ERROR] = "error_percent",
    [FIELD_SUPPORT_VECTORS] = "support_vectors",
    [FIELD_ITERATIONS] = "iterations",
    [FIELD_KERNEL_OPERATIONS] = "kernel_operations.iterations",
    [FIELD_SETUP_OPERATIONS] = "kernel_operations.setup",
    [FIELD_PREDICT_OPERATIONS] = "kernel_operations.predict",
    [FIELD_KERNEL_EVALUATIONS] = "kernel_evaluations",
    [FIELD_OBJECTIVE] = "objective",
    [FIELD_DUALITY_GAP] = "duality_gap",
};

const char *const record_number_fields[] = {
    "iterations",      "kernel_operations.setup", "kernel_operations.iterations", "kernel_operations.predict",
    "kernel_evaluations", "support_vectors",      "error_percent",                "objective",
    "duality_gap",     "kkt_violation",           "bias",                         "feasibility",
    "mu_effective",    "mu_floor",                "rch_mu",                       NULL};

static const char *const split_sources[] = {"official", "resampled", "generated", "fold", NULL};
static const char *const outcomes[] = {"converged",  "iteration-limit", "operation-limit",
                                       "time-limit", "stalled",         "failed",          NULL};

/* ---- strings ---- */

/* The file's only copy of the string. */
static const char *shared_text(struct record_file *file, const char *text)
{
    const size_t place = name_order_add_copy(&file->texts, text); /* may move the names */
    return file->texts.names[place];
}

/* "FILE:LINE" or similar. */
static const char *numbered(struct record_file *file, const char *between, size_t number, const char *after)
{
    char *made = xasprintf("%s%s%zu%s", file->path, between, number, after);
    const char *text = shared_text(file, made);
    free(made);
    return text;
}

static const char *shared_json(struct record_file *file, const cJSON *value)
{
    char *printed = cJSON_PrintUnformatted(value);
    const char *text = shared_text(file, printed);
    cJSON_free(printed);
    return text;
}

/* ---- one record ---- */

static enum status take_text(struct record_file *file, const struct record *record, const char *key,
                             const char *const *allowed, const char **text, struct error *error)
{
    const struct json_path place = {.file = record->where}, at = {.outer = &place, .key = key};
    const char *given = NULL;
    size_t n = 0;
    enum status status = json_text(record->json, key, &place, 1, &given, error);
    while (given && allowed && allowed[n] && strcmp(given, allowed[n]) != 0)
        n++;
    if (given && allowed && !allowed[n])
        return json_unknown_name(&at, key, given, allowed, error);
    *text = given ? shared_text(file, given) : NULL;
    return status;
}

static enum status take_object(struct record_file *file, const struct record *record, const char *key,
                               const cJSON **object, const char **text, struct error *error)
{
    const struct json_path place = {.file = record->where}, at = {.outer = &place, .key = key};
    *object = cJSON_GetObjectItemCaseSensitive(record->json, key);
    if (!cJSON_IsObject(*object))
        return json_error(&at, error, "expected an object");
    *text = shared_json(file, *object);
    return STATUS_OK;
}

static enum status take_count(const struct record *record, const char *key, size_t max, size_t *value,
                              struct error *error)
{
    const struct json_path place = {.file = record->where};
    *value = 0;
    enum status status = json_count(record->json, key, &place, 1, max, value, error);
    return status == STATUS_OK && *value == 0 ? json_error(&place, error, "key \"%s\" is missing", key) : status;
}

/* Reads the members common to records and reference counts: the measurement, the outcome and the numbers. */
static enum status take_measurement(struct record_file *file, struct record *record, struct error *error)
{
    enum status status = take_count(record, "split", 1000000000, &record->split, error);
    if (status == STATUS_OK)
        status = take_text(file, record, "dataset", NULL, &record->dataset, error);
    if (status == STATUS_OK)
        status = take_text(file, record, "solver", NULL, &record->solver, error);
    if (status == STATUS_OK)
        status = take_text(file, record, "outcome", outcomes, &record->outcome, error);
    if (status == STATUS_OK)
        status = take_object(file, record, "params", &record->params, &record->params_text, error);
    if (status == STATUS_OK)
        status = take_object(file, record, "kernel", &record->kernel, &record->kernel_text, error);
    if (status == STATUS_OK)
        status = take_object(file, record, "stop", &record->stop, &record->stop_text, error);
    record->seconds = (double)NAN;
    for (size_t field = 0; field < RECORD_FIELDS; field++) {
        record->field[field] = (double)NAN;
        record_number(record, record_field_names[field], &record->field[field]);
    }
    return status;
}

/* Collects the members of params, kernel and stop; the kernel's type and the stopping rule are named after their
 * object. */
static void take_settings(struct record_file *file, struct record *record)
{
    const cJSON *const objects[] = {record->params, record->kernel, record->stop}, *value;
    static const char *const kinds[][2] = {{"", "params"}, {"type", "kernel"}, {"rule", "stop"}};
    size_t n = 0;
    for (size_t i = 0; i < 3; i++)
        n += (size_t)cJSON_GetArraySize(objects[i]);
    record->settings = xcalloc(n + 1, sizeof *record->settings);
    for (size_t i = 0; i < 3; i++)
        cJSON_ArrayForEach (value, objects[i]) {
            const char *name = strcmp(value->string, kinds[i][0]) == 0 ? kinds[i][1] : value->string;
            record->settings[record->n_settings++] = (struct setting){
                .name = shared_text(file, name),
                .text = cJSON_IsString(value) ? shared_text(file, value->valuestring) : shared_json(file, value),
                .number = cJSON_IsNumber(value) ? value->valuedouble : (double)NAN,
                .of_kernel = objects[i] == record->kernel};
        }
}

static enum status take_record(struct record_file *file, struct record *record, struct error *error)
{
    struct json_fault fault = {.at = record->text, .why = "expected {"};
    size_t schema;
    record->json = json_parse_text(record->text, &fault);
    if (!record->json && !fault.at)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", record->where);
    if (!cJSON_IsObject(record->json))
        return error_set(error, STATUS_BAD_INPUT, "%s: not one JSON object (column %td of %zu): %s", record->where,
                         fault.at - record->text + 1, strlen(record->text), fault.why);
    enum status status = take_count(record, "schema", RECORD_SCHEMA, &schema, error);
    if (status == STATUS_OK)
        status = take_text(file, record, "split_source", split_sources, &record->split_source, error);
    if (status == STATUS_OK)
        status = take_measurement(file, record, error);
    if (status != STATUS_OK)
        return status;
    record->converged = strcmp(record->outcome, "converged") == 0;
    record->stalled = strcmp(record->outcome, "stalled") == 0;
    record->failed = strcmp(record->outcome, "failed") == 0;
    record->at_limit = !record->converged && !record->stalled && !record->failed;
    record->resampled = strcmp(record->split_source, "resampled") == 0;
    record->generated = strcmp(record->split_source, "generated") == 0;
    take_settings(file, record);
    return STATUS_OK;
}

int record_number(const struct record *record, const char *field, double *value)
{
    const cJSON *item = record->json;
    char name[64];
    while (item && *field) {
        size_t length = strcspn(field, ".");
        if (length >= sizeof name)
            return 0;
        memcpy(name, field, length);
        name[length] = '\0';
        item = cJSON_GetObjectItemCaseSensitive(item, name);
        field += length + (field[length] == '.');
    }
    if (!cJSON_IsNumber(item))
        return 0;
    *value = item->valuedouble;
    return 1;
}

static const struct setting *find_setting(const struct record *record, size_t first, size_t count, const char *name)
{
    for (size_t i = first; i < first + count && i < record->n_settings; i++)
        if (strcmp(record->settings[i].name, name) == 0)
            return &record->settings[i];
    return NULL;
}

const struct setting *record_setting(const struct record *record, const char *name)
{
    static const char *const groups[] = {"params", "kernel", "stop"}, *const kinds[] = {"", "type", "rule"};
    const cJSON *const objects[] = {record->params, record->kernel, record->stop};
    const struct setting *setting = find_setting(record, 0, record->n_settings, name);
    for (size_t g = 0, first = 0; !setting && g < 3 && strchr(name, '.'); g++) {
        const size_t count = (size_t)cJSON_GetArraySize(objects[g]), length = strlen(groups[g]);
        const char *rest = name + length + 1;
        if (strncmp(name, groups[g], length) == 0 && name[length] == '.')
            setting = find_setting(record, first, count, strcmp(rest, kinds[g]) == 0 ? groups[g] : rest);
        first += count;
    }
    return setting;
}

/* ---- lists ---- */

void records_add(struct records *records, const struct record *record)
{
    if (records->count == records->capacity) {
        records->capacity = records->capacity ? 2 * records->capacity : 256;
        records->items = xreallocarray(records->items, records->capacity, sizeof *records->items);
    }
    records->items[records->count++] = record;
}

void records_append(struct records *records, const struct records *more)
{
    for (size_t i = 0; i < more->count; i++)
        records_add(records, more->items[i]);
}

void records_free(struct records *records)
{
    if (!records)
        return;
    free(records->items);
    *records = (struct records){0};
}

int record_same_settings(const struct record *a, const struct record *b)
{
    return strcmp(a->params_text, b->params_text) == 0 && strcmp(a->kernel_text, b->kernel_text) == 0 &&
           strcmp(a->stop_text, b->stop_text) == 0;
}

int record_compare(const struct record *a, const struct record *b)
{
    int order = strcmp(a->dataset, b->dataset);
    order = order ? order : (a->split > b->split) - (a->split < b->split);
    order = order ? order : strcmp(a->solver, b->solver);
    order = order ? order : strcmp(a->params_text, b->params_text);
    order = order ? order : strcmp(a->kernel_text, b->kernel_text);
    return order ? order : strcmp(a->stop_text, b->stop_text);
}

/* Elements point into a list of records. */
static int compare_places(const void *left, const void *right)
{
    const struct record *const *a = *(const struct record **const *)left, *const *b =
                                                                              *(const struct record **const *)right;
    int order = record_compare(*a, *b);
    return order ? order : (a > b) - (a < b);
}

/* The first member of `a` that `b` lacks or whose value differs in `b`; NULL if there is none. The name of the
 * configuration and the number of the schema are ignored. */
static const char *first_difference(const struct record *a, const struct record *b)
{
    for (const cJSON *item = a->json->child; item; item = item->next)
        if (strcmp(item->string, "config") != 0 && strcmp(item->string, "schema") != 0 &&
            !cJSON_Compare(item, cJSON_GetObjectItemCaseSensitive(b->json, item->string), 1))
            return item->string;
    return NULL;
}

static enum status refuse_contradiction(const struct record *first, const struct record *other, const char *field,
                                        struct error *error)
{
    char *now = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(other->json, field));
    char *before = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(first->json, field));
    enum status status = error_set(error, STATUS_BAD_INPUT,
                                   "%s: contradicts %s: both are of %s, split %zu, %s, params %s, kernel %s, stop %s, "
                                   "but \"%s\" is %s here and %s there; one of them is wrong, or their budgets differ, "
                                   "which records do not contain",
                                   other->where, first->where, other->dataset, other->split, other->solver,
                                   other->params_text, other->kernel_text, other->stop_text, field,
                                   now ? now : "missing", before ? before : "missing");
    cJSON_free(now);
    cJSON_free(before);
    return status;
}

/* Keeps the first of equal records and refuses contradicting ones. */
static enum status drop_repeats(struct records *records, struct error *error)
{
    const struct record ***order = xcalloc(records->count + 1, sizeof *order);
    enum status status = STATUS_OK;
    size_t left = 0;
    for (size_t i = 0; i < records->count; i++)
        order[i] = &records->items[i];
    qsort(order, records->count, sizeof *order, compare_places);
    for (size_t i = 1, kept = 0; i < records->count && status == STATUS_OK; i++) {
        const struct record *first = *order[kept], *other = *order[i];
        if (record_compare(first, other) != 0) {
            kept = i;
            continue;
        }
        const char *field = first_difference(first, other);
        field = field ? field : first_difference(other, first);
        if (field)
            status = refuse_contradiction(first, other, field, error);
        *order[i] = NULL;
    }
    for (size_t i = 0; i < records->count; i++)
        if (records->items[i])
            records->items[left++] = records->items[i];
    records->count = left;
    free(order);
    return status;
}

enum status records_join(struct records *records, const struct records *more, struct error *error)
{
    records_append(records, more);
    return drop_repeats(records, error);
}

/* ---- files ---- */

enum status record_file_read_lines(const char *path, struct record_file *file, struct error *error)
{
    *file = (struct record_file){.path = xstrdup(path)};
    return lines_read(path, &file->lines, error);
}

enum status record_file_parse(struct record_file *file, struct error *error)
{
    file->all = xcalloc(file->lines.count + 1, sizeof *file->all);
    for (size_t i = 0; i < file->lines.count; i++) {
        struct record *record = &file->all[file->n_all++];
        *record = (struct record){.where = numbered(file, ":", i + 1, ""), .text = file->lines.line[i]};
        enum status status = take_record(file, record, error);
        if (status != STATUS_OK)
            return status;
        records_add(&file->records, record);
    }
    return drop_repeats(&file->records, error);
}

enum status record_file_read(const char *path, struct record_file *file, struct error *error)
{
    enum status status = record_file_read_lines(path, file, error);
    return status == STATUS_OK ? record_file_parse(file, error) : status;
}

enum status record_file_take(const char *path, struct cJSON *list, struct record_file *file, struct error *error)
{
    enum status status = STATUS_OK;
    *file = (struct record_file){.path = xstrdup(path)};
    file->all = xcalloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *file->all);
    while (status == STATUS_OK && list->child) {
        struct record *record = &file->all[file->n_all];
        *record = (struct record){.where = numbered(file, ": records[", file->n_all, "]"),
                                  .json = cJSON_DetachItemFromArray(list, 0)};
        file->n_all++;
        status = take_measurement(file, record, error);
        records_add(&file->records, record);
    }
    return status;
}

void record_file_free(struct record_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->n_all; i++) {
        cJSON_Delete(file->all[i].json);
        free(file->all[i].settings);
    }
    free(file->all);
    records_free(&file->records);
    name_order_free(&file->texts);
    lines_free(&file->lines);
    free(file->path);
    *file = (struct record_file){0};
}
