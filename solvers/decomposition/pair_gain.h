/*
 * The decrease of the dual in the step along a pair, taking the box into account:
 *
 *   gain = t (delta - t eta / 2),  t = min(delta / eta, max step of both multipliers),  eta = k_ii + k_jj - 2 k_ij
 *
 * (notation of box.h). Without the box it is delta^2 / (2 eta), half of what second-order selection maximises.
 */
#ifndef HULLBENCH_PAIR_GAIN_H
#define HULLBENCH_PAIR_GAIN_H

#include "solvers/decomposition/box.h"

struct pair_gain {
    double gain;
    struct box_pair pair;
};

/* Data that the search needs for all patterns, in addition to the box. */
struct gain_patterns {
    double *diagonal;        /* n_padded: k(x_i, x_i) */
    unsigned char *positive; /* set (simd.h) of the patterns with label +1 */
};

/* Places the arrays (or measures them). */
void gain_patterns_layout(struct gain_patterns *patterns, struct arena *arena, size_t n);
/* Fills them in; requests the diagonal. */
void gain_patterns_start(const struct gain_patterns *patterns, const struct problem *problem, struct oracle *oracle);

/* The gain of a pair of patterns, in the descent direction. */
struct pair_gain pair_gain_of(const struct box *box, size_t i, size_t j, double curvature);
/* Replaces *best by a pair of `fixed` and another pattern that gains more, ties to the lowest index; `row` is the row
 * of `fixed`. The search starts with a pattern of best->pair, which affects only the time. */
void pair_gain_search(const struct box *box, const struct gain_patterns *patterns, size_t fixed, const double *row,
                      struct pair_gain *best);

#endif
