/*
 * Passes over all elements that several threads share (helpers.h), see simd.h for what each computes. Elements are
 * padded as there. Results are those of the routine of the same name, to the bit: updates concern one element at a
 * time, and of the extremes of the parts, in the order of the elements, the first largest or smallest is kept.
 */
#ifndef HULLBENCH_SHARED_SEARCH_H
#define HULLBENCH_SHARED_SEARCH_H

#include "solvers/kernel/simd.h"

struct argminmax shared_argminmax(const struct simd *simd, size_t n, const unsigned char *const *eligible,
                                  const double *y);
struct argminmax shared_add_difference_argminmax(const struct simd *simd, size_t n, double a, const double *p,
                                                 const double *q, const unsigned char *const *eligible, double *y);
struct argminmax shared_turn_argminmax(const struct simd *simd, size_t n, double keep, double a, const double *p,
                                       const double *q, const unsigned char *const *eligible, double *d, double *y);
size_t shared_select_second_index(const struct simd *simd, size_t n, const struct second_index *second_index);

#endif
