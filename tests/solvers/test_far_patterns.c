/*
 * Ordinary data far from the origin, with large C: what rounding hides from the judge's bounds, more exact sums find.
 * No run stalls because rounding hides whether the rule is met, and each converged run is within its tolerance of the
 * optimum. Its dual value is computed with 113 bits from the patterns, and compared with the primal value of the best
 * plane along W, and, if that does not tell, with the optimum (tests/exact_optimum.h) of up to 32 patterns.
 *
 * With HULLBENCH_TESTS=all it runs 5 000 problems, otherwise every 41st of them.
 */
#include <float.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/run/unit.h"
#include "solvers/registry.h"
#include "tests/all_tests.h"
#include "tests/exact_optimum.h"

enum { MANY = 120, MAX_DIMS = 10, RUNS = 5000, QUICK_STEP = 41, BUDGET = 300000 };

static const struct {
    struct kernel kernel;
    double farthest, largest; /* mean of the features; C */
} kernels[] = {
    {{.type = KERNEL_LINEAR}, 1e4, 1e6},
    {{.type = KERNEL_LINEAR}, 1e4, 1e6},
    {{.type = KERNEL_POLYNOMIAL, .scale = 0.1, .offset = 1, .degree = 2}, 100, 1e6},
    {{.type = KERNEL_POLYNOMIAL, .scale = 0.1, .offset = 1, .degree = 3}, 10, 1e6},
    {{.type = KERNEL_RBF, .width = 4}, 1e4, 1e6},
};
static const double means[] = {0, 1, 10, 50, 100, 1e3, 1e4}, penalties[] = {0.1, 1, 10, 1e3, 1e4, 1e6},
                    tolerances[] = {1e-3, 1e-6};
#define COUNT(array) (sizeof(array) / sizeof *(array))

struct world {
    struct dataset dataset;
    struct split split;
    struct kernel kernel;
    double x[MANY * MAX_DIMS], mean, c, tolerance;
    signed char y[MANY];
    char name[160];
    size_t rows[MANY];
    struct problem problem;
    const struct solver *solver;
    struct job_result result;
    double alpha[MANY];
    quad k[MANY][MANY];
};

/* ---- a problem ---- */

/* Features of mean `mean` and deviation 1; labels by a noisy plane, by none, or with a margin. Some are rounded to
 * tenths, which leaves ties and duplicates. */
static void draw(struct world *world, size_t n, size_t dims, gsl_rng *rng)
{
    const unsigned kind = (unsigned)gsl_rng_uniform_int(rng, 3), is_rounded = gsl_rng_uniform(rng) < 0.3;
    double w[MAX_DIMS];
    for (size_t d = 0; d < dims; d++)
        w[d] = gsl_ran_gaussian_ratio_method(rng, 1);
    for (size_t i = 0; i < n; i++) {
        double along = 0, length = 0, *x = world->x + i * dims;
        for (size_t d = 0; d < dims; d++) {
            x[d] = gsl_ran_gaussian_ratio_method(rng, 1);
            along += w[d] * x[d];
            length += w[d] * w[d];
        }
        const double noise = kind == 0 ? 0 : kind == 1 ? 0.5 : 3, at = along / sqrt(length);
        const int y = i < 2 ? (i ? 1 : -1) : at + noise * gsl_ran_gaussian_ratio_method(rng, 1) > 0 ? 1 : -1;
        for (size_t d = 0; d < dims; d++) {
            x[d] += world->mean + (kind == 0 ? 0.3 * (y > 0 ? 1 : -1) * w[d] / sqrt(length) : 0);
            x[d] = is_rounded ? round(10 * x[d]) / 10 : x[d];
        }
        world->y[i] = (signed char)y;
        world->rows[i] = i;
    }
}

static void open_world(struct world *world, unsigned run)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, run + 1);
    const size_t kind = run % COUNT(kernels), n = gsl_rng_uniform(rng) < 0.5 ? 30 : MANY,
                 dims = 1 + gsl_rng_uniform_int(rng, MAX_DIMS);
    memset(world, 0, sizeof *world);
    world->kernel = kernels[kind].kernel;
    world->mean = fmin(means[gsl_rng_uniform_int(rng, COUNT(means))], kernels[kind].farthest);
    world->c = fmin(penalties[gsl_rng_uniform_int(rng, COUNT(penalties))], kernels[kind].largest);
    world->tolerance = tolerances[gsl_rng_uniform_int(rng, COUNT(tolerances))];
    world->solver = solver_find(gsl_rng_uniform(rng) < 0.5 ? "packed-smo" : "packed-second-order-smo");
    assert_non_null(world->solver);
    draw(world, n, dims, rng);
    world->split = (struct split){.number = 1, .n_train = n, .n_test = 2, .train = world->rows, .test = world->rows};
    world->dataset = (struct dataset){.name = world->name,
                                      .patterns = {.rows = n, .dims = dims, .values = world->x},
                                      .y = world->y,
                                      .n_splits = 1,
                                      .splits = &world->split};
    world->problem = (struct problem){.n = n, .y = world->y};
    parameter_set(&world->problem.parameters, &parameter_c, world->c);
    snprintf(world->name, sizeof world->name, "run %u: %s, kernel %zu, n %zu, d %zu, mean %g, C %g, eps %g", run,
             world->solver->name, kind, n, dims, world->mean, world->c, world->tolerance);
    gsl_rng_free(rng);
}

