/*
 * packed-smo and packed-second-order-smo on problems large enough to pack and to start with a sample. The judge
 * certifies the results; they must not depend on memory or vector width, and the solvers' reports must be true.
 */
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "solvers/kernel/helpers.h"
#include "tests/all_tests.h"

enum { DIMS = 2 };
static const char *const packed_solvers[] = {"packed-smo", "packed-second-order-smo"};
enum { PACKED_SOLVERS = sizeof packed_solvers / sizeof *packed_solvers };
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 0.5};

struct field {
    size_t n;
    double *x;
    signed char *y;
    size_t *rows;
    struct points points;
    struct gram *gram;
    struct oracle *oracle;
    struct problem problem;
};

/* Points in a square, coloured like a 2 x 2 chessboard, some of them with the wrong colour. */
static void open_field(struct field *field, size_t n, double c, size_t budget, const char *width)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    *field = (struct field){
        .n = n, .x = malloc(n * DIMS * sizeof(double)), .y = malloc(n), .rows = malloc(n * sizeof(size_t))};
    assert_true(rng && field->x && field->y && field->rows);
    for (size_t i = 0; i < n; i++) {
        double *x = field->x + DIMS * i;
        x[0] = 2 * gsl_rng_uniform(rng);
        x[1] = 2 * gsl_rng_uniform(rng);
        int other = gsl_rng_uniform(rng) < 0.02;
        field->y[i] = ((int)x[0] + (int)x[1] + other) % 2 ? -1 : 1;
        field->rows[i] = i;
    }
    gsl_rng_free(rng);
    const struct simd *simd = simd_select(width);
    assert_int_equal(points_create(&field->points, KERNEL_RBF, patterns_dense(field->x, n, DIMS), field->rows, n,
                                   NULL), STATUS_OK);
    assert_int_equal(gram_create(&field->gram, simd, &field->points, budget, 0, NULL), STATUS_OK);
    assert_int_equal(oracle_create(&field->oracle, field->gram, NULL), STATUS_OK);
    gram_set_kernel(field->gram, &rbf);
    field->problem = (struct problem){.n = n, .y = field->y};
    field->problem.parameters = (struct parameters){0};
    parameter_set(&field->problem.parameters, &parameter_c, c);
}

static void close_field(struct field *field)
{
    oracle_free(field->oracle);
    gram_free(field->gram);
    points_free(&field->points);
    free(field->x), free(field->y), free(field->rows);
}

