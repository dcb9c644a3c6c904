/*
 * Splits into training and test rows: drawn, the folds of a cross-validation, or listed in a file. Which rows train and
 * which test depends only on the seed, the name of the data set and the number of the split or repetition, so a split
 * can be drawn alone, in any order and by any process.
 */
#ifndef HULLBENCH_SPLIT_H
#define HULLBENCH_SPLIT_H

#include "harness/data/dataset.h"
#include "harness/support/input_stream.h"

/* The splits that a file lists, before they are ordered and completed. Zero-initialise. */
struct listed_splits {
    size_t count, n_train, n_test;
    size_t *numbers; /* count: the number of each, from 1, all distinct */
    size_t *indices; /* count x (n_train + n_test): rows from 0, the train part first */
};
/* Allocates `count` splits and their lists, `rows` rows each; n_splits is left to the caller. */
void splits_allocate(struct dataset *dataset, size_t count, size_t rows);

/* The 32-bit seed of a generator: FNV-1a (64 bits) over the eight bytes of seed, low byte first, the bytes of name, a
 * zero byte and the eight bytes of number, low byte first; then the finaliser of SplitMix64 (Steele, Lea and Flood
 * 2014); then the exclusive or of both halves. Splits count from 1; number 0 is for generating a data set. */
uint32_t split_seed(uint64_t seed, const char *name, uint64_t number);

/* Draws split `number` of a set. The list of all rows, each repeated by its multiplicity, is shuffled by
 * gsl_ran_shuffle with GSL's mt19937; the first n_train entries train and the next n_test test. If only one class
 * trains, the list is shuffled again with the same generator, at most 1000 times. indices receives n_train + n_test
 * rows from 0. STATUS_BAD_INPUT if the set is too small or no draw has both classes. Reads the rows, labels,
 * multiplicities, full size and name of the set. */
void split_resample(uint64_t seed, const struct dataset *dataset, size_t number, size_t n_train, size_t n_test,
                    size_t *indices);

/* Nonzero if the `count` rows hold both classes. */
int split_has_both_classes(const signed char *y, const size_t *rows, size_t count);

/* The index of the first split with the same training and test rows, equally often, as split s; else s itself. */
size_t split_same_as(const struct dataset *dataset, size_t s);

/* Gives the data set its splits 1 .. want: those of `listed` (may be NULL) under their numbers as SPLIT_OFFICIAL, the
 * others drawn with split_resample and marked `drawn`. Listed numbers above want are ignored. */
void split_fill(struct dataset *dataset, const struct listed_splits *listed, size_t want, size_t n_train, size_t n_test,
                uint64_t seed, enum split_source drawn);

/* ---- folds ---- */

/* Gives the data set its splits 1 .. folds * repeats, marked SPLIT_FOLD: split (r - 1) folds + f tests fold f of
 * repetition r and trains on the others. Each row is tested once in each repetition, and the folds' sizes differ by at
 * most one. With equal_sizes a fold has floor(full size / folds) rows, and the remaining rows are unused in that
 * repetition. Stratified: the folds' counts of a class differ by at most one. STATUS_BAD_INPUT if a fold would be empty
 * or no deal leaves both classes to train with; `where`, such as "sweep.json: ", begins the message. */
void folds_fill(struct dataset *dataset, const struct fold_plan *plan, const char *where, uint64_t seed);

/* Deals the training patterns of each of the first n_splits splits into n_folds folds in the same way. Returns the data
 * set with the folds as its splits; the rest is borrowed. Fold f of split s (both from 0, in the data set's order) is
 * splits[s * n_folds + f], numbered from 1 on: it trains on the training part without the fold and tests on the fold.
 * STATUS_BAD_INPUT also if the set has fewer splits. */
struct dataset *inner_folds_make(struct pool *pool, const struct dataset *dataset, size_t n_splits, size_t n_folds,
                                 int stratified, const char *where, uint64_t seed);

/* ---- listed in a file ---- */

/* Adds the splits that the file lists (split_file.c), as SPLIT_OFFICIAL, to a data set with rows and labels.
 * STATUS_BAD_INPUT names file, line and column. */
void split_file_read(struct input_stream *stream, struct dataset *dataset);

/* Reads "7" or "7-20" and moves *at past it; 0 if *at does not begin with digits, or none follow the "-". Numbers that
 * are too large become SIZE_MAX. */
int number_range_parse(const char **at, size_t *first, size_t *last);

#endif
