/*
 * The quadratic program over a working set, in signed multipliers x_i = y_i alpha_i:
 *
 *   min 1/2 d'Kd + g'd,  sum d = 0,  lower <= x + d <= upper
 *
 * where K is the block of kernel values and g_i = F_i. K may be singular.
 */
#ifndef HULLBENCH_INNER_QP_H
#define HULLBENCH_INNER_QP_H

#include "solvers/arena.h"

struct inner_qp {
    size_t count;          /* variables; at most the number that the arrays were laid out for */
    double *k;             /* count x count, row by row */
    double *x, *g;         /* the point, feasible on entry, and its gradient; both are moved to the solution */
    double *lower, *upper;
    double *direction, *product; /* scratch */
};

/* Places the arrays (or measures them) for `max` variables. */
void inner_qp_layout(struct inner_qp *qp, struct arena *arena, size_t max);
/* Moves x to the optimum: until no pair violates by more than 1e-12 max(1, |g|) (or the rounding error, if that is
 * larger), nothing moves, or a limit on the number of steps is reached. The objective never increases. A variable that
 * reaches a bound lies exactly on it. */
void inner_qp_solve(struct inner_qp *qp);

#endif
