/*
 * The six formulations of solvers/solver.h in 113 bits, from the data on: kernel values, an optimum that proves itself,
 * and what multipliers are worth. For tests with at most MAX_QP patterns.
 */
#ifndef HULLBENCH_TESTS_EXACT_OPTIMUM_H
#define HULLBENCH_TESTS_EXACT_OPTIMUM_H

#include "solvers/solver.h"
#include "tests/small_qp.h"

/* min F(alpha) = 1/2 alpha'Q alpha - p sum alpha, 0 <= alpha <= upper, and the rows of the formulation. */
struct exact_problem {
    enum formulation formulation;
    size_t n;
    signed char y[MAX_QP];
    quad q[MAX_QP][MAX_QP], p; /* q_ij = y_i y_j (k_ij + added^2), and the ridge on the diagonal */
    quad k0[MAX_QP];            /* k_i0 */
    quad upper;                  /* infinity: none */
    quad c;                      /* C; NAN where the solver has none */
};

/* Kernel value of two patterns of `dims` values; for a precomputed kernel x is row i of the table and the value
 * x[j]. */
quad exact_kernel(const struct kernel *kernel, size_t dims, const double *x, const double *z, size_t j);

/* k: the kernel matrix. mu is raised to 1 / min(N+, N-) in 113 bits, since a double below it would leave no hull. */
void exact_problem_set(struct exact_problem *exact, const struct solver *solver, const struct problem *problem,
                       quad k[MAX_QP][MAX_QP]);

/* F's optimum is between `least` and `most`: most is F at x, which keeps to all constraints, and least the value of
 * the Lagrangian of `rows` and bounds at its minimum. Unbounded: both are minus infinity (hard margin without bias
 * where no hyperplane through the origin separates). */
struct exact_optimum {
    quad min, max, unit; /* the last: what F is worth where the scaled program's is 1 */
    quad x[MAX_QP], lambda[QP_ROWS];
    quad reduced[MAX_QP]; /* reduced costs, gradient less rows: multipliers of the bounds */
    int unbounded;
};

/* 0 where most - least is above 1e-12 |most| and above 1e-18 times the unit of F, which is Q's largest entry
 * (hulls), or the lesser of its inverse and C (SVM duals). Q must be positive semidefinite. */
int exact_optimum_find(const struct exact_problem *exact, struct exact_optimum *optimum);

/* What multipliers are worth. */
struct exact_figures {
    quad objective, norm2;      /* F; |W|^2 */
    quad gradient[MAX_QP];     /* of F */
    quad gap[2];                /* hulls: of the classes +1 and -1; minimum norm: [0] alone */
    quad violation;             /* SVM duals: the KKT violation as the judge defines it */
    quad middle;                /* SVM duals with a bias: (F_up + F_low) / 2 */
    quad balance;               /* sum y alpha; hulls, minimum norm: how far a sum is from 1 */
    quad outside;               /* how far beyond its bounds a multiplier is */
    quad rounding;              /* of the objective in 113 bits */
};
void exact_figures_of(const struct exact_problem *exact, const double *alpha, struct exact_figures *figures);

/* Without bias: what the judge multiplies a way to a bound with, max(k_jj, 1/C), to compare it with a slope; 0 where
 * k_jj <= 0. */
quad exact_worth(const struct exact_problem *exact, size_t j);

/* A lower bound of F at any multipliers, also slightly outside the constraints:
 * least + lambda'(A alpha - b) - what they are outside their bounds times the bounds' multipliers. */
quad exact_lower_bound(const struct exact_problem *exact, const struct exact_optimum *optimum, const double *alpha);

#endif
