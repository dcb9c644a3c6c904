/* Made-up run folders of two solvers, for the tests of comparisons. */
#ifndef HULLBENCH_MADE_PAIRS_H
#define HULLBENCH_MADE_PAIRS_H

#include "harness/compare/compare.h"

enum { MAX_SETS = 9, MAX_SPLITS = 50 };

/* What both solvers did on a split of a data set. */
struct run_counts {
    double error, vectors, iterations, operations, start_up, seconds, gap;
    int at_limit, uncounted;
};

struct world {
    size_t sets, splits, train, test;
    struct run_counts arm[ARMS][MAX_SETS][MAX_SPLITS];
};

/* Both cost alike but for noise, which is the same in every run of a test; the candidate `factor` times as much. */
struct world world_of(size_t sets, size_t splits, double factor, unsigned noise);

/* Writes the world's run folder, without a machine to have taken times where `times` is 0, and compares its solvers,
 * clip-mdm and cycle-clip-mdm, with a gap factor of 3. */
enum status world_compare(const struct world *world, int times, int same_accuracy, struct comparison *comparison,
                          struct error *error);

/* For cmocka: the folder, made and removed. */
int world_set_up(void **state);
int world_tear_down(void **state);

#endif
