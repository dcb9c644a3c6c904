/*
 * Exact gains of pairs, and the two solvers that choose by them. Each step is recomputed from the multipliers and the
 * kernel matrix alone: maximum-gain-smo (which pair, how many rows) and planning-ahead-smo (the planned step, the pair
 * after it, the gain of both).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/decomposition/pair_gain.h"
#include "solvers/solver.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

/* A point of the dual: multipliers, F_i = sum_j alpha_j y_j k_ij - y_i, and 1/2 |W|^2 - sum alpha. */
struct point {
    double alpha[MAX_GEOMETRY], f[MAX_GEOMETRY], dual;
};

static void look_at(struct geometry *g, const struct solver *solver, const void *state, struct point *point)
{
    solver->alpha(state, point->alpha);
    point->dual = 0;
    for (size_t i = 0; i < g->n; i++) {
        const double *row = gram_row(g->gram, i);
        point->f[i] = -g->y[i];
        for (size_t j = 0; j < g->n; j++)
            point->f[i] += g->y[j] * point->alpha[j] * row[j];
        point->dual += 0.5 * point->alpha[i] * g->y[i] * (point->f[i] + g->y[i]) - point->alpha[i];
    }
}

static double kernel_of(struct geometry *g, size_t i, size_t j)
{
    return gram_row(g->gram, i)[j];
}

/* (e_i - e_j) . K (e_k - e_l) */
static double product(struct geometry *g, size_t i, size_t j, size_t k, size_t l)
{
    return kernel_of(g, i, k) - kernel_of(g, i, l) - kernel_of(g, j, k) + kernel_of(g, j, l);
}

static double curvature_of(struct geometry *g, size_t i, size_t j)
{
    return product(g, i, j, i, j);
}

/* The largest step of y alpha of pattern i, up or down. */
static double room(const struct geometry *g, const struct point *p, double c, size_t i, int up)
{
    return (g->y[i] > 0) == up ? c - p->alpha[i] : p->alpha[i];
}

/* The largest decrease of the dual by a step that moves y alpha from j to i; 0 if none. */
static double gain_of(struct geometry *g, const struct point *p, double c, size_t i, size_t j)
{
    double w = p->f[j] - p->f[i], q = curvature_of(g, i, j), max = fmin(room(g, p, c, i, 1), room(g, p, c, j, 0));
    double step = q > 0 ? fmin(w / q, max) : max;
    return w > 0 && max > 0 ? w * step - 0.5 * q * step * step : 0;
}

static double best_with(struct geometry *g, const struct point *p, double c, size_t fixed)
{
    double best = 0;
    for (size_t i = 0; i < g->n; i++)
        best = i == fixed ? best : fmax(best, fmax(gain_of(g, p, c, i, fixed), gain_of(g, p, c, fixed, i)));
    return best;
}

static size_t worst_up(const struct geometry *g, const struct point *p, double c)
{
    size_t up = g->n;
    for (size_t i = 0; i < g->n; i++)
        if (room(g, p, c, i, 1) > 0 && (up == g->n || p->f[i] < p->f[up]))
            up = i;
    return up;
}

static double worst_delta(const struct geometry *g, const struct point *p, double c)
{
    double max = -HUGE_VAL;
    for (size_t i = 0; i < g->n; i++)
        max = room(g, p, c, i, 0) > 0 ? fmax(max, p->f[i]) : max;
    return max - p->f[worst_up(g, p, c)];
}

/* Finds the pair that moved between the two points. Returns the step, or 0 if it was so small that one of the
 * multipliers lost it to rounding. */
static double find_moved(const struct geometry *g, const struct point *from, const struct point *to, size_t *up,
                         size_t *low)
{
    double step = 0;
    size_t moved = 0;
    for (size_t i = 0; i < g->n; i++) {
        double change = g->y[i] * (to->alpha[i] - from->alpha[i]);
        moved += change != 0;
        *up = change > 0 ? i : *up;
        *low = change < 0 ? i : *low;
        step = fmax(step, fabs(change));
    }
    assert_true(moved == 2 || (moved == 1 && step < 1e-12));
    return moved == 2 ? step : 0;
}

/* ---- the search ---- */

static double draw(double low, double high)
{
    return low + (high - low) * rand() / RAND_MAX;
}

