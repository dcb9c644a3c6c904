/*
 * projected-gradient: the projection onto capped simplices against its optimality conditions; each iteration against
 * FISTA with restarts as printed in the papers, recomputed from the multipliers and the kernel matrix; L against the
 * largest eigenvalue of the centred kernel matrix.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_rng.h>

#include "solvers/dense/projected_gradient.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

/* ---- the projection ---- */

/* x is nearest to z among the feasible points if for some tau z_k - x_k is at most tau where x_k < mu, and at least tau
 * where x_k > 0. */
static void check_projection(size_t n, double mu, const double *z, const double *x)
{
    double size = 1, above = -INFINITY, below = INFINITY;
    long double sum = 0;
    for (size_t k = 0; k < n; k++) {
        assert_true(x[k] >= 0 && x[k] <= mu);
        sum += x[k];
        size = fmax(size, fabs(z[k]));
        above = x[k] < mu ? fmax(above, z[k] - x[k]) : above;
        below = x[k] > 0 ? fmin(below, z[k] - x[k]) : below;
    }
    assert_true(above <= below + 8 * DBL_EPSILON * (double)n * size);
    assert_true(fabsl(sum - 1) <= DBL_EPSILON * (double)n);
}

static void the_projection_meets_its_optimality_conditions(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 2, 7, 8, 9, 63, 64, 65, 400};
    enum { KINDS = 6, CAPS = 5 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int cap = 0; cap < CAPS; cap++) {
                size_t n = sizes[s];
                const double mus[CAPS] = {1, 1 / (double)n, 1.5 / (double)n, fmin(1, 2 / (double)n), 10};
                double z[400], x[400];
                struct arena measured = {0};
                struct projection projection;
                projection_layout(&projection, &measured, n);
                struct arena arena = {.block = (char *)simd_doubles(measured.used / sizeof(double) + 1)};
                projection_layout(&projection, &arena, n);
                for (size_t k = 0; k < n; k++) {
                    double u = gsl_rng_uniform(rng);
                    const double values[KINDS] = {
                        u, 0, floor(4 * u) / 4, u * 1e6 - 5e5, -u * 1e-9, k == n / 2 ? 1e3 : u};
                    z[k] = values[kind];
                }
                projection_find(&projection, n, mus[cap], z, x);
                check_projection(n, mus[cap], z, x);
                projection_find(&projection, n, mus[cap], z, z); /* in place */
                assert_memory_equal(x, z, n * sizeof *x);
                free(arena.block);
            }
    gsl_rng_free(rng);
}

/* ---- the iterations ---- */

/* y W . X_i of any multipliers. */
static void gradient_at(struct geometry *g, const double *alpha, double *gradient)
{
    for (size_t i = 0; i < g->n; i++) {
        const double *row = gram_row(g->gram, i);
        gradient[i] = 0;
        for (size_t j = 0; j < g->n; j++)
            gradient[i] += g->y[i] * g->y[j] * alpha[j] * row[j];
    }
}

/* The projection by bisection of tau. */
static void project_by_halving(const struct geometry *g, int class, double mu, const double *z, double *x)
{
    double low = -1e3, high = 1e3; /* bounds of tau: all at mu, all at 0 */
    for (int k = 0; k < 200; k++) {
        double tau = 0.5 * (low + high), sum = 0;
        for (size_t i = 0; i < g->n; i++)
            if (g->y[i] == class)
                sum += fmin(fmax(z[i] - tau, 0), mu);
        if (sum >= 1)
            low = tau;
        else
            high = tau;
    }
    for (size_t i = 0; i < g->n; i++)
        if (g->y[i] == class)
            x[i] = fmin(fmax(z[i] - low, 0), mu);
}

