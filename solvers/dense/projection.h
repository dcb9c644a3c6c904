/* Projection onto a capped simplex, see projection.c. */
#ifndef HULLBENCH_PROJECTION_H
#define HULLBENCH_PROJECTION_H

#include "solvers/arena.h"

/* Scratch of the search, for up to n numbers. */
struct projection {
    double *breakpoint; /* 2n */
    size_t *open;       /* 2n */
    size_t *undecided;  /* n */
};

/* Places the arrays (or measures them). */
void projection_layout(struct projection *projection, struct arena *arena, size_t n);
/* x = the point of {0 <= x_k <= mu, sum x = 1} nearest to z, with n numbers each and n mu >= 1 up to rounding. z must
 * be finite; x may be z. Expected time O(n). */
void projection_find(const struct projection *projection, size_t n, double mu, const double *z, double *x);

#endif
