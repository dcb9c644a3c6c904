/*
 * The variants of 1-smo and 2-smo: every update is feasible and never worse, the optimum is that of the parent on
 * regular and singular problems, and each rule agrees with its description, recomputed from the multipliers and the
 * kernel matrix alone.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "solvers/decomposition/pair_smo.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"
#include "tests/real_split.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

static const struct {
    const char *name, *parent;
} variants[] = {{"second-order-smo", "1-smo"},   {"cycle-1-smo", "1-smo"}, {"conjugate-smo", "1-smo"},
                {"packed-smo", "1-smo"},         {"packed-second-order-smo", "1-smo"},
                {"planning-ahead-smo", "1-smo"}, {"maximum-gain-smo", "1-smo"}, {"overshooting-smo", "1-smo"},
                {"second-order-2-smo", "2-smo"}, {"cycle-2-smo", "2-smo"}, {"conjugate-2-smo", "2-smo"}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void set(struct geometry *g, const struct parameter *parameter, double value)
{
    parameter_set(&g->problem.parameters, parameter, value);
}

static double penalty(const struct geometry *g)
{
    return parameter_get(&g->problem.parameters, &parameter_c);
}

/* A random problem with every pattern twice, once per class: zero curvature between equal patterns. */
static void open_doubled(struct geometry *g, unsigned long seed, const struct kernel *kernel)
{
    struct geometry half;
    double x[80 * 3];
    signed char y[80];
    geometry_random(&half, 40, 3, 0.4, seed, kernel);
    for (size_t i = 0; i < 80; i++) {
        memcpy(x + 3 * i, half.x + 3 * (i % 40), 3 * sizeof *x);
        y[i] = i == 41 ? (signed char)-half.y[1] : half.y[i % 40];
    }
    geometry_close(&half);
    geometry_open(g, 80, 3, x, y, kernel);
}

enum { PROBLEMS = 4 };
static void open_problem(struct geometry *g, size_t which, unsigned long seed)
{
    if (which < 2)
        geometry_random(g, 90, 3, 0.4, seed, which ? &linear : &rbf);
    else
        open_doubled(g, seed, which == 3 ? &linear : &rbf);
}

/* f_i = sum_j y_j alpha_j k_ij - y_i and the dual 1/2 |W|^2 - sum alpha, from the multipliers; K + I/C under a square
 * penalty. */
static double recompute(struct geometry *g, const double *alpha, double *f)
{
    double dual = 0;
    for (size_t i = 0; i < g->n; i++) {
        const double *row = gram_row(g->gram, i);
        f[i] = -g->y[i];
        for (size_t j = 0; j < g->n; j++) /* the rows still include the solver's ridge */
            f[i] += g->y[j] * alpha[j] * row[j];
        dual += 0.5 * alpha[i] * g->y[i] * (f[i] + g->y[i]) - alpha[i];
    }
    return dual;
}

static void check_feasible(const struct geometry *g, const double *alpha, double c, const char *name)
{
    double sum = 0, size = 0;
    for (size_t i = 0; i < g->n; i++) {
        if (!(alpha[i] >= 0 && alpha[i] <= c))
            fail_msg("%s: multiplier %zu is %g", name, i, alpha[i]);
        sum += g->y[i] * alpha[i];
        size += alpha[i];
    }
    if (!(fabs(sum) <= 1e-13 * fmax(1, size))) /* rounding of some hundred updates */
        fail_msg("%s: sum y alpha is %g", name, sum);
}

static void check_updates(struct geometry *g, const struct solver *solver)
{
    double *alpha = simd_doubles(g->n), *f = simd_doubles(g->n), before = HUGE_VAL;
    void *state = geometry_start(g, solver);
    struct progress progress = {.need_objective = 1};
    for (int k = 0; k < 300; k++) {
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
        solver->alpha(state, alpha);
        check_feasible(g, alpha, solver->square_penalty ? INFINITY : penalty(g), solver->name);
        double dual = recompute(g, alpha, f);
        if (solver->is_monotone && !(dual <= before + 1e-12 * fmax(1, fabs(dual))))
            fail_msg("%s: dual grew from %.17g to %.17g at update %d", solver->name, before, dual, k);
        double size = 1; /* of the terms of the dual; F has been updated incrementally */
        for (size_t i = 0; i < g->n; i++)
            size += alpha[i];
        if (!(fabs(progress.objective - dual) <= 1e-11 * size))
            fail_msg("%s: says its dual is %.17g, it is %.17g at update %d", solver->name, progress.objective, dual, k);
        before = dual;
        if (progress.delta <= 1e-9 || solver->update(state, g->oracle) != STATUS_OK)
            break;
    }
    free(state), free(alpha), free(f);
}

