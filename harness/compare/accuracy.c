/*
 * For the minimised function f (half the squared norm, or minus the dual objective) a feasible vector of multipliers
 * with duality gap g certifies f - g <= optimum <= f. So g bounds the remaining improvement, whatever rule stopped the
 * solver. For one problem the gaps have the same unit and are compared as they are. For different problems (a hull and
 * the dual of an SVM) they do not: the W of one is a multiple of the W of the other, and g / |f| does not depend on
 * that multiple.
 *
 * A hull and the dual of an SVM are two forms of one SVM if a record of the hull names the dual's C: reduced by the mu
 * of that C, or of the kernel K + I/C. Runs that stopped by svm-gap at one tolerance are equally accurate by that rule,
 * which scales the multipliers; the gaps in the records are for unscaled multipliers.
 */
#include "harness/compare/arms.h"

#include <math.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/evaluate/stopping.h"
#include "harness/records/run_traces.h"
#include "harness/support/decimal.h"
#include "solvers/solver.h"

static const double rounding = 1e-12;

const char *const pair_mark_names[PAIR_MARKS] = {
    [PAIR_FINE] = "fine",
    [PAIR_NOT_CONVERGED] = "did not converge",
    [PAIR_GAP_UNKNOWN] = "gap not known",
    [PAIR_APART] = "certified optima apart",
};

enum problems problems_of(const char *baseline, const char *candidate)
{
    const struct solver *one = solver_find(baseline), *other = solver_find(candidate);
    if (strcmp(baseline, candidate) == 0)
        return PROBLEMS_SAME;
    if (!one || !other)
        return PROBLEMS_UNKNOWN;
    return one->formulation == other->formulation && one->square_penalty == other->square_penalty ? PROBLEMS_SAME
                                                                                                  : PROBLEMS_DIFFERENT;
}

enum svm { SVM_NONE, SVM_OF_LINEAR_PENALTY, SVM_OF_SQUARE_PENALTY };

/* The SVM, with the C in the record, that the record's problem is a form of. */
static enum svm svm_of(const struct record *record)
{
    const struct solver *solver = solver_find(record->solver);
    if (!solver || !record_setting(record, "params.C"))
        return SVM_NONE;
    switch (solver->formulation) {
    case FORMULATION_C_SVM:
        return SVM_OF_LINEAR_PENALTY;
    case FORMULATION_SQUARE_SVM:
        return SVM_OF_SQUARE_PENALTY;
    case FORMULATION_NEAREST_POINTS:
        return solver->square_penalty ? SVM_OF_SQUARE_PENALTY : SVM_OF_LINEAR_PENALTY;
    default:
        return SVM_NONE;
    }
}

enum problems problems_of_pairs(const struct pairing *pairing, const char *baseline, const char *candidate)
{
    enum problems problems = problems_of(baseline, candidate);
    if (problems != PROBLEMS_DIFFERENT)
        return problems;
    for (size_t p = 0; p < pairing->n_pairs; p++) {
        enum svm svm = svm_of(pairing->pairs[p].records[BASELINE]);
        if (svm == SVM_NONE || svm != svm_of(pairing->pairs[p].records[CANDIDATE]))
            return PROBLEMS_DIFFERENT;
    }
    return PROBLEMS_ONE_SVM;
}

int accuracy_is_equal_by_rule(const struct pairing *pairing)
{
    for (size_t p = 0; p < pairing->n_pairs; p++) {
        const struct record *const *records = pairing->pairs[p].records;
        const struct setting *rule = record_setting(records[BASELINE], "stop.rule");
        if (!rule || strcmp(rule->text, stop_rule_name(STOP_SVM_GAP)) != 0 ||
            strcmp(records[BASELINE]->stop_text, records[CANDIDATE]->stop_text) != 0)
            return 0;
    }
    return 1;
}

static int is_certified(const struct record *record)
{
    return !isnan(record->field[FIELD_OBJECTIVE]) && !isnan(record->field[FIELD_DUALITY_GAP]);
}

static double compared_gap(double objective, double gap, enum problems problems)
{
    double size = fabs(objective), raised = fmax(gap, rounding * size);
    return problems == PROBLEMS_SAME ? raised : raised / size;
}

double accuracy_gap_of(const struct pair *pair, enum arm arm, enum problems problems)
{
    const struct record *record = pair->records[arm];
    if (!pair_converged(pair, arm) || !is_certified(record))
        return (double)NAN;
    const double gap = compared_gap(record->field[FIELD_OBJECTIVE], record->field[FIELD_DUALITY_GAP], problems);
    return gap > 0 ? gap : (double)NAN;
}

