/* Whether two costs agree on which of two solvers is cheaper. */
#ifndef HULLBENCH_MEASURE_AGREEMENT_H
#define HULLBENCH_MEASURE_AGREEMENT_H

#include "harness/atlas/atlas.h"

/* Over all problems and targets, and on each over the solvers that reached it and count both costs. */
struct measure_agreement {
    const struct atlas_family *family;
    enum atlas_cost costs[2];
    double pairs, equal;         /* of solvers: compared, and with equal costs in one or both measures */
    struct interval concordant;  /* share of the others that both costs order alike */
    struct interval tau;         /* mean of Kendall's tau-b of the two costs over the solvers of a problem and target */
    struct interval spread;      /* the largest over the least ratio of the second cost to the first among the solvers
                                    of a problem and target, geometric mean: 1 where they are proportional */
};

/* Fills *agreement; returns 0 where no problem has two solvers to compare. */
int measure_agreement_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost one,
                         enum atlas_cost other, struct measure_agreement *agreement);

#endif
