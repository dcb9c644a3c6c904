/*
 * The contract of a solver: select, then update. The harness owns the loop, the stopping rule, the budgets and the
 * trace, so all solvers are stopped, counted and timed alike:
 *
 *     init
 *     forever: select; met the stopping rule? out of budget?; update
 *     alpha
 *
 * A solver is a constant struct; its state is one block of memory the harness allocates from state_size, with guards at
 * both ends. Nothing allocates inside init, select or update. A kernel row (oracle_row) expires when init, or the
 * update that it was asked for in, returns. A solver that breaks this ends as failed
 * (harness/evaluate/solver_checks.h).
 */
#ifndef HULLBENCH_SOLVER_H
#define HULLBENCH_SOLVER_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"
#include "solvers/kernel/oracle.h"
#include "solvers/parameters.h"

/* What a solver minimises; the judge recomputes objective, gap and feasibility by it.
 *   nearest points   min 1/2 |W|^2, W = W+ - W-, W+- in the (mu-reduced) convex hulls: 0 <= alpha <= mu, each class
 *                    sums to 1 (Lopez, Barbero and Dorronsoro 2011, eqs. 1 and 2; mu = 1 for the full hulls)
 *   C-SVM dual       min 1/2 |W|^2 - sum alpha, 0 <= alpha <= C, sum y alpha = 0
 *   2-SVM dual       min 1/2 |W|^2 - sum alpha, 0 <= alpha, sum y alpha = 0 (Lopez 2008, eq. 2.4.2)
 *   minimum norm     min 1/2 |W|^2, W in the convex hull of the y_i (X_i, s): 0 <= alpha, sum alpha = 1, and
 *                    alpha <= 1/K for solvers with nu; the plane's bias is s times the coordinate of W along the added
 *                    s, which is 1 where a solver has no such parameter (Barbero, Lopez and Dorronsoro 2008;
 *                    Martinetz 2003)
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
/* Whether 1/2 |W|^2 alone is minimised, over hulls. */
static inline int formulation_is_norm(enum formulation formulation)
{
    return formulation == FORMULATION_NEAREST_POINTS || formulation == FORMULATION_MINIMUM_NORM;
}

struct solver;

struct problem {
    const struct solver *solver; /* the one that is started, set by the harness: one init may serve several */
    size_t n;             /* training patterns; at least one of each class */
    const signed char *y; /* n labels, +1 or -1; in the calls of a solver a copy */
    struct parameters parameters;
    double tolerance; /* the stopping rule's, for solvers whose choice of an update depends on it; NAN for those that
                         say that they ignore it */
    struct error *error;  /* init may write here why it cannot start; NULL: the message is not wanted */
    int starts_anywhere;  /* set by the harness: the optimum alone is asked for, not the paper's iterations, and the
                             solver may start where that costs least */
};

/* What select reports about the present state, before the update. Values that a solver has not computed are NAN. */
struct progress {
    int need_objective;  /* set by the harness: objective and norm2 have to be filled even if that costs a pass */
    double decisive_delta; /* set by the harness: where delta is above it, the rule is not met, and objective and norm2
                              may be left out although need_objective is set; 0: there is no such delta */
    double rounding_norm2; /* set by the harness: a |W|^2 below it may be rounding alone, and is summed; 0: none is */
    double objective;    /* of the minimised function above */
    double norm2; /* |W|^2; an upper bound suffices if need_objective is 0, gap_lower_bound shows that no rule on gaps
                     is met, and |W|^2 is above rounding_norm2 */
    double delta;        /* violation Delta of the most violating pair a stopping rule is to look at */
    double violation; /* largest violation of a pattern's own KKT condition at the solver's bias (Lopez 2008, eqs. 3.1.1
                         to 3.1.3); infinity while a solver has not looked at all patterns */
    int updated_class;   /* +1, -1, or 0 when both hulls (or a pair across them) move, or when the choice of the class
                            says nothing about the other class's gap: `rch-gap` then looks at both */
    int class_stuck;     /* nonzero: the class that is not updated has no admissible choice, so its gap is unknown */
    double class_gap[2]; /* [0]: class +1, [1]: class -1; only where the solver needs them itself */
    double gap_lower_bound; /* a lower bound of the gap of the class to be updated that costs nothing; 0 if none */
};

/* Whether objective and norm2 have to be filled; to be asked once delta is. */
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
    STOP_RULES,    /* how many there are; none of them */
    STOP_OF_PLUGIN /* from here on: those of plugins, in the order of stopping_rules_all (stopping_rule.h) */
};

struct stop {
    enum stop_rule rule;
    double tolerance; /* epsilon > 0 */
};

struct stopping_rule;

/* What the set-up or an iteration asks for, in kernel operations, N the training patterns:
 *
 *     n2 N^2 + n N + constant + rows_q q N + rows_nu L N + rows_point (K + r) N + norms_point (K^2 + r (K + 1))
 *     + rows_cycle M N + values_cycle M (M + 1) / 2
 *
 * q is the parameter, N at most; L = nu N patterns, rounded, 1 at least (1 for solvers that do not read nu); K =
 * floor(1 / mu) patterns of weight mu, and one of the rest where r = 1, not 0, make an extreme point of a mu-reduced
 * hull (mu = 1 for solvers that do not read it); M is any number of patterns up to 2 `history`, N at most. */
