/* Small problems for tests, see geometry.h. */
#include "tests/geometry.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset.h"
#include "harness/evaluate/stopping.h"
#include "tests/load_dataset.h"

static void need(const void *pointer)
{
    if (!pointer)
        abort();
}

void geometry_open(struct geometry *geometry, size_t n, size_t dims, const double *x, const signed char *y,
                   const struct kernel *kernel)
{
    memset(geometry, 0, sizeof *geometry);
    geometry->simd = simd_select(NULL);
    geometry->n = n;
    geometry->dims = dims;
    geometry->x = malloc(n * dims * sizeof *x);
    need(geometry->x);
    memcpy(geometry->x, x, n * dims * sizeof *x);
    memcpy(geometry->y, y, n);
    for (size_t i = 0; i < n; i++)
        geometry->rows[i] = i;
    if (points_create(&geometry->points, kernel->type, patterns_dense(geometry->x, n, dims), geometry->rows, n,
                      NULL) != STATUS_OK ||
        gram_create(&geometry->gram, geometry->simd, &geometry->points, (size_t)1 << 28, 0, NULL) != STATUS_OK ||
        oracle_create(&geometry->oracle, geometry->gram, NULL) != STATUS_OK ||
        oracle_check_rows(geometry->oracle, 1, NULL) != STATUS_OK)
        abort();
    gram_set_kernel(geometry->gram, kernel);
    geometry->problem = (struct problem){.n = n, .y = geometry->y};
    geometry->problem.parameters = (struct parameters){0};
    parameter_set(&geometry->problem.parameters, &parameter_mu, 1);
}

void geometry_random(struct geometry *geometry, size_t n, size_t dims, double shift, unsigned long seed,
                     const struct kernel *kernel)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *x = malloc(n * dims * sizeof *x);
    signed char y[MAX_GEOMETRY] = {0};
    need(rng);
    need(x);
    gsl_rng_set(rng, seed);
    for (size_t i = 0; i < n; i++) {
        y[i] = i % 5 == 0 ? 1 : i % 5 == 1 ? -1 : gsl_rng_uniform(rng) < 0.5 ? 1 : -1;
        for (size_t d = 0; d < dims; d++)
            x[i * dims + d] = gsl_ran_gaussian_ratio_method(rng, 1) + (d == 0 ? y[i] * shift : 0);
    }
    geometry_open(geometry, n, dims, x, y, kernel);
    free(x);
    gsl_rng_free(rng);
}

enum status geometry_split(struct geometry *geometry, const char *name, const struct kernel *kernel)
{
    struct dataset *dataset;
    struct error error;
    struct dataset_request request = {.set.name = name, .search_path = getenv("HULLBENCH_DATA"), .want_splits = 1};
    enum status status = load_dataset(&request, &dataset, &error);
    if (status != STATUS_OK)
        return status;
    dataset_standardise(dataset, STANDARDISE_FULL_SET);
    const struct split *split = &dataset->splits[0];
    size_t n = split->n_train < MAX_GEOMETRY ? split->n_train : MAX_GEOMETRY, dims = dataset->patterns.dims;
    double *x = malloc(n * dims * sizeof *x);
    signed char y[MAX_GEOMETRY] = {0};
    need(x);
    for (size_t i = 0; i < n; i++) {
        memcpy(x + i * dims, dataset->patterns.values + split->train[i] * dims, dims * sizeof *x);
        y[i] = dataset->y[split->train[i]];
    }
    geometry_open(geometry, n, dims, x, y, kernel);
    free(x);
    release_dataset(dataset);
    return STATUS_OK;
}

void geometry_close(struct geometry *geometry)
{
    oracle_free(geometry->oracle);
    gram_free(geometry->gram);
    points_free(&geometry->points);
    free(geometry->x);
}

enum stop_rule geometry_rule(const struct solver *solver)
{
    static const enum stop_rule order[] = {STOP_RCH_GAP_BOTH, STOP_KKT, STOP_KKT_RELAXED, STOP_GAP_MAX_NORM2};
    for (size_t r = 0; r < sizeof order / sizeof *order; r++)
        if (solver->stops >> order[r] & 1)
            return order[r];
    return stop_usual(solver).rule;
}

void *geometry_start(struct geometry *geometry, const struct solver *solver)
{
    void *state = simd_doubles(solver->state_size(&geometry->problem) / sizeof(double) + 1);
    need(state);
    oracle_reset(geometry->oracle);
    oracle_set_ridge(geometry->oracle, solver_ridge(solver, &geometry->problem));
    geometry->problem.solver = solver;
    if (solver->init(state, &geometry->problem, geometry->oracle) != STATUS_OK)
        abort();
    oracle_expire_rows(geometry->oracle);
    oracle_set_phase(geometry->oracle, PHASE_ITERATIONS);
    return state;
}
