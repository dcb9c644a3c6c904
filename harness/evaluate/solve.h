/* The loop around a solver: budgets, stopping rule, trace, clock. The same for all of them. */
#ifndef HULLBENCH_SOLVE_H
#define HULLBENCH_SOLVE_H

#include <signal.h>
#include <stdint.h>

#include "harness/support/stage_times.h"
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
/* "converged", "iteration-limit", ...; NULL outside the enumeration. */
const char *outcome_name(enum outcome outcome);

/* Records keep counts as doubles, which hold whole numbers up to 2^53. */
#define MAX_COUNT 9007199254740992.0

/* 0 means no limit. A limit on seconds makes results depend on the machine. */
struct budget {
    uint64_t iterations, kernel_operations;
    double seconds;
};

struct judging;

struct solve_request {
    const struct solver *solver;
    const struct problem *problem;
    struct oracle *oracle;  /* reset by solve */
    const struct points *patterns; /* those behind the oracle, and the kernel; only external solvers see them */
    const struct kernel *kernel;
    struct stop stop;
    struct budget budget;   /* kernel operations: of the iterations */
    struct trace *trace;    /* NULL: none */
    struct stage_times *stage_times;    /* gets the seconds of init and of the loop; NULL: not wanted */
    const volatile sig_atomic_t *interrupted; /* NULL, or nonzero asks to stop */
    struct judging *judging; /* gets the last judgement under the rule duality-gap (certificate.h); NULL: not wanted */
};

enum { REASON_SIZE = 240 };

struct solution {
    enum outcome outcome;
    char reason[REASON_SIZE]; /* one sentence without a period: why the outcome is stalled or failed, where something
                               * other than the solver's own loop decided it; else "" */
    uint64_t iterations;
    double objective; /* as the solver gave it last, with the sign it has in records; NAN where it gave none */
    double seconds;   /* from before init to the end of the loop, less what rows of a full kernel matrix took, which the
                       * jobs of a unit share; rows of a cache are computed inside, and so are all kernel values of an
                       * external solver */
    double cpu_seconds; /* of the same span, what the thread was on a processor, with all rows that were computed */
};

/* Seconds by a clock that stands still while rows of a full kernel matrix are computed, which the jobs of a unit
 * share; and those since *mark, which is set anew. */
double solve_clock(const struct oracle *oracle);
double solve_lap(const struct oracle *oracle, double *mark);

/* Runs the solver; alpha (problem->n doubles, the caller's) gets the multipliers. STATUS_INTERRUPTED when asked to
 * stop; a solver that breaks its contract (solver_checks.h) ends as OUTCOME_FAILED with the reason and alpha zero; one
 * that cannot start on this problem ends as OUTCOME_FAILED with alpha zero or, where it says why (problem.error), in
 * an error of that text. */
enum status solve(const struct solve_request *request, double *alpha, struct solution *solution, struct error *error);

/*
 * The same in parts, so that a run may stop at one tolerance and continue to a tighter one: solve_begin, then solve_on
 * once or more, then solve_end. After each solve_on, the solution, the multipliers and the oracle's counts are those of
 * a run of that request alone; seconds go from the beginning of the run to the stop, without the time between calls.
 * Not for external solvers.
 */
struct solve_run;
/* Allocates memory and calls init. After an error there is no run to end. The problem's labels must outlive the run. */
enum status solve_begin(struct solve_run **run, const struct solve_request *request, struct error *error);
/* Runs until the request's tolerance is met. The request is that of solve_begin, or one that solve_can_go_on has
 * allowed. After an error, STATUS_INTERRUPTED included, the run can only be ended. */
enum status solve_on(struct solve_run *run, const struct solve_request *request, double *alpha,
                     struct solution *solution, struct error *error);
/* For the rule duality-gap (certificate.h). Of a run that has stopped by its rule: the relative duality gap by the
 * solver's own sums; NAN where they do not give it. */
double solve_own_relative_gap(struct solve_run *run);
/* The solver, which has `tighten`, goes on to a smaller tolerance, also where it found no step. */
void solve_tighten(struct solve_run *run, double tolerance);
/* Accepts NULL. */
void solve_end(struct solve_run *run);
/* Whether a run of the request may continue to other tolerances at all. It may not with a solver whose updates depend
 * on the tolerance, with anything from a plugin, with a trace, with a rule that asks for gaps, with checked rows, or
 * with a budget of seconds. */
int solve_may_go_on(const struct solve_request *request);
/* Whether a run that has stopped may continue to the request, which has to be the same at a tolerance that is no
 * looser. The caller makes sure that the kernel has not changed, and that the oracle has only been used for
 * predictions. */
int solve_can_go_on(const struct solve_run *run, const struct solve_request *request);

#endif
