/*
 * Second-order pairs turned to conjugate directions, after Torres-Barran, Alaiz and Dorronsoro (2021); what
 * conjugate-smo, conjugate-2-smo and packed-smo share. Formulas in conjugate.c.
 */
#ifndef HULLBENCH_CONJUGATE_H
#define HULLBENCH_CONJUGATE_H

#include "solvers/decomposition/box.h"

/* The direction p of the step before and what is known of it. Patterns are those of a box. */
struct conjugate {
    double *diagonal; /* n: k(x_i, x_i) */
    double *q;        /* n_padded: K p */
    double p_norm2;   /* p . K p; 0 while there is no p */
    double p_scale;   /* 1 / p_norm2; 0 while there is no p */
    size_t members;   /* patterns that p moves */
    size_t *indices;  /* n, these first */
    size_t *place;    /* n: where in indices a pattern stands, plus 1; 0: not there */
    double *p;        /* n: weight of each of indices */
};

/* The way a step goes from here: what turned p, how steep it falls, and how far it may go. */
struct conjugate_line_search {
    double gamma, slope, max_step;
};

/* Places the arrays (or measures); the caller fills `diagonal`. */
void conjugate_layout(struct conjugate *conjugate, struct arena *arena, size_t n);
/* p = 0 */
void conjugate_restart(struct conjugate *conjugate, const struct box *box);
/* p' . K p' for a d of that curvature with d . K p = along; d's own where p' is to be d: without a p, or where p' is
 * all but nothing, d being a multiple of p to the eye of K. As in simd->select_second_index. */
double conjugate_curvature(const struct conjugate *conjugate, double curvature, double along);
/* How simd->select_second_index is to find the low that gains most with the pair's up, whose row is given. */
struct second_index conjugate_second_index(const struct conjugate *conjugate, const struct box *box,
                                           const struct box_pair *pair, const double *row);
/* Turns p to the pair's conjugate direction, or to d where that can not be gone along; q is left to the caller. */
struct conjugate_line_search conjugate_direction(struct conjugate *conjugate, const struct box *box,
                                                 const struct box_pair *pair, double curvature);
/* The step that minimises the dual along p, clipped to the box; *clipped says whether it was. */
double conjugate_length(const struct conjugate *conjugate, const struct conjugate_line_search *search, int *clipped);
/* Makes the step in alpha, q and F of all patterns of the box, given the rows of the pair; returns the pair that
 * violates most then. */
struct box_pair conjugate_move(struct conjugate *conjugate, struct box *box, const double *row_up,
                               const double *row_low, double gamma, double step);

#endif
