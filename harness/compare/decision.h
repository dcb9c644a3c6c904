/* What a comparison comes to: one finding on cost, and one sentence that says no more than the figures do. */
#ifndef HULLBENCH_DECISION_H
#define HULLBENCH_DECISION_H

#include "harness/compare/compare.h"

enum claim {
    CLAIM_ALIKE,      /* every compared pair is equal in all counts and in the error */
    CLAIM_LOWER,      /* the candidate costs less */
    CLAIM_HIGHER,     /* or more */
    CLAIM_INTERVAL,   /* none: the interval of the ratio contains 1 */
    CLAIM_TEST,       /* none: the interval does not, but a test is not significant */
    CLAIM_OPPOSED,    /* none: both are significant, but means and signed ranks differ in direction */
    CLAIM_FEW_SETS,   /* none: two to five data sets, or one with several cases */
    CLAIM_FEW_SPLITS, /* none: one case with fewer than six splits */
    CLAIM_LOOSER,     /* none: the pairs that came to the same accuracy alone do not bear it out */
    CLAIM_UNENDED,    /* none: it did not converge on too many pairs */
    CLAIM_NO_COST,    /* none: no pair has kernel operations, iterations or times of both */
    CLAIM_COUNT
};
/* "alike", "lower" and so on; never NULL. */
const char *claim_name(enum claim claim);

/* Share of the pairs above which CLAIM_UNENDED holds. */
#define FINDING_TOO_MANY 0.05

struct finding {
    enum claim claim;
    int over_datasets;     /* nonzero: ratio and p are those over data sets; zero: those of the one case */
    struct interval ratio; /* of the comparison's cost */
    double p;              /* of one case the larger of both tests' */
};

/* The cost is kernel operations. Where neither arm counts them it is time. Where one does, or there are no times, it
 * is iterations. It is claimed to differ only where the interval of the ratio leaves 1 out, p is below
 * CONTRAST_SIGNIFICANT, the signed ranks have the direction of the ratio, there are at least MIN_PAIRS_FOR_A_CLAIM
 * data sets (of one case: splits), all this also holds of the pairs marked PAIR_FINE alone, for the same arm, and the
 * arm that costs less failed to converge on at most FINDING_TOO_MANY of the pairs. */
struct finding finding_of(const struct comparison *comparison);
/* The same of the fine pairs alone. */
struct finding finding_of_fine(const struct comparison *comparison);

/* The sentence, malloc'ed. */
char *finding_sentence(const struct comparison *comparison, const struct finding *finding);

#endif
