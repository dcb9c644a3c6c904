/*
 * Stopping rules as named objects: those built in, and those of plugins (solvers/stopping_rule.h). Each is looked at
 * after the choice of an update and before the update itself.
 */
#ifndef HULLBENCH_STOPPING_H
#define HULLBENCH_STOPPING_H

#include "harness/evaluate/guarded_block.h"
#include "solvers/stopping_rule.h"

/* What a rule remembers from one iteration to the next; zero-initialise, and for a plugin's rule open. */
struct stop_memory {
    int has_previous;
    double previous_objective;
    int previous_class; /* what progress.updated_class was */
    uint64_t looks;           /* of a plugin's rule and duality-gap: how often it has been looked at */
    uint64_t next_look;       /* of duality-gap: the first look at which the gap is computed again */
    size_t n;                 /* training patterns */
    struct guarded_block own; /* its own bytes */
};

/* Memory for a run; for a built-in rule there is nothing to allocate. Fails only out of memory. */
enum status stop_memory_open(struct stop_memory *memory, enum stop_rule rule, size_t n, struct error *error);
/* Zero when the rule has written outside its memory. */
int stop_memory_is_intact(const struct stop_memory *memory);
/* Accepts zeroed memory. */
void stop_memory_close(struct stop_memory *memory);

/* "rch-gap" and so on, or the name of a plugin's; NULL where there is no such rule. */
const char *stop_rule_name(enum stop_rule rule);
/* Formula and source in one line. */
const char *stop_rule_text(enum stop_rule rule);
/* By name; STOP_RULES when there is none. */
enum stop_rule stop_rule_find(const char *name);
/* A plugin's rule; NULL for those built in. */
const struct stopping_rule *stop_rule_own(enum stop_rule rule);
/* The rule after this one, STOP_RULES skipped: from 0 on to the first without a name. */
enum stop_rule stop_rule_next(enum stop_rule rule);
/* Whether the rule has a meaning for the solver. */
int stop_rule_fits(enum stop_rule rule, const struct solver *solver);
/* Nonzero when the rule needs progress->objective or norm2 filled at every iteration. */
int stop_needs_values(enum stop_rule rule);
/* Nonzero when it needs them at the look that is next. */
int stop_needs_values_now(enum stop_rule rule, const struct stop_memory *memory);

/*
 * The relative duality gap (P - D) / D, with P the primal and D the dual value of the multipliers, D <= optimum <= P:
 *
 *     SVM duals                       D = sum alpha - 1/2 |W|^2, the objective; P = D + gap
 *     nearest points, minimum norm    P = 1/2 |W|^2, the objective; D = P - gap
 *
 * `objective` has the sign that it has in records. Where the relative gap is at most eps, both P and D are within eps
 * times the optimum of the optimum. Infinite where D <= 0: hulls that meet have the optimum 0, and no share of it is
 * above 0. NAN where there is no gap.
 */
double relative_gap(enum formulation formulation, double objective, double gap);
/* That D. */
double dual_value(enum formulation formulation, double objective, double gap);

/* The c > 0 of a rule delta <= c |W|^2; 0 for other rules. */
double stop_delta_share(const struct stop *stop);

/* Nonzero when the rule is built in and asks a solver for nothing but what select reports. */
int stop_reads_progress_alone(enum stop_rule rule);

/* Nonzero when the rule asks for a share of |W|, |W|^2 or the objective, which hulls that meet have no room for. */
int stop_is_relative(enum stop_rule rule);

/* The rule to take where none is named: the solver's default_stop, else the first of gap-sum-w2, kkt, kkt-relaxed,
 * gap-max-w2, delta-w2, delta and the other rules that the solver has, at 1e-5. NULL: gap-sum-w2. For nearest points
 * and minimum norms it is one on the duality gap relative to |W|^2, so that a rule that is met says how far the
 * objective is from its optimum. */
struct stop stop_usual(const struct solver *solver);

/* The rule by which a solver with `tighten`, or an external one, is run to a tolerance of its own. */
enum stop_rule stop_own_rule(const struct solver *solver);

enum stop_verdict {
    STOP_GO_ON,
    STOP_MET,
    STOP_STUCK /* met for the class about to be updated, not for the other, which has no admissible choice */
};

/* Looks at the rule in the present state. `choice` is what select returned: where it stalled, only rules on gaps can be
 * met, and they look at both classes. */
enum stop_verdict stop_look(const struct stop *stop, struct stop_memory *memory, const struct solver *solver,
                            const void *state, const struct progress *progress, enum status choice);

#endif
