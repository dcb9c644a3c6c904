/* How often one solver beats another. */
#ifndef HULLBENCH_WIN_TIE_LOSS_H
#define HULLBENCH_WIN_TIE_LOSS_H

#include <stddef.h>

struct win_tie_loss {
    size_t wins, ties, losses; /* of the first solver */
};

/* Counts n pairs of costs: the lower one wins. Equal costs tie, also if infinite. If p is not NULL, only differences
 * with p[i] < level count, and all others tie. No cost and no p is a NAN. */
struct win_tie_loss win_tie_loss_count(const double *first, const double *second, const double *p, double level,
                                       size_t n);

/* Counts all pairs of solvers: table[a * solvers + b] of a against b, from costs[s * problems + p] (friedman.h). */
void win_tie_loss_table(const double *costs, size_t solvers, size_t problems, struct win_tie_loss *table);

#endif
