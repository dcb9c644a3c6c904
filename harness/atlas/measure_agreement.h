/* Whether two costs agree on which of two solvers is cheaper. */
#ifndef HULLBENCH_MEASURE_AGREEMENT_H
#define HULLBENCH_MEASURE_AGREEMENT_H

#include "harness/atlas/atlas.h"

/* Over all problems and targets; for each, over the solvers that reached the target and count both costs. */
struct measure_agreement {
    const struct atlas_family *family;
    enum atlas_cost costs[2];
    double pairs, equal;         /* pairs of solvers: compared, and with equal costs in at least one measure */
    struct interval concordant;  /* share of the other pairs that both costs order alike */
    struct interval tau;         /* mean of Kendall's tau-b of the two costs over the solvers of a problem and target */
    struct interval spread;      /* the largest ratio of the second cost to the first over the smallest, among the
                                    solvers of a problem and target, geometric mean: 1 if they are proportional */
};

/* Fills *agreement; returns 0 if no problem has two solvers to compare. */
int measure_agreement_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost one,
                         enum atlas_cost other, struct measure_agreement *agreement);

#endif
