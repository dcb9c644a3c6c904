/*
 * With R_j the sum of the ranks of solver j over n problems, S = sum (R_j - n(k+1)/2)^2 and T the sum of t^3 - t over
 * all groups of t ties within a problem (Conover 1999, 5.8),
 *     chi2 = 12 S / (n k (k+1) - T/(k-1)),
 *     F = (n-1) chi2 / (n(k-1) - chi2) = (n-1) 12 S / (n (n k (k^2-1) - T) - 12 S).
 * Ranks are multiples of 1/2, so 12 S and its minuend in the last divisor are integers, and the difference is exact.
 */
#include "harness/stats/friedman.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "harness/stats/ranks.h"

/* Adds the ranks within one problem to the sums. values and ranks are scratch, one element per solver. */
static enum status add_ranks(const double *costs, const struct friedman *friedman, size_t problem, double *values,
                             double *ranks, double *ties, struct error *error)
{
    double here = 0;
    for (size_t s = 0; s < friedman->solvers; s++) {
        values[s] = costs[s * friedman->problems + problem];
        if (isnan(values[s]))
            return error_set(error, STATUS_BAD_INPUT, "Friedman's test: solver %zu on problem %zu is not a number", s,
                             problem);
    }
    enum status status = ranks_of(values, friedman->solvers, ranks, &here, error);
    for (size_t s = 0; s < friedman->solvers && status == STATUS_OK; s++)
        friedman->mean_ranks[s] += ranks[s];
    *ties += here;
    return status;
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

enum status friedman_test(const double *costs, size_t solvers, size_t problems, struct friedman *friedman,
                          struct error *error)
{
    double ties = 0, *scratch = calloc(2 * solvers + 1, sizeof *scratch);
    *friedman = (struct friedman){.solvers = solvers, .problems = problems, .chi2_p = 1, .f_p = 1};
    friedman->mean_ranks = calloc(solvers + 1, sizeof *friedman->mean_ranks);
    enum status status = STATUS_OK;
    if (!scratch || !friedman->mean_ranks)
        status = error_set(error, STATUS_NO_MEMORY, "Friedman's test: out of memory for %zu solvers", solvers);
    for (size_t p = 0; p < problems && status == STATUS_OK; p++)
        status = add_ranks(costs, friedman, p, scratch, scratch + solvers, &ties, error);
    if (status == STATUS_OK)
        judge(friedman, ties);
    else
        friedman_free(friedman);
    free(scratch);
    return status;
}

void friedman_free(struct friedman *friedman)
{
    if (!friedman)
        return;
    free(friedman->mean_ranks);
    *friedman = (struct friedman){0};
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

enum status friedman_against(const struct friedman *friedman, size_t control, double *p, struct error *error)
{
    size_t k = friedman->solvers, count = 0;
    if (k < 2 || friedman->problems == 0 || control >= k)
        return error_set(error, STATUS_BAD_INPUT, "ranks against solver %zu: there are %zu solvers and %zu problems",
                         control, k, friedman->problems);
    double *raw = calloc(2 * k, sizeof *raw);
    if (!raw)
        return error_set(error, STATUS_NO_MEMORY, "ranks against solver %zu: out of memory", control);
    double *adjusted = raw + k;
    for (size_t s = 0; s < k; s++) {
        double away = fabs(friedman->mean_ranks[s] - friedman->mean_ranks[control]);
        if (s != control)
            raw[count++] = fmin(1, 2 * gsl_cdf_ugaussian_Q(away / friedman_deviation(friedman)));
    }
    enum status status = adjust_holm(raw, count, adjusted, error);
    for (size_t s = 0; s < k && status == STATUS_OK; s++)
        p[s] = s == control ? 1 : adjusted[s - (s > control)];
    free(raw);
    return status;
}
