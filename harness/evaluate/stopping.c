/* The stopping rules: each has its formula in the table and its case in `within`. */
#include "harness/evaluate/stopping.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/evaluate/svm_gap.h"

enum trait {
    NEEDS_VALUES = 1,  /* progress->objective or norm2, in every iteration */
    RELATIVE = 2,      /* the limit is a fraction of |W|, |W|^2 or the objective */
    PROGRESS_ALONE = 4 /* reads only what select reports */
};

static const struct {
    const char *name, *text;
    unsigned traits;
} rules[] = {
    [STOP_RCH_GAP] = {"rch-gap",
                      "s W.W_s - s W.X^_s <= eps |W| for the class s about to be updated, X^ the extreme point of "
                      "the reduced hull; for both where both are updated (Lopez et al. 2011, Section 5)", RELATIVE},
    [STOP_RCH_GAP_BOTH] = {"rch-gap-both", "as rch-gap, for the class with the larger gap", RELATIVE},
    [STOP_DELTA] = {"delta", "Delta <= 2 eps, Delta the violation of the chosen pair (Lopez 2008, Section 5.3)",
                    PROGRESS_ALONE},
    [STOP_DELTA_NORM2] = {"delta-w2", "Delta <= eps |W|^2 (Barbero et al. 2008)",
                          NEEDS_VALUES | RELATIVE | PROGRESS_ALONE},
    [STOP_DELTA_2NORM2] = {"delta-2w2", "Delta <= 2 eps |W|^2 (Lopez 2008, Section 4.1.3, criterion 2)",
                           NEEDS_VALUES | RELATIVE | PROGRESS_ALONE},
    [STOP_GAP_SUM_NORM2] = {"gap-sum-w2",
                            "the sum over both classes of s W.W_s - s W.X^_s <= eps |W|^2 (Lopez 2008, Section "
                            "4.1.3, criterion 3)", NEEDS_VALUES | RELATIVE},
    [STOP_GAP_MAX_NORM2] = {"gap-max-w2",
                            "the larger over both classes of s W.W_s - s W.X^_s <= eps |W|^2 (Lopez 2008, "
                            "Section 4.1.3, criterion 4)", NEEDS_VALUES | RELATIVE},
    [STOP_DUAL_CHANGE] = {"dual-change",
                          "|D - D'| <= eps |D| for the objectives D and D' of two successive iterations (Lopez 2008, "
                          "Section 5.2)", NEEDS_VALUES | RELATIVE | PROGRESS_ALONE},
    [STOP_KKT] = {"kkt", "Delta <= eps, Delta the largest KKT violation (Keerthi et al. 2001)", PROGRESS_ALONE},
    [STOP_KKT_RELAXED] = {"kkt-relaxed",
                          "no pattern violates its KKT condition by more than eps at the bias of the solver (Lopez "
                          "2008, eqs. 3.1.1 to 3.1.3)", PROGRESS_ALONE},
    [STOP_RCH_GAP_UPDATED] = {"rch-gap-updated", "as rch-gap after an update, for the class that the update moved",
                              NEEDS_VALUES | RELATIVE},
    [STOP_DUALITY_GAP] = {"duality-gap",
                           "the duality gap, recomputed from the multipliers, <= eps D, D the dual value, which is at "
                           "most the optimum", RELATIVE},
    [STOP_SVM_GAP] = {"svm-gap",
                      "the duality gap of the SVM that the scaled multipliers solve, recomputed, <= eps D; checked "
                      "each time the iterations have grown by 5 %", RELATIVE},
    [STOP_ITERATIONS] = {"iterations", "never met; the run ends when the budget is spent", PROGRESS_ALONE},
};
_Static_assert(sizeof rules / sizeof *rules == STOP_RULES, "one line per stopping rule");

const struct parameter stop_tolerance = {.name = "tolerance", .min = 0, .min_is_open = 1, .max = 1e300};

