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
#include "harness/compare/accuracy.h"

#include <math.h>
#include <string.h>

#include "harness/evaluate/stopping.h"
#include "solvers/solver.h"

static const double rounding = 1e-12;

const char *pair_mark_name(enum pair_mark mark)
{
    static const char *const names[PAIR_MARKS] = {
        [PAIR_FINE] = "fine",
        [PAIR_UNENDED] = "did not converge",
        [PAIR_GAP_UNKNOWN] = "gap not known",
        [PAIR_APART] = "certified optima apart",
    };
    return (unsigned)mark < PAIR_MARKS ? names[mark] : "unknown";
}

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

/* The certificate of a record. */
struct certificate {
    double objective, gap;
};

static int certificate_of(const struct record *record, struct certificate *certificate)
{
    return record_number(record, "objective", &certificate->objective) &&
           record_number(record, "duality_gap", &certificate->gap);
}

/* The optimum of a problem is within each gap of its objective: below it for hulls, above it for SVM duals, which are
 * maximised. So objectives that differ by more than the larger gap do not belong to one problem. */
static int apart(const struct certificate *a, const struct certificate *b)
{
    double slack = 1e-9 * fmax(fabs(a->objective), fabs(b->objective));
    return fabs(a->objective - b->objective) > fmax(fmax(a->gap, b->gap), 0) + slack;
}

double accuracy_gap(double objective, double gap, enum problems problems)
{
    double size = fabs(objective), raised = fmax(gap, rounding * size);
    return problems == PROBLEMS_SAME ? raised : raised / size;
}

double accuracy_gap_of(const struct pair *pair, enum arm arm, enum problems problems)
{
    struct certificate certificate;
    if (!pair_ended(pair, arm) || !certificate_of(pair->records[arm], &certificate))
        return (double)NAN;
    double gap = accuracy_gap(certificate.objective, certificate.gap, problems);
    return gap > 0 ? gap : (double)NAN;
}

static enum pair_mark mark_of(const struct pair *pair, enum problems problems)
{
    struct certificate certificates[ARMS];
    for (int s = 0; s < ARMS; s++)
        if (!pair_ended(pair, (enum arm)s))
            return PAIR_UNENDED;
    for (int s = 0; s < ARMS; s++)
        if (!certificate_of(pair->records[s], &certificates[s]))
            return PAIR_GAP_UNKNOWN;
    if (problems == PROBLEMS_SAME && apart(&certificates[BASELINE], &certificates[CANDIDATE]))
        return PAIR_APART;
    return PAIR_FINE;
}

void accuracy_mark(struct pairing *pairing, enum problems problems)
{
    for (size_t p = 0; p < pairing->n_pairs; p++)
        pairing->pairs[p].mark = mark_of(&pairing->pairs[p], problems);
}
