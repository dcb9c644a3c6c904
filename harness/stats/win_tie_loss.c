#include "harness/stats/win_tie_loss.h"

#include <math.h>

enum status win_tie_loss_count(const double *first, const double *second, const double *p, double level, size_t n,
                               struct win_tie_loss *result, struct error *error)
{
    *result = (struct win_tie_loss){0};
    for (size_t i = 0; i < n; i++) {
        if (isnan(first[i]) || isnan(second[i]) || (p && isnan(p[i])))
            return error_set(error, STATUS_BAD_INPUT, "wins and losses: pair %zu of %zu is not a number", i, n);
        int counts = !p || p[i] < level;
        result->wins += counts && first[i] < second[i];
        result->losses += counts && first[i] > second[i];
    }
    result->ties = n - result->wins - result->losses;
    return STATUS_OK;
}

enum status win_tie_loss_table(const double *costs, size_t solvers, size_t problems, struct win_tie_loss *table,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t a = 0; a < solvers; a++)
        for (size_t b = 0; b < solvers && status == STATUS_OK; b++)
            status = win_tie_loss_count(costs + a * problems, costs + b * problems, NULL, 0, problems,
                                        &table[a * solvers + b], error);
    return status;
}
