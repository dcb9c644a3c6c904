/*
 * The Frank-Wolfe solvers: every update against its description, over an explicit list of all vertices of small
 * polytopes; pairs on full hulls against mdm, update by update; and the rate at which the gap decreases.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/solve.h"
#include "solvers/frank_wolfe/frank_wolfe.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};
static const struct kernel narrow = {.type = KERNEL_RBF, .width = 0.5}; /* well conditioned */

static void set(struct geometry *g, double mu, enum fw_classes classes)
{
    parameter_set(&g->problem.parameters, &parameter_mu, mu);
    parameter_set(&g->problem.parameters, &parameter_classes, classes);
}

/* ---- pairwise-fw and mdm ---- */

/* Whether rounding has left weight on a pattern next to one that has all of it. MDM removes it in a separate update; in
 * pairwise-fw the class's point then is a vertex and stays. */
static int has_leftover(const struct geometry *g, const double *alpha)
{
    for (int c = 0; c < 2; c++) {
        int is_full = 0, is_left = 0;
        for (size_t i = 0; i < g->n; i++)
            if (class_index(g->y[i]) == c) {
                is_full |= alpha[i] >= 1;
                is_left |= alpha[i] > 0 && alpha[i] < 1e-15;
            }
        if (is_full && is_left)
            return 1;
    }
    return 0;
}

/* Runs both solvers update by update. Returns the largest difference of multipliers. `same_bits`: none is allowed. */
static double follow(struct geometry *g, const char *name, const char *parent, int same_bits, size_t *updates)
{
    const struct solver *a = solver_find(name), *b = solver_find(parent);
    double alpha[2][MAX_GEOMETRY], worst = 0;
    size_t done = 0;
    void *first = geometry_start(g, a), *second = geometry_start(g, b);
    for (size_t k = *updates; k > 0; k--) {
        struct progress of_first = {.need_objective = 1}, of_second = {.need_objective = 1};
        assert_int_equal(a->select(first, &of_first), STATUS_OK);
        assert_int_equal(b->select(second, &of_second), STATUS_OK);
        a->alpha(first, alpha[0]);
        b->alpha(second, alpha[1]);
        for (size_t i = 0; i < g->n; i++)
            worst = fmax(worst, fabs(alpha[0][i] - alpha[1][i]));
        if (of_second.delta <= 1e-10 || has_leftover(g, alpha[1]))
            break;
        done++;
        assert_int_equal(of_first.updated_class, of_second.updated_class);
        if (same_bits)
            assert_true(worst == 0 && of_first.delta == of_second.delta && of_first.norm2 == of_second.norm2);
        uint64_t before = oracle_operations(g->oracle, PHASE_ITERATIONS);
        assert_int_equal(a->update(first, g->oracle), STATUS_OK);
        uint64_t between = oracle_operations(g->oracle, PHASE_ITERATIONS);
        assert_int_equal(b->update(second, g->oracle), STATUS_OK);
        assert_true(between > before);
        assert_int_equal(between - before, oracle_operations(g->oracle, PHASE_ITERATIONS) - between);
    }
    free(first), free(second);
    *updates = done;
    return worst;
}

static void pairwise_fw_is_mdm_to_the_bit_on_whole_hulls(void **state)
{
    (void)state;
    const size_t sizes[] = {2, 3, 9, 64, 65, 150};
    size_t all = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned long seed = 1; seed <= 10; seed++) {
            struct geometry g;
            geometry_random(&g, sizes[s], 3, 0.8, seed, seed % 2 ? &linear : &rbf);
            set(&g, 1, FW_ONE_CLASS);
            size_t updates[2] = {3000, 3000};
            follow(&g, "pairwise-fw", "mdm", 1, &updates[0]);
            follow(&g, "pairwise-fw", "clip-mdm", 1, &updates[1]);
            all += updates[0] + updates[1];
            geometry_close(&g);
        }
    assert_true(all > 50000);
}

static void pairwise_fw_of_both_classes_is_minkowski_mdm_on_whole_hulls(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 10; seed++) {
        struct geometry g;
        geometry_random(&g, 60, 3, 1.5, seed, &rbf);
        set(&g, 1, FW_BOTH_CLASSES);
        /* |d|^2 is summed in another order; 200 updates amplify the difference. */
        size_t updates = 200;
        assert_true(follow(&g, "pairwise-fw", "minkowski-mdm", 0, &updates) <= 1e-11 && updates > 50);
        geometry_close(&g);
    }
}

