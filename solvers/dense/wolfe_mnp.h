/* The state of wolfe-mnp, so that its test can look into the corral. */
#ifndef HULLBENCH_WOLFE_MNP_H
#define HULLBENCH_WOLFE_MNP_H

#include "solvers/dense/corral.h"
#include "solvers/hull/hull.h"

extern const struct parameter parameter_corral;

struct wolfe {
    struct hull hull; /* first, so that hull_alpha and hull_gap_of_state take the state */
    struct corral corral;
    size_t base;                 /* the place of a point that is no vertex; corral.max where none is */
    double *base_weights[2];     /* its multipliers; n_padded */
    size_t n_parts;              /* patterns in a vertex of one class */
    uint32_t *parts;             /* of the vertex in each place and class: n_parts patterns, the last of weight sigma */
    double *rows;                /* X^_s . X_j of the point in each place and class; n_padded each */
    double gap, norm2;           /* of the last look, */
    double least_gap, least_norm2; /* and the least so far */
    int idle;                    /* major cycles since either has fallen */
};

#endif
