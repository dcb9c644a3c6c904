/*
 * The judge against definitions and brute force on problems small enough to write everything out: W from the patterns
 * themselves, extreme points of the reduced hulls by enumerating their vertices, optima bounded by a grid of
 * multipliers.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/rounding.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};

/* Three patterns of each class in the plane; the classes overlap in x. */
enum { N = 6 };
static const double plane[N * 2] = {2, 1, 0.5, -1, 3, -0.25, -1, 0.5, 1, 2, -2, -1.5};
static const signed char labels[N] = {1, 1, 1, -1, -1, -1};
/* coordinates of a few units, sums of six terms: some tens of units in the last place */
static const double rounding = 1e-14;

static void judge_geometry(struct geometry *g, enum formulation formulation, const double *alpha, struct judgement *out)
{
    double *products = simd_doubles(g->points.n_padded), *scratch = simd_doubles(g->points.n_padded);
    assert_true(products && scratch);
    judge(&(struct judging){&g->problem, formulation, g->gram, alpha, 1e-6, products, scratch}, out);
    assert_false(signbit(out->feasibility) || signbit(out->kkt_violation)); /* no -0, which would appear in records */
    free(products);
    free(scratch);
}

static void direction(const double *alpha, double *w)
{
    w[0] = w[1] = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t d = 0; d < 2; d++)
            w[d] += labels[i] * alpha[i] * plane[2 * i + d];
}

static double along(const double *w, size_t i)
{
    return w[0] * plane[2 * i] + w[1] * plane[2 * i + 1];
}

/* For mu = 1/2 the vertices of a class's reduced hull are the midpoints of its pairs of patterns. */
static double lowest_vertex(const double *w, size_t first, double sign)
{
    double lowest = HUGE_VAL;
    for (size_t i = first; i < first + 3; i++)
        for (size_t j = first; j < i; j++)
            lowest = fmin(lowest, sign * 0.5 * (along(w, i) + along(w, j)));
    return lowest;
}

/* Largest v_i - v_j, v = y W.X, with alpha_i > 0, alpha_j < mu in one class: the gain of moving weight from i to j. */
static double worst_pair(const double *alpha, const double *w, double mu)
{
    double worst = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            if (labels[i] == labels[j] && alpha[i] > 0 && alpha[j] < mu)
                worst = fmax(worst, labels[i] * (along(w, i) - along(w, j)));
    return worst;
}

/* Calls visit for every assignment of multiples of 1/steps, at most mu, that sum to 1 in each class. */
static void each_mixture(int steps, double mu, void (*visit)(const double *alpha, void *context), void *context)
{
    int max = (int)(mu * steps + 0.5);
    for (int a = 0; a <= max; a++)
        for (int b = 0; b <= max && a + b <= steps; b++)
            for (int c = 0; c <= max; c++)
                for (int d = 0; d <= max && c + d <= steps; d++) {
                    int left = steps - a - b, right = steps - c - d;
                    if (left > max || right > max)
                        continue;
                    const double alpha[N] = {(double)a / steps, (double)b / steps, (double)left / steps,
                                             (double)c / steps, (double)d / steps, (double)right / steps};
                    visit(alpha, context);
                }
}

struct visit {
    struct geometry *geometry;
    double best; /* smallest objective so far */
    size_t count;
};

static void compare_with_definitions(const double *alpha, void *context)
{
    struct visit *visit = context;
    struct judgement found;
    double w[2], own[2] = {0, 0};
    judge_geometry(visit->geometry, FORMULATION_NEAREST_POINTS, alpha, &found);
    direction(alpha, w);
    for (size_t i = 0; i < N; i++)
        own[labels[i] < 0] += alpha[i] * along(w, i);
    double norm2 = w[0] * w[0] + w[1] * w[1];
    double gap = norm2 - lowest_vertex(w, 0, 1) - lowest_vertex(w, 3, -1);
    size_t support = 0;
    for (size_t i = 0; i < N; i++)
        support += alpha[i] > 1e-6;
    assert_true(fabs(found.norm2 - norm2) <= 10 * rounding);
    assert_true(fabs(found.objective - 0.5 * norm2) <= 10 * rounding);
    assert_true(fabs(found.duality_gap - gap) <= 10 * rounding);
    assert_true(fabs(found.kkt_violation - worst_pair(alpha, w, 0.5)) <= 10 * rounding);
    assert_true(fabs(found.bias + 0.5 * (own[0] + own[1])) <= 10 * rounding);
    assert_true(found.feasibility >= 0 && found.feasibility <= rounding);
    assert_true(isnan(found.rch_mu));
    assert_int_equal(found.support_vectors, support);
    visit->best = fmin(visit->best, found.objective);
    visit->count++;
}

