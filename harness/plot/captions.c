/* Lists that name each data set or solver once, with the number of its records concerned. */
#include "harness/plot/captions.h"

#include <stdlib.h>

#include "harness/program/memory.h"
#include "harness/records/conditions.h"
#include "harness/records/coverage.h"

static int by_number(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* Counts the different splits of a data set among the records. */
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

/* Properties of records that captions list. */
enum property { RESAMPLED, GENERATED, AT_LIMIT, STALLED };
static int has(const struct record *record, enum property property)
{
    const int properties[] = {record->resampled, record->generated, record->at_limit, record->stalled};
    return properties[property] != 0;
}

/* Prints "Resampled splits: image, splice. ": the data sets with a record that has the property. */
static void list_datasets(FILE *stream, const struct plot_data *data, const struct records *records, const char *lead,
                          enum property property)
{
    size_t found = 0;
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t i = 0;
        while (i < records->count &&
               (records->items[i]->dataset != data->datasets[d] || !has(records->items[i], property)))
            i++;
        if (i < records->count)
            fprintf(stream, "%s%s", found++ ? ", " : lead, data->datasets[d]);
    }
    fputs(found ? ". " : "", stream);
}

/* Prints "μ-mdm on titanic, image (3 of 20); gsk on image. ": the data sets where the solver's runs have the property;
 * no count means all runs. */
static void list_runs(FILE *stream, const struct plot_data *data, const struct records *records, const char *lead,
                      enum property property)
{
    char label[200];
    const char *last = NULL;
    for (size_t s = 0; s < data->n_solvers; s++)
        for (size_t d = 0; d < data->n_datasets; d++) {
            const char *solver = data->solvers[s];
            size_t runs = 0, count = 0;
            for (size_t i = 0; i < records->count; i++)
                if (records->items[i]->solver == solver && records->items[i]->dataset == data->datasets[d]) {
                    runs++;
                    count += (size_t)has(records->items[i], property);
                }
            if (count == 0)
                continue;
            if (last == solver)
                fprintf(stream, ", %s", data->datasets[d]);
            else
                fprintf(stream, "%s%s on %s", last ? "; " : lead,
                        plot_series_name(data, solver, NULL, label, sizeof label), data->datasets[d]);
            if (count < runs)
                fprintf(stream, " (%zu of %zu)", count, runs);
            last = solver;
        }
    fputs(last ? ". " : "", stream);
}

void plot_ringed(const struct records *records, FILE *stream)
{
    for (size_t i = 0; i < records->count; i++)
        if (records->items[i]->at_limit || records->items[i]->stalled) {
            fputs("Rings: some runs were stopped at a limit or stalled. ", stream);
            return;
        }
}

/* Says which solvers lack data sets or splits that others have, and unlike budgets (harness/records). */
static void list_unlike(FILE *stream, const struct plot_data *data, const struct records *records)
{
    const struct run_folders alone = {data->folder, data->folder != NULL};
    struct records *members = xcalloc(data->n_solvers + 1, sizeof *members);
    const char **labels = xcalloc(data->n_solvers + 1, sizeof *labels);
    struct coverage coverage;
    size_t n = 0;
    for (size_t s = 0; s < data->n_solvers; s++) {
        for (size_t i = 0; i < records->count; i++)
            if (records->items[i]->solver == data->solvers[s])
                records_add(&members[n], records->items[i]);
        labels[n] = data->solvers[s];
        n += members[n].count > 0;
    }
    coverage_of_records(members, n, 0, &coverage);
    char *gaps = coverage_gaps(&coverage, labels, "splits"), *budgets = records_budget_obstacle(&alone, records);
    if (gaps)
        fprintf(stream, "The solvers do not have the same splits, since they were not run or failed: %s. ", gaps);
    if (budgets)
        fprintf(stream, "The solvers are not comparable: %s. ", budgets);
    for (size_t m = 0; m < n; m++)
        records_free(&members[m]);
    coverage_free(&coverage);
    free(members);
    free(labels);
    free(gaps);
    free(budgets);
}

void plot_origin_of_splits(FILE *stream, const struct plot_data *data, const struct records *records)
{
    list_datasets(stream, data, records, "Resampled splits: ", RESAMPLED);
    list_datasets(stream, data, records, "Generated data: ", GENERATED);
    list_unlike(stream, data, records);
}

void plot_origin(FILE *stream, const struct plot_data *data, const struct records *records)
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
    fputs(found ? ". " : "", stream);
    plot_origin_of_splits(stream, data, records);
    list_runs(stream, data, records, "Stopped at a limit: ", AT_LIMIT);
    list_runs(stream, data, records, "Stalled: ", STALLED);
}