/* ---- updates against their description ---- */

enum { SMALL = 12, MAX_VERTICES = 400 };

struct small {
    size_t n, count[2];             /* patterns, vertices by class */
    double mu, q[SMALL][SMALL];     /* y_i y_j K_ij */
    signed char y[SMALL];
    double vertex[2][MAX_VERTICES][SMALL];
};

/* Lists every vertex of the class's polytope: K multipliers of mu, and one of sigma. */
static void list_vertices(struct small *small, int c)
{
    size_t full = (size_t)floor(1 / small->mu + 1e-9);
    double rest = 1 - (double)full * small->mu;
    small->count[c] = 0;
    for (unsigned set_of = 0; set_of < 1u << small->n; set_of++)
        for (size_t last = 0; last < (rest > 1e-9 ? small->n : 1); last++) {
            size_t members = 0;
            int is_in_class = rest <= 1e-9 || (class_index(small->y[last]) == c && !(set_of >> last & 1));
            for (size_t i = 0; i < small->n; i++)
                if (set_of >> i & 1) {
                    members++;
                    is_in_class &= class_index(small->y[i]) == c;
                }
            if (members != full || !is_in_class)
                continue;
            assert_true(small->count[c] < MAX_VERTICES);
            double *vertex = small->vertex[c][small->count[c]++];
            for (size_t i = 0; i < small->n; i++)
                vertex[i] = set_of >> i & 1 ? small->mu : 0;
            if (rest > 1e-9)
                vertex[last] = rest;
        }
}

static void open_small(struct small *small, struct geometry *g, double mu)
{
    small->n = g->n;
    small->mu = mu;
    memcpy(small->y, g->y, g->n);
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            small->q[i][j] = g->y[i] * g->y[j] * gram_row(g->gram, i)[j];
    list_vertices(small, 0);
    list_vertices(small, 1);
}

/* x' Q z */
static double form(const struct small *small, const double *x, const double *z)
{
    double sum = 0;
    for (size_t i = 0; i < small->n; i++)
        for (size_t j = 0; j < small->n; j++)
            sum += x[i] * small->q[i][j] * z[j];
    return sum;
}

/* The vertex of the class with the smallest (sign 1) or largest (sign -1) product with the gradient, if `in_face` only
 * in the smallest face that contains alpha. *is_clear becomes 0 if only rounding distinguishes it from another. */
static const double *best_vertex(const struct small *small, int c, const double *alpha, double sign, int in_face,
                                 int *is_clear)
{
    const double *best = NULL;
    double least = HUGE_VAL, second = HUGE_VAL;
    for (size_t k = 0; k < small->count[c]; k++) {
        const double *vertex = small->vertex[c][k];
        int is_in_face = 1;
        for (size_t i = 0; i < small->n; i++)
            if (class_index(small->y[i]) == c && (alpha[i] == 0 || alpha[i] == small->mu))
                is_in_face &= vertex[i] == alpha[i];
        double value = sign * form(small, vertex, alpha);
        if (in_face && !is_in_face)
            continue;
        second = fmin(second, fmax(value, least));
        if (value < least) {
            least = value;
            best = vertex;
        }
    }
    *is_clear &= second - least > 1e-9 * fabs(least);
    return best;
}

/* A direction of a class, in all multipliers. Returns its gap. */
static double direction(const struct small *small, int c, const double *alpha, enum fw_kind kind, double *d,
                        int *is_clear)
{
    const double *toward = best_vertex(small, c, alpha, 1, 0, is_clear);
    const double *away = best_vertex(small, c, alpha, -1, 1, is_clear);
    assert_non_null(away);
    for (size_t i = 0; i < small->n; i++) {
        double own = class_index(small->y[i]) == c ? alpha[i] : 0;
        d[i] = (kind == FW_AWAY ? own : toward[i]) - (kind == FW_TOWARD ? own : away[i]);
    }
    return -form(small, d, alpha);
}

/* The largest step within the bounds. */
static double largest_step(const struct small *small, const double *alpha, const double *d)
{
    double most = HUGE_VAL;
    for (size_t i = 0; i < small->n; i++)
        if (fabs(d[i]) > 1e-12)
            most = fmin(most, d[i] > 0 ? (small->mu - alpha[i]) / d[i] : alpha[i] / -d[i]);
    return most;
}

