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

/* A value, its rounding bound and the rule's limit for it. */
struct finding {
    const char *name;
    double figure, rounding, limit;
    double min_limit; /* at the smallest |W|^2 that rounding allows */
    int of_norm2; /* nonzero: the limit is a fraction of |W| or |W|^2 */
    int is_exact; /* nonzero: the rule was decided by this very value */
};

/* The smallest possible |W|^2. */
static double min_norm2(const struct judgement *judgement)
{
    return fmax(judgement->norm2 - judgement->rounding.norm2, 0);
}

/* The combination of the gaps that the rule bounds. */
static void take_gap(enum stop_rule rule, enum formulation formulation, const struct judgement *judgement,
                     struct finding *finding)
{
    const double *gap = judgement->class_gap, *rounding = judgement->rounding.class_gap;
    finding->name = "the duality gap";
    finding->figure = judgement->duality_gap;
    finding->rounding = judgement->rounding.duality_gap;
    if (formulation != FORMULATION_NEAREST_POINTS)
        return;
    if (isnan(gap[0]) || isnan(gap[1])) { /* comparisons would ignore it */
        finding->figure = (double)NAN;
        return;
    }
    if (rule == STOP_GAP_SUM_NORM2) {
        finding->figure = gap[0] + gap[1];
        finding->rounding = rounding[0] + rounding[1];
        return;
    }
    const int *single = judgement->single_point;
    int smaller = rule == STOP_RCH_GAP || rule == STOP_RCH_GAP_UPDATED;
    int first = !smaller ? gap[0] >= gap[1] : single[0] == single[1] ? gap[0] <= gap[1] : !single[0];
    finding->name = smaller ? "the gap of the class with the smaller one" : "the gap of the class with the larger one";
    finding->figure = gap[first ? 0 : 1];
    finding->rounding = rounding[first ? 0 : 1];
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

/* Zero if the rule bounds no gap. */
static int find_gap(const struct stop *stop, enum formulation formulation, const struct judgement *judgement,
                    struct finding *finding)
{
    finding->limit = limit_of_gap(stop, fmax(judgement->norm2, 0));
    finding->min_limit = limit_of_gap(stop, min_norm2(judgement));
    if (isnan(finding->limit))
        return 0;
    finding->of_norm2 = stop->rule != STOP_DELTA;
    take_gap(stop->rule, formulation, judgement, finding);
    return 1;
}

/* Zero if the rule bounds no violation. */
static int find_violation(const struct stop *stop, const struct judgement *judgement, struct finding *finding)
{
    if (stop->rule != STOP_KKT && stop->rule != STOP_DELTA && stop->rule != STOP_KKT_RELAXED)
        return 0;
    finding->name = "the KKT violation";
    finding->figure = judgement->kkt_violation;
    finding->rounding = judgement->rounding.kkt_violation;
    finding->limit = finding->min_limit = stop->rule == STOP_KKT ? stop->tolerance : 2 * stop->tolerance;
    return 1;
}

/* A gap that the rule bounds by a fraction of the dual value, and which decided it. */
static void find_relative_gap(const char *name, double tolerance, double gap, double rounding, double dual,
                              double dual_rounding, struct finding *finding)
{
    *finding = (struct finding){name, gap, rounding, tolerance * fmax(dual, 0),
                                tolerance * fmax(dual - dual_rounding, 0), .of_norm2 = 1, .is_exact = 1};
}

/* The bound stated by a plugin's rule. */
static void find_claim(const struct stopping_rule *own, double tolerance, const struct judgement *judgement,
                       struct finding *finding)
{
    struct stopping_figures figures = {judgement->objective,     judgement->norm2,
                                       judgement->duality_gap,   judgement->kkt_violation,
                                       {judgement->class_gap[0], judgement->class_gap[1]}};
    struct stopping_claim claim = {.name = "the figure"}, least = claim;
    own->recheck(&figures, &judgement->rounding, tolerance, &claim);
    figures.norm2 = min_norm2(judgement);
    own->recheck(&figures, &judgement->rounding, tolerance, &least);
    *finding = (struct finding){.name = claim.name,
                                .figure = claim.figure,
                                .rounding = claim.rounding,
                                .limit = claim.limit,
                                .min_limit = least.limit,
                                .of_norm2 = own->is_relative};
}

/* Zero if the rule bounds nothing that a judgement contains. */
static int find(const struct stop *stop, const struct solver *solver, const struct judgement *judgement,
                struct finding *finding)
{
    int gap_rule = stop->rule == STOP_GAP_SUM_NORM2 || stop->rule == STOP_GAP_MAX_NORM2;
    int no_bias =
        solver->formulation == FORMULATION_NO_BIAS_HARD_MARGIN || solver->formulation == FORMULATION_NO_BIAS_SVM;
    *finding = (struct finding){.name = NULL};
    const struct stopping_rule *own = stop_rule_own(stop->rule);
    if (own) {
        if (own->recheck)
            find_claim(own, stop->tolerance, judgement, finding);
        return own->recheck != NULL;
    }
    if (stop->rule == STOP_DUALITY_GAP) {
        const struct stopping_figures *rounding = &judgement->rounding;
        const int is_norm = formulation_is_norm(solver->formulation);
        find_relative_gap("the duality gap", stop->tolerance, judgement->duality_gap, rounding->duality_gap,
                          dual_value(solver->formulation, judgement->objective, judgement->duality_gap),
                          rounding->objective + (is_norm ? rounding->duality_gap : 0), finding);
        return 1;
    }
    if (stop->rule == STOP_SVM_GAP) {
        const struct svm_gap *gap = &judgement->svm;
        find_relative_gap("the SVM's duality gap", stop->tolerance, gap->gap, gap->gap_rounding, gap->dual,
                          gap->dual_rounding, finding);
        return 1;
    }
    if (stop->rule == STOP_DUAL_CHANGE) { /* only that the objective is known accurately enough */
        const double limit = stop->tolerance * fabs(judgement->objective);
        const double rounding = judgement->rounding.objective;
        *finding = (struct finding){"the change of the objective", 0, rounding, limit, limit, 0, 0};
        return 1;
    }
    if (formulation_is_norm(solver->formulation) || (no_bias && gap_rule))
        return find_gap(stop, solver->formulation, judgement, finding);
    return find_violation(stop, judgement, finding);
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

/* Compares the finding with its limit. */
static enum recheck decide(const struct finding *finding, enum formulation formulation,
                           const struct judgement *judgement, char *reason)
{
    if (finding->of_norm2 && recheck_hulls_meet(formulation, judgement, reason))
        return RECHECK_CANNOT_TELL;
    if (!(finding->rounding <= finding->min_limit) && finding->figure - finding->rounding <= finding->limit) {
        snprintf(reason, REASON_SIZE,
                 "rounding may have moved %s by %.3g, and the rule allows it to be %.3g (recomputed: %.3g)",
                 finding->name, finding->rounding, finding->limit, finding->figure);
        return RECHECK_CANNOT_TELL;
    }
    if (isfinite(finding->limit) && finding->figure <= finding->limit * (finding->is_exact ? 1 : 1 + 1e-6))
        return RECHECK_BORNE_OUT;
    snprintf(reason, REASON_SIZE, "%s, recomputed from the multipliers, is %.3g, and the rule allows it to be %.3g",
             finding->name, finding->figure, finding->limit);
    return RECHECK_NOT_MET;
}

/* Zero if no value of the judgement bounds what the rule may find at any choice. */
static int find_for_every_choice(const struct stop *stop, const struct solver *solver,
                                 const struct judgement *judgement, struct finding *finding)
{
    const enum stop_rule rule = stop->rule;
    const int of_one_class = rule == STOP_RCH_GAP || rule == STOP_RCH_GAP_UPDATED,
              of_pair = rule == STOP_DELTA || rule == STOP_DELTA_NORM2 || rule == STOP_DELTA_2NORM2;
    const struct stop every = {of_one_class ? STOP_RCH_GAP_BOTH : rule, stop->tolerance};
    if (!find(&every, solver, judgement, finding))
        return 0;
    if (of_pair) {
        finding->name = "the KKT violation";
        finding->figure = judgement->kkt_violation;
        finding->rounding = judgement->rounding.kkt_violation;
    }
    return 1;
}

enum recheck recheck_rule(const struct stop *stop, const struct solver *solver, int without_step,
                          const struct judgement *judgement, char *reason)
{
    struct finding finding = {0};
    reason[0] = 0;
    if (!(without_step ? find_for_every_choice : find)(stop, solver, judgement, &finding)) {
        if (stop_rule_own(stop->rule) && !without_step)
            snprintf(reason, REASON_SIZE,
                     "not rechecked: the plugin of the stopping rule \"%s\" gives no function for it",
                     stop_rule_name(stop->rule));
        return without_step ? RECHECK_NOT_MET : RECHECK_BORNE_OUT;
    }
    const enum recheck verdict = decide(&finding, solver->formulation, judgement, reason);
    if (!without_step || verdict == RECHECK_CANNOT_TELL ||
        (verdict == RECHECK_BORNE_OUT && stop->rule != STOP_DUAL_CHANGE))
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
