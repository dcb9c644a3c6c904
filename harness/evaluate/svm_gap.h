/* The relative duality gap of the SVM that the multipliers of any formulation solve, see svm_gap.c. */
#ifndef HULLBENCH_SVM_GAP_H
#define HULLBENCH_SVM_GAP_H

#include "harness/evaluate/rounding.h"

struct svm_gap {
    double gap, dual;                   /* P - D and D, D <= optimum <= P; infinite or NAN if P or D does not exist */
    double gap_rounding, dual_rounding; /* their rounding bounds; 0 if not requested */
};

/* Whether the rule svm-gap is applicable to the solver: it runs in the harness's loop and does not use nu. */
int svm_gap_fits(const struct solver *solver);

/* STATUS_BAD_INPUT if the parameters do not determine the SVM: reduced hulls without the C that mu belongs to. */
enum status svm_gap_check(const struct solver *solver, const struct problem *problem, struct error *error);

/* From the products, W . X_j as judge() leaves them. Bounds rounding only if `rounding`, from rounding_of_products() or
 * close_products(), is not NULL. O(N), and O(N) for each of the few Newton steps for the bias of a square penalty. */
void svm_gap(const struct judging *judging, const struct product_rounding *rounding, struct svm_gap *out);

/* Whether a gap that svm_gap_is_within() still is if rounding is taken into account: with close products where it hides
 * the answer, and nonzero where it hides that of these. The products are as before afterwards. */
int svm_gap_is_confirmed(const struct judging *judging, double tolerance);

/* (P - D) / D <= tolerance; zero if D <= 0 or a value is not finite. */
int svm_gap_is_within(const struct svm_gap *gap, double tolerance);

#endif