/* Writes alpha after the best step along d. Returns the decrease of 1/2 |W|^2. */
static double take_step(const struct small *small, const double *alpha, const double *d, double most, double *after)
{
    double gap = -form(small, d, alpha), length2 = form(small, d, d);
    double step = gap < most * length2 ? gap / length2 : most;
    for (size_t i = 0; i < small->n; i++)
        after[i] = alpha[i] + step * d[i];
    return step * gap - 0.5 * step * step * length2;
}

/* Whether two numbers of that magnitude differ by more than rounding. */
static int differ(double a, double b)
{
    return fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b));
}

/* The alpha that the solver's update must produce. Returns 0 if rounding decides. */
static int describe(const struct small *small, const char *name, int both, const double *alpha, double *after)
{
    double d[3][3][SMALL], gap[3][3]; /* by class (2: both) and kind */
    int is_clear = 1;
    for (int kind = 0; kind < 3; kind++) {
        for (int c = 0; c < 2; c++)
            gap[c][kind] = direction(small, c, alpha, (enum fw_kind)kind, d[c][kind], &is_clear);
        gap[2][kind] = gap[0][kind] + gap[1][kind];
        for (size_t i = 0; i < small->n; i++)
            d[2][kind][i] = d[0][kind][i] + d[1][kind][i];
    }
    if (strcmp(name, "away-fw") == 0) {
        double best[2] = {fmax(gap[0][FW_TOWARD], gap[0][FW_AWAY]), fmax(gap[1][FW_TOWARD], gap[1][FW_AWAY])};
        int c = both ? 2 : best[0] > best[1] ? 0 : 1, kind = gap[c][FW_AWAY] > gap[c][FW_TOWARD] ? FW_AWAY : FW_TOWARD;
        take_step(small, alpha, d[c][kind], kind == FW_AWAY ? largest_step(small, alpha, d[c][kind]) : 1, after);
        return is_clear && differ(gap[c][FW_TOWARD], gap[c][FW_AWAY]) && (both || differ(best[0], best[1]));
    }
    int c = both ? 2 : gap[0][FW_PAIR] > gap[1][FW_PAIR] ? 0 : 1;
    double other[SMALL], most = largest_step(small, alpha, d[c][FW_PAIR]);
    double gain = take_step(small, alpha, d[c][FW_PAIR], most, after);
    double of_other = take_step(small, alpha, d[c][FW_TOWARD], 1, other);
    int is_swap = strcmp(name, "swap-fw") == 0;
    if (is_swap && of_other > gain)
        memcpy(after, other, sizeof other);
    return is_clear && (both || differ(gap[0][FW_PAIR], gap[1][FW_PAIR])) && (!is_swap || differ(gain, of_other));
}

struct tally {
    int updates, drops; /* drops: a multiplier above 0 became 0 */
};

/* The operations of an update, by the description: the rows that define the direction. */
static void check_cost(const char *name, double mu, int both, uint64_t asked)
{
    uint64_t full = (uint64_t)floor(1 / mu + 1e-9), rest = 1 - (double)full * mu > 1e-9, rows = (full + rest) * SMALL;
    uint64_t norm = full * full + rest * (full + 1);
    if (strcmp(name, "away-fw") == 0)
        assert_true(asked == rows || (both && asked == 2 * rows)); /* one: the other direction is empty */
    else if (strcmp(name, "swap-fw") == 0)
        assert_true(asked == rows + norm || asked == 2 * rows + norm);
    else
        assert_true(asked % SMALL == 0 && asked >= 2 * SMALL && asked <= 2 * rows * (both ? 2 : 1));
}

