/* The loss from using one solver everywhere instead of the best one for each problem. */
#ifndef HULLBENCH_NEAR_BEST_H
#define HULLBENCH_NEAR_BEST_H

#include "harness/atlas/atlas.h"

/* A solver within this factor of the best is near it. */
#define ATLAS_NEAR 1.3

/* For a series, over the problems on which some series reaches the target. */
struct near_best_row {
    struct interval ratio; /* its cost over the smallest, geometric mean, censored runs penalised: at least 1 */
    struct interval near;  /* share of problems on which it reaches the target within ATLAS_NEAR times the smallest */
    struct interval best;  /* ... at the smallest cost; ties all count */
};

struct near_best {
    const struct atlas_family *family;
    enum atlas_cost cost;
    struct near_best_row *rows; /* n_series x (n_targets + 1), the last: all targets together; zeroed for series that do
                                   not count the cost */
    size_t *n;                  /* n_targets + 1: problems, or problems and targets */
};

/* Fills *near; returns 0 if fewer than two series count the cost. */
int near_best_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, struct near_best *near);

#endif
