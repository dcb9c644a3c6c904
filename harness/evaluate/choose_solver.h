/*
 * The solver that `--solver auto` takes: the one that measurements favour on problems of this shape. The rule and the
 * measurements behind it are in choose_solver.c.
 */
#ifndef HULLBENCH_CHOOSE_SOLVER_H
#define HULLBENCH_CHOOSE_SOLVER_H

#include <stddef.h>

#include "solvers/kernel/kernel.h"

struct problem_shape {
    size_t rows, features;   /* that train */
    double filled;           /* the share of the values that are not 0, from 0 to 1 */
    enum kernel_type kernel;
    double degree;           /* of the polynomial; not read for other kernels */
    int is_nu_svc;           /* else a C-SVC */
    double penalty;          /* C, or nu of the nu-SVC */
    int without_shrinking;   /* only solvers that look at all patterns in every iteration */
};

struct solver_choice {
    const char *solver; /* a name of the registry; static storage */
    const char *reason; /* why, in a few words; static storage */
};

/* Any shape has an answer. */
struct solver_choice choose_solver(const struct problem_shape *shape);

#endif
