/*
 * k-fold cross-validation of a whole set. A repetition lists all rows, each repeated by its multiplicity, shuffles the
 * list with GSL's mt19937 and keeps its first k floor(n / k) entries. Entry i then goes to fold i mod k.
 *
 * The patterns of a training part are shuffled and dealt in the same way, with the seed split_seed of "NAME folds" and
 * the split's number. If a fold would leave only one class to train with, the split is dealt again. A training part of
 * the published splits may hold a pattern more than once; each copy is dealt separately.
 *
 * Stratified folds: the positive entries are first moved before the negative ones, in shuffled order. Integer
 * arithmetic throughout makes the result the same on every machine.
 */
#include "harness/data/folds.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/split.h"

/* Moves positive entries first; both classes keep their order. Entry e is row e, or rows[e] if rows is not NULL.
 * `scratch` is as long as the list. */
static void positives_first(const signed char *y, const size_t *rows, size_t *list, size_t count, size_t *scratch)
{
    size_t filled = 0;
    for (int class = 1; class >= -1; class -= 2)
        for (size_t i = 0; i < count; i++)
            if (y[rows ? rows[list[i]] : list[i]] == class)
                scratch[filled++] = list[i];
    memcpy(list, scratch, count * sizeof *list);
}

/* ---- a whole set ---- */

/* Deals the list of one repetition to its folds. */
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
                             "splits: fold %zu of repetition %zu of %s leaves only one class for training", f + 1,
                             repeat + 1, dataset->name);
    }
    return STATUS_OK;
}

static enum status shuffle_and_deal(const struct dataset *dataset, const struct fold_plan *plan, uint64_t seed,
                                    gsl_rng *random, size_t *list, size_t *scratch, struct error *error)
{
    size_t full = dataset->full_size, count = full - full % plan->folds;
    enum status status = STATUS_OK;
    for (size_t repeat = 0; repeat < plan->repeats && status == STATUS_OK; repeat++) {
        split_list_rows(dataset, list);
        gsl_rng_set(random, split_seed(seed, dataset->name, repeat + 1));
        gsl_ran_shuffle(random, list, full, sizeof *list);
        if (plan->stratified)
            positives_first(dataset->y, NULL, list, count, scratch);
        status = deal(dataset, plan, repeat, list, error);
    }
    return status;
}