static void nearest_point_judgements_are_those_of_the_definitions(void **state)
{
    (void)state;
    struct geometry g;
    geometry_open(&g, N, 2, plane, labels, &linear);
    parameter_set(&g.problem.parameters, &parameter_mu, 0.5);
    struct visit visit = {.geometry = &g, .best = HUGE_VAL};
    each_mixture(8, 0.5, compare_with_definitions, &visit);
    assert_int_equal(visit.count, 15 * 15); /* pairs of numbers up to 4 with a sum from 4 to 8 */
    geometry_close(&g);
}

static void find_best(const double *alpha, void *context)
{
    double *best = context, w[2];
    direction(alpha, w);
    *best = fmin(*best, 0.5 * (w[0] * w[0] + w[1] * w[1]));
}

static void no_mixture_is_better_than_the_gap_says(const double *alpha, void *context)
{
    struct visit *visit = context;
    struct judgement found;
    judge_geometry(visit->geometry, FORMULATION_NEAREST_POINTS, alpha, &found);
    assert_true(found.duality_gap >= -10 * rounding);
    assert_true(found.objective - found.duality_gap <= visit->best + 10 * rounding);
    visit->count += found.duality_gap < 0.05;
}

static void the_gap_bounds_the_distance_from_the_optimum_of_a_fine_grid(void **state)
{
    (void)state;
    struct geometry g;
    double best = HUGE_VAL;
    geometry_open(&g, N, 2, plane, labels, &linear);
    parameter_set(&g.problem.parameters, &parameter_mu, 0.5);
    each_mixture(40, 0.5, find_best, &best);
    struct visit visit = {.geometry = &g, .best = best};
    each_mixture(20, 0.5, no_mixture_is_better_than_the_gap_says, &visit);
    assert_true(visit.count > 0); /* some are near the optimum, so the bound is not vacuous */
    geometry_close(&g);
}

static void the_optimum_of_two_squares_has_no_gap_and_no_violation(void **state)
{
    (void)state;
    /* unit squares at distance 1: their nearest sides are x = 1 and x = 2 */
    const double x[] = {2, 0, 2, 1, 3, 0, 3, 1, 1, 0, 1, 1, 0, 0, 0, 1};
    const signed char y[] = {1, 1, 1, 1, -1, -1, -1, -1};
    const double alpha[] = {0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0};
    struct geometry g;
    struct judgement found;
    geometry_open(&g, 8, 2, x, y, &linear);
    for (double mu = 0.5; mu <= 1; mu += 0.5) { /* at 1/2 the multipliers are at their bound, at 1 below it */
        parameter_set(&g.problem.parameters, &parameter_mu, mu);
        judge_geometry(&g, FORMULATION_NEAREST_POINTS, alpha, &found);
        /* halves and small integers: exact */
        assert_true(found.objective == 0.5 && found.duality_gap == 0 && found.kkt_violation == 0);
        assert_true(found.feasibility == 0 && found.bias == -1.5 && found.mu_floor == 0.25);
        assert_int_equal(found.support_vectors, 4);
    }
    geometry_close(&g);
}

static void a_violated_constraint_is_reported_at_its_size(void **state)
{
    (void)state;
    static const struct {
        double alpha[N], violation;
    } cases[] = {
        {{0.75, 0.25, 0, 0.5, 0.5, 0}, 0.25},    /* above mu */
        {{0.5, 0.625, -0.125, 0.5, 0.5, 0}, 0.125}, /* below 0, and above mu by the same amount */
        {{0.5, 0.5, 0.25, 0.5, 0.5, 0}, 0.25},   /* sum of the first class */
        {{0.5, 0.5, 0, 0.5, 0.25, 0}, 0.25},     /* sum of the second */
        {{0, 0, 0, 0, 0, 0}, 1},
    };
    struct geometry g;
    struct judgement found;
    geometry_open(&g, N, 2, plane, labels, &linear);
    parameter_set(&g.problem.parameters, &parameter_mu, 0.5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        judge_geometry(&g, FORMULATION_NEAREST_POINTS, cases[i].alpha, &found);
        assert_true(found.feasibility == cases[i].violation); /* binary fractions: exact */
    }
    geometry_close(&g);
}

