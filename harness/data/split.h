/*
 * Draws train/test splits. Which rows train and which test depends only on the seed, the name of the data set and the
 * number of the split, so a split can be drawn alone, in any order and by any process.
 */
#ifndef HULLBENCH_SPLIT_H
#define HULLBENCH_SPLIT_H

#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/data/dataset.h"

/* The splits that a file lists, before they are ordered and completed. Zero-initialise. */
struct listed_splits {
    size_t count, n_train, n_test;
    size_t *numbers; /* count: the number of each, from 1, all distinct */
    size_t *indices; /* count x (n_train + n_test): rows from 0, the train part first */
};
/* GSL's mt19937, which the pool keeps. */
gsl_rng *split_generator(struct pool *pool);

/* The 32-bit seed of a generator: FNV-1a (64 bits) over the eight bytes of seed, low byte first, the bytes of name, a
 * zero byte and the eight bytes of number, low byte first; then the finaliser of SplitMix64 (Steele, Lea and Flood
 * 2014); then the exclusive or of the upper and the lower half. Split numbers start at 1; number 0 is for generating a
 * data set. */
uint32_t split_seed(uint64_t seed, const char *name, uint64_t number);

/* Draws split `number` of a set. The list of all rows, each repeated by its multiplicity, is shuffled by
 * gsl_ran_shuffle with GSL's mt19937; the first n_train entries train and the next n_test test. If only one class
 * trains, the list is shuffled again with the same generator, at most 1000 times. indices receives n_train + n_test
 * rows from 0. STATUS_BAD_INPUT if the set is too small or no draw has both classes. Reads the rows, labels,
 * multiplicities, full size and name of the set. */
void split_resample(uint64_t seed, const struct dataset *dataset, size_t number, size_t n_train, size_t n_test,
                    size_t *indices);

/* Lists all rows of the set, each repeated by its multiplicity; full_size entries. */
void split_list_rows(const struct dataset *dataset, size_t *list);

/* Nonzero if the `count` rows hold both classes. */
int split_has_both_classes(const signed char *y, const size_t *rows, size_t count);

/* The index of the first split with the same training rows and the same test rows, equally often, as split s; s itself
 * if no earlier one does. */
size_t split_same_as(const struct dataset *dataset, size_t s);

/* Gives the data set its splits 1 .. want: those of `listed` (may be NULL) under their numbers as SPLIT_OFFICIAL, the
 * others drawn with split_resample and marked `drawn`. Listed numbers above want are ignored. */
void split_fill(struct dataset *dataset, const struct listed_splits *listed, size_t want, size_t n_train, size_t n_test,
                uint64_t seed, enum split_source drawn);

#endif
