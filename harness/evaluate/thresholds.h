/*
 * The threshold of one class, in the units of its multipliers. At the optimum of reduced hulls and of the C-SVM each
 * class s has a t_s such that, with v_j = y_j W . X_j and `limit` the upper bound of alpha,
 *     v_j >= t_s where alpha_j = 0,  v_j = t_s where 0 < alpha_j < limit,  v_j <= t_s where alpha_j = limit.
 */
#ifndef HULLBENCH_THRESHOLDS_H
#define HULLBENCH_THRESHOLDS_H

#include <math.h>

struct threshold {
    double free_sum, n_free;  /* of v with 0 < alpha < limit */
    double at_bound, at_zero; /* largest v with alpha = limit, smallest with alpha = 0 */
};
#define THRESHOLD_OF_NONE {.at_bound = -HUGE_VAL, .at_zero = HUGE_VAL}

/* A multiplier counts as at a bound if it is within 1e-9 of the limit: rounding leaves about 1e-15 if 1/mu is an
 * integer and no multiplier is free. */
static inline void threshold_add(struct threshold *threshold, double alpha, double limit, double v)
{
    const double bound_tolerance = 1e-9;
    if (alpha <= bound_tolerance * limit)
        threshold->at_zero = fmin(threshold->at_zero, v);
    else if (alpha >= limit - bound_tolerance * limit)
        threshold->at_bound = fmax(threshold->at_bound, v);
    else {
        threshold->free_sum += v;
        threshold->n_free++;
    }
}

/* t_s: the mean of v over the free multipliers; if none is free, the midpoint of its bounds, or the only bound. */
static inline double threshold_of(const struct threshold *threshold)
{
    const double below = threshold->at_bound, above = threshold->at_zero;
    if (threshold->n_free > 0)
        return threshold->free_sum / threshold->n_free;
    return isinf(above) ? below : isinf(below) ? above : 0.5 * (below + above);
}

#endif
