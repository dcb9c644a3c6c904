/* The findings of a comparison: one claim per figure, no stronger than its test. */
#ifndef HULLBENCH_DECISION_H
#define HULLBENCH_DECISION_H

#include "harness/compare/compare.h"

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
    CLAIM_LOOSER,     /* none about cost: the cheaper one stopped at larger gaps, which may explain it */
    CLAIM_FAILURES,   /* none about cost: on the pairs where both converge the other one is cheaper */
    CLAIM_NO_VALUE,   /* no pair has the figure for both arms */
    CLAIM_COUNT
};
/* "alike", "lower" and so on; never NULL. */
const char *claim_name(enum compare_claim claim);
/* -1 for (slightly) lower, 1 for (slightly) higher, else 0. */
int claim_sign(enum compare_claim claim);

/* One figure, over data sets or of the only case. */
struct estimate {
    enum compare_claim claim;
    int over_datasets;
    struct estimate estimate; /* adjusted: over the comparisons if there are several (comparisons.h), else p */
    struct interval joint; /* its difference for one comparison; for n comparisons, the interval of level 1 - 0.05/n */
    double margin;         /* in the unit of the differences */
    int rates; /* nonzero: failures. Most data sets may have none, so that the interval ends at 0 and p and direction
                  decide the claim */
    /* Counts of cases, if there are several: those with a test, and of these the significant ones by Holm whose
     * estimate is lower or higher by more than the margin, or within it. */
    size_t cases, tested, lower, higher, small;
};

/* Computed only from the statistics. */
struct estimate effect_of(const struct compare_result *result, size_t n_cases, double margin);
/* Whether there is a test of it. */
int effect_tested(const struct estimate *effect);
/* The claim recomputed for a p that was adjusted for further comparisons. */
enum compare_claim effect_claim(const struct estimate *effect, double p);

/* What the folders of a call have, and none of its comparisons uses. */
struct left_out {
    size_t solvers;  /* without a comparison */
    size_t settings; /* of the compared solvers: parameters, kernel and stopping rule */
    size_t datasets; /* of the folders or their configurations */
    size_t splits;   /* of a configuration whose run was restricted by --splits */
    size_t shards;   /* other shards of the run */
};

struct finding {
    const struct left_out *left_out; /* of the call; NULL: nothing */
    size_t family;       /* the number of comparisons that p is adjusted over; 0 or 1: only this one */
    enum compare_claim claim;    /* about cost: that of `cost`, unless failures or accuracy rule it out */
    struct estimate cost;  /* failed runs cost the penalty */
    struct estimate both_converged; /* the same on the pairs where both converged */
    struct estimate error; /* on these pairs */
    struct estimate failures;
    struct estimate start_up; /* of kernel operations including set-up; n is 0 if the cost is not kernel operations */
    double gap_ratio;       /* typical recomputed gap of the candidate over the baseline's, on pairs where both
                               converged. Of the geometric mean over data sets and the Hodges-Lehmann estimate, the one
                               worse for the cheaper arm or, if neither is cheaper, farther from 1; NAN if unknown */
    int accuracy_differs;   /* costs are not to equal gaps, and the ratio is beyond options.gap_factor */
};

struct finding finding_of(const struct comparison *comparison);
/* The figures that claims are about: their key in files, and the metric and result that they are of. */
enum { FINDING_FIGURES = 5 };
struct finding_figure {
    const char *key;
    enum compare_metric metric;
    const struct compare_result *result;
    struct estimate *effect;
};
struct finding_figure finding_figure(const struct comparison *comparison, struct finding *finding, int number);
/* Recomputes the finding's claim, gap_ratio and accuracy_differs from the claims of its effects. */
void finding_conclude(const struct comparison *comparison, struct finding *finding);

/* The conclusion in a few sentences; depends on the comparison's counts, names and options, and *finding. */
const char *finding_sentence(struct pool *pool, const struct comparison *comparison, const struct finding *finding);

#endif
