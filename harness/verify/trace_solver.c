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
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/base/die.h"
#include "harness/base/platform.h"
#include "harness/evaluate/solver_checks.h"
#include "harness/support/available_memory.h"

struct tracer {
    const struct trace_request *request;
    const struct solver *solver;
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
    int watches_allocation;
    size_t allocated; /* bytes in use before the call */
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

/* ---- calls of the solver, which are noted in the results ---- */

static void begin_call(struct tracer *tracer, enum running_call_name name)
{
    running_enter(&tracer->results->call, name, tracer->iteration);
    if (tracer->watches_allocation)
        tracer->allocated = platform_bytes_allocated();
}

static void end_call(struct tracer *tracer)
{
    struct running_call *call = &tracer->results->call;
    const size_t now = tracer->watches_allocation ? platform_bytes_allocated() : 0;
    if (tracer->watches_allocation)
        check(tracer->results, EXPECT_NO_ALLOCATION, now <= tracer->allocated,
              "%s allocated memory: %zu more bytes are in use; expected: none", running_call_text(call->name),
              now - tracer->allocated);
    running_enter(call, CALLED_NONE, tracer->iteration);
}

static void take_alpha(struct tracer *tracer)
{
    begin_call(tracer, CALLED_ALPHA);
    tracer->solver->alpha(tracer->state, tracer->alpha);
    end_call(tracer);
}

static double gap_of(struct tracer *tracer, int class)
{
    begin_call(tracer, CALLED_GAP);
    const double gap = tracer->solver->gap(tracer->state, class);
    end_call(tracer);
    return gap;
}

int state_fits(struct check_results *results, const struct solver *solver, const struct problem *problem)
{
    const struct available_memory available = memory_available("");
    running_enter(&results->call, CALLED_STATE_SIZE, 0);
    const size_t size = solver->state_size(problem); /* it may allocate */
    running_enter(&results->call, CALLED_NONE, 0);
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
    running_enter(&tracer->results->call, CALLED_ALPHA, tracer->iteration);
    const int is_sound = solver_checks_finish(&tracer->checks, out);
    running_enter(&tracer->results->call, CALLED_NONE, tracer->iteration);
    if (!is_sound)
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
    take_alpha(tracer);
    check(tracer->results, EXPECT_MEMORY, guarded_block_is_intact(&tracer->checks.alpha),
          "alpha wrote outside the %zu multipliers", tracer->problem.n);
    judge(&(struct judging){&tracer->problem, tracer->solver->formulation, tracer->request->instance->gram,
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
        tracer->results->largest_drift = fmax(tracer->results->largest_drift, off / fmax(1, fabs(recomputed)));
    }
    check(tracer->results, expectation, off <= bound, "%s: reported %.12g, recomputed %.12g, rounding explains %.2g",
          name, reported, recomputed, bound);
}

static void check_objective(struct tracer *tracer)
{
    const struct solver *solver = tracer->solver;
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
        reported[class + 1] = gap_of(tracer, class);
    if (operations(tracer) != before)
        check(tracer->results, EXPECT_ITERATION_COST, 0, "gap asked for %lu kernel operations; expected: none",
              (unsigned long)(operations(tracer) - before));
    if (isinf(tracer->progress.violation))
        return;
    if (isfinite(judged->duality_gap) && isfinite(judged->rounding.duality_gap) && !isnan(reported[1]))
        compare(tracer, EXPECT_GAP, "gap", reported[1], judged->duality_gap, tracer->largest.duality_gap);
    for (int c = 0; c < 2 && tracer->solver->formulation == FORMULATION_NEAREST_POINTS; c++)
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
    if (tracer->solver->may_stall || isinf(progress->violation) || tracer->request->is_long)
        return;
    if (tracer->solver->formulation == FORMULATION_MINIMUM_NORM) {
        figure = judged->duality_gap, rounding = tracer->largest.duality_gap, name = "duality gap";
    } else if (tracer->solver->formulation == FORMULATION_NEAREST_POINTS) {
        int larger = judged->class_gap[1] > judged->class_gap[0];
        figure = judged->class_gap[larger], rounding = tracer->largest.class_gap[larger], name = "larger gap";
    }
    if (isnan(figure))
        return;
    if (!isnan(progress->delta) && !isinf(progress->delta))
        check(tracer->results, EXPECT_DELTA, figure - allowed(tracer, rounding) <= fmax(progress->delta, 0),
              "Delta: reported %.12g, and the %s is %.12g; expected: no less", progress->delta, name, figure);
    if (!isnan(progress->violation) && !formulation_is_norm(tracer->solver->formulation))
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
    unsigned listed = rules & tracer->solver->stops, rule = 0;
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
    for (int c = 0; c < 2 && has_gap && asked & of_gaps & tracer->solver->stops; c++) {
        double gap = progress->class_gap[c];
        if (isnan(gap))
            gap = gap_of(tracer, c ? -1 : 1);
        check_value(tracer, asked & of_gaps, c ? "the gap of class -1" : "the gap of class +1", gap);
    }
    check(tracer->results, EXPECT_FIGURES, progress->updated_class >= -1 && progress->updated_class <= 1,
          "updated_class is %d; expected: 1, -1 or 0", progress->updated_class);
}

/* ---- costs: the formula of struct kernel_cost (solvers/solver.h) ---- */

enum { TERMS = 9 };
struct term {
    unsigned factor;
    const char *name;
    uint64_t count;
};

/* Lists the terms, the constant last, and returns their sum. m: the M of the formula, patterns in a cycle. */
static uint64_t list_terms(const struct tracer *tracer, const struct kernel_cost *cost, uint64_t m,
                           struct term terms[TERMS])
{
    const struct problem *problem = &tracer->problem;
    const double mu = setting_value(tracer->solver, problem, &parameter_mu, 1);
    const double full = floor(1 / mu + 1e-9); /* 1 / (1 / 3) is 3, however it is rounded */
    const double learned = floor(setting_value(tracer->solver, problem, &parameter_nu, 0) * (double)problem->n + 0.5);
    const double q = setting_value(tracer->solver, problem, &parameter_q, 0);
    const uint64_t n = problem->n, k = (uint64_t)full, r = 1 - full * mu > 1e-9;
    const struct term all[TERMS] = {
        {cost->n2, "N^2", n * n},
        {cost->n, "N", n},
        {cost->rows_q, "q N", (uint64_t)fmin(q, (double)n) * n},
        {cost->rows_nu, "nu N N", (uint64_t)fmax(learned, 1) * n},
        {cost->rows_point, r ? "(K + 1) N" : "K N", (k + r) * n},
        {cost->norms_point, r ? "(K^2 + K + 1)" : "K^2", k * k + r * (k + 1)},
        {cost->rows_cycle, "M N", m * n},
        {cost->values_cycle, "M (M + 1) / 2", m * (m + 1) / 2},
        {cost->constant, "", 1},
    };
    uint64_t sum = 0;
    memcpy(terms, all, sizeof all);
    for (size_t t = 0; t < TERMS; t++)
        sum += terms[t].factor * terms[t].count;
    return sum;
}

/* The largest M; 0: the cost does not depend on one. */
static uint64_t max_cycle(const struct tracer *tracer, const struct kernel_cost *cost)
{
    const double history = setting_value(tracer->solver, &tracer->problem, &parameter_history, 0);
    return cost->rows_cycle || cost->values_cycle ? (uint64_t)fmin(2 * history, (double)tracer->problem.n) : 0;
}

static int cost_admits(const struct tracer *tracer, const struct kernel_cost *cost, uint64_t count)
{
    struct term terms[TERMS];
    const uint64_t cycle = max_cycle(tracer, cost);
    if (!cycle) {
        const uint64_t stated = list_terms(tracer, cost, 0, terms);
        return cost->at_most ? count <= stated : count == stated;
    }
    for (uint64_t m = 1; m <= cycle; m++)
        if (list_terms(tracer, cost, m, terms) == count)
            return 1;
    return 0;
}

/* "2 N = 60" or "at most N^2 + 2 N = 960" */
static void cost_print(const struct tracer *tracer, const struct kernel_cost *cost, FILE *stream)
{
    struct term terms[TERMS];
    const uint64_t cycle = max_cycle(tracer, cost), sum = list_terms(tracer, cost, 0, terms);
    const char *plus = "";
    fputs(cost->at_most ? "at most " : "", stream);
    for (const struct term *term = terms; term < terms + TERMS; term++) {
        const int is_constant = term == terms + TERMS - 1;
        if (!term->factor && !(is_constant && !*plus))
            continue;
        fputs(plus, stream);
        if (term->factor != 1 || is_constant)
            fprintf(stream, is_constant ? "%u" : "%u ", term->factor);
        fputs(term->name, stream);
        plus = " + ";
    }
    if (cycle)
        fprintf(stream, " for an M up to %lu", (unsigned long)cycle);
    else
        fprintf(stream, " = %lu", (unsigned long)sum);
}

/* Checks that one of the declared costs is the count of kernel operations. */
static void check_cost(struct tracer *tracer, enum expectation expectation, uint64_t count)
{
    const struct solver *solver = tracer->solver;
    const int is_setup = expectation == EXPECT_SETUP_COST;
    const struct kernel_cost *usual = is_setup ? &solver->setup_cost : &solver->iteration_cost;
    const struct kernel_cost *further = is_setup ? solver->further_setup_costs : solver->further_iteration_costs;
    const struct kernel_cost *other = further;
    char *declared = NULL;
    size_t size = 0;
    if (!usual->is_stated)
        return;
    int is_one = cost_admits(tracer, usual, count);
    for (; other && other->is_stated && !is_one; other++)
        is_one = cost_admits(tracer, other, count);
    FILE *stream = is_one ? NULL : xopen_text(&declared, &size);
    for (other = is_one ? NULL : usual; other && other->is_stated; other = other == usual ? further : other + 1) {
        fputs(other == usual ? "" : ", or ", stream);
        cost_print(tracer, other, stream);
    }
    if (stream)
        xclose_text(stream);
    check(tracer->results, expectation, is_one, "%lu kernel operations; declared: %s", (unsigned long)count,
          declared ? declared : "");
    free(declared);
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
    tracer->solver = request->solver;
    die_unless_ok(solver_checks_open(&tracer->checks, tracer->solver, &tracer->problem, tracer->oracle, &error),
                  &error);
    /* The labels end next to a fence in one run, and begin next to one in the other. */
    tracer->problem.y = fence_labels(request->instance->y, request->instance->n, request->need_objective);
    tracer->state = tracer->checks.state.block;
    tracer->alpha = tracer->checks.alpha.block;
    oracle_reset(tracer->oracle);
    oracle_set_ridge(tracer->oracle, solver_ridge(request->solver, &tracer->problem));
    tracer->watches_allocation = empty_kept();
    tracer->results->cannot_watch = !tracer->watches_allocation;
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
    begin_call(tracer, CALLED_INIT);
    const enum status status = tracer->solver->init(tracer->state, &tracer->problem, tracer->oracle);
    end_call(tracer);
    if (status == STATUS_OK) {
        oracle_set_phase(tracer->oracle, PHASE_ITERATIONS);
        return 1;
    }
    note_refusal(tracer->results, tracer->cause.status != STATUS_OK ? tracer->cause.message
                                                                    : "init returned that it cannot start");
    return 0;
}

static enum status choose(struct tracer *tracer)
{
    tracer->progress = progress_unknown(tracer->request->need_objective);
    fill_stack(tracer->request);
    begin_call(tracer, CALLED_SELECT);
    const enum status status = tracer->solver->select(tracer->state, &tracer->progress);
    end_call(tracer);
    return status;
}

static enum status update(struct tracer *tracer)
{
    fill_stack(tracer->request);
    begin_call(tracer, CALLED_UPDATE);
    const enum status status = tracer->solver->update(tracer->state, tracer->oracle);
    end_call(tracer);
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
                              gap_of(tracer, 0)};
    take_alpha(tracer);
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
        if (tracer.iteration > request->results->longest)
            request->results->longest = tracer.iteration;
    }
    if (starts)
        check(request->results, EXPECT_END, tracer.cause.status == STATUS_OK, "%s", tracer.cause.message);
    solver_checks_close(&tracer.checks);
    return starts;
}
