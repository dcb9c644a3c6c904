/*
 * Follows a solver iteration by iteration (trace_solver.h).
 *
 * Reported and recomputed values are compared within (4 + 8 sqrt t) times the judge's rounding bound after t
 * iterations, the largest bound so far. A solver updates its sums, and each update rounds them once more: a random walk
 * of t steps, which stays within eight times its root. The judge's bounds do not depend on the solver. An objective may
 * increase by as much, since steps are computed from such sums.
 *
 * Delta is each solver's own measure of violation. No solver may understate it: a rule that bounds it must bound the
 * larger gap of the classes (nearest points), the gap (minimum norm) or the KKT violation (SVM duals), as recheck.c
 * does. This does not apply to solvers that select among some patterns only (may_stall), nor while progress.violation
 * is infinite, which means that the solver has not checked all patterns.
 *
 * Allocations are noticed by the C library's count of the bytes that its heap has given out. A small block that is
 * released again stays given out for this count, because the thread keeps it for its next request of that size; so the
 * first allocation of each size is seen if nothing is kept when a run begins. Not seen are blocks of more than
 * LARGEST_KEPT bytes that the same call releases, mmap, and a plugin's own allocator.
 */
#include "harness/verify/trace_solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/base/platform.h"
#include "harness/evaluate/judge.h"
#include "harness/evaluate/solver_checks.h"
#include "harness/support/available_memory.h"

struct tracer {
    const struct trace_request *request;
    struct solver solver; /* announced_copy of the request's */
    struct check_results *results;
    struct oracle *oracle;
    struct problem problem;
    struct solver_checks checks;
    void *state;
    double *alpha; /* checks.alpha.block */
    double products[MAX_INSTANCE + SIMD_LANES] __attribute__((aligned(SIMD_ALIGNMENT)));
    double scratch[MAX_INSTANCE + SIMD_LANES] __attribute__((aligned(SIMD_ALIGNMENT)));
    struct progress progress;
    struct judgement judged;
    struct stopping_figures largest; /* of the run */
    double previous;
    int has_previous;
    uint64_t iteration, next_check, judged_at; /* the iteration of `judged` */
    struct error cause;
};

/* ---- allocations ---- */

/* Takes all blocks that the thread has kept, for good, which a process that ends soon can afford. A task makes OpenMP's
 * library allocate what it sets up at its first use. A block from the list of kept ones changes nothing; one from a bin
 * may bring others of its size to that list. A block from elsewhere takes its own size. Blocks stay reachable, as a
 * list. Returns zero if the heap has no such statistics, as with a sanitizer's. */
static int empty_kept(void)
{
    enum { LARGEST_KEPT = 1032, SMALLEST = 24, STEP = 16, MOST = 64 };
    static void **blocks;
    static int tasks;
#pragma omp taskgroup
#pragma omp task if (0)
    tasks++;
    for (size_t size = SMALLEST; size <= LARGEST_KEPT; size += STEP) {
        size_t taken = 0;
        for (int tries = 0; tries < MOST && (taken < size || taken >= 2 * size + STEP); tries++) {
            const size_t before = platform_bytes_allocated();
            void **block = malloc(size);
            if (!block)
                return 0;
            *block = blocks;
            blocks = block;
            taken = platform_bytes_allocated() - before;
        }
        if (taken == 0)
            return 0;
    }
    return 1;
}

/* ---- labels between unreadable pages ---- */

static unsigned char *fences; /* FENCE_BYTES each: unreadable, labels, unreadable */
static signed char *fenced;

/* A copy of the n labels, at most FENCE_BYTES, which replaces the previous copy. */
static signed char *fence_labels(const signed char *y, size_t n, int at_the_end)
{
    if (!fences) {
        fences = platform_map((size_t)3 * FENCE_BYTES, 0);
        if (!fences || mprotect(fences, FENCE_BYTES, PROT_NONE) != 0 ||
            mprotect(fences + 2 * FENCE_BYTES, FENCE_BYTES, PROT_NONE) != 0)
            out_of_memory();
    }
    unsigned char *between = fences + FENCE_BYTES;
    memset(between, 0, FENCE_BYTES);
    fenced = (signed char *)(at_the_end ? between + FENCE_BYTES - n : between);
    return memcpy(fenced, y, n);
}

