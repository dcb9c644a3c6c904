/* The judge's part for the SVM duals without bias; called by judge() alone. */
#ifndef HULLBENCH_JUDGE_NO_BIAS_H
#define HULLBENCH_JUDGE_NO_BIAS_H

#include "harness/judge.h"

/* c: the bound of the multipliers, infinite for the hard margin; f: n products W . X_j. Fills what depends on the
 * formulation of a zeroed judgement. */
void judge_no_bias(const struct problem *problem, double c, struct gram *gram, const double *alpha, const double *f,
                   struct judgement *judgement);

#endif
