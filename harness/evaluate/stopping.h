/*
 * Stopping rules as named objects, both built-in and from plugins (solvers/stopping_rule.h). Each is checked after the
 * update has been selected and before it is made.
 */
#ifndef HULLBENCH_STOPPING_H
#define HULLBENCH_STOPPING_H

#include "harness/evaluate/guarded_block.h"
#include "solvers/stopping_rule.h"

/* Room for a reason: one sentence without a period. */
enum { REASON_SIZE = 240 };

/* What select fills in, before it does. */
static inline struct progress progress_unknown(int need_objective)
{
    const double unknown = (double)NAN;
    return (struct progress){.need_objective = need_objective, .objective = unknown, .norm2 = unknown,
                             .delta = unknown, .violation = unknown, .class_gap = {unknown, unknown}};
}

/* What a rule remembers between iterations. Zero-initialise it, but for `n`; open `own` for a plugin's rule. */
struct stop_memory {
    int has_previous;
    double previous_objective;
    int previous_class; /* the previous progress.updated_class */
    uint64_t looks;           /* plugin rules and duality-gap: number of checks so far */
    uint64_t next_look;       /* duality-gap: the next check at which to compute the gap */
    size_t n;                 /* training patterns */
    struct guarded_block own; /* memory of a plugin's rule */
};

/* "rch-gap" and so on, or the name of a plugin's rule; NULL if the rule does not exist. */
const char *stop_rule_name(enum stop_rule rule);
/* Formula and source on one line. */
const char *stop_rule_text(enum stop_rule rule);
/* Finds a rule by name; STOP_RULES if none has it. */
enum stop_rule stop_rule_find(const char *name);
/* The plugin's rule; NULL for built-in rules. */
const struct stopping_rule *stop_rule_own(enum stop_rule rule);
/* The next rule, skipping STOP_RULES. To list all rules, start at 0 and end at the first without a name. */
enum stop_rule stop_rule_next(enum stop_rule rule);
/* Whether the rule is applicable to the solver. */
int stop_rule_fits(enum stop_rule rule, const struct solver *solver);
/* Whether the rule cannot be used with the solver; if so, writes why and which rules can be to `text`. has_mu_of_c: its
 * mu follows from a C, which svm-gap needs. */
int stop_rule_fault(enum stop_rule rule, const struct solver *solver, int has_mu_of_c, char *text, size_t size);
/* Fills `names` with the names of all rules, NULL-terminated, and returns it. */
enum { MAX_STOP_RULES = STOP_RULES + MAX_STOPPING_RULES };
const char *const *stop_rule_names(const char *names[MAX_STOP_RULES + 1]);
/* The values that a tolerance may have. */
extern const struct parameter stop_tolerance;
/* Nonzero if the rule needs progress->objective or norm2 in every iteration. */
int stop_needs_values(enum stop_rule rule);
/* Nonzero if it needs them at the next check. */
int stop_needs_values_now(enum stop_rule rule, const struct stop_memory *memory);

/*
 * The relative duality gap (P - D) / D, with P the primal and D the dual value of the multipliers, D <= optimum <= P:
 *
 *     SVM duals                       D = sum alpha - 1/2 |W|^2, the objective; P = D + gap
 *     nearest points, minimum norm    P = 1/2 |W|^2, the objective; D = P - gap
 *
 * `objective` has its sign as in records. If the relative gap is at most eps, both P and D are within eps times the
 * optimum of the optimum. Infinite if D <= 0: for hulls that meet the optimum is 0, and no fraction of it is positive.
 * NAN without a gap.
 */
double relative_gap(enum formulation formulation, double objective, double gap);
/* The D above. */
double dual_value(enum formulation formulation, double objective, double gap);

/* The c > 0 of a rule delta <= c |W|^2; 0 for other rules. */
double stop_delta_share(const struct stop *stop);

/* Nonzero if the rule is built in and needs only what select reports. */
int stop_reads_progress_alone(enum stop_rule rule);

/* Nonzero if the limit is a fraction of |W|, |W|^2 or the objective, which hulls that meet cannot satisfy. */
int stop_is_relative(enum stop_rule rule);

/* The default rule: the solver's default_stop, otherwise the first that the solver supports of gap-sum-w2, kkt,
 * kkt-relaxed, gap-max-w2, delta-w2, delta and the remaining rules, with tolerance 1e-5. NULL: gap-sum-w2. For nearest
 * points and minimum norms it bounds the gap relative to |W|^2, so also the objective's distance from its optimum. */
struct stop stop_usual(const struct solver *solver);

/* The rule for the internal tolerance of a solver with `tighten`, or of an external solver. */
enum stop_rule stop_own_rule(const struct solver *solver);

enum stop_verdict {
    STOP_GO_ON,
    STOP_MET,
    STOP_STUCK /* met for the class to be updated but not for the other, which has no admissible choice */
};

/* Checks the rule in the current state. `choice` is the return value of select. If select stalled, only rules on gaps
 * can be met, and both classes are checked. */
enum stop_verdict stop_look(const struct stop *stop, struct stop_memory *memory, const struct solver *solver,
                            const void *state, const struct progress *progress, enum status choice);

#endif