static void every_update_is_feasible_and_lowers_the_dual(void **state)
{
    (void)state;
    const double penalties[] = {1e-3, 2, 1e4};
    for (size_t v = 0; v < VARIANTS; v++)
        for (size_t c = 0; c < 3; c++)
            for (size_t which = 0; which < PROBLEMS; which++)
                for (int start = START_ZERO; start <= START_FIRST_PAIR; start++) {
                    struct geometry g;
                    open_problem(&g, which, 1 + which);
                    set(&g, &parameter_c, penalties[c]);
                    set(&g, &parameter_start, start);
                    set(&g, &parameter_shrink_after, 5);
                    check_updates(&g, solver_find(variants[v].name));
                    geometry_close(&g);
                }
}

static struct judgement answer_of(const char *name, const struct problem *problem, struct gram *gram,
                                  struct oracle *oracle, double tolerance, uint64_t *iterations)
{
    struct judgement judgement;
    struct solution solution;
    const struct solver *solver = solver_find(name);
    size_t n = problem->n;
    double *alpha = simd_doubles(n), *products = simd_doubles(n), *scratch = simd_doubles(n);
    struct solve_request request = {.solver = solver,
                                    .problem = problem,
                                    .oracle = oracle,
                                    .stop = {STOP_KKT, tolerance},
                                    .budget = {.iterations = 3000000}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    if (solution.outcome != OUTCOME_CONVERGED)
        fail_msg("%s: %s", name, outcome_name(solution.outcome));
    judge(&(struct judging){problem, solver->formulation, gram, alpha, 1e-6, products, scratch}, &judgement);
    *iterations = solution.iterations;
    free(alpha), free(products), free(scratch);
    return judgement;
}

static void they_find_the_optimum_of_their_parent(void **state)
{
    (void)state;
    const double penalties[] = {1e-3, 2, 300};
    uint64_t iterations;
    for (size_t c = 0; c < 3; c++)
        for (size_t which = 0; which < PROBLEMS; which++) {
            struct geometry g;
            open_problem(&g, which, 5 + which);
            set(&g, &parameter_c, penalties[c]);
            struct judgement theirs = {0};
            for (size_t v = 0; v < VARIANTS; v++) {
                const char *name = variants[v].name, *parent = variants[v].parent;
                struct judgement mine = answer_of(name, &g.problem, g.gram, g.oracle, 1e-7, &iterations);
                if (v == 0 || strcmp(parent, variants[v - 1].parent) != 0)
                    theirs = answer_of(parent, &g.problem, g.gram, g.oracle, 1e-7, &iterations);
                assert_true(mine.kkt_violation <= 1.01e-7); /* the judge sums F in another order */
                double rounding = 1e-12 * fmax(1, fabs(theirs.objective));
                /* both are within their gap of the optimum */
                if (!(fabs(mine.objective - theirs.objective) <= fmax(mine.duality_gap, theirs.duality_gap) + rounding))
                    fail_msg("%s: %.15g, %s: %.15g", name, mine.objective, parent, theirs.objective);
            }
            geometry_close(&g);
        }
}

/* Asserts that both agree bitwise at every update. Returns the number of updates. */
static size_t updates_in_step(struct geometry *g, const char *one, const char *other)
{
    const struct solver *a = solver_find(one), *b = solver_find(other);
    double *of_a = simd_doubles(g->n), *of_b = simd_doubles(g->n);
    void *state_a = geometry_start(g, a), *state_b = geometry_start(g, b);
    struct progress progress_a = {0}, progress_b = {0};
    size_t updates = 0;
    for (enum status ended = STATUS_OK; ended == STATUS_OK && updates < 500; updates++) {
        a->select(state_a, &progress_a);
        b->select(state_b, &progress_b);
        assert_memory_equal(&progress_a.delta, &progress_b.delta, sizeof progress_a.delta);
        ended = a->update(state_a, g->oracle);
        assert_int_equal(b->update(state_b, g->oracle), ended);
        a->alpha(state_a, of_a);
        b->alpha(state_b, of_b);
        assert_memory_equal(of_a, of_b, g->n * sizeof *of_a);
    }
    free(state_a), free(state_b), free(of_a), free(of_b);
    return updates;
}

static void without_a_history_they_go_the_way_of_their_parent(void **state)
{
    (void)state;
    const double penalties[] = {0.1, 5, 1000};
    for (size_t c = 0; c < 3; c++)
        for (size_t which = 0; which < PROBLEMS; which++) {
            struct geometry g;
            open_problem(&g, which, 3);
            set(&g, &parameter_c, penalties[c]);
            set(&g, &parameter_history, 0);
            assert_true(updates_in_step(&g, "cycle-1-smo", "1-smo") > 40);
            assert_true(updates_in_step(&g, "cycle-2-smo", "2-smo") > 40);
            geometry_close(&g);
        }
}

static void set_relaxation(struct geometry *g, double value)
{
    set(g, solver_parameter(solver_find("overshooting-smo"), "relaxation"), value);
}

static void with_a_relaxation_of_one_overshooting_smo_is_second_order_smo(void **state)
{
    (void)state;
    const double penalties[] = {0.1, 5, 1000};
    for (size_t c = 0; c < 3; c++)
        for (size_t which = 0; which < PROBLEMS; which++) {
            struct geometry g;
            open_problem(&g, which, 3);
            set(&g, &parameter_c, penalties[c]);
            set_relaxation(&g, 1);
            assert_true(updates_in_step(&g, "overshooting-smo", "second-order-smo") > 40);
            geometry_close(&g);
        }
}

/* Nonzero if a multiplier that has moved is now on a bound: the step may have ended there. */
static int came_to_bound(const struct geometry *g, double c, const double *before, const double *after)
{
    int count = 0;
    for (size_t i = 0; i < g->n; i++)
        count += before[i] != after[i] && (after[i] == 0 || after[i] == c);
    return count > 0;
}

/* While steps end at bounds, each direction starts afresh. So up to the first that does not, both agree bitwise. */
static void after_clipped_steps_conjugate_smo_is_second_order_smo(void **state)
{
    (void)state;
    const struct solver *one = solver_find("conjugate-smo"), *other = solver_find("second-order-smo");
    for (size_t which = 0; which < PROBLEMS; which++) {
        struct geometry g;
        double before[MAX_GEOMETRY] = {0}, a[MAX_GEOMETRY] = {0}, b[MAX_GEOMETRY];
        size_t updates = 0;
        enum status ended;
        open_problem(&g, which, 1);
        set(&g, &parameter_c, 1e-4);
        set(&g, &parameter_shrinking, 0);
        void *of_one = geometry_start(&g, one), *of_other = geometry_start(&g, other);
        struct progress progress = {0};
        do {
            memcpy(before, a, sizeof a);
            one->select(of_one, &progress);
            other->select(of_other, &progress);
            ended = one->update(of_one, g.oracle);
            assert_int_equal(other->update(of_other, g.oracle), ended);
            one->alpha(of_one, a);
            other->alpha(of_other, b);
            assert_memory_equal(a, b, g.n * sizeof *a);
            updates++;
        } while (ended == STATUS_OK && came_to_bound(&g, 1e-4, before, a));
        assert_true(updates > 15);
        free(of_one), free(of_other);
        geometry_close(&g);
    }
}

static double curvature_of(struct geometry *g, size_t i, size_t j)
{
    return gram_row(g->gram, i)[i] + gram_row(g->gram, j)[j] - 2 * gram_row(g->gram, i)[j];
}

static int may_grow(const struct geometry *g, double c, const double *alpha, size_t i)
{
    return g->y[i] > 0 ? alpha[i] < c : alpha[i] > 0;
}

static int may_shrink(const struct geometry *g, double c, const double *alpha, size_t i)
{
    return g->y[i] > 0 ? alpha[i] > 0 : alpha[i] < c;
}

static double gain_of(struct geometry *g, const double *f, size_t i, size_t j)
{
    return (f[j] - f[i]) * (f[j] - f[i]) / fmax(curvature_of(g, i, j), 1e-12);
}

/* Finds the two multipliers that a pair's step moved: the one whose y alpha increased and the one whose y alpha
 * decreased. */
static void find_moved(const struct geometry *g, const double *before, const double *after, size_t *up, size_t *low)
{
    size_t moved = 0;
    for (size_t i = 0; i < g->n; i++) {
        double change = g->y[i] * (after[i] - before[i]);
        *up = change > 0 ? i : *up;
        *low = change < 0 ? i : *low;
        moved += change != 0;
    }
    assert_int_equal(moved, 2);
}

/* Two patterns that an exact step has just made equal often come next, and rounding decides which is first. So the test
 * compares values, not patterns. */
static void the_second_order_pair_is_the_one_of_the_formula(void **state)
{
    (void)state;
    struct geometry g;
    double alpha[MAX_GEOMETRY], after[MAX_GEOMETRY], f[MAX_GEOMETRY];
    size_t other_than_first = 0;
    geometry_random(&g, 90, 3, 0.4, 2, &rbf);
    set(&g, &parameter_c, 20);
    const struct solver *solver = solver_find("second-order-smo");
    void *solver_state = geometry_start(&g, solver);
    struct progress progress = {0};
    for (int k = 0; k < 200; k++) {
        size_t up = 0, low = 0;
        double min = HUGE_VAL, max = 0, largest = -HUGE_VAL;
        solver->select(solver_state, &progress);
        solver->alpha(solver_state, alpha);
        assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
        solver->alpha(solver_state, after);
        find_moved(&g, alpha, after, &up, &low);
        recompute(&g, alpha, f);
        for (size_t i = 0; i < g.n; i++)
            min = may_grow(&g, 20, alpha, i) ? fmin(min, f[i]) : min;
        for (size_t j = 0; j < g.n; j++)
            if (may_shrink(&g, 20, alpha, j) && f[j] > f[up]) {
                max = fmax(max, gain_of(&g, f, up, j));
                largest = fmax(largest, f[j]);
            }
        assert_true(f[up] <= min + 1e-12 && gain_of(&g, f, up, low) >= max * (1 - 1e-12));
        other_than_first += f[low] < largest - 1e-6;
    }
    assert_true(other_than_first > 20);
    free(solver_state);
    geometry_close(&g);
}

/* Away from bounds, a step of lambda times the exact one has lambda (2 - lambda) times its gain. */
static void an_overshooting_step_gains_its_part_of_the_exact_one(void **state)
{
    (void)state;
    const double relaxations[] = {0.5, 1.35, 1.9};
    const struct solver *solver = solver_find("overshooting-smo");
    for (size_t r = 0; r < 3; r++) {
        struct geometry g;
        double alpha[MAX_GEOMETRY], after[MAX_GEOMETRY], f[MAX_GEOMETRY], lambda = relaxations[r];
        size_t inside = 0, clipped = 0;
        geometry_random(&g, 90, 3, 0.4, 2, &rbf);
        set(&g, &parameter_c, 20);
        set_relaxation(&g, lambda);
        void *solver_state = geometry_start(&g, solver);
        struct progress progress = {0};
        for (int k = 0; k < 200; k++) {
            size_t up = 0, low = 0;
            solver->select(solver_state, &progress);
            if (progress.delta <= 1e-4)
                break;
            solver->alpha(solver_state, alpha);
            assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
            solver->alpha(solver_state, after);
            find_moved(&g, alpha, after, &up, &low);
            double dual = recompute(&g, after, f);
            double gained = recompute(&g, alpha, f) - dual, w = f[low] - f[up], q = curvature_of(&g, up, low);
            double step = fabs(after[up] - alpha[up]), whole = lambda * (2 - lambda) * 0.5 * w * w / q;
            if (came_to_bound(&g, 20, alpha, after)) {
                assert_true(step <= lambda * w / q * (1 + 1e-9));
                clipped++;
            } else {
                assert_true(fabs(step - lambda * w / q) <= 1e-9 * step + 1e-13);
                assert_true(fabs(gained - whole) <= 1e-9 * whole + 1e-12 * fabs(dual));
                inside++;
            }
        }
        assert_true(inside > 50 && clipped > 10);
        free(solver_state);
        geometry_close(&g);
    }
}

/* v . K w for two differences of y alpha */
static double product(struct geometry *g, const double *v, const double *w)
{
    double sum = 0;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; v[i] != 0 && j < g->n; j++)
            sum += v[i] * w[j] * gram_row(g->gram, i)[j];
    return sum;
}

