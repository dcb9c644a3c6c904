/* The cost of one variant of a solver relative to another, for instance with and without shrinking. */
#ifndef HULLBENCH_SERIES_RATIOS_H
#define HULLBENCH_SERIES_RATIOS_H

#include "harness/atlas/atlas.h"

/* For one cost at one target. */
struct series_ratio {
    size_t both, first_alone, second_alone, neither; /* problems, by which of the two reach the target */
    struct interval ratio; /* of the second's cost to the first's if both reach it: geometric mean over data sets of the
                              geometric mean over the problems of each */
    size_t cheaper;        /* data sets on which the second costs less */
    size_t datasets;       /* with such problems */
};

struct series_ratios {
    const struct atlas_family *family;
    size_t first, second;
    struct series_ratio *rows; /* ATLAS_COSTS x n_targets; zeroed if one does not count the cost */
};

/* Fills n_series x n_series or fewer of `all` with all pairs of series of one solver that differ in one setting, and
 * those of the options' pairs "A:B" whose series are both in the family. Returns their number. */
size_t series_ratios_of(struct atlas *atlas, const struct atlas_family *family, struct series_ratios *all);

#endif
