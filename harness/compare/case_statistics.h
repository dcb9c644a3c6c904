/*
 * What the pairs of two solvers say about one figure: for each case, over its splits; and over data sets.
 */
#ifndef HULLBENCH_CASE_STATISTICS_H
#define HULLBENCH_CASE_STATISTICS_H

#include <stddef.h>

#include "harness/compare/pairing.h"
#include "harness/stats/shift.h"
#include "harness/stats/win_tie_loss.h"

/* Level of intervals. A difference is significant where its adjusted p is below CONTRAST_SIGNIFICANT. With fewer than
 * MIN_PAIRS_FOR_A_CLAIM splits or data sets no two-sided signed-rank test can be: its smallest p is 2^(1 - n). */
#define CONTRAST_LEVEL 0.95
#define CONTRAST_SIGNIFICANT 0.05
enum { MIN_PAIRS_FOR_A_CLAIM = 6, CONTRAST_RESAMPLES = 1999, CONTRAST_SEED = 1 };

/* The pairs of a case: n values of each arm, finite. */
struct contrast_sample {
    const double *values[ARMS];
    size_t n;
    size_t n_train, n_test; /* of its splits; 0: not known */
};

enum contrast_test { CONTRAST_SIGNED_RANK, CONTRAST_CORRECTED_T, CONTRAST_TESTS };

struct contrast_row {
    size_t n;
    double means[ARMS];
    struct interval ratio; /* the candidate's mean over the baseline's; 1 where both are 0, NAN where the baseline's
                              alone is; ends NAN where some of the baseline's values are 0 */
    struct interval shift; /* Hodges-Lehmann, of candidate - baseline */
    double effect;         /* rank-biserial, positive where the candidate's are greater */
    double p[CONTRAST_TESTS],
        adjusted[CONTRAST_TESTS]; /* the corrected t's are NAN where the sizes are not known, or n is 1 */
};

/* Fills *row but for the adjusted values. Intervals of one pair have no ends (NAN). n = 0: NANs, and p is 1. */
void contrast_row_of(const struct contrast_sample *sample, struct contrast_row *row);

/* Which arm's values are greater by the test's own estimate: the sign of the mean difference for the corrected t, of
 * the signed ranks otherwise. Positive for the candidate's. */
double contrast_direction(const struct contrast_row *row, enum contrast_test test);

/* Counts the row, by the test's adjusted p and direction: a win where the candidate's values are lower. Returns whether
 * p is significant. */
int contrast_count(const struct contrast_row *row, enum contrast_test test, struct win_tie_loss *counts);

/* Nonzero where the direction that a test found and that of the means (of their difference, or of their ratio less 1)
 * are opposite, which a few very large values bring about. */
int contrast_opposed(double direction, double difference);

/* Adjusts the p-values of both tests by Holm over the rows that have pairs. */
void contrast_adjust(struct contrast_row *rows, size_t n);

/* Over data sets. */
struct contrast_total {
    size_t n;              /* data sets */
    struct interval ratio; /* geometric mean of the data sets' ratios */
    struct interval shift; /* Hodges-Lehmann, of the data sets' values */
    double effect;         /* rank-biserial, positive where the candidate's are greater */
    double p;              /* signed-rank test of the data sets' values */
};

/* ratios: n; where one is not above 0 there is no geometric mean (NANs). values: what is tested against 0, the
 * logarithms of the ratios, or differences. No data set: NANs, and p is 1. */
void contrast_total_of(const double *ratios, const double *values, size_t n, struct contrast_total *total);

#endif
