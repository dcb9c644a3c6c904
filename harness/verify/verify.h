/*
 * What is expected of a solver (docs/verify.md), looked at by running it: on small problems, degenerate ones among
 * them, on larger ones and for long; at the ends of its parameters' ranges; twice, and at every vector width. The
 * solver runs in a child process, which it may crash or keep busy for ever without harm to what was found before.
 */
#ifndef HULLBENCH_VERIFY_H
#define HULLBENCH_VERIFY_H

#include <stdio.h>

#include "harness/verify/board.h"
#include "harness/verify/settings.h"

struct verify_request {
    const struct solver *solver;
    const struct cJSON *given; /* an object: values of the user's by the names of parameters */
    unsigned problem; /* the only one that is run; 0: all */
    const struct simd *simd;
    void (*report)(void *context, const char *stage, size_t done, size_t total); /* may be NULL */
    void *context;
};

/* Runs everything. *board, which the caller has zeroed, gets what was found, *n_settings how many settings of the
 * parameters were run. STATUS_BAD_INPUT: a parameter; STATUS_IO: a process or shared memory was not to be had. */
enum status verify(const struct verify_request *request, struct board *board, size_t *n_settings,
                   struct error *error);

/* Prints the table; returns how many expectations do not hold. */
size_t verify_print(const struct solver *solver, const struct board *board, size_t n_settings, FILE *stream);

#endif
