/*
 * The loop: select, check the stopping rule, check the budgets, update. Iterations are counted as completed updates.
 *
 * If hulls meet, |W| tends to 0 and no tolerance relative to it can be met. So the loop ends once |W|^2 is within the
 * rounding error of its sums. A bound valid for all weights is computed once. Only a |W|^2 below it is compared with
 * the bound for the current weights: at once the first time, then after increasing numbers of iterations.
 *
 * Rules delta <= c |W|^2 do not need |W|^2 in every iteration. For a solver whose |W|^2 never increases, let V be an
 * earlier computed |W|^2. A delta above c V, plus an allowance for rounding, is also above c |W|^2 now. The harness
 * passes this threshold to the solver (decisive_delta), and the solver computes |W|^2 only if delta is not above it.
 * The allowance is 3 E, where E bounds all rounding errors: 2 E for the two sums, and E for an increase of |W|^2 by
 * rounding. This is done only if a ridge keeps |W|^2 so large that hulls are never considered to meet.
 *
 * Jobs that differ only in the tolerance, loosest first, can share a run that stops and continues. When a tolerance is
 * met, the looser ones have been met in the same or an earlier iteration, because each allows a multiple of the same
 * nonnegative number (|W|^2, |D| or 1; under a rule on |W|^2, a run in which it was negative does not continue). So the
 * run stops at the loosest tolerance, restores the rule's memory to its state before that check, and checks the next
 * tolerance in the same iteration. If a budget is spent or the solver finds no step, the run ends for all remaining
 * jobs.
 *
 * The rule svm-gap belongs to the harness (svm_gap.c). Like a trace, it checks the multipliers whenever the iterations
 * have grown by 5 %, and at the end. The solver does not see the tolerance, so all built-in solvers can share a run
 * among tolerances. Solvers that shrink, or that skip steps too short for their tolerance, get a separate internal
 * tolerance: 0.5 first, then a tenth of the last whenever it is met. Other solvers that use a tolerance get the
 * smallest one. These checks are excluded from the solver's seconds and counts.
 *
 * Jobs with a trace, or with a rule that asks for gaps, do not share a run: it would call gap() more often than a
 * separate run, and gap() may reorder a solver's scratch memory, which changes last digits later.
 */
#include "harness/evaluate/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/rounding.h"
#include "harness/evaluate/running.h"
#include "harness/evaluate/solver_checks.h"
#include "solvers/clock.h"
#include "solvers/registry.h"

const char *const outcome_names[OUTCOMES + 1] = {
    [OUTCOME_CONVERGED] = "converged",   [OUTCOME_ITERATION_LIMIT] = "iteration-limit",
    [OUTCOME_OPERATION_LIMIT] = "operation-limit", [OUTCOME_TIME_LIMIT] = "time-limit",
    [OUTCOME_STALLED] = "stalled",       [OUTCOME_FAILED] = "failed",
};

static const double max_iterations = 1e10; /* only for the size of rounding_norm2 */

/* Tolerances on violations under the rule svm-gap, in units of y (W . X + b). */
static const double first_own_tolerance = 0.5, min_own_tolerance = 1e-14, own_tolerance_falls = 0.1;

/* State of the checks of the rule svm-gap. */
struct svm_look {
    struct judging judging;      /* zeroed under other rules */
    struct svm_gap gap;          /* at the last check */
    uint64_t next, last;         /* iteration of the next check, and of the last one */
    int is_taken;                /* whether a check has been made */
    double seconds, cpu_seconds; /* spent on checks since solve_on was called */
};

struct solve_run {
    struct solve_request request; /* stop and trace are the current ones */
    struct problem problem;       /* the request's problem, extended by solve */
    struct error cause;           /* why init failed */
    struct solver_checks checks;
    void *state;   /* checks.state.block */
    double *alpha; /* checks.alpha.block */
    struct stop_memory memory;
    struct progress progress;
    double rounding_norm2;  /* see struct progress */
    double least_norm2;     /* lower bound of |W|^2, see rounding.h */
    double last_norm2;      /* last value from the solver; NAN: none yet */
    struct meeting meeting; /* 0 if the rule is not relative */
    uint64_t iterations;
    uint64_t next_meeting; /* first iteration at which to recompute the bound for the current weights */
    double started;
    /* State that is kept when the run stops and continues. */
    enum status choice;          /* return value of the last select */
    int has_started;             /* init succeeded */
    int is_sound;                /* and the checks found no fault, so the loop may begin */
    int is_met;                  /* stopped by the rule, after its check and before the update */
    int is_broken;               /* select or update failed, so there are no multipliers */
    int is_over;                 /* ended for another reason, also for tighter tolerances */
    int had_negative_norm2;      /* then no continuing under rules on |W|^2 */
    struct running_call *called; /* where calls are noted; NULL: nowhere */
    struct solution solution;    /* so far, as left by the loop */
    struct oracle_counts counts; /* at the last stop */
    struct svm_look look;
};

