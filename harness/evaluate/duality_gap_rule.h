/* The rule duality-gap: a run continues until the gap recomputed by the judge is small enough. */
#ifndef HULLBENCH_DUALITY_GAP_RULE_H
#define HULLBENCH_DUALITY_GAP_RULE_H

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"

/* Buffers for the judge and its last result. */
struct judging {
    double support_threshold;
    double *products, *scratch; /* see judge() */
    struct judgement judgement; /* of the multipliers returned by solve_certified */
};

/* solve() for requests with the rule STOP_DUALITY_GAP, also for external solvers. OUTCOME_CONVERGED: the recomputed
 * relative duality gap is at most the tolerance, or rounding makes this undecidable, which the recheck (recheck.h)
 * detects. Iterations and seconds include all restarts of an external solver. */
enum status solve_certified(const struct solve_request *request, double *alpha, struct solution *solution,
                            struct error *error);

#endif
