/* Pairs samples by split, for the tests and claims of papers. The records may come from several run folders. */
#ifndef HULLBENCH_PAIRED_H
#define HULLBENCH_PAIRED_H

#include "harness/papers/paper.h"
#include "harness/records/sample.h"
#include "harness/stats/rank_tests.h"
#include "harness/stats/summary.h"

/* Restricts `count` samples to the splits for which all of them have a value: shared[k] gets the values of samples[k],
 * in the order of the first sample, and its record counts. Official and resampled splits with the same number hold
 * different patterns, so they are different splits. */
void samples_shared(struct pool *pool, const struct sample *const *samples, size_t count, struct sample *shared);

/* The rank-sum test of two samples, or the signed-rank test of two samples from samples_shared on the differences that
 * pairs_differences (harness/stats/rank_tests.h) computes. Without values or pairs, p is 1. Returns the number of
 * pairs or, for the rank-sum test, the size of the smaller sample. */
size_t samples_test(enum test_kind kind, const struct sample *first, const struct sample *second,
                    struct rank_test *test);

/*
 * 100 (1 - R) per cent, divided by unit, with R = mean(left) / mean(right) over the n splits that both samples have.
 * The result holds n values with that mean,
 *
 *     100 (1 - R - (left_i - R right_i) / mean(right)),
 *
 * whose sd / sqrt(n) is the standard error of the ratio to first order in the deviations (the delta method). Its
 * records are those of left. n_null counts splits that one sample lacks and records without a number. If
 * mean(right) is 0, it is empty.
 */
struct sample sample_reduction(struct pool *pool, const struct sample *left, const struct sample *right, double unit);

#endif
