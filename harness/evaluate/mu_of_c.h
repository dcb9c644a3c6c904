/*
 * The mu that belongs to C. Of the linear penalty C sum xi and of mu-reduced hulls the solutions are one up to scale
 * where
 *
 *     mu = 2 C / sum alpha,    alpha the solution of the C-SVM
 *
 * (Lopez, Barbero and Dorronsoro 2011, eq. 19): alpha sums to half of it in each class, so 2 alpha / sum alpha is a
 * point of the hulls, none of whose weights is above mu. W and sum xi are those of every solution of the C-SVM, and
 * sum alpha = |W|^2 + C sum xi, so that mu is determined by C whether or not alpha is, and bound or not.
 */
#ifndef HULLBENCH_MU_OF_C_H
#define HULLBENCH_MU_OF_C_H

#include "harness/evaluate/certificate.h"

/* A larger violation of the optimality conditions of the C-SVM, in units of y (W . X + b), leaves mu unknown. */
#define MU_OF_C_MAX_VIOLATION 1e-6
/* For max_iterations. */
#define MU_OF_C_MAX_ITERATIONS 20000000

struct mu_of_c {
    double mu; /* at most 1, where no weight can be larger; not raised to that of nonempty hulls */
    double kkt_violation;
    uint64_t iterations;
    int is_known; /* zero: the violation is above MU_OF_C_MAX_VIOLATION, or kernel values are not finite */
};

/* Solves the C-SVM of problem->parameters' C on the oracle, whose counts and rows change, to a violation of 1e-10 or
 * for max_iterations. The result does not depend on threads, memory of the matrix or vector width. alpha: problem->n
 * doubles, as scratch. STATUS_INTERRUPTED when *interrupted became nonzero. */
enum status mu_of_c_find(const struct problem *problem, struct oracle *oracle, uint64_t max_iterations, double *alpha,
                         struct judging *judging, const volatile sig_atomic_t *interrupted, struct mu_of_c *found,
                         struct error *error);

#endif
