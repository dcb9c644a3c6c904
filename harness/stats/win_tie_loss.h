/* How often one solver beats another. */
#ifndef HULLBENCH_WIN_TIE_LOSS_H
#define HULLBENCH_WIN_TIE_LOSS_H

#include <stddef.h>

#include "solvers/error.h"

struct win_tie_loss {
    size_t wins, ties, losses; /* of the first solver */
};

/* Counts n pairs of costs: the lower one wins. Equal costs tie, also if infinite. If p is not NULL, only differences
 * with p[i] < level count, and all others tie. A NaN among the costs or in p is STATUS_BAD_INPUT naming its index. */
enum status win_tie_loss_count(const double *first, const double *second, const double *p, double level, size_t n,
                               struct win_tie_loss *result, struct error *error);

/* Counts all pairs of solvers: table[a * solvers + b] of a against b, from costs[s * problems + p] (friedman.h). */
enum status win_tie_loss_table(const double *costs, size_t solvers, size_t problems, struct win_tie_loss *table,
                               struct error *error);

#endif