static void check_updates(const char *name, double mu, int both, unsigned long seed, struct tally *tally)
{
    const struct solver *solver = solver_find(name);
    struct geometry g;
    static struct small small;
    double alpha[SMALL], expected[SMALL], after[SMALL];
    geometry_random(&g, SMALL, 3, 1.5, seed, seed % 2 ? &linear : &rbf);
    if (1 / mu > 5) {
        geometry_close(&g);
        return;
    }
    set(&g, mu, both ? FW_BOTH_CLASSES : FW_ONE_CLASS);
    open_small(&small, &g, mu);
    void *state = small.count[0] && small.count[1] ? geometry_start(&g, solver) : NULL;
    for (int k = 0; k < 60 && state; k++) {
        struct progress progress = {.need_objective = 1};
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
        solver->alpha(state, alpha);
        if (solver->gap(state, 0) <= 1e-7 * progress.norm2)
            break;
        int is_clear = describe(&small, name, both, alpha, expected);
        uint64_t before = oracle_operations(g.oracle, PHASE_ITERATIONS);
        assert_int_equal(solver->update(state, g.oracle), STATUS_OK);
        check_cost(name, mu, both, oracle_operations(g.oracle, PHASE_ITERATIONS) - before);
        solver->alpha(state, after);
        tally->updates += is_clear;
        for (size_t i = 0; i < SMALL && is_clear; i++) {
            tally->drops += alpha[i] > 0 && after[i] == 0;
            if (!(fabs(after[i] - expected[i]) <= 1e-7)) /* gaps of 1e-7 have a relative error of 1e-9 */
                fail_msg("%s, mu %g, classes %d, seed %lu: multiplier %zu is %.17g after update %d, described %.17g",
                         name, mu, both, seed, i, after[i], k, expected[i]);
        }
        assert_true(form(&small, after, after) <= form(&small, alpha, alpha) * (1 + 1e-13));
    }
    free(state);
    geometry_close(&g);
}

static void every_update_is_the_one_described(void **state)
{
    (void)state;
    const double mus[] = {1, 0.5, 0.45, 0.4};
    const char *const names[] = {"away-fw", "pairwise-fw", "swap-fw"};
    for (size_t v = 0; v < sizeof names / sizeof *names; v++)
        for (int both = 0; both < (strcmp(names[v], "swap-fw") == 0 ? 1 : 2); both++) {
            struct tally tally = {0, 0};
            for (size_t m = 0; m < sizeof mus / sizeof *mus; m++)
                for (unsigned long seed = 1; seed <= 12; seed++)
                    check_updates(names[v], mus[m], both, seed, &tally);
            assert_true(tally.updates > 500 && tally.drops > 100);
        }
}

/* Only rounding can leave a class without A, so it is taken away by hand. */
static void a_class_without_an_away_vertex_has_no_gap_and_sets_no_limit(void **state)
{
    (void)state;
    const struct solver *solver = solver_find("away-fw");
    struct geometry g;
    geometry_random(&g, 40, 3, 0.5, 1, &rbf);
    set(&g, 0.3, FW_BOTH_CLASSES);
    struct frank_wolfe *fw = geometry_start(&g, solver);
    for (int c = 0; c < 2; c++) {
        struct progress progress = {.need_objective = 1};
        fw_find_vertices(fw, &progress);
        assert_true(fw->has_away[c] && fw_set_direction(fw, c, FW_AWAY) > 0);
        fw->has_away[c] = 0;
        assert_true(fw_set_direction(fw, c, FW_AWAY) == 0);
        assert_true(fw->direction[c].gap == 0 && fw->direction[c].count == 0 && isinf(fw->direction[c].max_step));
        double toward = fw_set_direction(fw, c, FW_TOWARD);
        assert_true(fabs(toward - progress.class_gap[c]) <= 1e-14); /* sums of 40 terms below 1 */
        assert_true(fw_set_direction(fw, c, FW_PAIR) == toward && fw->direction[c].kind == FW_TOWARD);
    }
    free(fw);
    geometry_close(&g);
}

struct wider {
    struct frank_wolfe fw;
    int own[16];
};

static void the_members_of_a_solver_may_follow_the_shared_ones(void **state)
{
    (void)state;
    const struct solver *solver = solver_find("away-fw");
    struct geometry g;
    double alpha[2][MAX_GEOMETRY];
    geometry_random(&g, 40, 3, 0.5, 2, &rbf);
    set(&g, 0.3, FW_ONE_CLASS);
    void *plain = geometry_start(&g, solver);
    struct wider *wider = (struct wider *)simd_doubles(fw_state_size(sizeof *wider, &g.problem) / sizeof(double));
    assert_non_null(wider);
    assert_int_equal(fw_start(&wider->fw, sizeof *wider, &g.problem, g.oracle), STATUS_OK);
    for (size_t k = 0; k < 16; k++)
        wider->own[k] = 1;
    for (int k = 0; k < 50; k++) {
        struct progress of_plain = {.need_objective = 1}, of_wider = {.need_objective = 1};
        assert_int_equal(solver->select(plain, &of_plain), STATUS_OK);
        assert_int_equal(solver->select(wider, &of_wider), STATUS_OK);
        assert_true(of_plain.delta == of_wider.delta);
        assert_int_equal(solver->update(plain, g.oracle), STATUS_OK);
        assert_int_equal(solver->update(wider, g.oracle), STATUS_OK);
        solver->alpha(plain, alpha[0]);
        solver->alpha(wider, alpha[1]);
        assert_memory_equal(alpha[0], alpha[1], g.n * sizeof(double));
    }
    for (size_t k = 0; k < 16; k++)
        assert_int_equal(wider->own[k], 1);
    free(plain), free(wider);
    geometry_close(&g);
}

