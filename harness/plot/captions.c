/* Lists that name each data set or solver once, with the number of its records concerned. */
#include "harness/plot/kinds.h"

#include "harness/base/pool.h"
#include "harness/records/conditions.h"
#include "harness/records/coverage.h"

/* Counts the different splits of each data set among the records. */
static size_t *count_splits(struct pool *pool, const struct run_view *data, const struct records *records)
{
    struct name_order seen = {.pool = pool};
    size_t *splits = pool_array(pool, data->datasets.count, sizeof *splits);
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        const size_t known = seen.count;
        if (name_order_add(&seen, pool_printf(pool, "%s %zu", record->dataset, record->split)) == known)
            splits[name_order_find(&data->datasets, record->dataset)]++;
    }
    return splits;
}

void plot_describe(FILE *stream, const struct run_view *data, const struct records *records)
{
    struct pool *pool = pool_new();
    size_t n_datasets = 0, min = 0, max = 0, *splits = count_splits(pool, data, records);
    const char *last = "";
    for (size_t d = 0; d < data->datasets.count; d++) {
        if (splits[d] == 0)
            continue;
        last = data->datasets.names[d];
        min = n_datasets++ == 0 || splits[d] < min ? splits[d] : min;
        max = splits[d] > max ? splits[d] : max;
    }
    pool_free(pool);
    if (n_datasets == 1)
        fprintf(stream, "%s", last);
    else
        fprintf(stream, "%zu data sets", n_datasets);
    if (min == max)
        fprintf(stream, ", %zu split%s", max, max == 1 ? "" : "s");
    else
        fprintf(stream, ", %zu to %zu splits", min, max);
}

/* What captions say of records. */
enum property { RESAMPLED, GENERATED, AT_LIMIT, STALLED };
static int has(const struct record *record, enum property property)
{
    const int properties[] = {record->resampled, record->generated, record->at_limit, record->stalled};
    return properties[property] != 0;
}

/* Prints "Resampled splits: image, splice. ", the data sets with a record that has the property; or, by solver,
 * "Stalled: μ-mdm on titanic, image (3 of 20); gsk on image. ", where no count means all runs. */
static void list_runs(FILE *stream, const struct run_view *data, const struct records *records, const char *lead,
                      enum property property, int by_solver)
{
    struct pool *pool = pool_new();
    const size_t n = data->datasets.count, n_solvers = by_solver ? data->solvers.count : 1;
    struct count {
        size_t runs, with;
    } *counts = pool_array(pool, n_solvers * n, sizeof *counts);
    size_t listed = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        const size_t s = by_solver ? name_order_find(&data->solvers, record->solver) : 0;
        struct count *count = &counts[s * n + name_order_find(&data->datasets, record->dataset)];
        count->runs++;
        count->with += (size_t)has(record, property);
    }
    for (size_t s = 0; s < n_solvers; s++) {
        size_t of_solver = 0;
        for (size_t d = 0; d < n; d++) {
            const struct count *count = &counts[s * n + d];
            if (count->with == 0)
                continue;
            fputs(listed++ == 0 ? lead : of_solver ? ", " : "; ", stream);
            if (by_solver && of_solver == 0)
                fprintf(stream, "%s on ", plot_series_name(data, data->solvers.names[s], NULL));
            fputs(data->datasets.names[d], stream);
            if (by_solver && count->with < count->runs)
                fprintf(stream, " (%zu of %zu)", count->with, count->runs);
            of_solver++;
        }
    }
    fputs(listed ? ". " : "", stream);
    pool_free(pool);
}

void plot_ringed(const struct records *records, const char *marks, FILE *stream)
{
    size_t i = 0;
    while (i < records->count && !records->items[i]->at_limit && !records->items[i]->stalled)
        i++;
    if (i < records->count)
        fprintf(stream, "%s: some runs were stopped at a limit or stalled. ", marks);
}

/* Says which solvers lack data sets or splits that others have, and unlike budgets (harness/records). */
static void list_unlike(FILE *stream, const struct run_view *data, const struct records *records)
{
    const struct run_folders alone = {data->folder, data->folder != NULL};
    struct pool *pool = pool_new();
    struct records *members = pool_array(pool, data->solvers.count + 1, sizeof *members);
    const char **labels = pool_array(pool, data->solvers.count + 1, sizeof *labels);
    size_t n = 0;
    for (size_t s = 0; s < data->solvers.count; s++) {
        members[n].pool = pool;
        for (size_t i = 0; i < records->count; i++)
            if (records->items[i]->solver == data->solvers.names[s])
                records_add(&members[n], records->items[i]);
        labels[n] = data->solvers.names[s];
        n += members[n].count > 0;
    }
    const struct coverage coverage = coverage_of_records(pool, members, n, 0);
    const char *gaps = coverage_gaps(pool, &coverage, labels, "splits");
    const char *budgets = records_budget_obstacle(pool, &alone, records);
    if (gaps)
        fprintf(stream, "The solvers do not have the same splits, since they were not run or failed: %s. ", gaps);
    if (budgets)
        fprintf(stream, "The solvers are not comparable: %s. ", budgets);
    pool_free(pool);
}

void plot_origin_of_splits(FILE *stream, const struct run_view *data, const struct records *records)
{
    list_runs(stream, data, records, "Resampled splits: ", RESAMPLED, 0);
    list_runs(stream, data, records, "Generated data: ", GENERATED, 0);
    list_unlike(stream, data, records);
}

void plot_origin(FILE *stream, const struct run_view *data, const struct records *records)
{
    struct pool *pool = pool_new();
    size_t max = 0, found = 0, *splits = count_splits(pool, data, records);
    for (size_t d = 0; d < data->datasets.count; d++)
        max = splits[d] > max ? splits[d] : max;
    for (size_t d = 0; d < data->datasets.count; d++)
        if (splits[d] > 0 && splits[d] < max)
            fprintf(stream, "%s%s (%zu)", found++ ? ", " : "Fewer splits: ", data->datasets.names[d], splits[d]);
    pool_free(pool);
    fputs(found ? ". " : "", stream);
    plot_origin_of_splits(stream, data, records);
    list_runs(stream, data, records, "Stopped at a limit: ", AT_LIMIT, 1);
    list_runs(stream, data, records, "Stalled: ", STALLED, 1);
}
