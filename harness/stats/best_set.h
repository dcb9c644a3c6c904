/* Which of several solvers may be the best, when the best is chosen by looking at the data. */
#ifndef HULLBENCH_BEST_SET_H
#define HULLBENCH_BEST_SET_H

#include <stddef.h>

#include "solvers/error.h"

struct best_set {
    size_t best, second; /* the lowest mean and the next among those whose costs differ from the best's; `second` is
                            `best` where there is no other. Of equal means the first */
    size_t members;      /* solvers that may be the best, 1 or more */
    size_t distinct;     /* solvers, those with the same costs everywhere counted once */
    double p;            /* adjusted, of the best against the one that is hardest to tell from it; 1 with one solver */
};

/* Solver s has costs[s * n + i], logarithms say, in block i of n: a data set, whose costs say nothing of another's.
 * member[s] becomes 1 where s may be the best: where the one-sided signed-rank test of the best against s does not
 * refuse at `level` (0.05) over (distinct - 1). Costs are finite or all infinite ones of a block equal: a NAN is
 * STATUS_BAD_INPUT. solvers >= 1. */
enum status best_set_over_blocks(const double *costs, size_t solvers, size_t n, double level, unsigned char *member,
                                 struct best_set *set, struct error *error);

/* The same over n splits of one data set, which overlap: by the corrected resampled t test (resampled_t.h) with
 * test/train = `overlap`. On fewer than `fewest` splits nothing is refused. */
enum status best_set_over_splits(const double *costs, size_t solvers, size_t n, size_t fewest, double overlap,
                                 double level, unsigned char *member, struct best_set *set, struct error *error);

#endif
