/*
 * Reading records.jsonl. Every line must be an object with the keys all later stages rely on; which numbers a record
 * holds beyond that is looked up by name, so a field added to the format needs nothing here. Two records of one
 * measurement (same data set, split, solver, params, kernel and stop) must agree: statistics over both would count one
 * split twice, and where they differ neither is known to be the right one.
 */
#include "harness/records/record.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"

static const char *const split_sources[] = {"official", "resampled", "generated", "fold"};
static const char *const outcomes[] = {"converged",  "iteration-limit", "operation-limit",
                                       "time-limit", "stalled",         "failed"};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Where a line stands, for messages. */
struct json_path {
    const char *path;
    size_t line;
};

static enum status take_text(const cJSON *json, const char *key, const char *const *allowed, size_t n_allowed,
                             const struct json_path *place, const char **text, struct error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    if (!cJSON_IsString(item) || !*item->valuestring)
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: \"%s\" must be a text that is not empty", place->path,
                         place->line, key);
    *text = item->valuestring;
    for (size_t i = 0; i < n_allowed; i++)
        if (strcmp(*text, allowed[i]) == 0)
            return STATUS_OK;
    if (n_allowed == 0)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%s:%zu: \"%s\" is \"%s\", none of %s ... %s", place->path, place->line,
                     key, *text, allowed[0], allowed[n_allowed - 1]);
}

static enum status take_object(const cJSON *json, const char *key, const struct json_path *place, const cJSON **object,
                               char **text, struct error *error)
{
    *object = cJSON_GetObjectItemCaseSensitive(json, key);
    if (!cJSON_IsObject(*object))
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: \"%s\" must be an object", place->path, place->line, key);
    *text = cJSON_PrintUnformatted(*object);
    if (!*text)
        return error_set(error, STATUS_NO_MEMORY, "%s:%zu: out of memory", place->path, place->line);
    return STATUS_OK;
}

static enum status take_whole(const cJSON *json, const char *key, double lowest, double highest,
                              const struct json_path *place, double *value, struct error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    *value = cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
    if (!(*value >= lowest && *value <= highest && floor(*value) == *value))
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: \"%s\" must be a whole number from %g to %g", place->path,
                         place->line, key, lowest, highest);
    return STATUS_OK;
}

static enum status take_fields(struct record *record, const struct json_path *place, struct error *error)
{
    double schema = 0, split = 0;
    enum status status = take_whole(record->json, "schema", 1, 1, place, &schema, error);
    if (status == STATUS_OK)
        status = take_whole(record->json, "split", 1, 1e9, place, &split, error);
    if (status == STATUS_OK)
        status = take_text(record->json, "dataset", NULL, 0, place, &record->dataset, error);
    if (status == STATUS_OK)
        status = take_text(record->json, "solver", NULL, 0, place, &record->solver, error);
    if (status == STATUS_OK)
        status = take_text(record->json, "split_source", split_sources, LENGTH(split_sources), place,
                           &record->split_source, error);
    if (status == STATUS_OK)
        status = take_text(record->json, "outcome", outcomes, LENGTH(outcomes), place, &record->outcome, error);
    if (status == STATUS_OK)
        status = take_object(record->json, "params", place, &record->params, &record->params_text, error);
    if (status == STATUS_OK)
        status = take_object(record->json, "kernel", place, &record->kernel, &record->kernel_text, error);
    if (status == STATUS_OK)
        status = take_object(record->json, "stop", place, &record->stop, &record->stop_text, error);
    record->split = status == STATUS_OK ? (size_t)split : 0;
    return status;
}

static void record_clear(struct record *record)
{
    cJSON_Delete(record->json);
    cJSON_free(record->params_text);
    cJSON_free(record->kernel_text);
    cJSON_free(record->stop_text);
    memset(record, 0, sizeof *record);
}

void records_free(struct records *records)
{
    if (!records)
        return;
    for (size_t i = 0; i < records->count; i++)
        record_clear(&records->items[i]);
    for (size_t i = 0; i < records->n_paths; i++)
        free(records->paths[i]);
    free(records->items);
    free(records->paths);
    memset(records, 0, sizeof *records);
}

static enum status append_line(struct records *records, const char *line, size_t length, const struct json_path *place,
                               struct error *error)
{
    if (records->count == records->capacity) {
        size_t wanted = records->capacity ? 2 * records->capacity : 256;
        struct record *grown = realloc(records->items, wanted * sizeof *grown);
        if (!grown)
            return error_set(error, STATUS_NO_MEMORY, "%s:%zu: out of memory", place->path, place->line);
        records->items = grown;
        records->capacity = wanted;
    }
    const char *end = NULL;
    cJSON *json = cJSON_ParseWithLengthOpts(line, length, &end, 0);
    for (; json && end < line + length && strchr(" \t\r", *end) && *end; end++)
        continue;
    if (!cJSON_IsObject(json) || end != line + length) {
        size_t column = end ? (size_t)(end - line) + 1 : 1;
        cJSON_Delete(json);
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: not one JSON object (column %zu of %zu)", place->path,
                         place->line, column, length);
    }
    struct record *record = &records->items[records->count++];
    *record = (struct record){.json = json, .source = records->n_paths - 1, .line = place->line};
    return take_fields(record, place, error);
}

