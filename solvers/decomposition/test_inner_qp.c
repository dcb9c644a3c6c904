/*
 * The quadratic program of a working set against brute force over all active sets, on small blocks, many of them
 * singular; on larger ones, against its recomputed KKT conditions.
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
#include <gsl/gsl_rng.h>

#include "solvers/decomposition/inner_qp.h"

enum { MAX = 60, SMALL = 5 };

struct case_of {
    struct inner_qp qp;
    void *block;
    double x[MAX], g[MAX]; /* the starting point */
};

static void open_case(struct case_of *c, size_t n)
{
    struct arena arena = {0};
    memset(c, 0, sizeof *c);
    inner_qp_layout(&c->qp, &arena, n);
    c->block = simd_doubles(arena.used / sizeof(double) + 1);
    assert_non_null(c->block);
    arena = (struct arena){.block = c->block};
    inner_qp_layout(&c->qp, &arena, n);
    c->qp.count = n;
}

/* K = Z Z' of n points in `rank` dimensions, the first `equal` of them identical; labels and a feasible point between
 * the bounds. */
static void draw(struct case_of *c, gsl_rng *rng, size_t n, size_t rank, size_t equal, double bound)
{
    double z[MAX][MAX];
    struct inner_qp *qp = &c->qp;
    open_case(c, n);
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < rank; d++)
            z[i][d] = i > 0 && i < equal ? z[0][d] : 2 * gsl_rng_uniform(rng) - 1;
    for (size_t i = 0; i < n; i++) {
        int y = gsl_rng_uniform(rng) < 0.5 ? 1 : -1;
        double at = gsl_rng_uniform(rng);
        for (size_t j = 0; j < n; j++)
            for (size_t d = 0; d < rank; d++)
                qp->k[i * n + j] += z[i][d] * z[j][d];
        qp->lower[i] = y > 0 ? 0 : -bound;
        qp->upper[i] = y > 0 ? bound : 0;
        qp->x[i] = c->x[i] = at < 0.3 ? qp->lower[i] : at < 0.6 ? qp->upper[i] : qp->lower[i] + at * bound;
        qp->g[i] = c->g[i] = 3 * gsl_rng_uniform(rng) - 1.5;
    }
}

static double objective_of(const struct case_of *c, const double *x)
{
    size_t n = c->qp.count;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double product = 0;
        for (size_t j = 0; j < n; j++)
            product += c->qp.k[i * n + j] * (x[j] - c->x[j]);
        sum += (x[i] - c->x[i]) * (0.5 * product + c->g[i]);
    }
    return sum;
}

