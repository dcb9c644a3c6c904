/*
 * The rule that solves users' files if none is given: a nearest-point or minimum norm solver that reports convergence
 * has a duality gap, computed here in long double from the patterns and the multipliers, of at most the requested
 * fraction of |W|^2.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/library/hullbench.h"
#include "solvers/solver.h"
#include "tests/all_tests.h"
#include "tests/tested_solvers.h"

enum { N = 60, DIMS = 3 };

static const double width = 4, c = 10, nu = 0.4;

/* Two Gaussian clouds whose means are `apart` from each other, and multipliers. */
struct clouds {
    double x[N * DIMS], alpha[N];
    int y[N];
    size_t min; /* patterns of the smaller class */
};

static struct clouds draw(double apart, unsigned long seed)
{
    struct clouds clouds = {.min = 0};
    size_t positive = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    for (size_t i = 0; i < N; i++) {
        clouds.y[i] = i % 5 == 0 || gsl_rng_uniform(rng) < 0.2 ? 1 : -1;
        positive += clouds.y[i] > 0;
        for (size_t d = 0; d < DIMS; d++)
            clouds.x[i * DIMS + d] = gsl_ran_gaussian_ratio_method(rng, 1) + (d == 0 ? clouds.y[i] * apart / 2 : 0);
    }
    clouds.min = positive < N - positive ? positive : N - positive;
    gsl_rng_free(rng);
    return clouds;
}

static int ascending(const void *a, const void *b)
{
    long double x = *(const long double *)a, y = *(const long double *)b;
    return (x > y) - (x < y);
}

/* The smallest convex combination of v with weights of at most `bound`. */
static long double mixture(long double *v, size_t count, long double bound)
{
    long double left = 1, sum = 0;
    qsort(v, count, sizeof *v, ascending);
    for (size_t k = 0; k < count && left > 0; k++) {
        long double weight = left < bound ? left : bound;
        sum += weight * v[k];
        left -= weight;
    }
    return sum;
}

static long double kernel_value(const struct clouds *clouds, size_t i, size_t j, long double added, long double ridge)
{
    long double distance = 0;
    for (size_t d = 0; d < DIMS; d++) {
        long double difference = (long double)clouds->x[i * DIMS + d] - clouds->x[j * DIMS + d];
        distance += difference * difference;
    }
    return expl(-distance / width) + added + (i == j ? ridge : 0);
}

/* The duality gap over |W|^2; `bound` is the largest weight. Minimum norm: all patterns y (X, 1) form one class. */
static double relative_gap(const struct clouds *clouds, const struct solver *solver, long double bound)
{
    int norm = solver->formulation == FORMULATION_MINIMUM_NORM;
    long double u[N], norm2 = 0, min = 0, ridge = solver->square_penalty ? 1 / (long double)c : 0;
    for (size_t j = 0; j < N; j++) {
        u[j] = 0;
        for (size_t i = 0; i < N; i++)
            u[j] += clouds->alpha[i] * clouds->y[i] * clouds->y[j] * kernel_value(clouds, i, j, norm ? 1 : 0, ridge);
        norm2 += clouds->alpha[j] * u[j];
    }
    for (int class = 1; class >= -1; class -= 2) {
        long double v[N] = {0};
        size_t count = 0;
        for (size_t j = 0; j < N; j++)
            if (norm || clouds->y[j] == class)
                v[count++] = u[j];
        min += mixture(v, count, bound) * (norm ? 0.5L : 1);
    }
    return (double)((norm2 - min) / norm2);
}

static const char *parameters_of(const struct solver *solver, double mu, char *text, size_t size)
{
    int n = 0;
    if (solver_reads(solver, &parameter_mu))
        n = snprintf(text, size, "mu=%.17g", mu);
    else if (solver_reads(solver, &parameter_c))
        n = snprintf(text, size, "C=%g", c);
    else if (solver_reads(solver, &parameter_nu))
        n = snprintf(text, size, "nu=%g,forgetting=equivalent", nu);
    return n ? text : NULL;
}

static double bound_of(const struct solver *solver, const struct hullbench_result *result)
{
    if (solver_reads(solver, &parameter_nu))
        return 1 / floor(nu * N + 0.5);
    return isnan(result->mu) ? 1 : result->mu;
}

/* Nonzero if the solver converged. */
static int check(struct clouds *clouds, const struct solver *solver, double mu, double tolerance)
{
    char text[64], message[256];
    struct hullbench_result result;
    const struct hullbench_problem problem = {.n = N,
                                              .dims = DIMS,
                                              .x = clouds->x,
                                              .y = clouds->y,
                                              .solver = solver->name,
                                              .parameters = parameters_of(solver, mu, text, sizeof text),
                                              .kernel = "rbf,width=4",
                                              .tolerance = tolerance,
                                              .iterations = 20000};
    assert_int_equal(hullbench_train(&problem, clouds->alpha, &result, message, sizeof message), HULLBENCH_OK);
    if (strcmp(result.outcome, "converged") != 0)
        return 0;
    double gap = relative_gap(clouds, solver, bound_of(solver, &result));
    if (!(gap <= tolerance * (1 + 2e-6)))
        fail_msg("%s at mu %g says converged with a gap of %g |W|^2; asked for: %g", solver->name, mu, gap, tolerance);
    return 1;
}

static void what_is_finished_by_the_usual_rule_is_within_the_gap_asked_for(void **state)
{
    static const double apart[] = {0.3, 1, 2, 4};
    const unsigned long seeds = all_tests() ? 2 : 1;
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        size_t converged = 0, problems = 0;
        const int shares = solver_reads(*at, &parameter_mu) ? 3 : 1;
        if ((*at)->formulation != FORMULATION_NEAREST_POINTS && (*at)->formulation != FORMULATION_MINIMUM_NORM)
            continue;
        for (size_t a = 0; a < sizeof apart / sizeof *apart; a++)
            for (unsigned long seed = 1; seed <= seeds; seed++)
                for (int share = 0; share < shares; share++) {
                    struct clouds clouds = draw(apart[a], seed);
                    double floor = 1 / (double)clouds.min, mu = share == 0 ? 1.1 * floor : share == 1 ? 3 * floor : 1;
                    converged += (size_t)check(&clouds, *at, fmin(mu, 1), 1e-2);
                    converged += (size_t)check(&clouds, *at, fmin(mu, 1), 1e-3);
                    problems += 2;
                }
        if (converged == 0)
            fail_msg("%s converged on none of %zu problems", (*at)->name, problems);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_finished_by_the_usual_rule_is_within_the_gap_asked_for),
    };
    return cmocka_run_group_tests_name("the usual rule", tests, NULL, NULL);
}
