/* Comparisons of all solvers after Friedman's test, and the groups of a critical-difference diagram (Demsar 2006). */
#ifndef HULLBENCH_NEMENYI_H
#define HULLBENCH_NEMENYI_H

#include "harness/stats/friedman.h"

/* The difference of mean ranks beyond which two of k solvers on n problems differ, with probability at most alpha of
 * any false finding: q sqrt(k(k+1)/(12n)), q the upper alpha quantile of the range of k normal values. *friedman has at
 * least two solvers and one problem; alpha is in (0, 1). */
double nemenyi_difference(const struct friedman *friedman, double alpha);

/* Solvers that do not differ: order[first] ... order[last]. */
struct rank_group {
    size_t first, last;
};

/* The maximal sets of two or more solvers whose mean ranks all lie within the difference, best first; none contains
 * another. order comes from friedman_order; groups has capacity for all solvers. Returns the number of groups. */
size_t nemenyi_groups(const struct friedman *friedman, const size_t *order, double difference,
                      struct rank_group *groups);

#endif
