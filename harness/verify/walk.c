/*
 * Follows a solver iteration by iteration (walk.h).
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
 */
#include "harness/verify/walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solver_checks.h"
#include "harness/support/available_memory.h"
#include "harness/verify/allocation.h"
#include "harness/verify/cost.h"
#include "harness/verify/fence.h"

static const double infeasible = 1e-9; /* as in records, which are `failed` above it */

struct walker {
    const struct walk_request *request;
    const struct solver *solver;
    struct board *board;
    struct oracle *oracle;
    struct problem problem;
    struct solver_checks checks;
    void *state;
    double *alpha; /* checks.alpha.block */
    double products[MAX_INSTANCE + SIMD_LANES] __attribute__((aligned(SIMD_ALIGNMENT)));
    double scratch[MAX_INSTANCE + SIMD_LANES] __attribute__((aligned(SIMD_ALIGNMENT)));
    struct progress progress;
    struct judgement judged;
    struct judged_rounding largest; /* of the run */
    double previous;
    int has_previous;
    uint64_t iteration, next_look, judged_at; /* the iteration of `judged` */
    struct error cause;
};

/* ---- calls ---- */

void walk_enter(struct board *board, enum call call)
{
    board->call = call;
    board->calls++;
}

static void enter(struct walker *walker, enum call call)
{
    walk_enter(walker->board, call);
    allocation_begin();
}

static void leave(struct walker *walker)
{
    static const char *const names[CALLS] = {"", "state_size", "init", "select", "update", "gap", "alpha", "solve"};
    size_t bytes, count = allocation_end(&bytes);
    if (!walker->board->cannot_watch)
        board_look(walker->board, EXPECT_NO_ALLOCATION, count == 0,
                   "%s allocated memory %zu times, first %zu bytes; expected: never", names[walker->board->call], count,
                   bytes);
    walker->board->call = CALL_NONE;
}

int walk_state_fits(struct board *board, const struct solver *solver, const struct problem *problem)
{
    const struct available_memory available = memory_available("");
    walk_enter(board, CALL_STATE_SIZE);
    size_t size = solver->state_size(problem);
    board->call = CALL_NONE;
    void *memory = (double)size <= available.bytes ? malloc(size + !size) : NULL;
    board_look(board, EXPECT_MEMORY, memory != NULL,
               "state_size requests %zu bytes for %zu patterns, more than are available (%s)", size, problem->n,
               available.limit);
    free(memory);
    return memory != NULL;
}

static uint64_t operations(const struct walker *walker)
{
    return oracle_operations(walker->oracle, PHASE_SETUP) + oracle_operations(walker->oracle, PHASE_ITERATIONS);
}

/* ---- a solver whose calls are announced ---- */

/* The functions of a solver have no context argument. */
static struct {
    const struct solver *solver;
    struct board *board;
} announced;

static size_t announced_state_size(const struct problem *problem)
{
    announced.board->now.iteration = 0;
    walk_enter(announced.board, CALL_STATE_SIZE);
    return announced.solver->state_size(problem);
}

static enum status announced_init(void *state, const struct problem *problem, struct oracle *oracle)
{
    walk_enter(announced.board, CALL_INIT);
    return announced.solver->init(state, problem, oracle);
}

static enum status announced_select(void *state, struct progress *progress)
{
    walk_enter(announced.board, CALL_SELECT);
    return announced.solver->select(state, progress);
}

static enum status announced_update(void *state, struct oracle *oracle)
{
    walk_enter(announced.board, CALL_UPDATE);
    enum status status = announced.solver->update(state, oracle);
    announced.board->now.iteration++;
    return status;
}

static double announced_gap(const void *state, int class)
{
    walk_enter(announced.board, CALL_GAP);
    return announced.solver->gap(state, class);
}

static void announced_alpha(const void *state, double *alpha)
{
    walk_enter(announced.board, CALL_ALPHA);
    announced.solver->alpha(state, alpha);
}