const struct stopping_rule *stop_rule_own(enum stop_rule rule)
{
    unsigned r = 0;
    while (r + STOP_OF_PLUGIN < (unsigned)rule && stopping_rules_all()[r])
        r++;
    return (unsigned)rule >= STOP_OF_PLUGIN ? stopping_rules_all()[r] : NULL;
}

const char *stop_rule_name(enum stop_rule rule)
{
    const struct stopping_rule *own = stop_rule_own(rule);
    return (unsigned)rule < STOP_RULES ? rules[rule].name : own ? own->name : NULL;
}

const char *stop_rule_text(enum stop_rule rule)
{
    const struct stopping_rule *own = stop_rule_own(rule);
    return (unsigned)rule < STOP_RULES ? rules[rule].text : own ? own->text : NULL;
}

enum stop_rule stop_rule_next(enum stop_rule rule)
{
    unsigned next = (unsigned)rule + 1;
    return (enum stop_rule)(next == STOP_RULES ? STOP_OF_PLUGIN : next);
}

enum stop_rule stop_rule_find(const char *name)
{
    for (enum stop_rule r = 0; stop_rule_name(r); r = stop_rule_next(r))
        if (strcmp(stop_rule_name(r), name) == 0)
            return r;
    return STOP_RULES;
}

int stop_rule_fits(enum stop_rule rule, const struct solver *solver)
{
    const struct stopping_rule *own = stop_rule_own(rule);
    if (rule == STOP_DUALITY_GAP)
        return 1;
    if (rule == STOP_SVM_GAP)
        return svm_gap_fits(solver);
    return own ? stopping_rule_fits(own, solver) : (unsigned)rule < STOP_RULES && solver->stops >> rule & 1;
}

const char *const *stop_rule_names(const char *names[MAX_STOP_RULES + 1])
{
    size_t n = 0;
    for (enum stop_rule r = 0; stop_rule_name(r); r = stop_rule_next(r))
        names[n++] = stop_rule_name(r);
    names[n] = NULL;
    return names;
}

int stop_rule_fault(enum stop_rule rule, const struct solver *solver, int has_mu_of_c, char *text, size_t size)
{
    if (rule == STOP_SVM_GAP && stop_rule_fits(rule, solver) && solver_reads(solver, &parameter_mu) && !has_mu_of_c) {
        snprintf(text, size,
                 "stopping rule \"svm-gap\" needs the C from which mu of solver \"%s\" follows; give \"mu\": "
                 "{\"of_C\": C}, or use rule duality-gap",
                 solver->name);
        return 1;
    }
    if (stop_rule_fits(rule, solver))
        return 0;
    size_t used = (size_t)snprintf(text, size, "stopping rule \"%s\" does not apply to solver \"%s\"; allowed: ",
                                   stop_rule_name(rule), solver->name);
    const size_t start = used;
    for (enum stop_rule r = 0; stop_rule_name(r) && used < size; r = stop_rule_next(r))
        if (stop_rule_fits(r, solver))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > start ? ", " : "", stop_rule_name(r));
    return 1;
}

struct stop stop_usual(const struct solver *solver)
{
    static const enum stop_rule usual[] = {STOP_GAP_SUM_NORM2, STOP_KKT,         STOP_KKT_RELAXED,
                                           STOP_GAP_MAX_NORM2, STOP_DELTA_NORM2, STOP_DELTA};
    size_t r = 0;
    if (solver && solver->default_rule)
        return (struct stop){stop_rule_find(solver->default_rule->name), solver->default_stop.tolerance};
    if (solver && solver->default_stop.tolerance > 0)
        return solver->default_stop;
    while (solver && r + 1 < sizeof usual / sizeof *usual && !(solver->stops >> usual[r] & 1))
        r++;
    for (unsigned rule = 0; solver && !(solver->stops >> usual[r] & 1) && rule < STOP_RULES; rule++)
        if (solver->stops >> rule & 1)
            return (struct stop){(enum stop_rule)rule, 1e-5};
    return (struct stop){usual[r], 1e-5};
}