static size_t moved_by(const struct geometry *g, const double *move)
{
    size_t moved = 0;
    for (size_t i = 0; i < g->n; i++)
        moved += move[i] != 0;
    return moved;
}

/* Away from bounds a step is the exact minimum along its direction, which is conjugate to the previous one unless only
 * a pair moves. */
static void directions_are_conjugate(void **state)
{
    (void)state;
    struct geometry g;
    double alpha[MAX_GEOMETRY], after[MAX_GEOMETRY], f[MAX_GEOMETRY], move[MAX_GEOMETRY], last[MAX_GEOMETRY];
    size_t conjugate = 0, longest = 0;
    int inside = 0;
    geometry_random(&g, 90, 3, 0.4, 2, &rbf);
    set(&g, &parameter_c, 50);
    const struct solver *solver = solver_find("conjugate-smo");
    void *solver_state = geometry_start(&g, solver);
    struct progress progress = {0};
    for (int k = 0; k < 300; k++) {
        solver->select(solver_state, &progress);
        solver->alpha(solver_state, alpha);
        assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
        solver->alpha(solver_state, after);
        for (size_t i = 0; i < g.n; i++)
            move[i] = g.y[i] * (after[i] - alpha[i]);
        double size = product(&g, move, move);
        if (inside && moved_by(&g, move) > 2) {
            /* 1e-7: differences of multipliers up to 50 have a rounding error of about 1e-14 */
            assert_true(fabs(product(&g, move, last)) <= 1e-7 * sqrt(size * product(&g, last, last)));
            conjugate++;
        }
        longest = moved_by(&g, move) > longest ? moved_by(&g, move) : longest;
        inside = !came_to_bound(&g, 50, alpha, after);
        if (inside) {
            double slope = 0;
            recompute(&g, after, f);
            for (size_t i = 0; i < g.n; i++)
                slope += move[i] * f[i];
            assert_true(fabs(slope) <= 1e-9 * fmax(size, 1));
        }
        memcpy(last, move, sizeof move);
    }
    assert_true(conjugate > 50 && longest > 6);
    free(solver_state);
    geometry_close(&g);
}

