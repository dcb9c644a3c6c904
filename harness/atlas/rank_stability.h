/* Whether the best solver at one target is the best at another. */
#ifndef HULLBENCH_RANK_STABILITY_H
#define HULLBENCH_RANK_STABILITY_H

#include "harness/atlas/atlas.h"

/* One target compared with the reference. */
struct stability_row {
    struct interval tau;         /* Kendall's tau-b of the two rankings of solvers by geometric mean cost */
    struct interval same_winner; /* share of problems whose cheapest solver at the reference is the cheapest here too */
    struct interval loss;        /* cost here of the reference's cheapest solver over that of the cheapest one here,
                                    geometric mean; at least 1 */
    size_t n;                    /* problems on which some solver reaches both targets, the basis of the last two */
};

struct rank_stability {
    const struct atlas_family *family;
    enum atlas_cost cost;
    size_t reference;           /* a target: 1e-3, or see atlas_shown_targets */
    struct stability_row *rows; /* one per target */
};

/* Fills *stability; returns 0 if fewer than two series count the cost, or with one target. */
int rank_stability_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost,
                      struct rank_stability *stability);

#endif
