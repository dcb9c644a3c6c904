/*
 * Stopping rules of plugins (solvers/plugin.h). The loop asks a rule after `select` and before `update`, as it does the
 * built-in ones:
 *
 *     static int met(const struct stopping_look *look, void *memory)
 *     {
 *         (void)memory;
 *         return stopping_gap(look, 0) <= look->tolerance * fabs(look->progress->objective);
 *     }
 *     static const struct stopping_rule relative_gap = {
 *         .name = "relative-gap", .text = "the duality gap <= eps |objective|",
 *         .formulations = STOPPING_ALL_FORMULATIONS, .needs_values = 1, .met = met};
 *
 * Solvers need not name the rule: it applies to all solvers of its `formulations`, or to those of them in `solvers`.
 */
#ifndef HULLBENCH_STOPPING_RULE_H
#define HULLBENCH_STOPPING_RULE_H

#include <math.h>

#include "solvers/solver.h"

/* What a rule may use. */
struct stopping_look {
    const struct progress *progress; /* as select filled it */
    double tolerance;                /* epsilon > 0 */
    uint64_t iteration;              /* updates done: 0 at the first call of a run */
    size_t n;                        /* training patterns */
    const struct solver *solver;
    const void *state; /* the solver's, for stopping_gap */
};

/* The gap of class +1 or -1, or, for class 0, of the whole problem; asks for no kernel values. */
static inline double stopping_gap(const struct stopping_look *look, int class)
{
    double known = class ? look->progress->class_gap[class < 0] : (double)NAN;
    return isnan(known) ? look->solver->gap(look->state, class) : known;
}

/* What the harness computes anew from the multipliers of a run that a rule has ended. What a formulation does not have
 * is NAN. */
struct stopping_figures {
    double objective; /* with the sign that it has in records */
    double norm2;     /* |W|^2 */
    double duality_gap, kkt_violation;
    double class_gap[2]; /* [0]: class +1, [1]: class -1 */
};

/* The claim that a rule makes when it is met: figure <= limit. */
struct stopping_claim {
    const char *name; /* of the figure, for messages: "the duality gap" */
    double figure;
    double rounding; /* a bound of what rounding may have moved the figure by */
    double limit;
};

#define STOPPING_ALL_FORMULATIONS ((1u << FORMULATION_COUNT) - 1)

/* A constant that lasts as long as the program. */
struct stopping_rule {
    const char *name; /* "rule" in configurations and records: a-z, 0-9 and - */
    const char *text; /* the formula, for `hullbench list stops` */
    unsigned formulations;      /* those that it has a meaning for: bits 1u << enum formulation */
    const char *const *solvers; /* NULL: all solvers of these; else the names of those alone, NULL-terminated */
    int needs_values;   /* nonzero: it reads progress->objective or norm2, which are then filled in every iteration */
    int is_relative;    /* nonzero: its limit is a share of |W| or |W|^2. A run then ends as stalled where the hulls
                           meet, since no share of 0 can be met */
    int needs_no_choice; /* nonzero: it is asked even if select found nothing to choose: a rule on gaps */
    size_t memory_size; /* bytes that it keeps from one call of `met` to the next; the harness allocates them, zeroed,
                           for each run, with guards at both ends, and frees them */
    /* Nonzero when the rule is met. It is not called while delta, |W|^2 or the objective is infinite. */
    int (*met)(const struct stopping_look *look, void *memory);
    /* Fills in the claim that the rule makes when it is met; `rounding` holds a bound for each of the figures. The
     * harness compares figure and limit as it does for its own rules, and a run whose recomputed figure is above the
     * limit ends as stalled. NULL: records of runs that the rule ended say that it was not rechecked. */
    void (*recheck)(const struct stopping_figures *figures, const struct stopping_figures *rounding, double tolerance,
                    struct stopping_claim *claim);
};

enum { MAX_STOPPING_RULES = 64 };

/* The rules of plugins, NULL-terminated. */
const struct stopping_rule *const *stopping_rules_all(void);
/* By name; NULL when there is none. */
const struct stopping_rule *stopping_rule_find(const char *name);
/* Whether the rule has a meaning for the solver. */
int stopping_rule_fits(const struct stopping_rule *rule, const struct solver *solver);

struct solver_origin;
/* Appends rules (NULL-terminated), all of them or none; they and *origin are borrowed until stopping_rules_remove.
 * built_in: the names that are taken, NULL-terminated. STATUS_BAD_INPUT, with a message that begins with origin->file,
 * when one of them is not sound or has the name of another. As solvers_add: before threads are started. */
enum status stopping_rules_add(const struct stopping_rule *const *rules, const char *const *built_in,
                               const struct solver_origin *origin, struct error *error);
/* Takes back what was added last, where it is of that origin. */
void stopping_rules_remove(const struct solver_origin *origin);
const struct solver_origin *stopping_rule_origin(const struct stopping_rule *rule);

#endif
