/*
 * Shrinking for hulls: leaving out patterns while they are optimal at a bound. part.c gives the formulas.
 */
#ifndef HULLBENCH_PART_H
#define HULLBENCH_PART_H

#include "solvers/hull/hull.h"

struct hull_part {
    size_t n;                       /* all patterns */
    const signed char *y;           /* n: their labels */
    double *alpha, *products;       /* n: their multipliers and W . X_j; for active patterns the hull's are newer */
    double *before;                 /* n: y alpha when patterns were last removed */
    size_t *active, *left, n_left;  /* the active patterns, ascending, and the inactive ones */
    size_t looks;                   /* number of looks since W . X_j of inactive patterns was last summed from zero */
    signed char *labels;            /* of the active patterns */
    double *change, *values;        /* n, scratch */
};

/* Places the arrays (or measures them) for n patterns. */
void part_layout(struct hull_part *part, struct arena *arena, size_t n);
/* Makes all patterns of a hull active. */
void part_start(struct hull_part *part, const struct hull *hull);
/* Removes the patterns of a complete, joined hull that are optimal at a bound, if they are many. Returns their number.
 * The hull then is that of the active patterns, the k-th of which is active[k]. Its gaps are lower bounds; its norms
 * are not those of W. Rows are those of the active patterns (oracle_active_row). */
size_t part_cut(struct hull_part *part, struct hull *hull, struct oracle *oracle);
/* Makes all patterns active again and updates W . X_j. Costs (inactive patterns) x (multipliers that have changed
 * since, or nonzero ones if these are fewer) kernel operations. */
void part_join(struct hull_part *part, struct hull *hull, struct oracle *oracle);
/* Copies all n multipliers out. */
void part_alpha(const struct hull_part *part, const struct hull *hull, double *alpha);

#endif
