/*
 * Checks what is expected of a solver (docs/verify.md) by running it: on small problems, some of them degenerate, on
 * larger ones and in a long run; at the ends of its parameters' ranges; twice, and at every vector width. The solver
 * runs in a child process: if it crashes or never returns, earlier findings are kept.
 *
 * Problem k depends only on k, the seed of GSL's mt19937. Problems grow with k, so the first one that shows a fault is
 * among the smallest. The first SMALL_INSTANCES have 2 to MAX_SMALL patterns and cycle through the families. From
 * FIRST_LARGE on they have MAX_INSTANCE and from FIRST_LONG on LONG_SIZE patterns, with no special structure.
 *
 * First each parameter has its default or, if it has none, a value inside its range; then one parameter after the other
 * moves to the ends of its range while the others stay. Parameters that the user sets keep their values. Ends of
 * magnitude 1e6 or more count as infinite: a real parameter uses 1000, or -30, instead.
 */
#ifndef HULLBENCH_VERIFY_H
#define HULLBENCH_VERIFY_H

#include "harness/base/pool.h"
#include "harness/base/terminal.h"
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

struct verify_request {
    const struct solver *solver;
    const struct cJSON *given; /* an object: the user's values by parameter name */
    const size_t *problems; /* n_problems numbers of those to run; NULL: all */
    size_t n_problems;
    double patience; /* processor seconds that one call may take */
    const struct simd *simd;
    progress_report *report; /* of each stage; may be NULL */
    void *context;
};

/* Runs all stages and prints the table; returns the number of expectations that do not hold. Dies at a parameter that
 * the solver does not have, or a value that it rejects. */
size_t verify(struct pool *pool, const struct verify_request *request, FILE *stream);

#endif
