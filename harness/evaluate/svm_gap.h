/* The relative duality gap of the SVM that a problem's multipliers solve, whatever the formulation, see svm_gap.c. */
#ifndef HULLBENCH_SVM_GAP_H
#define HULLBENCH_SVM_GAP_H

#include "solvers/solver.h"

struct svm_gap {
    double gap, dual;                   /* P - D and D: D <= optimum <= P. Infinite or NAN where there is no P or D */
    double gap_rounding, dual_rounding; /* how far rounding may have moved them; 0 where not asked for */
};

/* Whether the rule svm-gap has a meaning for the solver: it runs in the harness's loop and reads no nu. */
int svm_gap_fits(const struct solver *solver);

/* STATUS_BAD_INPUT where the parameters do not say which SVM it is: reduced hulls without the C that mu belongs to. */
enum status svm_gap_check(const struct solver *solver, const struct problem *problem, struct error *error);

/* alpha: n multipliers; the gram set to the problem's kernel and ridge. products: W . X_j, as judge() leaves them.
 * scratch: n doubles. Rounding is bounded only where with_rounding is nonzero. O(N), and as much again for each of the
 * few steps of a square penalty's bias. */
void svm_gap(const struct problem *problem, enum formulation formulation, struct gram *gram, const double *alpha,
             const double *products, double *scratch, int with_rounding, struct svm_gap *out);

/* (P - D) / D <= tolerance; never where D <= 0 or a figure is not finite. */
int svm_gap_is_within(const struct svm_gap *gap, double tolerance);

#endif
