/* Whether the judge's figures bear out that a stopping rule was met. */
#ifndef HULLBENCH_RECHECK_H
#define HULLBENCH_RECHECK_H

#include "harness/evaluate/judge.h"
#include "harness/evaluate/stopping.h"

enum recheck {
    RECHECK_BORNE_OUT,
    RECHECK_NOT_MET,    /* the figure is above the rule's limit by more than a millionth of it, or is no number */
    RECHECK_CANNOT_TELL /* rounding may have moved the figure by more than the limit */
};

/* Compares what the rule bounds, recomputed, with its limit. The reason, a sentence without a period, says what was
 * found where the rule is not borne out; it has room for `size` bytes. RECHECK_BORNE_OUT with a reason: the rule is a
 * plugin's that cannot be rechecked. */
enum recheck recheck_convergence(const struct stop *stop, const struct solver *solver,
                                 const struct judgement *judgement, char *reason, size_t size);

/* Whether the objective that the rule dual-change saw last, with the sign it has in records, is that of the
 * multipliers. Other rules see no objective. */
enum recheck recheck_carried_objective(const struct stop *stop, double carried, const struct judgement *judgement,
                                       char *reason, size_t size);

/* Nonzero, with the reason, where a nearest-point or minimum norm problem has a |W|^2 within its bound of rounding. */
int recheck_hulls_meet(enum formulation formulation, const struct judgement *judgement, char *reason, size_t size);

/* Nonzero, with the reason, where a figure cannot be: no number, infinite, or negative by more than rounding can
 * explain. The infinite gap of a hard margin that nothing separates can be, and so can the missing gap and violation
 * of a W that has left the reduced hull (judge.h). */
int figures_impossible(const struct problem *problem, enum formulation formulation, const struct kernel *kernel,
                       const struct judgement *judgement, char *reason, size_t size);

#endif
