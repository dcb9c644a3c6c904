/*
 * The variants of clip-mdm and ch-mdm: after every update the points are in the hulls and no farther apart, the optimum
 * is that of the parent on regular and singular problems, and each rule agrees with its description, recomputed from
 * the multipliers and the kernel matrix alone.
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
#include "harness/evaluate/trace.h"
#include "solvers/hull/hull.h"
#include "tests/geometry.h"
#include "tests/tested_solvers.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

static const struct {
    const char *name, *parent;
} variants[] = {{"second-order-clip-mdm", "clip-mdm"},
                {"cycle-clip-mdm", "clip-mdm"},
                {"conjugate-clip-mdm", "clip-mdm"},
                {"packed-clip-mdm", "clip-mdm"},
                {"second-order-ch-mdm", "ch-mdm"}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void set(struct geometry *g, const struct parameter *parameter, double value)
{
    parameter_set(&g->problem.parameters, parameter, value);
}

/* Random; with the linear kernel (singular: three dimensions); and with every pattern twice. */
enum { PROBLEMS = 4 };
static void open_problem(struct geometry *g, size_t which, unsigned long seed)
{
    struct geometry half;
    double x[80 * 3];
    signed char y[80];
    const struct kernel *kernel = which % 2 ? &linear : &rbf;
    if (which < 2) {
        geometry_random(g, 80, 3, 0.8, seed, kernel);
        return;
    }
    geometry_random(&half, 40, 3, 0.8, seed, kernel);
    for (size_t i = 0; i < 80; i++) {
        memcpy(x + 3 * i, half.x + 3 * (i % 40), 3 * sizeof *x);
        y[i] = half.y[i % 40];
    }
    geometry_close(&half);
    geometry_open(g, 80, 3, x, y, kernel);
}

/* v_i = y_i W . X_i and |W|^2, from the multipliers; the rows still include the solver's ridge. */
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

static void check_updates(struct geometry *g, const struct solver *solver, double mu)
{
    double *alpha = simd_doubles(g->n), *v = simd_doubles(g->n), before = HUGE_VAL;
    void *state = geometry_start(g, solver);
    for (int k = 0; k < 400; k++) {
        struct progress progress = {0};
        double sum[2] = {0, 0};
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
        solver->alpha(state, alpha);
        for (size_t i = 0; i < g->n; i++) {
            if (!(alpha[i] >= 0 && alpha[i] <= mu))
                fail_msg("%s: multiplier %zu is %g at update %d", solver->name, i, alpha[i], k);
            sum[class_index(g->y[i])] += alpha[i];
        }
        assert_true(fabs(sum[0] - 1) <= 1e-13 && fabs(sum[1] - 1) <= 1e-13); /* rounding of some hundred updates */
        double norm2 = recompute(g, alpha, v);
        if (!(norm2 <= before + 1e-13 * fmax(1, before)))
            fail_msg("%s: |W|^2 grew from %.17g to %.17g at update %d", solver->name, before, norm2, k);
        before = norm2;
        if (progress.delta <= 1e-10 || solver->update(state, g->oracle) != STATUS_OK)
            break;
    }
    free(state), free(alpha), free(v);
}

static void every_update_stays_in_the_hulls_and_lowers_the_norm(void **state)
{
    (void)state;
    const double mus[] = {1, 0.3, 0.07};
    for (size_t v = 0; v < VARIANTS; v++)
        for (size_t m = 0; m < 3; m++)
            for (size_t which = 0; which < PROBLEMS; which++) {
                const struct solver *solver = solver_find(variants[v].name);
                struct geometry g;
                open_problem(&g, which, 1 + which);
                set(&g, &parameter_mu, mus[m]);
                set(&g, &parameter_c, 1 / mus[m]);
                check_updates(&g, solver, solver->square_penalty ? 1 : mus[m]);
                geometry_close(&g);
            }
}

/* The pairs found during the previous step are those of a search of all weights, and reported bounds hold for the exact
 * values. */
