/* All solvers against all, after Friedman's test, and the groups a critical-difference diagram draws (Demsar 2006). */
#ifndef HULLBENCH_NEMENYI_H
#define HULLBENCH_NEMENYI_H

#include "harness/stats/friedman.h"

/* The difference of mean ranks beyond which two of k solvers on n problems differ, with chance alpha at most for any
 * false finding: q sqrt(k(k+1)/(12n)), q the upper alpha quantile of the range of k normal values. The result has two
 * solvers and one problem at least, and alpha is in (0, 1), else STATUS_BAD_INPUT. */
enum status nemenyi_difference(const struct friedman *friedman, double alpha, double *difference, struct error *error);

/* Solvers that do not differ: order[first] ... order[last]. */
struct rank_group {
    size_t first, last;
};

/* The largest sets of two and more solvers whose mean ranks all lie within the difference, from the best on; none is
 * part of another. order is friedman_order's; groups has room for as many as there are solvers. Returns their number.
 */
size_t nemenyi_groups(const struct friedman *friedman, const size_t *order, double difference,
                      struct rank_group *groups);

#endif