static struct solution run(struct field *field, const char *solver, double tolerance, double *alpha)
{
    struct solution solution;
    struct solve_request request = {.solver = solver_find(solver), .problem = &field->problem, .oracle = field->oracle,
                                    .stop = {STOP_KKT, tolerance}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
    return solution;
}

static struct judgement judge_it(struct field *field, const double *alpha)
{
    struct judgement judgement;
    double *products = simd_doubles(field->n), *scratch = simd_doubles(field->n);
    judge(&(struct judging){&field->problem, FORMULATION_C_SVM, field->gram, alpha, 0, products, scratch}, &judgement);
    free(products), free(scratch);
    return judgement;
}

static const size_t all_rows = (size_t)1 << 30, few_rows = (size_t)1 << 21;

static void certify(const char *solver)
{
    const double penalties[] = {0.5, 10, 300};
    for (size_t p = 0; p < 3; p++)
        for (size_t n = 600; n <= 8400; n *= 14) {
            struct field field;
            open_field(&field, n, penalties[p], n > 1000 ? few_rows : all_rows, NULL);
            double *alpha = simd_doubles(n), *other = simd_doubles(n);
            run(&field, solver, 1e-4, alpha);
            struct judgement judgement = judge_it(&field, alpha);
            assert_true(judgement.kkt_violation <= 1e-4 * (1 + 1e-9) && judgement.feasibility <= 1e-12);
            if (n < 1000) { /* the objective exceeds the optimum by at most the gap */
                run(&field, "1-smo", 1e-4, other);
                double theirs = judge_it(&field, other).objective;
                assert_true(fabs(judgement.objective - theirs) <= judgement.duality_gap + 1e-9 * theirs);
            }
            free(alpha), free(other);
            close_field(&field);
        }
}

static void their_answers_are_certified_and_those_of_1_smo(void **state)
{
    (void)state;
    for (size_t s = 0; s < PACKED_SOLVERS; s++)
        certify(packed_solvers[s]);
}

struct outcome_of {
    struct solution solution;
    uint64_t operations, evaluations;
    double *alpha;
};

static struct outcome_of run_with(const char *solver, size_t n, size_t budget, const char *width)
{
    struct field field;
    struct outcome_of outcome = {.alpha = simd_doubles(n)};
    open_field(&field, n, 100, budget, width);
    outcome.solution = run(&field, solver, 1e-3, outcome.alpha);
    outcome.operations = oracle_operations(field.oracle, PHASE_ITERATIONS);
    outcome.evaluations = oracle_evaluations(field.oracle);
    close_field(&field);
    return outcome;
}

static void compare_memories_and_vectors(const char *solver)
{
    enum { N = 8300 };
    static const char *const widths[] = {"generic", "avx2", "avx512"};
    struct outcome_of whole = run_with(solver, N, all_rows, NULL);
    for (size_t t = 0; t < 3; t++) {
        if (!simd_select(widths[t]))
            continue;
        struct outcome_of other = run_with(solver, N, few_rows, widths[t]);
        assert_int_equal(other.solution.iterations, whole.solution.iterations);
        assert_int_equal(other.operations, whole.operations);
        assert_int_equal(other.evaluations, whole.evaluations);
        assert_memory_equal(other.alpha, whole.alpha, N * sizeof(double));
        free(other.alpha);
    }
    /* patterns were left out, so rows are shorter than 2N per iteration */
    assert_true(whole.operations < whole.solution.iterations * N);
    free(whole.alpha);
}

/* As many threads help as the team has, also on a machine with fewer processors. */
int omp_get_num_procs(void)
{
    return 64;
}

struct shared_run {
    struct field *field;
    const char *solver;
    double *alpha;
    struct solution solution;
};

static void run_shared(void *context)
{
    struct shared_run *shared = context;
    shared->solution = run(shared->field, shared->solver, 1e-3, shared->alpha);
}

static void no_number_of_threads_changes_a_bit(void **state)
{
    enum { N = 40000 }; /* a sample of 5000: its passes are shared, too */
    static const int teams[] = {2, 3, 8, 16};
    struct field field;
    double *alone = simd_doubles(N), *alpha = simd_doubles(N);
    (void)state;
    open_field(&field, N, 10, 4 * few_rows, NULL);
    for (int s = 0; s < PACKED_SOLVERS; s++) {
        struct shared_run one = {&field, packed_solvers[s], alone, {0}};
        run_shared(&one);
        const uint64_t operations = oracle_operations(field.oracle, PHASE_ITERATIONS);
        for (size_t t = 0; t < sizeof teams / sizeof *teams; t++) {
            struct shared_run shared = {&field, packed_solvers[s], alpha, {0}};
            gram_set_kernel(field.gram, &rbf); /* empties the cache */
#pragma omp parallel num_threads(teams[t])
#pragma omp single nowait
            helpers_with(run_shared, &shared);
            assert_memory_equal(alpha, alone, N * sizeof *alpha);
            assert_int_equal(shared.solution.iterations, one.solution.iterations);
            assert_int_equal(oracle_operations(field.oracle, PHASE_ITERATIONS), operations);
        }
        gram_set_kernel(field.gram, &rbf);
    }
    free(alone), free(alpha);
    close_field(&field);
}

static void neither_memory_nor_vectors_change_a_bit(void **state)
{
    (void)state;
    for (size_t s = 0; s < PACKED_SOLVERS; s++)
        compare_memories_and_vectors(packed_solvers[s]);
}

/* The dual recomputed, with the sign of minimisation. */
static double dual_of(struct field *field, const double *alpha)
{
    double dual = 0;
    for (size_t i = 0; i < field->n; i++) {
        if (alpha[i] == 0)
            continue;
        const double *row = gram_row(field->gram, i);
        double sum = 0;
        for (size_t j = 0; j < field->n; j++)
            sum += field->y[j] * alpha[j] * row[j];
        dual += 0.5 * field->y[i] * alpha[i] * sum - alpha[i];
    }
    return dual;
}

static void follow_the_dual(const struct solver *solver, struct field *field, int every)
{
    size_t packed = 0;
    field->problem.tolerance = 1e-3;
    void *memory = simd_doubles(solver->state_size(&field->problem) / sizeof(double) + 1);
    double *alpha = simd_doubles(field->n);
    struct progress progress = {.need_objective = 1};
    oracle_reset(field->oracle);
    assert_int_equal(solver->init(memory, &field->problem, field->oracle), STATUS_OK);
    for (int k = 0;; k++) {
        assert_int_equal(solver->select(memory, &progress), STATUS_OK);
        packed += isinf(progress.delta) != 0;
        if (k % every == 0) {
            solver->alpha(memory, alpha);
            double dual = dual_of(field, alpha);
            assert_true(fabs(progress.objective - dual) <= 1e-10 * fabs(dual) + 1e-12);
        }
        if (progress.delta <= 1e-3)
            break;
        assert_int_equal(solver->update(memory, field->oracle), STATUS_OK);
    }
    assert_true(packed > 50);
    free(memory), free(alpha);
}

/* Overlapping clouds in eight dimensions: looks at inactive patterns make some active again, and too few leave to
 * shrink anew. */
static void open_wide_field(struct field *field)
{
    enum { WIDE = 8 };
    const struct kernel wide = {.type = KERNEL_RBF, .width = 10};
    open_field(field, 8400, 1, all_rows, NULL);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    free(field->x);
    field->x = malloc(field->n * WIDE * sizeof(double));
    assert_true(rng && field->x);
    for (size_t i = 0; i < field->n * WIDE; i++)
        field->x[i] = 0.35 * field->y[i / WIDE] + gsl_ran_gaussian_ratio_method(rng, 1);
    gsl_rng_free(rng);
    points_free(&field->points);
    assert_int_equal(points_create(&field->points, KERNEL_RBF, patterns_dense(field->x, field->n, WIDE), field->rows,
                                   field->n, NULL),
                     STATUS_OK);
    gram_set_kernel(field->gram, &wide);
}

static void while_patterns_are_left_out_no_rule_is_met_and_the_dual_is_told(void **state)
{
    (void)state;
    for (size_t s = 0; s < PACKED_SOLVERS; s++) {
        struct field chessboard, wide;
        open_field(&chessboard, 600, 100, all_rows, NULL);
        follow_the_dual(solver_find(packed_solvers[s]), &chessboard, 50);
        close_field(&chessboard);
        open_wide_field(&wide);
        follow_the_dual(solver_find(packed_solvers[s]), &wide, 500);
        close_field(&wide);
    }
}

/* The active patterns, by the description at the head of packed_smo.c, from multipliers and kernel values alone. */
struct part {
    const struct field *field;
    unsigned char *takes; /* n flags */
    double *f;            /* n: F_i = sum_j alpha_j y_j k_ij - y_i */
    const double *alpha;
    size_t count, until_shrink, steps, entries;
    double tolerance, enough;
};

/* Conjugate steps between checks for patterns to remove. */
static size_t interval(size_t n)
{
    return n < 1000 ? n : 1000;
}

/* Two steps of 1-smo for each multiplier that has left 0 in them, and for a pair; then conjugate ones. */
static int is_first(const struct part *part)
{
    return part->steps < 2 * part->entries;
}

static void note_step(struct part *part, const double *before)
{
    if (!is_first(part)) {
        part->until_shrink--;
        return;
    }
    part->steps++;
    for (size_t i = 0; i < part->field->n; i++)
        part->entries += before[i] == 0 && part->alpha[i] > 0;
}

static int can_grow(const struct part *part, size_t i)
{
    return part->field->y[i] > 0 ? part->alpha[i] < parameter_get(&part->field->problem.parameters, &parameter_c)
                                 : part->alpha[i] > 0;
}

static int can_shrink(const struct part *part, size_t i)
{
    return part->field->y[i] > 0 ? part->alpha[i] > 0
                                 : part->alpha[i] < parameter_get(&part->field->problem.parameters, &parameter_c);
}

static void thresholds(const struct part *part, double *up, double *low)
{
    *up = INFINITY;
    *low = -INFINITY;
    for (size_t i = 0; i < part->field->n; i++) {
        if (part->takes[i] && can_grow(part, i))
            *up = fmin(*up, part->f[i]);
        if (part->takes[i] && can_shrink(part, i))
            *low = fmax(*low, part->f[i]);
    }
}

/* Removes the patterns that can only grow above `low` or only shrink below `up`, if they are at least one in five. */
static void let_leave(struct part *part, double up, double low)
{
    size_t leaving = 0;
    part->until_shrink = interval(part->field->n);
    for (int go = 0; go < 2; go++)
        for (size_t i = 0; i < part->field->n; i++) {
            int outside = can_grow(part, i) ? !can_shrink(part, i) && part->f[i] > low : part->f[i] < up;
            if (!part->takes[i] || !outside)
                continue;
            if (!go)
                leaving++;
            else if (5 * leaving >= part->count)
                part->takes[i] = 0;
        }
    if (5 * leaving >= part->count)
        part->count -= leaving;
}

static void compute_f(struct part *part)
{
    size_t n = part->field->n;
    for (size_t i = 0; i < n; i++)
        part->f[i] = -part->field->y[i];
    for (size_t j = 0; j < n; j++) {
        const double *row = part->alpha[j] > 0 ? gram_row(part->field->gram, j) : NULL;
        for (size_t i = 0; row && i < n; i++)
            part->f[i] += part->alpha[j] * part->field->y[j] * row[i];
    }
}

/* Repeats a look at the state; `all`: at all patterns, which the active ones must allow. Nonzero at the end. */
static int look_at_part(struct part *part, int all)
{
    double up, low;
    size_t n = part->field->n;
    if (part->count < n && !all && part->until_shrink > 0)
        return 0;
    compute_f(part);
    thresholds(part, &up, &low);
    if (all) {
        assert_true(part->count < n &&
                    low - up <= part->enough + 1e-9); /* F is a sum of some hundred terms of up to C */
        double all_up, all_low;
        memset(part->takes, 1, n);
        part->count = n;
        thresholds(part, &all_up, &all_low);
        double left = all_low - all_up, slack = fmin(left, 0.2);
        part->enough = fmax(part->tolerance, 0.03 * fmin(left, 1));
        if (left > part->tolerance)
            let_leave(part, up - slack, low + slack);
        return left <= part->tolerance;
    }
    if (part->until_shrink == 0)
        let_leave(part, up, low);
    return part->count == n && low - up <= part->tolerance;
}

/* Before the last step, whose multipliers are given, the active patterns did not yet allow a look at all. */
static void assert_look_is_not_late(struct part *part, const double *last)
{
    const double *now = part->alpha;
    double up, low;
    part->alpha = last;
    compute_f(part);
    thresholds(part, &up, &low);
    part->alpha = now;
    assert_true(low - up >= part->enough - 1e-9);
}

/* Goes on to a hundredth of the tolerance. `entries`: 2 if the first steps are those of 1-smo, 0 without such. */
static void follow_who_takes_part(const struct solver *solver, size_t entries)
{
    const size_t sizes[] = {100, 200, 400, 500, 1200}; /* too few to start with a sample or to skip patterns */
    const double penalties[] = {1e4, 1e4, 1000, 1000, 100}, tolerance = 2e-4;
    size_t changes = 0;
    for (size_t p = 0; p < 5; p++) {
        struct field field;
        size_t n = sizes[p];
        open_field(&field, n, penalties[p], all_rows, NULL);
        field.problem.tolerance = tolerance;
        double *alpha = simd_doubles(n), *f = simd_doubles(n), *last = simd_doubles(n);
        unsigned char *takes = malloc(n);
        struct part part = {.field = &field,
                            .takes = takes,
                            .f = f,
                            .alpha = alpha,
                            .until_shrink = interval(n),
                            .entries = entries,
                            .tolerance = tolerance,
                            .enough = tolerance};
        void *solver_state = simd_doubles(solver->state_size(&field.problem) / sizeof(double) + 1);
        for (size_t i = 0; i < n; i++)
            part.count += takes[i] = 1;
        assert_int_equal(solver->init(solver_state, &field.problem, field.oracle), STATUS_OK);
        oracle_set_phase(field.oracle, PHASE_ITERATIONS);
        for (int ended = 0, k = 0, was_shrunk = 0; !ended; k++) {
            struct progress progress = {0};
            size_t before = part.count;
            uint64_t operations = oracle_operations(field.oracle, PHASE_ITERATIONS);
            solver->alpha(solver_state, alpha);
            assert_int_equal(solver->select(solver_state, &progress), STATUS_OK);
            /* only F of inactive patterns costs kernel values */
            int all = oracle_operations(field.oracle, PHASE_ITERATIONS) > operations;
            operations = oracle_operations(field.oracle, PHASE_ITERATIONS);
            if (all && was_shrunk)
                assert_look_is_not_late(&part, last);
            was_shrunk = before < n;
            ended = look_at_part(&part, all);
            assert_int_equal(isinf(progress.delta) != 0, part.count < n);
            assert_int_equal(!isinf(progress.delta) && progress.delta <= part.tolerance, ended);
            changes += part.count != before;
            if (ended && part.tolerance == tolerance) {
                solver->tighten(solver_state, part.tolerance = 0.01 * tolerance);
                part.enough = fmax(part.tolerance, 0.03 * fmin(progress.delta, 1));
                ended = 0;
                continue;
            }
            if (ended)
                break;
            assert_int_equal(solver->update(solver_state, field.oracle), STATUS_OK);
            memcpy(last, alpha, n * sizeof *last);
            solver->alpha(solver_state, alpha);
            note_step(&part, last);
            assert_int_equal(oracle_operations(field.oracle, PHASE_ITERATIONS) - operations, 2 * part.count);
            assert_true(k < 200000);
        }
        free(solver_state), free(alpha), free(f), free(takes), free(last);
        close_field(&field);
    }
    assert_true(changes > 10);
}

static void patterns_leave_and_come_back_as_described(void **state)
{
    (void)state;
    follow_who_takes_part(solver_find("packed-smo"), 2);
    follow_who_takes_part(solver_find("packed-second-order-smo"), 0);
}

/* A solver driven step by step. */
struct driven {
    const struct solver *solver;
    void *state;
    double *alpha;
};

static struct driven open_driven(struct field *field, const char *name)
{
    const struct solver *solver = solver_find(name);
    struct problem problem = field->problem;
    problem.solver = solver;
    problem.tolerance = 1e-3;
    struct driven driven = {solver, simd_doubles(solver->state_size(&problem) / sizeof(double) + 1),
                            simd_doubles(field->n)};
    assert_int_equal(solver->init(driven.state, &problem, field->oracle), STATUS_OK);
    return driven;
}

/* Nonzero if the violation is within the tolerance; otherwise makes a step first. */
static int has_ended(struct driven *driven, struct field *field)
{
    struct progress progress = {0};
    assert_int_equal(driven->solver->select(driven->state, &progress), STATUS_OK);
    if (progress.delta <= 1e-3)
        return 1;
    assert_int_equal(driven->solver->update(driven->state, field->oracle), STATUS_OK);
    driven->solver->alpha(driven->state, driven->alpha);
    return 0;
}

static void the_first_steps_are_those_of_1_smo_to_the_bit(void **state)
{
    (void)state;
    const size_t sizes[] = {7, 64, 500, 1300};
    const double penalties[] = {1e-3, 1, 100};
    size_t others = 0, only = 0;
    for (size_t p = 0; p < 12; p++) {
        struct field field;
        size_t n = sizes[p % 4];
        open_field(&field, n, penalties[p / 4], all_rows, NULL);
        struct driven packed = open_driven(&field, "packed-smo"), pairs = open_driven(&field, "1-smo");
        struct part part = {.field = &field, .alpha = packed.alpha, .entries = 2};
        double *last = simd_doubles(n);
        int ended = 0;
        while (!ended && is_first(&part)) {
            memcpy(last, packed.alpha, n * sizeof *last);
            ended = has_ended(&packed, &field);
            assert_int_equal(ended, has_ended(&pairs, &field));
            assert_memory_equal(packed.alpha, pairs.alpha, n * sizeof *last);
            if (!ended)
                note_step(&part, last);
        }
        only += ended != 0;
        for (size_t k = 0; k < 50 && !ended; k++)
            ended = has_ended(&packed, &field) || has_ended(&pairs, &field);
        others += memcmp(packed.alpha, pairs.alpha, n * sizeof *last) != 0;
        free(packed.state), free(packed.alpha), free(pairs.state), free(pairs.alpha), free(last);
        close_field(&field);
    }
    assert_true(only > 0 && others > 0); /* some problems end before the conjugate steps, others need them */
}

/* Continues after the end, as under the rule `iterations`. After some of the patterns have moved, only a look at the
 * others, which requests kernel values, can detect a violation. */
static void go_on_after_the_end(const struct solver *solver, void *memory, const struct field *field)
{
    for (int k = 0; k < 20; k++) {
        struct progress progress = {0};
        uint64_t before = oracle_operations(field->oracle, PHASE_ITERATIONS);
        if (solver->update(memory, field->oracle) != STATUS_OK)
            return;
        uint64_t after = oracle_operations(field->oracle, PHASE_ITERATIONS);
        assert_int_equal(solver->select(memory, &progress), STATUS_OK);
        if (after - before < 2 * field->n && isfinite(progress.delta))
            assert_true(oracle_operations(field->oracle, PHASE_ITERATIONS) > after);
    }
}

/* Drives the solver to its end. Records the largest number of inactive patterns, and how many looks requested F of only
 * some patterns. */
static void drive_to_the_end(const struct solver *solver, struct field *field, double tolerance, double *alpha,
                             size_t *looks_that_passed_over)
{
    double *before = simd_doubles(field->n);
    field->problem.tolerance = tolerance;
    void *memory = simd_doubles(solver->state_size(&field->problem) / sizeof(double) + 1);
    struct progress progress = {0};
    oracle_reset(field->oracle);
    assert_int_equal(solver->init(memory, &field->problem, field->oracle), STATUS_OK);
    oracle_set_phase(field->oracle, PHASE_ITERATIONS);
    for (;;) {
        uint64_t operations = oracle_operations(field->oracle, PHASE_ITERATIONS);
        assert_int_equal(solver->select(memory, &progress), STATUS_OK);
        operations = oracle_operations(field->oracle, PHASE_ITERATIONS) - operations;
        if (operations > 0) {
            size_t moved = 0;
            solver->alpha(memory, alpha);
            for (size_t i = 0; i < field->n; i++)
                moved += alpha[i] != before[i];
            memcpy(before, alpha, field->n * sizeof *before);
            *looks_that_passed_over += operations < (uint64_t)moved * field->n;
        }
        if (progress.delta <= tolerance)
            break;
        assert_int_equal(solver->update(memory, field->oracle), STATUS_OK);
    }
    /* it reports the violation of all patterns */
    struct part part = {.field = field, .takes = malloc(field->n), .f = simd_doubles(field->n), .alpha = alpha};
    double up, low;
    memset(part.takes, 1, field->n);
    compute_f(&part);
    thresholds(&part, &up, &low);
    assert_true(fabs((low - up) - progress.delta) <= 1e-9);
    go_on_after_the_end(solver, memory, field);
    free(part.takes), free(part.f), free(memory), free(before);
}

static void look_at_patterns_passed_over(const struct solver *solver)
{
    const double penalties[] = {1, 30, 1000};
    size_t passed_over = 0;
    for (size_t p = 0; p < 3; p += all_tests() ? 1 : 2) {
        struct field field;
        open_field(&field, 8200, penalties[p], all_rows, NULL);
        double *alpha = simd_doubles(field.n);
        drive_to_the_end(solver, &field, 1e-3, alpha, &passed_over);
        free(alpha);
        close_field(&field);
    }
    assert_true(passed_over > 3);
}

static void patterns_passed_over_by_looks_are_part_of_no_violating_pair(void **state)
{
    (void)state;
    for (size_t s = 0; s < PACKED_SOLVERS; s++)
        look_at_patterns_passed_over(solver_find(packed_solvers[s]));
}

/* Two overlapping clouds, and a first positive pattern at the origin, whose F does not depend on W. */
static void make_clouds(struct field *field)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    for (size_t i = 0; i < field->n; i++) {
        field->y[i] = i % 2 ? 1 : -1;
        for (size_t d = 0; d < DIMS; d++)
            field->x[DIMS * i + d] = i == 1 ? 0 : 2 * field->y[i] + 6 * gsl_rng_uniform(rng) - 3;
    }
    gsl_rng_free(rng);
    points_free(&field->points);
    assert_int_equal(points_create(&field->points, KERNEL_LINEAR, patterns_dense(field->x, field->n, DIMS),
                                   field->rows, field->n, NULL),
                     STATUS_OK);
    const struct kernel linear = {.type = KERNEL_LINEAR};
    gram_set_kernel(field->gram, &linear);
}

