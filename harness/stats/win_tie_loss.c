#include "harness/stats/win_tie_loss.h"

#include <assert.h>
#include <math.h>

struct win_tie_loss win_tie_loss_count(const double *first, const double *second, const double *p, double level,
                                       size_t n)
{
    struct win_tie_loss result = {0};
    for (size_t i = 0; i < n; i++) {
        assert(!isnan(first[i]) && !isnan(second[i]) && !(p && isnan(p[i])));
        int counts = !p || p[i] < level;
        result.wins += counts && first[i] < second[i];
        result.losses += counts && first[i] > second[i];
    }
    result.ties = n - result.wins - result.losses;
    return result;
}

void win_tie_loss_table(const double *costs, size_t solvers, size_t problems, struct win_tie_loss *table)
{
    for (size_t a = 0; a < solvers; a++)
        for (size_t b = 0; b < solvers; b++)
            table[a * solvers + b] = win_tie_loss_count(costs + a * problems, costs + b * problems, NULL, 0, problems);
}
