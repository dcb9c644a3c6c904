/* The state of low-rank-interior-point (low_rank_interior_point.c), and its second half, the point that is handed out
 * (low_rank_point.c). All but `c` is in units of the factor: alpha / unit, and objectives / unit. */
#ifndef HULLBENCH_LOW_RANK_INTERIOR_POINT_H
#define HULLBENCH_LOW_RANK_INTERIOR_POINT_H

#include "solvers/dense/kernel_factor.h"

extern const struct parameter parameter_max_rank;

/* A feasible point, with multipliers exactly at their bounds, and what follows from it. */
struct low_rank_point {
    double *alpha;
    double up, low;          /* the thresholds of F_j = W . X_j - y_j, as in decomposition/box.h */
    double norm2, sum, gap;  /* |W|^2, sum alpha, the duality gap at the bias midway between the thresholds */
};

/* A Newton step. */
struct low_rank_step {
    double *alpha, *z, *v; /* n each */
    double *w;             /* stride: (d_b / beta, d_W) */
};

struct low_rank {
    struct kernel_factor factor;
    size_t n;
    const signed char *y;
    double c, bound;                    /* C, and C / unit */
    double *alpha, *s, *z, *v;          /* n each: multipliers, bound - alpha, and the multipliers of both bounds */
    double *slope;                      /* n: y_j (W . X_j + b) - 1 */
    double *w;                          /* stride: (b / beta, W) */
    double *inverse;                    /* n: 1 / (z / alpha + v / s) */
    double *weights, *products, *sum;   /* scratch: n, n, stride */
    double *matrix;                     /* rank + 1 rows of stride: a matrix of Newton's equations, then its factor */
    struct low_rank_step predictor, corrector;
    struct low_rank_point best, trial;
    size_t *free;          /* n: the patterns of `trial` between the bounds, */
    size_t n_free;         /* so many, */
    size_t n_moving;       /* of which the first so many have independent rows */
    double *moves, *ones;  /* stride each, by moving pattern: the Newton step, and the column of the sum */
    double least_products; /* the smallest alpha'z + s'v so far */
    int idle;              /* iterations since that fell by a tenth, or the gap fell at all */
};

/* The sum of the first `count` products, in a fixed order. */
double low_rank_dot(const struct simd *simd, size_t count, const double *x, const double *y);
/* x = (L L')^-1 x for the first `size` rows of the matrix, which hold L. */
void low_rank_solve(const struct low_rank *ip, size_t size, double *x);

/* Fills in the figures of a point. */
void low_rank_judge(struct low_rank *ip, struct low_rank_point *point);
/* Makes a point of the current iterate, and keeps it as the best one if its gap is the smallest so far. */
void low_rank_hand_out(struct low_rank *ip);

#endif
