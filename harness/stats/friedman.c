/*
 * With R_j the sum of the ranks of solver j over n problems, S = sum (R_j - n(k+1)/2)^2 and T the sum of t^3 - t over
 * all groups of t ties within a problem (Conover 1999, 5.8),
 *     chi2 = 12 S / (n k (k+1) - T/(k-1)),
 *     F = (n-1) chi2 / (n(k-1) - chi2) = (n-1) 12 S / (n (n k (k^2-1) - T) - 12 S).
 * Ranks are multiples of 1/2, so 12 S and its minuend in the last divisor are integers, and the difference is exact.
 */
#include "harness/stats/friedman.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/stats/adjust.h"
#include "harness/stats/ranks.h"

/* Adds the ranks within one problem to the sums; returns the ties. `room` has two elements per solver. */
static double add_ranks(const double *costs, const struct friedman *friedman, size_t problem, double *room)
{
    double *ranks = room + friedman->solvers;
    for (size_t s = 0; s < friedman->solvers; s++) {
        room[s] = costs[s * friedman->problems + problem];
        assert(!isnan(room[s]));
    }
    double ties = ranks_of(room, friedman->solvers, ranks);
    for (size_t s = 0; s < friedman->solvers; s++)
        friedman->mean_ranks[s] += ranks[s];
    return ties;
}

/* Computes the statistics from the sums of ranks, which become means. */
static void judge(struct friedman *friedman, double ties)
{
    double n = (double)friedman->problems, k = (double)friedman->solvers, s = 0;
    for (size_t j = 0; j < friedman->solvers; j++) {
        double away = friedman->mean_ranks[j] - n * (k + 1) / 2;
        s += away * away;
        friedman->mean_ranks[j] /= n;
    }
    double whole = n * k * (k * k - 1) - ties; /* (k - 1) times the divisor of chi2 */
    if (!(whole > 0) || n < 1)
        return;
    friedman->chi2 = 12 * s * (k - 1) / whole;
    friedman->chi2_p = gsl_cdf_chisq_Q(friedman->chi2, k - 1);
    double rest = n * whole - 12 * s;
    if (n < 2)
        return;
    friedman->f = rest > 0 ? (n - 1) * 12 * s / rest : (double)INFINITY;
    friedman->f_p = rest > 0 ? gsl_cdf_fdist_Q(friedman->f, k - 1, (k - 1) * (n - 1)) : 0;
}

struct friedman friedman_test(struct pool *pool, const double *costs, size_t solvers, size_t problems)
{
    double ties = 0, *room = xcalloc(2 * solvers, sizeof *room);
    struct friedman friedman = {solvers, problems, pool_array(pool, solvers, sizeof(double)), 0, 1, 0, 1};
    for (size_t p = 0; p < problems; p++)
        ties += add_ranks(costs, &friedman, p, room);
    judge(&friedman, ties);
    free(room);
    return friedman;
}

double friedman_deviation(const struct friedman *friedman)
{
    double k = (double)friedman->solvers;
    return sqrt(k * (k + 1) / (6 * (double)friedman->problems));
}

void friedman_order(const struct friedman *friedman, size_t *order)
{
    for (size_t j = 0; j < friedman->solvers; j++) {
        size_t place = j; /* insertion sort, which keeps the order of equal ranks */
        for (; place > 0 && friedman->mean_ranks[order[place - 1]] > friedman->mean_ranks[j]; place--)
            order[place] = order[place - 1];
        order[place] = j;
    }
}

void friedman_against(const struct friedman *friedman, size_t control, double *p)
{
    size_t k = friedman->solvers, count = 0;
    assert(k >= 2 && friedman->problems > 0 && control < k);
    double *raw = xcalloc(2 * k, sizeof *raw), *adjusted = raw + k;
    for (size_t s = 0; s < k; s++) {
        double away = fabs(friedman->mean_ranks[s] - friedman->mean_ranks[control]);
        if (s != control)
            raw[count++] = fmin(1, 2 * gsl_cdf_ugaussian_Q(away / friedman_deviation(friedman)));
    }
    adjust_holm(raw, count, adjusted);
    for (size_t s = 0; s < k; s++)
        p[s] = s == control ? 1 : adjusted[s - (s > control)];
    free(raw);
}