/* A box over the patterns of the geometry, at the point. */
static struct box *box_at(const struct geometry *g, const struct point *p, double c)
{
    struct box measured, *box = calloc(1, sizeof *box);
    struct arena arena = {0};
    box_layout(&measured, &arena, g->n);
    assert_non_null(box);
    arena = (struct arena){.block = (char *)simd_doubles(arena.used / sizeof(double) + 1)};
    assert_non_null(arena.block);
    box_layout(box, &arena, g->n);
    box->y = g->y;
    box->c = c;
    box->simd = g->simd;
    for (size_t i = 0; i < g->n; i++) {
        box_set(box, i, p->alpha[i]);
        box->f[i] = p->f[i];
    }
    return box;
}

/* Searches at the point. */
static void search(struct geometry *g, const struct point *p, double c, size_t fixed, struct pair_gain *best)
{
    struct box *box = box_at(g, p, c);
    struct arena measured = {0};
    struct gain_patterns patterns;
    gain_patterns_layout(&patterns, &measured, g->n);
    struct arena arena = {.block = (char *)simd_doubles(measured.used / sizeof(double) + 1)};
    assert_non_null(arena.block);
    gain_patterns_layout(&patterns, &arena, g->n);
    gain_patterns_start(&patterns, &g->problem, g->oracle);
    pair_gain_search(box, &patterns, fixed, gram_row(g->gram, fixed), best);
    free(patterns.diagonal), free(box->alpha), free(box);
}

static void the_search_finds_the_pair_of_most_gain(void **state)
{
    const size_t sizes[] = {2, 7, 8, 9, 63, 64, 65, 200};
    size_t found = 0, none = 0;
    (void)state;
    srand(1);
    for (int t = 0; t < 200; t++) {
        struct geometry g;
        struct point p = {.dual = 0};
        double c = draw(0.1, 5);
        geometry_random(&g, sizes[t % 8], 2, 0.4, (unsigned long)t, t % 3 ? &rbf : &linear);
        for (size_t i = 0; i < g.n; i++) {
            p.alpha[i] = rand() % 3 ? draw(0, c) : rand() % 2 ? c : 0;
            p.f[i] = rand() % 4 ? draw(-1, 1) : 0.5; /* with ties */
        }
        size_t fixed = (size_t)rand() % g.n;
        struct pair_gain best = {t % 5 ? 0 : 0.2, {(size_t)rand() % g.n, (size_t)rand() % g.n, 7, 7}};
        double at_first = best.gain, expected = best_with(&g, &p, c, fixed);
        search(&g, &p, c, fixed, &best);
        assert_true(fabs(best.gain - fmax(expected, at_first)) <= 1e-13 * fmax(1, expected));
        if (expected > at_first + 1e-13) {
            assert_true(best.pair.up == fixed || best.pair.low == fixed);
            assert_true(best.pair.f_up == p.f[best.pair.up] && best.pair.f_low == p.f[best.pair.low]);
            assert_true(gain_of(&g, &p, c, best.pair.up, best.pair.low) >= expected - 1e-13 * fmax(1, expected));
            found++;
        } else {
            assert_true(best.pair.f_up == 7 && best.gain == at_first); /* unchanged */
            none++;
        }
        geometry_close(&g);
    }
    assert_true(found > 100 && none > 5);
}

/* Equal patterns have no curvature, so their pair makes the largest step. Of pairs with equal gains the lowest is
 * taken. */
static void equal_patterns_and_ties_go_as_described(void **state)
{
    const double x[] = {1, 1, 3, 3};
    const signed char y[] = {1, -1, -1, -1};
    struct geometry g;
    struct point p = {.f = {-1, 1, 1, 1}};
    struct pair_gain best = {0, BOX_NO_PAIR};
    (void)state;
    geometry_open(&g, 4, 1, x, y, &linear);
    search(&g, &p, 2, 0, &best);
    assert_true(best.pair.up == 0 && best.pair.low == 1 && best.gain == 4); /* max step 2, Delta = 2 */
    p.alpha[1] = 2; /* cannot decrease */
    best = (struct pair_gain){0, BOX_NO_PAIR};
    search(&g, &p, 2, 0, &best);
    assert_true(best.pair.up == 0 && best.pair.low == 2 && best.gain == 0.5); /* Delta^2 / 2 eta = 4 / 8 */
    geometry_close(&g);
}

/* ---- maximum-gain-smo ---- */

static int is_near_bound(const struct point *p, double c, size_t i)
{
    return p->alpha[i] <= 1e-8 * c || p->alpha[i] >= c * (1 - 1e-8);
}

