/* Pairing by data set and split: the samples are of one data set each, so the split's number and source decide. */
#include "harness/papers/paired.h"

#include <stdlib.h>
#include <string.h>

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

enum status pairs_of(const struct sample *first, const struct sample *second, struct pairs *pairs, struct error *error)
{
    *pairs = (struct pairs){.first = calloc(first->n + 1, sizeof *pairs->first),
                            .second = calloc(first->n + 1, sizeof *pairs->second)};
    if (!pairs->first || !pairs->second) {
        pairs_free(pairs);
        return error_set(error, STATUS_NO_MEMORY, "%zu pairs: out of memory", first->n);
    }
    for (size_t i = 0; i < first->n; i++) {
        size_t j = place_of(first->records[i], second);
        if (j == second->n)
            continue;
        pairs->first[pairs->n] = first->values[i];
        pairs->second[pairs->n++] = second->values[j];
    }
    return STATUS_OK;
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

enum status samples_shared(const struct sample *const *samples, size_t count, struct sample *shared,
                           struct error *error)
{
    size_t most = count ? samples[0]->n : 0, *places = calloc(count + 1, sizeof *places);
    int failed = !places;
    for (size_t k = 0; k < count; k++) {
        shared[k] = *samples[k];
        shared[k].n = 0;
        shared[k].values = calloc(most + 1, sizeof *shared[k].values);
        shared[k].records = calloc(most + 1, sizeof *shared[k].records);
        failed |= !shared[k].values || !shared[k].records;
    }
    for (size_t i = 0; !failed && i < most; i++)
        if (in_all(samples[0]->records[i], samples, count, places))
            for (size_t k = 0; k < count; k++) {
                shared[k].values[shared[k].n] = samples[k]->values[places[k]];
                shared[k].records[shared[k].n++] = samples[k]->records[places[k]];
            }
    for (size_t k = 0; failed && k < count; k++)
        sample_free(&shared[k]);
    free(places);
    return failed ? error_set(error, STATUS_NO_MEMORY, "%zu samples: out of memory", count) : STATUS_OK;
}

enum status pairs_test(const struct pairs *pairs, struct rank_test *test, struct error *error)
{
    double *differences = calloc(2 * pairs->n + 1, sizeof *differences);
    if (!differences)
        return error_set(error, STATUS_NO_MEMORY, "%zu pairs: out of memory", pairs->n);
    pairs_differences(pairs->first, pairs->second, pairs->n, differences);
    enum status status = signed_rank_test(differences, differences + pairs->n, pairs->n, NULL, test, error);
    free(differences);
    return status;
}