/* Nonzero, and sets the outcome, if a budget is spent. */
static int out_of_budget(const struct solve_run *loop, enum outcome *outcome)
{
    const struct budget *budget = &loop->request.budget;
    const uint64_t look_at_clock = 64; /* iterations between clock checks */
    if (budget->iterations && loop->iterations >= budget->iterations)
        *outcome = OUTCOME_ITERATION_LIMIT;
    else if (budget->kernel_operations &&
             oracle_operations(loop->request.oracle, PHASE_ITERATIONS) >= budget->kernel_operations)
        *outcome = OUTCOME_OPERATION_LIMIT;
    else if (budget->seconds > 0 && loop->iterations % look_at_clock == 0 &&
             clock_now() - loop->started >= budget->seconds)
        *outcome = OUTCOME_TIME_LIMIT;
    else
        return 0;
    return 1;
}

/* Nonzero, and sets outcome and reason, if |W|^2 is within rounding error. Most values of norm2, including mere upper
 * bounds, are above rounding_norm2. */
static int hulls_meet(struct solve_run *loop)
{
    struct solution *solution = &loop->solution;
    const struct solve_request *request = &loop->request;
    double norm2 = loop->progress.norm2, updates = (double)loop->iterations;
    if (!(norm2 <= loop->rounding_norm2) || !(loop->meeting.start > 0) || loop->iterations < loop->next_meeting ||
        !(norm2 <= rounding_of_sums(&loop->meeting, updates)))
        return 0;
    request->solver->alpha(loop->state, loop->alpha);
    struct meeting present = rounding_of_meeting(&loop->problem, request->solver->formulation,
                                                 oracle_gram(request->oracle), loop->alpha);
    double rounding = rounding_of_sums(&present, updates);
    loop->next_meeting = loop->iterations + loop->iterations / 8 + 1;
    if (!(norm2 <= rounding))
        return 0;
    solution->outcome = OUTCOME_STALLED;
    if (norm2 < -rounding)
        snprintf(solution->reason, sizeof solution->reason,
                 "the solver's |W|^2 is %.3g, of which rounding explains %.3g; it cannot be negative", norm2, rounding);
    else
        snprintf(solution->reason, sizeof solution->reason,
                 "%s to within rounding: |W|^2 is %.3g, and rounding may make its sums %.3g",
                 meeting_name(request->solver->formulation), norm2, rounding);
    return 1;
}

double solve_clock(const struct oracle *oracle)
{
    return clock_now() - oracle_seconds(oracle);
}

double solve_lap(const struct oracle *oracle, double *mark)
{
    double now = solve_clock(oracle), seconds = now - *mark;
    *mark = now;
    return seconds;
}

/* The last objective from the solver. Records contain the dual objective of an SVM, which is maximised. */
static double objective_given(const struct solve_run *loop)
{
    int minimised = formulation_is_norm(loop->request.solver->formulation);
    return minimised ? loop->progress.objective : 0 - loop->progress.objective; /* avoids -0 */
}

static enum status note(const struct solve_run *loop, struct error *error)
{
    const struct solve_request *request = &loop->request;
    struct trace_point point = {
        .iteration = loop->iterations,
        .kernel_operations = oracle_operations(request->oracle, PHASE_ITERATIONS),
        .objective = objective_given(loop),
        .gap = request->solver->gap(loop->state, 0),
    };
    if (request->trace->plane) {
        request->solver->alpha(loop->state, loop->alpha);
        trace_place(request->trace, loop->alpha, point.w);
    }
    return trace_add(request->trace, &point, error);
}

