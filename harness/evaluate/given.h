/*
 * Multipliers that another program found, as an external solver whose only step is to hand them out. So judgement,
 * recheck, record and messages are those of a solver, and nothing is counted. Run it under the rule duality-gap.
 */
#ifndef HULLBENCH_GIVEN_H
#define HULLBENCH_GIVEN_H

#include "solvers/solver.h"

struct given {
    struct solver solver; /* "given"; parameters to be set */
    const double *alpha;  /* n multipliers, borrowed */
    size_t n;
};

struct given given_solver(enum formulation formulation, int square_penalty, const double *alpha, size_t n);

#endif
