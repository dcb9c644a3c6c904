/*
 * Joint tests of all cells of a table or a paper: whether more of them are rejected than chance explains, given that
 * the cells of one data set rest on the same splits and so fail together.
 */
#ifndef HULLBENCH_JOINT_H
#define HULLBENCH_JOINT_H

#include "harness/papers/reproduction.h"

/* `outside` of `cells` tests at 99 % reject. Resampling gives the number `expected` for identical experiments, and
 * p_value is the chance of at least as many. Without cells, expected is 0 and p_value is NaN. */
struct joint_count {
    size_t outside, cells;
    double expected, p_value;
};

/* Values printed for one split each. share is the mean rank of the printed values among ours, from 0 (below all) to 1;
 * p_value is the two-sided chance of one as far from 1/2. Without cells both are NaN. */
struct joint_place {
    size_t cells;
    double share, p_value;
};

struct joint {
    struct joint_count means, sds;
    struct joint_place places;
};

/* Tests `count` tables of one paper, each separately into tables[i], and all of them together into *all. Minima,
 * repeated numbers, missing cells and synthetic data sets are left out, and the counts also leave out data sets with
 * fewer than eight splits. */
void joint_test(struct reproduction *const *comparisons, size_t count, struct joint *tables, struct joint *all);

/* Whether the values printed for one split each differ jointly, at 99 %. */
int joint_places_differ(const struct joint_place *places);

#endif
