/* Conditions of papers are objects that the params, kernel and stop of a record must include with equal numbers. */
#include "harness/records/record_filter.h"

#include <string.h>

#include "harness/records/coverage.h"
#include "harness/records/measures.h"

int record_includes(const cJSON *given, const cJSON *wanted)
{
    json_each (item, wanted)
        if (!cJSON_Compare(item, json_member(given, item->string), 1))
            return 0;
    return 1;
}

static int matches(const struct record *record, const struct record_filter *filter)
{
    return (!filter->dataset || strcmp(record->dataset, filter->dataset) == 0) &&
           (!filter->solver || strcmp(record->solver, filter->solver) == 0) &&
           record_includes(record->params, filter->params) && record_includes(record->kernel, filter->kernel) &&
           record_includes(record->stop, filter->stop);
}

/* The number at that path; 0: the record has none. */
static int number_in(const struct record *record, const char *field, double *value)
{
    const size_t i = measure_find(field, 0);
    if (i >= RECORD_FIELDS || isnan(record->field[i]))
        return 0;
    *value = record->field[i];
    return 1;
}

/* The filter's number in the record; returns 0 and leaves *value unchanged if the record does not have it. */
static int take_number(const struct record *record, const struct record_filter *filter, double *value)
{
    double lowest = 0;
    if (!number_in(record, filter->field, value))
        return 0;
    if (filter->clamp_min_field && number_in(record, filter->clamp_min_field, &lowest))
        *value = fmax(*value, lowest);
    *value = fmin(*value, filter->clamp_max);
    return 1;
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
    struct LIST_OF(double) values = {0};
    struct LIST_OF(const struct record *) with_value = {0};
    struct sample sample = {0};
    const struct record *first = NULL;
    struct record_filter of_dataset = *filter;
    of_dataset.dataset = dataset;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        double value = 0;
        if (!matches(record, &of_dataset))
            continue;
        first = first ? first : record;
        check_settings(first, record);
        sample.converged += (size_t)record->converged;
        sample.stalled += (size_t)record->stalled;
        sample.generated += (size_t)record->generated;
        if (take_number(record, filter, &value)) {
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

const char *records_describe_splits(struct pool *pool, struct records *used)
{
    struct pool *scratch = pool_new();
    const char *text = "Splits: ";
    records_sort_by_training_set(used);
    for (int source = SPLIT_OFFICIAL; source <= SPLIT_FOLD; source++) {
        struct name_order splits = {.pool = scratch}, datasets = {.pool = scratch};
        for (size_t i = 0; i < used->count; i++)
            if (used->items[i]->source == (enum split_source)source) {
                name_order_add(&splits, pool_printf(scratch, "%s %zu", used->items[i]->dataset, used->items[i]->split));
                name_order_add(&datasets, used->items[i]->dataset);
            }
        if (source == SPLIT_FOLD && splits.count == 0)
            continue;
        text = pool_printf(scratch, "%s%s%zu %s", text, source == SPLIT_OFFICIAL ? "" : ", ", splits.count,
                           split_source_name((enum split_source)source));
        if (source != SPLIT_OFFICIAL && datasets.count)
            text = pool_printf(scratch, "%s (%s)", text, name_order_text(&datasets, ", ", ", ", datasets.count));
    }
    text = pool_printf(pool, "%s.", text);
    pool_free(scratch);
    return text;
}
