/* Whether both runs of a pair came equally close to the optimum, by the gaps that the harness recomputed. */
#ifndef HULLBENCH_ACCURACY_H
#define HULLBENCH_ACCURACY_H

#include "harness/compare/arms.h"

/* The problems that the two solvers solve, by the names in their records; a name that is not registered is unknown.
 * PROBLEMS_ONE_SVM: different formulations, but of one SVM on every pair. */
enum problems { PROBLEMS_SAME, PROBLEMS_ONE_SVM, PROBLEMS_DIFFERENT, PROBLEMS_UNKNOWN };
enum problems problems_of(const char *baseline, const char *candidate); /* never PROBLEMS_ONE_SVM */
enum problems problems_of_pairs(const struct pairing *pairing, const char *baseline, const char *candidate);

/* Nonzero if both runs of every pair stopped at the same tolerance of the rule svm-gap, so that solutions are equally
 * accurate, whatever the gaps of their formulations. */
int accuracy_is_equal_by_rule(const struct pairing *pairing);

/* The gap of an arm's record that is compared: the duality gap if the problems are the same, otherwise the gap relative
 * to the objective, but at least 1e-12 (relative), which is rounding. NAN if the arm did not converge, has no gap, or
 * if objective and gap are both 0. */
double accuracy_gap_of(const struct pair *pair, enum arm arm, enum problems problems);

/* Marks every pair. The certified intervals must intersect only if the problems are the same: the optimum of the
 * minimised function lies within the gap below the objective. */
void accuracy_mark(struct pairing *pairing, enum problems problems);

/* ---- costs to equal accuracy, from the traces of both runs of each pair ---- */

struct target_cost {
    double iterations, kernel_operations; /* of the iterations */
};

struct equal_targets {
    int used;                        /* nonzero: every pair on which both converged has traces of both runs */
    struct target_cost *costs[ARMS]; /* one for each pair if used, meaningful if both converged */
};

/* Reads the traces of both folders. The target of a pair is the larger of the two gaps (accuracy_gap) at which its runs
 * ended; an arm's cost is that at which its trace first reaches the target. A trace is used only if it ends with the
 * iterations of its record and, to 1 %, with the recomputed gap. STATUS_BAD_INPUT: a damaged trace. */
struct equal_targets equal_targets_read(struct pool *pool, const struct arms *arms, const struct pairing *pairing,
                                        enum problems problems);

#endif
