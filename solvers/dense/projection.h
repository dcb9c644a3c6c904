/* The nearest point of a capped simplex, see projection.c. */
#ifndef HULLBENCH_PROJECTION_H
#define HULLBENCH_PROJECTION_H

#include "solvers/arena.h"

/* What the search works in, for up to n numbers. */
struct projection {
    double *breakpoint; /* 2n */
    size_t *open;       /* 2n */
    size_t *undecided;  /* n */
};

/* Places the arrays (or measures). */
void projection_layout(struct projection *projection, struct arena *arena, size_t n);
/* x = the point of {0 <= x_k <= mu, sum x = 1} nearest to z, n numbers each, n mu >= 1 but for rounding. z is finite;
 * x may be z. Expected time O(n). */
void projection_find(const struct projection *projection, size_t n, double mu, const double *z, double *x);

#endif