int fence_keeps(const void *address, ptrdiff_t *index)
{
    const unsigned char *at = address;
    if (!fences || at < fences || at >= fences + (size_t)3 * FENCE_BYTES)
        return 0;
    *index = at - (const unsigned char *)fenced;
    return 1;
}

/* ---- a solver whose calls are announced ---- */

/* The functions of a solver have no context argument. */
static struct {
    const struct solver *solver;
    struct check_results *results;
    int watches_allocation;
    size_t allocated; /* bytes in use before the call */
} announced;

static void begin_call(enum call call)
{
    announced.results->call = call;
    announced.results->calls++;
    if (announced.watches_allocation)
        announced.allocated = platform_bytes_allocated();
}

static void end_call(void)
{
    struct check_results *results = announced.results;
    const size_t now = announced.watches_allocation ? platform_bytes_allocated() : 0;
    if (announced.watches_allocation)
        check(results, EXPECT_NO_ALLOCATION, now <= announced.allocated,
              "%s allocated memory: %zu more bytes are in use; expected: none", call_name(results->call),
              now - announced.allocated);
    results->call = CALL_NONE;
}

static size_t announced_state_size(const struct problem *problem)
{
    announced.results->now.iteration = 0;
    begin_call(CALL_STATE_SIZE);
    const size_t size = announced.solver->state_size(problem);
    announced.results->call = CALL_NONE; /* it may allocate */
    return size;
}

static enum status announced_init(void *state, const struct problem *problem, struct oracle *oracle)
{
    begin_call(CALL_INIT);
    const enum status status = announced.solver->init(state, problem, oracle);
    end_call();
    return status;
}

static enum status announced_select(void *state, struct progress *progress)
{
    begin_call(CALL_SELECT);
    const enum status status = announced.solver->select(state, progress);
    end_call();
    return status;
}

static enum status announced_update(void *state, struct oracle *oracle)
{
    begin_call(CALL_UPDATE);
    const enum status status = announced.solver->update(state, oracle);
    end_call();
    announced.results->now.iteration++;
    return status;
}

static double announced_gap(const void *state, int class)
{
    begin_call(CALL_GAP);
    const double gap = announced.solver->gap(state, class);
    end_call();
    return gap;
}

static void announced_alpha(const void *state, double *alpha)
{
    begin_call(CALL_ALPHA);
    announced.solver->alpha(state, alpha);
    end_call();
}

struct solver announced_copy(const struct solver *solver, struct check_results *results)
{
    struct solver copy = *solver;
    announced.solver = solver;
    announced.results = results;
    announced.watches_allocation = 0;
    begin_call(CALL_SOLVE);
    if (solver->solve_external)
        return copy;
    copy.state_size = announced_state_size;
    copy.init = announced_init;
    copy.select = announced_select;
    copy.update = announced_update;
    copy.gap = announced_gap;
    copy.alpha = announced_alpha;
    return copy;
}

int state_fits(struct check_results *results, const struct solver *solver, const struct problem *problem)
{
    const struct available_memory available = memory_available("");
    const struct solver copy = announced_copy(solver, results);
    const size_t size = copy.state_size(problem);
    void *memory = (double)size <= available.bytes ? malloc(size + !size) : NULL;
    check(results, EXPECT_MEMORY, memory != NULL,
          "state_size requests %zu bytes for %zu patterns, more than are available (%s)", size, problem->n,
          available.limit);
    free(memory);
    return memory != NULL;
}

static uint64_t operations(const struct tracer *tracer)
{
    return oracle_operations(tracer->oracle, PHASE_SETUP) + oracle_operations(tracer->oracle, PHASE_ITERATIONS);
}

/* ---- memory and rows ---- */

