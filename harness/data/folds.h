/*
 * Cross-validation as a source of splits, of a whole set or within the training parts of its splits. The rows of a fold
 * depend only on the seed, the name of the data set and the number of the repetition or split.
 */
#ifndef HULLBENCH_FOLDS_H
#define HULLBENCH_FOLDS_H

#include "harness/data/dataset.h"

/* Gives the data set its splits 1 .. folds * repeats, marked SPLIT_FOLD: split (r - 1) folds + f tests fold f of
 * repetition r and trains on the others. Each row is tested once in each repetition, and the folds' sizes differ by at
 * most one. With equal_sizes a fold has floor(full size / folds) rows, and the remaining rows are unused in that
 * repetition. Stratified: the folds' counts of a class differ by at most one. STATUS_BAD_INPUT if a fold would be empty
 * or no deal leaves both classes to train with; `where`, such as "sweep.json: ", begins the message. */
void folds_fill(struct dataset *dataset, const struct fold_plan *plan, const char *where, uint64_t seed);

/* Deals the training patterns of each of the first n_splits splits into n_folds folds whose sizes differ by at most
 * one; if `stratified`, so do their numbers of positive patterns. Returns the data set with the folds as its splits;
 * the rest is borrowed. Fold f of split s (both from 0, in the data set's order) is splits[s * n_folds + f], a
 * SPLIT_FOLD numbered from 1 on: it trains on the training part without the fold and tests on the fold.
 * STATUS_BAD_INPUT if the set has fewer splits, a training part has fewer patterns than folds, or no deal leaves both
 * classes to train with; `where` begins the message. */
struct dataset *inner_folds_make(struct pool *pool, const struct dataset *dataset, size_t n_splits, size_t n_folds,
                                 int stratified, const char *where, uint64_t seed);

#endif
