/*
 * Random splits of a set with repeated rows. The full set is a multiset: row i occurs in it multiplicity[i] times. A
 * split deals these copies out, so one row may both train and test, as in the published splits. All steps from the seed
 * to the lists use integer arithmetic and therefore give the same result on every machine.
 *
 * Folds of a whole set: a repetition lists all rows, each repeated by its multiplicity, and shuffles the list with
 * GSL's mt19937. Entry i then goes to fold i mod k. Folds of equal size use the first k floor(n / k) entries only. The
 * patterns of a training part are shuffled and dealt in the same way, with the seed split_seed of "NAME folds" and the
 * split's number. A training part of the published splits may hold a pattern more than once; each copy is dealt
 * separately. If a fold would leave only one class to train with, the list is shuffled and dealt again. Stratified
 * folds: the positive entries are first moved before the negative ones, in shuffled order.
 */
#include "harness/data/split.h"

#include <ctype.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/stats/distributions.h"

enum { MAX_DRAWS = 1000 }; /* if a valid deal of folds exists, about every second one or more are valid */

const char *const split_source_names[] = {[SPLIT_OFFICIAL] = "official",
                                          [SPLIT_RESAMPLED] = "resampled",
                                          [SPLIT_GENERATED] = "generated",
                                          [SPLIT_FOLD] = "fold",
                                          NULL};

const char *split_source_name(enum split_source source)
{
    return (unsigned)source <= SPLIT_FOLD ? split_source_names[source] : "unknown";
}

void splits_allocate(struct dataset *dataset, size_t count, size_t rows)
{
    if (rows > SIZE_MAX / sizeof(size_t) / count)
        die(STATUS_NO_MEMORY, "%s: %zu splits of %zu rows do not fit into memory", dataset->source, count, rows);
    dataset->splits = pool_array(dataset->pool, count, sizeof *dataset->splits);
    dataset->indices = pool_array(dataset->pool, count * rows, sizeof *dataset->indices);
}

/* ---- seeds ---- */

uint32_t split_seed(uint64_t seed, const char *name, uint64_t number)
{
    uint64_t hash = fnv_word(fnv(fnv_word(FNV_START, seed), name, strlen(name) + 1), number);
    /* FNV leaves the upper bits of neighbouring numbers similar; the finaliser spreads them. */
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    hash ^= hash >> 31;
    return (uint32_t)(hash >> 32 ^ (hash & 0xffffffff));
}

/* ---- drawn splits ---- */

/* Lists all rows of the set, each repeated by its multiplicity, in the pool. */
static size_t *list_rows(struct pool *pool, const struct dataset *dataset)
{
    size_t *list = pool_array(pool, dataset->full_size, sizeof *list), count = 0;
    for (size_t row = 0; row < dataset->patterns.rows; row++)
        for (size_t copy = 0; copy < dataset->multiplicity[row]; copy++)
            list[count++] = row;
    return list;
}

int split_has_both_classes(const signed char *y, const size_t *rows, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (y[rows[i]] != y[rows[0]])
            return 1;
    return 0;
}

static void size_check(const struct dataset *dataset, size_t n_train, size_t n_test)
{
    size_t full = dataset->full_size;
    if (n_train < 2 || n_train > full || n_test > full - n_train)
        die(STATUS_BAD_INPUT,
            "%s: a split of %zu training and %zu test rows is not possible; allowed: at least 2 training rows, at most "
            "%zu rows together",
            dataset->source, n_train, n_test, full);
}

void split_resample(uint64_t seed, const struct dataset *dataset, size_t number, size_t n_train, size_t n_test,
                    size_t *indices)
{
    size_check(dataset, n_train, n_test);
    struct pool *pool = pool_new();
    gsl_rng *random = random_numbers(pool, split_seed(seed, dataset->name, number));
    size_t *list = list_rows(pool, dataset);
    int found = 0;
    for (int draw = 0; draw < MAX_DRAWS && !found; draw++) {
        gsl_ran_shuffle(random, list, dataset->full_size, sizeof *list);
        found = split_has_both_classes(dataset->y, list, n_train);
    }
    if (!found)
        die(STATUS_BAD_INPUT, "%s: split %zu: %d random draws of %zu training rows all had only one class",
            dataset->name, number, (int)MAX_DRAWS, n_train);
    memcpy(indices, list, (n_train + n_test) * sizeof *indices);
    pool_free(pool);
}

