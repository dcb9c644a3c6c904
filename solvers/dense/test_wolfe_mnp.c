/*
 * wolfe-mnp against the theorems of Wolfe (1976). At the end of each major cycle W is the smallest point of the affine
 * hull of its corral, all weights are positive, the corral is affinely independent, |W| has decreased, and no corral
 * recurs. Points, weights and products are recomputed from the patterns. Also tests the corral alone, and a corral that
 * is too small.
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
#include "solvers/dense/wolfe_mnp.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

enum { DIMS = 3 };

/* The point at a place, from the patterns themselves. */
static void point_of(const struct geometry *g, const struct wolfe *wolfe, size_t place, double *point)
{
    const struct hull *hull = &wolfe->hull;
    memset(point, 0, g->dims * sizeof *point);
    for (int c = 0; c < 2; c++)
        for (size_t k = 0; place != wolfe->base && k < hull->n_full_weights + (hull->rest_weight > 0); k++) {
            size_t j = wolfe->parts[(2 * place + (size_t)c) * wolfe->n_parts + k];
            double weight = k < hull->n_full_weights ? hull->mu : hull->rest_weight;
            assert_int_equal(class_index(g->y[j]), c);
            for (size_t d = 0; d < g->dims; d++)
                point[d] += g->y[j] * weight * g->x[j * g->dims + d];
        }
    for (size_t j = 0; place == wolfe->base && j < g->n; j++)
        for (size_t d = 0; d < g->dims; d++)
            point[d] += g->y[j] * wolfe->base_weights[class_index(g->y[j])][j] * g->x[j * g->dims + d];
}

/* The number of linearly independent points, with a coordinate of 1 appended, by elimination with pivots. */
static size_t affine_rank(double points[][DIMS + 1], size_t count)
{
    size_t rank = 0;
    for (size_t d = 0; d <= DIMS; d++) {
        size_t best = rank;
        for (size_t p = rank; p < count; p++)
            if (fabs(points[p][d]) > fabs(points[best][d]))
                best = p;
        if (rank == count || !(fabs(points[best][d]) > 1e-9)) /* for coordinates of order one */
            continue;
        for (size_t e = 0; e <= DIMS; e++) {
            double kept = points[rank][e];
            points[rank][e] = points[best][e];
            points[best][e] = kept;
        }
        for (size_t p = rank + 1; p < count; p++) {
            double factor = points[p][d] / points[rank][d];
            for (size_t e = 0; e <= DIMS; e++)
                points[p][e] -= factor * points[rank][e];
        }
        rank++;
    }
    return rank;
}

/* Returns |W|^2 after the checks. */
static double check_corral(const struct geometry *g, const struct wolfe *wolfe)
{
    const struct corral *corral = &wolfe->corral;
    double points[DIMS + 2][DIMS + 1], w[DIMS] = {0}, sum = 0, norm2 = 0;
    assert_true(corral->count <= DIMS + 1);
    for (size_t p = 0; p < corral->count; p++) {
        double weight = corral->weight[corral->place[p]];
        assert_true(weight > 0);
        sum += weight;
        point_of(g, wolfe, corral->place[p], points[p]);
        points[p][DIMS] = 1;
        for (size_t d = 0; d < DIMS; d++)
            w[d] += weight * points[p][d];
    }
    for (size_t d = 0; d < DIMS; d++)
        norm2 += w[d] * w[d];
    assert_true(fabs(sum - 1) <= 1e-14);
    for (size_t p = 0; p < corral->count; p++) {
        double product = 0;
        for (size_t d = 0; d < DIMS; d++)
            product += w[d] * points[p][d];
        assert_true(fabs(product - norm2) <= 1e-12); /* rounding of products of order one, refined once */
    }
    assert_int_equal(affine_rank(points, corral->count), corral->count);
    return norm2;
}

/* The linear kernel in three dimensions: a corral has at most four points. */
static void each_major_cycle_ends_at_the_smallest_point_of_an_affinely_independent_corral(void **state)
{
    (void)state;
    const double mus[] = {1, 0.4, 0.15};
    size_t cycles = 0, most = 0;
    for (unsigned long seed = 1; seed <= 30; seed++)
        for (size_t m = 0; m < 3; m++) {
            struct geometry g;
            double before = HUGE_VAL;
            size_t k = 0;
            geometry_random(&g, 60, DIMS, 1.5, seed, &linear);
            parameter_set(&g.problem.parameters, &parameter_mu, mus[m]);
            struct wolfe *wolfe = geometry_start(&g, solver_find("wolfe-mnp"));
            for (;; k++) {
                struct progress progress = {.need_objective = 1};
                assert_int_equal(solver_find("wolfe-mnp")->select(wolfe, &progress), STATUS_OK);
                double norm2 = check_corral(&g, wolfe);
                assert_true(fabs(norm2 - progress.norm2) <= 1e-12);
                if (progress.delta <= 1e-12 * fmax(norm2, 1))
                    break;
                assert_true(norm2 < before);
                before = norm2;
                assert_int_equal(solver_find("wolfe-mnp")->update(wolfe, g.oracle), STATUS_OK);
                oracle_expire_rows(g.oracle);
            }
            cycles += k;
            most = k > most ? k : most;
            free(wolfe);
            geometry_close(&g);
        }
    print_message("%zu major cycles on 90 problems, %zu at most\n", cycles, most);
    assert_true(most <= 100); /* finite, and far below the number of corrals */
}

