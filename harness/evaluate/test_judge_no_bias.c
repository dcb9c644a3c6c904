/*
 * The judge of the SVM duals without bias against definitions and brute force on a few patterns in the plane: W written
 * out, optima bounded by grids of multipliers and by grids of W.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/judge.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};

enum { N = 4, STEPS = 20 };
/* separable by a line through the origin, but not with the last label flipped */
static const double plane[N * 2] = {2, 1, 0.5, 1.5, -1, 0.25, -1.5, -2};
static const signed char apart[N] = {1, 1, -1, -1};
static const signed char mixed[N] = {1, 1, -1, 1};
/* coordinates of a few units, sums of four terms: some tens of units in the last place */
static const double rounding = 1e-13;

static void judge_it(const signed char *y, double c, const double *alpha, struct judgement *out)
{
    struct geometry g;
    double *products = simd_doubles(N), *scratch = simd_doubles(N);
    geometry_open(&g, N, 2, plane, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, c);
    judge(&(struct judging){&g.problem, isfinite(c) ? FORMULATION_NO_BIAS_SVM : FORMULATION_NO_BIAS_HARD_MARGIN,
          g.gram, alpha, 1e-6, products, scratch}, out);
    assert_false(signbit(out->feasibility) || signbit(out->kkt_violation)); /* no -0, which would appear in records */
    free(products), free(scratch);
    geometry_close(&g);
}

static double dual(const signed char *y, const double *alpha)
{
    double w[2] = {0}, sum = 0;
    for (int i = 0; i < N; i++) {
        sum += alpha[i];
        for (int d = 0; d < 2; d++)
            w[d] += y[i] * alpha[i] * plane[2 * i + d];
    }
    return sum - 0.5 * (w[0] * w[0] + w[1] * w[1]);
}

static double margin(const signed char *y, const double *w, int i)
{
    return y[i] * (w[0] * plane[2 * i] + w[1] * plane[2 * i + 1]);
}

/* The smallest primal value over a fine grid of W: with C sum xi if C is finite, otherwise only over separating W. */
static double min_primal(const signed char *y, double c)
{
    double min = HUGE_VAL;
    for (int p = -600; p <= 600; p++)
        for (int q = -600; q <= 600; q++) {
            double w[2] = {p / 200.0, q / 200.0}, value = 0.5 * (w[0] * w[0] + w[1] * w[1]);
            for (int i = 0; i < N; i++) {
                double slack = fmax(0, 1 - margin(y, w, i));
                value += isfinite(c) ? c * slack : slack > 0 ? HUGE_VAL : 0;
            }
            min = fmin(min, value);
        }
    return min;
}

static void objective_and_gap_enclose_the_optimum(void **state)
{
    (void)state;
    const struct {
        const signed char *y;
        double c;
    } cases[] = {{apart, HUGE_VAL}, {apart, 1}, {apart, 0.125}, {mixed, 1}, {mixed, 0.25}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double best = -HUGE_VAL, max = fmin(cases[k].c, 1), primal = min_primal(cases[k].y, cases[k].c),
               closest = HUGE_VAL;
        for (int code = 0; code < 21 * 21 * 21 * 21; code += 7) { /* multipliers on a grid */
            double alpha[N];
            for (int i = 0, left = code; i < N; i++, left /= STEPS + 1)
                alpha[i] = max * (left % (STEPS + 1)) / STEPS;
            best = fmax(best, dual(cases[k].y, alpha));
            if (code % 91)
                continue;
            struct judgement found;
            judge_it(cases[k].y, cases[k].c, alpha, &found);
            assert_true(fabs(found.objective - dual(cases[k].y, alpha)) <= rounding);
            assert_true(fabs(found.norm2 - 2 * (alpha[0] + alpha[1] + alpha[2] + alpha[3] - dual(cases[k].y, alpha))) <=
                        rounding);
            assert_true(found.bias == 0 && isnan(found.rch_mu));
            assert_true(found.objective <= primal + rounding); /* weak duality */
            assert_true(found.objective + found.duality_gap >= best - rounding);
            closest = fmin(closest, found.objective + found.duality_gap);
        }
        assert_true(best <= primal + rounding);
        assert_true(primal - best < 0.05 * fmax(1, primal)); /* grids of 1/20 of C and 1/200 */
        assert_true(closest >= best - rounding && isfinite(closest));
    }
}