enum status folds_fill(struct dataset *dataset, const struct fold_plan *plan, uint64_t seed, struct error *error)
{
    size_t full = dataset->full_size, count = full - full % plan->folds, splits = plan->folds * plan->repeats;
    if (count == 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "splits.folds: %zu is out of range; allowed: at most %zu, the number of rows of %s",
                         plan->folds, full, dataset->name);
    if (count > SIZE_MAX / sizeof(size_t) / splits)
        return error_set(error, STATUS_NO_MEMORY, "%s: %zu folds of %zu rows do not fit into memory", dataset->source,
                         splits, count);
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

/* ---- inside training parts ---- */

static int both_classes_train(const struct dataset *dataset, const struct split *split, const size_t *fold,
                              size_t n_folds)
{
    for (size_t f = 0; f < n_folds; f++) {
        int seen[2] = {0, 0};
        for (size_t i = 0; i < split->n_train; i++)
            if (fold[i] != f)
                seen[dataset->y[split->train[i]] < 0] = 1;
        if (!seen[0] || !seen[1])
            return 0;
    }
    return 1;
}

/* Sets the fold of each of the split's training patterns; `deck` is scratch of the same length. */
static enum status deal_training(const struct dataset *dataset, const struct split *split, size_t n_folds,
                                 int stratified, gsl_rng *random, size_t *deck, size_t *fold, struct error *error)
{
    enum { DEALS_MAX = 1000 };
    size_t n = split->n_train;
    for (size_t i = 0; i < n; i++)
        deck[i] = i;
    for (int tries = 0; tries < DEALS_MAX; tries++) {
        gsl_ran_shuffle(random, deck, n, sizeof *deck);
        if (stratified)
            positives_first(dataset->y, split->train, deck, n, fold); /* not yet in use as the result */
        for (size_t i = 0; i < n; i++)
            fold[deck[i]] = i % n_folds;
        if (both_classes_train(dataset, split, fold, n_folds))
            return STATUS_OK;
    }
    return error_set(error, STATUS_BAD_INPUT,
                     "tune.folds: %d attempts to divide split %zu of %s into %zu folds with both classes in each "
                     "training part failed",
                     (int)DEALS_MAX, split->number, dataset->name, n_folds);
}

/* Writes the lists of the split's folds from `at` on, each in the order of the split. */
static void write_lists(const struct split *split, const size_t *fold, size_t n_folds, struct split *out,
                        size_t first_number, size_t *at)
{
    for (size_t f = 0; f < n_folds; f++) {
        out[f] = (struct split){.number = first_number + f, .source = SPLIT_FOLD, .train = at};
        for (int tested = 0; tested <= 1; tested++)
            for (size_t i = 0; i < split->n_train; i++)
                if ((fold[i] == f) == tested) {
                    *at++ = split->train[i];
                    out[f].n_train += !tested;
                    out[f].n_test += (size_t)tested;
                }
        out[f].test = out[f].train + out[f].n_train;
    }
}

static enum status check_sizes(const struct dataset *dataset, size_t n_splits, size_t n_folds, struct error *error)
{
    if (dataset->n_splits < n_splits)
        return error_set(error, STATUS_BAD_INPUT,
                         "tune.splits: %zu is out of range; allowed: at most %zu, the number of splits of %s", n_splits,
                         dataset->n_splits, dataset->name);
    if (dataset->splits[0].n_train < n_folds)
        return error_set(error, STATUS_BAD_INPUT,
                         "tune.folds: %zu is out of range; allowed: at most %zu, the number of training patterns of %s",
                         n_folds, dataset->splits[0].n_train, dataset->name);
    return STATUS_OK;
}

enum status inner_folds_make(struct inner_folds *folds, const struct dataset *dataset, size_t n_splits, size_t n_folds,
                             int stratified, uint64_t seed, struct error *error)
{
    char name[160];
    size_t n = dataset->n_splits ? dataset->splits[0].n_train : 0; /* the same in all splits */
    *folds = (struct inner_folds){.view = *dataset};
    enum status status = check_sizes(dataset, n_splits, n_folds, error);
    if (status != STATUS_OK)
        return status;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    size_t *deck = calloc(2 * n, sizeof *deck);
    folds->splits = calloc(n_splits * n_folds, sizeof *folds->splits);
    folds->indices = calloc(n_splits * n_folds, n * sizeof *folds->indices);
    if (!random || !deck || !folds->splits || !folds->indices)
        status =
            error_set(error, STATUS_NO_MEMORY, "%s: out of memory for %zu folds", dataset->name, n_splits * n_folds);
    snprintf(name, sizeof name, "%.140s folds", dataset->name);
    for (size_t s = 0; s < n_splits && status == STATUS_OK; s++) {
        const struct split *split = &dataset->splits[s];
        gsl_rng_set(random, split_seed(seed, name, split->number));
        status = deal_training(dataset, split, n_folds, stratified, random, deck, deck + n, error);
        if (status == STATUS_OK)
            write_lists(split, deck + n, n_folds, folds->splits + s * n_folds, s * n_folds + 1,
                        folds->indices + s * n_folds * n);
    }
    if (random)
        gsl_rng_free(random);
    free(deck);
    folds->view.splits = folds->splits;
    folds->view.n_splits = n_splits * n_folds;
    folds->view.indices = NULL;
    if (status != STATUS_OK)
        inner_folds_free(folds);
    return status;
}

void inner_folds_free(struct inner_folds *folds)
{
    free(folds->splits);
    free(folds->indices);
    memset(folds, 0, sizeof *folds);
}
