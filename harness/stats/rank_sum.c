/*
 * Mann and Whitney (1947). With R the sum of the ranks of x in the pooled sample, W = R - m(m+1)/2. Without ties every
 * one of the C(m+n, m) placements is equally likely under equality, and the number with W = u follows
 *     N(i, j, u) = N(i-1, j, u-j) + N(i, j-1, u)
 * according to whether the largest value is one of the i or of the j. With ties, or 50 values and more, W is taken as
 * normal with mean mn/2 and variance mn/12 ((m+n+1) - sum(t^3-t) / ((m+n)(m+n-1))), moved by 1/2 towards its mean.
 */
#include "harness/stats/rank_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_BELOW = 50 }; /* R's limit */

/* P(W <= limit) by counting; a negative value when out of memory. Every term is positive, so nothing cancels. */
static double lower_tail(size_t m, size_t n, size_t limit)
{
    size_t width = limit + 1;
    double *count = calloc((m + 1) * width, sizeof *count);
    if (!count)
        return -1;
    for (size_t i = 0; i <= m; i++)
        count[i * width] = 1; /* j = 0: only u = 0 */
    for (size_t j = 1; j <= n; j++)
        for (size_t i = 1; i <= m; i++)
            for (size_t u = j; u < width; u++) /* row i-1 already stands at j, row i still at j-1 */
                count[i * width + u] += count[(i - 1) * width + u - j];
    double sum = 0, all = 1;
    for (size_t u = 0; u < width; u++)
        sum += count[m * width + u];
    for (size_t i = 1; i <= m; i++)
        all *= (double)(n + i) / (double)i;
    free(count);
    return sum / all;
}

static enum status exact_p(size_t m, size_t n, double statistic, double *p, struct error *error)
{
    /* W is symmetric about mn/2, so the upper tail is the lower one of mn - W. */
    double other = (double)(m * n) - statistic;
    double tail = lower_tail(m, n, (size_t)(statistic < other ? statistic : other));
    if (tail < 0)
        return error_set(error, STATUS_NO_MEMORY, "rank-sum test: out of memory for %zu and %zu values", m, n);
    *p = 2 * tail < 1 ? 2 * tail : 1;
    return STATUS_OK;
}

enum status rank_sum_test(const double *x, size_t m, const double *y, size_t n, struct rank_test *test,
                          struct error *error)
{
    *test = (struct rank_test){.p_value = 1};
    double ties = 0, total = (double)m + (double)n;
    double *pooled = malloc((2 * (m + n) + 1) * sizeof *pooled);
    if (!pooled)
        return error_set(error, STATUS_NO_MEMORY, "rank-sum test: out of memory for %zu and %zu values", m, n);
    double *ranks = pooled + m + n;
    if (m)
        memcpy(pooled, x, m * sizeof *x);
    if (n)
        memcpy(pooled + m, y, n * sizeof *y);
    enum status status = ranks_of(pooled, m + n, ranks, &ties, error);
    if (status != STATUS_OK || m == 0 || n == 0)
        goto done;
    for (size_t i = 0; i < m; i++)
        test->statistic += ranks[i];
    test->statistic -= (double)m * ((double)m + 1) / 2;
    test->exact = m < EXACT_BELOW && n < EXACT_BELOW && !(ties > 0);
    if (test->exact) {
        status = exact_p(m, n, test->statistic, &test->p_value, error);
        goto done;
    }
    double pairs = (double)m * (double)n;
    double variance = pairs / 12 * (total + 1 - ties / (total * (total - 1)));
    test->p_value = ranks_normal_p(test->statistic - pairs / 2, sqrt(variance > 0 ? variance : 0));
done:
    free(pooled);
    return status;
}
