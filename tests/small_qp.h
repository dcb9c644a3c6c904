/* An independent solution of small quadratic programs, for tests: an interior-point method in long double and with 113
 * bits. */
#ifndef HULLBENCH_TESTS_SMALL_QP_H
#define HULLBENCH_TESTS_SMALL_QP_H

#include <stddef.h>

#include "tests/quad.h"

enum { MAX_QP = 32, QP_ROWS = 2, QP_SYSTEM = MAX_QP + QP_ROWS };

/* min 1/2 x'Qx - p'x, 0 <= x <= upper (infinity: none), where the sum of a_rj x_j is b_r for each row r. */
struct small_qp {
    size_t n, rows;
    long double q[MAX_QP][MAX_QP], p[MAX_QP], a[QP_ROWS][MAX_QP], b[QP_ROWS], upper;
    long double x[MAX_QP];      /* in: strictly inside all bounds; out: the solution */
    long double lambda[QP_ROWS]; /* out: the multipliers of the rows; zero-initialise */
};

/* The same with 113 bits. */
struct small_qp_quad {
    size_t n, rows;
    quad q[MAX_QP][MAX_QP], p[MAX_QP], a[QP_ROWS][MAX_QP], b[QP_ROWS], upper;
    quad x[MAX_QP], lambda[QP_ROWS];
};

/* Return the value at the solution; NAN, with the best point found, if the method did not converge. */
long double small_qp_solve(struct small_qp *qp);
quad small_qp_quad_solve(struct small_qp_quad *qp);

#endif
