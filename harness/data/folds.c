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
#include <stdio.h>
#include <string.h>

#include "harness/base/die.h"
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
    const char *where, *what; /* for messages: "sweep.json: ", and "splits" or "tune.folds: split 3" */
};

/* Orders the list so that entry i can go to fold i mod n_folds. */
static void order_list(const struct deal *deal, gsl_rng *random, size_t *list, size_t *scratch)
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
            return;
    }
    die(STATUS_BAD_INPUT,
        "%s%s of %s: %zu and %zu patterns of the two classes cannot be divided into %zu folds that leave both classes "
        "to train with",
        deal->where, deal->what, deal->dataset->name, in_class[0], in_class[1], deal->n_folds);
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

void folds_fill(struct dataset *dataset, const struct fold_plan *plan, const char *where, uint64_t seed)
{
    size_t full = dataset->full_size, splits = plan->folds * plan->repeats;
    size_t count = plan->equal_sizes ? full - full % plan->folds : full;
    const struct deal deal = {dataset, NULL, full, count, plan->folds, plan->stratified, where, "splits"};
    if (full < plan->folds)
        die(STATUS_BAD_INPUT, "%ssplits.folds: %zu is out of range; allowed: at most %zu, the number of rows of %s",
            where, plan->folds, full, dataset->name);
    if (count > SIZE_MAX / sizeof(size_t) / splits)
        die(STATUS_NO_MEMORY, "%s: %zu folds of %zu rows do not fit into memory", dataset->source, splits,
            count);
    struct pool *inner = pool_new();
    gsl_rng *random = split_generator(inner);
    size_t *list = pool_array(inner, 2 * full, sizeof *list);
    dataset->splits = pool_array(dataset->pool, splits, sizeof *dataset->splits);
    dataset->indices = pool_array(dataset->pool, splits * count, sizeof *dataset->indices);
    for (size_t repeat = 0; repeat < plan->repeats; repeat++) {
        split_list_rows(dataset, list);
        gsl_rng_set(random, split_seed(seed, dataset->name, repeat + 1));
        order_list(&deal, random, list, list + full);
        deal_whole(&deal, repeat, list);
    }
    dataset->n_splits = splits;
    pool_free(inner);
}

/* ---- inside training parts ---- */

/* Sets the fold of each of the split's training patterns; `deck` is scratch of the same length. */
static void deal_training(const struct deal *whole, const struct split *split, gsl_rng *random, size_t *deck,
                          size_t *fold)
{
    size_t n = split->n_train;
    char what[48];
    snprintf(what, sizeof what, "tune.folds: split %zu", split->number);
    struct deal deal = *whole;
    deal.rows = split->train;
    deal.full = deal.count = n;
    deal.what = what;
    for (size_t i = 0; i < n; i++)
        deck[i] = i;
    order_list(&deal, random, deck, fold); /* `fold` is not yet in use as the result */
    for (size_t i = 0; i < n; i++)
        fold[deck[i]] = i % deal.n_folds;
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

static void check_sizes(const struct dataset *dataset, const char *where, size_t n_splits, size_t n_folds)
{
    if (dataset->n_splits < n_splits)
        die(STATUS_BAD_INPUT, "%stune.splits: %zu is out of range; allowed: at most %zu, the number of splits of %s",
            where, n_splits, dataset->n_splits, dataset->name);
    if (dataset->splits[0].n_train < n_folds)
        die(STATUS_BAD_INPUT,
            "%stune.folds: %zu is out of range; allowed: at most %zu, the number of training patterns of %s", where,
            n_folds, dataset->splits[0].n_train, dataset->name);
}

struct dataset *inner_folds_make(struct pool *pool, const struct dataset *dataset, size_t n_splits, size_t n_folds,
                                 int stratified, const char *where, uint64_t seed)
{
    char name[160];
    size_t n = 0; /* of the largest training part; folds differ by one */
    struct dataset *view = pool_alloc(pool, sizeof *view);
    check_sizes(dataset, where, n_splits, n_folds);
    for (size_t s = 0; s < n_splits; s++)
        n = dataset->splits[s].n_train > n ? dataset->splits[s].n_train : n;
    const struct deal whole = {
        .dataset = dataset, .n_folds = n_folds, .stratified = stratified, .where = where};
    struct pool *inner = pool_new();
    gsl_rng *random = split_generator(inner);
    size_t *deck = pool_array(inner, 2 * n, sizeof *deck);
    *view = *dataset;
    view->pool = pool;
    view->n_splits = n_splits * n_folds;
    view->splits = pool_array(pool, view->n_splits, sizeof *view->splits);
    view->indices = pool_array(pool, view->n_splits, n * sizeof *view->indices);
    snprintf(name, sizeof name, "%.140s folds", dataset->name);
    for (size_t s = 0; s < n_splits; s++) {
        const struct split *split = &dataset->splits[s];
        gsl_rng_set(random, split_seed(seed, name, split->number));
        deal_training(&whole, split, random, deck, deck + n);
        write_lists(split, deck + n, n_folds, view->splits + s * n_folds, s * n_folds + 1,
                    view->indices + s * n_folds * n);
    }
    pool_free(inner);
    return view;
}
