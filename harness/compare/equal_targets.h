/* Costs to equal accuracy, from the traces of both runs of each pair. */
#ifndef HULLBENCH_EQUAL_TARGETS_H
#define HULLBENCH_EQUAL_TARGETS_H

#include "harness/compare/accuracy.h"
#include "harness/compare/arms.h"

struct target_cost {
    double iterations, kernel_operations; /* of the iterations */
};

struct equal_targets {
    int used;                        /* nonzero: every pair on which both converged has traces of both runs */
    struct target_cost *costs[ARMS]; /* one for each pair if used, meaningful if both converged; owned */
};

/* Reads the traces of both folders. The target of a pair is the larger of the two gaps (accuracy_gap) at which its runs
 * ended; an arm's cost is that at which its trace first reaches the target. A trace is used only if it ends with the
 * iterations of its record and, to 1 %, with the recomputed gap. STATUS_BAD_INPUT: a damaged trace. */
enum status equal_targets_read(const struct arms *arms, const struct pairing *pairing, enum problems problems,
                               struct equal_targets *targets, struct error *error);
/* Accepts zeroed targets. */
void equal_targets_free(struct equal_targets *targets);

#endif
