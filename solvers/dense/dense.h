/* Shared by the solvers whose iterations move all multipliers. */
#ifndef HULLBENCH_DENSE_H
#define HULLBENCH_DENSE_H

#include "solvers/hull/hull.h"

/* Sums A, B and C, finds the extreme points of both classes (hull->search->vertex) and fills in *progress for an update
 * of both: Delta is the duality gap. */
void dense_fill_progress(struct hull *hull, struct progress *progress);

#endif