struct kernel_cost {
    unsigned is_stated; /* zero: not stated, or it depends on the data; the other members are 0 then */
    unsigned at_most;   /* nonzero: it may be any number up to this one */
    unsigned n2, n, constant, rows_q, rows_nu, rows_point, norms_point, rows_cycle, values_cycle;
};

struct solver {
    const char *name;      /* key in configs/ and records */
    const char *title;     /* one line for `hullbench list solvers` */
    const char *reference; /* paper and equations */
    enum formulation formulation;
    int square_penalty;   /* nonzero: C is the square penalty's, the oracle answers with K + I/C */
    const struct parameter *const *parameters; /* those it reads, NULL-terminated (PARAMETERS), in the order in which
                                                  records show them; NULL: none */
    unsigned stops;       /* set of built-in stopping rules that make sense: bits 1u << enum stop_rule. Rules of plugins
                             say themselves which solvers they go with */
    /* What the harness, verify and the tests may rely on; 0: not claimed. */
    struct stop default_stop; /* the rule if none is named; tolerance 0: the first usual one that it has */
    const struct stopping_rule *default_rule; /* a plugin's rule instead of default_stop.rule; NULL: none */
    struct kernel_cost setup_cost, iteration_cost; /* of the usual set-up, and of an ordinary iteration */
    /* What other set-ups and iterations ask for: those that start elsewhere, break a cycle, forget, or leave patterns
     * out. Each set-up and iteration has one of the costs stated. Ended by a cost that is not stated; NULL: none. An
     * update that stalls is no iteration. */
    const struct kernel_cost *further_setup_costs, *further_iteration_costs;
    int is_monotone; /* nonzero: the minimised objective does not grow from one iteration to the next, except by
                        rounding */
    int may_stall;        /* nonzero: it may find no admissible update far from the optimum */
    int ignores_tolerance; /* nonzero: nothing depends on problem->tolerance, so that a run that has met a tolerance may
                              go on to a tighter one as if it had been run to that alone */
    int converges_slowly; /* nonzero: steps shrink as 1/t or by factors, so that eight digits are out of reach */
    /* Returns nonzero for values of its parameters with which, by its description, it need not reach the optimum.
     * NULL: there are none. */
    int (*may_miss_optimum)(const struct parameters *parameters);
    int counts_steps;   /* nonzero: multipliers are whole numbers over the number t of steps. |W| goes up and down, and
                           MinOver's bounds on it and on its angle hold (Martinetz 2003, eqs. 1 and 2) */
    int stays_positive; /* nonzero: multipliers are only ever multiplied, or kernel values below 0 refused, so that an
                           optimum at 0 is approached and not reached */
    size_t (*state_size)(const struct problem *problem);
    /* Puts the starting point into the zeroed, SIMD_ALIGNMENT-aligned state. */
    enum status (*init)(void *state, const struct problem *problem, struct oracle *oracle);
    /* Chooses the update and fills *progress. STATUS_STALLED when there is nothing admissible to choose, which says
     * nothing about optimality. */
    enum status (*select)(void *state, struct progress *progress);
    /* Does the chosen update. STATUS_STALLED when the admissible step is zero and nothing has changed. */
    enum status (*update)(void *state, struct oracle *oracle);
    /* Gap of class +1 or -1, or, for class 0, of the whole problem, at the present state. */
    double (*gap)(const void *state, int class);
    /* Writes the n multipliers. */
    void (*alpha)(const void *state, double *alpha);
    /* NULL except for external solvers, such as LIBSVM, which compute multipliers from patterns in one call. There is
     * no loop around it, no trace and no budget. It computes its own kernel values, so nothing is counted; the
     * functions above may be NULL. It has to stop by the only rule in `stops`, at problem->tolerance. Writes n
     * multipliers and the number of iterations that it reports. STATUS_STALLED: it met a limit of its own first.
     * STATUS_BAD_INPUT, with problem->error: it cannot start. Several threads may call it at once. */
    enum status (*solve_external)(const struct problem *problem, const struct points *patterns,
                                  const struct kernel *kernel, double *alpha, uint64_t *iterations);
    /* The run continues to this smaller tolerance, after it stopped by a rule or because it found no step. Needed where
     * `gap` is that of the whole problem only in states that meet the tolerance; else NULL. */
    void (*tighten)(void *state, double tolerance);
};

/* How many parameters the solver reads. */
size_t solver_count_parameters(const struct solver *solver);
/* Whether the solver reads the parameter. */
int solver_reads(const struct solver *solver, const struct parameter *parameter);
/* Its parameter of that name; NULL when it has none. */
const struct parameter *solver_parameter(const struct solver *solver, const char *name);
/* Whether any registered solver has a parameter of that name. */
int solvers_know_parameter(const char *name);

/* 1/C for a solver with a square penalty, else 0: what the oracle adds to the diagonal. */
double solver_ridge(const struct solver *solver, const struct problem *problem);

/* The registered solvers, NULL-terminated, in the order of the registry. */
const struct solver *const *solvers_all(void);
/* By name; NULL when there is none. */
const struct solver *solver_find(const char *name);

#endif