static void check_what_is_told(struct geometry *g, const char *name, size_t *bounds)
{
    const struct solver *solver = solver_find(name);
    g->problem.tolerance = 1e-4;
    struct hull *hull = geometry_start(g, solver);
    for (int k = 0; k < 300; k++) {
        struct progress progress = {.objective = (double)NAN};
        assert_int_equal(solver->select(hull, &progress), STATUS_OK);
        for (int class = -1; class <= 1; class += 2) {
            struct hull_pair found = hull->pair[class_index(class)], looked_for = hull_pair(hull, class);
            assert_true(found.low == looked_for.low && found.high == looked_for.high &&
                        found.delta == looked_for.delta);
        }
        struct hull_norms norms = hull_norms(hull);
        double norm2 = hull_norm2(&norms),
               gap = progress.updated_class ? hull_gap(hull, progress.updated_class) : HUGE_VAL;
        assert_true(progress.gap_lower_bound <= gap + 1e-12);
        if (isnan(progress.objective)) {
            ++*bounds;
            assert_true(progress.norm2 >= norm2 && progress.norm2 <= norm2 + 1e-6);
            assert_true(progress.gap_lower_bound > 1e-4 * sqrt(fmax(norm2, 0)));
        } else {
            assert_true(progress.norm2 == norm2);
        }
        if (solver->update(hull, g->oracle) != STATUS_OK)
            break;
    }
    free(hull);
}

static void pairs_and_bounds_are_those_of_a_look_at_everything(void **state)
{
    (void)state;
    static const char *const names[] = {
        "mdm", "clip-mdm", "minkowski-clip-mdm", "second-order-clip-mdm", "cycle-clip-mdm", "conjugate-clip-mdm",
        "ch-mdm"};
    size_t bounds = 0;
    for (size_t v = 0; v < sizeof names / sizeof *names; v++)
        for (size_t which = 0; which < PROBLEMS; which++) {
            struct geometry g;
            open_problem(&g, which, 5 + which);
            set(&g, &parameter_mu, 0.07);
            set(&g, &parameter_c, 10);
            check_what_is_told(&g, names[v], &bounds);
            geometry_close(&g);
        }
    assert_true(bounds > 200);
}

/* With a trace, all values are summed at every iteration. */
static void bounds_do_not_change_the_way(void **state)
{
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (size_t which = 0; which < PROBLEMS && (*at)->stops >> STOP_RCH_GAP & 1; which++) {
            struct geometry g;
            struct solution told, summed;
            struct trace trace = {0};
            double alpha[2][MAX_GEOMETRY];
            open_problem(&g, which, 9 + which);
            set(&g, &parameter_mu, 0.1);
            set(&g, &parameter_c, 10);
            struct solve_request request = {.solver = *at, .problem = &g.problem, .oracle = g.oracle,
                                            .stop = {STOP_RCH_GAP, 1e-5}, .budget = {.iterations = 3000}};
            assert_int_equal(solve(&request, alpha[0], &told, NULL), STATUS_OK);
            request.trace = &trace;
            assert_int_equal(solve(&request, alpha[1], &summed, NULL), STATUS_OK);
            assert_int_equal(told.iterations, summed.iterations);
            assert_int_equal(told.outcome, summed.outcome);
            assert_memory_equal(alpha[0], alpha[1], g.n * sizeof(double));
            trace_free(&trace);
            geometry_close(&g);
        }
}

