/* The range of k independent standard normal values: Tukey's studentised range with infinite degrees of freedom. */
#ifndef HULLBENCH_STUDENTIZED_RANGE_H
#define HULLBENCH_STUDENTIZED_RANGE_H

#include <stddef.h>

/* P(range > q), with a relative error of some 1e-13: R's ptukey(q, k, Inf, lower.tail = FALSE). k < 2 has no range: the
 * result is 1 for q <= 0, else 0. */
double studentized_range_upper(double q, size_t k);

/* The q that the range of k >= 2 values exceeds with probability alpha in (0, 1). */
double studentized_range_quantile(double alpha, size_t k);

#endif
