/*
 * The contract of a solver: select, then update. The harness owns the loop, the stopping rule, the budgets and the
 * trace, so all solvers are stopped, counted and timed in the same way:
 *
 *     init
 *     forever: select; met the stopping rule? out of budget?; update
 *     alpha
 *
 * A solver is a constant struct. Its state is one block of memory that the harness allocates from state_size, with
 * guards at both ends. init, select and update must not allocate; a built-in solver's init may reserve memory
 * (oracle_reserve). A kernel row (oracle_row) expires when init, or the update that requested it, returns. A solver
 * that breaks this contract ends as failed (harness/evaluate/solver_checks.h).
 */
#ifndef HULLBENCH_SOLVER_H
#define HULLBENCH_SOLVER_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"
#include "solvers/kernel/oracle.h"
#include "solvers/parameters.h"

/* What a solver minimises. The judge recomputes objective, gap and feasibility accordingly.
 *   nearest points   min 1/2 |W|^2, W = W+ - W-, W+- in the (mu-reduced) convex hulls: 0 <= alpha <= mu, each class
 *                    sums to 1 (Lopez, Barbero and Dorronsoro 2011, eqs. 1 and 2; mu = 1 for the full hulls)
 *   C-SVM dual       min 1/2 |W|^2 - sum alpha, 0 <= alpha <= C, sum y alpha = 0
 *   2-SVM dual       min 1/2 |W|^2 - sum alpha, 0 <= alpha, sum y alpha = 0 (Lopez 2008, eq. 2.4.2)
 *   minimum norm     min 1/2 |W|^2, W in the convex hull of the y_i (X_i, s): 0 <= alpha, sum alpha = 1, and
 *                    alpha <= 1/K for solvers with nu. The bias is s times the coordinate of W along the added s; s = 1
 *                    if the solver has no parameter for it (Barbero, Lopez and Dorronsoro 2008; Martinetz 2003)
 *   hard-margin SVM dual without bias   min 1/2 |W|^2 - sum alpha, 0 <= alpha (Potluru et al. 2008, eq. 4)
 *   SVM dual without bias   min 1/2 |W|^2 - sum alpha, 0 <= alpha <= C (Potluru et al. 2008, eq. 9)
 * Under a square penalty C/2 sum xi^2 the inner products are those of the kernel K + I/C (Lopez 2008, Section 2.4). */
enum formulation {
    FORMULATION_NEAREST_POINTS,
    FORMULATION_C_SVM,
    FORMULATION_SQUARE_SVM,
    FORMULATION_MINIMUM_NORM,
    FORMULATION_NO_BIAS_HARD_MARGIN,
    FORMULATION_NO_BIAS_SVM,
    FORMULATION_COUNT
};
const char *formulation_name(enum formulation formulation);
/* Whether the objective is 1/2 |W|^2 alone, over hulls. */
static inline int formulation_is_norm(enum formulation formulation)
{
    return formulation == FORMULATION_NEAREST_POINTS || formulation == FORMULATION_MINIMUM_NORM;
}

struct solver;

struct problem {
    const struct solver *solver; /* the solver being started, set by the harness: several solvers may share one init */
    size_t n;             /* training patterns; at least one per class */
    const signed char *y; /* n labels, +1 or -1; in calls of a solver, a copy */
    struct parameters parameters;
    double tolerance; /* the stopping rule's tolerance, for solvers whose updates depend on it; NAN for solvers that
                       * declare that they ignore it */
    struct error *error;  /* where init, select and update may write why they fail; valid until finish. NULL: no message
                           * is wanted */
    int starts_anywhere;  /* set by the harness: only the optimum is wanted, not the paper's iterations, so the
                           * solver may start where that is cheapest */
};