static void the_c_svm_of_two_points_is_judged_as_on_paper(void **state)
{
    (void)state;
    const double x[] = {1, -1};
    const signed char y[] = {1, -1};
    static const struct {
        double c, alpha, objective, rch_mu;
    } cases[] = {
        /* C large: W = 2 alpha = 1, no slack, rho = 1; C small: alpha = C, W = 1/2, slack 1/2 each, rho = 1/4 + 1/4 */
        {10, 0.5, 0.5, 20},
        {0.25, 0.25, 0.375, 1},
    };
    struct geometry g;
    struct judgement found;
    geometry_open(&g, 2, 1, x, y, &linear);
    for (size_t i = 0; i < 2; i++) {
        const double alpha[] = {cases[i].alpha, cases[i].alpha};
        parameter_set(&g.problem.parameters, &parameter_c, cases[i].c);
        judge_geometry(&g, FORMULATION_C_SVM, alpha, &found);
        assert_true(found.objective == cases[i].objective && found.rch_mu == cases[i].rch_mu); /* binary fractions */
        assert_true(found.duality_gap == 0 && found.kkt_violation == 0 && found.feasibility == 0 && found.bias == 0);
    }
    const double unbalanced[] = {0.25, 0.125}, outside[] = {0.5, 0.5};
    judge_geometry(&g, FORMULATION_C_SVM, unbalanced, &found);
    assert_true(found.feasibility == 0.5); /* 1/8 of C = 1/4 */
    judge_geometry(&g, FORMULATION_C_SVM, outside, &found);
    assert_true(found.feasibility == 1);
    geometry_close(&g);
}

/* For C-SVM multipliers alpha = C times a mixture of mu = 1/2 and the present W, b: the primal value written out. */
static void compare_c_svm(const double *mixture, void *context)
{
    struct visit *visit = context;
    const double c = parameter_get(&visit->geometry->problem.parameters, &parameter_c);
    struct judgement found;
    double alpha[N], w[2], slack = 0, sum = 0, up = HUGE_VAL, low = -HUGE_VAL;
    for (size_t i = 0; i < N; i++)
        sum += alpha[i] = 2 * c * mixture[i]; /* at most C, and balanced */
    judge_geometry(visit->geometry, FORMULATION_C_SVM, alpha, &found);
    direction(alpha, w);
    for (size_t i = 0; i < N; i++) {
        double at = along(w, i) - labels[i];
        slack += fmax(0, 1 - labels[i] * (along(w, i) + found.bias));
        if (labels[i] > 0 ? alpha[i] < c : alpha[i] > 0)
            up = fmin(up, at);
        if (labels[i] > 0 ? alpha[i] > 0 : alpha[i] < c)
            low = fmax(low, at);
    }
    double norm2 = w[0] * w[0] + w[1] * w[1], primal = 0.5 * norm2 + c * slack;
    /* |W| is at most about 10 here, its square 100: so a hundred times the rounding above */
    assert_true(fabs(found.norm2 - norm2) <= 1000 * rounding);
    assert_true(fabs(found.objective - (sum - 0.5 * norm2)) <= 1000 * rounding);
    assert_true(fabs(found.duality_gap - (primal - found.objective)) <= 1000 * rounding);
    assert_true(fabs(found.kkt_violation - fmax(0, low - up)) <= 1000 * rounding);
    assert_true(fabs(found.rch_mu - 2 * c / (norm2 + c * slack)) <= 1000 * rounding);
    assert_true(found.duality_gap >= -1000 * rounding);
    visit->best = fmax(visit->best, found.objective);
    assert_true(primal >= visit->best - 1000 * rounding); /* weak duality with every dual value so far */
    visit->count++;
}

static void c_svm_judgements_are_those_of_the_definitions(void **state)
{
    (void)state;
    struct geometry g;
    geometry_open(&g, N, 2, plane, labels, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 0.75);
    struct visit visit = {.geometry = &g, .best = -HUGE_VAL};
    each_mixture(8, 0.5, compare_c_svm, &visit);
    assert_int_equal(visit.count, 15 * 15);
    geometry_close(&g);
}

/* The penalty of the tests with a ridge: C = 0.8, 1/C = 1.25. */
static const double square_c = 0.8;

/* Coordinates of sum alpha_i y_i (X_i, 1), and sum alpha^2. */
struct point {
    double w[2], added, sum, squares;
};

static struct point weigh(const double *alpha)
{
    struct point point = {0};
    direction(alpha, point.w);
    for (size_t i = 0; i < N; i++) {
        point.added += labels[i] * alpha[i];
        point.sum += alpha[i];
        point.squares += alpha[i] * alpha[i];
    }
    return point;
}

