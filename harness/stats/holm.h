/* Holm's correction for several tests. */
#ifndef HULLBENCH_HOLM_H
#define HULLBENCH_HOLM_H

#include <stddef.h>

#include "solvers/error.h"

/* adjusted[i] = the largest over the p_j <= p_i of min(1, (number of p_k >= p_j, ties by index) p_j): as R's
 * p.adjust(p, "holm"). Comparing it with a level keeps the chance of any false finding among the n below that level. n
 * may be 0; p and adjusted may not overlap. */
enum status holm_adjust(const double *p, size_t n, double *adjusted, struct error *error);

#endif
