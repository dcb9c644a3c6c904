/*
 * A solver meets a stopping rule on sums that it updates incrementally: gradients, W.X_i, |W|^2. Each update rounds
 * them by some units in the last place of their largest terms, which for multipliers around 1e10 exceeds a tolerance of
 * 1e-5. The judge recomputes its values from the multipliers. What each rule bounds, and the limit:
 *
 *     nearest points   rch-gap, rch-gap-updated: g_s <= eps |W| for one class s, whose reduced hull must be more than
 *                      a point if any class has such a hull; rch-gap-both: for both; gap-sum-w2, gap-max-w2: g_+ + g_-
 *                      and max(g_+, g_-) <= eps |W|^2; delta, delta-w2, delta-2w2: max(g_+, g_-) <= 2 eps, eps |W|^2,
 *                      2 eps |W|^2
 *     minimum norm     the same for its single gap
 *     SVM duals with a bias, v = F_low - F_up   kkt: v <= eps; delta, and kkt-relaxed at any bias: v <= 2 eps
 *     SVM duals without bias, v that of judge.c   the same        ; gap-max-w2, gap-sum-w2: the duality gap <= eps
 *                                                         |W|^2
 *
 *     all problems     duality-gap: the duality gap <= eps D, D the dual value; svm-gap: that of svm_gap.c
 *
 * For nearest points and minimum norms, Delta is at least the gap. The gap is the gain of moving W's weights to those
 * of the extreme point, which moves at most a weight of 1 from patterns with v <= v_U to patterns with v >= v_L. If
 * Delta belongs to a step towards the extreme point, it equals the gap. If a solver may choose only among some patterns
 * (may_stall in solvers/solver.h), a small Delta with a large gap means that no choice is left, which counts as
 * stalled.
 *
 * The judge's values are rounded, too, including kernel values. Given a value g, its error bound r and the limit L, the
 * rule is not met if g - r > L; otherwise it is undecidable if r > L at the smallest |W|^2 that rounding allows;
 * otherwise it is confirmed if g <= L. L is increased by a millionth, because sums in another order differ in their
 * last digits; but not for duality-gap and svm-gap, which are decided by these values themselves. If |W|^2 is within
 * its error bound, the hulls may meet.
 *
 * dual-change compares two iterations, and the multipliers do not determine the earlier one. They do determine whether
 * the objective is known to eps |D|, and whether the solver's running objective agrees with theirs to a thousandth of
 * eps |D| plus rounding.
 */
#include "harness/evaluate/recheck.h"

#include <math.h>
#include <stdio.h>

#include "harness/evaluate/rounding.h"

/* The combination of the gaps that the rule bounds. */
static struct stopping_claim claim_of_gap(enum stop_rule rule, enum formulation formulation,
                                          const struct judgement *judgement)
{
    const double *gap = judgement->class_gap, *rounding = judgement->rounding.class_gap;
    struct stopping_claim claim = {"the duality gap", judgement->duality_gap, judgement->rounding.duality_gap, 0};
    if (formulation != FORMULATION_NEAREST_POINTS)
        return claim;
    if (isnan(gap[0]) || isnan(gap[1])) { /* comparisons would ignore it */
        claim.figure = (double)NAN;
        return claim;
    }
    if (rule == STOP_GAP_SUM_NORM2)
        return (struct stopping_claim){claim.name, gap[0] + gap[1], rounding[0] + rounding[1], 0};
    const int *single = judgement->single_point;
    int smaller = rule == STOP_RCH_GAP || rule == STOP_RCH_GAP_UPDATED;
    int first = !smaller ? gap[0] >= gap[1] : single[0] == single[1] ? gap[0] <= gap[1] : !single[0];
    claim.name = smaller ? "the gap of the class with the smaller one" : "the gap of the class with the larger one";
    claim.figure = gap[first ? 0 : 1];
    claim.rounding = rounding[first ? 0 : 1];
    return claim;
}

/* The rule's limit for a gap; NAN if it bounds none. */
static double limit_of_gap(const struct stop *stop, double norm2)
{
    switch (stop->rule) {
    case STOP_RCH_GAP:
    case STOP_RCH_GAP_BOTH:
    case STOP_RCH_GAP_UPDATED:
        return stop->tolerance * sqrt(norm2);
    case STOP_GAP_SUM_NORM2:
    case STOP_GAP_MAX_NORM2:
    case STOP_DELTA_NORM2:
        return stop->tolerance * norm2;
    case STOP_DELTA_2NORM2:
        return 2 * stop->tolerance * norm2;
    case STOP_DELTA:
        return 2 * stop->tolerance;
    default:
        return (double)NAN;
    }
}

/* What the rule bounds, and its limit; `at_least`: the limit at the smallest |W|^2 or dual value that rounding allows.
 * Zero if it bounds nothing that a judgement contains. */
