/* Corrections of p-values for several tests. */
#ifndef HULLBENCH_ADJUST_H
#define HULLBENCH_ADJUST_H

#include <stddef.h>

#include "solvers/error.h"

/* Holm's holds whatever the tests have to do with each other. Hochberg's rejects at least as much, and holds where they
 * are independent or positively dependent. */
enum adjustment { ADJUST_HOLM, ADJUST_HOCHBERG };

/* With p sorted, p_(1) <= ... <= p_(n): Holm's adjusted p_(i) is the largest (n - k + 1) p_(k) over k <= i, at most 1;
 * Hochberg's the smallest over k >= i. As R's p.adjust(p, "holm") and "hochberg". Comparing them with a level keeps the
 * chance of any false finding among the n below that level. n may be 0; p and adjusted may not overlap. A p outside
 * [0, 1], or not a number, is STATUS_BAD_INPUT naming its index. */
enum status adjust_p(enum adjustment adjustment, const double *p, size_t n, double *adjusted, struct error *error);

#endif
