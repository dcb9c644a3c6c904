/*
 * Two kinds of conditions on settings. Those of papers are objects that the record's params, kernel and stop must
 * include with equal numbers. Those of a "plots" entry match settings by name in any object, and treat different
 * decimal representations of a number as equal.
 */
#include "harness/records/record_filter.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/data/dataset.h"
#include "harness/records/same_problem.h"

int record_includes(const cJSON *given, const cJSON *wanted)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, wanted)
        if (!cJSON_Compare(item, cJSON_GetObjectItemCaseSensitive(given, item->string), 1))
            return 0;
    return 1;
}

int entry_names(const cJSON *entry, const char *many, const char *one, const char *text)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(entry, many), *item = NULL;
    const char *single = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, one));
    if (single)
        return strcmp(single, text) == 0;
    if (!cJSON_IsArray(list))
        return 1;
    cJSON_ArrayForEach (item, list)
        if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
            return 1;
    return 0;
}

int setting_has_value(const struct setting *setting, const cJSON *wanted)
{
    if (!setting || cJSON_IsNull(wanted))
        return !setting && cJSON_IsNull(wanted);
    if (cJSON_IsNumber(wanted)) /* 1e-12: values may come from other programs */
        return fabs(setting->number - wanted->valuedouble) <= 1e-12 * fabs(wanted->valuedouble);
    if (cJSON_IsBool(wanted)) /* switches are yes or no in records */
        return strcmp(setting->text, cJSON_IsTrue(wanted) ? "yes" : "no") == 0;
    return cJSON_IsString(wanted) && strcmp(setting->text, wanted->valuestring) == 0;
}

int record_has_setting(const struct record *record, const cJSON *wanted)
{
    const struct setting *setting = record_setting(record, wanted->string);
    const cJSON *item = NULL;
    if (!cJSON_IsArray(wanted))
        return setting_has_value(setting, wanted);
    cJSON_ArrayForEach (item, wanted)
        if (setting_has_value(setting, item))
            return 1;
    return 0;
}

static int entry_keeps(const cJSON *entry, const struct record *record)
{
    const cJSON *wanted = NULL, *all_series = cJSON_GetObjectItemCaseSensitive(entry, "series"), *series = NULL;
    int of_series = !all_series;
    cJSON_ArrayForEach (series, all_series)
        of_series |= entry_keeps(series, record);
    if (!entry_names(entry, "datasets", "dataset", record->dataset) ||
        !entry_names(entry, "solvers", "solver", record->solver) || !of_series)
        return 0;
    cJSON_ArrayForEach (wanted, cJSON_GetObjectItemCaseSensitive(entry, "where"))
        if (!record_has_setting(record, wanted))
            return 0;
    return 1;
}

int record_matches(const struct record *record, const struct record_filter *filter)
{
    return (!filter->dataset || strcmp(record->dataset, filter->dataset) == 0) &&
           (!filter->solver || strcmp(record->solver, filter->solver) == 0) && !(filter->no_failed && record->failed) &&
           record_includes(record->params, filter->params) && record_includes(record->kernel, filter->kernel) &&
           record_includes(record->stop, filter->stop) && entry_keeps(filter->entry, record);
}

int record_filter_number(const struct record *record, const struct record_filter *filter, double *value)
{
    double lowest = 0;
    if (!record_number(record, filter->field, value))
        return 0;
    if (filter->clamp_min_field && record_number(record, filter->clamp_min_field, &lowest))
        *value = fmax(*value, lowest);
    *value = fmin(*value, filter->clamp_max);
    return 1;
}

void records_select(const struct records *from, const struct record_filter *filter, struct records *kept)
{
    for (size_t i = 0; i < from->count; i++)
        if (record_matches(from->items[i], filter))
            records_add(kept, from->items[i]);
}

/* ---- samples ---- */

static void check_settings(const struct record *first, const struct record *record)
{
    if (!record_same_settings(first, record))
        die(STATUS_BAD_INPUT,
            "%s: %s on %s with params %s, kernel %s, stop %s, but %s has %s, %s, %s; the table or claim must "
            "name one of them",
            record->where, record->solver, record->dataset, record->params_text, record->kernel_text,
            record->stop_text, first->where, first->params_text, first->kernel_text, first->stop_text);
}

struct sample sample_take(struct pool *pool, const struct records *records, const struct record_filter *filter,
                          const char *dataset, double unit, struct records *used)
{
    struct {
        double *item;
        size_t count, capacity;
    } values = {0};
    struct {
        const struct record **item;
        size_t count, capacity;
    } with_value = {0};
    struct sample sample = {0};
    const struct record *first = NULL;
    struct record_filter of_dataset = *filter;
    of_dataset.dataset = dataset;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        double value = 0;
        if (!record_matches(record, &of_dataset))
            continue;
        first = first ? first : record;
        check_settings(first, record);
        sample.converged += (size_t)record->converged;
        sample.stalled += (size_t)record->stalled;
        sample.generated += (size_t)record->generated;
        if (record_filter_number(record, filter, &value)) {
            *pool_push(pool, &with_value) = record;
            *pool_push(pool, &values) = value / unit;
        } else
            sample.n_null++;
        if (used)
            records_add(used, record);
    }
    sample.values = values.item;
    sample.records = with_value.item;
    sample.n = values.count;
    return sample;
}

static int compare_splits(const struct record *a, const struct record *b)
{
    int order = strcmp(a->split_source, b->split_source);
    return order ? order : compare_training_sets(a, b);
}

static int compare_used(const void *left, const void *right)
{
    return compare_splits(*(const struct record *const *)left, *(const struct record *const *)right);
}

/* Prints "80 resampled (image, splice)"; `used` is sorted by source, data set and split. Official splits are printed
 * without data sets, and folds only if there are any. */
static void describe_source(const struct records *used, enum split_source source, FILE *stream)
{
    const char *word = split_source_name(source), *last = NULL;
    size_t splits = 0;
    for (size_t i = 0; i < used->count; i++)
        if (strcmp(used->items[i]->split_source, word) == 0)
            splits += i == 0 || compare_splits(used->items[i - 1], used->items[i]) != 0;
    if (source == SPLIT_FOLD && splits == 0)
        return;
    fprintf(stream, "%s%zu %s", source == SPLIT_OFFICIAL ? "" : ", ", splits, word);
    for (size_t i = 0; source != SPLIT_OFFICIAL && i < used->count; i++) {
        const struct record *record = used->items[i];
        if (strcmp(record->split_source, word) != 0 || (last && strcmp(last, record->dataset) == 0))
            continue;
        fprintf(stream, "%s%s", last ? ", " : " (", record->dataset);
        last = record->dataset;
    }
    fputs(last ? ")" : "", stream);
}

const char *records_describe_splits(struct pool *pool, struct records *used)
{
    size_t size = 0;
    char *text = NULL;
    FILE *stream = xopen_text(&text, &size);
    if (used->count)
        qsort(used->items, used->count, sizeof *used->items, compare_used);
    fputs("Splits: ", stream);
    for (int source = SPLIT_OFFICIAL; source <= SPLIT_FOLD; source++)
        describe_source(used, (enum split_source)source, stream);
    fputs(".", stream);
    xclose_text(stream);
    const char *kept = pool_strdup(pool, text);
    free(text);
    return kept;
}
