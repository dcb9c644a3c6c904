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

/* Of the pair of two patterns, in the direction that descends. */
struct pair_gain pair_gain_of(const struct box *box, size_t i, size_t j, double curvature);
/* Replaces *best by the pair of pattern `fixed` and any other that gains more, ties to the lowest index; `row` is that
 * of `fixed`, `diagonal` are the n values k(x_i, x_i). */
void pair_gain_search(const struct box *box, size_t fixed, const double *row, const double *diagonal,
                      struct pair_gain *best);

#endif