static void a_hard_margin_without_a_separating_w_has_an_infinite_gap(void **state)
{
    (void)state;
    const double alpha[N] = {0.25, 0, 0, 0}; /* W = (0.5, 0.25) */
    struct judgement found;
    judge_it(apart, HUGE_VAL, alpha, &found);
    /* y f: 1.25, 0.625, 0.4375, 1.25 */
    assert_true(fabs(found.duality_gap - (0.5 * 0.3125 / (0.4375 * 0.4375) - (0.25 - 0.5 * 0.3125))) < rounding);
    judge_it(mixed, HUGE_VAL, alpha, &found);
    assert_true(isinf(found.duality_gap) && found.duality_gap > 0);
}

/* dD/d alpha_i; D is a parabola along alpha_i, so its differences give the slope up to rounding */
static double gradient(const signed char *y, const double *alpha, int i)
{
    double up[N], down[N];
    memcpy(up, alpha, sizeof up);
    memcpy(down, alpha, sizeof down);
    up[i] += 0.5;
    down[i] -= 0.5;
    return dual(y, up) - dual(y, down);
}

static void the_violation_is_the_way_to_the_best_of_each_coordinate(void **state)
{
    (void)state;
    const double alphas[][N] = {{0.25, 0, 0, 0}, {0.5, 0.5, 0.5, 0.5}, {1e-9, 1e-9, 1, 0}, {0, 0.0625, 0.125, 0.5}};
    for (size_t k = 0; k < 4; k++)
        for (int soft = 0; soft < 2; soft++) {
            double worst = 0, c = soft ? 0.5 : HUGE_VAL;
            struct judgement found;
            for (int i = 0; i < N; i++) {
                double length2 = plane[2 * i] * plane[2 * i] + plane[2 * i + 1] * plane[2 * i + 1], top = fmin(c, 4),
                       best = 0;
                double tried[N], at = -HUGE_VAL;
                memcpy(tried, alphas[k], sizeof tried);
                for (int s = 0; s <= 400000; s++) { /* the best value along the coordinate, on a grid of 1e-5 */
                    tried[i] = top * s / 400000;
                    double value = dual(apart, tried);
                    if (value > at) {
                        at = value;
                        best = tried[i];
                    }
                }
                double way = length2 * fabs(alphas[k][i] - best);
                if (!(best > 0 && best < top)) /* the distance to a bound is weighted by at least 1 / C, and limited by
                                                * the slope */
                    way = fmin(fmax(length2, 1 / c) * fabs(alphas[k][i] - best), fabs(gradient(apart, alphas[k], i)));
                worst = fmax(worst, way);
            }
            judge_it(apart, c, alphas[k], &found);
            if (alphas[k][2] <= c)
                assert_true(fabs(found.kkt_violation - worst) < 1e-4); /* distances of up to 2.5 on that grid */
        }
}

static void no_bound_is_so_small_that_zero_passes_for_the_solution(void **state)
{
    (void)state;
    const double zero[N] = {0};
    for (double c = 1e-12; c < 1e-2; c *= 10) {
        struct judgement found;
        double half[N] = {c, 0.5 * c, c, c}, max[N] = {c, c, c, c};
        judge_it(mixed, c, zero, &found);
        assert_true(fabs(found.kkt_violation - 1) < rounding);
        judge_it(mixed, c, half, &found);
        assert_true(fabs(found.kkt_violation - 0.5) < rounding);
        judge_it(mixed, c, max, &found);
        assert_true(found.kkt_violation == 0);
    }
}

static void violated_bounds_are_reported(void **state)
{
    (void)state;
    struct judgement found;
    const double below[N] = {0.5, -0.25, 0.5, 0}, above[N] = {3, 0, 1, 2};
    judge_it(apart, HUGE_VAL, below, &found);
    assert_true(found.feasibility == 0.25);
    judge_it(apart, 0.5, below, &found);
    assert_true(found.feasibility == 0.5); /* relative to C */
    judge_it(apart, 2, above, &found);
    assert_true(found.feasibility == 0.5);
    judge_it(apart, HUGE_VAL, above, &found);
    assert_true(found.feasibility == 0);
    judge_it(mixed, 3, above, &found); /* balance is not required */
    assert_true(found.feasibility == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objective_and_gap_enclose_the_optimum),
        cmocka_unit_test(a_hard_margin_without_a_separating_w_has_an_infinite_gap),
        cmocka_unit_test(the_violation_is_the_way_to_the_best_of_each_coordinate),
        cmocka_unit_test(no_bound_is_so_small_that_zero_passes_for_the_solution),
        cmocka_unit_test(violated_bounds_are_reported),
    };
    return cmocka_run_group_tests_name("judge without bias", tests, NULL, NULL);
}
