/* Two samples brought together split by split; the records may come from several run folders. */
#ifndef HULLBENCH_PAIRED_H
#define HULLBENCH_PAIRED_H

#include "harness/records/sample.h"
#include "harness/stats/ranks.h"

struct pairs {
    double *first, *second; /* n values each, of the same splits; owned */
    size_t n;
};

/* Takes the splits that both samples have a value of, in the order of the first. A split of one sample that is not in
 * the other, or has another source there (official and drawn splits of one number are different patterns), is left out.
 * Freed with pairs_free. */
void pairs_of(const struct sample *first, const struct sample *second, struct pairs *pairs);
/* Accepts NULL and zeroed pairs. */
void pairs_free(struct pairs *pairs);

/* Cuts `count` samples down to the splits that all of them have a value of: shared[k] gets those of samples[k], in the
 * order of the first, and the counts of what it was made from. Each is freed with sample_free. */
void samples_shared(const struct sample *const *samples, size_t count, struct sample *shared);

/* Wilcoxon's signed-rank test (harness/stats/signed_rank.h) of the differences, as pairs_differences gives them. No
 * pairs: p is 1. */
enum status pairs_test(const struct pairs *pairs, struct rank_test *test, struct error *error);

/*
 * 100 (1 - R) per cent, divided by unit, with R = mean(left) / mean(right) over the n splits that both samples have.
 * *sample, freed with sample_free, holds n values with that mean,
 *
 *     100 (1 - R - (left_i - R right_i) / mean(right)),
 *
 * whose sd / sqrt(n) is the standard error of the ratio to first order in the deviations (the delta method). It has
 * no records. Splits that one sample lacks, and records without a number, are counted as without. A mean(right) of 0
 * leaves it empty.
 */
void sample_reduction(const struct sample *left, const struct sample *right, double unit, struct sample *sample);

#endif
