/*
 * Wilcoxon (1945). V is the sum of the ranks of |d_i| over d_i > 0. Without ties each rank 1 ... n enters V or not with
 * probability 1/2, so the number of the 2^n choices with V = v is the coefficient of q^v in prod (1 + q^i). Otherwise V
 * is taken as normal with mean n(n+1)/4 and variance n(n+1)(2n+1)/24 - sum(t^3-t)/48, moved by 1/2 towards its mean.
 */
#include "harness/stats/signed_rank.h"

#include <math.h>
#include <stdlib.h>

enum { EXACT_BELOW = 50 }; /* R's limit */

/* P(V <= limit) by counting; n < 50 keeps every count below 2^49, exact in double. Negative when out of memory. */
static double lower_tail(size_t n, size_t limit)
{
    double *count = calloc(limit + 1, sizeof *count);
    if (!count)
        return -1;
    count[0] = 1;
    for (size_t rank = 1; rank <= n; rank++)
        for (size_t v = limit; v >= rank; v--)
            count[v] += count[v - rank];
    double sum = 0;
    for (size_t v = 0; v <= limit; v++)
        sum += count[v];
    free(count);
    return ldexp(sum, -(int)n);
}

static enum status judge(const double *ranks, const double *differences, size_t n, double ties, int exact,
                         struct rank_test *test, struct error *error)
{
    double size = (double)n, all = size * (size + 1) / 2;
    for (size_t i = 0; i < n; i++)
        test->statistic += differences[i] > 0 ? ranks[i] : 0;
    test->exact = exact;
    if (!exact) {
        double variance = size * (size + 1) * (2 * size + 1) / 24 - ties / 48;
        test->p_value = ranks_normal_p(test->statistic - all / 2, sqrt(variance > 0 ? variance : 0));
        return STATUS_OK;
    }
    double other = all - test->statistic; /* V is symmetric about n(n+1)/4 */
    double tail = lower_tail(n, (size_t)(test->statistic < other ? test->statistic : other));
    if (tail < 0)
        return error_set(error, STATUS_NO_MEMORY, "signed-rank test: out of memory for %zu pairs", n);
    test->p_value = 2 * tail < 1 ? 2 * tail : 1;
    return STATUS_OK;
}

enum status signed_rank_test(const double *x, const double *y, size_t n, struct rank_test *test, struct error *error)
{
    *test = (struct rank_test){.p_value = 1};
    double *differences = calloc(3 * n + 1, sizeof *differences);
    if (!differences)
        return error_set(error, STATUS_NO_MEMORY, "signed-rank test: out of memory for %zu pairs", n);
    double *sizes = differences + n, *ranks = sizes + n, ties = 0;
    enum status status = STATUS_OK;
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = x[i] - y[i];
        if (isnan(difference)) {
            status =
                error_set(error, STATUS_BAD_INPUT, "signed-rank test: difference %zu of %zu is not a number", i, n);
            goto done;
        }
        if (difference == 0) /* R drops them, and then no longer counts exactly */
            continue;
        differences[left] = difference;
        sizes[left++] = fabs(difference);
    }
    status = ranks_of(sizes, left, ranks, &ties, error);
    if (status == STATUS_OK && left > 0)
        status = judge(ranks, differences, left, ties, left < EXACT_BELOW && left == n && !(ties > 0), test, error);
done:
    free(differences);
    return status;
}
