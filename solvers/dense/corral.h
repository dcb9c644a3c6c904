/*
 * The corral of Wolfe's minimum norm point algorithm: a few points P_p, known by their inner products, with weights
 * w_p >= 0 of sum 1, and the Cholesky factor used to find the smallest point of their affine hull.
 *
 * P. Wolfe, Finding the nearest point in a polytope, Mathematical Programming 11 (1976) 128-149. Points enter with
 * weight 0 and leave when their weight becomes 0. corral.c describes the arithmetic.
 */
#ifndef HULLBENCH_CORRAL_H
#define HULLBENCH_CORRAL_H

#include "solvers/arena.h"

struct corral {
    const struct simd *simd;
    size_t max, stride; /* number of places for points; doubles from one row of a matrix to the next */
    size_t count, used; /* points; only places 0 .. used - 1 have ever held one */
    size_t *place;      /* max: the places of the points in the order of their entry, then the free ones */
    double *gram;       /* max x stride, by place: P_i . P_j */
    double *factor;     /* max x stride, in the order of `place`: L, lower triangular, L L' = shift 1 1' + gram */
    double shift;       /* about the largest |P_p|^2 */
    size_t rotated;     /* points that have left since L was last recomputed */
    double *weight, *direction;            /* max, by place; 0 for a free place */
    double *gradient, *ones, *rhs, *solved; /* max, in the order of `place` */
};

/* Places the arrays (or measures them) for up to `max` points. */
void corral_layout(struct corral *corral, struct arena *arena, size_t max);
/* Resets to a single point, of that |P|^2, in place 0. */
void corral_reset(struct corral *corral, double norm2);
/* The place of the next point to enter; the corral must not be full. */
size_t corral_free_place(const struct corral *corral);
/* The products of the point at a place with all points. */
double *corral_products(const struct corral *corral, size_t place);
/* A point enters at the free place, with weight 0. Its products with the points and itself must be filled in.
 * `distance2` > 0 is a lower bound on its squared distance from the span of the others, when sqrt(shift) is appended to
 * all of them as one more coordinate. */
void corral_enter(struct corral *corral, double distance2);
/* Minor cycles: moves towards the smallest point of the affine hull. If the path leaves the convex hull, the point
 * whose weight becomes 0 leaves, until the smallest point is inside. Returns how many points have left. */
size_t corral_minimise(struct corral *corral);

#endif