static void start_outside_the_sample(const char *solver)
{
    struct field field;
    open_field(&field, 8200, 10, all_rows, NULL);
    make_clouds(&field);
    parameter_set(&field.problem.parameters, &parameter_start, START_FIRST_PAIR);
    double *alpha = simd_doubles(field.n);
    run(&field, solver, 1e-3, alpha);
    assert_true(judge_it(&field, alpha).kkt_violation <= 1e-3 * (1 + 1e-9));
    free(alpha);
    close_field(&field);
}

static void a_starting_pattern_outside_the_sample_is_looked_at_from_both_sides(void **state)
{
    (void)state;
    for (size_t s = 0; s < PACKED_SOLVERS; s++)
        start_outside_the_sample(packed_solvers[s]);
}

/* Bitwise, until the first check for patterns to remove. */
static void while_all_take_part_the_steps_are_those_of_second_order_smo(void **state)
{
    (void)state;
    const size_t sizes[] = {2, 7, 63, 64, 65, 600};
    const double penalties[] = {0.5, 10, 1000};
    size_t updates = 0;
    for (size_t p = 0; p < 18; p++) {
        struct field field;
        size_t n = sizes[p % 6];
        open_field(&field, n, penalties[p / 6], all_rows, NULL);
        field.y[0] = 1; /* both classes occur */
        field.y[1] = -1;
        struct driven packed = open_driven(&field, "packed-second-order-smo"),
                      plain = open_driven(&field, "second-order-smo");
        int ended = 0;
        for (size_t k = 0; k < interval(n) && !ended; k++) {
            ended = has_ended(&packed, &field);
            assert_int_equal(ended, has_ended(&plain, &field));
            assert_memory_equal(packed.alpha, plain.alpha, n * sizeof *plain.alpha);
            updates += !ended;
        }
        free(packed.state), free(packed.alpha), free(plain.state), free(plain.alpha);
        close_field(&field);
    }
    assert_true(updates > 500);
}

