/*
 * Shrinking for hulls, checked against the kernel matrix: which patterns leave, the resulting part, its gap as a lower
 * bound on the class's gap, and the updates and costs of a look. Also the solver with `shrinking`, which ends at the
 * same optimum and never by a rule that has not seen all patterns.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/stopping.h"
#include "solvers/hull/directions.h"
#include "solvers/hull/part.h"
#include "tests/geometry.h"

enum { MOST = 300 };
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

struct run {
    struct geometry g;
    struct hull hull;
    struct directions directions;
    struct hull_part part;
    double *diagonal, *scratch[2];
    size_t looks; /* since the last one that summed from zero */
    void *block;
};

static void lay_out(struct run *run, struct arena *arena, size_t n)
{
    directions_layout(&run->directions, arena, n, 2);
    part_layout(&run->part, arena, n);
    run->diagonal = arena_doubles(arena, n);
    run->scratch[0] = arena_doubles(arena, n);
    run->scratch[1] = arena_doubles(arena, n);
}

static void run_open(struct run *run, size_t n, double mu, unsigned long seed)
{
    struct arena arena = {0};
    memset(run, 0, sizeof *run);
    geometry_random(&run->g, n, 3, 0.8, seed, &rbf);
    hull_layout(&run->hull, &arena, n);
    lay_out(run, &arena, n);
    run->block = simd_doubles(arena.used / sizeof(double));
    arena = (struct arena){.block = run->block};
    assert_int_equal(hull_start_at_few(&run->hull, &arena, &run->g.problem, mu, run->g.oracle), STATUS_OK);
    lay_out(run, &arena, n);
    oracle_diagonal(run->g.oracle, run->diagonal);
    memcpy(run->directions.diagonal, run->diagonal, n * sizeof *run->diagonal);
    hull_join(&run->hull);
    part_start(&run->part, &run->hull);
}

static void run_close(struct run *run)
{
    geometry_close(&run->g);
    free(run->block);
}

static void begin_anew(struct run *run)
{
    directions_forget(&run->directions);
    for (size_t k = 0; k < run->hull.n; k++)
        run->directions.diagonal[k] = run->diagonal[run->part.active[k]];
}

static const double *row_of(struct run *run, size_t k, int which)
{
    return run->part.n_left ? oracle_active_row(run->g.oracle, run->part.active[k], run->scratch[which])
                            : oracle_row(run->g.oracle, k);
}

/* A step of the active patterns. Returns 0 if none is possible. */
static int step(struct run *run)
{
    hull_find_pairs(&run->hull);
    int class = run->hull.pair[0].delta > run->hull.pair[1].delta ? 1 : -1;
    struct hull_pair pair = run->hull.pair[class_index(class)];
    if (!(pair.delta > 1e-9))
        return 0;
    const double *low = row_of(run, pair.low, 0);
    pair.high = directions_choose_high(&run->directions, &run->hull, class, &pair, low);
    directions_turn(&run->directions, &run->hull, class, &pair, low, row_of(run, pair.high, 1));
    if (directions_step(&run->directions, &run->hull))
        return 1;
    directions_forget(&run->directions);
    return 0;
}

