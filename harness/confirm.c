/*
 * A stopping rule is met on sums a solver carries along: gradients, W.X_i, |W|^2. Each update rounds them by some units in the last
 * place of their largest terms, which for multipliers around 1e10 is more than a tolerance of 1e-5. What the multipliers
 * themselves say is the judge's:
 *
 *     nearest points   rch-gap: g_s <= eps |W| for one class s; rch-gap-both: for both; gap-sum-w2, gap-max-w2:
 *                      g_+ + g_- and max(g_+, g_-) <= eps |W|^2
 *     SVM duals with a bias, v = F_low - F_up   kkt: v <= eps; delta, and kkt-relaxed at any bias: v <= 2 eps
 *
 * Where hulls meet, |W|^2 is nothing but the rounding of its sum, which the judge bounds and which is added here.
 * Sums in another order differ in their last places, hence the millionth.
 */
#include "harness/confirm.h"

#include <math.h>

static int hulls_confirm(const struct stop *stop, const struct judgement *judgement)
{
    const double *gap = judgement->class_gap;
    double norm2 = fmax(2 * judgement->objective, 0) + judgement->rounding, limit = stop->tolerance * (1 + 1e-6);
    switch (stop->rule) {
    case STOP_RCH_GAP:
        return fmin(gap[0], gap[1]) <= limit * sqrt(norm2);
    case STOP_RCH_GAP_BOTH:
        return fmax(gap[0], gap[1]) <= limit * sqrt(norm2);
    case STOP_GAP_SUM_NORM2:
        return gap[0] + gap[1] <= limit * norm2;
    case STOP_GAP_MAX_NORM2:
        return fmax(gap[0], gap[1]) <= limit * norm2;
    default:
        return 1;
    }
}

static int duals_confirm(const struct stop *stop, const struct judgement *judgement)
{
    double limit = stop->tolerance * (1 + 1e-6);
    switch (stop->rule) {
    case STOP_KKT:
        return judgement->kkt_violation <= limit;
    case STOP_DELTA:
    case STOP_KKT_RELAXED:
        return judgement->kkt_violation <= 2 * limit;
    default:
        return 1;
    }
}

int confirm(const struct stop *stop, enum formulation formulation, const struct judgement *judgement)
{
    if (formulation == FORMULATION_NEAREST_POINTS)
        return hulls_confirm(stop, judgement);
    if (formulation == FORMULATION_C_SVM || formulation == FORMULATION_SQUARE_SVM)
        return duals_confirm(stop, judgement);
    return 1;
}