/* Zero if the solver broke the contract: the rest of the run is meaningless. */
static int check_memory(struct tracer *tracer)
{
    const uint64_t every_time = 1; /* full check after every iteration */
    if (memcmp(tracer->problem.y, tracer->request->instance->y, tracer->problem.n) != 0) {
        check(tracer->results, EXPECT_MEMORY, 0, "the solver wrote into the labels of the problem");
        return 0;
    }
    if (solver_checks_look(&tracer->checks, every_time)) {
        check(tracer->results, EXPECT_MEMORY, 1, "x");
        check(tracer->results, EXPECT_ROWS, 1, "x");
        return 1;
    }
    note_breach(tracer->results, tracer->request->solver, tracer->checks.reason);
    return 0;
}

static void check_end(struct tracer *tracer, enum status status)
{
    double out[MAX_INSTANCE];
    if (!solver_checks_finish(&tracer->checks, out))
        note_breach(tracer->results, tracer->request->solver, tracer->checks.reason);
    else if (status == STATUS_STALLED)
        check(tracer->results, EXPECT_ROWS, !solver_checks_keeps_row(&tracer->checks),
              "the solver found no step, and its state holds the address of a kernel row that has expired");
}

/* ---- reports ---- */

static double allowed(const struct tracer *tracer, double rounding)
{
    return (4 + 8 * sqrt((double)tracer->iteration)) * rounding;
}

static void judge_now(struct tracer *tracer)
{
    struct stopping_figures *largest = &tracer->largest;
    const struct stopping_figures *now = &tracer->judged.rounding;
    tracer->solver.alpha(tracer->state, tracer->alpha);
    check(tracer->results, EXPECT_MEMORY, guarded_block_is_intact(&tracer->checks.alpha),
          "alpha wrote outside the %zu multipliers", tracer->problem.n);
    judge(&(struct judging){&tracer->problem, tracer->solver.formulation, tracer->request->instance->gram,
          tracer->alpha, 1e-6, tracer->products, tracer->scratch}, &tracer->judged);
    tracer->judged_at = tracer->iteration;
    largest->objective = fmax(largest->objective, now->objective);
    if (isfinite(now->duality_gap))
        largest->duality_gap = fmax(largest->duality_gap, now->duality_gap);
    largest->kkt_violation = fmax(largest->kkt_violation, now->kkt_violation);
    for (int c = 0; c < 2; c++)
        largest->class_gap[c] = fmax(largest->class_gap[c], now->class_gap[c]);
}

static void compare(struct tracer *tracer, enum expectation expectation, const char *name, double reported,
                    double recomputed, double rounding)
{
    double off = fabs(reported - recomputed), bound = allowed(tracer, rounding);
    if (tracer->request->is_long) {
        expectation = EXPECT_NO_DRIFT;
        check_largest(tracer->results, expectation, off / fmax(1, fabs(recomputed)));
    }
    check(tracer->results, expectation, off <= bound, "%s: reported %.12g, recomputed %.12g, rounding explains %.2g",
          name, reported, recomputed, bound);
}

static void check_objective(struct tracer *tracer)
{
    const struct solver *solver = &tracer->solver;
    double judged = minimised(solver, &tracer->judged);
    double may_grow = allowed(tracer, tracer->largest.objective);
    if (tracer->request->need_objective && !isnan(tracer->progress.objective))
        compare(tracer, EXPECT_OBJECTIVE, "objective", tracer->progress.objective, judged, tracer->largest.objective);
    if (solver->is_monotone && tracer->has_previous && !tracer->request->is_long)
        check(tracer->results, EXPECT_MONOTONE, judged <= tracer->previous + may_grow,
              "the objective grew by %.3g to %.12g; expected: at most %.12g", judged - tracer->previous, judged,
              tracer->previous);
    tracer->previous = judged;
    tracer->has_previous = 1;
}

