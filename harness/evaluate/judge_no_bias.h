/* The judge for the SVM duals without bias; called only by judge(). */
#ifndef HULLBENCH_JUDGE_NO_BIAS_H
#define HULLBENCH_JUDGE_NO_BIAS_H

#include "harness/evaluate/judge.h"
#include "harness/evaluate/rounding.h"

/* c: upper bound of the multipliers, infinite for the hard margin; f: n products W . X_j, with their error bounds.
 * Fills the formulation-specific members of a zeroed judgement. */
void judge_no_bias(const struct problem *problem, double c, const double *alpha, const double *f,
                   const struct product_rounding *products, struct judgement *judgement);

#endif