/* What select reports about the current state, before the update. Values that a solver has not computed are NAN. */
struct progress {
    int need_objective;  /* set by the harness: objective and norm2 must be filled in even if that costs a pass over
                          * the patterns */
    double decisive_delta; /* set by the harness: if delta exceeds it, the rule is not met, and objective and norm2
                            * may be omitted although need_objective is set; 0: no such bound */
    double rounding_norm2; /* set by the harness: a |W|^2 below it may be pure rounding error and must be summed; 0:
                            * no such bound */
    double objective;    /* of the function minimised above */
    double norm2; /* |W|^2. An upper bound suffices if need_objective is 0, gap_lower_bound shows that no rule on
                   * gaps is met, and |W|^2 is above rounding_norm2 */
    double delta;        /* violation Delta of the most violating pair that a stopping rule considers */
    double violation; /* largest violation of a single pattern's KKT condition at the solver's bias (Lopez 2008, eqs.
                       * 3.1.1 to 3.1.3); infinity until the solver has checked all patterns */
    int updated_class;   /* +1 or -1; 0 if both hulls (or a pair across them) move, or if the choice of the class
                          * gives no information on the other class's gap: `rch-gap` then checks both */
    int class_stuck;     /* nonzero: the class that is not updated has no admissible choice, so its gap is unknown */
    double class_gap[2]; /* [0]: class +1, [1]: class -1; only if the solver itself needs them */
    double gap_lower_bound; /* a lower bound on the gap of the class to be updated, available at no cost; 0 if none */
};

/* Whether objective and norm2 must be filled in. Call it after delta is set. */
static inline int progress_needs_values(const struct progress *progress)
{
    int is_decided = progress->decisive_delta > 0 && progress->delta > progress->decisive_delta;
    return progress->need_objective && !is_decided;
}

/* Stopping rules; their formulas are in stopping.c. */
enum stop_rule {
    STOP_RCH_GAP,
    STOP_RCH_GAP_BOTH,
    STOP_DELTA,
    STOP_DELTA_NORM2,
    STOP_DELTA_2NORM2,
    STOP_GAP_SUM_NORM2,
    STOP_GAP_MAX_NORM2,
    STOP_DUAL_CHANGE,
    STOP_KKT,
    STOP_KKT_RELAXED,
    STOP_ITERATIONS,
    STOP_RCH_GAP_UPDATED,
    STOP_DUALITY_GAP,
    STOP_SVM_GAP,
    STOP_RULES,    /* the number of built-in rules; not a rule */
    STOP_OF_PLUGIN /* the plugins' rules start here, in the order of stopping_rules_all (stopping_rule.h) */
};

struct stop {
    enum stop_rule rule;
    double tolerance; /* epsilon > 0 */
};

struct stopping_rule;

/* Cost of the set-up or of an iteration in kernel operations, with N training patterns:
 *
 *     n2 N^2 + n N + constant + rows_q q N + rows_nu L N + rows_point (K + r) N + norms_point (K^2 + r (K + 1))
 *     + rows_cycle M N + values_cycle M (M + 1) / 2
 *
 * q is the parameter, capped at N. L = nu N patterns, rounded, at least 1 (1 for solvers that do not read nu). An
 * extreme point of a mu-reduced hull consists of K = floor(1 / mu) patterns of weight mu and r patterns, 0 or 1, of
 * the remaining weight (mu = 1 for solvers that do not read it). M is any number of patterns up to 2 `history`, at
 * most N. */
struct kernel_cost {
    unsigned is_stated; /* zero: not stated, or it depends on the data; then the other members are 0 */
    unsigned at_most;   /* nonzero: an upper bound; the cost may be any number up to it */
    unsigned n2, n, constant, rows_q, rows_nu, rows_point, norms_point, rows_cycle, values_cycle;
};

