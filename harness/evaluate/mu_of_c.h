/*
 * The mu that corresponds to C. The linear penalty C sum xi and mu-reduced hulls have the same solution up to scale if
 *
 *     mu = 2 C / sum alpha,    alpha the solution of the C-SVM
 *
 * (Lopez, Barbero and Dorronsoro 2011, eq. 19). In each class alpha sums to half of sum alpha, so 2 alpha / sum alpha
 * is a point of the hulls, with no weight above mu. W and sum xi are the same for every solution of the C-SVM, and sum
 * alpha = |W|^2 + C sum xi. So C determines mu even if alpha is not unique, and whether or not a multiplier is at its
 * bound.
 */
#ifndef HULLBENCH_MU_OF_C_H
#define HULLBENCH_MU_OF_C_H

#include "harness/evaluate/duality_gap_rule.h"

/* mu is unknown if the C-SVM's optimality conditions are violated by more than this, in units of y (W . X + b). */
#define MU_OF_C_MAX_VIOLATION 1e-6
/* A value for max_iterations. */
#define MU_OF_C_MAX_ITERATIONS 20000000

struct mu_of_c {
    double mu; /* at most 1, since no weight can be larger; not raised to give nonempty hulls */
    double kkt_violation;
    uint64_t iterations;
    int is_known; /* zero if the violation is above MU_OF_C_MAX_VIOLATION or kernel values are not finite */
};

/* Solves the C-SVM with problem->parameters' C on the oracle, whose counts and rows change, until the violation is
 * 1e-10 or for max_iterations. The result does not depend on threads, matrix memory or vector width. alpha: problem->n
 * doubles of scratch. STATUS_INTERRUPTED if *interrupted becomes nonzero. */
enum status mu_of_c_find(const struct problem *problem, struct oracle *oracle, uint64_t max_iterations, double *alpha,
                         struct judging *judging, const volatile sig_atomic_t *interrupted, struct mu_of_c *found,
                         struct error *error);

#endif