static void check_gap(struct tracer *tracer)
{
    const struct judgement *judged = &tracer->judged;
    double reported[3];
    uint64_t before = operations(tracer);
    for (int class = -1; class <= 1; class++)
        reported[class + 1] = tracer->solver.gap(tracer->state, class);
    if (operations(tracer) != before)
        check(tracer->results, EXPECT_ITERATION_COST, 0, "gap asked for %lu kernel operations; expected: none",
              (unsigned long)(operations(tracer) - before));
    if (isinf(tracer->progress.violation))
        return;
    if (isfinite(judged->duality_gap) && isfinite(judged->rounding.duality_gap) && !isnan(reported[1]))
        compare(tracer, EXPECT_GAP, "gap", reported[1], judged->duality_gap, tracer->largest.duality_gap);
    for (int c = 0; c < 2 && tracer->solver.formulation == FORMULATION_NEAREST_POINTS; c++)
        if (!isnan(reported[c ? 0 : 2]))
            compare(tracer, EXPECT_GAP, c ? "gap of class -1" : "gap of class +1", reported[c ? 0 : 2],
                    judged->class_gap[c], tracer->largest.class_gap[c]);
}

static void check_delta(struct tracer *tracer)
{
    const struct judgement *judged = &tracer->judged;
    const struct progress *progress = &tracer->progress;
    double figure = judged->kkt_violation, rounding = tracer->largest.kkt_violation;
    const char *name = "KKT violation";
    if (tracer->solver.may_stall || isinf(progress->violation) || tracer->request->is_long)
        return;
    if (tracer->solver.formulation == FORMULATION_MINIMUM_NORM) {
        figure = judged->duality_gap, rounding = tracer->largest.duality_gap, name = "duality gap";
    } else if (tracer->solver.formulation == FORMULATION_NEAREST_POINTS) {
        int larger = judged->class_gap[1] > judged->class_gap[0];
        figure = judged->class_gap[larger], rounding = tracer->largest.class_gap[larger], name = "larger gap";
    }
    if (isnan(figure))
        return;
    if (!isnan(progress->delta) && !isinf(progress->delta))
        check(tracer->results, EXPECT_DELTA, figure - allowed(tracer, rounding) <= fmax(progress->delta, 0),
              "Delta: reported %.12g, and the %s is %.12g; expected: no less", progress->delta, name, figure);
    if (!isnan(progress->violation) && !formulation_is_norm(tracer->solver.formulation))
        check(tracer->results, EXPECT_DELTA,
              0.5 * figure - allowed(tracer, rounding) <= fmax(progress->violation, 0),
              "violation: reported %.12g, and half the %s is %.12g; expected: no less", progress->violation, name,
              0.5 * figure);
}

static void check_reports(struct tracer *tracer)
{
    if (tracer->request->is_long && tracer->iteration < tracer->next_check)
        return;
    tracer->next_check = tracer->iteration + tracer->iteration / 20 + 1;
    judge_now(tracer);
    if (!check_feasible(tracer->results, &tracer->judged))
        return; /* no other value is meaningful */
    check_objective(tracer);
    check_gap(tracer);
    check_delta(tracer);
}

/* ---- values for stopping rules ---- */

static unsigned set_of(enum stop_rule rule)
{
    return 1U << rule;
}

/* Checks a value that `rules` read; the message names the first of these that the solver lists. */
static void check_value(struct tracer *tracer, unsigned rules, const char *name, double figure)
{
    unsigned listed = rules & tracer->solver.stops, rule = 0;
    if (!listed)
        return;
    while (!(listed >> rule & 1))
        rule++;
    check(tracer->results, EXPECT_FIGURES, !isnan(figure), "%s is NaN, and the stopping rule \"%s\" reads it", name,
          stop_rule_name((enum stop_rule)rule));
}

/* Checks the values that the solver's rules read, if select has found something to update: no rule is met by a NaN, so
 * runs would use their whole budget. Gaps may be NaN if the judge has none either: without a bias, while no multiple of
 * W separates, and outside of the reduced hull. */