enum stop_rule stop_own_rule(const struct solver *solver)
{
    return stop_rule_fits(STOP_KKT, solver) ? STOP_KKT : stop_usual(solver).rule;
}

static int has_trait(enum stop_rule rule, enum trait trait)
{
    return (unsigned)rule < STOP_RULES && (rules[rule].traits & trait) != 0;
}

int stop_needs_values(enum stop_rule rule)
{
    const struct stopping_rule *own = stop_rule_own(rule);
    return own ? own->needs_values || own->is_relative : has_trait(rule, NEEDS_VALUES);
}

double stop_delta_share(const struct stop *stop)
{
    return stop->rule == STOP_DELTA_NORM2 ? stop->tolerance : stop->rule == STOP_DELTA_2NORM2 ? 2 * stop->tolerance : 0;
}

int stop_reads_progress_alone(enum stop_rule rule)
{
    return has_trait(rule, PROGRESS_ALONE);
}

int stop_is_relative(enum stop_rule rule)
{
    const struct stopping_rule *own = stop_rule_own(rule);
    return own ? own->is_relative : has_trait(rule, RELATIVE);
}

int stop_needs_values_now(enum stop_rule rule, const struct stop_memory *memory)
{
    return stop_needs_values(rule) || (rule == STOP_DUALITY_GAP && memory->looks >= memory->next_look);
}

double dual_value(enum formulation formulation, double objective, double gap)
{
    return formulation_is_norm(formulation) ? objective - gap : objective;
}

double relative_gap(enum formulation formulation, double objective, double gap)
{
    double dual = dual_value(formulation, objective, gap);
    if (isnan(gap) || isnan(dual))
        return (double)NAN;
    return dual > 0 ? fmax(gap, 0) / dual : HUGE_VAL;
}

static double class_gap(const struct solver *solver, const void *state, const struct progress *progress, int class)
{
    double known = progress->class_gap[class < 0];
    return isnan(known) ? solver->gap(state, class) : known;
}

/* Checks first the gap of the class to be updated, which is usually the larger one. */
static enum stop_verdict look_at_gaps(const struct solver *solver, const void *state, const struct progress *progress,
                                      int class, double limit)
{
    if (class != 1 && class != -1) {
        int first = progress->updated_class == -1 ? -1 : 1;
        return class_gap(solver, state, progress, first) <= limit &&
                       class_gap(solver, state, progress, -first) <= limit
                   ? STOP_MET
                   : STOP_GO_ON;
    }
    if (!(class_gap(solver, state, progress, class) <= limit))
        return STOP_GO_ON;
    return progress->class_stuck && !(class_gap(solver, state, progress, -class) <= limit) ? STOP_STUCK : STOP_MET;
}

/* Checks the class that the previous update moved, or both if one has no choice left. At first none has moved. */
static enum stop_verdict look_at_updated(struct stop_memory *memory, const struct solver *solver, const void *state,
                                         const struct progress *progress, double limit)
{
    int moved = memory->has_previous, class = progress->class_stuck ? 0 : memory->previous_class;
    memory->has_previous = 1;
    memory->previous_class = progress->updated_class;
    return moved ? look_at_gaps(solver, state, progress, class, limit) : STOP_GO_ON;
}

