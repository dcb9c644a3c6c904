/* The shift between two paired samples: the Hodges-Lehmann estimate, which belongs to the signed-rank test. */
#ifndef HULLBENCH_SHIFT_H
#define HULLBENCH_SHIFT_H

#include <stddef.h>

#include "harness/stats/interval.h"

/* The median of all means (d_i + d_j)/2, i <= j, of the n differences d_i = x[i] - y[i] (including zeros), and the
 * interval of the values that the signed-rank test would not reject (Hollander, Wolfe and Chicken 2014, 3.2-3.3).
 *
 * Up to EXACT_MAX_RANKS pairs the ends come from the exact distribution without ties, as in R's wilcox.test(x, y,
 * paired = TRUE, exact = TRUE, conf.int = TRUE), and `level` becomes the level reached. It is at least the requested
 * one. If there are too few pairs for that (fewer than six for 0.95), it is the largest attainable, from the smallest
 * to the largest difference. Ties do not lower it: breaking them by arbitrarily small noise leaves a sample without
 * ties, and the interval contains the limit of that sample's. With more pairs the ends come from the normal
 * distribution with continuity correction, and `level` is the requested one.
 *
 * No pair, values that are not finite, or differences too large to add: NAN and level 0. One: that difference, level
 * 0. */
struct interval shift_paired(const double *x, const double *y, size_t n, double level);

#endif
