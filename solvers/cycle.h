/*
 * The last updates of a solver that moves weight from one pattern to another, kept to find cycles among them (Barbero,
 * Lopez and Dorronsoro 2008, Section 3). If the next update D_T equals D_{T-K}, the updates since then add up to
 *
 *   V = sum_{j=1..K} lambda_{T-j} D_{T-j} = sum_h mu_h X_h
 *
 * and the solver may move along V instead. An update is the ordered pair (to, from) and its step lambda: D adds to `to`
 * the weight that it takes from `from`, in the solver's own unit of weight.
 */
#ifndef HULLBENCH_CYCLE_H
#define HULLBENCH_CYCLE_H

#include <float.h>
#include <math.h>

#include "solvers/arena.h"

struct cycle_update {
    size_t to, from;
    double step;
};

struct cycle {
    size_t max;                  /* number of updates kept: the parameter `history` */
    size_t count, next;           /* updates kept; ring position of the next one */
    struct cycle_update *updates; /* `max` elements */
    size_t members;               /* M, the number of patterns in the last combined V */
    size_t *indices;              /* M <= 2 max of them, the most recently moved first */
    double *weights;              /* mu of each, all nonzero */
};

/* Places the arrays (or measures them) for a history of `max` updates. */
void cycle_layout(struct cycle *cycle, struct arena *arena, size_t max);
/* The smallest K >= 1 for which the kept update K updates ago has the same pair; 0 if none has. */
size_t cycle_find(const struct cycle *cycle, size_t to, size_t from);
/* Combines the last K <= count updates into V. A mu that cancels exactly is omitted. */
void cycle_combine(struct cycle *cycle, size_t k);
/* Returns 0 if the weights do not sum to 0 (if y is given: over each class, that of weights[h] being y[indices[h]]), to
 * 1e-10 of the largest. Then only rounding is left of them, and a long step along this direction would violate the
 * constraint that each update preserves. */
int cycle_weights_are_balanced(const size_t *indices, const double *weights, size_t members, const signed char *y);
/* The same for the mu of the last combined V. */
int cycle_is_balanced(const struct cycle *cycle, const signed char *y);
void cycle_remember(struct cycle *cycle, size_t to, size_t from, double step);
/* Forgets all updates. */
void cycle_forget(struct cycle *cycle);

/* alpha + change, but exactly `bound` if the change uses up max_change, the distance to it: a step cut to
 * max_change / |mu| misses the bound by up to two roundings. */
static inline double cycle_land(double alpha, double change, double max_change, double bound)
{
    const double all = 1 - 4 * DBL_EPSILON;
    return fabs(change) >= all * max_change ? bound : alpha + change;
}

#endif
