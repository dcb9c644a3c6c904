/*
 * unary-mdm and gilbert against the points z_j themselves. Under the linear kernel z_j = y_j (X_j, 1, e_j / sqrt C) has
 * explicit coordinates, so every iteration is repeated in coordinates. Small optima are found by trying all faces of
 * the hull.
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
#include "solvers/norm/min_norm.h"
#include "tests/geometry.h"

enum { N = 24, DIMS = 3, SPACE = DIMS + 1 + N };

static const struct kernel linear = {.type = KERNEL_LINEAR};

/* The patterns' points and a point W of their hull, with its multipliers. */
struct written_out {
    double z[N][SPACE], w[SPACE], alpha[N];
};

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (size_t d = 0; d < SPACE; d++)
        sum += a[d] * b[d];
    return sum;
}

static void weigh(struct written_out *space)
{
    memset(space->w, 0, sizeof space->w);
    for (size_t j = 0; j < N; j++)
        for (size_t d = 0; d < SPACE; d++)
            space->w[d] += space->alpha[j] * space->z[j][d];
}

static void write_out(const struct geometry *g, struct written_out *space)
{
    memset(space, 0, sizeof *space);
    for (size_t j = 0; j < N; j++) {
        for (size_t d = 0; d < DIMS; d++)
            space->z[j][d] = g->y[j] * g->x[j * DIMS + d];
        space->z[j][DIMS] = g->y[j];
        space->z[j][DIMS + 1 + j] = sqrt(1 / parameter_get(&g->problem.parameters, &parameter_c));
    }
    space->alpha[0] = 1;
    weigh(space);
}

static size_t lowest(const struct written_out *space)
{
    size_t low = 0;
    for (size_t j = 1; j < N; j++)
        if (dot(space->w, space->z[j]) < dot(space->w, space->z[low]))
            low = j;
    return low;
}

/* The step to the point of least norm on the segment from W to W + max (to - from). */
static double step_along(const struct written_out *space, const double *to, const double *from, double max)
{
    double d[SPACE];
    for (size_t k = 0; k < SPACE; k++)
        d[k] = to[k] - from[k];
    return fmin(max, -dot(space->w, d) / dot(d, d));
}

/* numbers of order 10 after some 60 updates, each with an error of some units in the last place */
static const double rounding = 1e-12;

/* After an unclipped step, L and U have equal values, so rounding decides which is chosen next. The pair is therefore
 * read from the multipliers that changed; it must be extreme up to rounding and have made the step of eq. (3.2.6). */
static void check_mdm(const struct written_out *space, const double *after, double delta)
{
    size_t low = N, high = N;
    double min = HUGE_VAL, max = -HUGE_VAL;
    for (size_t j = 0; j < N; j++) {
        double u = dot(space->w, space->z[j]);
        min = fmin(min, u);
        if (space->alpha[j] > 0)
            max = fmax(max, u);
        if (after[j] > space->alpha[j])
            low = j;
        if (after[j] < space->alpha[j])
            high = j;
    }
    assert_true(fabs(delta - (max - min)) <= rounding);
    if (low == N || high == N) /* the step was lost in rounding: only rounding was left to gain */
        assert_true(delta <= rounding);
    else {
        double step = step_along(space, space->z[low], space->z[high], space->alpha[high]);
        assert_true(dot(space->w, space->z[low]) <= min + rounding);
        assert_true(dot(space->w, space->z[high]) >= max - rounding);
        for (size_t j = 0; j < N; j++)
            assert_true(fabs(after[j] - space->alpha[j] - (j == low ? step : j == high ? -step : 0)) <= rounding);
    }
}

static void check_gilbert(const struct written_out *space, const double *after, double delta)
{
    size_t low = lowest(space);
    double step = step_along(space, space->z[low], space->w, 1);
    assert_true(fabs(delta - (dot(space->w, space->w) - dot(space->w, space->z[low]))) <= rounding);
    for (size_t j = 0; j < N; j++)
        assert_true(fabs(after[j] - (1 - step) * space->alpha[j] - (j == low ? step : 0)) <= rounding);
}

static void check_state(const struct solver *solver, const void *state, const struct progress *progress,
                        const struct written_out *space)
{
    double norm2 = dot(space->w, space->w), gap = norm2 - dot(space->w, space->z[lowest(space)]);
    assert_true(fabs(progress->norm2 - norm2) <= rounding && fabs(progress->objective - 0.5 * norm2) <= rounding);
    assert_int_equal(progress->updated_class, 0);
    for (int class = -1; class <= 1; class++)
        assert_true(fabs(solver->gap(state, class) - gap) <= rounding);
}

