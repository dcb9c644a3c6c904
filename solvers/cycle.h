/*
 * The last updates of a solver that moves weight from one pattern to another, kept to find cycles among them (Barbero,
 * Lopez and Dorronsoro 2008, Section 3): when the update D_T about to be done is the D_{T-K} of K updates ago, those
 * since then add up to
 *
 *   V = sum_{j=1..K} lambda_{T-j} D_{T-j} = sum_h mu_h X_h
 *
 * along which the solver may go instead. Here an update is the ordered pair (to, from) and its step lambda: D adds to
 * `to` what it takes from `from`, in whatever the solver counts weight.
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
    size_t max;                  /* updates looked back: the parameter `history` */
    size_t count, next;           /* updates kept, and the place in the ring of the one to come */
    struct cycle_update *updates; /* most */
    size_t members;               /* M, patterns of the V last combined */
    size_t *indices;              /* M <= 2 most of them, in the order in which they were met going back */
    double *weights;              /* mu of each, none of them 0 */
};

/* Places the arrays (or measures) for a history of `max` updates. */
void cycle_layout(struct cycle *cycle, struct arena *arena, size_t max);
/* The K >= 1 of the latest update of the same pair among those kept, 0 when there is none. */
size_t cycle_find(const struct cycle *cycle, size_t to, size_t from);
/* V of the last K updates, K <= count. A mu that cancels exactly is left out. */
void cycle_combine(struct cycle *cycle, size_t k);
/* Zero where the mu of the V last combined do not sum to 0 (where y is given: not in both classes), to 1e-10 of the
 * largest: updates have cancelled but for rounding, and a long step along what is left would leave the constraint that
 * each update keeps. */
int cycle_is_balanced(const struct cycle *cycle, const signed char *y);
void cycle_remember(struct cycle *cycle, size_t to, size_t from, double step);
/* Forgets all updates. */
void cycle_forget(struct cycle *cycle);

/* alpha + change, exactly `bound` where the change uses up the `max_change` to it: a step cut to max_change / |mu|
 * moves by that to two roundings. */
static inline double cycle_land(double alpha, double change, double max_change, double bound)
{
    const double all = 1 - 4 * DBL_EPSILON;
    return fabs(change) >= all * max_change ? bound : alpha + change;
}

#endif
