/*
 * What a solver must not do, and how the loop detects it.
 *
 *   - Its state and its multiplier array lie between guards. The guards are compared after init, after iterations 1, 2,
 *     4, 8, ..., after every CHECK_GUARDS_EVERY, and at the end.
 *   - It gets a copy of the labels, also between guards, which is compared with the labels at the same times. The judge
 *     and other solvers never see what a solver wrote there.
 *   - Rows of the kernel matrix expire (oracle_expire_rows) after init and after each update. If the oracle checks
 *     rows, it lends copies: a write to a row is detected when the row expires.
 *   - Reading an expired row, memory next to a row, or a guard yields a marker (marker.h). The multipliers and the
 *     state are searched for markers: at the end, and if rows are checked also after init and iterations 1, 2, 4, 8,
 *     ... (for a plugin's solver: from SAMPLE_FIRST on).
 *
 * Plugin solvers are always checked, in init, in the first SAMPLE_FIRST iterations and in SAMPLE_LENGTH of every
 * CHECK_GUARDS_EVERY afterwards. This costs little, and a solver that keeps rows keeps some of those. For built-in
 * solvers the project's tests check all rows, and so does a caller that asks for it (oracle_check_rows).
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
    const signed char *y; /* the correct labels */
    int samples_rows; /* nonzero: rows are checked in some iterations */
    int checks_rows;  /* nonzero: in the next iteration */
    char reason[REASON_SIZE]; /* what the solver did wrong; "" if nothing was detected */
};

/* Allocates the state, the multipliers and a copy of the labels, which becomes the problem's; for a plugin's solver the
 * oracle starts to check rows. After STATUS_NO_MEMORY nothing needs closing and the oracle is unchanged. */
enum status solver_checks_open(struct solver_checks *checks, const struct solver *solver, struct problem *problem,
                               struct oracle *oracle, struct error *error);
/* Restores the oracle. */
void solver_checks_close(struct solver_checks *checks);

/* Does the work of solver_checks_pass if a check is due. */
int solver_checks_look(struct solver_checks *checks, uint64_t iterations);

static inline int solver_checks_milestone(uint64_t iterations)
{
    return (iterations & (iterations - 1)) == 0 || iterations % CHECK_GUARDS_EVERY == 0;
}

/* Call after init with 0 iterations, and after each update with the number of updates. Returns zero and sets the reason
 * if the solver has violated its contract. */
static inline int solver_checks_pass(struct solver_checks *checks, uint64_t iterations)
{
    return checks->checks_rows || solver_checks_milestone(iterations) ? solver_checks_look(checks, iterations) : 1;
}

/* For a stalled solver: nonzero if its state contains the address of an expired row. That is allowed if the row is not
 * read, but may explain the stall, because a NaN that is only compared leaves no marker. */
int solver_checks_keeps_row(const struct solver_checks *checks);

/* Makes the final checks. `out` receives the multipliers, or zeros if this returns zero and sets the reason. */
int solver_checks_finish(struct solver_checks *checks, double *out);

#endif