/* Iterations until delta is within the tolerance. */
static size_t iterations_to(struct field *field, const char *name, double tolerance, double *delta)
{
    const struct solver *solver = solver_find(name);
    struct progress progress = {0};
    size_t iterations = 0;
    field->problem.solver = solver;
    field->problem.tolerance = tolerance;
    void *state = simd_doubles(solver->state_size(&field->problem) / sizeof(double) + 1);
    assert_non_null(state);
    oracle_reset(field->oracle);
    assert_int_equal(solver->init(state, &field->problem, field->oracle), STATUS_OK);
    oracle_set_phase(field->oracle, PHASE_ITERATIONS);
    assert_int_equal(solver->select(state, &progress), STATUS_OK);
    for (; progress.delta > tolerance; iterations++) {
        assert_int_equal(solver->update(state, field->oracle), STATUS_OK);
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
    }
    *delta = progress.delta;
    free(state);
    return iterations;
}

/* Until the last look at all patterns the smaller tolerance changes nothing here: what is left by the look before it
 * needs a coarser subproblem. */
static void a_violation_equal_to_the_tolerance_meets_it(void **state)
{
    (void)state;
    const double penalties[PACKED_SOLVERS] = {300, 10};
    for (size_t s = 0; s < PACKED_SOLVERS; s++) {
        struct field field;
        double delta, again;
        open_field(&field, 600, penalties[s], all_rows, NULL);
        size_t iterations = iterations_to(&field, packed_solvers[s], 1e-3, &delta);
        assert_true(iterations > 100 && delta < 1e-3);
        assert_int_equal(iterations_to(&field, packed_solvers[s], delta, &again), iterations);
        assert_true(again == delta);
        close_field(&field);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_starting_pattern_outside_the_sample_is_looked_at_from_both_sides),
        cmocka_unit_test(while_all_take_part_the_steps_are_those_of_second_order_smo),
        cmocka_unit_test(patterns_passed_over_by_looks_are_part_of_no_violating_pair),
        cmocka_unit_test(patterns_leave_and_come_back_as_described),
        cmocka_unit_test(the_first_steps_are_those_of_1_smo_to_the_bit),
        cmocka_unit_test(their_answers_are_certified_and_those_of_1_smo),
        cmocka_unit_test(neither_memory_nor_vectors_change_a_bit),
        cmocka_unit_test(no_number_of_threads_changes_a_bit),
        cmocka_unit_test(while_patterns_are_left_out_no_rule_is_met_and_the_dual_is_told),
        cmocka_unit_test(a_violation_equal_to_the_tolerance_meets_it),
    };
    return cmocka_run_group_tests_name("packed SMO", tests, NULL, NULL);
}