/* The threshold explained above; 0 if every |W|^2 is needed, as with a trace. */
static double decisive_delta(const struct solve_run *loop)
{
    const struct solve_request *request = &loop->request;
    double share = stop_delta_share(&request->stop);
    if (!(share > 0) || request->trace || !request->solver->is_monotone || isnan(loop->last_norm2))
        return 0;
    double rounding = 3 * rounding_of_sums_at_most(&loop->meeting, (double)loop->iterations);
    return loop->least_norm2 - rounding > loop->rounding_norm2 ? share * (loop->last_norm2 + rounding) : 0;
}

/* Calls select, requesting objective and norm2 if they are needed. */
static void select_next(struct solve_run *loop, int need_objective)
{
    loop->progress = progress_unknown(need_objective);
    loop->progress.decisive_delta = decisive_delta(loop);
    loop->progress.rounding_norm2 = loop->rounding_norm2;
    running_enter(loop->called, CALLED_SELECT, loop->iterations);
    loop->choice = loop->request.solver->select(loop->state, &loop->progress);
}

/* ---- the rule svm-gap ---- */

/* Recomputes the gap for the current multipliers, unless already done, with the solver's clocks stopped. */
static void take_look(struct solve_run *loop)
{
    const struct solve_request *request = &loop->request;
    struct svm_look *look = &loop->look;
    if (look->is_taken && look->last == loop->iterations)
        return;
    double began = clock_now(), mark = solve_clock(request->oracle), on_processor = clock_thread();
    request->solver->alpha(loop->state, loop->alpha);
    products_with_patterns(&look->judging);
    svm_gap(&look->judging, NULL, &look->gap);
    look->is_taken = 1;
    look->last = loop->iterations;
    look->next = trace_next(loop->iterations);
    look->cpu_seconds += clock_thread() - on_processor;
    look->seconds += solve_lap(request->oracle, &mark);
    loop->started += clock_now() - began;
}

static int look_is_met(const struct solve_run *loop)
{
    const struct svm_look *look = &loop->look;
    const double tolerance = loop->request.stop.tolerance;
    return look->is_taken && look->last == loop->iterations && svm_gap_is_within(&look->gap, tolerance) &&
           svm_gap_is_confirmed(&look->judging, tolerance);
}

/* Whether a solver with `tighten` finds no step or has met its internal tolerance. */
static int has_met_own_tolerance(const struct solve_run *loop)
{
    const struct solver *solver = loop->request.solver;
    const struct stop own = {stop_own_rule(solver), loop->problem.tolerance};
    struct stop_memory none = {.n = loop->problem.n};
    return loop->choice != STATUS_OK ||
           stop_look(&own, &none, solver, loop->state, &loop->progress, loop->choice) == STOP_MET;
}

/* Reduces the solver's internal tolerance; returns zero if the solver cannot continue. */
static int tighten_own(struct solve_run *loop)
{
    const struct solver *solver = loop->request.solver;
    double next = own_tolerance_falls * loop->problem.tolerance;
    if (loop->request.stop.rule != STOP_SVM_GAP || !solver->tighten || !(next >= min_own_tolerance))
        return 0;
    loop->problem.tolerance = next;
    solver->tighten(loop->state, next);
    return 1;
}

/* Selects, and records a trace point if one is due. */
static enum status choose(struct solve_run *loop, int looking, double *mark, struct error *error)
{
    const struct solve_request *request = &loop->request;
    do
        select_next(loop, request->trace || stop_needs_values_now(request->stop.rule, &loop->memory));
    while (request->stop.rule == STOP_SVM_GAP && request->solver->tighten && has_met_own_tolerance(loop) &&
           tighten_own(loop));
    if (!isnan(loop->progress.norm2))
        loop->last_norm2 = loop->progress.norm2;
    loop->had_negative_norm2 |= loop->progress.norm2 < 0;
    if (looking)
        request->stage_times->sampled[STAGE_SELECTION] += solve_lap(request->oracle, mark);
    return request->trace && loop->iterations >= request->trace->next ? note(loop, error) : STATUS_OK;
}

/* Checks the rule; nonzero if it stops the run. Its memory is then restored, so that a tighter one can be checked. */
static int stops(struct solve_run *loop)
{
    const struct stop_memory before = loop->memory;
    const int by_look = loop->request.stop.rule == STOP_SVM_GAP;
    running_enter(loop->called, CALLED_RULE, loop->iterations);
    if (by_look && loop->iterations >= loop->look.next)
        take_look(loop);
    enum stop_verdict verdict = by_look ? (look_is_met(loop) ? STOP_MET : STOP_GO_ON)
                                        : stop_look(&loop->request.stop, &loop->memory, loop->request.solver,
                                                    loop->state, &loop->progress, loop->choice);
    loop->solution.outcome = verdict == STOP_MET ? OUTCOME_CONVERGED : OUTCOME_STALLED;
    loop->is_met = verdict != STOP_GO_ON;
    if (loop->is_met)
        loop->memory = before;
    return loop->is_met;
}

