/*
 * platt-smo and keerthi-1 against plain implementations of the papers' procedures with their own counting kernel
 * function: the same steps and the same number of kernel values. Their results are compared with those of 1-SMO.
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
#include "solvers/decomposition/passes.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

/* The plain procedures, with Platt's interval [L, H] and a list of stored values: F of the patterns between their
 * bounds, which a step updates for 2 kernel values each. If two patterns are equally good, rounding decides. So steps
 * are rounded as in the solvers, and a comparison ends at such a close choice. */
struct plain {
    struct geometry *g;
    double c, tol, eps, bias, alpha[MAX_GEOMETRY];
    uint64_t draw, count, steps;
    size_t max_steps;                    /* after which nothing more is done */
    double f_up, f_low, f[MAX_GEOMETRY]; /* Keerthi's b_up and b_low; the stored F */
    size_t up, low;
    int tied;              /* rounding has decided between two patterns */
};

static double k_of(const struct plain *p, size_t i, size_t j)
{
    return gram_row(p->g->gram, i)[j];
}

static int is_free(const struct plain *p, size_t i)
{
    return p->alpha[i] > 0 && p->alpha[i] < p->c;
}

/* sum_j alpha_j y_j k(x_i, x_j) - y_i, stored or computed. */
static double value_of(struct plain *p, size_t i)
{
    double sum = 0;
    if (is_free(p, i))
        return p->f[i];
    for (size_t j = 0; j < p->g->n; j++)
        if (p->alpha[j] > 0) {
            sum += p->alpha[j] * p->g->y[j] * k_of(p, i, j);
            p->count++;
        }
    return sum - p->g->y[i];
}

/* Platt's takeStep in alpha, with the ends L and H. */
static int take_step(struct plain *p, size_t i1, size_t i2, double f1, double f2)
{
    double y1 = p->g->y[i1], y2 = p->g->y[i2], a1 = p->alpha[i1], a2 = p->alpha[i2], s = y1 * y2;
    double low = s < 0 ? fmax(0, a2 - a1) : fmax(0, a1 + a2 - p->c);
    double high = s < 0 ? fmin(p->c, p->c + a2 - a1) : fmin(p->c, a1 + a2);
    if (p->steps == p->max_steps || low == high)
        return 0;
    size_t up = f1 < f2 ? i1 : i2, down = f1 < f2 ? i2 : i1; /* y alpha of `up` increases */
    double kuu = k_of(p, up, up), kud = k_of(p, up, down), kdd = k_of(p, down, down), eta = (kuu - kud) + (kdd - kud);
    double f_up = fmin(f1, f2), f_down = fmax(f1, f2), sign = up == i2 ? y2 : -y2; /* of the change of a2 */
    double max = sign > 0 ? high - a2 : a2 - low, step = eta > 0 ? fmin((f_down - f_up) / eta, max) : max;
    p->count += 3;
    if (!(step > p->eps * (2 * a2 + sign * step + p->eps)))
        return 0;
    for (size_t i = 0; i < p->g->n; i++)
        if (is_free(p, i) && i != i1 && i != i2) {
            p->f[i] += step * (k_of(p, up, i) - k_of(p, down, i));
            p->count += 2;
        }
    p->f[up] = f_up + step * (kuu - kud);
    p->f[down] = f_down - step * (kdd - kud);
    double to[2] = {a1 - s * sign * step, a2 + sign * step};
    for (int k = 0; k < 2; k++) /* within rounding of a bound means at the bound */
        p->alpha[k ? i2 : i1] = to[k] < 1e-14 * p->c ? 0 : to[k] > (1 - 1e-14) * p->c ? p->c : to[k];
    p->steps++;
    return 1;
}

static size_t draw_below(struct plain *p, size_t n)
{
    uint64_t z = p->draw += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((((z ^ (z >> 31)) >> 32) * (uint64_t)n) >> 32);
}

static int platt_step(struct plain *p, size_t i1, size_t i2, double f2)
{
    if (i1 == i2 || p->steps == p->max_steps || !take_step(p, i1, i2, value_of(p, i1), f2))
        return 0;
    p->bias = is_free(p, i1) ? -p->f[i1] : is_free(p, i2) ? -p->f[i2] : -0.5 * (p->f[i1] + p->f[i2]);
    return 1;
}

