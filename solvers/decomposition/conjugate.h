/*
 * Second-order pair selection with conjugate directions, after Torres-Barran, Alaiz and Dorronsoro (2021), for
 * conjugate-smo, conjugate-2-smo and packed-smo. conjugate.c gives the formulas.
 */
#ifndef HULLBENCH_CONJUGATE_H
#define HULLBENCH_CONJUGATE_H

#include "solvers/decomposition/box.h"

/* The direction p of the previous step. Patterns are those of a box. */
struct conjugate {
    double *diagonal; /* n: k(x_i, x_i) */
    double *q;        /* n_padded: K p */
    double p_norm2;   /* p . K p; 0 without a p */
    double p_scale;   /* 1 / p_norm2; 0 without a p */
    size_t members;   /* patterns that p moves */
    size_t *indices;  /* n; the first `members` are used */
    size_t *place;    /* n: position of a pattern in indices, plus 1; 0 if p does not move it */
    double *p;        /* n: weights of the patterns in indices */
};

/* A step along p: the gamma that made p conjugate, the slope -F . p, and the longest step within the box, or infinity
 * if the step that minimises the dual is far from every bound. */
struct conjugate_line_search {
    double gamma, slope, max_step;
};

/* Places the arrays (or measures them); the caller fills in `diagonal`. */
void conjugate_layout(struct conjugate *conjugate, struct arena *arena, size_t n);
/* p = 0 */
void conjugate_restart(struct conjugate *conjugate, const struct box *box);
/* p' . K p' given d . K d = curvature and d . K p = along. Returns the curvature of d if p' must be d: without a p, or
 * if almost nothing remains because d is nearly a multiple of p under K. As in simd->select_second_index. */
double conjugate_curvature(const struct conjugate *conjugate, double curvature, double along);
/* The arguments with which simd->select_second_index finds the low that gains most with the pair's up; `row` is the row
 * of up. */
struct second_index conjugate_second_index(const struct conjugate *conjugate, const struct box *box,
                                           const struct box_pair *pair, const double *row);
/* Sets p to the conjugate direction of the pair, or to d if no step along it is possible or it does not descend. The
 * caller updates q. */
struct conjugate_line_search conjugate_direction(struct conjugate *conjugate, const struct box *box,
                                                 const struct box_pair *pair, double curvature);
/* The step that minimises the dual along p, clipped to the box; *clipped is nonzero if it was clipped. 0 if no step is
 * possible, or if it is not to be trusted (box.h). */
double conjugate_length(const struct conjugate *conjugate, const struct box *box,
                        const struct conjugate_line_search *search, int *clipped);
/* Performs the step in alpha, q and F for all patterns of the box, given the rows of the pair. Returns the most
 * violating pair after it. */
struct box_pair conjugate_move(struct conjugate *conjugate, struct box *box, const double *row_up,
                               const double *row_low, const struct conjugate_line_search *search, double step);

#endif