struct solver walk_announced(const struct solver *solver, struct board *board)
{
    struct solver copy = *solver;
    announced.solver = solver;
    announced.board = board;
    walk_enter(board, CALL_SOLVE);
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

/* ---- memory and rows ---- */

/* The expectation that a reason of solver_checks concerns. */
static enum expectation of_reason(const char *reason)
{
    return strstr(reason, " row") ? EXPECT_ROWS : EXPECT_MEMORY;
}

/* Zero if the solver broke the contract: the rest of the run is meaningless. */
static int look_at_memory(struct walker *walker)
{
    const uint64_t every_time = 1; /* full check after every iteration */
    if (memcmp(walker->problem.y, walker->request->instance->y, walker->problem.n) != 0) {
        board_look(walker->board, EXPECT_MEMORY, 0, "the solver wrote into the labels of the problem");
        return 0;
    }
    if (solver_checks_look(&walker->checks, every_time)) {
        board_look(walker->board, EXPECT_MEMORY, 1, "x");
        board_look(walker->board, EXPECT_ROWS, 1, "x");
        return 1;
    }
    board_look(walker->board, of_reason(walker->checks.reason), 0, "%s", walker->checks.reason);
    return 0;
}

static void look_at_end(struct walker *walker, enum status status)
{
    double out[MAX_INSTANCE];
    enter(walker, CALL_ALPHA);
    int is_sound = solver_checks_finish(&walker->checks, out);
    leave(walker);
    if (!is_sound)
        board_look(walker->board, of_reason(walker->checks.reason), 0, "%s", walker->checks.reason);
    else if (status == STATUS_STALLED)
        board_look(walker->board, EXPECT_ROWS, !solver_checks_keeps_row(&walker->checks),
                   "the solver found no step, and its state holds the address of a kernel row that has expired");
}

/* ---- reports ---- */

static double allowed(const struct walker *walker, double rounding)
{
    return (4 + 8 * sqrt((double)walker->iteration)) * rounding;
}

static double minimised(const struct walker *walker, double objective)
{
    return formulation_is_norm(walker->solver->formulation) ? objective : -objective;
}

static void judge_now(struct walker *walker)
{
    struct judged_rounding *largest = &walker->largest;
    const struct judged_rounding *now = &walker->judged.rounding;
    enter(walker, CALL_ALPHA);
    walker->solver->alpha(walker->state, walker->alpha);
    leave(walker);
    board_look(walker->board, EXPECT_MEMORY, guarded_block_is_intact(&walker->checks.alpha),
               "alpha wrote outside the %zu multipliers", walker->problem.n);
    judge(&walker->problem, walker->solver->formulation, walker->request->instance->gram, walker->alpha, 1e-6,
          walker->products, walker->scratch, &walker->judged);
    walker->judged_at = walker->iteration;
    largest->objective = fmax(largest->objective, now->objective);
    if (isfinite(now->duality_gap))
        largest->duality_gap = fmax(largest->duality_gap, now->duality_gap);
    largest->kkt_violation = fmax(largest->kkt_violation, now->kkt_violation);
    for (int c = 0; c < 2; c++)
        largest->class_gap[c] = fmax(largest->class_gap[c], now->class_gap[c]);
}

static void compare(struct walker *walker, enum expectation expectation, const char *name, double reported,
                    double recomputed, double rounding)
{
    double off = fabs(reported - recomputed), bound = allowed(walker, rounding);
    if (walker->request->is_long) {
        expectation = EXPECT_NO_DRIFT;
        board_largest(walker->board, expectation, off / fmax(1, fabs(recomputed)));
    }
    board_look(walker->board, expectation, off <= bound, "%s: reported %.12g, recomputed %.12g, rounding explains %.2g",
               name, reported, recomputed, bound);
}

static void look_at_objective(struct walker *walker)
{
    const struct solver *solver = walker->solver;
    double judged = minimised(walker, walker->judged.objective);
    double may_grow = allowed(walker, walker->largest.objective);
    if (walker->request->need_objective && !isnan(walker->progress.objective))
        compare(walker, EXPECT_OBJECTIVE, "objective", walker->progress.objective, judged, walker->largest.objective);
    if (solver->is_monotone && walker->has_previous && !walker->request->is_long)
        board_look(walker->board, EXPECT_MONOTONE, judged <= walker->previous + may_grow,
                   "the objective grew by %.3g to %.12g; expected: at most %.12g", judged - walker->previous, judged,
                   walker->previous);
    walker->previous = judged;
    walker->has_previous = 1;
}

static double gap_of(struct walker *walker, int class)
{
    enter(walker, CALL_GAP);
    double gap = walker->solver->gap(walker->state, class);
    leave(walker);
    return gap;
}

static void look_at_gap(struct walker *walker)
{
    const struct judgement *judged = &walker->judged;
    double reported[3];
    uint64_t before = operations(walker);
    for (int class = -1; class <= 1; class++)
        reported[class + 1] = gap_of(walker, class);
    if (operations(walker) != before)
        board_look(walker->board, EXPECT_ITERATION_COST, 0, "gap asked for %lu kernel operations; expected: none",
                   (unsigned long)(operations(walker) - before));
    if (isinf(walker->progress.violation))
        return;
    if (isfinite(judged->duality_gap) && isfinite(judged->rounding.duality_gap) && !isnan(reported[1]))
        compare(walker, EXPECT_GAP, "gap", reported[1], judged->duality_gap, walker->largest.duality_gap);
    for (int c = 0; c < 2 && walker->solver->formulation == FORMULATION_NEAREST_POINTS; c++)
        if (!isnan(reported[c ? 0 : 2]))
            compare(walker, EXPECT_GAP, c ? "gap of class -1" : "gap of class +1", reported[c ? 0 : 2],
                    judged->class_gap[c], walker->largest.class_gap[c]);
}

static void look_at_delta(struct walker *walker)
{
    const struct judgement *judged = &walker->judged;
    const struct progress *progress = &walker->progress;
    double figure = judged->kkt_violation, rounding = walker->largest.kkt_violation;
    const char *name = "KKT violation";
    if (walker->solver->may_stall || isinf(progress->violation) || walker->request->is_long)
        return;
    if (walker->solver->formulation == FORMULATION_MINIMUM_NORM) {
        figure = judged->duality_gap, rounding = walker->largest.duality_gap, name = "duality gap";
    } else if (walker->solver->formulation == FORMULATION_NEAREST_POINTS) {
        int larger = judged->class_gap[1] > judged->class_gap[0];
        figure = judged->class_gap[larger], rounding = walker->largest.class_gap[larger], name = "larger gap";
    }
    if (isnan(figure))
        return;
    if (!isnan(progress->delta) && !isinf(progress->delta))
        board_look(walker->board, EXPECT_DELTA, figure - allowed(walker, rounding) <= fmax(progress->delta, 0),
                   "Delta: reported %.12g, and the %s is %.12g; expected: no less", progress->delta, name, figure);
    if (!isnan(progress->violation) && !formulation_is_norm(walker->solver->formulation))
        board_look(walker->board, EXPECT_DELTA,
                   0.5 * figure - allowed(walker, rounding) <= fmax(progress->violation, 0),
                   "violation: reported %.12g, and half the %s is %.12g; expected: no less", progress->violation, name,
                   0.5 * figure);
}

static void look_at_reports(struct walker *walker)
{
    if (walker->request->is_long && walker->iteration < walker->next_look)
        return;
    walker->next_look = walker->iteration + walker->iteration / 20 + 1;
    judge_now(walker);
    board_look(walker->board, EXPECT_FEASIBLE, walker->judged.feasibility <= infeasible,
               "a constraint is violated by %.3g; expected: at most %.0e", walker->judged.feasibility, infeasible);
    if (!(walker->judged.feasibility <= infeasible))
        return; /* no other value is meaningful */
    look_at_objective(walker);
    look_at_gap(walker);
    look_at_delta(walker);
}

/* ---- values for stopping rules ---- */

static unsigned set_of(enum stop_rule rule)
{
    return 1U << rule;
}

/* Checks a value that `rules` read; the message names the first of these that the solver lists. */
static void look_at_figure(struct walker *walker, unsigned rules, const char *name, double figure)
{
    unsigned listed = rules & walker->solver->stops, rule = 0;
    if (!listed)
        return;
    while (!(listed >> rule & 1))
        rule++;
    board_look(walker->board, EXPECT_FIGURES, !isnan(figure), "%s is NaN, and the stopping rule \"%s\" reads it", name,
               stop_rule_name((enum stop_rule)rule));
}

/* Checks the values that the solver's rules read, if select has found something to update: no rule is met by a NaN, so
 * runs would use their whole budget. Gaps may be NaN if the judge has none either: without a bias, while no multiple of
 * W separates, and outside of the reduced hull. */
static void look_at_figures(struct walker *walker)
{
    const unsigned of_gaps = set_of(STOP_RCH_GAP) | set_of(STOP_RCH_GAP_BOTH) | set_of(STOP_RCH_GAP_UPDATED) |
                             set_of(STOP_GAP_SUM_NORM2) | set_of(STOP_GAP_MAX_NORM2),
                   of_delta =
                       set_of(STOP_DELTA) | set_of(STOP_DELTA_NORM2) | set_of(STOP_DELTA_2NORM2) | set_of(STOP_KKT),
                   of_norm2 = of_gaps | set_of(STOP_DELTA_NORM2) | set_of(STOP_DELTA_2NORM2);
    const struct progress *progress = &walker->progress;
    unsigned asked = 0; /* rules for which the loop uses this need_objective */
    for (unsigned rule = 0; rule < STOP_RULES; rule++)
        if (walker->request->need_objective || !stop_needs_values((enum stop_rule)rule))
            asked |= 1U << rule;
    if (walker->request->need_objective)
        board_look(walker->board, EXPECT_FIGURES, !isnan(progress->objective),
                   "objective is NaN, and need_objective asks for it");
    look_at_figure(walker, asked & of_norm2, "norm2", progress->norm2);
    look_at_figure(walker, asked & of_delta, "delta", progress->delta);
    look_at_figure(walker, asked & set_of(STOP_KKT_RELAXED), "violation", progress->violation);
    int has_gap = walker->judged_at == walker->iteration && isfinite(walker->judged.duality_gap) &&
                  isfinite(walker->judged.rounding.duality_gap);
    for (int c = 0; c < 2 && has_gap && asked & of_gaps & walker->solver->stops; c++) {
        double gap = progress->class_gap[c];
        if (isnan(gap))
            gap = gap_of(walker, c ? -1 : 1);
        look_at_figure(walker, asked & of_gaps, c ? "the gap of class -1" : "the gap of class +1", gap);
    }
    board_look(walker->board, EXPECT_FIGURES, progress->updated_class >= -1 && progress->updated_class <= 1,
               "updated_class is %d; expected: 1, -1 or 0", progress->updated_class);
}

/* ---- costs ---- */

static void look_at_cost(struct walker *walker, enum expectation expectation, uint64_t count)
{
    const struct solver *solver = walker->solver;
    int is_setup = expectation == EXPECT_SETUP_COST;
    const struct kernel_cost *usual = is_setup ? &solver->setup_cost : &solver->iteration_cost;
    const struct kernel_cost *further = is_setup ? solver->further_setup_costs : solver->further_iteration_costs;
    char declared[TEXT_SIZE / 2];
    if (!usual->is_stated)
        return;
    int is_one = cost_admits(usual, further, solver, &walker->problem, count);
    if (!is_one)
        cost_describe(usual, further, solver, &walker->problem, declared, sizeof declared);
    board_look(walker->board, expectation, is_one, "%lu kernel operations; declared: %s", (unsigned long)count,
               is_one ? "" : declared);
}

/* ---- the loop ---- */

static enum status open(struct walker *walker, const struct walk_request *request, struct error *error)
{
    memset(walker, 0, sizeof *walker);
    walker->request = request;
    walker->solver = request->solver;
    walker->board = request->board;
    walker->oracle = request->instance->oracle;
    walker->problem = setting_problem(request->setting, request->solver, request->instance);
    walker->problem.tolerance = request->tolerance;
    walker->problem.error = &walker->cause;
    walker->board->now.n = request->instance->n;
    walker->board->now.iteration = 0;
    if (!walk_state_fits(walker->board, walker->solver, &walker->problem))
        return STATUS_BAD_INPUT;
    walk_enter(walker->board, CALL_STATE_SIZE);
    enum status status = solver_checks_open(&walker->checks, walker->solver, &walker->problem, walker->oracle, error);
    walker->board->call = CALL_NONE;
    if (status != STATUS_OK)
        return status;
    /* The labels end next to a fence in one run, and begin next to one in the other. */
    walker->problem.y = fence_labels(request->instance->y, request->instance->n, request->need_objective);
    if (!walker->problem.y) {
        solver_checks_close(&walker->checks);
        return error_set(error, STATUS_NO_MEMORY, "out of memory");
    }
    walker->state = walker->checks.state.block;
    walker->alpha = walker->checks.alpha.block;
    oracle_reset(walker->oracle);
    oracle_set_ridge(walker->oracle, solver_ridge(walker->solver, &walker->problem));
    return STATUS_OK;
}

static enum status start(struct walker *walker)
{
    struct board *board = walker->board;
    enter(walker, CALL_INIT);
    enum status status = walker->solver->init(walker->state, &walker->problem, walker->oracle);
    leave(walker);
    if (status == STATUS_OK) {
        oracle_set_phase(walker->oracle, PHASE_ITERATIONS);
        return status;
    }
    if (board->refused++ == 0)
        snprintf(board->refusal, sizeof board->refusal, "%.280s",
                 walker->cause.status != STATUS_OK ? walker->cause.message : "init returned that it cannot start");
    return STATUS_BAD_INPUT;
}

static enum status choose(struct walker *walker)
{
    walker->progress = (struct progress){
        .need_objective = walker->request->need_objective,
        .objective = (double)NAN,
        .norm2 = (double)NAN,
        .delta = (double)NAN,
        .violation = (double)NAN,
        .class_gap = {(double)NAN, (double)NAN},
    };
    enter(walker, CALL_SELECT);
    enum status status = walker->solver->select(walker->state, &walker->progress);
    leave(walker);
    return status;
}

static enum status update(struct walker *walker)
{
    enter(walker, CALL_UPDATE);
    enum status status = walker->solver->update(walker->state, walker->oracle);
    leave(walker);
    return status;
}

/* Runs one iteration; STATUS_OK if another may follow. */
static enum status turn(struct walker *walker)
{
    uint64_t before = operations(walker);
    enum status status = choose(walker);
    uint64_t chosen = operations(walker);
    look_at_reports(walker);
    if (status != STATUS_OK)
        return status;
    look_at_figures(walker);
    uint64_t looked = operations(walker);
    status = update(walker);
    if (status != STATUS_OK)
        return status;
    look_at_cost(walker, EXPECT_ITERATION_COST, chosen - before + operations(walker) - looked);
    if (!look_at_memory(walker))
        return STATUS_BAD_INPUT;
    walker->board->now.iteration = ++walker->iteration;
    return STATUS_OK;
}

enum status walk(const struct walk_request *request, struct error *error)
{
    struct walker walker;
    enum status status = open(&walker, request, error), last = STATUS_OK;
    if (status != STATUS_OK)
        return status;
    status = start(&walker);
    if (status == STATUS_OK) {
        look_at_cost(&walker, EXPECT_SETUP_COST, operations(&walker));
        if (look_at_memory(&walker)) {
            while (last == STATUS_OK && walker.iteration < request->iterations)
                last = turn(&walker);
            if (last != STATUS_BAD_INPUT)
                look_at_end(&walker, last);
        }
        board_look(request->board, EXPECT_END, 1, "x");
        if (walker.iteration > request->board->longest)
            request->board->longest = walker.iteration;
    }
    solver_checks_close(&walker.checks);
    return status;
}

/* ---- trails ---- */

/* Fills the memory of the next calls' stack frames with a byte. */
static void __attribute__((noinline)) fill_stack(unsigned char fill)
{
    volatile unsigned char memory[1 << 15];
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = fill;
}

static uint64_t hash(uint64_t value, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        value = (value ^ at[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    return value;
}

static uint64_t hash_iteration(struct walker *walker)
{
    double gap = walker->solver->gap(walker->state, 0);
    const double reports[] = {walker->progress.objective, walker->progress.delta, walker->progress.violation, gap};
    uint64_t count = operations(walker);
    walker->solver->alpha(walker->state, walker->alpha);
    uint64_t value = hash(UINT64_C(0xcbf29ce484222325), walker->alpha, walker->problem.n * sizeof *walker->alpha);
    for (size_t k = 0; k < sizeof reports / sizeof *reports; k++)
        if (!isnan(reports[k])) /* the bits of a NaN may differ */
            value = hash(value, &reports[k], sizeof reports[k]);
    return hash(value, &count, sizeof count);
}

enum status walk_trail(const struct walk_request *request, unsigned char fill, struct trail *trail,
                       struct error *error)
{
    struct walker walker;
    enum status status = open(&walker, request, error), last = STATUS_OK;
    trail->count = 0;
    if (status != STATUS_OK)
        return status;
    fill_stack(fill);
    status = start(&walker);
    while (status == STATUS_OK && last == STATUS_OK && trail->count < TRAIL_ITERATIONS) {
        fill_stack(fill);
        last = choose(&walker);
        trail->hashes[trail->count++] = hash_iteration(&walker);
        fill_stack(fill);
        if (last == STATUS_OK)
            last = update(&walker);
        oracle_expire_rows(walker.oracle);
        walker.board->now.iteration = ++walker.iteration;
    }
    solver_checks_close(&walker.checks);
    return status;
}