/* Uses the rule on Delta, which does not compare gaps with |W|: some of these hulls meet. */
static struct judgement answer_of(const char *name, struct geometry *g)
{
    struct judgement judgement;
    struct solution solution;
    double alpha[MAX_GEOMETRY], *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    struct solve_request request = {.solver = solver_find(name), .problem = &g->problem, .oracle = g->oracle,
                                    .stop = {STOP_DELTA, 1e-9}, .budget = {.iterations = 1000000}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    judge(&(struct judging){&g->problem, FORMULATION_NEAREST_POINTS, g->gram, alpha, 1e-6, products, scratch},
          &judgement);
    if (solution.outcome != OUTCOME_CONVERGED)
        fail_msg("%s: %s", name, outcome_name(solution.outcome));
    free(products), free(scratch);
    return judgement;
}

static void they_find_the_optimum_of_their_parent(void **state)
{
    (void)state;
    const double mus[] = {0.5, 0.1, 0.05};
    for (size_t m = 0; m < 3; m++)
        for (size_t which = 0; which < PROBLEMS; which++) {
            struct geometry g;
            open_problem(&g, which, 5 + which);
            set(&g, &parameter_mu, mus[m]);
            set(&g, &parameter_c, 1 / mus[m]);
            for (size_t v = 0; v < VARIANTS; v++) {
                struct judgement mine = answer_of(variants[v].name, &g), theirs = answer_of(variants[v].parent, &g);
                /* both are within their gap of the optimum */
                double rounding = 1e-13; /* of sums of order 1 */
                if (!(fabs(mine.objective - theirs.objective) <= fmax(mine.duality_gap, theirs.duality_gap) + rounding))
                    fail_msg("%s: %.15g, %s: %.15g", variants[v].name, mine.objective, variants[v].parent,
                             theirs.objective);
            }
            geometry_close(&g);
        }
}

static void without_a_history_cycle_clip_mdm_goes_the_way_of_clip_mdm(void **state)
{
    (void)state;
    const struct solver *a = solver_find("cycle-clip-mdm"), *b = solver_find("clip-mdm");
    for (size_t which = 0; which < PROBLEMS; which++) {
        struct geometry g;
        double of_a[MAX_GEOMETRY], of_b[MAX_GEOMETRY];
        open_problem(&g, which, 3);
        set(&g, &parameter_mu, 0.1);
        set(&g, &parameter_history, 0);
        void *state_a = geometry_start(&g, a), *state_b = geometry_start(&g, b);
        struct progress progress = {0};
        size_t updates = 0;
        for (enum status ended = STATUS_OK; ended == STATUS_OK && updates < 500; updates++) {
            a->select(state_a, &progress);
            b->select(state_b, &progress);
            ended = a->update(state_a, g.oracle);
            assert_int_equal(b->update(state_b, g.oracle), ended);
            a->alpha(state_a, of_a);
            b->alpha(state_b, of_b);
            assert_memory_equal(of_a, of_b, g.n * sizeof *of_a);
        }
        assert_true(updates > 100);
        free(state_a), free(state_b);
        geometry_close(&g);
    }
}

/* The negative class is the reflection of the positive one in the origin, so both Delta are the same small whole
 * number. */
static void where_both_classes_are_alike_the_class_is_that_of_the_parent(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int class;
    } cases[] = {{"ch-mdm", 1},
                 {"second-order-ch-mdm", 1},
                 {"clip-mdm", -1},
                 {"second-order-clip-mdm", -1},
                 {"cycle-clip-mdm", -1},
                 {"conjugate-clip-mdm", -1},
                 {"packed-clip-mdm", -1}};
    const double x[] = {2, 0, 1, 1, -2, 0, -1, -1};
    const signed char y[] = {1, 1, -1, -1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct solver *solver = solver_find(cases[i].name);
        struct progress progress = {0};
        struct geometry g;
        double before[4], after[4];
        geometry_open(&g, 4, 2, x, y, &linear);
        set(&g, &parameter_c, 1);
        void *solver_state = geometry_start(&g, solver);
        solver->alpha(solver_state, before);
        assert_int_equal(solver->select(solver_state, &progress), STATUS_OK);
        assert_int_equal(progress.updated_class, cases[i].class);
        assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
        solver->alpha(solver_state, after);
        assert_true((before[0] != after[0]) == (cases[i].class > 0) && (before[2] != after[2]) == (cases[i].class < 0));
        free(solver_state);
        geometry_close(&g);
    }
}

static double length2_of(struct geometry *g, size_t i, size_t j)
{
    return gram_row(g->gram, i)[i] + gram_row(g->gram, j)[j] - 2 * gram_row(g->gram, i)[j];
}