/* Multipliers 3 times a mixture, with the primal and dual values of min 1/2 |w|^2 + C/2 sum xi^2 written out. */
static void compare_square_svm(const double *mixture, void *context)
{
    struct visit *visit = context;
    struct judgement found;
    double alpha[N], slack2 = 0, up = HUGE_VAL, low = -HUGE_VAL, bias = 0, supports = 0;
    for (size_t i = 0; i < N; i++)
        alpha[i] = 3 * mixture[i];
    judge_geometry(visit->geometry, FORMULATION_SQUARE_SVM, alpha, &found);
    struct point point = weigh(alpha);
    for (size_t i = 0; i < N; i++) {
        double at =
            along(point.w, i) + labels[i] * (alpha[i] / square_c - 1); /* eq. (2.4.4): y (w . x + b) = 1 - alpha / C */
        if (labels[i] > 0 || alpha[i] > 0)
            up = fmin(up, at);
        if (labels[i] < 0 || alpha[i] > 0)
            low = fmax(low, at);
        bias -= alpha[i] > 0 ? at : 0;
        supports += alpha[i] > 0;
    }
    for (size_t i = 0; i < N; i++) {
        double slack = fmax(0, 1 - labels[i] * (along(point.w, i) - 0.5 * (up + low)));
        slack2 += slack * slack;
    }
    double norm2 = point.w[0] * point.w[0] + point.w[1] * point.w[1];
    double primal = 0.5 * norm2 + 0.5 * square_c * slack2,
           dual = point.sum - 0.5 * norm2 - 0.5 * point.squares / square_c;
    /* |W| is at most about 10, sums of squares about 1000: a thousand times the rounding above */
    assert_true(fabs(found.objective - dual) <= 1000 * rounding);
    assert_true(fabs(found.duality_gap - (primal - dual)) <= 1000 * rounding);
    assert_true(fabs(found.kkt_violation - fmax(0, low - up)) <= 1000 * rounding);
    assert_true(fabs(found.bias - bias / supports) <= 1000 * rounding); /* Lopez 2008, Algorithm 2, line 8 */
    assert_true(found.duality_gap >= -1000 * rounding && found.feasibility <= rounding && isnan(found.rch_mu));
    visit->best = fmax(visit->best, dual);
    assert_true(primal >= visit->best - 1000 * rounding); /* weak duality with every dual value so far */
    visit->count++;
}

static void square_svm_judgements_are_those_of_the_definitions(void **state)
{
    (void)state;
    struct geometry g;
    geometry_open(&g, N, 2, plane, labels, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, square_c);
    gram_set_ridge(g.gram, 1 / square_c);
    struct visit visit = {.geometry = &g, .best = -HUGE_VAL};
    each_mixture(8, 1, compare_square_svm, &visit);
    assert_int_equal(visit.count, 45 * 45);
    geometry_close(&g);
}

/* Mixing the classes' points with shares p and 1 - p gives a point of the hull of the z. */
static const double shares[] = {0, 0.125, 0.5, 0.75, 1};
enum { SHARES = sizeof shares / sizeof *shares };

static void share_out(const double *mixture, double share, double *alpha)
{
    for (size_t i = 0; i < N; i++)
        alpha[i] = mixture[i] * (labels[i] > 0 ? share : 1 - share);
}

static double norm2_of(const struct point *point)
{
    return point->w[0] * point->w[0] + point->w[1] * point->w[1] + point->added * point->added +
           point->squares / square_c;
}

static void compare_minimum_norm(const double *mixture, void *context)
{
    struct visit *visit = context;
    for (size_t p = 0; p < SHARES; p++) {
        struct judgement found;
        double alpha[N], min = HUGE_VAL, max = -HUGE_VAL;
        share_out(mixture, shares[p], alpha);
        judge_geometry(visit->geometry, FORMULATION_MINIMUM_NORM, alpha, &found);
        struct point point = weigh(alpha);
        for (size_t i = 0; i < N; i++) {
            double u = labels[i] * (along(point.w, i) + point.added) + alpha[i] / square_c;
            min = fmin(min, u);
            if (alpha[i] > 0)
                max = fmax(max, u);
        }
        double norm2 = norm2_of(&point);
        assert_true(fabs(found.norm2 - norm2) <= 10 * rounding);
        assert_true(fabs(found.objective - 0.5 * norm2) <= 10 * rounding);
        assert_true(fabs(found.duality_gap - (norm2 - min)) <= 10 * rounding);
        assert_true(fabs(found.kkt_violation - (max - min)) <= 10 * rounding);
        assert_true(fabs(found.bias - point.added) <= rounding);
        assert_true(found.feasibility <= rounding && isnan(found.rch_mu));
        /* 1/2 |V|^2 >= 1/2 |W|^2 - gap for every V of the hull; checks the V seen so far */
        visit->best = fmin(visit->best, found.objective);
        assert_true(found.duality_gap >= -10 * rounding);
        assert_true(found.objective - found.duality_gap <= visit->best + 10 * rounding);
        visit->count++;
    }
}