static void follow(const char *name, void (*check)(const struct written_out *, const double *, double),
                   unsigned long seed, double c)
{
    const struct solver *solver = solver_find(name);
    struct geometry g;
    struct written_out space;
    geometry_random(&g, N, DIMS, 0.5, seed, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, c);
    write_out(&g, &space);
    void *solver_state = geometry_start(&g, solver);
    for (int k = 0; k < 60; k++) {
        double after[N];
        struct progress progress = {.need_objective = 1};
        assert_int_equal(solver->select(solver_state, &progress), STATUS_OK);
        check_state(solver, solver_state, &progress, &space);
        if (solver->update(solver_state, g.oracle) != STATUS_OK) {
            assert_true(progress.delta <= 0);
            break;
        }
        solver->alpha(solver_state, after);
        check(&space, after, progress.delta);
        memcpy(space.alpha, after, sizeof after);
        weigh(&space);
    }
    free(solver_state);
    geometry_close(&g);
}

static void unary_mdm_goes_the_way_of_its_definition(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 5; seed++)
        for (double c = 0.1; c < 2000; c *= 10)
            follow("unary-mdm", check_mdm, seed, c);
}

static void gilbert_goes_the_way_of_its_definition(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 5; seed++)
        for (double c = 0.1; c < 2000; c *= 10)
            follow("gilbert", check_gilbert, seed, c);
}

/* Solves Q x = 1 for the m rows of Q listed in `face`, by elimination with pivots on the diagonal: Q is positive
 * definite. */
static void solve_face(const double *q, size_t n, const size_t *face, size_t m, double *x)
{
    double a[8][9];
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++)
            a[i][j] = q[face[i] * n + face[j]];
        a[i][m] = 1;
    }
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < m; i++)
            for (size_t j = m + 1; i != k && j-- > k;)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    for (size_t i = 0; i < m; i++)
        x[i] = a[i][m] / a[i][i];
}

/* The smallest |W|^2 over all faces of the hull whose own nearest point, of weights Q^-1 1 / (1 . Q^-1 1), is
 * inside. */
static double min_norm2_of(const double *q, size_t n)
{
    double min = HUGE_VAL;
    for (size_t set = 1; set < (size_t)1 << n; set++) {
        size_t face[8], m = 0;
        double x[8], sum = 0, smallest = HUGE_VAL;
        for (size_t i = 0; i < n; i++)
            if (set >> i & 1)
                face[m++] = i;
        solve_face(q, n, face, m, x);
        for (size_t i = 0; i < m; i++) {
            sum += x[i];
            smallest = fmin(smallest, x[i]);
        }
        if (smallest >= 0)
            min = fmin(min, 1 / sum); /* |W|^2 = 1 / (1 . Q^-1 1) */
    }
    return min;
}

static void both_find_the_nearest_point_of_all_faces(void **state)
{
    (void)state;
    const struct kernel rbf = {.type = KERNEL_RBF, .width = 2};
    const struct {
        const char *name;
        double tolerance;
    } solvers[] = {{"unary-mdm", 1e-10}, {"gilbert", 1e-5}};
    for (unsigned long seed = 1; seed <= 20; seed++)
        for (size_t s = 0; s < 2; s++) {
            struct geometry g;
            struct solution solution;
            struct judgement judged;
            double q[64];
            geometry_random(&g, 8, 2, 0.4, seed, &rbf);
            parameter_set(&g.problem.parameters, &parameter_c, (double)seed);
            for (size_t i = 0; i < 8; i++)
                for (size_t j = 0; j < 8; j++)
                    q[8 * i + j] = g.y[i] * g.y[j] * (gram_row(g.gram, i)[j] + 1) + (i == j ? 1 / (double)seed : 0);
            double min = min_norm2_of(q, 8), *alpha = simd_doubles(8), *products = simd_doubles(8), scratch[8];
            const struct solver *solver = solver_find(solvers[s].name);
            struct solve_request request = {.solver = solver, .problem = &g.problem, .oracle = g.oracle,
                                            .stop = {STOP_GAP_MAX_NORM2, solvers[s].tolerance},
                                            .budget = {.iterations = 10000000}};
            assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
            assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
            judge(&(struct judging){&g.problem, solver->formulation, g.gram, alpha, 1e-6, products, scratch}, &judged);
            /* |W|^2 - min u <= eps |W|^2 implies |W|^2 - minimum <= 2 eps |W|^2; elimination leaves a relative error of
             * some 1e-13 */
            assert_true(2 * judged.objective >= min * (1 - 1e-12));
            assert_true(2 * judged.objective <= min * (1 + 2.1 * solvers[s].tolerance + 1e-12));
            assert_true(judged.feasibility <= 1e-12);
            free(alpha), free(products);
            geometry_close(&g);
        }
}

