/*
 * Checks what is expected of a solver (docs/verify.md) by running it: on small problems, some of them degenerate, on
 * larger ones and in a long run; at the ends of its parameters' ranges; twice, and at every vector width. The solver
 * runs in a child process: if it crashes or never returns, earlier findings are kept.
 */
#ifndef HULLBENCH_VERIFY_H
#define HULLBENCH_VERIFY_H

#include <stdio.h>

#include "harness/verify/problems.h"

struct verify_request {
    const struct solver *solver;
    const struct cJSON *given; /* an object: the user's values by parameter name */
    const unsigned char *problems; /* LAST_INSTANCE + 1 flags: those to run; NULL: all */
    double patience; /* processor seconds that one call may take */
    const struct simd *simd;
    /* Shows progress; a NULL stage: nothing is to be shown any more. May be NULL. */
    void (*report)(void *context, const char *stage, size_t done, size_t total);
    void *context;
};

/* Runs all stages and prints the table; returns the number of expectations that do not hold. Dies at a parameter that
 * the solver does not have, or a value that it rejects. */
size_t verify(struct pool *pool, const struct verify_request *request, FILE *stream);

#endif
