/*
 * What the dual falls by in the step along a pair, with the box taken into account:
 *
 *   gain = t (delta - t eta / 2),  t = min(delta / eta, room of both multipliers),  eta = k_ii + k_jj - 2 k_ij
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

/* What the search has to know of all patterns besides the box. */
struct gain_patterns {
    double *diagonal;        /* n_padded: k(x_i, x_i) */
    unsigned char *positive; /* set (simd.h) of the patterns with label +1 */
};

/* Places the arrays (or measures). */
void gain_patterns_layout(struct gain_patterns *patterns, struct arena *arena, size_t n);
/* Fills them; asks for the diagonal. */
void gain_patterns_start(const struct gain_patterns *patterns, const struct problem *problem, struct oracle *oracle);

/* Of the pair of two patterns, in the direction that descends. */
struct pair_gain pair_gain_of(const struct box *box, size_t i, size_t j, double curvature);
/* Replaces *best by the pair of pattern `fixed` and any other that gains more, ties to the lowest index; `row` is that
 * of `fixed`. The search begins with a pattern of best->pair, which changes nothing but time. */
void pair_gain_search(const struct box *box, const struct gain_patterns *patterns, size_t fixed, const double *row,
                      struct pair_gain *best);

#endif
