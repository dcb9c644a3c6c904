/* Whether the two of a pair came equally close to the optimum, by what the judge recomputed from their multipliers. */
#ifndef HULLBENCH_ACCURACY_H
#define HULLBENCH_ACCURACY_H

#include "harness/compare/pairing.h"

/* What the two solvers solve, by the names of their records; a name that is not registered is unknown.
 * PROBLEMS_ONE_SVM: different formulations, but on every pair of one SVM. */
enum problems { PROBLEMS_SAME, PROBLEMS_ONE_SVM, PROBLEMS_DIFFERENT, PROBLEMS_UNKNOWN };
enum problems problems_of(const char *baseline, const char *candidate); /* never PROBLEMS_ONE_SVM */
enum problems problems_of_pairs(const struct pairing *pairing, const char *baseline, const char *candidate);

/* Nonzero where both of every pair were run to one tolerance of the rule svm-gap, so that costs are those of equally
 * accurate solutions, whatever the gaps of their formulations are. */
int accuracy_is_equal_by_rule(const struct pairing *pairing);

/* The gap that is compared: the duality gap where the problems are the same, else that over the size of the objective,
 * and at least 1e-12 of that size, which is rounding. */
double accuracy_gap(double objective, double gap, enum problems problems);
/* The same of an arm's record; NAN where it did not converge, has no gap, or where objective and
 * gap are both 0. */
double accuracy_gap_of(const struct pair *pair, enum arm arm, enum problems problems);

/* Marks every pair. Only where the problems are the same the certified intervals have to meet: the optimum of what is
 * minimised lies within the gap below the objective. */
void accuracy_mark(struct pairing *pairing, enum problems problems);

#endif
