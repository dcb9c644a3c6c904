/* Selects a sample from the records by solver, data set and settings, and describes the splits it is based on. */
#include "harness/records/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset.h"
#include "harness/base/memory.h"
#include "harness/records/same_problem.h"

void sample_free(struct sample *sample)
{
    if (!sample)
        return;
    free(sample->values);
    free(sample->records);
    *sample = (struct sample){0};
}

static enum status check_settings(const struct record *first, const struct record *record, struct error *error)
{
    if (record_same_settings(first, record))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "%s: %s on %s with params %s, kernel %s, stop %s, but %s has %s, %s, %s; the table or claim must "
                     "name one of them",
                     record->where, record->solver, record->dataset, record->params_text, record->kernel_text,
                     record->stop_text, first->where, first->params_text, first->kernel_text, first->stop_text);
}

enum status sample_take(const struct records *records, const struct record_filter *filter, const char *dataset,
                        double unit, struct sample *sample, struct records *used, struct error *error)
{
    enum status status = STATUS_OK;
    const struct record *first = NULL;
    struct record_filter of_dataset = *filter;
    of_dataset.dataset = dataset;
    *sample = (struct sample){.values = xcalloc(records->count + 1, sizeof *sample->values),
                              .records = xcalloc(records->count + 1, sizeof *sample->records)};
    for (size_t i = 0; i < records->count && status == STATUS_OK; i++) {
        const struct record *record = records->items[i];
        double value = 0;
        if (!record_matches(record, &of_dataset))
            continue;
        first = first ? first : record;
        status = check_settings(first, record, error);
        sample->converged += (size_t)record->converged;
        sample->stalled += (size_t)record->stalled;
        sample->generated += (size_t)record->generated;
        if (record_filter_number(record, filter, &value)) {
            sample->records[sample->n] = record;
            sample->values[sample->n++] = value / unit;
        } else
            sample->n_null++;
        if (used)
            records_add(used, record);
    }
    if (status != STATUS_OK)
        sample_free(sample);
    return status;
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

char *records_describe_splits(struct records *used)
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
    return text;
}