static int claim_of(const struct stop *stop, const struct solver *solver, const struct judgement *judgement,
                    int at_least, struct stopping_claim *claim)
{
    const struct stopping_figures *rounding = &judgement->rounding;
    const struct stopping_rule *own = stop_rule_own(stop->rule);
    const enum stop_rule rule = stop->rule;
    const int is_norm = formulation_is_norm(solver->formulation),
              has_no_bias = !is_norm && !formulation_has_bias(solver->formulation);
    const double norm2 = fmax(judgement->norm2 - (at_least ? rounding->norm2 : 0), 0);
    *claim = (struct stopping_claim){.name = "the figure"};
    if (own) {
        const struct stopping_figures figures = {judgement->objective, at_least ? norm2 : judgement->norm2,
                                                 judgement->duality_gap,
                                                 judgement->kkt_violation,
                                                 {judgement->class_gap[0], judgement->class_gap[1]}};
        if (own->recheck)
            own->recheck(&figures, rounding, stop->tolerance, claim);
        return own->recheck != NULL;
    }
    if (rule == STOP_DUALITY_GAP) {
        const double dual = dual_value(solver->formulation, judgement->objective, judgement->duality_gap),
                     off = rounding->objective + (is_norm ? rounding->duality_gap : 0);
        *claim = (struct stopping_claim){"the duality gap", judgement->duality_gap, rounding->duality_gap,
                                         stop->tolerance * fmax(dual - (at_least ? off : 0), 0)};
    } else if (rule == STOP_SVM_GAP) {
        const struct svm_gap *svm = &judgement->svm;
        *claim = (struct stopping_claim){"the SVM's duality gap", svm->gap, svm->gap_rounding,
                                         stop->tolerance * fmax(svm->dual - (at_least ? svm->dual_rounding : 0), 0)};
    } else if (rule == STOP_DUAL_CHANGE) { /* only that the objective is known accurately enough */
        *claim = (struct stopping_claim){"the change of the objective", 0, rounding->objective,
                                         stop->tolerance * fabs(judgement->objective)};
    } else if (is_norm || (has_no_bias && (rule == STOP_GAP_SUM_NORM2 || rule == STOP_GAP_MAX_NORM2))) {
        *claim = claim_of_gap(rule, solver->formulation, judgement);
        claim->limit = limit_of_gap(stop, norm2);
        return !isnan(claim->limit);
    } else {
        *claim = (struct stopping_claim){"the KKT violation", judgement->kkt_violation, rounding->kkt_violation,
                                         rule == STOP_KKT ? stop->tolerance : 2 * stop->tolerance};
        return rule == STOP_KKT || rule == STOP_DELTA || rule == STOP_KKT_RELAXED;
    }
    return 1;
}

int recheck_hulls_meet(enum formulation formulation, const struct judgement *judgement, char *reason)
{
    if (!formulation_is_norm(formulation) || !(judgement->norm2 <= judgement->rounding.norm2))
        return 0;
    snprintf(reason, REASON_SIZE, "%s to within rounding: |W|^2 is %.3g, and rounding may have moved it by %.3g",
             meeting_name(formulation), judgement->norm2, judgement->rounding.norm2);
    return 1;
}

enum recheck recheck_carried_objective(const struct stop *stop, double carried, const struct judgement *judgement,
                                       char *reason)
{
    double limit = 1e-3 * stop->tolerance * fabs(judgement->objective) + judgement->rounding.objective;
    reason[0] = 0;
    if (stop->rule != STOP_DUAL_CHANGE || fabs(carried - judgement->objective) <= limit)
        return RECHECK_BORNE_OUT;
    snprintf(reason, REASON_SIZE, "the solver's sums give an objective of %.9g, and its multipliers one of %.9g",
             carried, judgement->objective);
    return RECHECK_NOT_MET;
}

/* Compares the figure with its limit. */
static enum recheck decide(enum stop_rule rule, const struct stopping_claim *claim, double min_limit,
                           enum formulation formulation, const struct judgement *judgement, char *reason)
{
    const int is_exact = rule == STOP_DUALITY_GAP || rule == STOP_SVM_GAP; /* this very value decided the rule */
    if (stop_is_relative(rule) && rule != STOP_DUAL_CHANGE && recheck_hulls_meet(formulation, judgement, reason))
        return RECHECK_CANNOT_TELL;
    if (!(claim->rounding <= min_limit) && claim->figure - claim->rounding <= claim->limit) {
        snprintf(reason, REASON_SIZE,
                 "rounding may have moved %s by %.3g, and the rule allows it to be %.3g (recomputed: %.3g)",
                 claim->name, claim->rounding, claim->limit, claim->figure);
        return RECHECK_CANNOT_TELL;
    }
    if (isfinite(claim->limit) && claim->figure <= claim->limit * (is_exact ? 1 : 1 + 1e-6))
        return RECHECK_BORNE_OUT;
    snprintf(reason, REASON_SIZE, "%s, recomputed from the multipliers, is %.3g, and the rule allows it to be %.3g",
             claim->name, claim->figure, claim->limit);
    return RECHECK_NOT_MET;
}