/* Follows the solver. Counts the pairs chosen by gain and those chosen as most violating. */
static void follow_maximum_gain(struct geometry *g, double c, size_t *by_gain, size_t *by_violation)
{
    const struct solver *solver = solver_find("maximum-gain-smo");
    struct point from, to;
    struct progress progress = {0};
    parameter_set(&g->problem.parameters, &parameter_c, c);
    void *solver_state = geometry_start(g, solver);
    size_t previous[2] = {g->n, g->n}, up = 0, low = 0;
    look_at(g, solver, solver_state, &from);
    for (int k = 0; k < 200; k++) {
        solver->select(solver_state, &progress);
        uint64_t before = oracle_operations(g->oracle, PHASE_ITERATIONS);
        if (progress.delta <= 1e-6)
            break;
        assert_int_equal(solver->update(solver_state, g->oracle), STATUS_OK);
        uint64_t rows = (oracle_operations(g->oracle, PHASE_ITERATIONS) - before) / g->n;
        look_at(g, solver, solver_state, &to);
        find_moved(g, &from, &to, &up, &low);
        if (k == 0 || (is_near_bound(&from, c, previous[0]) && is_near_bound(&from, c, previous[1]))) {
            assert_true(fabs(from.f[low] - from.f[up] - worst_delta(g, &from, c)) <= 1e-10 * c);
            assert_int_equal(rows, 2);
            (*by_violation)++;
        } else {
            double most = fmax(best_with(g, &from, c, previous[0]), best_with(g, &from, c, previous[1]));
            assert_true(up == previous[0] || up == previous[1] || low == previous[0] || low == previous[1]);
            assert_true(from.dual - to.dual >= most * (1 - 1e-8) - 1e-12 * fmax(1, fabs(to.dual)));
            assert_int_equal(rows, 1);
            (*by_gain)++;
        }
        previous[0] = up;
        previous[1] = low;
        from = to;
    }
    free(solver_state);
}

static void maximum_gain_keeps_a_pattern_and_asks_for_one_row(void **state)
{
    const double penalties[] = {0.05, 3, 100};
    (void)state;
    for (size_t c = 0; c < 3; c++)
        for (unsigned long seed = 1; seed <= 3; seed++) {
            struct geometry g;
            size_t by_gain = 0, by_violation = 0;
            geometry_random(&g, 90, 3, 0.4, seed, seed == 3 ? &linear : &rbf);
            follow_maximum_gain(&g, penalties[c], &by_gain, &by_violation);
            assert_true(c == 0 ? by_violation > 10 : by_gain > 60); /* a small box has many corners */
            geometry_close(&g);
        }
}

/* ---- planning-ahead-smo ---- */

/* The two pairs of a small problem. Patterns are +-a/2 and q +- b/2, where |a| = |b| = 2 and a . b = 3.2, and q is far
 * away. From 0 the step along the first pair is 2/4. Along the second pair w is then 0.4: the exact step 0.1 gains
 * 0.02, and going back along the first gains 0.0128. The planned step is 4 w / 5.76; both gain 4 w^2 / (2 . 5.76) and
 * reach the optimum. */
static void a_planned_double_step_gains_what_was_computed_by_hand(void **state)
{
    const double x[] = {1, 0, 0, -1, 0, 0, 0.8, 0.6, 10, -0.8, -0.6, 10};
    const signed char y[] = {1, -1, 1, -1};
    const char *const names[] = {"planning-ahead-smo", "second-order-smo"};
    const double second[] = {4 * 0.4 / 5.76, 0.1}, gains[] = {4 * 0.4 * 0.4 / (2 * 5.76), 0.02 + 0.0128};
    struct geometry g;
    (void)state;
    geometry_open(&g, 4, 3, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 10);
    for (size_t s = 0; s < 2; s++) {
        const struct solver *solver = solver_find(names[s]);
        struct point p[4];
        struct progress progress = {0};
        void *solver_state = geometry_start(&g, solver);
        look_at(&g, solver, solver_state, &p[0]);
        for (size_t k = 1; k <= 3; k++) {
            solver->select(solver_state, &progress);
            assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
            look_at(&g, solver, solver_state, &p[k]);
        }
        assert_true(fabs(p[1].alpha[0] - 0.5) <= 1e-15 && fabs(p[1].alpha[1] - 0.5) <= 1e-15);
        assert_true(fabs(p[2].alpha[2] - second[s]) <= 1e-15 && fabs(p[2].alpha[3] - second[s]) <= 1e-15);
        assert_true(fabs(p[1].dual - p[3].dual - gains[s]) <= 1e-15);
        solver->select(solver_state, &progress);
        assert_true(s == 0 ? progress.delta <= 1e-15 : progress.delta > 0.1);
        free(solver_state);
    }
    geometry_close(&g);
}

