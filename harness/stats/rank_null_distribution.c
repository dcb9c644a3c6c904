/*
 * Subsets: item by item, N(v) <- N(v) + N(v - w), the coefficients of prod (1 + q^w).
 *
 * Subsets of m: let N(i, u) be the number of ways to take i of the first k items with a sum u above that of the i
 * smallest. Taking item k + 1 as well gives i + 1 items and adds w(k+1) - w(i+1) >= 0 to u, since the items ascend;
 * leaving it changes nothing. So u never decreases, and values beyond the limit can be dropped. It never exceeds the
 * sum of the last i of the k minus that of the first i.
 *
 * All terms are positive, so there is no cancellation, and past 2^53 each sum has a few rounding errors. The tail on
 * the side of the sum is counted; the other is the total minus the part beyond the sum, which is never small.
 */
#include "harness/stats/rank_null_distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

double *rank_null_subsets(const size_t *weights, size_t n, size_t limit)
{
    double *count = xcalloc(limit + 1, sizeof *count);
    count[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t v = limit; v >= weights[i]; v--)
            count[v] += count[v - weights[i]];
    return count;
}

/* Adds to `more` the counts of `fewer`, with sums of 0 ... max_sum, after taking an item that raises the sum by
 * `rise`. */
static void take(const double *restrict fewer, double *restrict more, size_t rise, size_t max_sum, size_t limit)
{
    for (size_t u = 0; u <= max_sum && u + rise <= limit; u++)
        more[u + rise] += fewer[u];
}

/* For u = 0 ... limit, the number of the C(n, m) subsets of m of the n ascending weights whose sum exceeds that of the
 * first m by u; freed by the caller. */
static double *count_choices(const size_t *weights, size_t n, size_t m, size_t limit)
{
    size_t width = limit + 1;
    double *count = xcalloc((m + 1) * width, sizeof *count);
    size_t *sum = xcalloc(n + 1, sizeof *sum); /* of the first k weights */
    for (size_t k = 0; k < n; k++)
        sum[k + 1] = sum[k] + weights[k];
    count[0] = 1;
    for (size_t k = 0; k < n; k++) {
        size_t rest = n - k - 1, min = m > rest ? m - rest : 1; /* with fewer, m can no longer be reached */
        for (size_t i = k + 1 < m ? k + 1 : m; i >= min && i > 0; i--)
            take(count + (i - 1) * width, count + i * width, weights[k] - weights[i - 1],
                 sum[k] - sum[k - i + 1] - sum[i - 1], limit);
    }
    memmove(count, count + m * width, width * sizeof *count);
    free(sum);
    return count;
}

/* C(n, m), rounded. */
static double all_choices(size_t n, size_t m)
{
    double all = 1;
    for (size_t i = 1; i <= m; i++)
        all *= (double)(n - m + i) / (double)i;
    return all;
}

/* `mirrored` if the value stands for the sum that is as far from the other end. */
static struct rank_tails tails_of(const double *count, size_t value, double all, int mirrored)
{
    double below = 0;
    for (size_t v = 0; v < value; v++)
        below += count[v];
    double lower = (below + count[value]) / all, upper = (all - below) / all;
    return mirrored ? (struct rank_tails){upper, lower} : (struct rank_tails){lower, upper};
}

struct rank_tails null_tails_subsets(const size_t *weights, size_t n, size_t sum)
{
    size_t whole = 0;
    for (size_t i = 0; i < n; i++)
        whole += weights[i];
    int above = sum > whole - sum; /* the complement of a subset is as likely as the subset */
    size_t value = above ? whole - sum : sum;
    double *count = rank_null_subsets(weights, n, value);
    struct rank_tails tails = tails_of(count, value, ldexp(1, (int)n), above);
    free(count);
    return tails;
}

struct rank_tails null_tails_choices(const size_t *weights, size_t n, size_t m, size_t sum)
{
    size_t min = 0, max = 0, *turned = xcalloc(n, sizeof *turned);
    for (size_t i = 0; i < n; i++) {
        min += i < m ? weights[i] : 0;
        max += i < m ? weights[n - 1 - i] : 0;
        turned[i] = weights[n - 1] - weights[n - 1 - i];
    }
    int above = sum - min > max - sum;
    size_t value = above ? max - sum : sum - min;
    double *count = count_choices(above ? turned : weights, n, m, value);
    struct rank_tails tails = tails_of(count, value, all_choices(n, m), above);
    free(turned);
    free(count);
    return tails;
}
