/*
 * k-fold cross-validation. A repetition shuffles the list of all rows, each repeated as often as its multiplicity says, with GSL's
 * mt19937 and keeps its first k floor(n / k) entries. Entry i then goes to fold i mod k; for stratified folds the positive entries
 * are put before the negative ones first, in the order of the shuffle. Integer arithmetic throughout, hence the same everywhere.
 */
#include "harness/data/folds.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/split.h"

/* Positive entries first; both classes keep their order. `scratch` as long as the list. */
static void positives_first(const signed char *y, size_t *list, size_t count, size_t *scratch)
{
    size_t filled = 0;
    for (int class = 1; class >= -1; class -= 2)
        for (size_t i = 0; i < count; i++)
            if (y[list[i]] == class)
                scratch[filled++] = list[i];
    memcpy(list, scratch, count * sizeof *list);
}

/* The list of one repetition dealt out to its folds. */
static enum status deal(const struct dataset *dataset, const struct fold_plan *plan, size_t repeat, const size_t *list,
                        struct error *error)
{
    size_t k = plan->folds, size = dataset->full_size / k, count = k * size;
    for (size_t f = 0; f < k; f++) {
        struct split *split = &dataset->splits[repeat * k + f];
        size_t *train = dataset->indices + (repeat * k + f) * count, *test = train + (count - size);
        *split = (struct split){repeat * k + f + 1, SPLIT_FOLD, count - size, size, train, test};
        for (size_t i = 0; i < count; i++)
            *(i % k == f ? test++ : train++) = list[i];
        if (!split_has_both_classes(dataset->y, split->train, split->n_train))
            return error_set(error, STATUS_BAD_INPUT,
                             "splits: fold %zu of repetition %zu of %s leaves one class only to train on", f + 1,
                             repeat + 1, dataset->name);
    }
    return STATUS_OK;
}

static enum status shuffle_and_deal(const struct dataset *dataset, const struct fold_plan *plan, uint64_t seed, gsl_rng *random,
                                    size_t *list, size_t *scratch, struct error *error)
{
    size_t full = dataset->full_size, count = full - full % plan->folds;
    enum status status = STATUS_OK;
    for (size_t repeat = 0; repeat < plan->repeats && status == STATUS_OK; repeat++) {
        size_t filled = 0;
        for (size_t row = 0; row < dataset->rows; row++)
            for (size_t copy = 0; copy < dataset->multiplicity[row]; copy++)
                list[filled++] = row;
        gsl_rng_set(random, split_seed(seed, dataset->name, repeat + 1));
        gsl_ran_shuffle(random, list, full, sizeof *list);
        if (plan->stratified)
            positives_first(dataset->y, list, count, scratch);
        status = deal(dataset, plan, repeat, list, error);
    }
    return status;
}

enum status folds_fill(struct dataset *dataset, const struct fold_plan *plan, uint64_t seed, struct error *error)
{
    size_t full = dataset->full_size, count = full - full % plan->folds, splits = plan->folds * plan->repeats;
    if (count == 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "splits.folds: %zu is out of range; allowed: at most %zu, the rows of %s", plan->folds, full,
                         dataset->name);
    if (count > SIZE_MAX / sizeof(size_t) / splits)
        return error_set(error, STATUS_NO_MEMORY, "%s: %zu folds of %zu rows do not fit into memory", dataset->source, splits,
                         count);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    size_t *list = malloc(2 * full * sizeof *list);
    dataset->splits = calloc(splits, sizeof *dataset->splits);
    dataset->indices = malloc(splits * count * sizeof *dataset->indices);
    enum status status = STATUS_OK;
    if (!random || !list || !dataset->splits || !dataset->indices)
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", dataset->source);
    else
        status = shuffle_and_deal(dataset, plan, seed, random, list, list + full, error);
    if (status == STATUS_OK)
        dataset->n_splits = splits;
    free(list);
    if (random)
        gsl_rng_free(random);
    return status;
}
