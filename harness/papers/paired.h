/* Samples brought together split by split, for the tests and claims of papers. The records may come from several run
 * folders. */
#ifndef HULLBENCH_PAIRED_H
#define HULLBENCH_PAIRED_H

#include "harness/papers/paper.h"
#include "harness/records/sample.h"
#include "harness/stats/ranks.h"
#include "harness/stats/summary.h"

/* As summary_of; all NaN where a value is none, as of infinite records. */
struct summary sample_summary(const struct sample *sample);

/* Cuts `count` samples down to the splits that all of them have a value of: shared[k] gets those of samples[k], in the
 * order of the first, and the counts of what it was made from. A split with another source (official and drawn splits
 * of one number are different patterns) is another split. Each is freed with sample_free. */
void samples_shared(const struct sample *const *samples, size_t count, struct sample *shared);

/* The rank-sum test of two samples, or the signed-rank test of two that samples_shared has made, of their differences
 * as pairs_differences (harness/stats/signed_rank.h) gives them. No values or no pairs: p is 1. Returns the pairs or,
 * not paired, the size of the smaller sample. */
size_t samples_test(enum test_kind kind, const struct sample *first, const struct sample *second,
                    struct rank_test *test);

/*
 * 100 (1 - R) per cent, divided by unit, with R = mean(left) / mean(right) over the n splits that both samples have.
 * *sample, freed with sample_free, holds n values with that mean,
 *
 *     100 (1 - R - (left_i - R right_i) / mean(right)),
 *
 * whose sd / sqrt(n) is the standard error of the ratio to first order in the deviations (the delta method). Its
 * records are those of left. Splits that one sample lacks, and records without a number, are counted as n_null. A
 * mean(right) of 0 leaves it empty.
 */
void sample_reduction(const struct sample *left, const struct sample *right, double unit, struct sample *sample);

#endif