static int compare_keys(const struct record *a, const struct record *b)
{
    int order = strcmp(a->dataset, b->dataset);
    order = order ? order : (a->split > b->split) - (a->split < b->split);
    order = order ? order : strcmp(a->solver, b->solver);
    order = order ? order : strcmp(a->params_text, b->params_text);
    order = order ? order : strcmp(a->kernel_text, b->kernel_text);
    return order ? order : strcmp(a->stop_text, b->stop_text);
}

static int compare_entries(const void *left, const void *right)
{
    const struct record *a = *(struct record *const *)left, *b = *(struct record *const *)right;
    int order = compare_keys(a, b);
    return order ? order : (a > b) - (a < b); /* the same array, so reading order */
}

/* The first member of `a` that `b` has not, or has another value of; NULL where there is none. The name of the
 * configuration does not matter. */
static const char *first_difference(const struct record *a, const struct record *b)
{
    for (const cJSON *item = a->json->child; item; item = item->next)
        if (strcmp(item->string, "config") != 0 &&
            !cJSON_Compare(item, cJSON_GetObjectItemCaseSensitive(b->json, item->string), 1))
            return item->string;
    return NULL;
}

static enum status refuse_contradiction(const struct records *records, const struct record *first,
                                        const struct record *other, const char *field, struct error *error)
{
    char *now = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(other->json, field));
    char *before = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(first->json, field));
    enum status status = error_set(
        error, STATUS_BAD_INPUT,
        "%s:%zu: contradicts %s:%zu: both say %s, split %zu, %s, params %s, kernel %s, stop %s, but \"%s\" is %s here "
        "and %s there; one of the two is wrong, or their budgets differed, which records do not name",
        records->paths[other->source], other->line, records->paths[first->source], first->line, other->dataset,
        other->split, other->solver, other->params_text, other->kernel_text, other->stop_text, field,
        now ? now : "missing", before ? before : "missing");
    cJSON_free(now);
    cJSON_free(before);
    return status;
}

/* Leaves the first of equal records and refuses contradicting ones. */
static enum status drop_repeats(struct records *records, struct error *error)
{
    enum status status = STATUS_OK;
    struct record **order = malloc((records->count + 1) * sizeof *order);
    if (!order)
        return error_set(error, STATUS_NO_MEMORY, "%zu records: out of memory", records->count);
    for (size_t i = 0; i < records->count; i++)
        order[i] = &records->items[i];
    qsort(order, records->count, sizeof *order, compare_entries);
    for (size_t i = 1, kept = 0; i < records->count; i++) {
        struct record *first = order[kept], *other = order[i];
        if (compare_keys(first, other) != 0) {
            kept = i;
            continue;
        }
        const char *field = first_difference(first, other);
        if (!field)
            field = first_difference(other, first);
        if (field) {
            status = refuse_contradiction(records, first, other, field, error);
            goto done;
        }
        other->line = 0; /* marks a repeat */
    }
    size_t left = 0;
    for (size_t i = 0; i < records->count; i++) {
        if (records->items[i].line)
            records->items[left++] = records->items[i];
        else
            record_clear(&records->items[i]);
    }
    records->count = left;
done:
    free(order);
    return status;
}

enum status records_read(const char *path, struct records *records, struct error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum status status = file_read(path, &text, &size, error);
    if (status != STATUS_OK)
        return status;
    char **grown = realloc(records->paths, (records->n_paths + 1) * sizeof *grown);
    if (grown)
        records->paths = grown;
    char *copy = strdup(path);
    if (!grown || !copy) {
        free(copy);
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
        goto done;
    }
    records->paths[records->n_paths++] = copy;
    struct json_path place = {.path = path, .line = 0};
    for (const char *line = text, *end; line < text + size && status == STATUS_OK; line = end + 1) {
        place.line++;
        end = memchr(line, '\n', (size_t)(text + size - line));
        if (!end) /* records are whole lines: an unfinished one was cut off */
            status =
                error_set(error, STATUS_BAD_INPUT, "%s:%zu: the last line is cut off (no newline)", path, place.line);
        else
            status = append_line(records, line, (size_t)(end - line), &place, error);
        if (!end)
            break;
    }
    if (status == STATUS_OK)
        status = drop_repeats(records, error);
done:
    free(text);
    return status;
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

int record_includes(const struct cJSON *given, const struct cJSON *wanted)
{
    for (const cJSON *item = wanted ? wanted->child : NULL; item; item = item->next)
        if (!cJSON_Compare(item, cJSON_GetObjectItemCaseSensitive(given, item->string), 1))
            return 0;
    return 1;
}
