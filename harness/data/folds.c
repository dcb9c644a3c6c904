/*
 * k-fold cross-validation of a whole set. A repetition lists all rows, each repeated by its multiplicity, and shuffles
 * the list with GSL's mt19937. Entry i then goes to fold i mod k. Folds of equal size use the first k floor(n / k)
 * entries only.
 *
 * The patterns of a training part are shuffled and dealt in the same way, with the seed split_seed of "NAME folds" and
 * the split's number. A training part of the published splits may hold a pattern more than once; each copy is dealt
 * separately.
 *
 * If a fold would leave only one class to train with, the list is shuffled and dealt again. Stratified folds: the
 * positive entries are first moved before the negative ones, in shuffled order. Integer arithmetic throughout makes the
 * result the same on every machine.
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

/* Whether both classes are left to train with whichever fold is tested: neither lies in one fold. */
static int both_classes_train(const signed char *y, const size_t *rows, const size_t *list, size_t count,
                              size_t n_folds)
{
    size_t first[2] = {n_folds, n_folds};
    int is_spread[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const int class = y[rows ? rows[list[i]] : list[i]] < 0;
        if (first[class] == n_folds)
            first[class] = i % n_folds;
        is_spread[class] |= first[class] != i % n_folds;
    }
    return is_spread[0] && is_spread[1];
}

/* Where a list of entries comes from, as for positives_first, and how it is dealt. */
struct deal {
    const struct dataset *dataset;
    const size_t *rows;
    size_t full, count; /* entries in the list; the first of them that are dealt */
    size_t n_folds;
    int stratified;
    const char *what; /* for messages: "splits", "tune.folds: split 3" */
};

/* Orders the list so that entry i can go to fold i mod n_folds. */
static enum status order_list(const struct deal *deal, gsl_rng *random, size_t *list, size_t *scratch,
                              struct error *error)
{
    enum { DEALS_MAX = 1000 }; /* if a valid deal exists, about every second one or more are valid */
    const signed char *y = deal->dataset->y;
    size_t in_class[2] = {0, 0};
    for (size_t i = 0; i < deal->full; i++)
        in_class[y[deal->rows ? deal->rows[list[i]] : list[i]] < 0]++;
    for (int tries = 0; tries < DEALS_MAX && in_class[0] > 1 && in_class[1] > 1; tries++) {
        gsl_ran_shuffle(random, list, deal->full, sizeof *list);
        if (deal->stratified)
            positives_first(y, deal->rows, list, deal->count, scratch);
        if (both_classes_train(y, deal->rows, list, deal->count, deal->n_folds))
            return STATUS_OK;
    }
    return error_set(error, STATUS_BAD_INPUT,
                     "%s of %s: %zu and %zu patterns of the two classes cannot be divided into %zu folds that leave "
                     "both classes to train with",
                     deal->what, deal->dataset->name, in_class[0], in_class[1], deal->n_folds);
}

/* ---- a whole set ---- */

/* Deals the list of one repetition to its folds. */
static void deal_whole(const struct deal *deal, size_t repeat, const size_t *list)
{
    const struct dataset *dataset = deal->dataset;
    size_t k = deal->n_folds, count = deal->count;
    for (size_t f = 0; f < k; f++) {
        size_t size = count / k + (f < count % k);
        struct split *split = &dataset->splits[repeat * k + f];
        size_t *train = dataset->indices + (repeat * k + f) * count, *test = train + (count - size);
        *split = (struct split){repeat * k + f + 1, SPLIT_FOLD, count - size, size, train, test};
        for (size_t i = 0; i < count; i++)
            *(i % k == f ? test++ : train++) = list[i];
    }
}

static enum status shuffle_and_deal(const struct deal *deal, size_t repeats, uint64_t seed, gsl_rng *random,
                                    size_t *list, size_t *scratch, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t repeat = 0; repeat < repeats && status == STATUS_OK; repeat++) {
        split_list_rows(deal->dataset, list);
        gsl_rng_set(random, split_seed(seed, deal->dataset->name, repeat + 1));
        status = order_list(deal, random, list, scratch, error);
        if (status == STATUS_OK)
            deal_whole(deal, repeat, list);
    }
    return status;
}

enum status folds_fill(struct dataset *dataset, const struct fold_plan *plan, uint64_t seed, struct error *error)
{
    size_t full = dataset->full_size, splits = plan->folds * plan->repeats;
    size_t count = plan->equal_sizes ? full - full % plan->folds : full;
    const struct deal deal = {dataset, NULL, full, count, plan->folds, plan->stratified, "splits"};
    if (full < plan->folds)
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
        status = shuffle_and_deal(&deal, plan->repeats, seed, random, list, list + full, error);
    if (status == STATUS_OK)
        dataset->n_splits = splits;
    free(list);
    if (random)
        gsl_rng_free(random);
    return status;
}

/* ---- inside training parts ---- */

/* Sets the fold of each of the split's training patterns; `deck` is scratch of the same length. */
static enum status deal_training(const struct dataset *dataset, const struct split *split, size_t n_folds,
                                 int stratified, gsl_rng *random, size_t *deck, size_t *fold, struct error *error)
{
    size_t n = split->n_train;
    char what[48];
    snprintf(what, sizeof what, "tune.folds: split %zu", split->number);
    const struct deal deal = {dataset, split->train, n, n, n_folds, stratified, what};
    for (size_t i = 0; i < n; i++)
        deck[i] = i;
    enum status status = order_list(&deal, random, deck, fold, error); /* `fold` is not yet in use as the result */
    for (size_t i = 0; status == STATUS_OK && i < n; i++)
        fold[deck[i]] = i % n_folds;
    return status;
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
    size_t n = 0; /* of the largest training part; folds differ by one */
    *folds = (struct inner_folds){.view = *dataset};
    enum status status = check_sizes(dataset, n_splits, n_folds, error);
    if (status != STATUS_OK)
        return status;
    for (size_t s = 0; s < n_splits; s++)
        n = dataset->splits[s].n_train > n ? dataset->splits[s].n_train : n;
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