static void minimum_norm_judgements_are_those_of_the_definitions(void **state)
{
    (void)state;
    struct geometry g;
    geometry_open(&g, N, 2, plane, labels, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, square_c);
    gram_set_ridge(g.gram, 1 / square_c);
    struct visit visit = {.geometry = &g, .best = HUGE_VAL};
    each_mixture(8, 1, compare_minimum_norm, &visit);
    assert_int_equal(visit.count, SHARES * 45 * 45);
    geometry_close(&g);
}

/* A reduced hull of three patterns of six, alpha <= 1/3, and an added coordinate other than 0 and 1: the smallest W . Z
 * is the smallest mean of three. */
static const double half = 0.5;

static double smallest_mean_of_three(const double *u)
{
    double min = HUGE_VAL;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            for (size_t k = 0; k < j; k++)
                min = fmin(min, (u[i] + u[j] + u[k]) / 3);
    return min;
}

static void compare_reduced_minimum_norm(struct geometry *g, const int *sixths)
{
    struct judgement found;
    double alpha[N], u[N], lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (size_t i = 0; i < N; i++)
        alpha[i] = sixths[i] / 6.0; /* 2/6 equals 1/3 exactly */
    judge_geometry(g, FORMULATION_MINIMUM_NORM, alpha, &found);
    struct point point = weigh(alpha);
    double bias = half * half * point.added;
    double norm2 = point.w[0] * point.w[0] + point.w[1] * point.w[1] + half * point.added * half * point.added;
    for (size_t i = 0; i < N; i++) {
        u[i] = labels[i] * (along(point.w, i) + bias);
        lowest = sixths[i] < 2 ? fmin(lowest, u[i]) : lowest;
        highest = sixths[i] > 0 ? fmax(highest, u[i]) : highest;
    }
    assert_true(fabs(found.bias - bias) <= rounding);
    assert_true(fabs(found.norm2 - norm2) <= 10 * rounding);
    assert_true(fabs(found.objective - 0.5 * norm2) <= 10 * rounding);
    assert_true(fabs(found.kkt_violation - fmax(0, highest - lowest)) <= 10 * rounding);
    assert_true(fabs(found.duality_gap - (norm2 - smallest_mean_of_three(u))) <= 10 * rounding);
    assert_true(found.feasibility <= rounding);
}

static void minimum_norms_of_reduced_hulls_are_those_of_the_definitions(void **state)
{
    (void)state;
    struct geometry g;
    size_t count = 0;
    geometry_open(&g, N, 2, plane, labels, &linear);
    parameter_set(&g.problem.parameters, &parameter_added, half);
    parameter_set(&g.problem.parameters, &parameter_forgetting, FORGETTING_EQUIVALENT);
    for (int code = 0; code < 729; code++) { /* six digits 0, 1, 2 */
        int sixths[N], sum = 0;
        for (int i = 0, left = code; i < N; i++, left /= 3)
            sum += sixths[i] = left % 3;
        for (int side = -1; sum == 6 && side <= 1; side += 2) { /* 2.6 and 3.4 of 6 round to 3 */
            parameter_set(&g.problem.parameters, &parameter_nu, (3 + 0.4 * side) / N);
            compare_reduced_minimum_norm(&g, sixths);
            count++;
        }
    }
    assert_int_equal(count, 2 * 141); /* the middle coefficient of (1 + x + x^2)^6, twice */
    geometry_close(&g);
}

/* Hulls of the patterns (X_i, e_i / sqrt C), whose inner products are K + I/C. */
static void compare_square_hulls(const double *alpha, void *context)
{
    struct visit *visit = context;
    struct judgement found;
    struct point point = weigh(alpha);
    double min[2] = {HUGE_VAL, HUGE_VAL}, own[2] = {0, 0};
    judge_geometry(visit->geometry, FORMULATION_NEAREST_POINTS, alpha, &found);
    for (size_t i = 0; i < N; i++) {
        int c = labels[i] < 0;
        double v = labels[i] * along(point.w, i) + alpha[i] / square_c;
        min[c] = fmin(min[c], v);
        own[c] += alpha[i] * v;
    }
    double norm2 = point.w[0] * point.w[0] + point.w[1] * point.w[1] + point.squares / square_c;
    assert_true(fabs(found.objective - 0.5 * norm2) <= 10 * rounding);
    assert_true(fabs(found.duality_gap - (norm2 - min[0] - min[1])) <= 10 * rounding);
    assert_true(fabs(found.bias + 0.5 * (own[0] - own[1])) <= 10 * rounding);
    visit->best = fmin(visit->best, found.objective);
    assert_true(found.objective - found.duality_gap <= visit->best + 10 * rounding);
    visit->count++;
}

