/*
 * interior-point: every point is inside the reduced hulls; a Newton step solves its equations, recomputed from the
 * kernel matrix; few iterations suffice at all sizes; and a class that is a single point does not move.
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

#include "harness/evaluate/solve.h"
#include "solvers/dense/interior_point.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

/* (Q alpha)_k by free pattern, for any numbers by free pattern. */
static void multiply(struct geometry *g, const struct interior_point *ip, const double *x, double *out)
{
    for (size_t k = 0; k < ip->n_free; k++) {
        const double *row = gram_row(g->gram, ip->free[k]);
        out[k] = 0;
        for (size_t l = 0; l < ip->n_free; l++)
            out[k] += g->y[ip->free[k]] * g->y[ip->free[l]] * row[ip->free[l]] * x[l];
    }
}

/* Checks the corrector of the last iteration at its starting point. */
static void check_step(struct geometry *g, const struct interior_point *before, const struct interior_point *ip)
{
    double image[MAX_GEOMETRY], sum[2] = {0, 0}, level[2] = {0, 0}, size = 0;
    const struct step *step = &ip->corrector;
    int seen[2] = {0, 0};
    multiply(g, ip, step->alpha, image);
    for (size_t k = 0; k < ip->n_free; k++)
        size = fmax(size, fabs(before->slope[k]) + fabs(before->z[k]) + fabs(before->v[k]));
    for (size_t k = 0; k < ip->n_free; k++) {
        int c = class_index(g->y[ip->free[k]]);
        /* Q (alpha + d) - (z + d_z) + (v + d_v) is lambda + d_lambda, one number per class */
        double value = before->slope[k] + image[k] - (before->z[k] + step->z[k]) + (before->v[k] + step->v[k]);
        level[c] = seen[c]++ ? level[c] : value;
        if (!(fabs(value - level[c]) <= 1e-9 * size)) /* the condition number of the system is up to about 1e6 here */
            fail_msg("%g at pattern %zu, %g at the first of its class", value, k, level[c]);
        sum[c] += step->alpha[k];
    }
    assert_true(fabs(sum[0]) <= 1e-14 && fabs(sum[1]) <= 1e-14);
}

static struct interior_point copy_of(const struct interior_point *ip, double *values)
{
    struct interior_point copy = *ip;
    double **const vectors[] = {&copy.slope, &copy.z, &copy.v};
    const double *const from[] = {ip->slope, ip->z, ip->v};
    for (size_t k = 0; k < 3; k++) {
        *vectors[k] = values + k * MAX_GEOMETRY;
        memcpy(*vectors[k], from[k], ip->n_free * sizeof(double));
    }
    return copy;
}

static void steps_solve_newtons_equations_and_stay_inside(void **state)
{
    (void)state;
    const size_t sizes[] = {7, 8, 9, 63, 64, 65, 130};
    const struct solver *solver = solver_find("interior-point");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int which = 0; which < 2; which++) {
            struct geometry g;
            double values[3 * MAX_GEOMETRY], alpha[MAX_GEOMETRY];
            size_t n = sizes[s];
            geometry_random(&g, n, 3, 0.8, 5, which ? &rbf : &linear);
            parameter_set(&g.problem.parameters, &parameter_mu, 0.7);
            struct interior_point *ip = geometry_start(&g, solver);
            for (int k = 0; k < 6; k++) {
                struct progress progress = {0};
                assert_int_equal(solver->select(ip, &progress), STATUS_OK);
                struct interior_point before = copy_of(ip, values);
                for (size_t i = 0; i < ip->n_free; i++) /* of this point: z and v are those before the step */
                    before.slope[i] = g.y[ip->free[i]] * hull_projection(&ip->hull, ip->free[i]);
                if (solver->update(ip, g.oracle) != STATUS_OK)
                    break;
                oracle_expire_rows(g.oracle);
                check_step(&g, &before, ip);
                solver->alpha(ip, alpha);
                double sum[2] = {0, 0};
                for (size_t i = 0; i < n; i++) {
                    assert_true(alpha[i] > 0 && alpha[i] < 0.7);
                    sum[class_index(g.y[i])] += alpha[i];
                }
                assert_true(fabs(sum[0] - 1) <= 1e-14 && fabs(sum[1] - 1) <= 1e-14);
            }
            free(ip);
            geometry_close(&g);
        }
}

