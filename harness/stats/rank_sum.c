/*
 * Mann and Whitney (1947). With R the sum of the ranks of x in the pooled sample, W = R - m(m+1)/2. Under the null
 * hypothesis every choice of m of the pooled ranks is equally likely as the ranks of x, with or without ties. So the
 * C(m+n, m) choices are counted by their sum of ranks, doubled if ties give half ranks. Beyond the limit W is normal
 * with mean mn/2 and variance mn/12 ((m+n+1) - sum(t^3-t) / ((m+n)(m+n-1))), moved by 1/2 towards its mean.
 */
#include "harness/stats/rank_sum.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/stats/rank_null_distribution.h"

/* Reorders the ranks. */
static double exact_p(double *ranks, size_t total, size_t m, int ties, enum tail tail)
{
    size_t weights[EXACT_MAX_RANKS], sum = 0;
    double scale = ties ? 2 : 1;
    for (size_t i = 0; i < m; i++)
        sum += (size_t)(scale * ranks[i]);
    gsl_sort(ranks, 1, total);
    for (size_t i = 0; i < total; i++)
        weights[i] = (size_t)(scale * ranks[i]);
    struct rank_tails tails = null_tails_choices(weights, total, m, sum);
    return tail_p(tail, tails.lower, tails.upper);
}

static struct rank_test judge(double *ranks, size_t m, size_t n, double ties, const struct rank_options *options)
{
    double pairs = (double)m * (double)n, total = (double)m + (double)n;
    struct rank_test test = {.n = m + n, .exact = m + n <= EXACT_MAX_RANKS && options->method == RANK_AUTOMATIC};
    for (size_t i = 0; i < m; i++)
        test.statistic += ranks[i];
    test.statistic -= (double)m * ((double)m + 1) / 2;
    test.effect = 2 * test.statistic / pairs - 1;
    double variance = pairs / 12 * (total + 1 - ties / (total * (total - 1)));
    test.p_value = test.exact ? exact_p(ranks, m + n, m, ties > 0, options->tail)
                              : rank_normal_p(test.statistic - pairs / 2, sqrt(variance), options->tail);
    return test;
}

struct rank_test rank_sum_test(const double *x, size_t m, const double *y, size_t n, const struct rank_options *options)
{
    const struct rank_options usual = {TAIL_TWO_SIDED, RANK_ZEROS_WILCOXON, RANK_AUTOMATIC};
    struct rank_test test = {.p_value = 1};
    double *pooled = xcalloc(2 * (m + n), sizeof *pooled), *ranks = pooled + m + n;
    int numbers = 1;
    for (size_t i = 0; i < m + n; i++) {
        pooled[i] = i < m ? x[i] : y[i - m];
        numbers &= !isnan(pooled[i]);
    }
    if (numbers && m > 0 && n > 0) {
        double ties = ranks_of(pooled, m + n, ranks);
        test = judge(ranks, m, n, ties, options ? options : &usual);
    }
    free(pooled);
    return test;
}