/* W . X_j of all patterns from the matrix and the multipliers */
static void products_of(struct run *run, const double *alpha, double *products)
{
    for (size_t j = 0; j < run->g.n; j++) {
        products[j] = 0;
        for (size_t i = 0; i < run->g.n; i++)
            products[j] += run->g.y[i] * alpha[i] * gram_row(run->g.gram, i)[j];
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* s W . W_s - s W . X^_s, the extreme point by sorting */
static double class_gap(const struct run *run, const double *alpha, const double *products, int class)
{
    double v[MOST] = {0}, own = 0, extreme = 0, left = 1;
    size_t count = 0;
    for (size_t j = 0; j < run->g.n; j++)
        if (run->g.y[j] == class) {
            v[count++] = class * products[j];
            own += alpha[j] * class * products[j];
        }
    qsort(v, count, sizeof *v, by_value);
    for (size_t k = 0; k < count && left > 1e-12; k++) {
        double weight = fmin(run->hull.mu, left);
        extreme += weight * v[k];
        left -= weight;
    }
    return own - extreme;
}

/* Inactive patterns are at a bound and beyond both L and U of their class, by the matrix; all that are so by a margin
 * are inactive; and the arrays of the hull are those of the active patterns. */
static void check_cut(struct run *run, const double *alpha, const double *products)
{
    const struct hull *hull = &run->hull;
    const struct hull_part *part = &run->part;
    const double margin = 1e-10;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    unsigned char is_left[MOST] = {0};
    size_t at_mu[2] = {0, 0};
    for (size_t j = 0; j < run->g.n; j++) {
        int c = class_index(run->g.y[j]);
        double v = run->g.y[j] * products[j];
        if (alpha[j] < hull->mu)
            low[c] = fmin(low[c], v);
        if (alpha[j] > 0)
            high[c] = fmax(high[c], v);
    }
    for (size_t k = 0; k < part->n_left; k++)
        is_left[part->left[k]] = 1;
    for (size_t j = 0; j < run->g.n; j++) {
        int c = class_index(run->g.y[j]);
        double v = run->g.y[j] * products[j], top = fmax(low[c], high[c]), bottom = fmin(low[c], high[c]);
        at_mu[c] += is_left[j] && alpha[j] > 0;
        if (is_left[j])
            assert_true((alpha[j] == 0 && v > top - margin) || (alpha[j] == hull->mu && v < bottom + margin));
        else
            assert_true(!(alpha[j] == 0 && v > top + margin) && !(alpha[j] == hull->mu && v < bottom - margin));
    }
    assert_int_equal(hull->n + part->n_left, run->g.n);
    for (size_t k = 0; k < hull->n; k++) {
        size_t i = part->active[k];
        int c = class_index(run->g.y[i]);
        assert_true(!is_left[i] && hull->y[k] == run->g.y[i] && (k == 0 || part->active[k - 1] < i));
        assert_true(hull->weights[c][k] == alpha[i] && hull->weights[1 - c][k] == 0);
        assert_true(fabs(hull_projection(hull, k) - products[i]) <= margin);
        assert_int_equal(simd_set_has(hull->eligible[c ? 3 : 0], k), alpha[i] < hull->mu);
        assert_int_equal(simd_set_has(hull->eligible[c ? 2 : 1], k), alpha[i] > 0);
    }
    for (size_t k = hull->n; k < hull->n_padded; k++)
        for (size_t s = 0; s < 4; s++)
            assert_int_equal(simd_set_has(hull->eligible[s], k), 0);
    assert_true(hull->left_at_mu[0] == at_mu[0] && hull->left_at_mu[1] == at_mu[1]);
}

/* Steps of the part move no inactive pattern and preserve the sums, and its gaps are bounds. */
static void move_part(struct run *run, size_t steps)
{
    double before[MOST], alpha[MOST], products[MOST];
    part_alpha(&run->part, &run->hull, before);
    for (size_t k = 0; k < steps && step(run); k++) {
        double sums[2] = {0, 0};
        part_alpha(&run->part, &run->hull, alpha);
        products_of(run, alpha, products);
        for (size_t i = 0; i < run->g.n; i++)
            sums[class_index(run->g.y[i])] += alpha[i];
        assert_true(fabs(sums[0] - 1) <= 1e-12 && fabs(sums[1] - 1) <= 1e-12);
        for (size_t l = 0; l < run->part.n_left; l++)
            assert_true(alpha[run->part.left[l]] == before[run->part.left[l]]);
        for (int class = -1; class <= 1; class += 2)
            assert_true(hull_gap(&run->hull, class) <= class_gap(run, alpha, products, class) + 1e-10);
    }
}

/* All are active again, with the products of the matrix, for the stated kernel operations; the sixteenth look sums from
 * zero. */
static void check_join(struct run *run, const double *before)
{
    double alpha[MOST], products[MOST];
    uint64_t moved = 0, terms = 0, left = run->part.n_left;
    uint64_t asked = oracle_operations(run->g.oracle, PHASE_SETUP);
    part_alpha(&run->part, &run->hull, alpha);
    for (size_t i = 0; i < run->g.n; i++) {
        moved += alpha[i] != before[i];
        terms += alpha[i] != 0;
    }
    part_join(&run->part, &run->hull, run->g.oracle);
    asked = oracle_operations(run->g.oracle, PHASE_SETUP) - asked;
    int anew = moved > terms || ++run->looks == 16;
    assert_int_equal(asked, left * (anew ? terms : moved));
    run->looks = anew ? 0 : run->looks;
    assert_true(run->hull.n == run->g.n && run->part.n_left == 0);
    products_of(run, alpha, products);
    for (size_t j = 0; j < run->g.n; j++) {
        assert_true(run->hull.weights[class_index(run->g.y[j])][j] == alpha[j] && run->hull.y[j] == run->g.y[j]);
        assert_true(fabs(hull_projection(&run->hull, j) - products[j]) <= 1e-10);
    }
    for (int class = -1; class <= 1; class += 2)
        assert_true(fabs(hull_gap(&run->hull, class) - class_gap(run, alpha, products, class)) <= 1e-10);
}

static void what_leaves_is_optimal_at_a_bound_and_comes_back_up_to_date(void **state)
{
    (void)state;
    static const size_t sizes[] = {7, 8, 9, 63, 64, 65, 127, MOST};
    size_t cuts = 0, at_mu = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int wide = 0; wide < 2; wide++) {
            struct run run;
            double alpha[MOST], products[MOST], n = (double)sizes[s];
            run_open(&run, sizes[s], wide ? fmin(1, 30 / n) : fmin(1, 7 / n), 30 + s);
            for (int round = 0; round < 20; round++) {
                for (size_t k = 0; k < sizes[s] / 4 + 1; k++)
                    step(&run);
                hull_alpha(&run.hull, alpha);
                products_of(&run, alpha, products);
                size_t left = part_cut(&run.part, &run.hull, run.g.oracle);
                assert_true(left == 0 || 10 * left >= sizes[s]);
                assert_int_equal(left, run.part.n_left);
                if (left == 0)
                    continue;
                cuts++;
                begin_anew(&run);
                check_cut(&run, alpha, products);
                at_mu += run.hull.left_at_mu[0] + run.hull.left_at_mu[1];
                move_part(&run, 40);
                check_join(&run, alpha);
                begin_anew(&run);
            }
            run_close(&run);
        }
    assert_true(cuts > 30 && at_mu > 30);
}

/* A look after more multipliers have changed than are nonzero sums the products again. */
static void a_look_costs_no_more_than_sums_from_nothing(void **state)
{
    (void)state;
    struct run run;
    double before[MOST];
    run_open(&run, 200, 1, 5);
    for (size_t k = 0; k < 10; k++)
        step(&run);
    assert_true(part_cut(&run.part, &run.hull, run.g.oracle) > 0);
    part_alpha(&run.part, &run.hull, before);
    begin_anew(&run);
    double alpha[MOST], products[MOST];
    for (size_t k = 0; k < run.hull.n; k++) { /* each class at a single pattern, so that all nonzero multipliers have
                                               * changed */
        int c = class_index(run.hull.y[k]);
        hull_set_weight(&run.hull, k, k == run.hull.members[c][run.hull.count[c] - 1]);
    }
    part_alpha(&run.part, &run.hull, alpha);
    products_of(&run, alpha, products);
    for (size_t k = 0; k < run.hull.n; k++)
        run.hull.products[0][k] = products[run.part.active[k]];
    check_join(&run, before);
    run_close(&run);
}

/* Runs the solver until the larger gap is at most 1e-8 |W|. If Delta is finite, all patterns have been checked,
 * so the gaps are those of the multipliers; otherwise no rule on gaps or Delta is met. Returns the kernel operations of
 * the iterations. */
static uint64_t run_solver(struct geometry *g, const struct solver *solver, double *alpha, size_t *unseen)
{
    static const enum stop_rule rules[] = {STOP_RCH_GAP,      STOP_RCH_GAP_BOTH,  STOP_DELTA,        STOP_DELTA_NORM2,
                                           STOP_DELTA_2NORM2, STOP_GAP_SUM_NORM2, STOP_GAP_MAX_NORM2};
    oracle_reset(g->oracle);
    void *solver_state = geometry_start(g, solver);
    oracle_set_phase(g->oracle, PHASE_ITERATIONS);
    struct stop_memory memory = {.n = g->n};
    for (size_t k = 0; k < 100000; k++) {
        struct progress progress = {.need_objective = 1, .class_gap = {(double)NAN, (double)NAN}};
        assert_int_equal(solver->select(solver_state, &progress), STATUS_OK);
        *unseen += isinf(progress.delta) != 0;
        for (size_t r = 0; isinf(progress.delta) && r < sizeof rules / sizeof *rules; r++)
            for (double tolerance = 1e-8; tolerance < 1e3; tolerance *= 1e5)
                assert_int_equal(stop_look(&(struct stop){rules[r], tolerance}, &memory, solver, solver_state,
                                           &progress, STATUS_OK),
                                 STOP_GO_ON);
        if (!isinf(progress.delta) && fmax(solver->gap(solver_state, 1), solver->gap(solver_state, -1)) <=
                                          1e-8 * sqrt(progress.norm2))
            break;
        assert_true(k + 1 < 100000);
        if (solver->update(solver_state, g->oracle) != STATUS_OK)
            break;
        oracle_expire_rows(g->oracle);
    }
    solver->alpha(solver_state, alpha);
    free(solver_state);
    return oracle_operations(g->oracle, PHASE_ITERATIONS);
}

static uint64_t run_conjugate(struct geometry *g, double directions, int shrinking, double *alpha, size_t *unseen)
{
    const struct solver *solver = solver_find("conjugate-clip-mdm");
    parameter_set(&g->problem.parameters, solver_parameter(solver, "directions"), directions);
    parameter_set(&g->problem.parameters, solver_parameter(solver, "hull_shrinking"), shrinking);
    return run_solver(g, solver, alpha, unseen);
}

static void with_shrinking_solvers_end_at_the_same_optimum_for_less(void **state)
{
    (void)state;
    uint64_t with = 0, without = 0, packed = 0;
    size_t unseen_by_packed = 0; /* two of the problems are solved before its first cut */
    for (unsigned long seed = 1; seed <= 4; seed++) {
        struct run run;
        double alpha[3][MOST], products[MOST], norm2[3] = {0, 0, 0}, directions = seed % 2 ? 8 : 0;
        size_t unseen[3] = {0, 0, 0};
        run_open(&run, MOST, 0.02, seed); /* its own mu is not used */
        parameter_set(&run.g.problem.parameters, &parameter_mu, 0.012 + 0.001 * (double)seed);
        run.hull.mu = parameter_get(&run.g.problem.parameters, &parameter_mu);
        without += run_conjugate(&run.g, directions, 0, alpha[0], &unseen[0]);
        with += run_conjugate(&run.g, directions, 1, alpha[1], &unseen[1]);
        packed += run_solver(&run.g, solver_find("packed-clip-mdm"), alpha[2], &unseen[2]);
        for (int s = 0; s < 3; s++) {
            products_of(&run, alpha[s], products);
            for (size_t j = 0; j < MOST; j++)
                norm2[s] += run.g.y[j] * alpha[s][j] * products[j];
            for (int class = -1; class <= 1; class += 2)
                assert_true(class_gap(&run, alpha[s], products, class) <= 2e-8 * sqrt(norm2[s]));
        }
        assert_true(unseen[0] == 0 && unseen[1] > 100);
        unseen_by_packed += unseen[2];
        for (int s = 1; s < 3; s++) /* all are within their gaps */
            assert_true(fabs(norm2[0] - norm2[s]) <= 8e-8 * sqrt(norm2[0]));
        run_close(&run);
    }
    assert_true(with < without && packed < without && unseen_by_packed > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_leaves_is_optimal_at_a_bound_and_comes_back_up_to_date),
        cmocka_unit_test(a_look_costs_no_more_than_sums_from_nothing),
        cmocka_unit_test(with_shrinking_solvers_end_at_the_same_optimum_for_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
