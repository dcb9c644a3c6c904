/* The state of interior-point, in a header so that its test can check the equations of a step. */
#ifndef HULLBENCH_INTERIOR_POINT_H
#define HULLBENCH_INTERIOR_POINT_H

#include "solvers/dense/dense.h"

/* A Newton step. */
struct step {
    double *alpha, *z, *v; /* n_padded each, by free pattern */
    double lambda[2];
};

struct interior_point {
    struct hull hull; /* first, so that hull_alpha and hull_gap_of_state accept the state */
    size_t *free;     /* patterns of classes that are not fixed, ascending; */
    size_t n_free;    /* arrays below are indexed by position in this list, n_padded */
    int is_fixed[2];
    double *alpha, *s, *z, *v, *slope; /* slope: Q alpha */
    double lambda[2];
    double penalty; /* rho: the median of the diagonal of Q, or its mean */
    struct step predictor, corrector;
    double *column[2]; /* the inverse matrix times 1 on the patterns of a class */
    double *row;             /* of the matrix */
    double *factor;          /* n_free rows of n_padded: L, lower triangular */
    double gap, least_gap;
    int idle; /* iterations since the gap last decreased */
};

#endif
