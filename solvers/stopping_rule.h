/*
 * Stopping rules of plugins (solvers/plugin.h). Like the built-in ones, a rule is evaluated after `select` and before
 * `update`:
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

/* What a rule may read. */
struct stopping_look {
    const struct progress *progress; /* as filled in by select */
    double tolerance;                /* epsilon > 0 */
    uint64_t iteration;              /* updates done; 0 in the first call of a run */
    size_t n;                        /* training patterns */
    const struct solver *solver;
    const void *state; /* the solver's state, for stopping_gap */
};

/* The gap of class +1 or -1, or of the whole problem (class 0). Requests no kernel values. */
static inline double stopping_gap(const struct stopping_look *look, int label)
{
    double known = label ? look->progress->class_gap[label < 0] : (double)NAN;
    return isnan(known) ? look->solver->gap(look->state, label) : known;
}

/* Numbers that the harness recomputes from the multipliers after a rule has ended a run. NAN if the formulation does
 * not define the number. */
struct stopping_figures {
    double objective; /* with the same sign as in records */
    double norm2;     /* |W|^2 */
    double duality_gap, kkt_violation;
    double class_gap[2]; /* [0]: class +1, [1]: class -1 */
};

/* The claim of a rule that is met: figure <= limit. */
struct stopping_claim {
    const char *name; /* name of the figure for messages: "the duality gap" */
    double figure;
    double rounding; /* a bound on the rounding error of the figure */
    double limit;
};

#define STOPPING_ALL_FORMULATIONS ((1u << FORMULATION_COUNT) - 1)

/* A constant that must live as long as the program. */
struct stopping_rule {
    const char *name; /* "rule" in configurations and records: a-z, 0-9 and - */
    const char *text; /* the formula, for `hullbench list stops` */
    unsigned formulations;      /* formulations it applies to: bits 1u << enum formulation */
    const char *const *solvers; /* names of the solvers it applies to, NULL-terminated; NULL: all solvers of these
                                 * formulations */
    int needs_values; /* nonzero: it reads progress->objective or norm2, which are then filled in at every iteration */
    int is_relative;    /* nonzero: its limit is a fraction of |W| or |W|^2. If the hulls meet, the run ends as
                         * stalled, since no fraction of 0 can be met */
    int needs_no_choice; /* nonzero: it is evaluated even if select found nothing to choose; for rules on gaps */
    size_t memory_size; /* bytes of memory that `met` keeps between calls; the harness allocates them for each run,
                         * filled with zeros and with guards at both ends, and frees them */
    /* Nonzero if the rule is met. Not called while delta, |W|^2 or the objective is infinite. */
    int (*met)(const struct stopping_look *look, void *memory);
    /* Fills in the rule's claim when it is met; `rounding` holds a bound for each figure. The harness compares figure
     * and limit as for its own rules; a run whose recomputed figure exceeds the limit ends as stalled. NULL: records of
     * runs that the rule ended state that it was not rechecked. */
    void (*recheck)(const struct stopping_figures *figures, const struct stopping_figures *rounding, double tolerance,
                    struct stopping_claim *claim);
};

enum { MAX_STOPPING_RULES = 64 };

/* The plugins' rules, NULL-terminated. */
const struct stopping_rule *const *stopping_rules_all(void);
/* Finds a rule by name; NULL if there is none. */
const struct stopping_rule *stopping_rule_find(const char *name);
/* Whether the rule applies to the solver. */
int stopping_rule_fits(const struct stopping_rule *rule, const struct solver *solver);

struct solver_origin;
/* Appends all rules (NULL-terminated) or none. The rules and *origin are borrowed until stopping_rules_remove.
 * built_in: the names that are taken, NULL-terminated. STATUS_BAD_INPUT, with a message that begins with origin->file,
 * if a rule is invalid or its name is taken. Like solvers_add, it must be called before threads start. */
enum status stopping_rules_add(const struct stopping_rule *const *rules, const char *const *built_in,
                               const struct solver_origin *origin, struct error *error);
/* Removes the rules added last, if they are of that origin. */
void stopping_rules_remove(const struct solver_origin *origin);
const struct solver_origin *stopping_rule_origin(const struct stopping_rule *rule);

#endif
