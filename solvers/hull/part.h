/*
 * Patterns of a hull that are left out for a time, as long as they are optimal at a bound; formulas in part.c.
 */
#ifndef HULLBENCH_PART_H
#define HULLBENCH_PART_H

#include "solvers/hull/hull.h"

struct hull_part {
    size_t n;                       /* all patterns */
    const signed char *y;           /* n: their labels */
    double *alpha, *products;       /* n: their multipliers and W . X_j; where they take part, the hull's are ahead */
    double *before;                 /* n: y alpha when patterns were last left out */
    size_t *active, *left, n_left;  /* the patterns that take part, ascending, and the others */
    size_t looks;                   /* since W . X_j of those left out was last summed from nothing */
    signed char *labels;            /* of those that take part */
    double *change, *values;        /* n, scratch */
};

/* Places the arrays (or measures); n patterns. */
void part_layout(struct hull_part *part, struct arena *arena, size_t n);
/* All patterns of a hull take part. */
void part_start(struct hull_part *part, const struct hull *hull);
/* Leaves out the patterns of a whole, joined hull that are optimal at a bound, if they are many; their number. The hull
 * then is that of the patterns that take part, the k-th of which is active[k]. Its gaps are bounds from below; its
 * norms are not those of W. Rows are those of the active patterns (oracle_active_row). */
size_t part_cut(struct hull_part *part, struct hull *hull, struct oracle *oracle);
/* All patterns take part again, W . X_j brought up to date: as many kernel operations as are left out, times the
 * multipliers that have moved since, or that are not 0 if these are fewer. */
void part_join(struct hull_part *part, struct hull *hull, struct oracle *oracle);
/* Copies all n multipliers out. */
void part_alpha(const struct hull_part *part, const struct hull *hull, double *alpha);

#endif
