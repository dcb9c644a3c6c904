/*
 * Checks what is expected of a solver (docs/verify.md) by running it: on small problems, degenerate ones among them, on
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
    const struct cJSON *given; /* an object: the user's values, by the names of parameters */
    unsigned problem; /* the only one that is run; 0: all */
    const struct simd *simd;
    void (*report)(void *context, const char *stage, size_t done, size_t total); /* may be NULL */
    void *context;
};

/* Runs everything. *board, which the caller has zeroed, gets what was found, *n_settings how many settings of the
 * parameters were run. STATUS_BAD_INPUT: a parameter is wrong; STATUS_IO: no process or shared memory could be
 * created. */
enum status verify(const struct verify_request *request, struct board *board, size_t *n_settings,
                   struct error *error);

/* Prints the table; returns how many expectations do not hold. */
size_t verify_print(const struct solver *solver, const struct board *board, size_t n_settings, FILE *stream);

#endif
