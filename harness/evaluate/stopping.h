/*
 * Stopping rules as named objects. Each is looked at after the choice of an update and before the update itself.
 */
#ifndef HULLBENCH_STOPPING_H
#define HULLBENCH_STOPPING_H

#include "solvers/solver.h"

/* What a rule remembers from one iteration to the next; zero-initialise. */
struct stop_memory {
    int has_previous;
    double previous_objective;
    int previous_class; /* what progress.updated_class was */
};

/* "rch-gap" and so on; NULL outside the enumeration. */
const char *stop_rule_name(enum stop_rule rule);
/* Formula and source in one line. */
const char *stop_rule_text(enum stop_rule rule);
/* By name; STOP_RULES when there is none. */
enum stop_rule stop_rule_find(const char *name);
/* Nonzero when the rule needs progress->objective or norm2 filled at every iteration. */
int stop_needs_values(enum stop_rule rule);

/* Nonzero when the rule asks for a share of |W|, |W|^2 or the objective, which hulls that meet have no room for. */
int stop_is_relative(enum stop_rule rule);

/* The rule to take where none is named: the solver's default_stop, else the first of gap-sum-w2, kkt, kkt-relaxed,
 * gap-max-w2, delta-w2, delta and the other rules that the solver has, at 1e-5. NULL: gap-sum-w2. For nearest points
 * and minimum norms it is one on the duality gap relative to |W|^2, so that a rule that is met says how far the
 * objective is from its optimum. */
struct stop stop_usual(const struct solver *solver);

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
