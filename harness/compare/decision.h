/* What a comparison comes to: for each figure one claim that says no more than the test does. */
#ifndef HULLBENCH_DECISION_H
#define HULLBENCH_DECISION_H

#include "harness/compare/compare.h"

enum claim {
    CLAIM_ALIKE,          /* every pair converged on both sides and is equal in all counts and in the error */
    CLAIM_LOWER,          /* the candidate's is lower: significant, and estimated to be more than the margin */
    CLAIM_HIGHER,         /* or higher */
    CLAIM_SLIGHTLY_LOWER, /* significant, but estimated within the margin, with an interval that leaves it */
    CLAIM_SLIGHTLY_HIGHER,
    CLAIM_NEGLIGIBLE, /* the whole interval is within the margin */
    CLAIM_UNDECIDED,  /* neither significant nor negligible */
    CLAIM_FEW_SETS,   /* no test: two to five data sets, or one with several cases */
    CLAIM_FEW_SPLITS, /* no test: one case with fewer than six splits */
    CLAIM_UNTESTED,   /* no test: one case whose splits are of unknown size */
    CLAIM_LOOSER,     /* none of cost: the cheaper one stopped at larger gaps, which may explain it */
    CLAIM_FAILURES,   /* none of cost: where both converge the other one is cheaper */
    CLAIM_NO_VALUE,   /* no pair has the figure of both */
    CLAIM_COUNT
};
/* "alike", "lower" and so on; never NULL. */
const char *claim_name(enum claim claim);
/* -1 for (slightly) lower, 1 for (slightly) higher, else 0. */
int claim_sign(enum claim claim);

/* One figure. Over data sets, or of the one case. */
struct effect {
    enum claim claim;
    int over_datasets;
    size_t n;                   /* data sets, or splits of the one case */
    struct interval difference; /* of logarithms for costs, as in case_statistics.h */
    struct interval joint;   /* the same where there is one comparison; of n, the interval of level 1 - 0.05/n */
    double p;                /* adjusted over the comparisons where there are several (comparisons.h) */
    double single_p;         /* of this comparison alone */
    double margin;           /* in the unit of the differences */
    double direction;        /* its sign is the way the test points: of the ranks over data sets, else of the mean */
    int rates; /* nonzero: of failures, which most data sets may not have, so that the interval ends at 0: the claim
                  is that of p and direction */
    double median, of_means; /* what the same would be by medians over splits, and by means: see compare.h */
    double mean;             /* over data sets: the mean instead of the Hodges-Lehmann estimate */
    struct bayes_posterior posterior;
    double detectable; /* the smallest difference that the test finds with probability 0.8 */
    /* Cases on their own, where there are several: those that have a test, and those of them that are significant by
     * Holm, lower or higher by more than the margin as estimated, or within it. */
    size_t cases, tested, lower, higher, small;
};

/* From the statistics alone. */
struct effect effect_of(const struct compare_result *result, size_t n_cases, double margin);
/* Whether there is a test of it. */
int effect_tested(const struct effect *effect);
/* The claim anew, for a p that was adjusted for further comparisons. */
enum claim effect_claim(const struct effect *effect, double p);

struct finding {
    size_t family;       /* the comparisons that p is adjusted over; 0 or 1: none but this one */
    enum claim claim;    /* of cost: that of `cost`, unless failures or accuracy forbid it */
    struct effect cost;  /* failed runs by the penalty */
    struct effect ended; /* the same of the pairs on which both converged */
    struct effect error; /* of these pairs */
    struct effect failures;
    struct effect start_up; /* of kernel operations with the start-up; n is 0 where the cost is not kernel operations or
                               the start-ups do not differ */
    double gap_ratio;       /* typical recomputed gap of the candidate over the baseline's, where both converged: of
                               the geometric mean over data sets and the Hodges-Lehmann estimate the one that is worse
                               for the cheaper, or farther from 1 where neither is; NAN where it is not known */
    int accuracy_differs;   /* costs are not to equal gaps, and the ratio is beyond options.gap_factor */
};

struct finding finding_of(const struct comparison *comparison);
/* Sets the finding's claim, gap_ratio and accuracy_differs anew from the claims of its effects. */
void finding_conclude(const struct comparison *comparison, struct finding *finding);

/* The conclusion in a few sentences, malloc'ed. It depends on the comparison's counts, names and options, and on the
 * finding. */
char *finding_sentence(const struct comparison *comparison, const struct finding *finding);

#endif
