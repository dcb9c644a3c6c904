/* The state of interior-point, so that its test can see the equations that a step solves. */
#ifndef HULLBENCH_INTERIOR_POINT_H
#define HULLBENCH_INTERIOR_POINT_H

#include "solvers/dense/dense.h"

/* A Newton step. */
struct step {
    double *alpha, *z, *v; /* n_padded each, by free pattern */
    double lambda[2];
};

struct interior_point {
    struct hull hull; /* first, so that hull_alpha and hull_gap_of_state take the state */
    size_t *free;     /* patterns of classes that are not fixed, ascending; */
    size_t n_free;    /* arrays below are by place in this list, n_padded */
    int is_fixed[2];
    double *alpha, *s, *z, *v, *slope; /* slope: Q alpha */
    double lambda[2];
    double penalty; /* rho: the median of the diagonal of Q */
    struct step predictor, corrector;
    double *column[2]; /* the inverse matrix times 1 on a class's patterns */
    double *row;             /* of the matrix */
    double *factor;          /* n_free rows of n_padded: L, lower triangular */
    double gap, least_gap;
    int idle; /* iterations since the gap has fallen */
};

#endif
