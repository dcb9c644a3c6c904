/* Picking a sample out of the records by solver, data set and settings, and saying whose splits it rests on. */
#include "harness/records/sample.h"
#include "harness/support/text_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sample_free(struct sample *sample)
{
    if (!sample)
        return;
    free(sample->values);
    free(sample->records);
    memset(sample, 0, sizeof *sample);
}

void used_records_free(struct used_records *used)
{
    free(used->items);
    memset(used, 0, sizeof *used);
}

enum status used_records_add(struct used_records *used, const struct record *record, struct error *error)
{
    if (used->count == used->capacity) {
        size_t wanted = used->capacity ? 2 * used->capacity : 256;
        const struct record **grown = realloc(used->items, wanted * sizeof *grown);
        if (!grown)
            return error_set(error, STATUS_NO_MEMORY, "%zu records: out of memory", used->count);
        used->items = grown;
        used->capacity = wanted;
    }
    used->items[used->count++] = record;
    return STATUS_OK;
}

static int selected(const struct record *record, const struct record_filter *selection, const char *dataset)
{
    return strcmp(record->dataset, dataset) == 0 && strcmp(record->solver, selection->solver) == 0 &&
           record_includes(record->params, selection->params) && record_includes(record->kernel, selection->kernel) &&
           record_includes(record->stop, selection->stop);
}

static int same_settings(const struct record *a, const struct record *b)
{
    return strcmp(a->params_text, b->params_text) == 0 && strcmp(a->kernel_text, b->kernel_text) == 0 &&
           strcmp(a->stop_text, b->stop_text) == 0;
}

static int number_of(const struct record *record, const struct record_filter *selection, double *value)
{
    double lowest = 0;
    if (!record_number(record, selection->field, value))
        return 0;
    if (selection->floor_field && record_number(record, selection->floor_field, &lowest))
        *value = fmax(*value, lowest);
    *value = fmin(*value, selection->ceiling);
    return 1;
}

enum status sample_take(const struct records *records, const struct record_filter *selection, const char *dataset,
                        double unit, struct sample *sample, struct used_records *used, struct error *error)
{
    enum status status = STATUS_OK;
    const struct record *first = NULL;
    *sample = (struct sample){0};
    sample->values = malloc((records->count + 1) * sizeof *sample->values);
    sample->records = malloc((records->count + 1) * sizeof *sample->records);
    if (!sample->values || !sample->records) {
        status = error_set(error, STATUS_NO_MEMORY, "%s, %s: out of memory", dataset, selection->solver);
        goto done;
    }
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->items[i];
        double value = 0;
        if (!selected(record, selection, dataset))
            continue;
        first = first ? first : record;
        if (!same_settings(first, record)) {
            status =
                error_set(error, STATUS_BAD_INPUT,
                          "%s:%zu: %s on %s with params %s, kernel %s, stop %s, but %s:%zu has %s, %s, %s; the "
                          "table or claim must say which",
                          records->paths[record->source], record->line, record->solver, dataset, record->params_text,
                          record->kernel_text, record->stop_text, records->paths[first->source], first->line,
                          first->params_text, first->kernel_text, first->stop_text);
            goto done;
        }
        sample->converged += strcmp(record->outcome, "converged") == 0;
        sample->stalled += strcmp(record->outcome, "stalled") == 0;
        sample->generated += strcmp(record->split_source, "generated") == 0;
        if (number_of(record, selection, &value)) {
            sample->records[sample->n] = record;
            sample->values[sample->n++] = value / unit;
        } else
            sample->without++;
        status = used ? used_records_add(used, record, error) : STATUS_OK;
        if (status != STATUS_OK)
            goto done;
    }
done:
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
static void describe_source(const struct used_records *used, const char *source, int named, FILE *stream)
{
    size_t splits = 0;
    for (size_t i = 0; i < used->count; i++)
        if (strcmp(used->items[i]->split_source, source) == 0)
            splits += i == 0 || compare_splits(used->items[i - 1], used->items[i]) != 0;
    fprintf(stream, "%zu %s", splits, source);
    const char *last = NULL;
    for (size_t i = 0; named && i < used->count; i++) {
        const struct record *record = used->items[i];
        if (strcmp(record->split_source, source) != 0 || (last && strcmp(last, record->dataset) == 0))
            continue;
        fprintf(stream, "%s%s", last ? ", " : " (", record->dataset);
        last = record->dataset;
    }
    fputs(last ? ")" : "", stream);
}

enum status used_records_describe(struct used_records *used, char **text, struct error *error)
{
    size_t size = 0;
    *text = NULL;
    FILE *stream = text_stream_open(text, &size);
    if (!stream)
        return error_set(error, STATUS_NO_MEMORY, "splits of %zu records: out of memory", used->count);
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
    return text_stream_close(stream, text)
               ? STATUS_OK
               : error_set(error, STATUS_NO_MEMORY, "splits of %zu records: out of memory", used->count);
}
