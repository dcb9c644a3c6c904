/*
 * Newton steps on faces, recomputed from the kernel matrix and the multipliers: d keeps the sums and the bounds, K d is
 * that of d, and after the whole step no pattern that was movable to the end could descend within its class. And the
 * solver that makes them ends at the optimum of the solver that does not, in fewer iterations, and never ascends, also
 * if the matrix is singular.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/hull/face.h"
#include "tests/geometry.h"

enum { N = 240, MU_PARTS = 20 };
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 2};

struct run {
    struct geometry g;
    struct hull hull;
    struct face face;
    double *room, *diagonal;
    void *block;
};

static void lay_out(struct run *run, struct arena *arena)
{
    face_layout(&run->face, arena, N);
    run->room = arena_doubles(arena, N);
    run->diagonal = arena_doubles(arena, N);
}

static void open_run(struct run *run, unsigned long seed)
{
    struct arena arena = {0};
    memset(run, 0, sizeof *run);
    geometry_random(&run->g, N, 5, 0.4, seed, &rbf);
    hull_layout(&run->hull, &arena, N);
    lay_out(run, &arena);
    run->block = simd_doubles(arena.used / sizeof(double));
    arena = (struct arena){.block = run->block};
    assert_int_equal(hull_start_at_few(&run->hull, &arena, &run->g.problem, 1.0 / MU_PARTS, run->g.oracle), STATUS_OK);
    lay_out(run, &arena);
    oracle_diagonal(run->g.oracle, run->diagonal);
    hull_join(&run->hull);
    run->face.factor.simd = run->g.simd;
    run->face.factor.values = oracle_reserve(run->g.oracle, tiled_factor_doubles(run->face.max));
    for (size_t k = 0; k < N; k++) {
        double alpha = run->hull.weights[class_index(run->g.y[k])][k];
        run->room[k] = run->g.y[k] > 0 ? alpha : run->hull.mu - alpha;
    }
}

static void close_run(struct run *run)
{
    geometry_close(&run->g);
    free(run->block);
}

static const double *row(void *context, size_t k)
{
    const struct run *run = context;
    return oracle_row(run->g.oracle, k);
}

/* Moves by the whole step; F from the matrix. */
static void move(struct run *run)
{
    for (size_t k = 0; k < N; k++)
        run->room[k] = fmin(fmax(run->room[k] + run->face.change[k], 0), run->hull.mu);
    for (size_t j = 0; j < N; j++) {
        run->hull.products[0][j] = 0;
        for (size_t i = 0; i < N; i++)
            run->hull.products[0][j] +=
                gram_row(run->g.gram, i)[j] * (run->g.y[i] > 0 ? run->room[i] : run->room[i] - run->hull.mu);
    }
    for (size_t k = 0; k < N; k++)
        hull_set_weight(&run->hull, k, run->g.y[k] > 0 ? run->room[k] : run->hull.mu - run->room[k]);
    run->hull.has_pairs = 0;
}

static void check_step(const struct run *run, double slope, double curvature)
{
    double sum[2] = {0, 0}, along = 0, square = 0, least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (size_t j = 0; j < N; j++) {
        const double d = run->face.change[j], f = run->hull.products[0][j];
        const int c = class_index(run->g.y[j]);
        double product = 0;
        for (size_t i = 0; i < N; i++)
            product += gram_row(run->g.gram, i)[j] * run->face.change[i];
        assert_true(fabs(run->face.product_change[j] - product) <= 1e-12);
        assert_true(run->room[j] + d >= -1e-15 && run->room[j] + d <= run->hull.mu + 1e-15);
        sum[c] += d;
        along -= d * f;
        square += d * product;
        if (run->face.is_movable[j]) {
            least[c] = fmin(least[c], f + product);
            most[c] = fmax(most[c], f + product);
        }
    }
    assert_true(fabs(sum[0]) <= 1e-14 && fabs(sum[1]) <= 1e-14);
    assert_true(fabs(slope - along) <= 1e-12 && fabs(curvature - square) <= 1e-12);
    for (int c = 0; c < 2; c++)
        assert_true(!(most[c] - least[c] > 1e-10)); /* equal but for the factor's rounding, condition 1e4 */
}

