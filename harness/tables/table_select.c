/* Selects the records of a table. */
#include "harness/tables/table_select.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/record_filter.h"

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
    const char *(*text)(const struct record *record, const cJSON *condition); /* a record's value; NULL: no such
                                                                                 setting */
    const cJSON *value; /* NULL: none; a list of texts, or a member of "where" */
};

static int passes(const struct condition *condition, const struct record *record)
{
    return condition->text == setting_of ? record_has_setting(record, condition->value)
                                         : json_list_has(condition->value, condition->text(record, condition->value));
}

/* Names the condition, and the values that it rejected. */
static _Noreturn void left_none(struct pool *pool, const struct condition *condition, const struct json_path *place,
                                const struct records *before)
{
    struct name_order had = {.pool = pool};
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
    pool_keep(pool, free, list);
    json_die_of(STATUS_NOT_FOUND, place, "%s matches none of the remaining %zu records; they have: %s",
                json_to_text(condition->value, shown, sizeof shown), before->count, list);
}

/* Keeps the records that pass. */
static void keep(struct pool *pool, const struct condition *condition, const char *key, const struct json_path *place,
                 struct records *records)
{
    const struct json_path at = {.file = place->file, .outer = place, .key = key};
    size_t n = 0;
    if (!condition->value)
        return;
    for (size_t i = 0; i < records->count; i++)
        if (passes(condition, records->items[i]))
            records->items[n++] = records->items[i];
    if (n == 0)
        left_none(pool, condition, &at, records);
    records->count = n;
}

/* Names the solvers that are missing from `after` because none of their records has the setting. */
static void warn_of_left_out(struct pool *pool, const cJSON *wanted, const struct json_path *place,
                             const struct records *before, const struct records *after, FILE *warned)
{
    struct name_order left = {.pool = pool}, gone = {.pool = pool};
    struct error line = {0};
    char *list = NULL, where[JSON_PLACE_SIZE];
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
    error_set(&line, STATUS_BAD_INPUT, "%s: %s %s no %s and %s left out; a list with null keeps %s",
              json_place(place, where), list, gone.count > 1 ? "have" : "has", wanted->string,
              gone.count > 1 ? "are" : "is", gone.count > 1 ? "them" : "it");
    if (gone.count)
        fprintf(warned, "hullbench: %s\n", line.message);
    free(list);
}

/* Applies a member of "where". */
static void keep_setting(struct pool *pool, const cJSON *wanted, const struct json_path *place,
                         struct records *records, FILE *warned)
{
    const struct condition where = {setting_of, wanted};
    const struct json_path in_where = {.file = place->file, .outer = place, .key = "where"},
                           at = {.file = place->file, .outer = &in_where, .key = wanted->string};
    struct records before = {.pool = pool};
    records_append(&before, records);
    keep(pool, &where, wanted->string, &in_where, records);
    if (warned)
        warn_of_left_out(pool, wanted, &at, &before, records, warned);
}

void table_select(struct pool *pool, const struct table_spec *spec, const struct json_path *place,
                  const struct run_folders *folders, struct records *kept, struct records *suppliers, FILE *warned)
{
    const cJSON *given = spec->json;
    const struct condition datasets = {dataset_of, cJSON_GetObjectItemCaseSensitive(given, "datasets")},
                           sources = {source_of, cJSON_GetObjectItemCaseSensitive(given, "split_sources")},
                           solvers = {solver_of, cJSON_GetObjectItemCaseSensitive(given, "solvers")};
    const cJSON *item = NULL;
    const struct records all = run_folders_records(pool, folders, NULL, DRAWS_ALL);
    records_append(kept, &all);
    if (kept->count == 0 && !spec->may_be_empty)
        die(STATUS_NOT_FOUND, "%s: no records", folders->items[0].path);
    keep(pool, &datasets, "datasets", place, kept);
    keep(pool, &sources, "split_sources", place, kept);
    records_append(suppliers, kept);
    keep(pool, &solvers, "solvers", place, kept);
    cJSON_ArrayForEach (item, spec->where)
        keep_setting(pool, item, place, kept, warned);
}