/* A plain cycle-1-smo: a list of all updates, products summed from the matrix at every step. It is given the next pair,
 * because patterns just made equal differ by rounding only, and checks that this pair violates most. */
struct plain {
    struct geometry *g;
    double c, alpha[MAX_GEOMETRY], f[MAX_GEOMETRY];
    size_t n_updates, forgotten, history; /* updates before `forgotten` do not count */
    struct {
        size_t up, low;
        double step;
    } updates[1000];
    uint64_t operations;
    size_t broken, uphill; /* broken cycles; sums of updates that lead uphill although a step is possible */
};

static double max_step_of(const struct plain *plain, size_t i, double weight)
{
    int grows = plain->g->y[i] * weight > 0; /* alpha_i, not y alpha_i */
    return grows ? plain->c - plain->alpha[i] : plain->alpha[i];
}

/* The exact step along weights w of y alpha, clipped; 0 if no step is possible. */
static double go_along(struct plain *plain, const double *w)
{
    double slope = 0, max = HUGE_VAL, length2 = product(plain->g, w, w);
    for (size_t i = 0; i < plain->g->n; i++) {
        slope -= w[i] * plain->f[i];
        if (w[i] != 0)
            max = fmin(max, max_step_of(plain, i, w[i]) / fabs(w[i]));
    }
    plain->uphill += max > 0 && slope < -1e-6;
    if (!(slope > 0 && max > 0 && length2 > 0))
        return 0;
    double step = fmin(slope / length2, max);
    for (size_t i = 0; i < plain->g->n; i++)
        if (w[i] != 0 && step * fabs(w[i]) >= max_step_of(plain, i, w[i]) * (1 - 1e-15))
            plain->alpha[i] = plain->g->y[i] * w[i] > 0 ? plain->c : 0;
        else
            plain->alpha[i] += plain->g->y[i] * step * w[i];
    return step;
}

