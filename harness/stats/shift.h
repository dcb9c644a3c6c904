/* By how much one sample is shifted against another: the Hodges-Lehmann estimate, which goes with the signed-rank
 * test. */
#ifndef HULLBENCH_SHIFT_H
#define HULLBENCH_SHIFT_H

#include <stddef.h>

#include "harness/stats/interval.h"
#include "solvers/error.h"

/* The median of all means (d_i + d_j)/2, i <= j, of the n differences d_i = x[i] - y[i] (all of them, zeros too), and
 * the interval of the values that the signed-rank test would not refuse (Hollander, Wolfe and Chicken 2014, 3.2-3.3).
 *
 * Up to EXACT_MAX_RANKS pairs the ends are those of the counted distribution without ties, as in R's
 * wilcox.test(x, y, paired = TRUE, exact = TRUE, conf.int = TRUE), and `level` is the level reached: at least the one
 * asked for, or, where there are too few pairs for it (fewer than six for 0.95), the most there is, from the least to
 * the greatest difference. Ties do not lower it: ties broken by noise, however little, leave a sample without ties, and
 * the interval contains the limit of that sample's. Beyond, the ends are those of the normal distribution with
 * continuity correction and `level` is as asked for.
 *
 * No pair: NAN and level 0. One: that difference, level 0. level outside (0, 1), and x or y that is not finite, is
 * STATUS_BAD_INPUT. */
enum status shift_paired(const double *x, const double *y, size_t n, double level, struct interval *shift,
                         struct error *error);

#endif
