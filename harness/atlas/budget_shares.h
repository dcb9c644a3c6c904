/* The share of problems and targets that a solver reaches within a budget. */
#ifndef HULLBENCH_BUDGET_SHARES_H
#define HULLBENCH_BUDGET_SHARES_H

#include "harness/atlas/atlas.h"

enum { SHARE_PLACES = 61 };
#define ALL_TARGETS ((size_t)-1)

/* The curve of one series: the share and its interval at each budget; and the budgets, in units, within which a
 * quarter, a half and three quarters of the pairs are reached, infinite if fewer ever are. */
struct share_curve {
    struct interval at[SHARE_PLACES];
    double quartiles[3];
};

/* The curves of a family for one cost and one target, or for all targets together. */
struct budget_shares {
    const struct atlas_family *family;
    enum atlas_cost cost;
    size_t target;               /* its index, or ALL_TARGETS */
    double place[SHARE_PLACES];  /* budgets in units (atlas_unit), spaced equally on a logarithmic scale */
    struct share_curve *curves;  /* one per series; zeroed for series that do not count the cost */
    size_t n_pairs;              /* of problem and target, for each series */
    int has_bands;               /* nonzero: from at least two data sets */
};

/* Fills *shares. Returns 0 if fewer than two series count the cost or none reaches a
 * target. */
int budget_shares_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, size_t target,
                     struct budget_shares *shares);

/* The series that count the cost, the largest area first; *n is their number. */
size_t *share_curves_by_area(struct pool *pool, const struct budget_shares *shares, size_t *n);

/* The area below the curve along the logarithmic axis, divided by the axis's length: larger is better. */
double share_curve_area(const struct share_curve *curve);

#endif
