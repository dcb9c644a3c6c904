/* Pairs by training set. A sample is from one data set, so the split's number and source identify the training set. */
#include "harness/papers/paired.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/same_problem.h"
#include "harness/stats/rank_tests.h"

/* The index of the record's split in the sample, or sample->n. */
static size_t place_of(const struct record *record, const struct sample *sample)
{
    size_t i = 0;
    while (i < sample->n && compare_training_sets(sample->records[i], record) != 0)
        i++;
    return i;
}

/* Whether every sample has the record's split; fills `places` with its indices. */
static int in_all(const struct record *record, const struct sample *const *samples, size_t count, size_t *places)
{
    for (size_t k = 0; k < count; k++) {
        places[k] = place_of(record, samples[k]);
        if (places[k] == samples[k]->n)
            return 0;
    }
    return 1;
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

static double mean(const struct sample *sample)
{
    double sum = 0;
    for (size_t i = 0; i < sample->n; i++)
        sum += sample->values[i];
    return sum / (double)sample->n;
}

struct sample sample_reduction(struct pool *pool, const struct sample *left, const struct sample *right, double unit)
{
    const struct sample *const both[] = {left, right};
    struct sample shared[2];
    samples_shared(pool, both, 2, shared);
    const size_t n = shared[0].n, n_left = left->n + left->n_null, n_right = right->n + right->n_null;
    const double whole = mean(&shared[1]), ratio = mean(&shared[0]) / whole;
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
