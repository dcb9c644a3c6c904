/*
 * Checks what is expected of a solver (docs/verify.md) by running it: on small problems, some of them degenerate, on
 * larger ones and in a long run; at the ends of its parameters' ranges; twice, and at every vector width. The solver
 * runs in a child process: if it crashes or never returns, earlier findings are kept.
 */
#ifndef HULLBENCH_VERIFY_H
#define HULLBENCH_VERIFY_H

#include <stdio.h>

#include "harness/verify/board.h"
#include "harness/verify/settings.h"

struct verify_request {
    const struct solver *solver;
    const struct cJSON *given; /* an object: the user's values by parameter name */
    const unsigned char *problems; /* LAST_INSTANCE + 1 flags: those to run; NULL: all */
    double patience; /* processor seconds that one call may take */
    const struct simd *simd;
    void (*report)(void *context, const char *stage, size_t done, size_t total); /* may be NULL */
    void *context;
};

/* Runs all stages. *board, which the caller has zeroed, receives the results, *n_settings the number of settings.
 * STATUS_BAD_INPUT: a parameter is wrong; STATUS_IO: no process or shared memory could be created. */
enum status verify(const struct verify_request *request, struct board *board, size_t *n_settings,
                   struct error *error);

/* Prints the table; returns the number of expectations that do not hold. */
size_t verify_print(const struct solver *solver, const struct board *board, size_t n_settings, FILE *stream);

#endif
