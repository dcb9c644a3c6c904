/*
 * Statistics of one figure over the pairs of two solvers: for each case, over its splits; and over data sets. A
 * difference is the candidate's value minus the baseline's; for costs, the natural logarithm of their ratio. Exchanging
 * the two solvers therefore only changes signs.
 */
#ifndef HULLBENCH_CASE_STATISTICS_H
#define HULLBENCH_CASE_STATISTICS_H

#include "harness/compare/pairing.h"
#include "harness/stats/resampled_t.h"

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
    int penalised;   /* nonzero: costs of which some are penalties. The difference is the logarithm of the ratio of the
                        two means: a mean of logarithms would make 1.26 of ten times the cost on a tenth of the runs */
    double overlap;  /* see contrast_overlap */
};

/* What is claimed about a difference (decision.c). */
enum compare_claim {
    CLAIM_ALIKE,          /* both runs of every pair are alike (struct comparison) */
    CLAIM_LOWER,          /* the candidate's is lower: significant, and the estimate is beyond the margin */
    CLAIM_HIGHER,         /* the same, but higher */
    CLAIM_SLIGHTLY_LOWER, /* significant, but the estimate is within the margin and the interval is not */
    CLAIM_SLIGHTLY_HIGHER,
    CLAIM_NEGLIGIBLE, /* the whole interval is within the margin */
    CLAIM_UNDECIDED,  /* neither significant nor negligible */
    CLAIM_FEW_SETS,   /* no test: two to five data sets, or one with several cases */
    CLAIM_FEW_SPLITS, /* no test: one case with fewer than six splits */
    CLAIM_UNTESTED,   /* no test: one case with splits of unknown size */
    CLAIM_LOOSER,     /* none about cost: the cheaper one, or one of two alike, stopped at larger gaps */
    CLAIM_FAILURES,   /* none about cost: where both converge, or by the mean over data sets, the other is cheaper */
    CLAIM_APART,      /* none about cost: on some pair the certified optima do not meet */
    CLAIM_NO_VALUE,   /* no pair has the figure for both arms */
    CLAIM_COUNT
};

/* A difference over the splits of a case, or over data sets. NAN: unknown. */
struct estimate {
    size_t n;                   /* splits, or data sets */
    double means[ARMS];         /* over splits */
    struct interval difference; /* over splits the mean difference; over data sets Hodges-Lehmann, with its signed-rank
                                   interval; ends NAN without a test */
    struct interval mean;       /* over splits the same; over data sets for its ends see estimate_mean_interval */
    double median;              /* of the differences; over data sets the location of the cases' medians */
    double of_means;            /* the difference of the means, for costs the logarithm of their ratio; likewise */
    double direction;           /* its sign is that of the test: the mean, or the ranks' biserial correlation */
    double p;                   /* corrected t test; NAN: no test, since sizes are unknown or there are fewer than
                                   MIN_PAIRS_FOR_A_CLAIM splits. Over data sets signed-rank test; NAN with fewer than
                                   two */
    double adjusted;            /* p adjusted over a family; over data sets p until then */
    struct bayes_posterior posterior; /* correlated t test, or Bayesian signed-rank test */
    double detectable;                /* the smallest difference that the test detects with CONTRAST_POWER */
    /* Of a conclusion: */
    enum compare_claim claim;
    int over_datasets;
    struct interval joint; /* the difference for one comparison; for n comparisons, the interval of level 1 - 0.05/n */
    double margin;         /* in the unit of the differences */
    int rates; /* nonzero: failures. Most data sets may have none, so that the interval ends at 0 and p and direction
                  decide the claim */
    /* Counts of cases, if there are several: those with a test, and of these the significant ones by Holm whose
     * estimate is lower or higher by more than the margin, or within it. */
    size_t cases, tested, lower, higher, small;
};

/* Over the splits of a case, except for the adjusted p, the posterior and the detectable difference. */
struct estimate estimate_of_case(const struct contrast_sample *sample);
/* Adds the posterior and the detectable difference; differences up to `margin`, in their unit, count as equivalent. */
void estimate_describe_case(const struct contrast_sample *sample, double margin, struct estimate *row);
/* Adjusts the p-values by Holm over the rows that have one. */
void estimates_adjust(struct estimate *const *rows, size_t n);

/* Over data sets, of which each has one value. */
struct estimate estimate_of_datasets(const double *values, size_t n);
/* Adds the ends of the mean's BCa bootstrap interval over data sets; none with fewer than MIN_PAIRS_FOR_A_CLAIM. */
void estimate_mean_interval(const double *values, size_t n, struct estimate *total);
/* Adds these, the posterior and the detectable difference. draws: see resampled_t.h. */
void estimate_describe_datasets(const double *values, size_t n, double margin, struct bayes_draws *draws,
                                struct estimate *total);
/* The Hodges-Lehmann estimate of the values; NAN with none. */
double estimate_location(const double *values, size_t n);

#endif