/* Solves a (m x m, row by row) t = b by elimination with full pivoting; zero if a is singular. */
static int eliminate(double a[][SMALL + 1], double *b, size_t m, double *t)
{
    size_t column[SMALL + 1] = {0};
    for (size_t i = 0; i < m; i++)
        column[i] = i;
    for (size_t k = 0; k < m; k++) {
        size_t r = k, s = k;
        for (size_t i = k; i < m; i++)
            for (size_t j = k; j < m; j++)
                if (fabs(a[i][column[j]]) > fabs(a[r][column[s]])) {
                    r = i;
                    s = j;
                }
        if (fabs(a[r][column[s]]) < 1e-9)
            return 0;
        size_t kept = column[k];
        column[k] = column[s];
        column[s] = kept;
        for (size_t j = 0; j < m; j++) {
            double swap = a[k][j];
            a[k][j] = a[r][j];
            a[r][j] = swap;
        }
        double swap = b[k];
        b[k] = b[r];
        b[r] = swap;
        for (size_t i = k + 1; i < m; i++) {
            double factor = a[i][column[k]] / a[k][column[k]];
            for (size_t j = 0; j < m; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = m; k-- > 0;) {
        double sum = b[k];
        for (size_t j = k + 1; j < m; j++)
            sum -= a[k][column[j]] * t[column[j]];
        t[column[k]] = sum / a[k][column[k]];
    }
    return 1;
}

/* The optimum with each variable at its lower bound (0), its upper (1) or free (2), by `code`. INFINITY if that is
 * infeasible or not unique; in the latter case another active set has the same optimum. */
static double optimum_of_active_set(const struct case_of *c, size_t code)
{
    size_t n = c->qp.count, free_of[SMALL], m = 0;
    double x[SMALL], a[SMALL + 1][SMALL + 1] = {{0}}, b[SMALL + 1] = {0}, t[SMALL + 1], missing = 0;
    for (size_t i = 0; i < n; i++, code /= 3) {
        x[i] = code % 3 == 0 ? c->qp.lower[i] : code % 3 == 1 ? c->qp.upper[i] : 0;
        if (code % 3 == 2)
            free_of[m++] = i;
        missing += c->x[i] - x[i];
    }
    if (m == 0)
        return fabs(missing) < 1e-12 ? objective_of(c, x) : INFINITY;
    for (size_t p = 0; p < m; p++) { /* K x_free - nu = K (x0 - x_fixed) - g */
        size_t i = free_of[p];
        for (size_t q = 0; q < m; q++)
            a[p][q] = c->qp.k[i * n + free_of[q]];
        a[p][m] = a[m][p] = 1;
        b[p] = -c->g[i];
        for (size_t j = 0; j < n; j++)
            b[p] += c->qp.k[i * n + j] * (c->x[j] - x[j]);
    }
    b[m] = missing;
    if (!eliminate(a, b, m + 1, t))
        return INFINITY;
    for (size_t p = 0; p < m; p++) {
        size_t i = free_of[p];
        if (t[p] < c->qp.lower[i] - 1e-9 || t[p] > c->qp.upper[i] + 1e-9)
            return INFINITY;
        x[i] = t[p];
    }
    return objective_of(c, x);
}

static double brute_force(const struct case_of *c)
{
    size_t codes = 1;
    double best = INFINITY;
    for (size_t i = 0; i < c->qp.count; i++)
        codes *= 3;
    for (size_t code = 0; code < codes; code++)
        best = fmin(best, optimum_of_active_set(c, code));
    return best;
}

static void check_feasible(const struct case_of *c)
{
    double before = 0, after = 0, size = 0;
    for (size_t i = 0; i < c->qp.count; i++) {
        assert_true(c->qp.x[i] >= c->qp.lower[i] && c->qp.x[i] <= c->qp.upper[i]);
        before += c->x[i];
        after += c->qp.x[i];
        size = fmax(size, c->qp.upper[i] - c->qp.lower[i]);
    }
    assert_true(fabs(after - before) <= 1e-13 * (double)c->qp.count * size); /* rounding of some 1000 steps */
}

static void the_optimum_is_that_of_brute_force_over_active_sets(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double bounds[] = {1e-3, 1, 1e4};
    for (size_t trial = 0; trial < 900; trial++) {
        struct case_of c;
        size_t n = 2 + trial % 4, rank = trial / 4 % 4, equal = trial / 16 % (n + 1);
        draw(&c, rng, n, rank, equal, bounds[trial % 3]);
        double exact = brute_force(&c);
        inner_qp_solve(&c.qp);
        check_feasible(&c);
        double reached = objective_of(&c, c.qp.x), size = fmax(1, fabs(exact));
        if (!(fabs(reached - exact) <= 1e-9 * size)) /* error of pivots of 1e-9 and of the slack in the bounds */
            fail_msg("trial %zu (n %zu, rank %zu, equal %zu): %.15g, brute force %.15g", trial, n, rank, equal,
                     reached, exact);
        free(c.block);
    }
    gsl_rng_free(rng);
}

/* The largest violation of a pair, with recomputed g. */
static double violation(const struct case_of *c)
{
    double up = INFINITY, low = -INFINITY;
    for (size_t i = 0; i < c->qp.count; i++) {
        double g = c->g[i];
        for (size_t j = 0; j < c->qp.count; j++)
            g += c->qp.k[i * c->qp.count + j] * (c->qp.x[j] - c->x[j]);
        if (c->qp.x[i] < c->qp.upper[i])
            up = fmin(up, g);
        if (c->qp.x[i] > c->qp.lower[i])
            low = fmax(low, g);
    }
    return low - up;
}

static void no_pair_violates_at_the_end_of_a_large_block(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const size_t sizes[] = {10, 25, MAX}, ranks[] = {0, 1, 3, 9, 30};
    for (size_t s = 0; s < 3; s++)
        for (size_t r = 0; r < 5; r++)
            for (size_t trial = 0; trial < 20; trial++) {
                struct case_of c;
                draw(&c, rng, sizes[s], ranks[r], trial % 5, trial % 2 ? 1 : 100);
                inner_qp_solve(&c.qp);
                check_feasible(&c);
                /* 1e-12 of the gradient, plus rounding: products of some 60 terms of up to 30 times 100, in some 1000
                 * steps */
                if (!(violation(&c) <= 1e-10))
                    fail_msg("%zu variables, rank %zu, trial %zu: violation %g", sizes[s], ranks[r], trial,
                             violation(&c));
                assert_true(objective_of(&c, c.qp.x) <= 0);
                free(c.block);
            }
    gsl_rng_free(rng);
}

static void an_optimal_point_is_left_as_it_is(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct case_of c;
    draw(&c, rng, 6, 2, 0, 1);
    for (size_t i = 0; i < 6; i++)
        c.qp.g[i] = 0.25;
    inner_qp_solve(&c.qp);
    for (size_t i = 0; i < 6; i++)
        assert_true(c.qp.x[i] == c.x[i]);
    free(c.block);
    gsl_rng_free(rng);
}

/* Gradients that differ by less than the rounding error of the products of K and x: no gain is certain. */
static void violations_within_rounding_are_left_as_they_are(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < 20; trial++) {
        struct case_of c;
        double largest = 0, sum = 0;
        draw(&c, rng, 6, 3, 0, 1e10);
        for (size_t i = 0; i < 6; i++) {
            largest = fmax(largest, c.qp.k[i * 6 + i]);
            sum += fabs(c.x[i]);
        }
        for (size_t i = 0; i < 6; i++)
            c.qp.g[i] = c.g[i] = (i % 2 ? 0.4 : -0.4) * DBL_EPSILON * largest * sum;
        inner_qp_solve(&c.qp);
        assert_memory_equal(c.qp.x, c.x, 6 * sizeof *c.x);
        free(c.block);
    }
    gsl_rng_free(rng);
}

static long double exact_sum(const struct case_of *c)
{
    long double sum = 0;
    for (size_t i = 0; i < c->qp.count; i++)
        sum += c->qp.x[i];
    return sum;
}

/* Points on a line, so most directions have no curvature and steps are long. The problem is solved repeatedly from its
 * last solution, each time with other gradients. */
static void sum_x_stays_what_it_was_to_one_rounding_a_variable(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double bounds[] = {1e4, 1e6};
    for (size_t b = 0; b < 2; b++) {
        struct case_of c;
        draw(&c, rng, MAX, 1, 0, bounds[b]);
        for (int k = 0; k < 100; k++) {
            long double before = exact_sum(&c);
            for (size_t i = 0; i < MAX; i++)
                c.qp.g[i] = 3 * gsl_rng_uniform(rng) - 1.5;
            inner_qp_solve(&c.qp);
            assert_true(fabs((double)(exact_sum(&c) - before)) <= MAX * DBL_EPSILON * bounds[b]);
        }
        free(c.block);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_optimum_is_that_of_brute_force_over_active_sets),
        cmocka_unit_test(no_pair_violates_at_the_end_of_a_large_block),
        cmocka_unit_test(an_optimal_point_is_left_as_it_is),
        cmocka_unit_test(violations_within_rounding_are_left_as_they_are),
        cmocka_unit_test(sum_x_stays_what_it_was_to_one_rounding_a_variable),
    };
    return cmocka_run_group_tests_name("inner_qp", tests, NULL, NULL);
}
