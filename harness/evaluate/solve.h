/* The loop around every solver: budgets, stopping rule, trace and clock. */
#ifndef HULLBENCH_SOLVE_H
#define HULLBENCH_SOLVE_H

#include <signal.h>
#include <stdint.h>

#include "harness/evaluate/stage_times.h"
#include "harness/evaluate/stopping.h"
#include "harness/evaluate/trace.h"

enum outcome {
    OUTCOME_CONVERGED,
    OUTCOME_ITERATION_LIMIT,
    OUTCOME_OPERATION_LIMIT,
    OUTCOME_TIME_LIMIT,
    OUTCOME_STALLED,
    OUTCOME_FAILED,
    OUTCOMES
};
/* "converged", "iteration-limit", ...; ended by NULL. */
extern const char *const outcome_names[OUTCOMES + 1];
/* NULL for an invalid value. */
static inline const char *outcome_name(enum outcome outcome)
{
    return (unsigned)outcome < OUTCOMES ? outcome_names[outcome] : NULL;
}

/* Records store counts as doubles, which represent integers exactly up to 2^53. */
#define MAX_COUNT 9007199254740992.0

#define BUDGET_MAX_ITERATIONS 1e15

/* 0 means unlimited. A limit on seconds makes results depend on the machine. */
struct budget {
    uint64_t iterations, kernel_operations;
    double seconds;
};

struct judging;
struct judgement;

struct solve_request {
    const struct solver *solver;
    const struct problem *problem;
    struct oracle *oracle;  /* reset by solve */
    const struct points *patterns; /* the oracle's patterns and their kernel; only external solvers see them */
    const struct kernel *kernel;
    struct stop stop;
    struct budget budget;   /* kernel operations: those of the iterations */
    struct trace *trace;    /* NULL: none */
    struct stage_times *stage_times;    /* receives the seconds of init and of the loop; NULL: not recorded */
    const volatile sig_atomic_t *interrupted; /* NULL, or becomes nonzero to request a stop */
    /* Of the rule duality-gap: memory for judging the multipliers that solve() returns, and their judgement. */
    const struct judging *judging;
    struct judgement *judgement;
};

struct solution {
    enum outcome outcome;
    char reason[REASON_SIZE]; /* one sentence without a period: why the outcome is stalled or failed, if not decided by
                               * the solver's own loop; else "" */
    int breaks_rules;         /* the reason is that of solver_checks.h */
    uint64_t iterations;
    double objective; /* last value from the solver, with its sign as in records; NAN if none */
    double seconds;   /* from before init to the end of the loop, without the rows of a full kernel matrix, which a
                       * unit's jobs share; includes rows of a cache and all kernel values of an external solver */
    double cpu_seconds; /* CPU time of the thread in the same span, including all rows computed */
};

/* Seconds on a clock that stops while rows of a full kernel matrix, which a unit's jobs share, are computed; and the
 * seconds since *mark, which is reset to now. */
double solve_clock(const struct oracle *oracle);
double solve_lap(const struct oracle *oracle, double *mark);

/* Runs the solver; alpha (problem->n doubles, owned by the caller) receives the multipliers. STATUS_INTERRUPTED if a
 * stop was requested. A solver that violates its contract (solver_checks.h) gives OUTCOME_FAILED with the reason and
 * alpha zero. One that cannot start on this problem gives OUTCOME_FAILED with alpha zero or, if it explains why
 * (problem.error), an error with that text. */
enum status solve(const struct solve_request *request, double *alpha, struct solution *solution, struct error *error);

/*
 * The same in steps, so that a run can stop at one tolerance and continue to a tighter one: solve_begin, then solve_on
 * once or more, then solve_end. After each solve_on, the solution, the multipliers and the oracle's counts are those of
 * a separate run of that request. Seconds count from the beginning of the run to the stop, without the time between
 * calls. Not for external solvers.
 */
struct solve_run;
/* Allocates memory and calls init. After an error there is no run to end. The problem's labels must outlive the run. */
enum status solve_begin(struct solve_run **run, const struct solve_request *request, struct error *error);
/* Runs until the request's tolerance is met. The request must be that of solve_begin, or one for which solve_can_go_on
 * returned nonzero. After an error, including STATUS_INTERRUPTED, only solve_end may be called. */
enum status solve_on(struct solve_run *run, const struct solve_request *request, double *alpha,
                     struct solution *solution, struct error *error);
/* For the rule duality-gap, after a run has stopped by its rule: the relative duality gap from the
 * solver's own sums, or NAN if they do not determine it. */
double solve_own_relative_gap(struct solve_run *run);
/* Makes a solver with `tighten` continue to a smaller tolerance, even if it found no step. */
void solve_tighten(struct solve_run *run, double tolerance);
/* Accepts NULL. */
void solve_end(struct solve_run *run);
/* Whether a run of the request may continue to other tolerances. Not if the solver's updates depend on the tolerance,
 * nor with a plugin, a trace, a rule that asks for gaps, checked rows, or a budget of seconds. */
int solve_may_go_on(const struct solve_request *request);
/* Whether a stopped run may continue to the request, which must be the same with a tolerance that is not looser. The
 * caller ensures that the kernel is unchanged and that the oracle has only been used for predictions. */
int solve_can_go_on(const struct solve_run *run, const struct solve_request *request);

/* solve() for requests with the rule STOP_DUALITY_GAP, also for external solvers. OUTCOME_CONVERGED: the recomputed
 * relative duality gap is at most the tolerance, or rounding makes this undecidable, which the recheck (recheck.h)
 * detects. Iterations and seconds include all restarts of an external solver. */
enum status solve_certified(const struct solve_request *request, double *alpha, struct solution *solution,
                            struct error *error);

#endif
