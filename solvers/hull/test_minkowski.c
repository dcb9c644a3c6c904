/*
 * minkowski-gsk and minkowski-mu-gsk against a plain version of Gilbert's algorithm (1966) over the Minkowski
 * difference of the two hulls. With V the points P - Q for all extreme points P of the positive and Q of the negative
 * reduced hull,
 *   d = argmin over V of W . d,   lambda = min(1, W . (W - d) / |W - d|^2),   W' = W + lambda (d - W).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/hull/hull.h"
#include "tests/geometry.h"

enum { DIMS = 3, PATTERNS = 12, MAX_EXTREME = 1500, UPDATES = 40 };

struct point {
    double x[DIMS];
};

static double dot(const struct point *a, const struct point *b)
{
    double sum = 0;
    for (int d = 0; d < DIMS; d++)
        sum += a->x[d] * b->x[d];
    return sum;
}

/* a + factor b */
static struct point plus(const struct point *a, double factor, const struct point *b)
{
    struct point sum;
    for (int d = 0; d < DIMS; d++)
        sum.x[d] = a->x[d] + factor * b->x[d];
    return sum;
}

static size_t patterns_of(const struct geometry *g, int class, struct point *patterns)
{
    size_t count = 0;
    for (size_t i = 0; i < g->n; i++)
        if (g->y[i] == class)
            memcpy(patterns[count++].x, g->x + i * DIMS, sizeof patterns->x);
    return count;
}

/* Every mu X_i + mu X_j + (1 - 2 mu) X_k of distinct patterns for mu from 1/3 to 1/2; the patterns themselves for
 * mu = 1. */
static size_t extreme_points(const struct point *patterns, size_t count, double mu, struct point *extreme)
{
    const struct point zero = {{0}};
    size_t n = 0;
    if (mu == 1) {
        memcpy(extreme, patterns, count * sizeof *extreme);
        return count;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            for (size_t k = 0; k < count; k++) {
                if (k == i || k == j)
                    continue;
                struct point sum = plus(&zero, mu, &patterns[i]);
                sum = plus(&sum, mu, &patterns[j]);
                assert_true(n < MAX_EXTREME);
                extreme[n++] = plus(&sum, 1 - 2 * mu, &patterns[k]);
            }
    return n;
}

static struct point barycentre(const struct point *patterns, size_t count)
{
    struct point sum = {{0}};
    for (size_t i = 0; i < count; i++)
        sum = plus(&sum, 1 / (double)count, &patterns[i]);
    return sum;
}

static void gilbert_step(struct point *w, struct point *const *extreme, const size_t *count)
{
    struct point best = {{0}};
    double min = HUGE_VAL;
    for (size_t i = 0; i < count[0]; i++)
        for (size_t j = 0; j < count[1]; j++) {
            struct point difference = plus(&extreme[0][i], -1, &extreme[1][j]);
            if (dot(w, &difference) < min) {
                min = dot(w, &difference);
                best = difference;
            }
        }
    struct point direction = plus(&best, -1, w);
    double lambda = fmin(1, -dot(w, &direction) / dot(&direction, &direction));
    *w = plus(w, lambda, &direction);
}

static void check_against_gilbert(const char *name, double mu, double shift, unsigned long seed)
{
    const struct kernel linear = {.type = KERNEL_LINEAR};
    struct geometry g;
    struct point patterns[PATTERNS], centre[2], *extreme[2];
    size_t count[2];
    geometry_random(&g, PATTERNS, DIMS, shift, seed, &linear);
    parameter_set(&g.problem.parameters, &parameter_mu, mu);
    for (int c = 0; c < 2; c++) {
        size_t members = patterns_of(&g, c ? -1 : 1, patterns);
        assert_non_null(extreme[c] = malloc(MAX_EXTREME * sizeof **extreme));
        count[c] = extreme_points(patterns, members, mu, extreme[c]);
        centre[c] = barycentre(patterns, members);
    }
    struct point w = plus(&centre[0], -1, &centre[1]);
    const struct solver *solver = solver_find(name);
    void *state = geometry_start(&g, solver);
    for (int k = 0; k < UPDATES; k++) {
        struct progress progress = {.need_objective = 1};
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
        if (!(fabs(progress.norm2 - dot(&w, &w)) <=
              1e-10 * dot(&w, &w))) /* rounding of 40 updates, for |W| of order 1 */
            fail_msg("%s, mu %g, seed %lu: |W|^2 is %.17g after %d updates, Gilbert's %.17g", name, mu, seed,
                     progress.norm2, k, dot(&w, &w));
        if (progress.delta <= 1e-9 * progress.norm2)
            break;
        assert_int_equal(solver->update(state, g.oracle), STATUS_OK);
        gilbert_step(&w, extreme, count);
    }
    for (int c = 0; c < 2; c++)
        free(extreme[c]);
    free(state);
    geometry_close(&g);
}

static void minkowski_gsk_is_gilberts_algorithm_on_the_difference_of_the_hulls(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 20; seed++) {
        check_against_gilbert("minkowski-gsk", 1, 3, seed);
        check_against_gilbert("minkowski-mu-gsk", 1, 3, seed);
    }
}

static void minkowski_gsk_is_gilberts_algorithm_on_the_difference_of_reduced_hulls(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 20; seed++) {
        check_against_gilbert("minkowski-mu-gsk", 0.5, 2, seed);
        check_against_gilbert("minkowski-mu-gsk", 0.4, 2, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minkowski_gsk_is_gilberts_algorithm_on_the_difference_of_the_hulls),
        cmocka_unit_test(minkowski_gsk_is_gilberts_algorithm_on_the_difference_of_reduced_hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
