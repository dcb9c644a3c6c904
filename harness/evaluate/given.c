/* Hands out multipliers. */
#include "harness/evaluate/given.h"

#include <string.h>

static enum status hand_out(const struct problem *problem, const struct points *patterns, const struct kernel *kernel,
                            double *alpha, uint64_t *iterations)
{
    const struct given *given = (const struct given *)problem->solver;
    (void)patterns, (void)kernel;
    *iterations = 0;
    if (given->n != problem->n)
        return error_set(problem->error, STATUS_BAD_INPUT, "%zu multipliers; expected: %zu, one for each pattern",
                         given->n, problem->n);
    memcpy(alpha, given->alpha, given->n * sizeof *alpha);
    return STATUS_OK;
}

struct given given_solver(enum formulation formulation, int square_penalty, const double *alpha, size_t n)
{
    return (struct given){.solver = {.name = "given",
                                     .title = "multipliers from elsewhere",
                                     .reference = "none",
                                     .formulation = formulation,
                                     .square_penalty = square_penalty,
                                     .stops = 1u << STOP_KKT, /* formally: nothing stops it */
                                     .solve_external = hand_out},
                          .alpha = alpha,
                          .n = n};
}