static int platt_examine(struct plain *p, size_t i2)
{
    size_t n = p->g->n, members = 0, best = n;
    double f2 = value_of(p, i2), r2 = p->g->y[i2] * (f2 + p->bias), max = -1;
    if (!((r2 < -p->tol && p->alpha[i2] < p->c) || (r2 > p->tol && p->alpha[i2] > 0)))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (is_free(p, i)) {
            members++;
            double difference = fabs(value_of(p, i) - f2);
            p->tied |= difference != max && fabs(difference - max) < 1e-9;
            if (difference > max) {
                max = difference;
                best = i;
            }
        }
    if (members > 1 && platt_step(p, best, i2, f2))
        return 1;
    for (int everyone = 0; everyone <= 1; everyone++) {
        size_t start = draw_below(p, n);
        for (size_t k = 0; k < n; k++)
            if ((everyone || is_free(p, (start + k) % n)) && platt_step(p, (start + k) % n, i2, f2))
                return 1;
    }
    return 0;
}

/* Keerthi's examineExample and the work after a step. */
static void keerthi_look(struct plain *p, size_t i)
{
    int y = p->g->y[i], may_grow = y > 0 ? p->alpha[i] < p->c : p->alpha[i] > 0;
    int may_shrink = y > 0 ? p->alpha[i] > 0 : p->alpha[i] < p->c;
    p->tied |= may_grow && i != p->up && p->f[i] != p->f_up && fabs(p->f[i] - p->f_up) < 1e-9;
    p->tied |= may_shrink && i != p->low && p->f[i] != p->f_low && fabs(p->f[i] - p->f_low) < 1e-9;
    if (may_grow && p->f[i] < p->f_up) {
        p->f_up = p->f[i];
        p->up = i;
    }
    if (may_shrink && p->f[i] > p->f_low) {
        p->f_low = p->f[i];
        p->low = i;
    }
}

static int keerthi_examine(struct plain *p, size_t i2)
{
    int y = p->g->y[i2];
    if (!is_free(p, i2)) {
        p->f[i2] = value_of(p, i2);
        keerthi_look(p, i2);
    }
    double low = (y > 0 ? p->alpha[i2] < p->c : p->alpha[i2] > 0) ? p->f_low - p->f[i2] : -INFINITY;
    double high = (y > 0 ? p->alpha[i2] > 0 : p->alpha[i2] < p->c) ? p->f[i2] - p->f_up : -INFINITY;
    if (!(low > 2 * p->tol || high > 2 * p->tol))
        return 0;
    size_t i1 = low > high ? p->low : p->up;
    if (i1 == i2 || !take_step(p, i1, i2, p->f[i1], p->f[i2]))
        return 0;
    p->f_up = INFINITY;
    p->f_low = -INFINITY;
    for (size_t i = 0; i < p->g->n; i++)
        if (is_free(p, i) || i == i1 || i == i2)
            keerthi_look(p, i);
    return 1;
}

static void run_plain(struct plain *p, int (*examine)(struct plain *, size_t), int keerthi)
{
    size_t changed = 0;
    int whole = 1;
    while ((changed > 0 || whole) && p->steps < p->max_steps) {
        changed = 0;
        for (size_t i = 0; i < p->g->n && p->steps < p->max_steps; i++) {
            if (keerthi && !whole && p->f_low - p->f_up <= 2 * p->tol) {
                changed = 0;
                break;
            }
            if (whole || is_free(p, i))
                changed += (size_t)examine(p, i);
        }
        whole = !whole && changed == 0;
    }
}

