/* Checks whether the judge's values confirm that a stopping rule was met. */
#ifndef HULLBENCH_RECHECK_H
#define HULLBENCH_RECHECK_H

#include "harness/evaluate/judge.h"
#include "harness/evaluate/stopping.h"

enum recheck {
    RECHECK_BORNE_OUT,
    RECHECK_NOT_MET,    /* the value exceeds the rule's limit by more than a millionth of it, or is NaN */
    RECHECK_CANNOT_TELL /* rounding may have moved the value by more than the limit */
};

/* Compares the recomputed value that the rule bounds with its limit. `reason`, REASON_SIZE bytes here and below, says
 * what was found if the rule is not confirmed. RECHECK_BORNE_OUT with a reason: a plugin's rule that cannot be
 * rechecked.
 *
 * without_step: the run found no step, so its rule, which looks at a choice or at the result of an update, may not have
 * been evaluated. Whether the multipliers meet the rule for every class and pair; RECHECK_NOT_MET, without a reason, if
 * the judgement does not show it. */
enum recheck recheck_rule(const struct stop *stop, const struct solver *solver, int without_step,
                          const struct judgement *judgement, char *reason);

/* The same; and if rounding hides whether the rule is met, again with values of about 100 bits, which replace the
 * judgement if they tell. Overwrites the buffers of `judging`. */
struct recheck_request {
    const struct stop *stop;
    const struct solver *solver;
    const struct judging *judging;
    int without_step; /* nonzero: the run found no step */
};
enum recheck recheck_closely(const struct recheck_request *request, struct judgement *judgement, char *reason);

/* Whether the objective last seen by the rule dual-change, with its sign as in records, agrees with that of the
 * multipliers. Other rules do not use the objective. */
enum recheck recheck_carried_objective(const struct stop *stop, double carried, const struct judgement *judgement,
                                       char *reason);

/* The reason of a converged record whose kernel is not known to be positive semidefinite: the dual problem may have
 * several stationary points, and the primal value bounds nothing. */
extern const char *const stationary_point_reason;

/* Nonzero, with the reason, if |W|^2 of a nearest-point or minimum-norm problem is within its rounding bound. */
int recheck_hulls_meet(enum formulation formulation, const struct judgement *judgement, char *reason);

/* Nonzero, with the reason, if a value is impossible: NaN, infinite, or more negative than rounding can explain. Two
 * cases are possible and accepted: the infinite gap of a hard margin that does not separate, and the missing gap and
 * violation of a W outside the reduced hull (judge.h). */
int figures_impossible(const struct problem *problem, enum formulation formulation, const struct kernel *kernel,
                       const struct judgement *judgement, char *reason);

#endif