static int go_along_cycle(struct plain *plain, size_t k)
{
    double w[MAX_GEOMETRY] = {0};
    for (size_t j = 1; j <= k; j++) {
        size_t at = plain->n_updates - j;
        w[plain->updates[at].up] += plain->updates[at].step;
        w[plain->updates[at].low] -= plain->updates[at].step;
    }
    if (go_along(plain, w) == 0)
        return 0;
    plain->operations += moved_by(plain->g, w) * plain->g->n;
    plain->broken++;
    plain->forgotten = plain->n_updates;
    return 1;
}

static void go_on(struct plain *plain, size_t up, size_t low)
{
    double w[MAX_GEOMETRY] = {0};
    recompute(plain->g, plain->alpha, plain->f);
    for (size_t i = 0; i < plain->g->n; i++) {
        assert_true(!may_grow(plain->g, plain->c, plain->alpha, i) || plain->f[i] >= plain->f[up] - 1e-9);
        assert_true(!may_shrink(plain->g, plain->c, plain->alpha, i) || plain->f[i] <= plain->f[low] + 1e-9);
    }
    for (size_t k = 1; k <= plain->history && k <= plain->n_updates - plain->forgotten; k++)
        if (plain->updates[plain->n_updates - k].up == up && plain->updates[plain->n_updates - k].low == low) {
            if (go_along_cycle(plain, k))
                return;
            break;
        }
    w[up] = 1;
    w[low] = -1;
    plain->updates[plain->n_updates].up = up;
    plain->updates[plain->n_updates].low = low;
    plain->updates[plain->n_updates++].step = go_along(plain, w);
    plain->operations += 2 * plain->g->n;
}

