/* The set of solvers that may be the best, when the best is chosen by the same data. */
#ifndef HULLBENCH_BEST_SET_H
#define HULLBENCH_BEST_SET_H

#include <stddef.h>

struct best_set {
    size_t best, second; /* the lowest mean, and the next among solvers with other costs than the best; `second` is
                            `best` if there is none. Of equal means the first */
    size_t members;      /* solvers that may be the best, 1 or more */
    size_t distinct;     /* number of solvers, counting those with identical costs once */
    double p;            /* adjusted, of the best against the solver where it is largest; 1 with one solver */
};

/* Solver s has costs[s * n + i], for instance logarithms, in block i of n: a data set, independent of the others.
 * member[s] becomes 1 if s may be the best, that is, if the one-sided signed-rank test of the best against s does not
 * reject at `level` (0.05) over (distinct - 1). In each block the costs are finite, or all of them are equal and
 * infinite. solvers >= 1. */
struct best_set best_set_over_blocks(const double *costs, size_t solvers, size_t n, double level,
                                     unsigned char *member);

/* The same over n overlapping splits of one data set, by the corrected resampled t test (resampled_t.h) with
 * test/train = `overlap`. With fewer than `fewest` splits every solver is a member. */
struct best_set best_set_over_splits(const double *costs, size_t solvers, size_t n, size_t fewest, double overlap,
                                     double level, unsigned char *member);

#endif