struct solver {
    const char *name;      /* key in configs/ and records */
    const char *title;     /* one line for `hullbench list solvers` */
    const char *reference; /* paper and equations */
    enum formulation formulation;
    int square_penalty;   /* nonzero: C is the coefficient of a square penalty, and the oracle returns K + I/C */
    const struct parameter *const *parameters; /* parameters it reads, NULL-terminated (PARAMETERS), in their order
                                                * in records; NULL: none */
    unsigned stops;       /* applicable built-in stopping rules: bits 1u << enum stop_rule. Rules of plugins declare
                           * their solvers themselves */
    /* Properties on which the harness, verify and the tests rely; 0: not claimed. */
    struct stop default_stop; /* rule if none is given; tolerance 0: the first usual rule that applies */
    const struct stopping_rule *default_rule; /* a plugin's rule instead of default_stop.rule; NULL: none */
    struct kernel_cost setup_cost, iteration_cost; /* of the usual set-up and of an ordinary iteration */
    /* Costs of other set-ups and iterations: those that start elsewhere, break a cycle, forget, or leave patterns out.
     * Each set-up and iteration has one of the stated costs. Terminated by a cost that is not stated; NULL: none. An
     * update that stalls is not an iteration. */
    const struct kernel_cost *further_setup_costs, *further_iteration_costs;
    int is_monotone; /* nonzero: the minimised objective never increases from one iteration to the next, except by
                      * rounding */
    int may_stall;        /* nonzero: it may run out of admissible updates far from the optimum */
    int ignores_tolerance; /* nonzero: nothing depends on problem->tolerance, so a run that has met one tolerance may
                            * continue to a tighter one with the same result as a run to the tighter one alone */
    int converges_slowly; /* nonzero: steps shrink as 1/t or geometrically, so eight digits cannot be reached */
    /* Returns nonzero for parameter values with which, by its description, it need not reach the optimum. NULL:
     * never. */
    int (*may_miss_optimum)(const struct parameters *parameters);
    int counts_steps;   /* nonzero: multipliers are whole numbers divided by the number t of steps. |W| is not
                         * monotone, and MinOver's bounds on it and on its angle hold (Martinetz 2003, eqs. 1 and 2) */
    int stays_positive; /* nonzero: multipliers are only ever multiplied, or kernel values below 0 are refused, so an
                         * optimum at 0 is approached but not reached */
    size_t (*state_size)(const struct problem *problem);
    /* Writes the starting point to the zeroed, SIMD_ALIGNMENT-aligned state. STATUS_NOT_FOUND, with problem->error: the
     * record has failed with that reason; any other error with a message ends the run. */
    enum status (*init)(void *state, const struct problem *problem, struct oracle *oracle);
    /* Chooses the update and fills in *progress. STATUS_STALLED if no choice is admissible, which implies nothing about
     * optimality. Any other error makes the record failed, with the reason in problem->error; so in update. */
    enum status (*select)(void *state, struct progress *progress);
    /* Performs the chosen update. STATUS_STALLED if the admissible step is zero and nothing has changed. */
    enum status (*update)(void *state, struct oracle *oracle);
    /* Gap of class +1 or -1, or of the whole problem (class 0), in the current state. */
    double (*gap)(const void *state, int label);
    /* Writes the n multipliers. */
    void (*alpha)(const void *state, double *alpha);
    /* NULL except for external solvers, such as LIBSVM, which compute multipliers from patterns in one call, without
     * the loop, a trace or a budget. They compute their own kernel values, so nothing is counted; the functions above
     * may be NULL. The call must stop by the only rule in `stops`, at problem->tolerance. It writes n multipliers and
     * the number of iterations that it reports. STATUS_STALLED: it first met a limit of its own. STATUS_BAD_INPUT, with
     * problem->error: it cannot start, which ends the run. STATUS_NOT_FOUND, with problem->error: it found no
     * multipliers, and the record has failed. Several threads may call it concurrently. */
    enum status (*solve_external)(const struct problem *problem, const struct points *patterns,
                                  const struct kernel *kernel, double *alpha, uint64_t *iterations);
    /* Called when the run continues to this smaller tolerance, after it stopped by a rule or found no step. Needed if
     * `gap` is the gap of the whole problem only in states that meet the tolerance; else NULL. */
    void (*tighten)(void *state, double tolerance);
    /* Called once at the end of a run, also if init failed; NULL: nothing is to be released. */
    void (*finish)(void *state);
};

size_t solver_count_parameters(const struct solver *solver);
int solver_reads(const struct solver *solver, const struct parameter *parameter);
/* The solver's parameter of that name; NULL if it has none. */
const struct parameter *solver_parameter(const struct solver *solver, const char *name);
/* Whether any registered solver has a parameter of that name. */
int solvers_know_parameter(const char *name);

/* 1/C for a solver with a square penalty, else 0: the value that the oracle adds to the diagonal. */
double solver_ridge(const struct solver *solver, const struct problem *problem);

/* The registered solvers, NULL-terminated, in registry order. */
const struct solver *const *solvers_all(void);
/* Finds a solver by name; NULL if there is none. */
const struct solver *solver_find(const char *name);

#endif
