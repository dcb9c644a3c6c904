/*
 * What 1-smo, 2-smo and their variants share: the start, the pair that violates most, what they tell of their state. A
 * variant differs in the step it makes of it.
 */
#ifndef HULLBENCH_PAIR_SMO_H
#define HULLBENCH_PAIR_SMO_H

#include "solvers/decomposition/box.h"

/* A state begins with it. */
struct pair_smo {
    struct box box; /* first, so that box_alpha takes the state */
    double ridge;   /* 1/C of the square penalty; 0 under the linear one */
    struct box_pair pair;
    int has_pair;   /* nonzero when the last step has left the pair that violates most in `pair` */
};

/* Places the arrays (or measures) of a state of `head` bytes; those of the variant may follow. */
void pair_smo_layout(struct pair_smo *smo, struct arena *arena, size_t head, size_t n);
/* Starts, arrays placed; under the square penalty there is no upper bound. */
void pair_smo_start(struct pair_smo *smo, const struct problem *problem, struct oracle *oracle);
/* Finds the pair that violates most, if the step has not. */
enum status pair_smo_select(void *state, struct progress *progress);
/* Moves along a pair of which both rows are given by a step > 0 that the box admits, and finds the pair that violates
 * most after it. */
void pair_smo_move(struct pair_smo *smo, struct box_pair pair, double step, const double *row_up,
                   const double *row_low);
/* The same by the step of 1-smo; returns the step, 0 when there is none. */
double pair_smo_step(struct pair_smo *smo, struct box_pair pair, const double *row_up, const double *row_low);
/* The pair of the one that violates most and the low that gains most with it by second order (second_order_smo.c);
 * `diagonal` are the n values k(x_i, x_i), `row` is that of up. */
struct box_pair pair_smo_second_order(const struct pair_smo *smo, const double *diagonal, const double *row);
/* Primal less dual at the bias midway between the thresholds, xi_i = max(0, -y_i (F_i + b)): |W|^2 - sum alpha + C sum
 * xi; and for C/2 sum xi^2, where F has alpha_i y_i / C in it that is no part of w . x_i, |W|^2 - sum alpha^2 / 2C -
 * sum alpha + C/2 sum xi^2, |W|^2 that of K + I/C. */
double pair_smo_gap_linear(const void *state, int class);
double pair_smo_gap_square(const void *state, int class);

/* A step along a direction that moves many multipliers: y_i alpha_i += step w_i. Most of it that the box admits, >=
 * 0. */
double box_max_step_along(const struct box *box, const size_t *indices, const double *weights, size_t count);
/* Nonzero when every multiplier has more room than such a step >= 0 takes, and something to spare. */
int box_admits_step_along(const struct box *box, const size_t *indices, const double *weights, size_t count,
                          double step);
/* Does it; a multiplier that uses up its room is put exactly on its bound. F is left to the caller. */
void box_move_along(struct box *box, const size_t *indices, const double *weights, size_t count, double step);
/* The same in less time, for a step that box_admits_step_along has admitted: no multiplier comes near its bound. */
void box_move_admitted(struct box *box, const size_t *indices, const double *weights, size_t count, double step);

/* The members that all variants have alike. */
#define PAIR_SMO_STOPS \
    (1u << STOP_DELTA | 1u << STOP_DUAL_CHANGE | 1u << STOP_KKT | 1u << STOP_KKT_RELAXED | 1u << STOP_ITERATIONS)
#define PAIR_SMO_LINEAR                                                                   \
    .formulation = FORMULATION_C_SVM, .stops = PAIR_SMO_STOPS, .select = pair_smo_select, \
    .gap = pair_smo_gap_linear, .alpha = box_alpha
#define PAIR_SMO_SQUARE                                                                                             \
    .formulation = FORMULATION_SQUARE_SVM, .square_penalty = 1, .stops = PAIR_SMO_STOPS, .select = pair_smo_select, \
    .gap = pair_smo_gap_square, .alpha = box_alpha

#endif
