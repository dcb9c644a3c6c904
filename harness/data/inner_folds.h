/* Cross-validation inside the training parts of a data set's splits. */
#ifndef HULLBENCH_INNER_FOLDS_H
#define HULLBENCH_INNER_FOLDS_H

#include "harness/data/dataset.h"

/* The folds of a data set. Fold f of split s (both from 0, in the data set's order) is view.splits[s * n_folds + f], a
 * SPLIT_FOLD of the same number from 1: the training part without the fold, and the fold as the test part. */
struct inner_folds {
    struct dataset view; /* the data set with the folds in place of its splits: values and labels are borrowed */
    struct split *splits;
    size_t *indices;
};

/* Deals the training patterns of each of the first n_splits splits into n_folds folds whose sizes differ by at most
 * one; `stratified`: so do their numbers of positive patterns. Which pattern goes where depends on the seed, the data
 * set's name and the split's number only. STATUS_BAD_INPUT when the set has fewer splits, a training part has fewer
 * patterns than folds, or no deal leaves both classes to train with. dataset must outlive the folds; released with
 * inner_folds_free. */
enum status inner_folds_make(struct inner_folds *folds, const struct dataset *dataset, size_t n_splits, size_t n_folds,
                             int stratified, uint64_t seed, struct error *error);
/* Accepts zeroed folds. */
void inner_folds_free(struct inner_folds *folds);

#endif
