/*
 * Random splits of a set with repeated rows. The full set is a multiset: row i occurs in it multiplicity[i] times. A
 * split deals these copies out, so one row may both train and test, as in the published splits. All steps from the seed
 * to the lists use integer arithmetic and therefore give the same result on every machine.
 */
#include "harness/data/split.h"

#include <gsl/gsl_randist.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"

enum { MAX_DRAWS = 1000 };

const char *const split_source_names[] = {[SPLIT_OFFICIAL] = "official",
                                          [SPLIT_RESAMPLED] = "resampled",
                                          [SPLIT_GENERATED] = "generated",
                                          [SPLIT_FOLD] = "fold",
                                          NULL};

const char *split_source_name(enum split_source source)
{
    return (unsigned)source <= SPLIT_FOLD ? split_source_names[source] : "unknown";
}

static void release_generator(void *random)
{
    gsl_rng_free(random);
}

gsl_rng *split_generator(struct pool *pool)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    if (!random)
        out_of_memory();
    pool_keep(pool, release_generator, random);
    return random;
}

static uint64_t hash_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        hash = hash_byte(hash, (unsigned char)(number >> (8 * i) & 0xff));
    return hash;
}

uint32_t split_seed(uint64_t seed, const char *name, uint64_t number)
{
    uint64_t hash = hash_number(UINT64_C(0xcbf29ce484222325), seed);
    for (const char *at = name; *at; at++)
        hash = hash_byte(hash, (unsigned char)*at);
    hash = hash_number(hash_byte(hash, 0), number);
    /* FNV leaves the upper bits of neighbouring numbers similar; the finaliser spreads them. */
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    hash ^= hash >> 31;
    return (uint32_t)(hash >> 32 ^ (hash & 0xffffffff));
}

void split_list_rows(const struct dataset *dataset, size_t *list)
{
    for (size_t row = 0; row < dataset->patterns.rows; row++)
        for (size_t copy = 0; copy < dataset->multiplicity[row]; copy++)
            *list++ = row;
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
    size_t full = dataset->full_size;
    size_check(dataset, n_train, n_test);
    struct pool *pool = pool_new();
    gsl_rng *random = split_generator(pool);
    size_t *list = pool_array(pool, full, sizeof *list);
    gsl_rng_set(random, split_seed(seed, dataset->name, number));
    split_list_rows(dataset, list);
    int found = 0;
    for (int draw = 0; draw < MAX_DRAWS && !found; draw++) {
        gsl_ran_shuffle(random, list, full, sizeof *list);
        found = split_has_both_classes(dataset->y, list, n_train);
    }
    if (!found)
        die(STATUS_BAD_INPUT, "%s: split %zu: %d random draws of %zu training rows all had only one class",
            dataset->name, number, (int)MAX_DRAWS, n_train);
    memcpy(indices, list, (n_train + n_test) * sizeof *indices);
    pool_free(pool);
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

static void one_split(const struct dataset *dataset, const struct listed_splits *listed, uint64_t seed,
                             enum split_source drawn, struct split *split, size_t *indices)
{
    size_t size = split->n_train + split->n_test;
    split->train = indices;
    split->test = indices + split->n_train;
    for (size_t i = 0; listed && i < listed->count; i++)
        if (listed->numbers[i] == split->number) {
            split->source = SPLIT_OFFICIAL;
            memcpy(indices, listed->indices + i * size, size * sizeof *indices);
            return;
        }
    split->source = drawn;
    split_resample(seed, dataset, split->number, split->n_train, split->n_test, indices);
}

void split_fill(struct dataset *dataset, const struct listed_splits *listed, size_t want, size_t n_train,
                       size_t n_test, uint64_t seed, enum split_source drawn)
{
    size_check(dataset, n_train, n_test);
    size_t size = n_train + n_test;
    if (size > SIZE_MAX / sizeof(size_t) / want)
        die(STATUS_NO_MEMORY, "%s: %zu splits of %zu rows do not fit into memory", dataset->source, want, size);
    dataset->splits = pool_array(dataset->pool, want, sizeof *dataset->splits);
    dataset->indices = pool_array(dataset->pool, want * size, sizeof *dataset->indices);
    for (size_t i = 0; i < want; i++) {
        struct split *split = &dataset->splits[i];
        *split = (struct split){.number = i + 1, .n_train = n_train, .n_test = n_test};
        one_split(dataset, listed, seed, drawn, split, dataset->indices + i * size);
    }
    dataset->n_splits = want;
}