/* The decrease of 1/2 |W|^2 by moving weight from pattern `high` to `low`. */
static double gain_of(struct geometry *g, const double *alpha, const double *v, size_t low, size_t high, double mu)
{
    double length2 = length2_of(g, low, high), delta = v[high] - v[low];
    double step = fmin(length2 > 0 ? delta / length2 : HUGE_VAL, fmin(mu - alpha[low], alpha[high]));
    return step * (delta - 0.5 * step * length2);
}

static void the_second_order_pattern_gains_most(void **state)
{
    (void)state;
    struct geometry g;
    double alpha[MAX_GEOMETRY], after[MAX_GEOMETRY], v[MAX_GEOMETRY];
    size_t other_than_first = 0;
    geometry_random(&g, 90, 3, 0.5, 2, &rbf);
    set(&g, &parameter_mu, 0.08);
    const struct solver *solver = solver_find("second-order-clip-mdm");
    void *solver_state = geometry_start(&g, solver);
    for (int k = 0; k < 250; k++) {
        struct progress progress = {0};
        size_t low = 0, high = 0;
        double min = HUGE_VAL, max = 0, largest = -HUGE_VAL;
        solver->select(solver_state, &progress);
        solver->alpha(solver_state, alpha);
        assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
        solver->alpha(solver_state, after);
        recompute(&g, alpha, v);
        for (size_t i = 0; i < g.n; i++) {
            low = after[i] > alpha[i] ? i : low;
            high = after[i] < alpha[i] ? i : high;
        }
        for (size_t i = 0; i < g.n; i++)
            if (g.y[i] == g.y[low]) {
                min = alpha[i] < 0.08 ? fmin(min, v[i]) : min;
                largest = alpha[i] > 0 ? fmax(largest, v[i]) : largest;
                max = alpha[i] > 0 && v[i] > v[low] ? fmax(max, gain_of(&g, alpha, v, low, i, 0.08)) : max;
            }
        /* compares values, not patterns: patterns just made equal differ by rounding only */
        assert_true(v[low] <= min + 1e-13 && gain_of(&g, alpha, v, low, high, 0.08) >= max * (1 - 1e-10));
        /* Delta is that of the most violating pair */
        assert_true(fabs(progress.delta - (largest - min)) <= 1e-13);
        other_than_first += v[high] < largest - 1e-8;
    }
    assert_true(other_than_first > 20);
    free(solver_state);
    geometry_close(&g);
}

/* A plain cycle-clip-mdm: a list of all updates, everything summed from the matrix at every step. */
struct plain {
    struct geometry *g;
    double mu, alpha[MAX_GEOMETRY], v[MAX_GEOMETRY];
    size_t n_updates, forgotten; /* updates before `forgotten` do not count */
    struct {
        size_t low, high;
        double step;
    } updates[1000];
    uint64_t operations;
    size_t broken, across; /* broken cycles, and how many of them had patterns of both classes */
};

/* alpha += step w with the exact step, clipped; 0 if no step is possible. */
static double go_along(struct plain *plain, const double *w)
{
    struct geometry *g = plain->g;
    double slope = 0, length2 = 0, max = HUGE_VAL;
    for (size_t i = 0; i < g->n; i++) {
        slope -= w[i] * plain->v[i];
        for (size_t j = 0; j < g->n; j++)
            length2 += w[i] * w[j] * g->y[i] * g->y[j] * gram_row(g->gram, i)[j];
        if (w[i] != 0)
            max = fmin(max, (w[i] > 0 ? plain->mu - plain->alpha[i] : plain->alpha[i]) / fabs(w[i]));
    }
    if (!(slope > 0 && max > 0 && length2 > 0))
        return 0;
    double step = fmin(slope / length2, max);
    for (size_t i = 0; i < g->n; i++) {
        double max_step = w[i] > 0 ? plain->mu - plain->alpha[i] : plain->alpha[i];
        if (w[i] != 0 && step * fabs(w[i]) >= max_step * (1 - 1e-15))
            plain->alpha[i] = w[i] > 0 ? plain->mu : 0;
        else
            plain->alpha[i] += step * w[i];
    }
    return step;
}

