/*
 * What the primal-dual interior-point methods share: variables 0 < alpha_j < u_j with slacks s_j = u_j - alpha_j, and
 * multipliers z_j of alpha_j >= 0 and v_j of s_j >= 0, all positive. A step (d_alpha, d_z, d_v) changes s by -d_alpha,
 * and all variables take the same length (Mehrotra 1992).
 */
#ifndef HULLBENCH_INTERIOR_STEP_H
#define HULLBENCH_INTERIOR_STEP_H

#include <stddef.h>

/* The share of the way to the first bound that an iteration takes. */
#define INTERIOR_STEP_SHARE 0.995

/* n values each, which belong to the caller. */
struct interior_values {
    size_t n;
    double *alpha, *s, *z, *v;
};
struct interior_step {
    const double *alpha, *z, *v;
};

/* The largest length that leaves no value negative, at most 1 / INTERIOR_STEP_SHARE. */
double interior_max_length(const struct interior_values *values, const struct interior_step *step);
/* alpha'z + s'v after a step of that length. */
double interior_products(const struct interior_values *values, const struct interior_step *step, double length);
void interior_move(const struct interior_values *values, const struct interior_step *step, double length);

#endif
