/* Bayesian tests of paired differences with a region of practical equivalence. */
#ifndef HULLBENCH_BAYES_H
#define HULLBENCH_BAYES_H

#include <stddef.h>

/* The posterior probabilities that the difference is below -rope, between -rope and rope, and above rope. They sum to
 * 1; all are NAN if there are too few differences, or if one is not finite. */
struct bayes_posterior {
    double lower, equivalent, higher;
};

/* The correlated t test of n differences on splits of one data set (Corani and Benavoli 2015; Benavoli, Corani, Demsar
 * and Zaffalon 2017, Section 3). overlap as in resampled_t.h. rope is in the unit of the differences; if it is
 * 0, so is `equivalent`. Fewer than two differences give NAN. Differences without spread put all probability
 * where their mean is; a mean at -rope or rope counts as within, and at rope 0 a mean of 0 is split in half. If
 * rounding affects the differences of the values, use pairs_differences (rank_tests.h). Differences too large to sum
 * give NAN, too. */
struct bayes_posterior bayes_correlated_t(const double *differences, size_t n, double overlap, double rope);

/* What the signed-rank test draws for a number of differences, whatever they are. Tests of as many differences, at most
 * 50, share it, which saves most of their time. Begins as zeros; belongs to one thread. Free `weights` at the end. */
struct bayes_draws {
    size_t n;
    double *weights;
};

/* The signed-rank test of n differences over data sets (Benavoli, Mangili, Corani, Zaffalon and Ruggeri 2014; Benavoli
 * et al. 2017, Section 4.2), from 50 000 draws by GSL's mt19937 with seed 1: the standard error of a probability is
 * sqrt(p (1 - p) / 50 000), at most 0.0023. Negated differences in the same order give exactly the mirrored posterior.
 * Time: 0.13 s for 100 differences. */
struct bayes_posterior bayes_signed_rank(const double *differences, size_t n, double rope, struct bayes_draws *draws);

#endif
