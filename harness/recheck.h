/* Whether the judge's figures bear out that a stopping rule was met. */
#ifndef HULLBENCH_RECHECK_H
#define HULLBENCH_RECHECK_H

#include "harness/judge.h"
#include "harness/stopping.h"

/* 0 where what the rule bounds, recomputed, is above the bound by more than a millionth of it, or is no number. Nonzero, too, for
 * rules that bound nothing a judgement holds. */
int recheck_convergence(const struct stop *stop, const struct solver *solver, const struct judgement *judgement);

#endif