enum recheck recheck_rule(const struct stop *stop, const struct solver *solver, int without_step,
                          const struct judgement *judgement, char *reason)
{
    const enum stop_rule rule = stop->rule;
    const int of_one_class = rule == STOP_RCH_GAP || rule == STOP_RCH_GAP_UPDATED,
              of_pair = rule == STOP_DELTA || rule == STOP_DELTA_NORM2 || rule == STOP_DELTA_2NORM2;
    const struct stop wanted = {without_step && of_one_class ? STOP_RCH_GAP_BOTH : rule, stop->tolerance};
    struct stopping_claim claim, at_least;
    reason[0] = 0;
    if (!claim_of(&wanted, solver, judgement, 0, &claim)) {
        if (stop_rule_own(rule) && !without_step)
            snprintf(reason, REASON_SIZE,
                     "not rechecked: the plugin of the stopping rule \"%s\" gives no function for it",
                     stop_rule_name(rule));
        return without_step ? RECHECK_NOT_MET : RECHECK_BORNE_OUT;
    }
    (void)claim_of(&wanted, solver, judgement, 1, &at_least);
    if (without_step && of_pair) /* the rule looks at one pair; this is the largest violation of all */
        claim = (struct stopping_claim){"the KKT violation", judgement->kkt_violation,
                                        judgement->rounding.kkt_violation, claim.limit};
    const enum recheck verdict = decide(rule, &claim, at_least.limit, solver->formulation, judgement, reason);
    if (!without_step || verdict == RECHECK_CANNOT_TELL ||
        (verdict == RECHECK_BORNE_OUT && rule != STOP_DUAL_CHANGE))
        return verdict;
    reason[0] = 0;
    return RECHECK_NOT_MET;
}

const char *const stationary_point_reason =
    "stationary point; the gap proves nothing: the kernel is not known to be positive semidefinite";

/* ---- impossible values ---- */

static int is_missing(const char *name, double figure, char *reason)
{
    if (isfinite(figure))
        return 0;
    snprintf(reason, REASON_SIZE, "%s is not finite", name);
    return 1;
}

/* Only rounding can make the value negative. */
static int is_too_low(const char *name, double figure, double rounding, const struct kernel *kernel, char *reason)
{
    const int is_semidefinite = kernel_is_semidefinite(kernel);
    if (!(figure < -rounding))
        return 0;
    snprintf(reason, REASON_SIZE, "%s%s is %.3g, of which rounding explains %.3g%s",
             is_semidefinite ? "" : "the kernel is not positive semidefinite: ", name, figure, rounding,
             is_semidefinite ? "; it cannot be negative" : "");
    return 1;
}

int figures_impossible(const struct problem *problem, enum formulation formulation, const struct kernel *kernel,
                       const struct judgement *judgement, char *reason)
{
    double gap = judgement->duality_gap;
    int may_leave_hull = formulation == FORMULATION_MINIMUM_NORM && parameters_may_leave_hull(&problem->parameters);
    int has_no_gap =
        (may_leave_hull && isnan(gap)) || (formulation == FORMULATION_NO_BIAS_HARD_MARGIN && gap == HUGE_VAL);
    return is_missing("|W|^2", judgement->norm2, reason) ||
           is_missing("the objective", judgement->objective, reason) ||
           is_missing("the bias", judgement->bias, reason) ||
           (!has_no_gap && is_missing("the duality gap", gap, reason)) ||
           (!(may_leave_hull && isnan(gap)) &&
            is_missing("the KKT violation", judgement->kkt_violation, reason)) ||
           is_too_low("|W|^2", judgement->norm2, judgement->rounding.norm2, kernel, reason) ||
           (kernel_is_semidefinite(kernel) &&
            is_too_low("the duality gap", gap, judgement->rounding.duality_gap + judgement->gap_shortfall, kernel,
                       reason));
}

/* ---- doubtful judgements ---- */

enum recheck recheck_closely(const struct recheck_request *request, struct judgement *judgement, char *reason)
{
    const struct judging *judging = request->judging;
    struct judgement close = *judgement;
    char found[REASON_SIZE];
    const struct stop *stop = request->stop;
    enum recheck verdict = recheck_rule(stop, request->solver, request->without_step, judgement, reason);
    if (verdict != RECHECK_CANNOT_TELL ||
        !judge_closely(judging, stop->rule == STOP_SVM_GAP, &close) ||
        figures_impossible(judging->problem, judging->formulation, gram_kernel(judging->gram), &close, found))
        return verdict;
    enum recheck again = recheck_rule(stop, request->solver, request->without_step, &close, found);
    if (again == RECHECK_CANNOT_TELL || (request->without_step && again == RECHECK_NOT_MET))
        return verdict; /* without a step: rounding, which hid the rule from the solver, is the reason */
    *judgement = close;
    snprintf(reason, REASON_SIZE, "%s", found);
    return again;
}