static void nearest_points_are_judged_with_the_ridge(void **state)
{
    (void)state;
    struct geometry g;
    geometry_open(&g, N, 2, plane, labels, &linear);
    gram_set_ridge(g.gram, 1 / square_c);
    struct visit visit = {.geometry = &g, .best = HUGE_VAL};
    each_mixture(8, 1, compare_square_hulls, &visit);
    assert_int_equal(visit.count, 45 * 45);
    geometry_close(&g);
}

static void the_new_formulations_report_a_violated_constraint_at_its_size(void **state)
{
    (void)state;
    static const struct {
        enum formulation formulation;
        double alpha[N], violation;
    } cases[] = {
        {FORMULATION_SQUARE_SVM, {0.25, 0.25, 0, 0.375, 0, 0}, 0.125},      /* balance; sum alpha below one: absolute */
        {FORMULATION_SQUARE_SVM, {5, 0, 0, 3, 0, 0}, 0.25},                 /* 2 relative to a sum of 8 */
        {FORMULATION_SQUARE_SVM, {2, 3, -1, 4, 0, 0}, 0.125},               /* below 0: 1 relative to 8 */
        {FORMULATION_SQUARE_SVM, {1e6, 0, 0, 1e6, 0, 0}, 0},                /* no upper bound */
        {FORMULATION_MINIMUM_NORM, {0.5, 0.25, 0, 0, 0, 0}, 0.25},          /* sum */
        {FORMULATION_MINIMUM_NORM, {0.75, 0.375, -0.125, 0, 0, 0}, 0.125},  /* below 0 */
        {FORMULATION_MINIMUM_NORM, {0, 1, 0, 0, 0, 0}, 0},                  /* a single class is allowed */
    };
    struct geometry g;
    struct judgement found;
    geometry_open(&g, N, 2, plane, labels, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, square_c);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        judge_geometry(&g, cases[i].formulation, cases[i].alpha, &found);
        assert_true(found.feasibility == cases[i].violation); /* binary fractions: exact */
    }
    geometry_close(&g);
}

/* fmax ignores NaN */
static void a_multiplier_that_is_no_number_is_no_solution(void **state)
{
    (void)state;
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    struct geometry g;
    struct judgement out;
    geometry_open(&g, N, 2, plane, labels, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 1);
    for (unsigned f = 0; f < FORMULATION_COUNT; f++)
        for (size_t b = 0; b < 3; b++)
            for (size_t i = 0; i < N; i++) {
                double alpha[N] = {0.5, 0.5, 0, 0.5, 0.5, 0};
                alpha[i] = bad[b];
                judge_geometry(&g, (enum formulation)f, alpha, &out);
                assert_false(out.feasibility <= 1e300);
            }
    geometry_close(&g);
}

/* ---- the middle of the margin, for patterns on a line: W is the distance between the nearest points ---- */

static void judge_line(size_t n, const double *x, const signed char *y, double mu, const double *alpha,
                       struct judgement *out)
{
    struct geometry g;
    geometry_open(&g, n, 1, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_mu, mu);
    judge_geometry(&g, FORMULATION_NEAREST_POINTS, alpha, out);
    geometry_close(&g);
}