static void iterations_are_those_of_fista_with_restarts(void **state)
{
    (void)state;
    const double mus[] = {1, 0.2, 0.07};
    size_t restarts = 0;
    for (size_t m = 0; m < 3; m++)
        for (int which = 0; which < 2; which++) {
            struct geometry g;
            double now[80], last[80], next[80], own[80], middle[80], gradient[80], z[80], t = 1;
            geometry_random(&g, 80, 3, 0.8, 3, which ? &rbf : &linear);
            parameter_set(&g.problem.parameters, &parameter_mu, mus[m]);
            struct projected_gradient *solver_state = geometry_start(&g, solver_find("projected-gradient"));
            solver_find("projected-gradient")->alpha(solver_state, now);
            memcpy(last, now, sizeof now);
            for (int k = 0; k < 60; k++) {
                struct progress progress = {0};
                double next_t = 0.5 * (1 + sqrt(1 + 4 * t * t)), against = 0, bound = solver_state->largest;
                for (size_t i = 0; i < 80; i++)
                    middle[i] = now[i] + (t - 1) / next_t * (now[i] - last[i]);
                gradient_at(&g, middle, gradient);
                for (size_t i = 0; i < 80; i++)
                    z[i] = middle[i] - gradient[i] / bound;
                for (int class = -1; class <= 1; class += 2)
                    project_by_halving(&g, class, mus[m], z, next);
                assert_int_equal(solver_find("projected-gradient")->select(solver_state, &progress), STATUS_OK);
                if (solver_find("projected-gradient")->update(solver_state, g.oracle) != STATUS_OK)
                    break;
                solver_find("projected-gradient")->alpha(solver_state, own);
                for (size_t i = 0; i < 80; i++) {
                    assert_true(fabs(own[i] - next[i]) <= 1e-12); /* rounding of one step from the same point */
                    against += (middle[i] - own[i]) * (own[i] - now[i]);
                }
                int restarted = against > 0 || solver_state->largest > bound;
                if (fabs(against) > 1e-18 || solver_state->largest > bound)
                    assert_true(solver_state->momentum == (restarted ? 1 : next_t));
                restarts += restarted != 0;
                t = solver_state->momentum;
                memcpy(last, now, sizeof now);
                memcpy(now, own, sizeof own);
            }
            free(solver_state);
            geometry_close(&g);
        }
    assert_true(restarts > 0);
}

/* Largest eigenvalue of C Q C, where C is the projection onto vectors that sum to 0 in each class. */
static double largest_eigenvalue(struct geometry *g)
{
    gsl_matrix *q = gsl_matrix_alloc(g->n, g->n);
    gsl_vector *values = gsl_vector_alloc(g->n);
    gsl_eigen_symm_workspace *workspace = gsl_eigen_symm_alloc(g->n);
    double largest = 0, *column = malloc(g->n * sizeof *column);
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            gsl_matrix_set(q, i, j, g->y[i] * g->y[j] * gram_row(g->gram, i)[j]);
    for (int side = 0; side < 2; side++)
        for (size_t j = 0; j < g->n; j++)
            for (int class = -1; class <= 1; class += 2) {
                double sum = 0, count = 0;
                for (size_t i = 0; i < g->n; i++) {
                    sum += g->y[i] == class ? (side ? gsl_matrix_get(q, j, i) : gsl_matrix_get(q, i, j)) : 0;
                    count += g->y[i] == class;
                }
                for (size_t i = 0; i < g->n; i++)
                    if (g->y[i] == class) {
                        double *entry = side ? gsl_matrix_ptr(q, j, i) : gsl_matrix_ptr(q, i, j);
                        *entry -= sum / count;
                    }
            }
    gsl_eigen_symm(q, values, workspace);
    largest = gsl_vector_max(values);
    gsl_eigen_symm_free(workspace), gsl_vector_free(values), gsl_matrix_free(q), free(column);
    return largest;
}

static void the_step_is_that_of_the_largest_eigenvalue(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 20; seed++) {
        struct geometry g;
        geometry_random(&g, 60, 3, 0.8, seed, seed % 2 ? &rbf : &linear);
        parameter_set(&g.problem.parameters, &parameter_mu, 0.2);
        struct projected_gradient *solver_state = geometry_start(&g, solver_find("projected-gradient"));
        double exact = largest_eigenvalue(&g);
        /* From below. After k steps of power iteration from a random start the expected relative error is at most 0.871
         * ln n / (k - 1) (Kuczynski and Wozniakowski 1992): 0.4 here. Later up to a tenth above, see `learn`. */
        assert_true(solver_state->largest >= 0.6 * exact && solver_state->largest <= exact * (1 + 1e-12));
        for (int k = 0; k < 200; k++) {
            struct progress progress = {0};
            solver_find("projected-gradient")->select(solver_state, &progress);
            if (solver_find("projected-gradient")->update(solver_state, g.oracle) != STATUS_OK)
                break;
        }
        assert_true(solver_state->largest <= 1.1 * exact * (1 + 1e-9));
        free(solver_state);
        geometry_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_projection_meets_its_optimality_conditions),
        cmocka_unit_test(iterations_are_those_of_fista_with_restarts),
        cmocka_unit_test(the_step_is_that_of_the_largest_eigenvalue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