static void check_values(struct tracer *tracer)
{
    const unsigned of_gaps = set_of(STOP_RCH_GAP) | set_of(STOP_RCH_GAP_BOTH) | set_of(STOP_RCH_GAP_UPDATED) |
                             set_of(STOP_GAP_SUM_NORM2) | set_of(STOP_GAP_MAX_NORM2),
                   of_delta =
                       set_of(STOP_DELTA) | set_of(STOP_DELTA_NORM2) | set_of(STOP_DELTA_2NORM2) | set_of(STOP_KKT),
                   of_norm2 = of_gaps | set_of(STOP_DELTA_NORM2) | set_of(STOP_DELTA_2NORM2);
    const struct progress *progress = &tracer->progress;
    unsigned asked = 0; /* rules for which the loop uses this need_objective */
    for (unsigned rule = 0; rule < STOP_RULES; rule++)
        if (tracer->request->need_objective || !stop_needs_values((enum stop_rule)rule))
            asked |= 1U << rule;
    if (tracer->request->need_objective)
        check(tracer->results, EXPECT_FIGURES, !isnan(progress->objective),
              "objective is NaN, and need_objective asks for it");
    check_value(tracer, asked & of_norm2, "norm2", progress->norm2);
    check_value(tracer, asked & of_delta, "delta", progress->delta);
    check_value(tracer, asked & set_of(STOP_KKT_RELAXED), "violation", progress->violation);
    int has_gap = tracer->judged_at == tracer->iteration && isfinite(tracer->judged.duality_gap) &&
                  isfinite(tracer->judged.rounding.duality_gap);
    for (int c = 0; c < 2 && has_gap && asked & of_gaps & tracer->solver.stops; c++) {
        double gap = progress->class_gap[c];
        if (isnan(gap))
            gap = tracer->solver.gap(tracer->state, c ? -1 : 1);
        check_value(tracer, asked & of_gaps, c ? "the gap of class -1" : "the gap of class +1", gap);
    }
    check(tracer->results, EXPECT_FIGURES, progress->updated_class >= -1 && progress->updated_class <= 1,
          "updated_class is %d; expected: 1, -1 or 0", progress->updated_class);
}

/* ---- costs ---- */

static void check_cost(struct tracer *tracer, enum expectation expectation, uint64_t count)
{
    const struct solver *solver = &tracer->solver;
    int is_setup = expectation == EXPECT_SETUP_COST;
    const struct kernel_cost *usual = is_setup ? &solver->setup_cost : &solver->iteration_cost;
    const struct kernel_cost *further = is_setup ? solver->further_setup_costs : solver->further_iteration_costs;
    char declared[TEXT_SIZE / 2];
    if (!usual->is_stated)
        return;
    int is_one = cost_admits(usual, further, solver, &tracer->problem, count);
    if (!is_one)
        cost_describe(usual, further, solver, &tracer->problem, declared, sizeof declared);
    check(tracer->results, expectation, is_one, "%lu kernel operations; declared: %s", (unsigned long)count,
          is_one ? "" : declared);
}

/* ---- the loop ---- */

/* Zero if the solver asks for more memory than there is. */
static int open(struct tracer *tracer, const struct trace_request *request)
{
    struct error error = {0};
    memset(tracer, 0, sizeof *tracer);
    tracer->request = request;
    tracer->results = request->results;
    tracer->oracle = request->instance->oracle;
    tracer->problem = setting_problem(request->setting, request->solver, request->instance);
    tracer->problem.tolerance = request->tolerance;
    tracer->problem.error = &tracer->cause;
    tracer->results->now.n = request->instance->n;
    if (!state_fits(tracer->results, request->solver, &tracer->problem))
        return 0;
    tracer->solver = announced_copy(request->solver, request->results);
    if (solver_checks_open(&tracer->checks, &tracer->solver, &tracer->problem, tracer->oracle, &error) != STATUS_OK)
        die_of(&error);
    /* The labels end next to a fence in one run, and begin next to one in the other. */
    tracer->problem.y = fence_labels(request->instance->y, request->instance->n, request->need_objective);
    tracer->state = tracer->checks.state.block;
    tracer->alpha = tracer->checks.alpha.block;
    oracle_reset(tracer->oracle);
    oracle_set_ridge(tracer->oracle, solver_ridge(request->solver, &tracer->problem));
    announced.watches_allocation = empty_kept();
    tracer->results->cannot_watch = !announced.watches_allocation;
    return 1;
}

/* Fills the memory of the next calls' stack frames with a byte. */
static void __attribute__((noinline)) fill_stack(const struct trace_request *request)
{
    volatile unsigned char memory[1 << 15];
    for (size_t i = 0; i < sizeof memory && request->hashes; i++)
        memory[i] = request->fill;
}