/* Follows the solver for `max` updates and repeats each. */
static struct plain follow_cycles(const char *name, struct geometry *g, double c, size_t history, int max)
{
    const struct solver *solver = solver_find(name);
    double alpha[MAX_GEOMETRY];
    set(g, &parameter_c, c);
    set(g, &parameter_history, (double)history);
    struct plain plain = {.g = g, .c = solver->square_penalty ? INFINITY : c, .history = history};
    void *solver_state = geometry_start(g, solver);
    struct progress progress = {0};
    for (int k = 0; k < max; k++) {
        solver->select(solver_state, &progress);
        struct box_pair pair = ((const struct pair_smo *)solver_state)->pair;
        assert_int_equal(solver->update(solver_state, g->oracle), STATUS_OK);
        solver->alpha(solver_state, alpha);
        go_on(&plain, pair.up, pair.low);
        for (size_t i = 0; i < g->n; i++) {
            /* F is summed in other orders over 150 updates */
            assert_true(fabs(alpha[i] - plain.alpha[i]) <= 1e-9 * c);
            assert_int_equal(alpha[i] == 0 || alpha[i] == plain.c, plain.alpha[i] == 0 || plain.alpha[i] == plain.c);
        }
        assert_int_equal(oracle_operations(g->oracle, PHASE_ITERATIONS), plain.operations);
    }
    free(solver_state);
    return plain;
}

static void cycles_are_broken_as_described_and_counted(void **state)
{
    (void)state;
    const size_t histories[] = {3, 20, 200};
    for (size_t h = 0; h < 3; h++) {
        struct geometry g;
        geometry_random(&g, 40, 2, 0.4, 4, &rbf);
        struct plain plain = follow_cycles("cycle-1-smo", &g, 30, histories[h], 150);
        assert_true(plain.broken >= 2);
        geometry_close(&g);
    }
}

/* A pair recurs, and the sum of the updates since then leads uphill: the step is that of the pair. */
static void a_cycle_that_leads_uphill_is_not_gone_along(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 40, 3, 0.8, 3, &rbf);
    struct plain plain = follow_cycles("cycle-2-smo", &g, 0.1, 45, 60);
    assert_true(plain.uphill > 0);
    geometry_close(&g);
}

