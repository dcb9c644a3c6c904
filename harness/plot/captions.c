/* Lists in which a data set or a solver stands once, with how many of its records they are about. */
#include "harness/plot/captions.h"

#include <stdlib.h>

#include "harness/program/memory.h"

static int by_number(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* How many different splits of a data set are among the records. */
static size_t count_splits(const char *dataset, const struct records *records)
{
    size_t *splits = xcalloc(records->count, sizeof *splits), n = 0, different = 0;
    for (size_t i = 0; i < records->count; i++)
        if (records->items[i]->dataset == dataset)
            splits[n++] = records->items[i]->split;
    qsort(splits, n, sizeof *splits, by_number);
    for (size_t i = 0; i < n; i++)
        different += i == 0 || splits[i] != splits[i - 1];
    free(splits);
    return different;
}

void plot_describe(FILE *stream, const struct plot_data *data, const struct records *records)
{
    size_t n_datasets = 0, min = 0, max = 0;
    const char *last = "";
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t splits = count_splits(data->datasets[d], records);
        if (splits == 0)
            continue;
        last = data->datasets[d];
        min = n_datasets++ == 0 || splits < min ? splits : min;
        max = splits > max ? splits : max;
    }
    if (n_datasets == 1)
        fprintf(stream, "%s", last);
    else
        fprintf(stream, "%zu data sets", n_datasets);
    if (min == max)
        fprintf(stream, ", %zu split%s", max, max == 1 ? "" : "s");
    else
        fprintf(stream, ", %zu to %zu splits", min, max);
}

/* "Resampled splits: image, splice. ": the data sets with a record that has the property. */
static void list_datasets(FILE *stream, const struct plot_data *data, const struct records *records, const char *lead,
                          int (*has)(const struct record *))
{
    size_t found = 0;
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t i = 0;
        while (i < records->count && (records->items[i]->dataset != data->datasets[d] || !has(records->items[i])))
            i++;
        if (i < records->count)
            fprintf(stream, "%s%s", found++ ? ", " : lead, data->datasets[d]);
    }
    if (found)
        fputs(". ", stream);
}

static int is_resampled(const struct record *record)
{
    return record->resampled;
}

static int is_generated(const struct record *record)
{
    return record->generated;
}

static int is_at_limit(const struct record *record)
{
    return record->at_limit;
}

static int is_stalled(const struct record *record)
{
    return record->stalled;
}

/* "μ-mdm on titanic, image (3 of 20)": the data sets where runs of the solver did; without a count, all did. Returns
 * how many data sets that are. */
static size_t list_runs_of(FILE *stream, const struct plot_data *data, const struct records *records,
                           const char *solver, const char *lead, int (*has)(const struct record *))
{
    size_t found = 0;
    char label[200];
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t runs = 0, count = 0;
        for (size_t i = 0; i < records->count; i++)
            if (records->items[i]->solver == solver && records->items[i]->dataset == data->datasets[d]) {
                runs++;
                count += has(records->items[i]) != 0;
            }
        if (count == 0)
            continue;
        if (found++)
            fprintf(stream, ", %s", data->datasets[d]);
        else
            fprintf(stream, "%s%s on %s", lead, plot_solver_label(solver, label, sizeof label), data->datasets[d]);
        if (count < runs)
            fprintf(stream, " (%zu of %zu)", count, runs);
    }
    return found;
}

static void list_runs(FILE *stream, const struct plot_data *data, const struct records *records, const char *lead,
                      int (*has)(const struct record *))
{
    size_t found = 0;
    for (size_t s = 0; s < data->n_solvers; s++)
        found += list_runs_of(stream, data, records, data->solvers[s], found ? "; " : lead, has);
    if (found)
        fputs(". ", stream);
}

void plot_origin_of_splits(FILE *stream, const struct plot_data *data, const struct records *records)
{
    list_datasets(stream, data, records, "Resampled splits: ", is_resampled);
    list_datasets(stream, data, records, "Generated data: ", is_generated);
}

/* "Fewer splits: splice (20). ": data sets with fewer than the most. */
static void list_fewer(FILE *stream, const struct plot_data *data, const struct records *records)
{
    size_t max = 0, found = 0;
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t splits = count_splits(data->datasets[d], records);
        max = splits > max ? splits : max;
    }
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t splits = count_splits(data->datasets[d], records);
        if (splits > 0 && splits < max)
            fprintf(stream, "%s%s (%zu)", found++ ? ", " : "Fewer splits: ", data->datasets[d], splits);
    }
    if (found)
        fputs(". ", stream);
}

void plot_origin(FILE *stream, const struct plot_data *data, const struct records *records)
{
    list_fewer(stream, data, records);
    plot_origin_of_splits(stream, data, records);
    list_runs(stream, data, records, "Stopped at a limit: ", is_at_limit);
    list_runs(stream, data, records, "Stalled: ", is_stalled);
}