void split_fill(struct dataset *dataset, const struct listed_splits *listed, size_t want, size_t n_train, size_t n_test,
                uint64_t seed, enum split_source drawn)
{
    const size_t size = n_train + n_test;
    size_check(dataset, n_train, n_test);
    splits_allocate(dataset, want, size);
    for (size_t i = 0; i < want; i++) {
        size_t *rows = dataset->indices + i * size, at = 0;
        while (listed && at < listed->count && listed->numbers[at] != i + 1)
            at++;
        const int is_listed = listed && at < listed->count;
        dataset->splits[i] =
            (struct split){i + 1, is_listed ? SPLIT_OFFICIAL : drawn, n_train, n_test, rows, rows + n_train};
        if (is_listed)
            memcpy(rows, listed->indices + at * size, size * sizeof *rows);
        else
            split_resample(seed, dataset, i + 1, n_train, n_test, rows);
    }
    dataset->n_splits = want;
}

/* Nonzero if both lists hold the same rows equally often; `often`, one per row, is zero before and after. */
static int same_rows(const size_t *one, const size_t *other, size_t count, size_t *often)
{
    size_t taken = 0;
    for (size_t i = 0; i < count; i++)
        often[one[i]]++;
    while (taken < count && often[other[taken]] > 0)
        often[other[taken++]]--;
    for (size_t i = 0; i < count; i++)
        often[one[i]] = 0;
    return taken == count;
}

size_t split_same_as(const struct dataset *dataset, size_t s)
{
    const struct split *split = &dataset->splits[s];
    size_t *often = xcalloc(dataset->patterns.rows, sizeof *often), first = 0;
    for (; first < s; first++) {
        const struct split *other = &dataset->splits[first];
        if (other->n_train == split->n_train && other->n_test == split->n_test &&
            same_rows(split->train, other->train, split->n_train, often) &&
            same_rows(split->test, other->test, split->n_test, often))
            break;
    }
    free(often);
    return first;
}

/* ---- folds ---- */

/* How a list of rows is dealt to folds. */
struct deal {
    const struct dataset *dataset;
    size_t n_folds;
    int stratified;
    const char *where, *what; /* for messages: "sweep.json: ", and "splits" or "tune.folds: split 3" */
    gsl_rng *random;
    size_t *deck, *fold; /* as long as the list */
};

/* Moves the positive entries of the deck first; both classes keep their order. */
static void positives_first(const struct deal *deal, const size_t *rows, size_t count)
{
    size_t filled = 0;
    for (int class = 1; class >= -1; class -= 2)
        for (size_t i = 0; i < count; i++)
            if (deal->dataset->y[rows[deal->deck[i]]] == class)
                deal->fold[filled++] = deal->deck[i]; /* not yet in use for the folds */
    memcpy(deal->deck, deal->fold, count * sizeof *deal->deck);
}

/* Whether both classes are left to train with whichever fold is tested: neither lies in one fold. */
static int both_classes_train(const struct deal *deal, const size_t *rows, size_t count)
{
    size_t first[2] = {deal->n_folds, deal->n_folds};
    int is_spread[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const int class = deal->dataset->y[rows[deal->deck[i]]] < 0;
        if (first[class] == deal->n_folds)
            first[class] = i % deal->n_folds;
        is_spread[class] |= first[class] != i % deal->n_folds;
    }
    return is_spread[0] && is_spread[1];
}

/* Orders the deck, the indices of the `full` rows, so that each i below `count` can go to fold i mod n_folds. */
static void order_deck(const struct deal *deal, const size_t *rows, size_t full, size_t count)
{
    size_t in_class[2] = {0, 0};
    for (size_t i = 0; i < full; i++) {
        deal->deck[i] = i;
        in_class[deal->dataset->y[rows[i]] < 0]++;
    }
    for (int tries = 0; tries < MAX_DRAWS && in_class[0] > 1 && in_class[1] > 1; tries++) {
        gsl_ran_shuffle(deal->random, deal->deck, full, sizeof *deal->deck);
        if (deal->stratified)
            positives_first(deal, rows, count);
        if (both_classes_train(deal, rows, count))
            return;
    }
    die(STATUS_BAD_INPUT,
        "%s%s of %s: %zu and %zu patterns of the two classes cannot be divided into %zu folds that leave both classes "
        "to train with",
        deal->where, deal->what, deal->dataset->name, in_class[0], in_class[1], deal->n_folds);
}

