/*
 * A stopping rule is met on sums a solver carries along: gradients, W.X_i, |W|^2. Each update rounds them by some units in the last
 * place of their largest terms, which for multipliers around 1e10 is more than a tolerance of 1e-5. What the multipliers
 * themselves say is the judge's:
 *
 *     nearest points   rch-gap: g_s <= eps |W| for one class s; rch-gap-both: for both; gap-sum-w2, gap-max-w2:
 *                      g_+ + g_- and max(g_+, g_-) <= eps |W|^2; delta, delta-w2, delta-2w2: max(g_+, g_-) <= 2 eps, eps |W|^2,
 *                      2 eps |W|^2
 *     minimum norm     the same of the only gap there is
 *     SVM duals with a bias, v = F_low - F_up   kkt: v <= eps; delta, and kkt-relaxed at any bias: v <= 2 eps
 *     SVM duals without bias, v that of judge_no_bias.c   the same; gap-max-w2, gap-sum-w2: the duality gap <= eps |W|^2
 *
 * For nearest points and minimum norms Delta is no less than a gap. The gap is what moving the weights of W to those of the extreme
 * point gains, at most 1 of weight from patterns with v <= v_U to such with v >= v_L; where Delta is that of a step towards the
 * extreme point it is the gap. Where a solver may choose among some patterns alone (clip-gsk, and mu-mdm among those below the
 * bound) a small Delta with a large gap says that nothing is left to choose, which is to be stalled.
 *
 * Where hulls meet, |W|^2 and the gaps are nothing but the rounding of their sums, which the judge bounds and which is added; not so
 * without bias, where |W|^2 is sum alpha at the optimum and no rounding unless the multipliers are as large as said above.
 * Sums in another order differ in their last places, hence the millionth. Two kinds of solver are believed: one that is `whole`, for its
 * kernel values are its own, and m3-bias, whose multipliers never reach 0 and whose violation weighs them by what they are worth.
 */
#include "harness/recheck.h"

#include <math.h>
#include <string.h>

/* What of the gap or gaps the rule bounds. */
static double gap_of(enum stop_rule rule, enum formulation formulation, const struct judgement *judgement)
{
    const double *gap = judgement->class_gap;
    if (formulation != FORMULATION_NEAREST_POINTS)
        return judgement->duality_gap;
    if (isnan(gap[0]) || isnan(gap[1]))
        return (double)NAN; /* which fmin and fmax would not see */
    return rule == STOP_RCH_GAP         ? fmin(gap[0], gap[1])
           : rule == STOP_GAP_SUM_NORM2 ? gap[0] + gap[1]
                                        : fmax(gap[0], gap[1]);
}

static int gaps_confirm(const struct stop *stop, enum formulation formulation, const struct judgement *judgement)
{
    double norm2 = fmax(judgement->norm2, 0) + judgement->rounding, limit = stop->tolerance * (1 + 1e-6);
    double gap = gap_of(stop->rule, formulation, judgement) - judgement->rounding;
    switch (stop->rule) {
    case STOP_RCH_GAP:
    case STOP_RCH_GAP_BOTH:
        return gap <= limit * sqrt(norm2);
    case STOP_GAP_SUM_NORM2:
    case STOP_GAP_MAX_NORM2:
    case STOP_DELTA_NORM2:
        return gap <= limit * norm2;
    case STOP_DELTA_2NORM2:
        return gap <= 2 * limit * norm2;
    case STOP_DELTA:
        return gap <= 2 * limit;
    default:
        return 1;
    }
}

static int violations_confirm(const struct stop *stop, const struct judgement *judgement)
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

int recheck_convergence(const struct stop *stop, const struct solver *solver, const struct judgement *judgement)
{
    if (solver->whole || strcmp(solver->name, "m3-bias") == 0)
        return 1;
    switch (solver->formulation) {
    case FORMULATION_NEAREST_POINTS:
    case FORMULATION_MINIMUM_NORM:
        return gaps_confirm(stop, solver->formulation, judgement);
    case FORMULATION_NO_BIAS_HARD_MARGIN:
    case FORMULATION_NO_BIAS_SVM:
        if (stop->rule == STOP_GAP_SUM_NORM2 || stop->rule == STOP_GAP_MAX_NORM2)
            return gaps_confirm(stop, solver->formulation, judgement);
        return violations_confirm(stop, judgement);
    default:
        return violations_confirm(stop, judgement);
    }
}
