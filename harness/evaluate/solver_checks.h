/*
 * What a solver may not do, and how the loop notices it.
 *
 *   - Its state and the array that gets its multipliers stand between guards. They are compared after init, after
 *     iterations 1, 2, 4, 8, ..., after every CHECK_GUARDS_EVERY, and at the end.
 *   - It gets a copy of the labels, between guards too, which is compared with the labels when the guards are. The
 *   judge and
 *     other solvers never see what a solver wrote there.
 *   - Rows of the kernel matrix expire (oracle_expire_rows) after init and after each update. Where the oracle checks
 *     rows, it lends copies: a row that was written into is noticed when it expires.
 *   - What was read from an expired row, from beside a row or from a guard is a marker (marker.h), which is looked for
 *     in the multipliers and in the state: at the end, and where rows are checked also after init and iterations 1, 2,
 *     4, 8, ... (with the solver of a plugin: from SAMPLE_FIRST on).
 *
 * The solvers of plugins are checked without being asked, in init, in the first SAMPLE_FIRST iterations and in
 * SAMPLE_LENGTH of every CHECK_GUARDS_EVERY from then on, which costs little: a solver that keeps rows keeps some of
 * those. Built-in solvers are run with all rows checked by the project's tests, and where the caller says so
 * (oracle_check_rows).
 */
#ifndef HULLBENCH_SOLVER_CHECKS_H
#define HULLBENCH_SOLVER_CHECKS_H

#include "harness/evaluate/guarded_block.h"
#include "harness/evaluate/solve.h"

enum { CHECK_GUARDS_EVERY = 1024, SAMPLE_FIRST = 32, SAMPLE_LENGTH = 8 };

struct solver_checks {
    const struct solver *solver;
    struct oracle *oracle;
    struct guarded_block state, alpha, labels;
    const signed char *y; /* what the labels have to be */
    int samples_rows; /* nonzero: rows are checked in some iterations */
    int checks_rows;  /* nonzero: in the iteration that follows */
    char reason[REASON_SIZE]; /* what the solver did that it may not; "" as long as nothing was noticed */
};

/* Memory for the state and the multipliers, and a copy of the labels, which becomes the problem's; with a plugin's
 * solver the oracle begins to check rows. STATUS_NO_MEMORY: there is nothing to close, and the oracle is left as it was
 * before. */
enum status solver_checks_open(struct solver_checks *checks, const struct solver *solver, struct problem *problem,
                               struct oracle *oracle, struct error *error);
/* The oracle is left as it was before. */
void solver_checks_close(struct solver_checks *checks);

/* solver_checks_pass where something is due. */
int solver_checks_look(struct solver_checks *checks, uint64_t iterations);

static inline int solver_checks_milestone(uint64_t iterations)
{
    return (iterations & (iterations - 1)) == 0 || iterations % CHECK_GUARDS_EVERY == 0;
}

/* After init, with 0, and after each update, with the number of updates done. Zero, with the reason, where the solver
 * has done what it may not. */
static inline int solver_checks_pass(struct solver_checks *checks, uint64_t iterations)
{
    return checks->checks_rows || solver_checks_milestone(iterations) ? solver_checks_look(checks, iterations) : 1;
}

/* For a solver that has stalled: nonzero when its state holds the address of a row, which has expired. That is no fault
 * as long as the row is not read, but may be why it stalled: a NaN that is only compared leaves no marker. */
int solver_checks_keeps_row(const struct solver_checks *checks);

/* The last look, and the multipliers: out gets them, or, where this returns zero with the reason, zeros. */
int solver_checks_finish(struct solver_checks *checks, double *out);

#endif
