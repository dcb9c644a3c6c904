/*
 * Distances and inner products of one compressed pattern with many, bitwise equal to the sums of simd.h (patterns.h
 * explains why zeros may be omitted).
 *
 * The many patterns are laid out in blocks of SPARSE_BLOCK. The entries (place in the block, value) of a block are
 * sorted by feature, those of a feature by place. A pattern p takes one pass over a block:
 *
 *   inner products     for d ascending over the features of p:
 *                          sum[place] += p_d value for the entries of d
 *   squared distances  for d ascending over the features of p and of the block:
 *                          where p_d = 0, sum[place] += value^2 for the entries of d;
 *                          else sum[j] += p_d^2 for all j but those of the entries, which get (p_d - value)^2
 *
 * The loop over the entries between two features of p has no data-dependent branch. LIBSVM merges two rows instead,
 * which branches on the data at each entry.
 *
 * If all values of a table are multiples of one unit, such as 0 and 1, and so small that no sum of squares has more
 * than 53 bits, sums are exact in any order. Then |p|^2 + |c|^2 - 2 p c has the bits of |p - c|^2 and needs only the
 * entries of features of p.
 *
 * An entry takes 10 bytes, a feature of a block 8.
 */
#ifndef HULLBENCH_SPARSE_POINTS_H
#define HULLBENCH_SPARSE_POINTS_H

#include "solvers/kernel/patterns.h"
#include "solvers/kernel/simd.h"

enum { SPARSE_BLOCK = 2048 };

struct sparse_points;

/* The rows of compressed patterns listed in `rows`, n of them; neither must outlive the points. NULL when out of
 * memory; patterns_squared_distance and patterns_inner_product then give the same values one by one. */
struct sparse_points *sparse_points_create(const struct patterns *patterns, const size_t *rows, size_t n);
/* The same for some of the rows of `all`, which must come from these patterns, without reading all values again. */
struct sparse_points *sparse_points_select(const struct sparse_points *all, const struct patterns *patterns,
                                           const size_t *rows, size_t n);
/* Accepts NULL. */
void sparse_points_free(struct sparse_points *points);
/* Bytes of the points. */
size_t sparse_points_bytes(const struct sparse_points *points);

/* out[j], first <= j < first + count, of row `row` of the patterns and point j; out[0] belongs to `first`. The points
 * must come from the same patterns. Part of a block costs as much as the whole block. */
void sparse_squared_distances(const struct simd *simd, const struct sparse_points *points,
                              const struct patterns *patterns, size_t row, size_t first, size_t count, double *out);
void sparse_inner_products(const struct simd *simd, const struct sparse_points *points,
                           const struct patterns *patterns, size_t row, size_t first, size_t count, double *out);

#endif
