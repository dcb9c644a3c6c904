/* Pairing by data set and split: the samples are of one data set each, so the split's number and source decide. */
#include "harness/papers/paired.h"

#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/stats/signed_rank.h"

/* The place of the record's split in the sample, or sample->n. */
static size_t place_of(const struct record *record, const struct sample *sample)
{
    size_t i = 0;
    while (i < sample->n && (sample->records[i]->split != record->split ||
                             strcmp(sample->records[i]->split_source, record->split_source) != 0))
        i++;
    return i;
}

void pairs_of(const struct sample *first, const struct sample *second, struct pairs *pairs)
{
    *pairs = (struct pairs){.first = xcalloc(first->n, sizeof *pairs->first),
                            .second = xcalloc(first->n, sizeof *pairs->second)};
    for (size_t i = 0; i < first->n; i++) {
        size_t j = place_of(first->records[i], second);
        if (j == second->n)
            continue;
        pairs->first[pairs->n] = first->values[i];
        pairs->second[pairs->n++] = second->values[j];
    }
}

void pairs_free(struct pairs *pairs)
{
    if (!pairs)
        return;
    free(pairs->first);
    free(pairs->second);
    *pairs = (struct pairs){0};
}

/* Whether the record's split is in every sample; their places are noted. */
static int in_all(const struct record *record, const struct sample *const *samples, size_t count, size_t *places)
{
    for (size_t k = 0; k < count; k++) {
        places[k] = place_of(record, samples[k]);
        if (places[k] == samples[k]->n)
            return 0;
    }
    return 1;
}

void samples_shared(const struct sample *const *samples, size_t count, struct sample *shared)
{
    size_t n = count ? samples[0]->n : 0, *places = xcalloc(count, sizeof *places);
    for (size_t k = 0; k < count; k++) {
        shared[k] = *samples[k];
        shared[k].n = 0;
        shared[k].values = xcalloc(n, sizeof *shared[k].values);
        shared[k].records = xcalloc(n, sizeof *shared[k].records);
    }
    for (size_t i = 0; i < n; i++)
        if (in_all(samples[0]->records[i], samples, count, places))
            for (size_t k = 0; k < count; k++) {
                shared[k].values[shared[k].n] = samples[k]->values[places[k]];
                shared[k].records[shared[k].n++] = samples[k]->records[places[k]];
            }
    free(places);
}

enum status pairs_test(const struct pairs *pairs, struct rank_test *test, struct error *error)
{
    double *differences = xcalloc(2 * pairs->n, sizeof *differences);
    pairs_differences(pairs->first, pairs->second, pairs->n, differences);
    enum status status = signed_rank_test(differences, differences + pairs->n, pairs->n, NULL, test, error);
    free(differences);
    return status;
}

static double mean(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

void sample_reduction(const struct sample *left, const struct sample *right, double unit, struct sample *sample)
{
    struct pairs pairs;
    *sample = (struct sample){.generated = left->generated, .converged = left->converged, .stalled = left->stalled};
    pairs_of(left, right, &pairs);
    size_t n_left = left->n + left->without, n_right = right->n + right->without;
    sample->without = (n_left > n_right ? n_left : n_right) - pairs.n;
    sample->values = xcalloc(pairs.n, sizeof *sample->values);
    double whole = pairs.n ? mean(pairs.second, pairs.n) : 0;
    if (whole != 0) {
        double ratio = mean(pairs.first, pairs.n) / whole;
        for (size_t i = 0; i < pairs.n; i++)
            sample->values[i] = 100 * (1 - ratio - (pairs.first[i] - ratio * pairs.second[i]) / whole) / unit;
        sample->n = pairs.n;
    }
    pairs_free(&pairs);
}
