/*
 * The six formulations of solvers/solver.h with 113 bits, starting from the data: kernel values, an optimum with proven
 * bounds, and the values of given multipliers. For tests with at most MAX_QP patterns.
 */
#ifndef HULLBENCH_TESTS_EXACT_OPTIMUM_H
#define HULLBENCH_TESTS_EXACT_OPTIMUM_H

#include "solvers/solver.h"
#include "tests/small_qp.h"

/* min F(alpha) = 1/2 alpha'Q alpha - p sum alpha, 0 <= alpha <= upper, with the equality rows of the formulation. */
struct exact_problem {
    enum formulation formulation;
    size_t n;
    signed char y[MAX_QP];
    quad q[MAX_QP][MAX_QP], p; /* q_ij = y_i y_j (k_ij + added^2), and the ridge on the diagonal */
    quad k0[MAX_QP];            /* k_i0 */
    quad upper;                  /* infinity: none */
    quad c;                      /* C; NAN if the solver has none */
};

/* Kernel value of two patterns of `dims` values. For a precomputed kernel x is row i of the table and the value is
 * x[j]. */
quad exact_kernel(const struct kernel *kernel, size_t dims, const double *x, const double *z, size_t j);

/* k: the kernel matrix. mu is raised to 1 / min(N+, N-) in 113 bits, since any smaller double would leave the hull
 * empty. */
void exact_problem_set(struct exact_problem *exact, const struct solver *solver, const struct problem *problem,
                       quad k[MAX_QP][MAX_QP]);

/* F's optimum is between `min` and `max`: max is F at x, which satisfies all constraints, and min the value of the
 * Lagrangian of `rows` and bounds at its minimum. Unbounded: both are minus infinity (hard margin without bias if no
 * hyperplane through the origin separates). */
struct exact_optimum {
    quad min, max, unit; /* unit: the value of F where that of the scaled program is 1 */
    quad x[MAX_QP], lambda[QP_ROWS];
    quad reduced[MAX_QP]; /* reduced costs, gradient minus rows: multipliers of the bounds */
    int unbounded;
};

/* Returns 0 if max - min is above 1e-12 |max| and above 1e-18 times the unit of F, which is Q's largest entry (hulls)
 * or the smaller of its inverse and C (SVM duals). Q must be positive semidefinite. */
int exact_optimum_find(const struct exact_problem *exact, struct exact_optimum *optimum);

/* The values of given multipliers. */
struct exact_figures {
    quad objective, norm2;      /* F; |W|^2 */
    quad gradient[MAX_QP];     /* of F */
    quad gap[2];                /* hulls: of the classes +1 and -1; minimum norm: only [0] */
    quad violation;             /* SVM duals: the KKT violation as the judge defines it */
    quad middle;                /* SVM duals with a bias: (F_up + F_low) / 2 */
    quad balance;               /* sum y alpha; hulls, minimum norm: the distance of a sum from 1 */
    quad outside;               /* the distance of a multiplier beyond its bounds */
    quad rounding;              /* rounding error of the objective in 113 bits */
};
void exact_figures_of(const struct exact_problem *exact, const double *alpha, struct exact_figures *figures);

/* Without bias: the factor by which the judge multiplies a distance to a bound, max(k_jj, 1/C), to compare it with a
 * slope; 0 if k_jj <= 0. */
quad exact_worth(const struct exact_problem *exact, size_t j);

/* A lower bound on F at any multipliers, also slightly outside the constraints: min + lambda'(A alpha - b) - their
 * distance outside their bounds times the bounds' multipliers. */
quad exact_lower_bound(const struct exact_problem *exact, const struct exact_optimum *optimum, const double *alpha);

#endif
