/*
 * The patterns of a training part are shuffled (gsl_ran_shuffle, mt19937, seeded by split_seed of "NAME folds" and the
 * split's number) and dealt out like cards, the i-th of the shuffled list to fold i mod n_folds. Stratified: positive
 * patterns are put before the negative ones, in their shuffled order, and then dealt. A fold that would leave one class
 * only to train with has the split dealt anew. A training part of the published splits may hold a pattern more than
 * once; each copy is dealt by itself. Everything is integer arithmetic.
 */
#include "harness/data/inner_folds.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/split.h"

enum { MOST_DEALS = 1000 };

/* A split's training part being dealt. */
struct deal {
    const struct dataset *dataset;
    const struct split *split;
    size_t n_folds;
    gsl_rng *random;
    size_t *deck; /* n_train: places in split->train */
    size_t *fold; /* n_train: the fold of each place */
};

static void sort_by_class(const struct deal *deal, size_t *scratch)
{
    size_t n = deal->split->n_train, filled = 0;
    for (int class = 1; class >= -1; class -= 2)
        for (size_t i = 0; i < n; i++)
            if (deal->dataset->y[deal->split->train[deal->deck[i]]] == class)
                scratch[filled++] = deal->deck[i];
    memcpy(deal->deck, scratch, n * sizeof *scratch);
}

static int both_classes_train(const struct deal *deal)
{
    for (size_t f = 0; f < deal->n_folds; f++) {
        int seen[2] = {0, 0};
        for (size_t i = 0; i < deal->split->n_train; i++)
            if (deal->fold[i] != f)
                seen[deal->dataset->y[deal->split->train[i]] < 0] = 1;
        if (!seen[0] || !seen[1])
            return 0;
    }
    return 1;
}

static enum status deal_out(const struct deal *deal, int stratified, struct error *error)
{
    size_t n = deal->split->n_train;
    for (size_t i = 0; i < n; i++)
        deal->deck[i] = i;
    for (int tries = 0; tries < MOST_DEALS; tries++) {
        gsl_ran_shuffle(deal->random, deal->deck, n, sizeof *deal->deck);
        if (stratified)
            sort_by_class(deal, deal->fold); /* not yet in use */
        for (size_t i = 0; i < n; i++)
            deal->fold[deal->deck[i]] = i % deal->n_folds;
        if (both_classes_train(deal))
            return STATUS_OK;
    }
    return error_set(error, STATUS_BAD_INPUT,
                     "tune.folds: none of %d deals of split %zu of %s into %zu folds leaves both classes to train with",
                     (int)MOST_DEALS, deal->split->number, deal->dataset->name, deal->n_folds);
}

/* The lists of the split's folds, each in the order of the split's own; `at` has room for n_folds * n_train rows. */
static void write_lists(const struct deal *deal, struct split *out, size_t first_number, size_t *at)
{
    size_t n = deal->split->n_train;
    for (size_t f = 0; f < deal->n_folds; f++) {
        struct split *split = &out[f];
        *split = (struct split){.number = first_number + f, .source = SPLIT_FOLD, .train = at};
        for (int tested = 0; tested <= 1; tested++)
            for (size_t i = 0; i < n; i++)
                if ((deal->fold[i] == f) == tested) {
                    *at++ = deal->split->train[i];
                    split->n_train += !tested;
                    split->n_test += (size_t)tested;
                }
        split->test = split->train + split->n_train;
    }
}

static enum status check_sizes(const struct dataset *dataset, size_t n_splits, size_t n_folds, struct error *error)
{
    if (dataset->n_splits < n_splits)
        return error_set(error, STATUS_BAD_INPUT,
                         "tune.splits: %zu is out of range; allowed: at most %zu, the splits of %s", n_splits,
                         dataset->n_splits, dataset->name);
    if (dataset->splits[0].n_train < n_folds)
        return error_set(error, STATUS_BAD_INPUT,
                         "tune.folds: %zu is out of range; allowed: at most %zu, the training patterns of %s", n_folds,
                         dataset->splits[0].n_train, dataset->name);
    return STATUS_OK;
}

/* Deals every split; the deck and the places are scratch of n_train each. */
static enum status deal_all(struct inner_folds *folds, const struct dataset *dataset, struct deal *deal,
                            size_t n_splits, int stratified, uint64_t seed, struct error *error)
{
    char name[160];
    enum status status = STATUS_OK;
    snprintf(name, sizeof name, "%.140s folds", dataset->name);
    for (size_t s = 0; s < n_splits && status == STATUS_OK; s++) {
        deal->split = &dataset->splits[s];
        gsl_rng_set(deal->random, split_seed(seed, name, deal->split->number));
        status = deal_out(deal, stratified, error);
        if (status == STATUS_OK)
            write_lists(deal, folds->splits + s * deal->n_folds, s * deal->n_folds + 1,
                        folds->indices + s * deal->n_folds * deal->split->n_train);
    }
    return status;
}

enum status inner_folds_make(struct inner_folds *folds, const struct dataset *dataset, size_t n_splits, size_t n_folds,
                             int stratified, uint64_t seed, struct error *error)
{
    memset(folds, 0, sizeof *folds);
    enum status status = check_sizes(dataset, n_splits, n_folds, error);
    if (status != STATUS_OK)
        return status;
    size_t n = dataset->splits[0].n_train; /* the same in all splits of a set */
    struct deal deal = {.dataset = dataset, .n_folds = n_folds, .random = gsl_rng_alloc(gsl_rng_mt19937)};
    deal.deck = calloc(2 * n, sizeof *deal.deck);
    deal.fold = deal.deck ? deal.deck + n : NULL;
    folds->splits = calloc(n_splits * n_folds, sizeof *folds->splits);
    folds->indices = calloc(n_splits * n_folds, n * sizeof *folds->indices);
    if (!deal.random || !deal.deck || !folds->splits || !folds->indices)
        status =
            error_set(error, STATUS_NO_MEMORY, "%s: out of memory for %zu folds", dataset->name, n_splits * n_folds);
    else
        status = deal_all(folds, dataset, &deal, n_splits, stratified, seed, error);
    if (deal.random)
        gsl_rng_free(deal.random);
    free(deal.deck);
    if (status != STATUS_OK) {
        inner_folds_free(folds);
        return status;
    }
    folds->view = *dataset;
    folds->view.splits = folds->splits;
    folds->view.n_splits = n_splits * n_folds;
    folds->view.indices = NULL;
    return STATUS_OK;
}

void inner_folds_free(struct inner_folds *folds)
{
    free(folds->splits);
    free(folds->indices);
    memset(folds, 0, sizeof *folds);
}
