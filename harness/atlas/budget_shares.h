/* Which share of the problems and targets a solver reaches within a budget. */
#ifndef HULLBENCH_BUDGET_SHARES_H
#define HULLBENCH_BUDGET_SHARES_H

#include "harness/atlas/atlas.h"

enum { SHARE_PLACES = 61 };
#define ALL_TARGETS ((size_t)-1)

/* The curve of one series: at each place the share and its interval; and the budgets, in units, within which a quarter,
 * a half and three quarters of the pairs are reached, infinite where fewer ever are. */
struct share_curve {
    struct interval at[SHARE_PLACES];
    double quartiles[3];
};

/* The curves of a family for one cost and one target, or all of them together. */
struct budget_shares {
    const struct atlas_family *family;
    enum atlas_cost cost;
    size_t target;               /* its number, or ALL_TARGETS */
    double place[SHARE_PLACES];  /* budgets in units (atlas_unit), at equal distances of their logarithms */
    struct share_curve *curves;  /* one a series; those of series that do not count the cost are zeroed; owned */
    size_t n_pairs;              /* of problem and target, of each series */
    int has_bands;               /* nonzero: of two data sets or more */
};

/* Fills *shares. Returns 0, with nothing to release, where fewer than two series count the cost or none reaches any
 * target. */
int budget_shares_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, size_t target,
                     struct budget_shares *shares);
void budget_shares_free(struct budget_shares *shares);

/* The area below the curve along the logarithmic axis, divided by the axis's length: the larger the better. */
double share_curve_area(const struct share_curve *curve);

#endif