static void a_step_is_the_smallest_point_of_its_face(void **state)
{
    (void)state;
    size_t steps = 0, on_bounds = 0;
    for (unsigned long seed = 1; seed <= 6; seed++) {
        struct run run;
        open_run(&run, seed);
        for (size_t turn = 0; turn < 6; turn++) {
            const struct face_state face_state = {&run.hull, run.room, run.diagonal, row, &run};
            double slope, curvature;
            hull_find_pairs(&run.hull);
            const size_t movable = face_count_movable(&run.face, &face_state);
            (void)face_solve(&run.face, &face_state, &slope, &curvature);
            if (slope == 0)
                break;
            check_step(&run, slope, curvature);
            for (size_t k = 0; k < N; k++)
                on_bounds += run.face.change[k] != 0 && !run.face.is_movable[k];
            assert_true(run.face.factor.n <= movable);
            steps++;
            move(&run);
        }
        close_run(&run);
    }
    assert_true(steps >= 12 && on_bounds > 100);
}

/* |W|^2 from the matrix and the multipliers */
static double norm2_of(const struct geometry *g, const double *alpha)
{
    double sum = 0;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            sum += g->y[i] * alpha[i] * g->y[j] * alpha[j] * gram_row(g->gram, i)[j];
    return sum;
}

/* 500 patterns, or 250 and each of them once more, which makes the matrix singular. */
static void open_problem(struct geometry *g, unsigned long seed, int twice)
{
    enum { ALL = 500, HALF = ALL / 2, DIMS = 5 };
    static double x[ALL * DIMS];
    static signed char y[ALL];
    geometry_random(g, twice ? HALF : ALL, DIMS, 0.6, seed, &rbf);
    if (!twice)
        return;
    for (size_t i = 0; i < ALL; i++) {
        memcpy(x + DIMS * i, g->x + DIMS * (i % HALF), DIMS * sizeof *x);
        y[i] = g->y[i % HALF];
    }
    geometry_close(g);
    geometry_open(g, ALL, DIMS, x, y, &rbf);
}

/* Iterates to a relative gap of 1e-10. Returns the iterations; *norm2 becomes |W|^2. */
static size_t run_solver(unsigned long seed, int twice, int starts_anywhere, double *norm2)
{
    const struct solver *solver = solver_find("packed-clip-mdm");
    struct geometry g;
    double alpha[MAX_GEOMETRY], before = INFINITY;
    size_t iterations = 0;
    open_problem(&g, seed, twice);
    parameter_set(&g.problem.parameters, &parameter_mu, 1.0 / 60);
    g.problem.starts_anywhere = starts_anywhere;
    g.problem.tolerance = 1e-10;
    void *state = geometry_start(&g, solver);
    for (; iterations < 20000; iterations++) {
        struct progress progress = {.need_objective = 1, .norm2 = (double)NAN};
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
        if (isfinite(progress.delta) && solver->gap(state, 0) <= 1e-10 * progress.norm2)
            break;
        if (iterations < 800 && iterations % 16 == 0) {
            solver->alpha(state, alpha);
            *norm2 = norm2_of(&g, alpha);
            assert_true(*norm2 <= before + 1e-14);
            before = *norm2;
        }
        if (solver->update(state, g.oracle) != STATUS_OK)
            break;
        oracle_expire_rows(g.oracle);
    }
    solver->alpha(state, alpha);
    *norm2 = norm2_of(&g, alpha);
    free(state);
    geometry_close(&g);
    return iterations;
}

static void the_solver_ends_sooner_at_the_same_optimum(void **state)
{
    (void)state;
    for (unsigned long seed = 11; seed <= 13; seed++)
        for (int twice = 0; twice < 2; twice++) {
            double with, without;
            const size_t few = run_solver(seed, twice, 1, &with), many = run_solver(seed, twice, 0, &without);
            assert_true(fabs(with - without) <= 1e-9 * without);
            assert_true(2 * few < many);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_the_smallest_point_of_its_face),
        cmocka_unit_test(the_solver_ends_sooner_at_the_same_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
