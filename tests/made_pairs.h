/* Synthetic run folders of two solvers, for the tests of comparisons. */
#ifndef HULLBENCH_MADE_PAIRS_H
#define HULLBENCH_MADE_PAIRS_H

#include "harness/compare/compare.h"

enum { MAX_SETS = 13, MAX_SPLITS = 50 };

/* The work of a solver on a split of a data set. */
struct run_counts {
    double error, vectors, iterations, operations, start_up, seconds, gap; /* error, gap NAN: null */
    double excess; /* amount by which the objective exceeds 1 */
    int at_limit, uncounted, absent;
};

struct world {
    const char *solvers[ARMS];
    size_t sets, splits, train, test;
    double decades; /* if above 0, traces are written in which the gap decreases by this many decades, evenly over
                     * the iterations, to that of the record */
    struct run_counts arm[ARMS][MAX_SETS][MAX_SPLITS];
};

/* Both solvers cost the same up to noise, which is the same in every run of a test, except that the candidate costs
 * `factor` times as much. The solvers are clip-mdm and cycle-clip-mdm. */
struct world world_of(size_t sets, size_t splits, double factor, unsigned noise);

/* The same with the solvers exchanged. */
struct world world_exchanged(const struct world *world);

/* Writes the world's run folder, without a machine for the times if `times` is 0, and compares its solvers with the
 * defaults. */
struct comparison world_compare(struct pool *pool, const struct world *world, int times);

/* cmocka set-up and tear-down: makes and removes the folder. */
int world_set_up(void **state);
int world_tear_down(void **state);

#endif
