/* The state of wolfe-mnp, in a header so that its test can inspect the corral. */
#ifndef HULLBENCH_WOLFE_MNP_H
#define HULLBENCH_WOLFE_MNP_H

#include "solvers/dense/corral.h"
#include "solvers/hull/hull.h"

extern const struct parameter parameter_corral;

struct wolfe {
    struct hull hull; /* first, so that hull_alpha and hull_gap_of_state accept the state */
    struct corral corral;
    size_t base;                 /* the place of a point that is not a vertex; corral.max if there is none */
    double *base_weights[2];     /* its multipliers; n_padded */
    size_t n_parts;              /* patterns in a vertex of one class */
    uint32_t *parts;             /* for each place and class, the patterns of the vertex: n_parts of them, the last
                                  * of weight sigma */
    double *rows;                /* X^_s . X_j of the point at each place, by class; n_padded each */
    double gap, norm2;           /* at the last select, */
    double least_gap, least_norm2; /* and the smallest so far */
    int idle;                    /* major cycles since either last decreased */
};

#endif