/* One pattern of each class at +-a: z = (a, 1), (a, -1), with W = (a, 0) in between; the plane is x = 0. */
static void the_bias_is_the_added_coordinate(void **state)
{
    (void)state;
    const double x[] = {2, -2};
    const signed char y[] = {1, -1};
    struct geometry g;
    struct judgement judged;
    geometry_open(&g, 2, 1, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 4);
    for (int s = 0; s < 2; s++) {
        const struct solver *solver = solver_find(s ? "gilbert" : "unary-mdm");
        double alpha[2], *products = simd_doubles(2), scratch[2];
        void *solver_state = geometry_start(&g, solver);
        struct progress progress = {.need_objective = 1};
        solver->select(solver_state, &progress);
        assert_true(progress.norm2 == 4 + 1 + 0.25); /* at the first pattern */
        assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
        solver->alpha(solver_state, alpha);
        judge(&(struct judging){&g.problem, solver->formulation, g.gram, alpha, 1e-6, products, scratch}, &judged);
        assert_true(alpha[0] == 0.5 && alpha[1] == 0.5 && judged.bias == 0); /* binary fractions */
        assert_true(judged.objective == 0.5 * (4 + 0.125) && judged.duality_gap == 0);
        solver->select(solver_state, &progress);
        assert_int_equal(solver->update(solver_state, g.oracle), STATUS_STALLED); /* optimal */
        free(solver_state), free(products);
    }
    geometry_close(&g);
}

/* Seen from 0, z_2 = (1, 1) lies in front of z_1 = (10, 1), and z_3 = (5, -1) is off the line. On the line from z_1
 * through z_2 the norm still decreases beyond z_2, so the step must end there. */
static void a_step_of_gilbert_ends_at_the_pattern_it_goes_to(void **state)
{
    (void)state;
    const double x[] = {10, 1, -5};
    const signed char y[] = {1, 1, -1};
    const struct solver *solver = solver_find("gilbert");
    struct geometry g;
    struct progress progress = {.need_objective = 1};
    double alpha[3];
    geometry_open(&g, 3, 1, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 4);
    void *solver_state = geometry_start(&g, solver);
    solver->select(solver_state, &progress);
    assert_true(progress.delta == 101.25 - 11); /* |z_1|^2 - z_1 . z_2, above |z_1 - z_2|^2 = 81.5 */
    assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
    solver->alpha(solver_state, alpha);
    assert_true(alpha[0] == 0 && alpha[1] == 1 && alpha[2] == 0);
    solver->select(solver_state, &progress);
    assert_true(progress.norm2 == 2.25);
    free(solver_state);
    geometry_close(&g);
}

/* Multipliers of all sizes enter, leave and change; s has the bits of the sum over the patterns in turn. */
static void the_bias_is_summed_in_the_order_of_the_patterns(void **state)
{
    (void)state;
    enum { PATTERNS = 300 };
    struct geometry g;
    uint32_t draw = 7;
    geometry_random(&g, PATTERNS, 2, 0.5, 3, &linear);
    struct min_norm *norm = geometry_start(&g, solver_find("unary-mdm"));
    for (int t = 0; t < 4000; t++) {
        size_t changes = 1 + (size_t)t % 3;
        double sum = 0;
        for (size_t k = 0; k < changes; k++) {
            draw = draw * 1664525u + 1013904223u;
            double size = ldexp(1, -(int)(draw >> 28) * (t < 2000 ? 1 : 60));
            min_norm_set(norm, (draw >> 8) % PATTERNS, draw % 4 == 0 ? 0 : size * (draw >> 4 & 0xffff));
        }
        if (t % 100 == 99)
            min_norm_find_support(norm);
        min_norm_sum_bias(norm);
        for (size_t j = 0; j < PATTERNS; j++)
            sum += norm->alpha[j] > 0 ? g.y[j] * norm->alpha[j] : 0;
        assert_memory_equal(&norm->bias, &sum, sizeof sum);
        for (size_t j = 0, k = 0; j < PATTERNS; j++)
            if (norm->alpha[j] > 0)
                assert_int_equal(norm->support[k++], j);
    }
    free(norm);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unary_mdm_goes_the_way_of_its_definition),
        cmocka_unit_test(gilbert_goes_the_way_of_its_definition),
        cmocka_unit_test(both_find_the_nearest_point_of_all_faces),
        cmocka_unit_test(the_bias_is_the_added_coordinate),
        cmocka_unit_test(a_step_of_gilbert_ends_at_the_pattern_it_goes_to),
        cmocka_unit_test(the_bias_is_summed_in_the_order_of_the_patterns),
    };
    return cmocka_run_group_tests_name("minimum norm", tests, NULL, NULL);
}
