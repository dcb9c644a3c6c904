/*
 * Runs one solver on one problem, iteration by iteration, and checks every expectation that it can: memory, rows,
 * allocations, constraints, the solver's reports against its multipliers (harness/evaluate/judge.h), and the kernel
 * operations of each call.
 */
#ifndef HULLBENCH_TRACE_SOLVER_H
#define HULLBENCH_TRACE_SOLVER_H

#include "harness/verify/check_results.h"
#include "harness/verify/problems.h"

enum { HASHED_ITERATIONS = 400 };

/* A hash of the reports and multipliers of each iteration. */
struct trace_hashes {
    size_t count;
    uint64_t item[HASHED_ITERATIONS];
};

struct trace_request {
    const struct solver *solver;
    struct instance *instance;
    const struct verify_setting *setting;
    struct check_results *results;
    uint64_t iterations; /* maximum */
    double tolerance;    /* of problem.tolerance: that of a stopping rule */
    int need_objective;  /* as the loop sets it */
    int is_long;         /* nonzero: compare values at ever longer intervals, and count differences as drift */
    struct trace_hashes *hashes; /* NULL, or what is made instead of the checks, of at most HASHED_ITERATIONS */
    unsigned char fill;          /* for hashes: the byte in the stack below the solver's calls */
};

/* Runs it. Returns zero if the solver rejects the problem; the results then say so. */
int trace_solver(const struct trace_request *request);

/* Labels of a traced run lie next to unreadable pages: a solver that reads labels outside of their array gets a SIGSEGV
 * there. Markers (solvers/kernel/marker.h) cannot detect such a read, which leaves no trace. The array ends at the end
 * of its page, or begins at its beginning; every read up to FENCE_BYTES beyond that end is detected. The memory beyond
 * the other end holds zeros, which are not labels. */
enum { FENCE_BYTES = 1 << 16 };
/* Nonzero if these make the address unreadable; *index is the index of the label that would be there. */
int fence_keeps(const void *address, ptrdiff_t *index);

/* Nonzero if the machine can hold the state that the solver requests; otherwise the results say so. */
int state_fits(struct check_results *results, const struct solver *solver, const struct problem *problem);
/* A copy of the solver that notes each call in the results; one at a time per process. Notes that a run begins.
 * External solvers are copied unchanged. */
struct solver announced_copy(const struct solver *solver, struct check_results *results);

/* Zero if none of the declared costs (struct kernel_cost) matches a count of kernel operations: `usual`, or one of
 * `further`, which may be NULL. The problem has the parameters that the solver runs with. */
int cost_admits(const struct kernel_cost *usual, const struct kernel_cost *further, const struct solver *solver,
                const struct problem *problem, uint64_t count);
/* Describes the costs: "2N = 60, or at most N^2 + 2N = 960". */
void cost_describe(const struct kernel_cost *usual, const struct kernel_cost *further, const struct solver *solver,
                   const struct problem *problem, char *text, size_t size);

#endif
