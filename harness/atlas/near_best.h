/* What is lost by taking one solver everywhere in place of the best one for each problem. */
#ifndef HULLBENCH_NEAR_BEST_H
#define HULLBENCH_NEAR_BEST_H

#include "harness/atlas/atlas.h"

/* Up to this factor a solver is near the best. */
#define ATLAS_NEAR 1.3

/* Of a series, over the problems on which some series reaches the target. */
struct near_best_row {
    struct interval ratio; /* its cost over the least, geometric mean, censored runs penalised: 1 and more */
    struct interval near;  /* share of the problems on which it reaches the target within ATLAS_NEAR times the least */
    struct interval best;  /* ... at the least cost; equal ones all count */
};

struct near_best {
    const struct atlas_family *family;
    enum atlas_cost cost;
    struct near_best_row *rows; /* n_series x (n_targets + 1), the last: all targets together; those of series that do
                                   not count the cost are zeroed; owned */
    size_t *n;                  /* n_targets + 1: problems, or problems and targets; owned */
};

/* Fills *near; returns 0, with nothing to release, where fewer than two series count the cost. */
int near_best_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, struct near_best *near);
void near_best_free(struct near_best *near);

#endif