/* The system is nearly singular, and yet 1 - sum alpha = sum d_alpha, both added up in the patterns' order. */
static void a_step_corrects_the_sum_of_each_class(void **state)
{
    (void)state;
    static const double bounds[] = {1, 0.125};
    const struct solver *solver = solver_find("interior-point");
    for (size_t b = 0; b < 2; b++) {
        struct geometry g;
        struct progress progress = {0};
        double alpha[MAX_GEOMETRY];
        size_t steps = 0;
        geometry_random(&g, 320, 3, 0.8, 5, &linear);
        parameter_set(&g.problem.parameters, &parameter_mu, bounds[b]);
        struct interior_point *ip = geometry_start(&g, solver);
        for (;; steps++) {
            double sum[2] = {0, 0}, change[2] = {0, 0}, size[2] = {1, 1};
            assert_int_equal(solver->select(ip, &progress), STATUS_OK);
            memcpy(alpha, ip->alpha, ip->n_free * sizeof *alpha);
            if (steps == 60 || solver->update(ip, g.oracle) != STATUS_OK)
                break;
            oracle_expire_rows(g.oracle);
            for (size_t k = 0; k < ip->n_free; k++) {
                int c = class_index(g.y[ip->free[k]]);
                sum[c] += alpha[k];
                change[c] += ip->corrector.alpha[k];
                size[c] += fabs(ip->corrector.alpha[k]);
            }
            for (int c = 0; c < 2; c++)
                assert_true(fabs((1 - sum[c]) - change[c]) <= 0.5 * DBL_EPSILON * size[c]);
        }
        assert_true(steps > 10);
        free(ip);
        geometry_close(&g);
    }
}

static void few_iterations_suffice_at_all_sizes(void **state)
{
    (void)state;
    uint64_t most = 0;
    for (size_t n = 20; n <= 320; n *= 2)
        for (unsigned long seed = 1; seed <= 4; seed++) {
            struct geometry g;
            struct solution solution;
            double alpha[MAX_GEOMETRY];
            geometry_random(&g, n, 3, 0.8, seed, &rbf);
            parameter_set(&g.problem.parameters, &parameter_mu, fmin(1, 10 / (double)n));
            struct solve_request request = {.solver = solver_find("interior-point"), .problem = &g.problem,
                                            .oracle = g.oracle, .stop = {STOP_GAP_SUM_NORM2, 1e-8},
                                            .budget = {.iterations = 100}};
            assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
            assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
            most = solution.iterations > most ? solution.iterations : most;
            geometry_close(&g);
        }
    print_message("%lu iterations at most\n", (unsigned long)most);
    assert_true(most <= 40); /* usually 10 to 25, whatever the size */
}

static void a_class_that_is_one_point_does_not_move(void **state)
{
    (void)state;
    const double x[] = {2, 2, 2, -2, -2, 2, .5, 3, 0, .5, -.5, 0, 0, -.5};
    const signed char y[] = {1, 1, 1, -1, -1, -1, -1};
    struct geometry g;
    double alpha[7];
    const struct solver *solver = solver_find("interior-point");
    geometry_open(&g, 7, 2, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_mu, 1.0 / 3);
    struct interior_point *ip = geometry_start(&g, solver);
    assert_int_equal(ip->n_free, 4);
    for (int k = 0; k < 10; k++) {
        struct progress progress = {0};
        assert_int_equal(solver->select(ip, &progress), STATUS_OK);
        if (solver->update(ip, g.oracle) != STATUS_OK)
            break;
        oracle_expire_rows(g.oracle);
        solver->alpha(ip, alpha);
        for (size_t i = 0; i < 3; i++)
            assert_true(alpha[i] == 1.0 / 3);
    }
    free(ip);
    geometry_close(&g);
}

/* Most patterns are zero, so both hulls hold the origin, W tends to 0 and the median of the diagonal is 0. */
static void hulls_that_hold_the_origin_keep_their_sums(void **state)
{
    const double x[] = {0, 0, 1, 0, 0, 0, 0};
    const signed char y[] = {1, -1, -1, 1, -1, 1, -1};
    (void)state;
    for (size_t n = 5; n <= 7; n++)
        for (double mu = 0.4; mu <= 1; mu += 0.05) {
            struct geometry g;
            struct solution solution;
            double alpha[7], sum[2] = {0, 0};
            geometry_open(&g, n, 1, x, y, &linear);
            parameter_set(&g.problem.parameters, &parameter_mu, fmax(mu, 1 / floor((double)n / 2)));
            struct solve_request request = {.solver = solver_find("interior-point"), .problem = &g.problem,
                                            .oracle = g.oracle, .stop = {STOP_ITERATIONS, 1},
                                            .budget = {.iterations = 1000}};
            assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
            assert_int_equal(solution.outcome, OUTCOME_STALLED);
            for (size_t i = 0; i < n; i++)
                sum[class_index(y[i])] += alpha[i];
            assert_true(fabs(sum[0] - 1) <= 1e-12 && fabs(sum[1] - 1) <= 1e-12);
            geometry_close(&g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_solve_newtons_equations_and_stay_inside),
        cmocka_unit_test(a_step_corrects_the_sum_of_each_class),
        cmocka_unit_test(few_iterations_suffice_at_all_sizes),
        cmocka_unit_test(a_class_that_is_one_point_does_not_move),
        cmocka_unit_test(hulls_that_hold_the_origin_keep_their_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
