/* The solvers that tests of the whole registry run. */
#ifndef HULLBENCH_TESTED_SOLVERS_H
#define HULLBENCH_TESTED_SOLVERS_H

#include "solvers/solver.h"

/* All registered solvers, ended by NULL; if the environment variable HULLBENCH_TESTED_SOLVER is set, only the solver of
 * that name. The array belongs to this function and stays valid. */
const struct solver *const *tested_solvers(void);

#endif