static int within(const struct stop *stop, struct stop_memory *memory, const struct solver *solver, const void *state,
                  const struct progress *progress)
{
    const enum stop_rule rule = stop->rule;
    const int reads_delta =
        rule == STOP_DELTA || rule == STOP_DELTA_NORM2 || rule == STOP_DELTA_2NORM2 || rule == STOP_KKT;
    const double before = memory->previous_objective;
    const int has_previous = memory->has_previous;
    /* Infinities compare as within every limit, or are the limit. A norm2 that was not requested is NaN. */
    if (isinf(progress->norm2) || (reads_delta && isinf(progress->delta)) ||
        (rule == STOP_DUAL_CHANGE && isinf(progress->objective))) {
        memory->has_previous = 0;
        return 0;
    }
    switch (rule) {
    case STOP_DELTA:
        return progress->delta <= 2 * stop->tolerance;
    case STOP_DELTA_NORM2:
    case STOP_DELTA_2NORM2:
        return progress->delta <= stop_delta_share(stop) * progress->norm2;
    case STOP_GAP_SUM_NORM2:
        return class_gap(solver, state, progress, 1) + class_gap(solver, state, progress, -1) <=
               stop->tolerance * progress->norm2;
    case STOP_GAP_MAX_NORM2:
        return fmax(class_gap(solver, state, progress, 1), class_gap(solver, state, progress, -1)) <=
               stop->tolerance * progress->norm2;
    case STOP_DUAL_CHANGE:
        memory->has_previous = 1;
        memory->previous_objective = progress->objective;
        return has_previous && fabs(progress->objective - before) <= stop->tolerance * fabs(before);
    case STOP_KKT:
        return progress->delta <= stop->tolerance;
    case STOP_KKT_RELAXED:
        return progress->violation <= stop->tolerance;
    default:
        return 0;
    }
}

/* A gap needs a pass over the patterns, so it is computed in each of the first iterations, and later only when their
 * number has grown by a fixed fraction. */
static int relative_gap_within(const struct stop *stop, struct stop_memory *memory, const struct solver *solver,
                               const void *state, const struct progress *progress)
{
    const uint64_t part = 32;
    if (memory->looks++ < memory->next_look)
        return 0;
    memory->next_look = memory->looks + memory->looks / part;
    if (isinf(progress->delta) || isinf(progress->norm2) || isinf(progress->objective))
        return 0;
    double objective = formulation_is_norm(solver->formulation) ? progress->objective : -progress->objective;
    return relative_gap(solver->formulation, objective, solver->gap(state, 0)) <= stop->tolerance;
}

enum stop_verdict stop_look(const struct stop *stop, struct stop_memory *memory, const struct solver *solver,
                            const void *state, const struct progress *progress, enum status choice)
{
    const struct stopping_rule *own = stop_rule_own(stop->rule);
    if (own) {
        const struct stopping_look look = {progress, stop->tolerance, memory->looks++, memory->n, solver, state};
        /* it is not called with infinite values, which would compare as within every limit */
        if ((choice != STATUS_OK && !own->needs_no_choice) || isinf(progress->norm2) || isinf(progress->delta) ||
            isinf(progress->objective))
            return STOP_GO_ON;
        return own->met(&look, memory->own.block) ? STOP_MET : STOP_GO_ON;
    }
    if (stop->rule == STOP_DUALITY_GAP)
        return relative_gap_within(stop, memory, solver, state, progress) ? STOP_MET : STOP_GO_ON;
    if (stop->rule == STOP_RCH_GAP || stop->rule == STOP_RCH_GAP_BOTH || stop->rule == STOP_RCH_GAP_UPDATED) {
        double limit = stop->tolerance * sqrt(fmax(progress->norm2, 0));
        if (isinf(limit))
            return STOP_GO_ON;
        if (choice == STATUS_OK && stop->rule == STOP_RCH_GAP_UPDATED)
            return look_at_updated(memory, solver, state, progress, limit);
        if (choice == STATUS_OK && progress->gap_lower_bound > limit)
            return STOP_GO_ON;
        int class = choice == STATUS_OK && stop->rule == STOP_RCH_GAP ? progress->updated_class : 0;
        return look_at_gaps(solver, state, progress, class, limit);
    }
    int needs_no_choice = stop->rule == STOP_GAP_SUM_NORM2 || stop->rule == STOP_GAP_MAX_NORM2;
    return (choice == STATUS_OK || needs_no_choice) && within(stop, memory, solver, state, progress) ? STOP_MET
                                                                                                     : STOP_GO_ON;
}
