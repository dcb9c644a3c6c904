/* Whether the two of a pair came equally close to the optimum, by what the judge recomputed from their multipliers. */
#ifndef HULLBENCH_ACCURACY_H
#define HULLBENCH_ACCURACY_H

#include "harness/compare/pairing.h"

/* What the two solvers solve, by the names of their records; a name that is not registered is unknown. */
enum problems { PROBLEMS_SAME, PROBLEMS_DIFFERENT, PROBLEMS_UNKNOWN };
enum problems problems_of(const char *baseline, const char *candidate);

/* Marks every pair. The gap of a record is its duality gap where the problems are the same, else that over the size of
 * its objective, and at least 1e-12 of that size, which is rounding. A gap more than `factor` (at least 1) times the
 * other one is looser. Only where the problems are the same the certified intervals have to meet: the optimum of what
 * is minimised lies within the gap below the objective. */
void accuracy_mark(struct pairing *pairing, enum problems problems, double factor);

#endif
