/*
 * Directions of earlier steps that are conjugate to each other, to which new pairs of a hull are made conjugate.
 * directions.c gives the formulas.
 */
#ifndef HULLBENCH_DIRECTIONS_H
#define HULLBENCH_DIRECTIONS_H

#include "solvers/hull/hull.h"

/* P = sum over h of p_h y_i X_i with i = indices[h]: alpha_i changes by p_h. */
struct direction {
    size_t size;   /* the first `size` patterns of `indices` may move; p_h = 0 for the others */
    double *p;     /* n_padded */
    double *q;     /* n_padded: P . X_j */
    double norm2;  /* |P|^2 */
    double scale;  /* 1 / norm2 */
};

struct directions {
    size_t most, count;      /* maximum number of kept directions; current number */
    struct direction *kept;  /* most + 1: the kept ones, oldest first; kept[most] is the current one */
    size_t members;          /* number of patterns that they move */
    size_t *indices;         /* n: these patterns, in the order in which they were added */
    size_t *place;           /* n: position of a pattern in `indices`, plus 1; 0 if absent */
    unsigned char *set;      /* the first `members` positions, as a set (simd.h) */
    double *alpha, *moved;   /* n_padded: multipliers of the patterns in `indices`, before and after a step */
    double *diagonal;        /* n_padded: |X_j|^2 */
    double *left, *value;    /* n_padded: scratch of a selection */
    double norm2;            /* |W|^2, updated by the steps from the value that the caller has set */
    double *q_first, *scale; /* `most` each: q of the first pattern of a selection, and 1 / norm2 */
    const double **terms;    /* most + 2 each: terms of a linear combination, */
    double *factors;         /* and their factors, such as -gamma_k */
};

/* Places the arrays (or measures them); the caller fills in `diagonal`. */
void directions_layout(struct directions *directions, struct arena *arena, size_t n, size_t most);
void directions_forget(struct directions *directions);
/* The U that gains most with the pair's L along the direction made from both; `row_low` is the row of L. */
size_t directions_choose_high(struct directions *directions, const struct hull *hull, int label,
                              const struct hull_pair *pair, const double *row_low);
/* Makes the pair's direction conjugate to the kept ones and makes it the current one. If almost nothing would remain of
 * it, the kept ones are forgotten first. */
void directions_turn(struct directions *directions, const struct hull *hull, int label, const struct hull_pair *pair,
                     const double *row_low, const double *row_high);
/* Moves the hull along the current direction, and keeps the direction if the step ends at the minimum. Returns 0, with
 * nothing changed, if no step along it is possible or it does not descend. */
int directions_step(struct directions *directions, struct hull *hull);

#endif
