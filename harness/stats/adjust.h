/* Correction of p-values for multiple tests. */
#ifndef HULLBENCH_ADJUST_H
#define HULLBENCH_ADJUST_H

#include <stddef.h>

/* With p sorted, p_(1) <= ... <= p_(n): Holm's adjusted p_(i) is the largest (n - k + 1) p_(k) over k <= i, at most 1,
 * as in R's p.adjust(p, "holm"). Comparing them with a level keeps the probability of any false finding among the n
 * below that level, for any dependence of the tests. n may be 0; p and adjusted must not overlap. Each p is in
 * [0, 1]. */
void adjust_holm(const double *p, size_t n, double *adjusted);

#endif
