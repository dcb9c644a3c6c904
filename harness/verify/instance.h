/*
 * The problems that verify runs solvers on. Problem k depends only on k, the seed of GSL's mt19937. Problems grow with
 * k, so the first one that shows a fault is among the smallest. The first SMALL_INSTANCES have 2 to MAX_SMALL patterns
 * and cycle through the families. From FIRST_LARGE on they have MAX_INSTANCE and from FIRST_LONG on LONG_SIZE patterns,
 * with no special structure.
 */
#ifndef HULLBENCH_INSTANCE_H
#define HULLBENCH_INSTANCE_H

#include "harness/base/pool.h"
#include "solvers/solver.h"

enum {
    SMALL_INSTANCES = 200,
    FIRST_LARGE = 201,
    FIRST_LONG = 251,
    LAST_INSTANCE = 300,
    MAX_SMALL = 30,
    MAX_INSTANCE = 120,
    LONG_SIZE = 40,
    MAX_INSTANCE_DIMS = 3
};

struct instance {
    unsigned number;
    const char *family;
    size_t n, dims;
    struct kernel kernel;
    signed char y[MAX_INSTANCE];
    double x[MAX_INSTANCE * MAX_INSTANCE_DIMS];
    size_t rows[MAX_INSTANCE];
    struct points points;
    struct gram *gram;
    struct oracle *oracle; /* checks rows; these three are released with the pool */
};

/* Generates problem `number`, from 1, for loops of one vector width. */
struct instance *instance_new(struct pool *pool, unsigned number, const struct simd *simd);
/* Describes the problem: number, family, patterns and kernel. */
void instance_describe(const struct instance *instance, char *text, size_t size);
/* 1 / min(N+, N-), the smallest mu with nonempty reduced hulls. */
double instance_least_mu(const struct instance *instance);

#endif
