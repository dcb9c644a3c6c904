/*
 * Runs one solver on one problem, iteration by iteration, and checks every expectation that it can: memory, rows,
 * allocations, constraints, the solver's reports against its multipliers (harness/evaluate/judge.h), and the kernel
 * operations of each call.
 */
#ifndef HULLBENCH_WALK_H
#define HULLBENCH_WALK_H

#include "harness/verify/board.h"
#include "harness/verify/settings.h"

struct walk_request {
    const struct solver *solver;
    struct instance *instance;
    const struct verify_setting *setting;
    struct board *board;
    uint64_t iterations; /* maximum */
    double tolerance;    /* of problem.tolerance: that of a stopping rule */
    int need_objective;  /* as the loop sets it */
    int is_long;         /* nonzero: compare values at ever longer intervals, and count differences as drift */
};

/* Runs it. STATUS_BAD_INPUT if the solver rejects the problem, which the board notes; STATUS_NO_MEMORY. */
enum status walk(const struct walk_request *request, struct error *error);

enum { TRAIL_ITERATIONS = 400 };

/* The trail of a run: a hash of each iteration's reports and multipliers. */
struct trail {
    size_t count;
    uint64_t hashes[TRAIL_ITERATIONS + 2]; /* the last: multipliers and kernel operations at the end */
};

/* The same run, but only with hashes. `fill` is the byte in the stack below the solver's calls. */
enum status walk_trail(const struct walk_request *request, unsigned char fill, struct trail *trail,
                       struct error *error);

/* Notes on the board that a call of the solver begins. */
void walk_enter(struct board *board, enum call call);
/* Nonzero if the machine can hold the state that the solver requests; otherwise the board notes it. */
int walk_state_fits(struct board *board, const struct solver *solver, const struct problem *problem);
/* A copy of the solver that notes each call on the board; one at a time per process. External solvers are copied
 * unchanged. */
struct solver walk_announced(const struct solver *solver, struct board *board);

#endif
