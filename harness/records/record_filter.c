/*
 * Two kinds of conditions on settings. Those of papers are objects that the record's params, kernel and stop must
 * include with equal numbers. Those of a "plots" entry match settings by name in any object, and treat different
 * decimal representations of a number as equal.
 */
#include "harness/records/record_filter.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

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