/* ---- corrective-fw ---- */

/* v_i = y_i W . X_i, and |W|^2. */
static double recompute(struct geometry *g, const double *alpha, double *v)
{
    double norm2 = 0;
    for (size_t i = 0; i < g->n; i++) {
        const double *row = gram_row(g->gram, i);
        v[i] = 0;
        for (size_t j = 0; j < g->n; j++)
            v[i] += g->y[i] * g->y[j] * alpha[j] * row[j];
        norm2 += alpha[i] * v[i];
    }
    return norm2;
}

/* L and U of the class among the patterns of the set. */
static struct hull_pair pair_among(const struct geometry *g, int class, double mu, const double *alpha, const double *v,
                                   const int *set_of)
{
    struct hull_pair pair = {g->n, g->n, 0};
    for (size_t i = 0; i < g->n; i++) {
        if (g->y[i] != class || !set_of[i])
            continue;
        if (alpha[i] < mu && (pair.low == g->n || v[i] < v[pair.low]))
            pair.low = i;
        if (alpha[i] > 0 && (pair.high == g->n || v[i] > v[pair.high]))
            pair.high = i;
    }
    if (pair.low < g->n && pair.high < g->n)
        pair.delta = v[pair.high] - v[pair.low];
    return pair;
}

/* The larger Delta of both classes. *gain: the decrease of 1/2 |W|^2 by the clipped step along that pair. */
static double largest_delta(struct geometry *g, double mu, const double *alpha, const double *v, const int *set_of,
                            double *gain)
{
    struct hull_pair plus = pair_among(g, 1, mu, alpha, v, set_of), minus = pair_among(g, -1, mu, alpha, v, set_of);
    struct hull_pair pair = plus.delta > minus.delta ? plus : minus;
    size_t low = pair.low, high = pair.high;
    *gain = 0;
    if (!(pair.delta > 0))
        return pair.delta;
    double length2 = gram_row(g->gram, low)[low] + gram_row(g->gram, high)[high] - 2 * gram_row(g->gram, low)[high];
    double step = fmin(pair.delta / length2, fmin(mu - alpha[low], alpha[high]));
    *gain = step * pair.delta - 0.5 * step * step * length2;
    return pair.delta;
}

/* S: patterns with positive weight, and the K, or K + 1, of each class with the smallest v. */
static void patterns_in_use(const struct geometry *g, double mu, const double *alpha, const double *v, int *set_of)
{
    size_t full = (size_t)floor(1 / mu + 1e-9), in_vertex = full + (1 - (double)full * mu > 1e-9);
    for (size_t i = 0; i < g->n; i++) {
        size_t better = 0;
        for (size_t j = 0; j < g->n; j++)
            better += g->y[j] == g->y[i] && v[j] < v[i];
        set_of[i] = alpha[i] > 0 || better < in_vertex;
    }
}