/* Patterns that leave early return if necessary: the result satisfies the KKT conditions of all patterns. */
static void leaving_patterns_out_does_not_change_the_answer(void **state)
{
    (void)state;
    const double penalties[] = {0.02, 2, 300}, after[] = {1, 10, 100};
    const struct solver *solver = solver_find("conjugate-smo");
    size_t fewer = 0;
    for (size_t which = 0; which < PROBLEMS; which++)
        for (size_t c = 0; c < 3; c++) {
            struct geometry g;
            uint64_t whole, shrunk;
            open_problem(&g, which, 7 + which);
            set(&g, &parameter_c, penalties[c]);
            set(&g, &parameter_shrinking, 0);
            struct judgement all = answer_of(solver->name, &g.problem, g.gram, g.oracle, 1e-6, &whole);
            assert_true(oracle_operations(g.oracle, PHASE_ITERATIONS) == 2 * g.n * whole);
            set(&g, &parameter_shrinking, 1);
            for (size_t a = 0; a < 3; a++) {
                set(&g, &parameter_shrink_after, after[a]);
                struct judgement some = answer_of(solver->name, &g.problem, g.gram, g.oracle, 1e-6, &shrunk);
                fewer += oracle_operations(g.oracle, PHASE_ITERATIONS) < 2 * g.n * shrunk;
                assert_true(some.kkt_violation <= 1.01e-6);
                assert_true(fabs(some.objective - all.objective) <=
                            fmax(some.duality_gap, all.duality_gap) + 1e-12 * fmax(1, fabs(all.objective)));
            }
            geometry_close(&g);
        }
    assert_true(fewer >= 6);
}

/* conjugate-2-smo reads neither parameter. */
static void under_the_square_penalty_no_pattern_is_left_out(void **state)
{
    (void)state;
    const double penalties[] = {0.02, 2, 300};
    for (size_t which = 0; which < PROBLEMS; which++)
        for (size_t c = 0; c < 3; c++) {
            struct geometry g;
            uint64_t iterations;
            open_problem(&g, which, 7 + which);
            set(&g, &parameter_c, penalties[c]);
            set(&g, &parameter_shrinking, 1);
            set(&g, &parameter_shrink_after, 1);
            answer_of("conjugate-2-smo", &g.problem, g.gram, g.oracle, 1e-6, &iterations);
            assert_true(oracle_operations(g.oracle, PHASE_ITERATIONS) == 2 * g.n * iterations);
            geometry_close(&g);
        }
}

/* On the real sets with a large C every variant reaches the parent's objective in fewer iterations. */
static void on_real_splits_they_agree_with_their_parent(void **state)
{
    (void)state;
    const struct kernel kernels[] = {{.type = KERNEL_RBF, .width = 120}, {.type = KERNEL_RBF, .width = 50}};
    const char *const sets[] = {"heart", "breast-cancer"};
    size_t seen = 0;
    for (size_t s = 0; s < 2; s++) {
        struct real_split real;
        if (!real_split_open(&real, sets[s], 1, &kernels[s]))
            continue;
        seen++;
        parameter_set(&real.problem.parameters, &parameter_c, 300);
        for (size_t v = 0; v < VARIANTS; v++) {
            uint64_t mine, theirs;
            struct judgement a = answer_of(variants[v].name, &real.problem, real.gram, real.oracle, 1e-5, &mine);
            struct judgement b = answer_of(variants[v].parent, &real.problem, real.gram, real.oracle, 1e-5, &theirs);
            assert_true(fabs(a.objective - b.objective) <= 1e-6 * fabs(b.objective));
            assert_true(mine < theirs);
        }
        real_split_close(&real);
    }
    if (seen == 0)
        skip_for(no_data);
}

/* ---- steps along a direction ---- */

enum { STEPS = 2000, MOST_MOVED = 70 };

static double draw(double low, double high)
{
    return low + (high - low) * rand() / RAND_MAX;
}

