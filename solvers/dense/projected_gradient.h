/* The state of projected-gradient, in a header so that its test can check the step and the momentum. */
#ifndef HULLBENCH_PROJECTED_GRADIENT_H
#define HULLBENCH_PROJECTED_GRADIENT_H

#include "solvers/dense/dense.h"
#include "solvers/dense/projection.h"

struct projected_gradient {
    struct hull hull; /* alpha_k; first, so that hull_alpha and hull_gap_of_state accept the state */
    struct projection projection;
    double *last_weights[2], *last_products[2]; /* of alpha_(k-1); n_padded */
    double *middle;                             /* beta; n_padded */
    double *slope;                              /* f'(beta): y W . X_j; n_padded */
    double *compact;                            /* values of one class's members; n */
    double largest;                             /* L */
    double momentum;                            /* t_k */
};

#endif