static void each_correction_minimises_over_the_patterns_in_use(void **state)
{
    (void)state;
    const struct solver *solver = solver_find("corrective-fw");
    const double mus[] = {1, 0.3, 0.07};
    double alpha[MAX_GEOMETRY], after[MAX_GEOMETRY], v[MAX_GEOMETRY], gain, unused;
    int set_of[MAX_GEOMETRY], everything[MAX_GEOMETRY], corrections = 0;
    for (size_t i = 0; i < MAX_GEOMETRY; i++)
        everything[i] = 1;
    for (size_t m = 0; m < 3; m++)
        for (unsigned long seed = 1; seed <= 6; seed++) {
            struct geometry g;
            geometry_random(&g, 100, 3, 0.7, seed, &narrow);
            set(&g, mus[m], FW_ONE_CLASS);
            void *solver_state = geometry_start(&g, solver);
            for (int k = 0; k < 200; k++) {
                struct progress progress = {.need_objective = 1};
                assert_int_equal(solver->select(solver_state, &progress), STATUS_OK);
                solver->alpha(solver_state, alpha);
                double norm2 = recompute(&g, alpha, v);
                double delta = largest_delta(&g, mus[m], alpha, v, everything, &gain);
                assert_true(fabs(progress.delta - delta) <= 1e-12);
                if (delta <= 1e-8)
                    break;
                patterns_in_use(&g, mus[m], alpha, v, set_of);
                assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
                solver->alpha(solver_state, after);
                double lower = recompute(&g, after, v);
                assert_true(0.5 * lower <= 0.5 * norm2 - gain + 1e-14); /* at least as far as a step of clip-mdm */
                assert_true(largest_delta(&g, mus[m], after, v, set_of, &unused) <= 0.1 * delta + 1e-12);
                for (size_t i = 0; i < g.n; i++)
                    assert_true(set_of[i] || after[i] == 0);
                corrections++;
            }
            assert_true(solver->gap(solver_state, 0) <= 1e-7);
            free(solver_state);
            geometry_close(&g);
        }
    assert_true(corrections > 100);
}

/* ---- the rate of convergence ---- */

/* Iterations until the gap of each class is below the tolerance times |W|; the limit if that is not reached. */
static uint64_t iterations_to(struct geometry *g, const char *name, double tolerance, uint64_t limit)
{
    struct solution solution;
    double alpha[MAX_GEOMETRY];
    struct solve_request request = {.solver = solver_find(name), .problem = &g->problem, .oracle = g->oracle,
                                    .stop = {STOP_RCH_GAP_BOTH, tolerance}, .budget = {.iterations = limit}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    return solution.iterations;
}

/* The matrix of this kernel is regular, so 1/2 |W|^2 is strongly convex in alpha. By Theorem 1 of Lacoste-Julien and
 * Jaggi (2015) each step that meets no bound reduces the error by a constant factor, and the number of other steps is
 * bounded by these. So each further digit takes about as many iterations as the previous one, here at most a thousand.
 * Without away steps the gap falls as 1/t if the optimum is inside a face: a digit takes ten times as many. */
static void gaps_fall_linearly_with_away_steps_and_not_without(void **state)
{
    (void)state;
    const char *const names[] = {"away-fw", "pairwise-fw", "swap-fw"};
    const double mus[] = {1, 0.25, 0.07};
    for (size_t m = 0; m < sizeof mus / sizeof *mus; m++)
        for (unsigned long seed = 1; seed <= 5; seed++) {
            struct geometry g;
            geometry_random(&g, 100, 3, 0.5, seed, &narrow);
            set(&g, mus[m], FW_ONE_CLASS);
            for (size_t v = 0; v < sizeof names / sizeof *names; v++) {
                const char *name = names[v];
                uint64_t four = iterations_to(&g, name, 1e-4, 10000), six = iterations_to(&g, name, 1e-6, 10000);
                uint64_t eight = iterations_to(&g, name, 1e-8, 10000);
                if (!(eight < 10000 && eight - six <= 2 * (six - four) + 300))
                    fail_msg("%s, mu %g, seed %lu: %llu iterations to 1e-4, %llu to 1e-6, %llu to 1e-8", name, mus[m],
                             seed, (unsigned long long)four, (unsigned long long)six, (unsigned long long)eight);
            }
            assert_int_equal(iterations_to(&g, "mu-gsk", 1e-6, 20000), 20000);
            geometry_close(&g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairwise_fw_is_mdm_to_the_bit_on_whole_hulls),
        cmocka_unit_test(pairwise_fw_of_both_classes_is_minkowski_mdm_on_whole_hulls),
        cmocka_unit_test(every_update_is_the_one_described),
        cmocka_unit_test(a_class_without_an_away_vertex_has_no_gap_and_sets_no_limit),
        cmocka_unit_test(the_members_of_a_solver_may_follow_the_shared_ones),
        cmocka_unit_test(each_correction_minimises_over_the_patterns_in_use),
        cmocka_unit_test(gaps_fall_linearly_with_away_steps_and_not_without),
    };
    return cmocka_run_group_tests_name("Frank-Wolfe", tests, NULL, NULL);
}
