/*
 * Performance profile: rho_s(tau) = |{p : c_ps <= tau min over s' of c_ps'}| / P. Data profile: d_s(alpha) =
 * |{p : c_ps <= alpha u_p}| / P.
 */
#include "harness/stats/profile.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/die.h"

static void check(const double *costs, size_t solvers, size_t problems)
{
    for (size_t k = 0; k < solvers * problems; k++)
        if (!(costs[k] >= 0))
            die(STATUS_BAD_INPUT, "profile: the cost of solver %zu on problem %zu is %g", k / problems, k % problems,
                costs[k]);
}

void profile_performance(const double *costs, size_t solvers, size_t problems, double *ratios)
{
    check(costs, solvers, problems);
    for (size_t p = 0; p < problems; p++) {
        double best = (double)INFINITY;
        for (size_t s = 0; s < solvers; s++)
            best = fmin(best, costs[s * problems + p]);
        for (size_t s = 0; s < solvers; s++) {
            double cost = costs[s * problems + p];
            ratios[s * problems + p] = isinf(cost) ? cost : cost == best ? 1 : cost / best;
        }
    }
}

void profile_data(const double *costs, const double *units, size_t solvers, size_t problems, double *ratios)
{
    check(costs, solvers, problems);
    for (size_t p = 0; p < problems; p++) {
        assert(units[p] > 0 && isfinite(units[p]));
        for (size_t s = 0; s < solvers; s++)
            ratios[s * problems + p] = costs[s * problems + p] / units[p];
    }
}

static int by_ratio(const void *a, const void *b)
{
    const struct profile_step *first = a, *second = b;
    return (first->ratio > second->ratio) - (first->ratio < second->ratio);
}

size_t profile_steps(const double *ratios, size_t problems, struct profile_step *steps)
{
    size_t solved = 0, count = 0;
    for (size_t p = 0; p < problems; p++)
        if (isfinite(ratios[p]))
            steps[solved++].ratio = ratios[p];
    qsort(steps, solved, sizeof *steps, by_ratio);
    for (size_t k = 0; k < solved; k++)
        if (k + 1 == solved || steps[k + 1].ratio > steps[k].ratio)
            steps[count++] = (struct profile_step){steps[k].ratio, (double)(k + 1) / (double)problems};
    return count;
}
