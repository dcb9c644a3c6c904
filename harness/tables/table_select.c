/* Selects the records of a table. */
#include "harness/tables/table_select.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/records/record_filter.h"

/* Whether a record passes a condition; `context` is the condition. */
typedef int (*passes)(const struct record *record, const cJSON *condition);

static int has_dataset(const struct record *record, const cJSON *list)
{
    return json_list_has(list, record->dataset);
}

static int has_solver(const struct record *record, const cJSON *list)
{
    return json_list_has(list, record->solver);
}

static int has_source(const struct record *record, const cJSON *list)
{
    return json_list_has(list, record->split_source);
}

static const char *dataset_of(const struct record *record, const cJSON *condition)
{
    (void)condition;
    return record->dataset;
}

static const char *solver_of(const struct record *record, const cJSON *condition)
{
    (void)condition;
    return record->solver;
}

static const char *source_of(const struct record *record, const cJSON *condition)
{
    (void)condition;
    return record->split_source;
}

static const char *setting_of(const struct record *record, const cJSON *condition)
{
    const struct setting *setting = record_setting(record, condition->string);
    return setting ? setting->text : NULL;
}

struct condition {
    passes pass;
    const char *(*text)(const struct record *record, const cJSON *condition); /* a record's value, for messages; NULL:
                                                                                 no such setting */
    const cJSON *value;
};

/* Names the condition, and the values that it rejected. */
static enum status left_none(const struct condition *condition, const struct json_path *place,
                             const struct records *before, struct error *error)
{
    struct name_order had = {0};
    char *list = NULL, shown[64];
    size_t size = 0, without = 0;
    FILE *stream = xopen_text(&list, &size);
    for (size_t i = 0; i < before->count; i++) {
        const char *text = condition->text(before->items[i], condition->value);
        without += !text;
        if (text)
            name_order_add(&had, text);
    }
    for (size_t i = 0; i < had.count && i < 12; i++)
        fprintf(stream, "%s%.40s", i ? ", " : "", had.names[i]);
    if (had.count > 12)
        fprintf(stream, " and %zu more", had.count - 12);
    if (without)
        fprintf(stream, "%snull in a list keeps the %zu records without it", had.count ? "; " : "", without);
    xclose_text(stream);
    json_error(place, error, "%s matches none of the remaining %zu records; they have: %s",
               json_to_text(condition->value, shown, sizeof shown), before->count, list);
    if (error)
        error->status = STATUS_NOT_FOUND;
    free(list);
    name_order_free(&had);
    return STATUS_NOT_FOUND;
}

/* Keeps the records that pass. */
static enum status keep(const struct condition *condition, const char *key, const struct json_path *place,
                        struct records *records, struct error *error)
{
    const struct json_path at = {.file = place->file, .outer = place, .key = key};
    struct records kept = {0};
    if (!condition->value)
        return STATUS_OK;
    for (size_t i = 0; i < records->count; i++)
        if (condition->pass(records->items[i], condition->value))
            records_add(&kept, records->items[i]);
    enum status status = kept.count ? STATUS_OK : left_none(condition, &at, records, error);
    records_free(records);
    *records = kept;
    return status;
}

/* Names the solvers that are missing from `after` because none of their records has the setting. */
static void warn_of_left_out(const cJSON *wanted, const struct json_path *place, const struct records *before,
                             const struct records *after, FILE *warned)
{
    struct name_order left = {0}, gone = {0};
    struct error line = {0};
    char *list = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&list, &size);
    for (size_t i = 0; i < after->count; i++)
        name_order_add(&left, after->items[i]->solver);
    for (size_t i = 0; i < before->count; i++)
        if (record_setting(before->items[i], wanted->string))
            name_order_add(&left, before->items[i]->solver);
    for (size_t i = 0; i < before->count; i++)
        if (name_order_find(&left, before->items[i]->solver) == left.count)
            name_order_add(&gone, before->items[i]->solver);
    for (size_t i = 0; i < gone.count; i++)
        fprintf(stream, "%s%s", i == 0 ? "" : i + 1 == gone.count ? " and " : ", ", gone.names[i]);
    xclose_text(stream);
    json_error(place, &line, "%s %s no %s and %s left out; a list with null keeps %s", list,
               gone.count > 1 ? "have" : "has", wanted->string, gone.count > 1 ? "are" : "is",
               gone.count > 1 ? "them" : "it");
    if (gone.count)
        fprintf(warned, "hullbench: %s\n", line.message);
    free(list);
    name_order_free(&left);
    name_order_free(&gone);
}

/* Applies a member of "where". */
static enum status keep_setting(const cJSON *wanted, const struct json_path *place, struct records *records,
                                FILE *warned, struct error *error)
{
    const struct condition where = {record_has_setting, setting_of, wanted};
    const struct json_path in_where = {.file = place->file, .outer = place, .key = "where"},
                           at = {.file = place->file, .outer = &in_where, .key = wanted->string};
    struct records before = {0};
    records_append(&before, records);
    enum status status = keep(&where, wanted->string, &in_where, records, error);
    if (status == STATUS_OK && warned)
        warn_of_left_out(wanted, &at, &before, records, warned);
    records_free(&before);
    return status;
}

enum status table_select(const struct table_spec *spec, const struct json_path *place,
                         const struct run_folders *folders, struct records *kept, struct records *pool,
                         FILE *warned, struct error *error)
{
    const cJSON *given = spec->json;
    const struct condition
        datasets = {has_dataset, dataset_of, cJSON_GetObjectItemCaseSensitive(given, "datasets")},
        sources = {has_source, source_of, cJSON_GetObjectItemCaseSensitive(given, "split_sources")},
        solvers = {has_solver, solver_of, cJSON_GetObjectItemCaseSensitive(given, "solvers")};
    const cJSON *item = NULL;
    enum status status = run_folders_records(folders, NULL, DRAWS_ALL, kept, error);
    *pool = (struct records){0};
    if (status == STATUS_OK && kept->count == 0 && !spec->may_be_empty)
        status = error_set(error, STATUS_NOT_FOUND, "%s: no records", folders->items[0].path);
    if (status == STATUS_OK)
        status = keep(&datasets, "datasets", place, kept, error);
    if (status == STATUS_OK)
        status = keep(&sources, "split_sources", place, kept, error);
    if (status == STATUS_OK)
        records_append(pool, kept);
    if (status == STATUS_OK)
        status = keep(&solvers, "solvers", place, kept, error);
    cJSON_ArrayForEach (item, spec->where)
        if (status == STATUS_OK)
            status = keep_setting(item, place, kept, warned, error);
    return status;
}
