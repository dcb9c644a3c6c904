/*
 * Runs one solver on one problem, iteration by iteration, and checks every expectation that it can: memory, rows,
 * allocations, constraints, the solver's reports against its multipliers (harness/evaluate/judge.h), and the kernel
 * operations of each call.
 */
#ifndef HULLBENCH_TRACE_SOLVER_H
#define HULLBENCH_TRACE_SOLVER_H

#include "harness/verify/check_results.h"
#include "harness/verify/settings.h"

struct trace_request {
    const struct solver *solver;
    struct instance *instance;
    const struct verify_setting *setting;
    struct check_results *results;
    uint64_t iterations; /* maximum */
    double tolerance;    /* of problem.tolerance: that of a stopping rule */
    int need_objective;  /* as the loop sets it */
    int is_long;         /* nonzero: compare values at ever longer intervals, and count differences as drift */
};

/* Runs it. If the solver rejects the problem, the results say so. */
void trace_solver(const struct trace_request *request);

enum { HASHED_ITERATIONS = 400 };

/* A hash of the reports and multipliers of each iteration. */
struct trace_hashes {
    size_t count;
    uint64_t item[HASHED_ITERATIONS];
};

/* The same run, but only with hashes. `fill` is the byte in the stack below the solver's calls. Zero if the solver
 * rejects the problem. */
int hash_trace(const struct trace_request *request, unsigned char fill, struct trace_hashes *hashes);

/* Notes in the results that a call of the solver begins. */
void enter_call(struct check_results *results, enum call call);
/* Nonzero if the machine can hold the state that the solver requests; otherwise the results say so. */
int state_fits(struct check_results *results, const struct solver *solver, const struct problem *problem);
/* A copy of the solver that notes each call in the results; one at a time per process. External solvers are copied
 * unchanged. */
struct solver announced_copy(const struct solver *solver, struct check_results *results);

#endif