/* Ends the run as failed if select, update or alpha failed, with or without a reason; STATUS_STALLED is no failure. */
static enum status check_failure(struct solve_run *loop, enum status status, struct error *error)
{
    const struct error *cause = &loop->cause;
    if (cause->status != STATUS_OK)
        status = cause->status;
    if (status == STATUS_OK || status == STATUS_STALLED)
        return STATUS_OK;
    if (status == STATUS_INTERRUPTED)
        return error_set(error, status, "interrupted");
    loop->solution.outcome = OUTCOME_FAILED;
    loop->is_broken = loop->is_over = 1;
    if (cause->status != STATUS_OK)
        snprintf(loop->solution.reason, sizeof loop->solution.reason, "%.*s", REASON_SIZE - 1, cause->message);
    else
        snprintf(loop->solution.reason, sizeof loop->solution.reason, "the solver ended with the error \"%s\"",
                 status_text(status));
    return STATUS_OK;
}

/* One turn of the loop; after a stop it begins with the check of the rule. */
static enum status turn(struct solve_run *loop, struct error *error)
{
    const struct solve_request *request = &loop->request;
    int looking = !loop->is_met && stage_times_sample(request->stage_times);
    double mark = looking ? solve_clock(request->oracle) : 0;
    enum status status = loop->is_met ? STATUS_OK : choose(loop, looking, &mark, error);
    double in_looks = loop->look.seconds;
    if (status == STATUS_OK)
        status = check_failure(loop, loop->choice, error);
    if (status != STATUS_OK || loop->is_broken || stops(loop))
        return status;
    mark += loop->look.seconds - in_looks;
    if (looking)
        request->stage_times->sampled[STAGE_STOPPING] += solve_lap(request->oracle, &mark);
    loop->is_over = loop->choice != STATUS_OK || hulls_meet(loop) || out_of_budget(loop, &loop->solution.outcome);
    if (loop->is_over)
        return STATUS_OK;
    running_enter(loop->called, CALLED_UPDATE, loop->iterations);
    const enum status step = request->solver->update(loop->state, request->oracle);
    if (step != STATUS_OK) {
        loop->is_over = step != STATUS_STALLED || !tighten_own(loop);
        return check_failure(loop, step, error);
    }
    if (looking)
        request->stage_times->sampled[STAGE_UPDATE] += solve_lap(request->oracle, &mark);
    loop->is_over =
        !solver_checks_pass(&loop->checks, ++loop->iterations) || oracle_kernel_fault(request->oracle)->found;
    return STATUS_OK;
}

/* Runs until the rule or another reason ends the run. */
static enum status iterate(struct solve_run *loop, struct error *error)
{
    enum status status = STATUS_OK;
    for (int ended = loop->is_over; !ended && status == STATUS_OK; ended = loop->is_met || loop->is_over)
        status = loop->request.interrupted && *loop->request.interrupted
                     ? error_set(error, STATUS_INTERRUPTED, "interrupted")
                     : turn(loop, error);
    loop->solution.iterations = loop->iterations;
    loop->solution.objective = objective_given(loop);
    if (status == STATUS_OK && loop->request.trace && !*loop->checks.reason && !loop->is_broken)
        status = note(loop, error);
    return status;
}

/* Copies the multipliers, and sets the outcome if the solver violated its contract. */
static void take_alpha(struct solve_run *loop, double *alpha, struct solution *solution)
{
    if (loop->memory.own.memory && !guarded_block_is_intact(&loop->memory.own)) {
        solution->outcome = OUTCOME_FAILED;
        snprintf(solution->reason, sizeof solution->reason,
                 "the stopping rule \"%s\" wrote outside its memory of %zu bytes",
                 stop_rule_name(loop->request.stop.rule), loop->memory.own.size);
    } else if (!solver_checks_finish(&loop->checks, alpha)) {
        solution->outcome = OUTCOME_FAILED;
        solution->breaks_rules = 1;
        memcpy(solution->reason, loop->checks.reason, sizeof solution->reason);
    } else if (solution->outcome == OUTCOME_STALLED && !*solution->reason && solver_checks_keeps_row(&loop->checks))
        snprintf(solution->reason, sizeof solution->reason,
                 "the solver found no step, and its state holds the address of a kernel row that has expired");
}