/* A box with multipliers inside and on both bounds; n patterns, all of which move. */
static struct box *draw_box(size_t n, signed char *y, size_t *indices, double *weights)
{
    struct box measured, *box = calloc(1, sizeof *box);
    struct arena arena = {0};
    box_layout(&measured, &arena, n);
    assert_non_null(box);
    arena = (struct arena){.block = (char *)simd_doubles(arena.used / sizeof(double))};
    assert_non_null(arena.block);
    box_layout(box, &arena, n);
    box->y = y;
    box->c = rand() % 5 ? draw(0.5, 1000) : (double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        double bounded = isinf(box->c) ? 3 : box->c, alpha = draw(0, bounded);
        y[i] = rand() % 2 ? 1 : -1;
        box_set(box, i, rand() % 20 ? alpha : rand() % 2 ? 0 : box->c < 1e9 ? box->c : 0);
        indices[i] = n - 1 - i;
    }
    for (size_t h = 0; h < n; h++) /* away from the active bounds; some weights have cancelled to 0 */
        weights[h] = rand() % 10 ? (box_max_step(box, indices[h], 1) > 0 ? 1 : -1) * draw(0, 1e-2) : 0;
    return box;
}

/* Each multiplier against y alpha += step weight, and the sets against their definition. */
static void a_step_along_moves_each_multiplier_and_lands_on_bounds(void **state)
{
    size_t admitted = 0, landed = 0;
    (void)state;
    srand(1);
    for (int t = 0; t < STEPS; t++) {
        signed char y[MOST_MOVED];
        size_t indices[MOST_MOVED], n = (size_t)(rand() % (MOST_MOVED + 1));
        double weights[MOST_MOVED], before[MOST_MOVED], along[MOST_MOVED];
        struct box *box = draw_box(n, y, indices, weights);
        double max_step = box_max_step_along(box, indices, weights, n);
        double step = fmin(max_step, rand() % 3 ? draw(0, 1) : max_step);
        step = isfinite(step) ? step : 1; /* if there is no bound */
        int admits = box_admits_step_along(box, indices, weights, n, step);
        memcpy(before, box->alpha, n * sizeof *before);
        box_move_along(box, indices, weights, n, step);
        memcpy(along, box->alpha, n * sizeof *along);
        for (size_t h = 0; h < n; h++) {
            size_t i = indices[h];
            double expected = before[i] + y[i] * step * weights[h];
            assert_true(along[i] >= 0 && along[i] <= box->c);
            assert_true(fabs(along[i] - expected) <= 1e-12 * fmax(1, expected)); /* roundings of 1000 */
            assert_true(simd_set_has(box->eligible[0], i) == box_may_grow(box, i));
            assert_true(simd_set_has(box->eligible[1], i) == box_may_shrink(box, i));
            landed += !box_is_free(box, i) && before[i] > 0 && before[i] < box->c;
            box_set(box, i, before[i]);
        }
        if (admits) {
            admitted++;
            box_move_admitted(box, indices, weights, n, step);
            assert_memory_equal(box->alpha, along, n * sizeof *along);
        }
        free(box->alpha), free(box);
    }
    assert_true(admitted > STEPS / 10 && landed > STEPS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_along_moves_each_multiplier_and_lands_on_bounds),
        cmocka_unit_test(every_update_is_feasible_and_lowers_the_dual),
        cmocka_unit_test(they_find_the_optimum_of_their_parent),
        cmocka_unit_test(without_a_history_they_go_the_way_of_their_parent),
        cmocka_unit_test(with_a_relaxation_of_one_overshooting_smo_is_second_order_smo),
        cmocka_unit_test(an_overshooting_step_gains_its_part_of_the_exact_one),
        cmocka_unit_test(after_clipped_steps_conjugate_smo_is_second_order_smo),
        cmocka_unit_test(the_second_order_pair_is_the_one_of_the_formula),
        cmocka_unit_test(directions_are_conjugate),
        cmocka_unit_test(cycles_are_broken_as_described_and_counted),
        cmocka_unit_test(a_cycle_that_leads_uphill_is_not_gone_along),
        cmocka_unit_test(leaving_patterns_out_does_not_change_the_answer),
        cmocka_unit_test(under_the_square_penalty_no_pattern_is_left_out),
        cmocka_unit_test(on_real_splits_they_agree_with_their_parent),
    };
    return cmocka_run_group_tests_name("smo variants", tests, NULL, NULL);
}
