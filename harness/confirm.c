/*
 * A stopping rule is met on sums a solver carries along: gradients, W.X_i, |W|^2. Each update rounds them by some units in the last
 * place of their largest terms, which for multipliers around 1e10 is more than a tolerance of 1e-5. What the multipliers
 * themselves say is the judge's:
 *
 *     nearest points   rch-gap: g_s <= eps |W| for one class s; rch-gap-both: for both; gap-sum-w2, gap-max-w2:
 *                      g_+ + g_- and max(g_+, g_-) <= eps |W|^2
 *     SVM duals with a bias, v = F_low - F_up   kkt: v <= eps; delta, and kkt-relaxed at any bias: v <= 2 eps
 *     SVM duals without bias, v that of judge_no_bias.c   kkt: v <= eps
 *
 * Where hulls meet, |W|^2 and the gaps are nothing but the rounding of their sums, which the judge bounds and which is added.
 * Sums in another order differ in their last places, hence the millionth. Two kinds of solver are believed: one that is `whole`, for its
 * kernel values are its own, and m3-bias, whose multipliers never reach 0 and whose violation weighs them by what they are worth.
 */
#include "harness/confirm.h"

#include <math.h>
#include <string.h>

static int hulls_confirm(const struct stop *stop, const struct judgement *judgement)
{
    const double *gap = judgement->class_gap, rounding = judgement->rounding;
    double norm2 = fmax(2 * judgement->objective, 0) + rounding, limit = stop->tolerance * (1 + 1e-6);
    switch (stop->rule) {
    case STOP_RCH_GAP:
        return fmin(gap[0], gap[1]) <= limit * sqrt(norm2) + rounding;
    case STOP_RCH_GAP_BOTH:
        return fmax(gap[0], gap[1]) <= limit * sqrt(norm2) + rounding;
    case STOP_GAP_SUM_NORM2:
        return gap[0] + gap[1] <= limit * norm2 + rounding;
    case STOP_GAP_MAX_NORM2:
        return fmax(gap[0], gap[1]) <= limit * norm2 + rounding;
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

int confirm(const struct stop *stop, const struct solver *solver, const struct judgement *judgement)
{
    if (solver->whole || strcmp(solver->name, "m3-bias") == 0)
        return 1;
    if (solver->formulation == FORMULATION_NEAREST_POINTS)
        return hulls_confirm(stop, judgement);
    if (solver->formulation == FORMULATION_C_SVM || solver->formulation == FORMULATION_SQUARE_SVM)
        return duals_confirm(stop, judgement);
    if (stop->rule == STOP_KKT && solver->formulation != FORMULATION_MINIMUM_NORM)
        return duals_confirm(stop, judgement); /* without bias */
    return 1;
}