/* The request's problem with the members that solve sets. */
static struct problem own_problem(const struct solve_request *request, struct error *cause)
{
    struct problem problem = *request->problem;
    problem.solver = request->solver;
    problem.tolerance = request->stop.tolerance;
    if (request->stop.rule == STOP_SVM_GAP && !solver_origin(request->solver))
        problem.tolerance = request->solver->tighten ? first_own_tolerance : min_own_tolerance;
    if (request->solver->ignores_tolerance)
        problem.tolerance = (double)NAN;
    problem.error = cause;
    problem.starts_anywhere = request->stop.rule == STOP_DUALITY_GAP;
    return problem;
}

static const struct solution no_solution = {.outcome = OUTCOME_FAILED, .objective = (double)NAN};

static void note_no_start(struct solution *solution, const struct error *cause)
{
    if (cause->status == STATUS_NOT_FOUND)
        snprintf(solution->reason, sizeof solution->reason, "%.*s", REASON_SIZE - 1, cause->message);
    else
        snprintf(solution->reason, sizeof solution->reason, "the solver could not start on this problem");
}

/* The solver is not to blame for what it does after a kernel value that is not finite. */
static void note_kernel_fault(const struct solve_request *request, struct solution *solution)
{
    const struct kernel_fault *fault = oracle_kernel_fault(request->oracle);
    if (!fault->found)
        return;
    solution->outcome = OUTCOME_FAILED;
    kernel_fault_text(gram_kernel(oracle_gram(request->oracle)), fault, 0, solution->reason, sizeof solution->reason);
}

/* Runs a solver without a loop, see solver.h. */
static enum status run_external(const struct solve_request *request, double *alpha, struct solution *solution,
                                struct error *error)
{
    struct error cause = {.status = STATUS_OK};
    const struct problem problem = own_problem(request, &cause);
    *solution = no_solution;
    memset(alpha, 0, problem.n * sizeof *alpha);
    if (request->interrupted && *request->interrupted)
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    if (request->trace)
        return error_set(error, STATUS_BAD_INPUT, "solver \"%s\" leaves no trace: it runs in one piece",
                         request->solver->name);
    oracle_reset(request->oracle);
    oracle_set_ridge(request->oracle, solver_ridge(request->solver, &problem));
    struct running_call *called = running_watched();
    running_enter(called, CALLED_EXTERNAL, 0);
    double started = clock_now(), on_processor = clock_thread();
    enum status status =
        request->solver->solve_external(&problem, request->patterns, request->kernel, alpha, &solution->iterations);
    running_enter(called, CALLED_NONE, 0);
    solution->cpu_seconds = clock_thread() - on_processor;
    solution->seconds = clock_now() - started;
    if (request->stage_times)
        request->stage_times->seconds[STAGE_UPDATE] += solution->seconds;
    if (status == STATUS_OK || status == STATUS_STALLED)
        solution->outcome = status == STATUS_OK ? OUTCOME_CONVERGED : OUTCOME_ITERATION_LIMIT;
    else if (cause.status != STATUS_OK && !(status == STATUS_NOT_FOUND && cause.status == status))
        return error_set(error, cause.status, "%s: %s", request->solver->name, cause.message);
    else
        note_no_start(solution, &cause);
    return STATUS_OK;
}

/* ---- begin, continue, end ---- */

static enum status open_look(struct solve_run *loop, struct error *error)
{
    const struct solve_request *request = &loop->request;
    const struct judging *judging = &loop->look.judging;
    enum status status = svm_gap_check(request->solver, &loop->problem, error);
    loop->look.judging = (struct judging){.problem = &loop->problem,
                                          .formulation = request->solver->formulation,
                                          .gram = oracle_gram(request->oracle),
                                          .alpha = loop->alpha,
                                          .products = simd_doubles(loop->problem.n),
                                          .scratch = simd_doubles(loop->problem.n)};
    return status != STATUS_OK || (judging->products && judging->scratch)
               ? status
               : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", request->solver->name);
}