static void solve_world(struct world *world)
{
    struct config_solver entry = {
        .solver = world->solver, .stop_rule = STOP_DUALITY_GAP, .budget = {.iterations = BUDGET}};
    struct config config = {.solvers = &entry, .n_solvers = 1, .support_threshold = 1e-6};
    struct job job = {.kernel = world->kernel, .parameters = world->problem.parameters,
                      .stop = {STOP_DUALITY_GAP, world->tolerance}};
    struct pool *pool = pool_new();
    struct split_session *unit =
        unit_open(pool, simd_select(NULL), &world->dataset, 0, world->kernel.type, 1 << 20, 0);
    unit_run_job(unit, &config, &job, NULL, NULL, &world->result);
    memcpy(world->alpha, session_alpha(unit->session), world->problem.n * sizeof *world->alpha);
    pool_free(pool);
}

/* ---- the true gap ---- */

static void find_kernel(struct world *world)
{
    const size_t n = world->problem.n, dims = world->dataset.patterns.dims;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            world->k[i][j] = exact_kernel(&world->kernel, dims, world->x + i * dims, world->x + j * dims, j);
}

/* C sum xi of the plane scale f + b at the best b, which is a kink. */
static quad least_loss(const struct world *world, const quad *f, quad scale)
{
    quad least = (quad)HUGE_VAL;
    for (size_t k = 0; k < world->problem.n; k++) {
        quad b = world->y[k] - scale * f[k], loss = 0;
        for (size_t j = 0; j < world->problem.n && loss < least; j++)
            loss += quad_max(0, 1 - world->y[j] * (scale * f[j] + b));
        least = quad_min(least, loss);
    }
    return (quad)world->c * least;
}

/* The least primal value along W by thirds: it is convex in the scale. */
static quad best_scale(const struct world *world, const quad *f, quad norm2)
{
    quad low = (quad)0.9, high = (quad)1.2, a, b;
    for (int step = 0; step < 100; step++) {
        a = low + (high - low) / 3;
        b = high - (high - low) / 3;
        if (a * a * norm2 / 2 + least_loss(world, f, a) < b * b * norm2 / 2 + least_loss(world, f, b))
            high = b;
        else
            low = a;
    }
    return low * low * norm2 / 2 + least_loss(world, f, low);
}

/* The dual value, and the least primal value found along W. */
static void true_values(const struct world *world, quad *dual, quad *primal)
{
    quad f[MANY] = {0}, norm2 = 0, sum = 0;
    const size_t n = world->problem.n;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            f[j] += world->alpha[i] * world->y[i] * (world->k[i][j] - world->k[i][0]);
    for (size_t j = 0; j < n; j++) {
        sum += world->alpha[j];
        norm2 += world->alpha[j] * world->y[j] * f[j];
    }
    *dual = sum - norm2 / 2;
    *primal = norm2 / 2 + least_loss(world, f, 1);
    if (*primal - *dual > (quad)world->tolerance * *dual)
        *primal = best_scale(world, f, norm2);
}

/* Whether D is within the tolerance of the optimum. */
static int is_right(struct world *world)
{
    quad dual, primal;
    find_kernel(world);
    true_values(world, &dual, &primal);
    if (primal - dual <= (quad)world->tolerance * dual)
        return 1;
    if (world->problem.n > MAX_QP)
        return 0;
    static struct exact_problem exact;
    static struct exact_optimum optimum;
    static quad k[MAX_QP][MAX_QP];
    for (size_t i = 0; i < world->problem.n; i++)
        for (size_t j = 0; j < world->problem.n; j++)
            k[i][j] = world->k[i][j];
    exact_problem_set(&exact, world->solver, &world->problem, k);
    return exact_optimum_find(&exact, &optimum) && -optimum.min - dual <= (quad)world->tolerance * dual;
}

static void no_run_stalls_and_every_certificate_holds(void **state)
{
    (void)state;
    static struct world world;
    size_t count[OUTCOMES] = {0}, wrong = 0, hidden = 0;
    for (unsigned run = 0; run < RUNS; run += all_tests() ? 1 : QUICK_STEP) {
        open_world(&world, run);
        solve_world(&world);
        const struct solution *solution = &world.result.solution;
        count[solution->outcome]++;
        const size_t is_hidden = solution->outcome == OUTCOME_STALLED && *solution->reason;
        hidden += is_hidden;
        if (is_hidden || solution->outcome == OUTCOME_FAILED)
            print_message("%s: %s: %s\n", world.name, outcome_name(solution->outcome), solution->reason);
        if (solution->outcome == OUTCOME_CONVERGED && !is_right(&world)) {
            print_message("%s: converged, but is not within the tolerance\n", world.name);
            wrong++;
        }
    }
    print_message("%zu converged, %zu out of iterations, %zu at the solver's precision, %zu hidden by rounding\n",
                  count[OUTCOME_CONVERGED], count[OUTCOME_ITERATION_LIMIT], count[OUTCOME_STALLED] - hidden, hidden);
    assert_int_equal(wrong, 0);
    assert_int_equal(hidden, 0);
    assert_int_equal(count[OUTCOME_FAILED], 0);
    assert_true(count[OUTCOME_CONVERGED] > 3 * (count[OUTCOME_ITERATION_LIMIT] + count[OUTCOME_STALLED]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_run_stalls_and_every_certificate_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
