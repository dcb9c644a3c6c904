/*
 * What the pairs of two solvers say about one figure: for each case, over its splits; and over data sets. Differences
 * are the candidate's value less the baseline's, of costs the natural logarithm of their ratio, so that exchanging the
 * two solvers changes the sign of everything and nothing else.
 */
#ifndef HULLBENCH_CASE_STATISTICS_H
#define HULLBENCH_CASE_STATISTICS_H

#include <stddef.h>

#include "harness/compare/pairing.h"
#include "harness/stats/bayes.h"
#include "harness/stats/interval.h"

/* Level of intervals. A difference is significant where its adjusted p is below CONTRAST_SIGNIFICANT. With fewer than
 * MIN_PAIRS_FOR_A_CLAIM data sets no two-sided signed-rank test can be: its smallest p is 2^(1 - n). As many splits are
 * asked for in a case. */
#define CONTRAST_LEVEL 0.95
#define CONTRAST_SIGNIFICANT 0.05
#define CONTRAST_POWER 0.8
enum { MIN_PAIRS_FOR_A_CLAIM = 6 };

/* What a figure rests on: the training part alone (iterations, operations, time, support vectors, whether the run
 * converged), or the test part too (the test error). */
enum contrast_basis { CONTRAST_TRAINED, CONTRAST_TESTED };
/* rho/(1 - rho), rho the largest correlation that such figures of two splits can have; NAN where a size is 0, that is
 * not known. */
double contrast_overlap(enum contrast_basis basis, size_t n_train, size_t n_test);

/* The pairs of a case: n values of each arm, finite. */
struct contrast_sample {
    const double *values[ARMS];
    size_t n;
    int logarithmic; /* nonzero: differences are of logarithms, a value of 0 counting as 1/2 */
    double overlap;  /* see contrast_overlap */
};

struct contrast_row {
    size_t n;
    double means[ARMS];
    struct interval difference; /* the mean difference over splits; ends NAN where there is no test */
    double median;              /* of the differences */
    double of_means;            /* the difference of the means, of costs the logarithm of their ratio */
    double p, adjusted;         /* corrected t test; NAN: no test, since the sizes are not known or there are fewer
                                   than MIN_PAIRS_FOR_A_CLAIM splits */
    struct bayes_posterior posterior; /* correlated t test; this and the next: see contrast_row_describe */
    double detectable;                /* the smallest difference that the test finds with CONTRAST_POWER */
};

/* Fills *row but for the adjusted p and what is described, which are NAN. n = 0: all NAN. */
void contrast_row_of(const struct contrast_sample *sample, struct contrast_row *row);
/* Adds the posterior and the detectable difference; `margin` is what differences up to count as equivalent, in their
 * unit. */
void contrast_row_describe(const struct contrast_sample *sample, double margin, struct contrast_row *row);
/* Adjusts the p-values by Holm over the rows that have one. */
void contrast_adjust(struct contrast_row *rows, size_t n);

/* Whether the adjusted p is. */
int contrast_significant(const struct contrast_row *row);

/* Over data sets. */
struct contrast_total {
    size_t n;                         /* data sets */
    struct interval difference;       /* Hodges-Lehmann, of the data sets' values; with its signed-rank interval */
    double p;                         /* signed-rank test; 1 where there is no data set */
    double ranks;                     /* its rank-biserial correlation, -1 to 1; 0 without a difference */
    struct interval mean;             /* of the values; ends: see contrast_total_describe */
    struct bayes_posterior posterior; /* Bayesian signed-rank test; this and the next: see contrast_total_describe */
    double detectable;                /* as above; NAN where no difference is */
};

/* values: one for each of the n data sets. */
void contrast_total_of(const double *values, size_t n, struct contrast_total *total);
/* Adds the posterior, the detectable difference and the ends of the mean's BCa bootstrap interval over data sets. */
void contrast_total_describe(const double *values, size_t n, double margin, struct contrast_total *total);
/* The Hodges-Lehmann estimate alone; NAN where n is 0. */
double contrast_location(const double *values, size_t n);

#endif
