/* The k smallest of a list of indices by value, ties to the lowest index. */
#ifndef HULLBENCH_SMALLEST_H
#define HULLBENCH_SMALLEST_H

#include "solvers/kernel/simd.h"

/* Reorders `order` (n distinct indices into value) so that its first k entries are the k smallest in the total order
 * (value, index), with order[k - 1] the largest of them. 1 <= k <= n. Expected time O(n). */
void smallest_partition(size_t *order, size_t n, size_t k, const double *value);
/* The same, faster, for callers that have key[i] = value[order[i]]; the keys are reordered alike. */
void smallest_partition_by_keys(const struct simd *simd, size_t *order, double *key, size_t n, size_t k,
                                const double *value);

#endif