/* Returns the number of steps compared. */
static uint64_t compare(struct geometry *g, int keerthi)
{
    const struct solver *solver = solver_find(keerthi ? "keerthi-1" : "platt-smo");
    static struct plain p;
    double *alpha = simd_doubles(g->n);
    g->problem.tolerance = 1e-3;
    void *state = geometry_start(g, solver);
    uint64_t steps = 0;
    for (size_t max = 1; max <= 60; max++) { /* the plain procedure from the start, for each number of steps */
        p = (struct plain){.g = g, .tol = 1e-3, .eps = 1e-3, .max_steps = max, .f_up = INFINITY, .f_low = -INFINITY};
        p.c = parameter_get(&g->problem.parameters, &parameter_c);
        p.draw = (uint64_t)parameter_get(&g->problem.parameters, &parameter_seed);
        for (size_t i = 0; i < g->n && keerthi; i++) {
            p.f[i] = -g->y[i];
            keerthi_look(&p, i);
        }
        run_plain(&p, keerthi ? keerthi_examine : platt_examine, keerthi);
        struct progress progress = {0};
        int found = solver->select(state, &progress) == STATUS_OK && solver->update(state, g->oracle) == STATUS_OK;
        steps += (uint64_t)found;
        solver->alpha(state, alpha);
        if (p.tied)
            break;
        assert_int_equal(p.steps, steps);
        if (oracle_operations(g->oracle, PHASE_ITERATIONS) != p.count)
            fail_msg("%s: %lu kernel operations after %zu steps, plainly %lu", solver->name,
                     (unsigned long)oracle_operations(g->oracle, PHASE_ITERATIONS), max, (unsigned long)p.count);
        for (size_t i = 0; i < g->n; i++) /* rounding of a step to a bound */
            if (!(fabs(alpha[i] - p.alpha[i]) <= 1e-9 * fmax(1, p.c)))
                fail_msg("%s: alpha %zu after %zu steps is %.17g, plainly %.17g", solver->name, i, max, alpha[i],
                         p.alpha[i]);
        if (!found)
            break;
    }
    free(state), free(alpha);
    return steps;
}

static void they_take_the_steps_of_the_plain_procedures_and_count_as_they_do(void **state)
{
    (void)state;
    const double penalties[] = {0.1, 2, 50};
    uint64_t steps[2] = {0, 0};
    for (int keerthi = 0; keerthi <= 1; keerthi++)
        for (size_t c = 0; c < 3; c++)
            for (unsigned long seed = 1; seed <= 4; seed++) {
                struct geometry g;
                geometry_random(&g, 40, 3, 0.4, seed, seed % 2 ? &rbf : &linear);
                parameter_set(&g.problem.parameters, &parameter_c, penalties[c]);
                parameter_set(&g.problem.parameters, &parameter_seed, (double)seed);
                steps[keerthi] += compare(&g, keerthi);
                geometry_close(&g);
            }
    assert_true(steps[0] > 150 && steps[1] > 150);
}

struct end {
    struct solution solution;
    struct judgement judgement;
};

static struct end run(struct geometry *g, const char *name, enum stop_rule rule, double tolerance)
{
    struct end out;
    double *alpha = simd_doubles(g->n), *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    struct solve_request request = {.solver = solver_find(name), .problem = &g->problem, .oracle = g->oracle,
                                    .stop = {rule, tolerance}, .budget = {.iterations = 1000000}};
    assert_int_equal(solve(&request, alpha, &out.solution, NULL), STATUS_OK);
    judge(&(struct judging){&g->problem, FORMULATION_C_SVM, g->gram, alpha, 1e-6, products, scratch}, &out.judgement);
    free(alpha), free(products), free(scratch);
    return out;
}

/* If they converge, the KKT conditions hold within the tolerance; if they stall, they report it. Either way the result
 * is close to 1-SMO's optimum. */
static void they_end_at_the_optimum_of_one_smo_or_say_that_they_stalled(void **state)
{
    (void)state;
    const char *const names[] = {"platt-smo", "keerthi-1"};
    const double penalties[] = {0.01, 1, 20};
    size_t converged = 0, runs = 0;
    for (size_t s = 0; s < 2; s++)
        for (size_t c = 0; c < 3; c++)
            for (unsigned long seed = 1; seed <= 4; seed++) {
                struct geometry g;
                geometry_random(&g, 80, 3, 0.5, seed, seed % 2 ? &rbf : &linear);
                parameter_set(&g.problem.parameters, &parameter_c, penalties[c]);
                struct end smo = run(&g, "1-smo", STOP_DELTA, 1e-8), own = run(&g, names[s], STOP_KKT_RELAXED, 1e-4);
                int ended_well = own.solution.outcome == OUTCOME_CONVERGED;
                runs++;
                converged += (size_t)ended_well;
                assert_true(ended_well || own.solution.outcome == OUTCOME_STALLED);
                if (ended_well) /* no pair violates by more than 2 tol, up to rounding */
                    assert_true(own.judgement.kkt_violation <= 2.001e-4);
                else
                    assert_true(own.judgement.kkt_violation > 1e-4);
                assert_true(own.judgement.feasibility <= 1e-12);
                /* the dual is within the duality gap of the optimum, and the gap is small: smaller steps than eps do
                 * not count */
                assert_true(smo.judgement.objective - own.judgement.objective <= own.judgement.duality_gap + 1e-9);
                assert_true(own.judgement.duality_gap <= 1e-2 * fmax(1, fabs(own.judgement.objective)));
                geometry_close(&g);
            }
    assert_true(2 * converged > runs);
}