static void close_run(struct solve_run *loop)
{
    guarded_block_free(&loop->memory.own);
    free(loop->look.judging.products);
    free(loop->look.judging.scratch);
    solver_checks_close(&loop->checks);
    free(loop);
}

/* Allocates memory and computes what is known before init; after an error the run is freed. */
static enum status open_run(struct solve_run *loop, struct error *error)
{
    const struct solve_request *request = &loop->request;
    struct gram *gram = oracle_gram(request->oracle);
    running_enter(loop->called, CALLED_STATE_SIZE, 0);
    enum status status = solver_checks_open(&loop->checks, request->solver, &loop->problem, request->oracle, error);
    running_enter(loop->called, CALLED_NONE, 0);
    if (status != STATUS_OK) {
        free(loop);
        return status;
    }
    loop->state = loop->checks.state.block;
    loop->alpha = loop->checks.alpha.block;
    const struct stopping_rule *own = stop_rule_own(request->stop.rule);
    loop->memory.n = loop->problem.n;
    if (own && !guarded_block_open(&loop->memory.own, own->memory_size))
        status = error_set(error, STATUS_NO_MEMORY, "out of memory for the stopping rule \"%s\"", own->name);
    if (status == STATUS_OK && request->stop.rule == STOP_SVM_GAP)
        status = open_look(loop, error);
    if (status != STATUS_OK) {
        close_run(loop);
        return status;
    }
    oracle_reset(request->oracle);
    oracle_set_ridge(request->oracle, solver_ridge(request->solver, &loop->problem));
    if (stop_is_relative(request->stop.rule))
        loop->meeting = rounding_of_meeting(&loop->problem, request->solver->formulation, gram, NULL);
    loop->rounding_norm2 = rounding_of_sums(&loop->meeting, max_iterations);
    loop->least_norm2 = rounding_least_norm2(&loop->problem, request->solver->formulation, gram);
    loop->last_norm2 = (double)NAN;
    return STATUS_OK;
}

/* Calls and times init. */
static enum status start(struct solve_run *loop, struct error *error)
{
    const struct solve_request *request = &loop->request;
    double mark = solve_clock(request->oracle), on_processor = clock_thread();
    loop->started = clock_now();
    running_enter(loop->called, CALLED_INIT, 0);
    loop->has_started = request->solver->init(loop->state, &loop->problem, request->oracle) == STATUS_OK;
    if (loop->has_started)
        loop->cause.status = STATUS_OK; /* from now on why select, update or alpha fail */
    else if (loop->cause.status != STATUS_OK && loop->cause.status != STATUS_NOT_FOUND)
        return error_set(error, loop->cause.status, "%s: %s", request->solver->name, loop->cause.message);
    loop->is_sound =
        loop->has_started && solver_checks_pass(&loop->checks, 0) && !oracle_kernel_fault(request->oracle)->found;
    loop->solution.cpu_seconds = clock_thread() - on_processor;
    loop->solution.seconds = solve_lap(request->oracle, &mark);
    if (request->stage_times && loop->has_started)
        request->stage_times->seconds[STAGE_START] += loop->solution.seconds;
    oracle_set_phase(request->oracle, PHASE_ITERATIONS);
    loop->counts = oracle_counts(request->oracle);
    return STATUS_OK;
}

enum status solve_begin(struct solve_run **out, const struct solve_request *request, struct error *error)
{
    *out = NULL;
    struct solve_run *loop = calloc(1, sizeof *loop);
    if (!loop)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", request->solver->name);
    loop->request = *request;
    loop->problem = own_problem(request, &loop->cause);
    loop->request.problem = &loop->problem;
    loop->called = running_watched();
    loop->solution = no_solution;
    loop->progress.objective = (double)NAN;
    enum status status = open_run(loop, error);
    if (status != STATUS_OK)
        return status;
    status = start(loop, error);
    if (status == STATUS_OK)
        *out = loop;
    else
        solve_end(loop);
    return status;
}

