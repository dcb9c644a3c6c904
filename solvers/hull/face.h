/*
 * The smallest W on a face of the reduced hulls, for solvers whose steps move few patterns at a time: where thousands
 * of multipliers are free at the optimum, such steps approach it slowly, but its equations are few.
 *
 * With s_i = y_i alpha_i and the sums F_i = W . X_i of s, the Newton step d of the movable patterns M solves
 *
 *     K_MM d_M = lambda_c - F_M - K_MR d_R,  sum of d over each class 0,
 *
 * where R are patterns that have reached a bound. Movable at first are the free patterns, and those at a bound that
 * descend when they leave it, by the mean F of the free ones of their class. As long as the solution puts patterns
 * outside their bounds, all of these move to R at once (Portugal, Judice and Vicente 1994, for least squares), and it
 * is solved again. The caller then moves by the step t d, t <= 1, that makes |W| least: W never grows.
 *
 * K_MM + rho E is factored by Cholesky's method, where E_ij = 1 if i and j are in one class, and rho is the mean of the
 * diagonal: as the sums of d are known, this changes only lambda. The patterns stand in the order of their distance
 * from the bounds, first by their multipliers, then by the first solution. So most that leave stand last, and the
 * factor's rows before the first of them are kept (tiled_factor.h).
 */
#ifndef HULLBENCH_FACE_H
#define HULLBENCH_FACE_H

#include "solvers/dense/tiled_factor.h"
#include "solvers/hull/hull.h"

enum { FACE_MAX = 4096, /* movable patterns at most */
       FACE_MAX_PASSES = 8, /* solutions in a step */
       FACE_COST = FACE_MAX_PASSES + 2 /* N^2 kernel operations of a step at most */ };

struct face_entry {
    double inside; /* distance from the bounds */
    size_t k;
};

struct face {
    struct tiled_factor factor;
    struct face_entry *entries; /* n, scratch */
    size_t max;       /* movable patterns at most */
    size_t *order;    /* n: the movable patterns in the factor's order */
    double penalty;   /* rho */
    unsigned char *is_movable; /* n */
    double *change, *product_change; /* n_padded: d, and K d */
    double *solution, *column[2];    /* tiled_factor_padded(max) */
};

/* What a step moves: s_k may fall by room[k] and rise by mu - room[k]. */
struct face_state {
    const struct hull *hull; /* joined */
    const double *room, *diagonal;
    const double *(*row)(void *context, size_t k); /* of the active patterns */
    void *context;
};

/* Places the arrays (or measures them) for n patterns, all but the factor's values. */
void face_layout(struct face *face, struct arena *arena, size_t n);
/* The number of patterns that a step may move now; also writes them to face->is_movable. */
size_t face_count_movable(struct face *face, const struct face_state *state);
/* Solves for the patterns that face_count_movable has found, and writes d and K d. Returns the number of
 * multiplications; *slope becomes -F . d and *curvature d . K d. If no solution is found, *slope becomes 0. */
double face_solve(struct face *face, const struct face_state *state, double *slope, double *curvature);

#endif
