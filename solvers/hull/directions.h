/*
 * Directions of earlier steps that are conjugate to each other, to which new pairs of a hull are made conjugate;
 * formulas in directions.c.
 */
#ifndef HULLBENCH_DIRECTIONS_H
#define HULLBENCH_DIRECTIONS_H

#include "solvers/hull/hull.h"

/* P = sum over h of p_h y_i X_i with i = indices[h]: alpha_i grows by p_h. */
struct direction {
    size_t size;   /* the patterns that it may move are the first `size` of `indices`; p_h = 0 for the others */
    double *p;     /* n_padded */
    double *q;     /* n_padded: P . X_j */
    double norm2;  /* |P|^2 */
    double scale;  /* 1 / norm2 */
};

struct directions {
    size_t most, count;      /* directions kept at most, and now */
    struct direction *kept;  /* most + 1: those kept, the oldest first; kept[most] is the one under way */
    size_t members;          /* patterns that they move */
    size_t *indices;         /* n: these, in the order in which they came */
    size_t *place;           /* n: position of a pattern in them, plus 1, or 0 */
    unsigned char *set;      /* the first `members` positions, as a set (simd.h) */
    double *alpha, *moved;   /* n_padded: multipliers of the patterns in `indices`, before and after a step */
    double *diagonal;        /* n_padded: |X_j|^2 */
    double *left, *value;    /* n_padded: what a choice works in */
    double norm2;            /* |W|^2, carried along the steps from what the caller has set */
    double *q_first, *scale; /* most each: q of the pattern that a choice has, and 1 / norm2 */
    const double **terms;    /* most + 2 each: what a combination is made of, */
    double *factors;         /* and -gamma_k and more, by which it is multiplied */
};

/* Places the arrays (or measures); the caller fills `diagonal`. */
void directions_layout(struct directions *directions, struct arena *arena, size_t n, size_t most);
void directions_forget(struct directions *directions);
/* The U that gains most with the pair's L along the direction made of both; `row_low` is that of L. */
size_t directions_choose_high(struct directions *directions, const struct hull *hull, int class,
                              const struct hull_pair *pair, const double *row_low);
/* The pair's direction, conjugate to those kept; to none, which are forgotten, where next to nothing would be left of
 * it. It is then the one under way. */
void directions_turn(struct directions *directions, const struct hull *hull, int class, const struct hull_pair *pair,
                     const double *row_low, const double *row_high);
/* Makes the step of the hull along the one under way, and keeps it where it ends at the minimum. Zero, and nothing has
 * changed, where the direction has no room or does not descend. */
int directions_step(struct directions *directions, struct hull *hull);

#endif
