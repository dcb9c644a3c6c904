/* By how much one quantity is less than another on the same splits. */
#ifndef HULLBENCH_REDUCTION_H
#define HULLBENCH_REDUCTION_H

#include "harness/records/sample.h"

/*
 * 100 (1 - R) per cent, divided by unit, with R = mean(less) / mean(than) over the n splits that both samples have.
 * *sample, freed with sample_free, holds n values with that mean,
 *
 *     100 (1 - R - (less_i - R than_i) / mean(than)),
 *
 * whose sd / sqrt(n) is the standard error of the ratio to first order in the deviations (the delta method). It has
 * no records. Splits that one sample lacks, and records without a number, are counted as without. A mean(than) of 0
 * leaves it empty.
 */
enum status sample_reduction(const struct sample *less, const struct sample *than, double unit, struct sample *sample,
                             struct error *error);

#endif
