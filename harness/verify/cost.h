/* Compares a count of kernel operations with the costs that a solver declares (struct kernel_cost). */
#ifndef HULLBENCH_COST_H
#define HULLBENCH_COST_H

#include "solvers/solver.h"

/* Zero if none of the declared costs matches the count: `usual`, or one of `further`, which may be NULL. The problem
 * has the parameters that the solver runs with. */
int cost_admits(const struct kernel_cost *usual, const struct kernel_cost *further, const struct solver *solver,
                const struct problem *problem, uint64_t count);
/* Describes the costs: "2N = 60, or at most N^2 + 2N = 960". */
void cost_describe(const struct kernel_cost *usual, const struct kernel_cost *further, const struct solver *solver,
                   const struct problem *problem, char *text, size_t size);

#endif