static void the_objective_falls_and_is_that_of_the_multipliers(void **state)
{
    (void)state;
    const char *const names[] = {"platt-smo", "keerthi-1"};
    for (size_t s = 0; s < 2; s++)
        for (unsigned long seed = 1; seed <= 4; seed++) {
            const struct solver *solver = solver_find(names[s]);
            struct geometry g;
            geometry_random(&g, 70, 3, 0.5, seed, &rbf);
            parameter_set(&g.problem.parameters, &parameter_c, 5);
            double previous = HUGE_VAL, *alpha = simd_doubles(g.n);
            void *solver_state = geometry_start(&g, solver);
            for (int k = 0; k < 300; k++) {
                struct progress progress = {.need_objective = 1};
                if (solver->select(solver_state, &progress) != STATUS_OK)
                    break;
                double objective = 0, norm2 = 0;
                solver->alpha(solver_state, alpha);
                for (size_t i = 0; i < g.n; i++) {
                    objective -= alpha[i];
                    for (size_t j = 0; j < g.n; j++)
                        norm2 += alpha[i] * alpha[j] * g.y[i] * g.y[j] * gram_row(g.gram, i)[j];
                }
                objective += 0.5 * norm2;
                assert_true(progress.objective < previous);
                assert_true(fabs(progress.objective - objective) < 1e-10); /* for numbers of order 100 */
                assert_true(fabs(progress.norm2 - norm2) < 1e-10);
                previous = progress.objective;
                if (solver->update(solver_state, g.oracle) != STATUS_OK)
                    break;
            }
            free(solver_state), free(alpha);
            geometry_close(&g);
        }
}

static void only_the_seed_tells_two_runs_of_platt_smo_apart(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 80, 3, 0.3, 1, &rbf);
    parameter_set(&g.problem.parameters, &parameter_c, 10);
    struct end one = run(&g, "platt-smo", STOP_KKT_RELAXED, 1e-3), again = run(&g, "platt-smo", STOP_KKT_RELAXED, 1e-3);
    assert_memory_equal(&one.judgement, &again.judgement, sizeof one.judgement);
    assert_int_equal(one.solution.iterations, again.solution.iterations);
    parameter_set(&g.problem.parameters, &parameter_seed, 2);
    struct end other = run(&g, "platt-smo", STOP_KKT_RELAXED, 1e-3);
    assert_true(other.judgement.objective != one.judgement.objective);
    assert_true(fabs(other.judgement.objective - one.judgement.objective) <=
                one.judgement.duality_gap + other.judgement.duality_gap);
    geometry_close(&g);
}

static void degenerate_problems_end(void **state)
{
    (void)state;
    const char *const names[] = {"platt-smo", "keerthi-1"};
    double x[40];
    signed char y[20];
    for (int which = 0; which < 3; which++) /* all equal; one pattern of a class; contradicting duplicates */
        for (size_t s = 0; s < 2; s++)
            for (double c = 1e-3; c < 1e5; c *= 100) {
                struct geometry g;
                for (size_t i = 0; i < 20; i++) {
                    x[2 * i] = which == 0 ? 1 : (double)(i % 4);
                    x[2 * i + 1] = which == 0 ? 1 : (double)(i % 3);
                    y[i] = which == 1 ? (i == 5 ? 1 : -1) : i % 3 ? 1 : -1;
                }
                geometry_open(&g, 20, 2, x, y, &linear);
                parameter_set(&g.problem.parameters, &parameter_c, c);
                struct end smo = run(&g, "1-smo", STOP_DELTA, 1e-8), own = run(&g, names[s], STOP_KKT_RELAXED, 1e-3);
                assert_true(own.solution.outcome == OUTCOME_CONVERGED || own.solution.outcome == OUTCOME_STALLED);
                assert_true(own.judgement.feasibility <= 1e-12);
                assert_true(smo.judgement.objective - own.judgement.objective <= own.judgement.duality_gap + 1e-9);
                geometry_close(&g);
            }
}

