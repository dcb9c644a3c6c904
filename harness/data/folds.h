/*
 * Repeated k-fold cross-validation as a source of splits: which rows a fold holds depends on the seed, the name of the data set
 * and the number of the repetition only.
 */
#ifndef HULLBENCH_FOLDS_H
#define HULLBENCH_FOLDS_H

#include "harness/data/dataset.h"

/* Gives the data set its splits 1 .. folds * repeats, marked SPLIT_FOLD: split (r - 1) folds + f tests fold f of repetition r and
 * trains on the others. A fold has floor(full size / folds) rows; the rows left over take no part in that repetition, so that all
 * splits are of one size. Stratified: the folds' counts of a class differ by one at most. STATUS_BAD_INPUT when a fold would be
 * empty or the rows that train would all be of one class. */
enum status folds_fill(struct dataset *dataset, const struct fold_plan *plan, uint64_t seed, struct error *error);

#endif
