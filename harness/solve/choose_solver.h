/*
 * The solver that `--solver auto` selects: the one that measurements favour for problems of this shape. choose_solver.c
 * contains the rule and the measurements.
 */
#ifndef HULLBENCH_CHOOSE_SOLVER_H
#define HULLBENCH_CHOOSE_SOLVER_H

#include <stddef.h>

#include "solvers/kernel/kernel.h"

struct problem_shape {
    size_t rows, features;   /* of the training data */
    double filled;           /* fraction of nonzero values, from 0 to 1 */
    enum kernel_type kernel;
    double degree;           /* of a polynomial kernel; ignored for others */
    int is_nu_svc;           /* otherwise a C-SVC */
    double penalty;          /* C, or nu of a nu-SVC */
    int without_shrinking;   /* allow only solvers that examine all patterns in every iteration */
};

struct solver_choice {
    const char *solver; /* a registered name; static storage */
    const char *reason; /* a short explanation; static storage */
};

/* Defined for every shape. */
struct solver_choice choose_solver(const struct problem_shape *shape);

#endif
