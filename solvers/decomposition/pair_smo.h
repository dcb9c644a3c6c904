/*
 * Shared by 1-smo, 2-smo and their variants: the start, the most violating pair, and the reported state. The variants
 * differ in the step along the pair.
 */
#ifndef HULLBENCH_PAIR_SMO_H
#define HULLBENCH_PAIR_SMO_H

#include "solvers/decomposition/box.h"

/* The state of a variant begins with it. */
struct pair_smo {
    struct box box; /* first, so that box_alpha accepts the state */
    double ridge;   /* 1/C for the square penalty; 0 for the linear one */
    struct box_pair pair;
    int has_pair;   /* nonzero if the last step has stored the most violating pair in `pair` */
};

/* Places (or measures) the arrays of a state of `head` bytes; those of the variant may follow. */
void pair_smo_layout(struct pair_smo *smo, struct arena *arena, size_t head, size_t n);
/* Starts, once the arrays are placed. Under the square penalty there is no upper bound. */
void pair_smo_start(struct pair_smo *smo, const struct problem *problem, struct oracle *oracle);
/* Finds the most violating pair, unless the last step has done so. */
enum status pair_smo_select(void *state, struct progress *progress);
/* Moves along a pair, whose rows are given, by a step > 0 that the box admits. Then finds the most violating pair. */
void pair_smo_move(struct pair_smo *smo, struct box_pair pair, double step, const double *row_up,
                   const double *row_low);
/* The same with the step of 1-smo. Returns the step; 0 if no step is possible. */
double pair_smo_step(struct pair_smo *smo, struct box_pair pair, const double *row_up, const double *row_low);
/* The pair of the most violating up and the low that gains most with it by second order (second_order_smo.c).
 * `diagonal` holds the n values k(x_i, x_i); `row` is the row of up. */
struct box_pair pair_smo_second_order(const struct pair_smo *smo, const double *diagonal, const double *row);
/* Primal minus dual at the bias midway between the thresholds, xi_i = max(0, -y_i (F_i + b)):
 * |W|^2 - sum alpha + C sum xi for the linear penalty. For C/2 sum xi^2, F includes alpha_i y_i / C, which is not part
 * of w . x_i, and the gap is |W|^2 - sum alpha^2 / 2C - sum alpha + C/2 sum xi^2, with the |W|^2 of K + I/C. */
double pair_smo_gap_linear(const void *state, int label);
double pair_smo_gap_square(const void *state, int label);

/* The largest step >= 0 within the box along a direction that moves many multipliers, y_i alpha_i += step w_i. */
double box_max_step_along(const struct box *box, const size_t *indices, const double *weights, size_t count);
/* Nonzero if every multiplier stays within its bounds, with some margin, under such a step >= 0. */
int box_admits_step_along(const struct box *box, const size_t *indices, const double *weights, size_t count,
                          double step);
/* Performs the step. A multiplier that reaches its bound is put exactly on it. The caller updates F. */
void box_move_along(struct box *box, const size_t *indices, const double *weights, size_t count, double step);
/* A faster version for a step that box_admits_step_along has accepted: no multiplier comes near its bound. */
void box_move_admitted(struct box *box, const size_t *indices, const double *weights, size_t count, double step);

/* The members that all variants share. */
#define PAIR_SMO_STOPS \
    (1u << STOP_DELTA | 1u << STOP_DUAL_CHANGE | 1u << STOP_KKT | 1u << STOP_KKT_RELAXED | 1u << STOP_ITERATIONS)
#define PAIR_SMO_LINEAR                                                                   \
    .formulation = FORMULATION_C_SVM, .stops = PAIR_SMO_STOPS, .select = pair_smo_select, \
    .gap = pair_smo_gap_linear, .alpha = box_alpha
#define PAIR_SMO_SQUARE                                                                                             \
    .formulation = FORMULATION_SQUARE_SVM, .square_penalty = 1, .stops = PAIR_SMO_STOPS, .select = pair_smo_select, \
    .gap = pair_smo_gap_square, .alpha = box_alpha

#endif
