/* The rule duality-gap: a run goes on until the gap that the judge recomputes is small enough. */
#ifndef HULLBENCH_CERTIFICATE_H
#define HULLBENCH_CERTIFICATE_H

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"

/* What the judge needs besides the problem, and what it found last. */
struct judging {
    double support_threshold;
    double *products, *scratch; /* see judge() */
    struct judgement judgement; /* of the multipliers that solve_certified returned */
};

/* solve() for requests with the rule STOP_DUALITY_GAP, external solvers too. OUTCOME_CONVERGED: the recomputed
 * relative duality gap is at most the tolerance, or rounding hides whether it is, which the recheck of the rule
 * (recheck.h) finds. Iterations and seconds are those of all runs of an external solver. */
enum status solve_certified(const struct solve_request *request, double *alpha, struct solution *solution,
                            struct error *error);

#endif
