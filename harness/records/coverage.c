/* Tasks that members cover (coverage.h). */
#include "harness/records/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/same_problem.h"

enum { MAX_LISTED = 6 }; /* members, and data sets of a member */

static int compare_items(const void *left, const void *right)
{
    return compare_training_sets(*(const struct record *const *)left, *(const struct record *const *)right);
}

void records_sort_by_training_set(struct records *records)
{
    if (records->count)
        qsort(records->items, records->count, sizeof *records->items, compare_items);
}

int records_cover(const struct records *a, const struct records *b)
{
    size_t i = 0;
    for (size_t j = 0; j < b->count; j++) {
        while (i < a->count && compare_training_sets(a->items[i], b->items[j]) < 0)
            i++;
        if (i == a->count || compare_training_sets(a->items[i], b->items[j]) != 0)
            return 0;
    }
    return 1;
}

struct coverage coverage_begin(struct pool *pool, size_t n_members, const char **datasets, size_t n_tasks)
{
    return (struct coverage){n_members, n_tasks, datasets, pool_array(pool, n_members * n_tasks, 1)};
}

/* Covers the data sets of which the member covers no task. */
static void cover_absent(struct coverage *coverage, size_t member)
{
    unsigned char *has = coverage->has + member * coverage->n_tasks;
    for (size_t t = 0, end; t < coverage->n_tasks; t = end) {
        int any = 0;
        for (end = t; end < coverage->n_tasks && strcmp(coverage->datasets[end], coverage->datasets[t]) == 0; end++)
            any |= has[end];
        if (!any)
            memset(has + t, 1, end - t);
    }
}

struct coverage coverage_of_records(struct pool *pool, const struct records *members, size_t n_members,
                                    int within_datasets)
{
    struct records all = {.pool = pool};
    for (size_t m = 0; m < n_members; m++)
        records_append(&all, &members[m]);
    records_sort_by_training_set(&all);
    const char **datasets = pool_array(pool, all.count, sizeof *datasets);
    size_t n = 0;
    for (size_t i = 0; i < all.count; i++)
        if (n == 0 || compare_training_sets(all.items[n - 1], all.items[i]) != 0) {
            datasets[n] = all.items[i]->dataset;
            all.items[n++] = all.items[i];
        }
    struct coverage coverage = coverage_begin(pool, n_members, datasets, n);
    for (size_t m = 0; m < n_members; m++) {
        for (size_t i = 0; i < members[m].count; i++) {
            const struct record **found =
                bsearch(&members[m].items[i], all.items, n, sizeof *all.items, compare_items);
            coverage.has[m * n + (size_t)(found - all.items)] = 1;
        }
        if (within_datasets)
            cover_absent(&coverage, m);
    }
    return coverage;
}

int coverage_is_common(const struct coverage *coverage, size_t task)
{
    for (size_t m = 0; m < coverage->n_members; m++)
        if (!coverage->has[m * coverage->n_tasks + task])
            return 0;
    return 1;
}

int coverage_is_full(const struct coverage *coverage, size_t member)
{
    return !memchr(coverage->has + member * coverage->n_tasks, 0, coverage->n_tasks);
}

/* Counts the tasks of a data set (NULL: all), and those that the member lacks. */
static size_t count_lacking(const struct coverage *coverage, size_t member, const char *dataset, size_t *of)
{
    size_t lacking = 0;
    *of = 0;
    for (size_t t = 0; t < coverage->n_tasks; t++)
        if (!dataset || strcmp(coverage->datasets[t], dataset) == 0) {
            lacking += !coverage->has[member * coverage->n_tasks + t];
            ++*of;
        }
    return lacking;
}

/* Most tasks of a data set are adjacent, so the search begins with the last one. */
static int is_first_of_dataset(const struct coverage *coverage, size_t task)
{
    for (size_t t = task; t-- > 0;)
        if (strcmp(coverage->datasets[t], coverage->datasets[task]) == 0)
            return 0;
    return 1;
}

static void put_datasets(const struct coverage *coverage, size_t member, FILE *stream)
{
    size_t listed = 0;
    for (size_t t = 0; t < coverage->n_tasks; t++) {
        size_t of, lacking = 0;
        if (is_first_of_dataset(coverage, t))
            lacking = count_lacking(coverage, member, coverage->datasets[t], &of);
        if (lacking > 0 && listed++ < MAX_LISTED)
            fprintf(stream, "%s%s %zu of %zu", listed > 1 ? ", " : "", coverage->datasets[t], lacking, of);
    }
    if (listed > MAX_LISTED)
        fprintf(stream, " and %zu more", listed - MAX_LISTED);
}

const char *coverage_gaps(struct pool *pool, const struct coverage *coverage, const char *const *labels,
                          const char *tasks)
{
    char *text = NULL;
    size_t size = 0, listed = 0, of;
    FILE *stream = xopen_text(&text, &size);
    for (size_t m = 0; m < coverage->n_members; m++) {
        const size_t lacking = count_lacking(coverage, m, NULL, &of);
        if (lacking > 0 && listed++ < MAX_LISTED) {
            fprintf(stream, "%s%s lacks %zu of %zu %s (", listed > 1 ? "; " : "", labels[m], lacking, of, tasks);
            put_datasets(coverage, m, stream);
            fputc(')', stream);
        }
    }
    if (listed > MAX_LISTED)
        fprintf(stream, "; %zu more", listed - MAX_LISTED);
    xclose_text(stream);
    pool_keep(pool, free, text);
    return listed > 0 ? text : NULL;
}