static double gain_without_box(struct geometry *g, const struct point *p, double c, size_t i, size_t j)
{
    double w = p->f[j] - p->f[i];
    return room(g, p, c, i, 1) > 0 && room(g, p, c, j, 0) > 0 && w > 0 ? 0.5 * w * w / curvature_of(g, i, j) : 0;
}

/* A step as observed from outside. */
struct step {
    size_t up, low;
    int is_planned, is_far;
    double dual, exact_gain; /* before the step; the gain of the exact step without the box */
};

/* The pair must be the best of the available ones: after a far step, by gains with the box. */
static void check_choice(struct geometry *g, double c, const struct point *from, const struct step *last,
                         const struct step *before, size_t up, size_t low)
{
    double (*gain)(struct geometry *, const struct point *, double, size_t, size_t) =
        last->is_far ? gain_of : gain_without_box;
    size_t first = worst_up(g, from, c);
    double most = 0;
    for (size_t j = 0; j < g->n; j++)
        most = j == first ? most : fmax(most, gain(g, from, c, first, j));
    if (last->is_planned)
        most = fmax(most, fmax(gain(g, from, c, before->up, before->low), gain(g, from, c, before->low, before->up)));
    assert_true(gain(g, from, c, up, low) >= most * (1 - 1e-7) - 1e-12);
}

static int is_inside(const struct geometry *g, const struct point *p, double c, size_t i, double change)
{
    return fabs(change) <= room(g, p, c, i, change > 0) * (1 + 1e-9);
}

static double change_at(size_t i, size_t up, size_t low, double step)
{
    return i == up ? step : i == low ? -step : 0;
}

/* mu_1 of the pair and the last one, from Q (mu_1, mu_2) = (w_1, w_2); 0 if a step leaves the box. */
static double plan_of(struct geometry *g, const struct point *p, double c, size_t up, size_t low,
                      const struct step *last)
{
    double q11 = curvature_of(g, up, low), q22 = curvature_of(g, last->up, last->low);
    double q12 = product(g, up, low, last->up, last->low), det = q11 * q22 - q12 * q12;
    double w1 = p->f[low] - p->f[up], w2 = p->f[last->low] - p->f[last->up];
    double mu1 = (q22 * w1 - q12 * w2) / det, mu2 = (q11 * w2 - q12 * w1) / det;
    if (!(det > 1e-10 * q11 * q22))
        return 0;
    assert_true(fabs(q11 * mu1 + q12 * mu2 - w1) <= 1e-9 * fmax(fabs(w1), fabs(w2)) * q11 * q22 / det);
    return is_inside(g, p, c, up, mu1) && is_inside(g, p, c, low, -mu1) &&
                   is_inside(g, p, c, last->up, change_at(last->up, up, low, mu1) + mu2) &&
                   is_inside(g, p, c, last->low, change_at(last->low, up, low, mu1) - mu2)
               ? mu1
               : 0;
}

/* The number of planned steps in a test, and of steps that raised the dual. */
struct seen {
    size_t near, far, rises;
};

/* Checks the step between two points; updates `last` and `before` for the next check. */
static void check_step(struct geometry *g, double c, const struct point *from, const struct point *to,
                       struct step *last, struct step *before, struct seen *seen)
{
    const double tiny = 1e-11 * fmax(1, fabs(to->dual)), eta = 0.9;
    size_t up = 0, low = 0;
    double size = find_moved(g, from, to, &up, &low);
    if (size == 0)
        return;
    check_choice(g, c, from, last, before, up, low);
    double w = from->f[low] - from->f[up], exact = w / curvature_of(g, up, low), gained = from->dual - to->dual;
    double planned = last->is_far ? 0 : plan_of(g, from, c, up, low, last);
    double expected = planned > 0 ? planned : fmin(exact, fmin(room(g, from, c, up, 1), room(g, from, c, low, 0)));
    assert_true(fabs(size - expected) <= 1e-6 * expected + 1e-12 * c);
    if (last->is_far)
        assert_true(last->dual - to->dual >= last->exact_gain - tiny);
    int is_far = planned > 0 && fabs(planned - exact) > eta * exact;
    if (planned > 0 && !is_far)
        assert_true(gained >= (1 - eta * eta) * 0.5 * w * exact - tiny);
    seen->near += planned > 0 && !is_far;
    seen->far += is_far != 0;
    seen->rises += gained < -tiny;
    *before = *last;
    *last = (struct step){up, low, planned > 0, is_far, from->dual, 0.5 * w * exact};
}