static enum pair_mark mark_of(const struct pair *pair, enum problems problems)
{
    const double *a = pair->records[BASELINE]->field, *b = pair->records[CANDIDATE]->field;
    if (!pair_converged(pair, BASELINE) || !pair_converged(pair, CANDIDATE))
        return PAIR_NOT_CONVERGED;
    if (!is_certified(pair->records[BASELINE]) || !is_certified(pair->records[CANDIDATE]))
        return PAIR_GAP_UNKNOWN;
    /* The optimum of a problem is within each gap of its objective: below it for hulls, above it for SVM duals, which
     * are maximised. So objectives that differ by more than the larger gap do not belong to one problem. */
    const double slack = 1e-9 * fmax(fabs(a[FIELD_OBJECTIVE]), fabs(b[FIELD_OBJECTIVE]));
    const int apart = fabs(a[FIELD_OBJECTIVE] - b[FIELD_OBJECTIVE]) >
                      fmax(fmax(a[FIELD_DUALITY_GAP], b[FIELD_DUALITY_GAP]), 0) + slack;
    return problems == PROBLEMS_SAME && apart ? PAIR_APART : PAIR_FINE;
}

void accuracy_mark(struct pairing *pairing, enum problems problems)
{
    for (size_t p = 0; p < pairing->n_pairs; p++)
        pairing->pairs[p].mark = mark_of(&pairing->pairs[p], problems);
}

/* ---- costs to equal accuracy ----
 *
 * A solver that stops at a larger gap has done less, so the costs of the two whole runs belong to different tasks. The
 * larger of the two final gaps is a target that both have reached. Points of traces are some 5 % of the iterations
 * apart, as much as the default margin. Using the first point at or below the target would raise the cost of the run
 * with the smaller final gap by half of that on average. So the cost is interpolated, linearly in the logarithm of the
 * gap, between that point and the previous one.
 */

static double gap_at(const struct run_trace *trace, size_t point, enum problems problems)
{
    return compared_gap(trace->points[point].objective, trace->points[point].gap, problems);
}

/* The trace of that arm of the pair, if it ends like the record. */
static const struct run_trace *trace_of(const struct run_traces *traces, const struct pair *pair, enum arm arm,
                                        enum problems problems)
{
    const struct record *record = pair->records[arm];
    const struct run_trace *trace = run_trace_of(traces, record);
    const double recomputed = accuracy_gap_of(pair, arm, problems);
    const int same = trace && trace->points[trace->n - 1].iteration == record->field[FIELD_ITERATIONS] &&
                     fabs(gap_at(trace, trace->n - 1, problems) - recomputed) <= 0.01 * recomputed;
    return same ? trace : NULL;
}

static struct target_cost cost_to(const struct run_trace *trace, double target, enum problems problems)
{
    size_t point = 0;
    while (point + 1 < trace->n && !(gap_at(trace, point, problems) <= target))
        point++;
    const struct run_trace_point *at = &trace->points[point], *before = point ? at - 1 : at;
    double above = point ? log(gap_at(trace, point - 1, problems) / target) : 0;
    double fallen = point ? log(gap_at(trace, point - 1, problems) / gap_at(trace, point, problems)) : 0;
    double share = above > 0 && fallen > 0 ? fmin(above / fallen, 1) : 1;
    double operations = at->kernel_operations - before->kernel_operations;
    return (struct target_cost){
        round_to_12_digits(before->iteration + share * (at->iteration - before->iteration)),
        round_to_12_digits(before->kernel_operations + share * operations)};
}

/* Returns 0 if a trace is missing. */
static int take_pair(const struct run_traces *const traces[ARMS], const struct pair *pair, size_t at,
                     enum problems problems, struct equal_targets *targets)
{
    const struct run_trace *found[ARMS];
    double target = 0;
    for (int s = 0; s < ARMS; s++) {
        found[s] = trace_of(traces[s], pair, (enum arm)s, problems);
        if (!found[s])
            return 0;
        target = fmax(target, gap_at(found[s], found[s]->n - 1, problems));
    }
    for (int s = 0; s < ARMS; s++)
        targets->costs[s][at] = cost_to(found[s], target, problems);
    return 1;
}

struct equal_targets equal_targets_read(struct pool *pool, const struct arms *arms, const struct pairing *pairing,
                                        enum problems problems)
{
    const struct run_traces *first = run_traces_read(pool, &arms->runs.items[0]);
    const struct run_traces *const traces[ARMS] = {
        first, arms->runs.count > 1 ? run_traces_read(pool, &arms->runs.items[1]) : first};
    struct equal_targets targets = {.used = 1};
    size_t ended = 0;
    for (size_t s = 0; s < ARMS; s++) {
        targets.costs[s] = pool_array(pool, pairing->n_pairs, sizeof *targets.costs[s]);
        targets.used = targets.used && traces[s]->n > 0;
    }
    for (size_t p = 0; p < pairing->n_pairs && targets.used; p++)
        if (pairing->pairs[p].mark != PAIR_NOT_CONVERGED) {
            targets.used = take_pair(traces, &pairing->pairs[p], p, problems, &targets);
            ended++;
        }
    targets.used = targets.used && ended > 0;
    return targets;
}