/* The thresholds are written out: W = W+ - W-, t_+ = W x and t_- = -W x of the patterns named in the comments. */
static void the_middle_of_the_margin_is_that_of_small_problems_by_hand(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double x[8];
        signed char y[8];
        double mu, alpha[8], w, t_plus, t_minus;
    } cases[] = {
        /* W+ = 2.8, W- = -1.4; 4 and -2 are free */
        {6, {2, 4, 6, -1, -2, -4}, {1, 1, 1, -1, -1, -1}, 0.6, {0.6, 0.4, 0, 0.6, 0.4, 0}, 4.2, 4 * 4.2, 2 * 4.2},
        /* W+ = 3, W- = -1.5; none is free: between 4 and 6, and between -2 and -4 */
        {6, {2, 4, 6, -1, -2, -4}, {1, 1, 1, -1, -1, -1}, 0.5, {0.5, 0.5, 0, 0.5, 0.5, 0}, 4.5, 5 * 4.5, 3 * 4.5},
        /* the same: multipliers left over by rounding count as at their bound */
        {6, {2, 4, 6, -1, -2, -4}, {1, 1, 1, -1, -1, -1}, 0.5, {0.5, 0.5 - 1e-15, 1e-15, 0.5, 0.5 - 1e-15, 1e-15}, 4.5,
         5 * 4.5, 3 * 4.5},
        /* W+ = 1.5, W- = -1.5; both patterns at 2 are free, none of class -1 */
        {7, {1, 2, 2, 6, -1, -2, -4}, {1, 1, 1, 1, -1, -1, -1}, 0.5, {0.5, 0.25, 0.25, 0, 0.5, 0.5, 0}, 3, 2 * 3.,
         3 * 3.},
        /* W+ = 3, W- = -1.5; all of class -1 are at mu: the lowest threshold, that of -2 */
        {5, {2, 4, 6, -1, -2}, {1, 1, 1, -1, -1}, 0.5, {0.5, 0.5, 0, 0.5, 0.5}, 4.5, 5 * 4.5, 2 * 4.5},
        /* W+ = 2, W- = -1; one pattern each */
        {2, {2, -1}, {1, -1}, 1, {1, 1}, 3, 2 * 3., 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct judgement found;
        judge_line(cases[i].n, cases[i].x, cases[i].y, cases[i].mu, cases[i].alpha, &found);
        const double b = -(cases[i].t_plus - cases[i].t_minus) / 2, r = (cases[i].t_plus + cases[i].t_minus) / 2;
        assert_true(fabs(found.norm2 - cases[i].w * cases[i].w) < 1e-13);
        assert_true(fabs(found.duality_gap) < 1e-13 && (i == 2 || found.kkt_violation < 1e-13));
        assert_true(fabs(found.middle.bias - b) < 1e-13);
        assert_true(fabs(found.middle.margin - r) < 1e-13);
        assert_true(found.margin == found.objective);
        const double halfway = found.bias;
        judgement_take_middle(&found);
        assert_true(found.bias == found.middle.bias && found.margin == found.middle.margin);
        assert_true(i == 5 || fabs(halfway - found.bias) > 0.1); /* with one pattern each, both planes coincide */
    }
}

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The optimum uses the innermost 1/mu patterns, the last one in part. That one gives the threshold; if 1/mu is an
 * integer, the threshold lies between the last and the next. */
static double threshold_of_line(const double *sorted, size_t n, double mu, double w)
{
    const size_t full = (size_t)(1 / mu + 1e-9);
    if (fabs((double)full * mu - 1) > 1e-9)
        return w * sorted[full];
    return full < n ? w * 0.5 * (sorted[full - 1] + sorted[full]) : w * sorted[full - 1];
}

static void the_middle_of_the_margin_is_that_of_lines_of_any_size(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 7, 8, 9, 63, 64, 65, 150};
    unsigned long seed = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t parts = 1; parts <= 8; parts++) { /* 1/mu = parts / 2: an integer every second time */
            const size_t n = sizes[s];
            const double mu = fmin(1, 2. / (double)parts);
            double x[2 * 150], alpha[2 * 150], w = 0, sorted[2][150];
            signed char y[2 * 150];
            if ((double)n * mu < 1)
                continue;
            for (size_t c = 0; c < 2; c++) {
                for (size_t i = 0; i < n; i++) {
                    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
                    sorted[c][i] = 1 + (double)(seed >> 58); /* 64 values: some are equal */
                }
                qsort(sorted[c], n, sizeof *sorted[c], ascending);
                double left = 1;
                for (size_t i = 0; i < n; i++) {
                    const size_t at = c * n + i;
                    y[at] = c ? -1 : 1;
                    x[at] = y[at] * sorted[c][i];
                    alpha[at] = left < mu + 1e-12 && left > mu - 1e-12 ? mu : fmin(left, mu);
                    left = fmax(0, left - alpha[at]);
                    left = left < 1e-12 ? 0 : left;
                    w += alpha[at] * sorted[c][i];
                }
            }
            struct judgement found;
            judge_line(2 * n, x, y, mu, alpha, &found);
            const double plus = threshold_of_line(sorted[0], n, mu, w), minus = threshold_of_line(sorted[1], n, mu, w);
            assert_true(fabs(found.middle.bias + (plus - minus) / 2) < 1e-10 * w * w);
            assert_true(fabs(found.middle.margin - (plus + minus) / 2) < 1e-10 * w * w);
            assert_true(found.middle.margin > found.margin * (1 - 1e-12)); /* r >= 1/2 |W|^2 */
        }
}

