/* Tasks that members cover (coverage.h). */
#include "harness/records/coverage.h"

#include <stdlib.h>
#include <string.h>

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

/* "heart 20 of 20, titanic 1 of 20" of the data sets of which the member lacks tasks; *lacking: their number. */
static const char *list_datasets(struct pool *pool, const struct coverage *coverage, size_t member, size_t *lacking)
{
    struct name_order datasets = {.pool = pool};
    size_t *of = pool_array(pool, 2 * coverage->n_tasks, sizeof *of), *lacks = of + coverage->n_tasks, listed = 0;
    const char *text = "";
    *lacking = 0;
    for (size_t t = 0; t < coverage->n_tasks; t++) {
        const size_t d = name_order_add(&datasets, coverage->datasets[t]);
        of[d]++;
        lacks[d] += !coverage->has[member * coverage->n_tasks + t];
    }
    for (size_t d = 0; d < datasets.count; d++) {
        *lacking += lacks[d];
        if (lacks[d] > 0 && listed++ < MAX_LISTED)
            text = pool_printf(pool, "%s%s%s %zu of %zu", text, listed > 1 ? ", " : "", datasets.names[d], lacks[d],
                               of[d]);
    }
    return listed > MAX_LISTED ? pool_printf(pool, "%s and %zu more", text, listed - MAX_LISTED) : text;
}

const char *coverage_gaps(struct pool *pool, const struct coverage *coverage, const char *const *labels,
                          const char *tasks)
{
    const char *text = "";
    size_t listed = 0, lacking;
    for (size_t m = 0; m < coverage->n_members; m++) {
        const char *datasets = coverage_is_full(coverage, m) ? NULL : list_datasets(pool, coverage, m, &lacking);
        if (datasets && listed++ < MAX_LISTED)
            text = pool_printf(pool, "%s%s%s lacks %zu of %zu %s (%s)", text, listed > 1 ? "; " : "", labels[m],
                               lacking, coverage->n_tasks, tasks, datasets);
    }
    if (listed > MAX_LISTED)
        text = pool_printf(pool, "%s; %zu more", text, listed - MAX_LISTED);
    return listed > 0 ? text : NULL;
}