/* Zero if the solver cannot start. */
static int start(struct tracer *tracer)
{
    fill_stack(tracer->request);
    if (tracer->solver.init(tracer->state, &tracer->problem, tracer->oracle) == STATUS_OK) {
        oracle_set_phase(tracer->oracle, PHASE_ITERATIONS);
        return 1;
    }
    note_refusal(tracer->results, tracer->cause.status != STATUS_OK ? tracer->cause.message
                                                                    : "init returned that it cannot start");
    return 0;
}

static enum status choose(struct tracer *tracer)
{
    const double none = (double)NAN;
    tracer->progress = (struct progress){.need_objective = tracer->request->need_objective,
                                         .objective = none,
                                         .norm2 = none,
                                         .delta = none,
                                         .violation = none,
                                         .class_gap = {none, none}};
    fill_stack(tracer->request);
    return tracer->solver.select(tracer->state, &tracer->progress);
}

static enum status update(struct tracer *tracer)
{
    fill_stack(tracer->request);
    const enum status status = tracer->solver.update(tracer->state, tracer->oracle);
    tracer->results->now.iteration = tracer->iteration; /* of what is found about this update */
    return status;
}

/* Runs one iteration; STATUS_OK if another may follow. */
static enum status turn(struct tracer *tracer)
{
    uint64_t before = operations(tracer);
    enum status status = choose(tracer);
    uint64_t chosen = operations(tracer);
    check_reports(tracer);
    if (status != STATUS_OK)
        return status;
    check_values(tracer);
    uint64_t looked = operations(tracer);
    status = update(tracer);
    if (status != STATUS_OK)
        return status;
    check_cost(tracer, EXPECT_ITERATION_COST, chosen - before + operations(tracer) - looked);
    return check_memory(tracer) ? STATUS_OK : STATUS_BAD_INPUT;
}

static uint64_t hash(uint64_t value, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        value = (value ^ at[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    return value;
}

/* The same, but only with a hash of the reports and multipliers. */
static enum status hash_turn(struct tracer *tracer)
{
    struct trace_hashes *hashes = tracer->request->hashes;
    const enum status status = choose(tracer);
    const uint64_t count = operations(tracer);
    const double reports[] = {tracer->progress.objective, tracer->progress.delta, tracer->progress.violation,
                              tracer->solver.gap(tracer->state, 0)};
    tracer->solver.alpha(tracer->state, tracer->alpha);
    uint64_t value = hash(UINT64_C(0xcbf29ce484222325), tracer->alpha, tracer->problem.n * sizeof *tracer->alpha);
    for (size_t k = 0; k < sizeof reports / sizeof *reports; k++)
        if (!isnan(reports[k])) /* the bits of a NaN may differ */
            value = hash(value, &reports[k], sizeof reports[k]);
    hashes->item[hashes->count++] = hash(value, &count, sizeof count);
    const enum status last = status == STATUS_OK ? update(tracer) : status;
    oracle_expire_rows(tracer->oracle);
    return last;
}

int trace_solver(const struct trace_request *request)
{
    struct tracer tracer;
    enum status last = STATUS_OK;
    if (request->hashes)
        request->hashes->count = 0;
    if (!open(&tracer, request))
        return 0;
    const int starts = start(&tracer);
    if (starts && !request->hashes) {
        check_cost(&tracer, EXPECT_SETUP_COST, operations(&tracer));
        last = check_memory(&tracer) ? STATUS_OK : STATUS_BAD_INPUT;
    }
    while (starts && last == STATUS_OK && tracer.iteration < request->iterations) {
        last = request->hashes ? hash_turn(&tracer) : turn(&tracer);
        if (last == STATUS_OK)
            tracer.results->now.iteration = ++tracer.iteration;
    }
    if (starts && !request->hashes) {
        if (last != STATUS_BAD_INPUT)
            check_end(&tracer, last);
        check(request->results, EXPECT_END, 1, "x");
        if (tracer.iteration > request->results->longest)
            request->results->longest = tracer.iteration;
    }
    solver_checks_close(&tracer.checks);
    return starts;
}
