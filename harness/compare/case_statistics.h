/*
 * Statistics of one figure over the pairs of two solvers: for each case, over its splits; and over data sets. A
 * difference is the candidate's value minus the baseline's; for costs, the natural logarithm of their ratio. Exchanging
 * the two solvers therefore only changes signs.
 */
#ifndef HULLBENCH_CASE_STATISTICS_H
#define HULLBENCH_CASE_STATISTICS_H

#include <stddef.h>

#include "harness/compare/pairing.h"
#include "harness/stats/bayes.h"
#include "harness/stats/interval.h"

/* Level of intervals. A difference is significant if its adjusted p is below CONTRAST_SIGNIFICANT. With fewer than
 * MIN_PAIRS_FOR_A_CLAIM data sets no two-sided signed-rank test can be significant: its smallest p is 2^(1 - n). A case
 * needs as many splits. */
#define CONTRAST_LEVEL 0.95
#define CONTRAST_SIGNIFICANT 0.05
#define CONTRAST_POWER 0.8
enum { MIN_PAIRS_FOR_A_CLAIM = 6 };

/* The part of the split that a figure depends on: only the training part (iterations, operations, time, support
 * vectors, whether the run converged), or the test part too (the test error). */
enum contrast_basis { CONTRAST_TRAINED, CONTRAST_TESTED };
/* rho/(1 - rho), where rho is the largest possible correlation of such figures between two splits; NAN if a size is 0,
 * which means unknown. */
double contrast_overlap(enum contrast_basis basis, size_t n_train, size_t n_test);

/* The pairs of a case: n finite values of each arm. */
struct contrast_sample {
    const double *values[ARMS];
    size_t n;
    int logarithmic; /* nonzero: differences are of logarithms; a value of 0 counts as 1/2 */
    double overlap;  /* see contrast_overlap */
};

struct contrast_row {
    size_t n;
    double means[ARMS];
    struct interval difference; /* the mean difference over splits; ends NAN without a test */
    double median;              /* of the differences */
    double of_means;            /* the difference of the means; for costs, the logarithm of their ratio */
    double p, adjusted;         /* corrected t test; NAN: no test, since sizes are unknown or there are fewer than
                                   MIN_PAIRS_FOR_A_CLAIM splits */
    struct bayes_posterior posterior; /* correlated t test; for this and the next see contrast_row_describe */
    double detectable;                /* the smallest difference that the test detects with CONTRAST_POWER */
};

/* Fills *row except for the adjusted p and the members from contrast_row_describe, which are NAN. n = 0: all NAN. */
void contrast_row_of(const struct contrast_sample *sample, struct contrast_row *row);
/* Adds the posterior and the detectable difference; differences up to `margin`, in their unit, count as equivalent. */
void contrast_row_describe(const struct contrast_sample *sample, double margin, struct contrast_row *row);
/* Adjusts the p-values by Holm over the rows that have one. */
void contrast_adjust(struct contrast_row *rows, size_t n);

/* Whether the adjusted p is significant. */
int contrast_significant(const struct contrast_row *row);

/* Statistics over data sets. */
struct contrast_total {
    size_t n;                         /* data sets */
    struct interval difference;       /* Hodges-Lehmann, of the data sets' values, with its signed-rank interval */
    double p;                         /* signed-rank test; NAN with fewer than two data sets */
    double ranks;                     /* its rank-biserial correlation, -1 to 1; 0 without a difference */
    struct interval mean;             /* of the values; ends: see contrast_total_interval */
    struct bayes_posterior posterior; /* Bayesian signed-rank test; NAN as p. For this and the next see
                                         contrast_total_describe */
    double detectable;                /* as above; NAN if there is none */
};

/* values: one per data set. */
void contrast_total_of(const double *values, size_t n, struct contrast_total *total);
/* Adds the ends of the mean's BCa bootstrap interval over data sets; none with fewer than MIN_PAIRS_FOR_A_CLAIM. */
void contrast_total_interval(const double *values, size_t n, struct contrast_total *total);
/* Adds these, the posterior and the detectable difference. draws: see bayes.h. */
void contrast_total_describe(const double *values, size_t n, double margin, struct bayes_draws *draws,
                             struct contrast_total *total);
/* Only the Hodges-Lehmann estimate; NAN if n is 0. */
double contrast_location(const double *values, size_t n);

#endif