/* Moves `step` from the second of two patterns of the positive class to the first, from 0.125 and 0.25, and leaves the
 * multipliers in `alpha`. */
static void move_between_two(double c, double step, double *alpha)
{
    const double x[] = {0, 1, 2};
    const signed char y[] = {1, 1, -1};
    struct geometry g;
    geometry_open(&g, 3, 1, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, c);
    void *block = simd_doubles(passes_state_size(sizeof(struct passes), 3) / sizeof(double) + 1);
    assert_non_null(block);
    passes_start(block, sizeof(struct passes), &g.problem, g.oracle);
    struct passes passes = *(struct passes *)block;
    box_set(&passes.box, 0, 0.125);
    box_set(&passes.box, 1, 0.25);
    passes.support = 2;
    passes.pair = (struct box_pair){0, 1, -1, 1};
    passes.k_low = 1;
    passes.step = step;
    passes_step(&passes, g.oracle);
    memcpy(alpha, passes.box.alpha, 2 * sizeof *alpha);
    assert_int_equal(passes.support, (alpha[0] > 0) + (alpha[1] > 0));
    free(block);
    geometry_close(&g);
}

/* For multipliers that sum to 0.375, the rounding error of each is 2^-54. */
static void what_rounding_leaves_beside_a_bound_is_put_on_it_and_nothing_else(void **state)
{
    (void)state;
    const double penalties[] = {1, 1e12};
    double alpha[2];
    for (size_t k = 0; k < 2; k++) {
        move_between_two(penalties[k], 0.25 - ldexp(1, -54), alpha);
        assert_true(alpha[1] == 0);
        move_between_two(penalties[k], 0.25 - ldexp(1, -40), alpha);
        assert_true(alpha[1] == ldexp(1, -40) && alpha[0] == 0.375 - ldexp(1, -40));
    }
    move_between_two(0.3125, 0.1875 - ldexp(1, -54), alpha);
    assert_true(alpha[0] == 0.3125 && alpha[1] == 0.0625 + ldexp(1, -54));
    move_between_two(0.3125, 0.1875 - ldexp(1, -40), alpha);
    assert_true(alpha[0] == 0.3125 - ldexp(1, -40));
}

/* Separable patterns: from some C on the bound exceeds all multipliers, and by how much makes no difference to a
 * step. */
static void a_bound_above_all_multipliers_may_lie_at_any_height(void **state)
{
    (void)state;
    const char *const names[] = {"platt-smo", "keerthi-1"};
    size_t converged = 0;
    for (size_t s = 0; s < 2; s++)
        for (unsigned long seed = 1; seed <= 4; seed++) {
            struct geometry g;
            geometry_random(&g, 80, 3, 3, seed, &linear);
            parameter_set(&g.problem.parameters, &parameter_c, 1e3);
            struct end near = run(&g, names[s], STOP_KKT_RELAXED, 1e-5);
            parameter_set(&g.problem.parameters, &parameter_c, 1e12);
            struct end far = run(&g, names[s], STOP_KKT_RELAXED, 1e-5);
            assert_true(far.judgement.objective < 500); /* sum alpha is twice that */
            assert_int_equal(far.solution.outcome, near.solution.outcome);
            assert_int_equal(far.solution.iterations, near.solution.iterations);
            assert_true(far.judgement.objective == near.judgement.objective);
            assert_true(far.judgement.kkt_violation == near.judgement.kkt_violation);
            converged += far.solution.outcome == OUTCOME_CONVERGED;
            if (far.solution.outcome == OUTCOME_CONVERGED)
                assert_true(far.judgement.kkt_violation <= 2.001e-5); /* rounding */
            geometry_close(&g);
        }
    assert_true(converged >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_take_the_steps_of_the_plain_procedures_and_count_as_they_do),
        cmocka_unit_test(they_end_at_the_optimum_of_one_smo_or_say_that_they_stalled),
        cmocka_unit_test(the_objective_falls_and_is_that_of_the_multipliers),
        cmocka_unit_test(only_the_seed_tells_two_runs_of_platt_smo_apart),
        cmocka_unit_test(degenerate_problems_end),
        cmocka_unit_test(what_rounding_leaves_beside_a_bound_is_put_on_it_and_nothing_else),
        cmocka_unit_test(a_bound_above_all_multipliers_may_lie_at_any_height),
    };
    return cmocka_run_group_tests_name("passes", tests, NULL, NULL);
}
