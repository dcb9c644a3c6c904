/*
 * One solver on one problem, iteration by iteration, with every expectation looked at that can be: memory, rows,
 * allocations, constraints, what the solver reports against what its multipliers give (harness/evaluate/judge.h), and
 * the kernel operations of each call.
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
    uint64_t iterations; /* at most */
    double tolerance;    /* of problem.tolerance: that of a stopping rule */
    int need_objective;  /* as the loop sets it */
    int is_long;         /* nonzero: figures are compared at ever longer intervals, and count as drift */
};

/* Runs it. STATUS_BAD_INPUT if the solver refuses the problem, which the board notes; STATUS_NO_MEMORY. */
enum status walk(const struct walk_request *request, struct error *error);

enum { TRAIL_ITERATIONS = 400 };

/* What a run leaves behind: a hash of each iteration's reports and multipliers. */
struct trail {
    size_t count;
    uint64_t hashes[TRAIL_ITERATIONS + 2]; /* the last: multipliers and kernel operations at the end */
};

/* The same run, which only hashes each iteration. `fill` is the byte that the stack holds below the solver's calls. */
enum status walk_trail(const struct walk_request *request, unsigned char fill, struct trail *trail,
                       struct error *error);

/* Notes on the board that a call of the solver begins. */
void walk_enter(struct board *board, enum call call);
/* Whether the machine can hold the state that the solver asks for; if not, the board notes it. */
int walk_state_fits(struct board *board, const struct solver *solver, const struct problem *problem);
/* A copy of the solver that notes each call on the board; one at a time in a process. External solvers are copied as
 * they are. */
struct solver walk_announced(const struct solver *solver, struct board *board);

#endif