/* Makes one split of each fold, given the fold of each row: its lists, in the order of the rows, begin at `at`. */
static void write_folds(const struct deal *deal, const size_t *rows, size_t count, struct split *splits,
                        size_t first_number, size_t *at)
{
    for (size_t f = 0; f < deal->n_folds; f++) {
        splits[f] = (struct split){.number = first_number + f, .source = SPLIT_FOLD, .train = at};
        for (int tested = 0; tested <= 1; tested++)
            for (size_t i = 0; i < count; i++)
                if ((deal->fold[i] == f) == tested) {
                    *at++ = rows[i];
                    splits[f].n_train += !tested;
                    splits[f].n_test += (size_t)tested;
                }
        splits[f].test = splits[f].train + splits[f].n_train;
    }
}

void folds_fill(struct dataset *dataset, const struct fold_plan *plan, const char *where, uint64_t seed)
{
    const size_t full = dataset->full_size, k = plan->folds, count = plan->equal_sizes ? full - full % k : full;
    if (full < k)
        die(STATUS_BAD_INPUT, "%ssplits.folds: %zu is out of range; allowed: at most %zu, the number of rows of %s",
            where, k, full, dataset->name);
    splits_allocate(dataset, k * plan->repeats, count);
    struct pool *inner = pool_new();
    const struct deal deal = {dataset, k, plan->stratified, where, "splits", random_numbers(inner, 0),
                              pool_array(inner, full, sizeof(size_t)), pool_array(inner, full, sizeof(size_t))};
    const size_t *rows = list_rows(inner, dataset);
    size_t *shuffled = pool_array(inner, full, sizeof *shuffled);
    for (size_t repeat = 0; repeat < plan->repeats; repeat++) {
        gsl_rng_set(deal.random, split_seed(seed, dataset->name, repeat + 1));
        order_deck(&deal, rows, full, count);
        for (size_t i = 0; i < count; i++) {
            shuffled[i] = rows[deal.deck[i]];
            deal.fold[i] = i % k;
        }
        write_folds(&deal, shuffled, count, dataset->splits + repeat * k, repeat * k + 1,
                    dataset->indices + repeat * k * count);
    }
    dataset->n_splits = k * plan->repeats;
    pool_free(inner);
}

struct dataset *inner_folds_make(struct pool *pool, const struct dataset *dataset, size_t n_splits, size_t n_folds,
                                 int stratified, const char *where, uint64_t seed)
{
    char name[160], what[48];
    size_t n = 0; /* of the largest training part; folds differ by one */
    struct dataset *view = pool_alloc(pool, sizeof *view);
    if (dataset->n_splits < n_splits)
        die(STATUS_BAD_INPUT, "%stune.splits: %zu is out of range; allowed: at most %zu, the number of splits of %s",
            where, n_splits, dataset->n_splits, dataset->name);
    if (dataset->splits[0].n_train < n_folds)
        die(STATUS_BAD_INPUT,
            "%stune.folds: %zu is out of range; allowed: at most %zu, the number of training patterns of %s", where,
            n_folds, dataset->splits[0].n_train, dataset->name);
    for (size_t s = 0; s < n_splits; s++)
        n = dataset->splits[s].n_train > n ? dataset->splits[s].n_train : n;
    struct pool *inner = pool_new();
    const struct deal deal = {dataset, n_folds, stratified, where, what, random_numbers(inner, 0),
                              pool_array(inner, n, sizeof(size_t)), pool_array(inner, n, sizeof(size_t))};
    *view = *dataset;
    view->pool = pool;
    view->n_splits = n_splits * n_folds;
    splits_allocate(view, view->n_splits, n);
    snprintf(name, sizeof name, "%.140s folds", dataset->name);
    for (size_t s = 0; s < n_splits; s++) {
        const struct split *split = &dataset->splits[s];
        snprintf(what, sizeof what, "tune.folds: split %zu", split->number);
        gsl_rng_set(deal.random, split_seed(seed, name, split->number));
        order_deck(&deal, split->train, split->n_train, split->n_train);
        for (size_t i = 0; i < split->n_train; i++)
            deal.fold[deal.deck[i]] = i % n_folds;
        write_folds(&deal, split->train, split->n_train, view->splits + s * n_folds, s * n_folds + 1,
                    view->indices + s * n_folds * n);
    }
    pool_free(inner);
    return view;
}

/* ---- ranges of numbers ---- */

int number_range_parse(const char **at, size_t *first, size_t *last)
{
    size_t *const to[] = {first, last};
    for (int i = 0; i < 2; i++) {
        char *end;
        if (!isdigit((unsigned char)**at))
            return 0;
        *to[i] = strtoul(*at, &end, 10);
        *at = end;
        *last = *to[i];
        if (i > 0 || *end != '-')
            return 1;
        ++*at;
    }
    return 0;
}