/* Follows the solver; the first step is that of second-order-smo. */
static void follow_plans(struct geometry *g, double c, struct seen *seen)
{
    const struct solver *solver = solver_find("planning-ahead-smo");
    struct point from, to;
    struct progress progress = {0};
    parameter_set(&g->problem.parameters, &parameter_c, c);
    void *solver_state = geometry_start(g, solver);
    struct step last = {.up = 0}, before = {.up = 0};
    for (int k = 0; k < 250; k++) {
        solver->select(solver_state, &progress);
        if (progress.delta <= 1e-4)
            break;
        look_at(g, solver, solver_state, &from);
        assert_int_equal(solver->update(solver_state, g->oracle), STATUS_OK);
        look_at(g, solver, solver_state, &to);
        if (k == 0)
            find_moved(g, &from, &to, &last.up, &last.low);
        else
            check_step(g, c, &from, &to, &last, &before, seen);
    }
    free(solver_state);
}

static void planned_steps_are_those_of_the_formula_and_keep_their_promise(void **state)
{
    const double penalties[] = {0.5, 20, 1000};
    struct seen seen = {0};
    (void)state;
    for (size_t c = 0; c < 3; c++)
        for (unsigned long seed = 1; seed <= 4; seed++) {
            struct geometry g;
            geometry_random(&g, 90, 3, 0.4, seed, &rbf);
            follow_plans(&g, penalties[c], &seen);
            geometry_close(&g);
        }
    assert_true(seen.near > 500 && seen.far > 50 && seen.rises > 50);
}

/* Whether the multiplier of some pattern has moved to a bound. */
static int came_to_bound(const struct point *from, const struct point *to, size_t n, double c)
{
    int count = 0;
    for (size_t i = 0; i < n; i++)
        count += from->alpha[i] != to->alpha[i] && (to->alpha[i] == 0 || to->alpha[i] == c);
    return count > 0;
}

/* The box is so small that all steps end at a bound until close to the optimum, and planned steps would leave it. Up to
 * the first step that does not end at a bound, both solvers agree bitwise. */
static void where_no_plan_fits_the_box_it_is_second_order_smo(void **state)
{
    const struct solver *one = solver_find("planning-ahead-smo"), *other = solver_find("second-order-smo");
    const double c = 1e-4;
    (void)state;
    for (unsigned long seed = 1; seed <= 4; seed++) {
        struct geometry g;
        struct point before, a, b;
        struct progress progress = {0};
        size_t updates = 0;
        geometry_random(&g, 90, 3, 0.4, seed, &rbf);
        parameter_set(&g.problem.parameters, &parameter_c, c);
        void *of_one = geometry_start(&g, one), *of_other = geometry_start(&g, other);
        look_at(&g, one, of_one, &a);
        do {
            before = a;
            one->select(of_one, &progress);
            other->select(of_other, &progress);
            enum status ended = one->update(of_one, g.oracle);
            assert_int_equal(other->update(of_other, g.oracle), ended);
            look_at(&g, one, of_one, &a);
            look_at(&g, other, of_other, &b);
            assert_memory_equal(a.alpha, b.alpha, g.n * sizeof *a.alpha);
            updates++;
        } while (came_to_bound(&before, &a, g.n, c));
        assert_true(updates > 15);
        free(of_one), free(of_other);
        geometry_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_finds_the_pair_of_most_gain),
        cmocka_unit_test(equal_patterns_and_ties_go_as_described),
        cmocka_unit_test(maximum_gain_keeps_a_pattern_and_asks_for_one_row),
        cmocka_unit_test(a_planned_double_step_gains_what_was_computed_by_hand),
        cmocka_unit_test(planned_steps_are_those_of_the_formula_and_keep_their_promise),
        cmocka_unit_test(where_no_plan_fits_the_box_it_is_second_order_smo),
    };
    return cmocka_run_group_tests_name("pair gain", tests, NULL, NULL);
}
