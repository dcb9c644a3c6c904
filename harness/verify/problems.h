/*
 * The problems and the parameter values that verify runs solvers with.
 *
 * Problem k depends only on k, the seed of GSL's mt19937. Problems grow with k, so the first one that shows a fault is
 * among the smallest. The first SMALL_INSTANCES have 2 to MAX_SMALL patterns and cycle through the families. From
 * FIRST_LARGE on they have MAX_INSTANCE and from FIRST_LONG on LONG_SIZE patterns, with no special structure.
 *
 * First each parameter has its default or, if it has none, a value inside its range; then one parameter after the other
 * moves to the ends of its range while the others stay. Parameters that the user sets keep their values. Ends of
 * magnitude 1e6 or more count as infinite: a real parameter uses 1000, or -30, instead.
 */
#ifndef HULLBENCH_PROBLEMS_H
#define HULLBENCH_PROBLEMS_H

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

struct cJSON;

enum { MAX_SETTINGS = 48, SETTING_SIZE = 200 };

struct verify_setting {
    struct parameters parameters;
    char text[SETTING_SIZE]; /* "mu=0.3, selection=free"; "" if the solver has no parameters */
};

/* Fills at most MAX_SETTINGS `settings`, the usual one first, and returns their number. `given`: an object of values by
 * name. Dies at a parameter that the solver does not have, or a value that it rejects. */
size_t settings_make(const struct solver *solver, const struct cJSON *given, struct verify_setting *settings);

/* Describes the problem and the setting: number, family, patterns, kernel, parameters. */
void setting_describe(const struct verify_setting *setting, const struct instance *instance, char *text, size_t size);

/* The problem of an instance with a setting: mu is raised to the smallest with nonempty reduced hulls, 1 / min(N+, N-);
 * for solvers without mu it is 1. */
struct problem setting_problem(const struct verify_setting *setting, const struct solver *solver,
                               const struct instance *instance);

/* The value of a parameter; `otherwise` if the solver does not read it. */
double setting_value(const struct solver *solver, const struct problem *problem, const struct parameter *parameter,
                     double otherwise);

#endif
