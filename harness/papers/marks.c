/* Pairs by training set: a sample is from one data set, so the split's number and source identify the training set.
 * Then tests and marks of one row, by the rule in the header. */
#include "harness/papers/reproduction.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/pool.h"
#include "harness/records/same_problem.h"

static double mean_of(const struct sample *sample)
{
    return summary_of(sample->values, sample->n).mean;
}

/* ---- samples ---- */

/* Whether every sample has the record's split; fills `places` with its indices. */
static int in_all(const struct record *record, const struct sample *const *samples, size_t count, size_t *places)
{
    int found = 1;
    for (size_t k = 0; k < count && found; k++) {
        places[k] = 0;
        while (places[k] < samples[k]->n && compare_training_sets(samples[k]->records[places[k]], record) != 0)
            places[k]++;
        found = places[k] < samples[k]->n;
    }
    return found;
}

void samples_shared(struct pool *pool, const struct sample *const *samples, size_t count, struct sample *shared)
{
    size_t n = count ? samples[0]->n : 0, *places = pool_array(pool, count, sizeof *places);
    for (size_t k = 0; k < count; k++) {
        shared[k] = *samples[k];
        shared[k].n = 0;
        shared[k].values = pool_array(pool, n, sizeof *shared[k].values);
        shared[k].records = pool_array(pool, n, sizeof *shared[k].records);
    }
    for (size_t i = 0; i < n; i++)
        if (in_all(samples[0]->records[i], samples, count, places))
            for (size_t k = 0; k < count; k++) {
                shared[k].values[shared[k].n] = samples[k]->values[places[k]];
                shared[k].records[shared[k].n++] = samples[k]->records[places[k]];
            }
}

struct sample sample_repetitions(struct pool *pool, const struct sample *sample, size_t folds)
{
    if (folds <= 1)
        return *sample;
    struct sample means = *sample;
    double *counts = pool_array(pool, sample->n, sizeof *counts);
    means.values = pool_array(pool, sample->n, sizeof *means.values);
    means.records = pool_array(pool, sample->n, sizeof *means.records);
    means.n = 0;
    for (size_t i = 0; i < sample->n; i++) {
        const size_t repetition = (sample->records[i]->split - 1) / folds;
        size_t k = 0;
        while (k < means.n && (means.records[k]->split - 1) / folds != repetition)
            k++;
        if (k == means.n)
            means.records[means.n++] = sample->records[i];
        means.values[k] += (sample->values[i] - means.values[k]) / ++counts[k];
    }
    return means;
}

size_t samples_test(enum test_kind kind, const struct sample *first, const struct sample *second,
                    struct rank_test *test)
{
    const size_t n = first->n < second->n ? first->n : second->n;
    if (kind == TEST_SIGNED_RANK) {
        double *differences = xcalloc(2 * n, sizeof *differences);
        pairs_differences(first->values, second->values, n, differences);
        *test = signed_rank_test(differences, differences + n, n, TAIL_TWO_SIDED);
        free(differences);
    } else
        *test = rank_sum_test(first->values, first->n, second->values, second->n, TAIL_TWO_SIDED);
    return n;
}

struct sample sample_reduction(struct pool *pool, const struct sample *left, const struct sample *right, double unit)
{
    const struct sample *const both[] = {left, right};
    struct sample shared[2];
    samples_shared(pool, both, 2, shared);
    const size_t n = shared[0].n, n_left = left->n + left->n_null, n_right = right->n + right->n_null;
    const double whole = mean_of(&shared[1]), ratio = mean_of(&shared[0]) / whole;
    struct sample sample = {.values = pool_array(pool, n, sizeof *sample.values),
                            .records = pool_array(pool, n, sizeof *sample.records),
                            .n_null = (n_left > n_right ? n_left : n_right) - n,
                            .generated = left->generated,
                            .converged = left->converged,
                            .stalled = left->stalled};
    for (size_t i = 0; i < n && isfinite(ratio); i++) {
        sample.records[sample.n] = shared[0].records[i];
        sample.values[sample.n++] =
            100 * (1 - ratio - (shared[0].values[i] - ratio * shared[1].values[i]) / whole) / unit;
    }
    return sample;
}

/* ---- marks ---- */

static size_t lowest_mean(const struct test_side *side, const struct sample *samples)
{
    size_t best = side->columns[0];
    for (size_t i = 1; i < side->n; i++)
        if (mean_of(&samples[side->columns[i]]) < mean_of(&samples[best]))
            best = side->columns[i];
    return best;
}

/* Marks the best column of the better side, and its other columns that qualify by the rule in the header. */
static uint64_t mark_side(const struct paper_test *test, const struct test_side *side, size_t best, size_t worse,
                          const struct sample *samples)
{
    uint64_t marked = (uint64_t)1 << best;
    for (size_t i = 0; i < side->n; i++) {
        const struct sample *column = &samples[side->columns[i]];
        struct rank_test with_best, with_worse;
        if (side->columns[i] == best || !(mean_of(column) < mean_of(&samples[worse])))
            continue;
        samples_test(test->kind, column, &samples[best], &with_best);
        samples_test(test->kind, column, &samples[worse], &with_worse);
        if (with_best.p_value >= test->level && with_worse.p_value < test->level)
            marked |= (uint64_t)1 << side->columns[i];
    }
    return marked;
}

/* Tests samples indexed by the table's columns; for signed-rank tests, on the splits that they share. */
static struct test_finding test_samples(const struct paper_test *test, const struct sample *samples)
{
    struct test_finding finding = {.result = {.p_value = 1}};
    int full = 1;
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < test->sides[s].n; i++)
            full = full && samples[test->sides[s].columns[i]].n > 0;
        finding.columns[s] = full ? lowest_mean(&test->sides[s], samples) : test->sides[s].columns[0];
    }
    if (!full)
        return finding;
    const struct sample *first = &samples[finding.columns[0]], *second = &samples[finding.columns[1]];
    finding.n = samples_test(test->kind, first, second, &finding.result);
    finding.significant = finding.n > 0 && finding.result.p_value < test->level;
    int better = mean_of(second) < mean_of(first);
    if (finding.significant && test->mark && mean_of(first) != mean_of(second))
        finding.marked = mark_side(test, &test->sides[better], finding.columns[better], finding.columns[!better],
                                   samples);
    return finding;
}

struct test_finding marks_test(struct pool *pool, const struct paper_test *test, const struct sample *samples)
{
    const struct sample *asked[2 * TEST_SIDE_MAX] = {NULL};
    struct sample shared[2 * TEST_SIDE_MAX], placed[TABLE_COLUMNS_MAX] = {{0}};
    size_t count = 0;
    if (test->kind != TEST_SIGNED_RANK)
        return test_samples(test, samples);
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < test->sides[s].n; i++)
            asked[count++] = &samples[test->sides[s].columns[i]];
    samples_shared(pool, asked, count, shared);
    for (size_t k = 0; k < count; k++)
        placed[asked[k] - samples] = shared[k];
    return test_samples(test, placed);
}

enum marked_side marked_side(const struct paper_test *test, uint64_t marked)
{
    const int first = (marked & test_side_columns(&test->sides[0])) != 0,
              second = (marked & test_side_columns(&test->sides[1])) != 0;
    return first && second ? MARKED_BOTH : first ? MARKED_FIRST : second ? MARKED_SECOND : MARKED_NOWHERE;
}
