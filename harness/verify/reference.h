/*
 * Computes the optimum of a small problem without the solvers: a primal-dual interior-point method on the dense
 * quadratic program, which proves its own gap. It shares only the statement of the problems with the solvers
 * (solvers/solver.h).
 */
#ifndef HULLBENCH_REFERENCE_H
#define HULLBENCH_REFERENCE_H

#include "harness/verify/instance.h"

struct reference {
    double low, high; /* they enclose the optimum of the minimised objective, up to rounding */
    double unit;      /* the scale of errors: the optimum, for hulls also the largest kernel value */
    int is_unbounded; /* a hard margin of inseparable classes */
};

/* Zero if the method cannot prove an interval of at most 1e-7 unit, or is out of memory. `instance` has at most
 * MAX_SMALL patterns; problem->parameters are those of the solver. */
int reference_find(const struct instance *instance, const struct solver *solver, const struct problem *problem,
                   struct reference *reference);

#endif