enum status solve_on(struct solve_run *loop, const struct solve_request *request, double *alpha,
                     struct solution *solution, struct error *error)
{
    struct oracle *oracle = loop->request.oracle;
    struct stage_times *stage_times = request->stage_times;
    loop->request.stop = request->stop;
    loop->request.stage_times = stage_times;
    loop->request.interrupted = request->interrupted;
    loop->look.seconds = loop->look.cpu_seconds = 0;
    oracle_set_counts(oracle, &loop->counts);
    double mark = solve_clock(oracle), on_processor = clock_thread();
    enum status status = loop->is_sound ? iterate(loop, error) : STATUS_OK;
    *solution = loop->solution;
    if (request->stop.rule == STOP_SVM_GAP && loop->is_over && !*solution->reason && !*loop->checks.reason &&
        !oracle_kernel_fault(oracle)->found) { /* the run ended for another reason */
        take_look(loop);
        if (look_is_met(loop))
            solution->outcome = OUTCOME_CONVERGED;
    }
    memset(alpha, 0, loop->problem.n * sizeof *alpha);
    if (!loop->has_started)
        note_no_start(solution, &loop->cause);
    else if (!loop->is_broken) {
        running_enter(loop->called, CALLED_ALPHA, loop->iterations);
        take_alpha(loop, alpha, solution);
        if (status == STATUS_OK)
            status = check_failure(loop, STATUS_OK, error);
        if (loop->is_broken) {
            solution->outcome = loop->solution.outcome;
            memcpy(solution->reason, loop->solution.reason, sizeof solution->reason);
        }
    }
    running_enter(loop->called, CALLED_NONE, loop->iterations);
    note_kernel_fault(request, solution);
    loop->counts = oracle_counts(oracle);
    double seconds = solve_lap(oracle, &mark) - loop->look.seconds;
    if (stage_times) {
        stage_times->loops += seconds;
        stage_times->seconds[STAGE_JUDGING] += loop->look.seconds;
    }
    solution->cpu_seconds = loop->solution.cpu_seconds += clock_thread() - on_processor - loop->look.cpu_seconds;
    solution->seconds = loop->solution.seconds += seconds;
    return status;
}

void solve_end(struct solve_run *loop)
{
    if (!loop)
        return;
    running_enter(loop->called, CALLED_FINISH, loop->iterations);
    if (loop->request.solver->finish)
        loop->request.solver->finish(loop->state);
    running_enter(loop->called, CALLED_NONE, loop->iterations);
    close_run(loop);
}

double solve_own_relative_gap(struct solve_run *loop)
{
    const struct solver *solver = loop->request.solver;
    select_next(loop, 1);
    return relative_gap(solver->formulation, objective_given(loop), solver->gap(loop->state, 0));
}

void solve_tighten(struct solve_run *loop, double tolerance)
{
    loop->problem.tolerance = tolerance;
    loop->request.solver->tighten(loop->state, tolerance);
    loop->is_met = 0; /* selects again */
    if (loop->is_over && loop->solution.outcome == OUTCOME_STALLED && !*loop->solution.reason)
        loop->is_over = 0;
}

int solve_may_go_on(const struct solve_request *request)
{
    const struct solver *solver = request->solver;
    int is_blind = request->stop.rule == STOP_SVM_GAP ||
                   (solver->ignores_tolerance && stop_reads_progress_alone(request->stop.rule));
    return is_blind && !solver->solve_external && !solver_origin(solver) && !request->trace &&
           request->kernel->type != KERNEL_OF_PLUGIN && !oracle_checks_rows(request->oracle) &&
           !(request->budget.seconds > 0);
}

int solve_can_go_on(const struct solve_run *loop, const struct solve_request *request)
{
    const struct solve_request *now = &loop->request;
    const struct problem *problem = request->problem;
    return solve_may_go_on(request) && now->solver == request->solver && now->oracle == request->oracle &&
           loop->checks.y == problem->y && parameters_equal(&now->problem->parameters, &problem->parameters) &&
           now->stop.rule == request->stop.rule && request->stop.tolerance <= now->stop.tolerance &&
           now->budget.iterations == request->budget.iterations &&
           now->budget.kernel_operations == request->budget.kernel_operations &&
           (!loop->had_negative_norm2 || !(stop_delta_share(&request->stop) > 0));
}

enum status solve(const struct solve_request *request, double *alpha, struct solution *solution, struct error *error)
{
    struct solve_run *run;
    if (request->stop.rule == STOP_DUALITY_GAP)
        return solve_certified(request, alpha, solution, error);
    if (request->solver->solve_external)
        return run_external(request, alpha, solution, error);
    *solution = no_solution;
    memset(alpha, 0, request->problem->n * sizeof *alpha);
    enum status status = solve_begin(&run, request, error);
    if (status == STATUS_OK)
        status = solve_on(run, request, alpha, solution, error);
    solve_end(run);
    return status;
}