/* The bound of a reduced hull's gap by its formula in judge.c: values 5 10 15 20 with weights 0.4 0.4 0.2. */
/* With mu = 0.4 the third weight is what is left, and may be off in favour of the fourth; with mu = 0.25 nothing is
 * left after the fourth. v is sorted as x is; its first or last is the largest. */
static void the_bound_of_a_mixture_counts_its_roundings(void **state)
{
    (void)state;
    static const signed char y[] = {1, 1, 1, 1, -1, -1, -1, -1};
    const double alpha[SIMD_LANES > 8 ? SIMD_LANES : 8] = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
    for (int which = 0; which < 4; which++) {
        const double x[] = {which / 2 ? -8 : 1, 2, 3, 4, -1, -2, -3, -4}, mu = which % 2 ? 0.25 : 0.4;
        const double w = which / 2 ? 2.75 : 5, largest = which / 2 ? 22 : 20, terms = which % 2 ? 4 : 3;
        struct geometry g;
        struct judgement out;
        geometry_open(&g, 8, 1, x, y, &linear);
        parameter_set(&g.problem.parameters, &parameter_mu, mu);
        judge_geometry(&g, FORMULATION_NEAREST_POINTS, alpha, &out);
        const struct product_rounding products = rounding_of_products(&(struct judging){&g.problem, FORMULATION_C_SVM,
                                                                      g.gram, alpha, 0, NULL, NULL});
        double own = 0, value = 0, size = 0, left = 1, mixture = 0, mixture_size = 0, bound = 0;
        for (size_t j = 0; j < 4; j++) {
            const double weight = fmin(left, mu), v = w * x[j];
            own += 0.25 * rounding_of_product(&products, j);
            value += 0.25 * v;
            size += 0.25 * fabs(v);
            mixture += weight * v;
            mixture_size += weight * fabs(v);
            bound = fmax(bound, rounding_of_product(&products, j));
            left -= weight;
        }
        bound += rounding_gamma(terms) * (mixture_size + largest);
        assert_true(out.rounding.class_gap[0] ==
                    rounding_bound(rounding_of_sum(&products, own, size) + bound +
                                   rounding_gamma(1) * (fabs(value) + fabs(mixture))));
        geometry_close(&g);
    }
}

/* alpha = 1 2 2 is off balance by 1, a fifth of its sum. */
static void violated_constraints_explain_a_negative_gap_by_their_size(void **state)
{
    (void)state;
    static const double x[] = {1, 2, -1};
    static const signed char y[] = {1, 1, -1};
    const double alpha[8] = {1, 2, 2};
    struct geometry g;
    struct judgement out;
    geometry_open(&g, 3, 1, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 4);
    gram_set_ridge(g.gram, 0.25);
    judge_geometry(&g, FORMULATION_SQUARE_SVM, alpha, &out);
    assert_true(out.feasibility == 0.2); /* W = 7, f = 7.25 14.5 -7.5 */
    const double expected = 3 * (14.5 + fabs(out.bias) + 1) + fabs(out.bias);
    assert_true(fabs(out.gap_shortfall - expected) <= 1e-14 * expected);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_of_a_mixture_counts_its_roundings),
        cmocka_unit_test(violated_constraints_explain_a_negative_gap_by_their_size),
        cmocka_unit_test(nearest_point_judgements_are_those_of_the_definitions),
        cmocka_unit_test(the_gap_bounds_the_distance_from_the_optimum_of_a_fine_grid),
        cmocka_unit_test(the_optimum_of_two_squares_has_no_gap_and_no_violation),
        cmocka_unit_test(a_violated_constraint_is_reported_at_its_size),
        cmocka_unit_test(the_c_svm_of_two_points_is_judged_as_on_paper),
        cmocka_unit_test(c_svm_judgements_are_those_of_the_definitions),
        cmocka_unit_test(square_svm_judgements_are_those_of_the_definitions),
        cmocka_unit_test(minimum_norm_judgements_are_those_of_the_definitions),
        cmocka_unit_test(minimum_norms_of_reduced_hulls_are_those_of_the_definitions),
        cmocka_unit_test(nearest_points_are_judged_with_the_ridge),
        cmocka_unit_test(a_multiplier_that_is_no_number_is_no_solution),
        cmocka_unit_test(the_middle_of_the_margin_is_that_of_small_problems_by_hand),
        cmocka_unit_test(the_middle_of_the_margin_is_that_of_lines_of_any_size),
        cmocka_unit_test(the_new_formulations_report_a_violated_constraint_at_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