static int go_along_cycle(struct plain *plain, size_t k)
{
    double w[MAX_GEOMETRY] = {0};
    size_t members[2] = {0, 0};
    for (size_t j = 1; j <= k; j++) {
        size_t at = plain->n_updates - j;
        w[plain->updates[at].low] += plain->updates[at].step;
        w[plain->updates[at].high] -= plain->updates[at].step;
    }
    if (go_along(plain, w) == 0)
        return 0;
    for (size_t i = 0; i < plain->g->n; i++)
        members[class_index(plain->g->y[i])] += w[i] != 0;
    plain->operations += (members[0] + members[1]) * plain->g->n;
    plain->broken++;
    plain->across += members[0] > 0 && members[1] > 0;
    plain->forgotten = plain->n_updates;
    return 1;
}

/* Repeats the solver's move: low and high must be the extremes of their class. */
static void go_on(struct plain *plain, size_t low, size_t high)
{
    struct geometry *g = plain->g;
    double w[MAX_GEOMETRY] = {0};
    recompute(g, plain->alpha, plain->v);
    for (size_t i = 0; i < g->n; i++) {
        assert_true(g->y[i] != g->y[low] || plain->alpha[i] >= plain->mu || plain->v[i] >= plain->v[low] - 1e-11);
        assert_true(g->y[i] != g->y[low] || plain->alpha[i] <= 0 || plain->v[i] <= plain->v[high] + 1e-11);
    }
    for (size_t k = 1; k <= plain->n_updates - plain->forgotten; k++)
        if (plain->updates[plain->n_updates - k].low == low && plain->updates[plain->n_updates - k].high == high) {
            if (go_along_cycle(plain, k))
                return;
            break;
        }
    w[low] = 1;
    w[high] = -1;
    plain->updates[plain->n_updates].low = low;
    plain->updates[plain->n_updates].high = high;
    plain->updates[plain->n_updates++].step = go_along(plain, w);
    plain->operations += 2 * g->n;
}

static void cycles_are_broken_as_described_and_counted(void **state)
{
    (void)state;
    const struct solver *solver = solver_find("cycle-clip-mdm");
    size_t across = 0;
    for (unsigned long seed = 1; seed <= 4; seed++) {
        struct geometry g;
        double alpha[MAX_GEOMETRY];
        geometry_random(&g, 40, 2, 0.8, seed, &rbf);
        set(&g, &parameter_mu, 0.2);
        set(&g, &parameter_history, 1000);
        struct plain plain = {.g = &g, .mu = 0.2};
        void *solver_state = geometry_start(&g, solver);
        hull_alpha(solver_state, plain.alpha);
        for (int k = 0; k < 120; k++) {
            struct progress progress = {0};
            solver->select(solver_state, &progress);
            struct hull_pair pair = hull_pair(solver_state, progress.updated_class);
            assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
            solver->alpha(solver_state, alpha);
            go_on(&plain, pair.low, pair.high);
            for (size_t i = 0; i < g.n; i++)
                /* products are summed in other orders over 120 updates */
                assert_true(fabs(alpha[i] - plain.alpha[i]) <= 1e-11);
            assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS), plain.operations);
        }
        assert_true(plain.broken >= 2);
        across += plain.across;
        free(solver_state);
        geometry_close(&g);
    }
    assert_true(across > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_update_stays_in_the_hulls_and_lowers_the_norm),
        cmocka_unit_test(pairs_and_bounds_are_those_of_a_look_at_everything),
        cmocka_unit_test(bounds_do_not_change_the_way),
        cmocka_unit_test(they_find_the_optimum_of_their_parent),
        cmocka_unit_test(without_a_history_cycle_clip_mdm_goes_the_way_of_clip_mdm),
        cmocka_unit_test(where_both_classes_are_alike_the_class_is_that_of_the_parent),
        cmocka_unit_test(the_second_order_pattern_gains_most),
        cmocka_unit_test(cycles_are_broken_as_described_and_counted),
    };
    return cmocka_run_group_tests_name("mdm variants", tests, NULL, NULL);
}
