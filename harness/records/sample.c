/* Picking a sample out of the records by solver, data set and settings, and saying whose splits it rests on. */
#include "harness/records/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/support/text_stream.h"

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
                     "say which",
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
            sample->without++;
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
    order = order ? order : strcmp(a->dataset, b->dataset);
    return order ? order : (a->split > b->split) - (a->split < b->split);
}

static int compare_used(const void *left, const void *right)
{
    return compare_splits(*(const struct record *const *)left, *(const struct record *const *)right);
}

/* "80 resampled (image, splice)"; `used` is sorted by source, data set and split. */
static void describe_source(const struct records *used, const char *source, int with_names, FILE *stream)
{
    size_t splits = 0;
    for (size_t i = 0; i < used->count; i++)
        if (strcmp(used->items[i]->split_source, source) == 0)
            splits += i == 0 || compare_splits(used->items[i - 1], used->items[i]) != 0;
    fprintf(stream, "%zu %s", splits, source);
    const char *last = NULL;
    for (size_t i = 0; with_names && i < used->count; i++) {
        const struct record *record = used->items[i];
        if (strcmp(record->split_source, source) != 0 || (last && strcmp(last, record->dataset) == 0))
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
    FILE *stream = text_stream_open(&text, &size);
    if (!stream)
        out_of_memory();
    if (used->count)
        qsort(used->items, used->count, sizeof *used->items, compare_used);
    fputs("Splits: ", stream);
    describe_source(used, "official", 0, stream);
    fputs(", ", stream);
    describe_source(used, "resampled", 1, stream);
    fputs(", ", stream);
    describe_source(used, "generated", 1, stream);
    int folds = 0;
    for (size_t i = 0; i < used->count; i++)
        folds |= strcmp(used->items[i]->split_source, "fold") == 0;
    if (folds) {
        fputs(", ", stream);
        describe_source(used, "fold", 1, stream);
    }
    fputs(".", stream);
    if (!text_stream_close(stream, &text))
        out_of_memory();
    return text;
}