/* |W|^2 of the corral alone, from its weights and products. */
static double norm2_of(const struct corral *corral)
{
    double norm2 = 0;
    for (size_t p = 0; p < corral->count; p++)
        for (size_t q = 0; q < corral->count; q++)
            norm2 += corral->weight[corral->place[p]] * corral->weight[corral->place[q]] *
                     corral_products(corral, corral->place[p])[corral->place[q]];
    return norm2;
}

/* L L' = shift 1 1' + gram, after points have left and entered. */
static void check_factor(const struct corral *corral)
{
    for (size_t p = 0; p < corral->count; p++)
        for (size_t q = 0; q <= p; q++) {
            double sum = 0,
                   entry = corral->shift + corral_products(corral, corral->place[p])[corral->place[q]];
            for (size_t r = 0; r <= q; r++)
                sum += corral->factor[p * corral->stride + r] * corral->factor[q * corral->stride + r];
            assert_true(fabs(sum - entry) <= 1e-12 * corral->shift);
        }
}

/* Pseudo-random points enter one after the other, in any order of gain; sizes on both sides of the vector width. */
static void points_enter_and_leave_and_the_factor_stays_that_of_the_corral(void **state)
{
    (void)state;
    const size_t sizes[] = {2, 7, 8, 9, 63, 64, 65};
    size_t all_left = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        enum { SPACE = 80, POINTS = 300 };
        static double points[POINTS][SPACE];
        size_t in_place[66] = {0}, max = sizes[s], left = 0;
        struct arena measured = {0};
        struct corral corral = {.simd = simd_select(NULL)};
        unsigned random = 12345;
        corral_layout(&corral, &measured, max);
        struct arena arena = {.block = (char *)simd_doubles(measured.used / sizeof(double) + 1)};
        corral_layout(&corral, &arena, max);
        for (size_t p = 0; p < POINTS; p++)
            for (size_t d = 0; d < SPACE; d++) {
                random = random * 1664525u + 1013904223u;
                points[p][d] = ((double)(random >> 8) / 16777216 - (d == 0 ? 0.3 : 0.49)) / (1 + (double)d / 8);
            }
        double first = 0, before;
        for (size_t d = 0; d < SPACE; d++)
            first += points[0][d] * points[0][d];
        corral_reset(&corral, first);
        before = first;
        for (size_t p = 1; p < POINTS; p++) {
            if (corral.count == max)
                break;
            size_t place = corral_free_place(&corral);
            in_place[place] = p;
            for (size_t q = 0; q <= corral.count; q++) {
                size_t other = corral.place[q];
                double product = 0;
                for (size_t d = 0; d < SPACE; d++)
                    product += points[p][d] * points[in_place[other]][d];
                corral_products(&corral, place)[other] = product;
            }
            corral_enter(&corral, 1e-30);
            left += corral_minimise(&corral);
            check_factor(&corral);
            assert_true(norm2_of(&corral) <= before + 1e-14 * corral.shift); /* some 50 roundings */
            before = norm2_of(&corral);
        }
        all_left += left;
        free(arena.block);
    }
    print_message("%zu points left\n", all_left);
    assert_true(all_left > 64); /* so that the factor was recomputed */
}

/* A full corral is restarted at W: |W| still decreases and converges to the optimum. */
static void a_corral_that_is_too_small_comes_to_the_optimum_all_the_same(void **state)
{
    (void)state;
    const double sizes[] = {4, 8, 16, 1000};
    double objective[4] = {0};
    uint64_t iterations[4] = {0};
    for (size_t s = 0; s < 4; s++) {
        struct geometry g;
        struct solution solution;
        double alpha[MAX_GEOMETRY];
        geometry_random(&g, 80, 3, 0.8, 7, &rbf);
        parameter_set(&g.problem.parameters, &parameter_mu, 0.3);
        parameter_set(&g.problem.parameters, &parameter_corral, sizes[s]);
        struct solve_request request = {.solver = solver_find("wolfe-mnp"), .problem = &g.problem, .oracle = g.oracle,
                                        .stop = {STOP_GAP_SUM_NORM2, 1e-3}, .budget = {.iterations = 200000}};
        assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
        assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
        objective[s] = solution.objective;
        iterations[s] = solution.iterations;
        geometry_close(&g);
    }
    for (size_t s = 0; s < 3; s++) {
        assert_true(fabs(objective[s] - objective[3]) <= 1e-3 * 2 * objective[3]); /* |W|^2 / 2 is within the gap */
        assert_true(iterations[s] >= iterations[3]);
    }
    assert_true(iterations[0] > iterations[3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_major_cycle_ends_at_the_smallest_point_of_an_affinely_independent_corral),
        cmocka_unit_test(points_enter_and_leave_and_the_factor_stays_that_of_the_corral),
        cmocka_unit_test(a_corral_that_is_too_small_comes_to_the_optimum_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
