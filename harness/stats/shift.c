/*
 * Hodges and Lehmann (1963). Let a_(1) <= ... <= a_(K) be the K means (d_i + d_j)/2, i <= j. After subtracting a shift
 * s, the statistic V of the sample is the number of a_(k) above s, except for ties. With P(V <= q) under the null
 * distribution, and q the smallest number with P(V <= q) >= alpha/2 (1 if that is 0), [a_(q), a_(K+1-q)] covers the
 * shift with probability at least 1 - 2 P(V <= q - 1).
 *
 * a_(k) is found without storing the K numbers: one pass over the sorted sample counts those that are at most t, since
 * sums, rounded or not, are monotone in their terms; t is bisected over the doubles in their order.
 */
#include "harness/stats/shift.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/stats/rank_null_distribution.h"
#include "harness/stats/summary.h"

/* The count = n (n + 1) / 2 sums x_i + x_j, i <= j, of n ascending numbers. */
struct sums {
    const double *x;
    size_t n, count;
};

/* The number of sums that are at most t: as i grows, fewer j qualify. */
static size_t at_most(const struct sums *sums, double t)
{
    size_t n = sums->n, total = 0;
    for (size_t i = 0; i < sums->n && n > 0; i++) {
        while (n > 0 && sums->x[i] + sums->x[n - 1] > t)
            n--;
        total += n > i ? n - i : 0;
    }
    return total;
}

/* Maps doubles to integers in the same order, and back. */
static int64_t order_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double double_of(int64_t order)
{
    int64_t bits = order < 0 ? INT64_MIN - order : order;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The k-th smallest sum, k from 1. */
static double sum_at(const struct sums *sums, size_t k)
{
    int64_t low = order_of(2 * sums->x[0]), high = order_of(2 * sums->x[sums->n - 1]);
    while (low < high) {
        int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
        if (at_most(sums, double_of(middle)) >= k)
            high = middle;
        else
            low = middle + 1;
    }
    return double_of(low);
}

/* q and the level reached, from the number of ways, out of `all`, to reach 0, 1 ... */
static size_t counted_place(const double *count, double all, double level, double *reached)
{
    double below = 0; /* ways to reach less than q */
    size_t q = 0;
    /* As in R: a probability equal to alpha/2 up to rounding is not below it. */
    while ((below + count[q]) / all < (1 - level) / 2 - 10 * DBL_EPSILON)
        below += count[q++];
    below = q > 0 ? below : count[0];
    *reached = fmax(0, 1 - 2 * below / all);
    return q > 0 ? q : 1;
}

/* q from the normal distribution with continuity correction. */
static size_t normal_place(double mean, double variance, double level)
{
    double q = ceil(mean - 0.5 + sqrt(variance) * gsl_cdf_ugaussian_Pinv((1 - level) / 2));
    return q > 1 ? (size_t)q : 1;
}

/* q for the signed-rank statistic; *level becomes the level reached. */
static size_t find_place(const struct sums *sums, double *level)
{
    double n = (double)sums->n;
    size_t ranks[EXACT_MAX_RANKS];
    if (sums->n > EXACT_MAX_RANKS)
        return normal_place(n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24, *level);
    for (size_t i = 0; i < sums->n; i++)
        ranks[i] = i + 1;
    double *count = rank_null_subsets(ranks, sums->n, sums->count / 2);
    size_t q = counted_place(count, ldexp(1, (int)sums->n), *level, level);
    free(count);
    return q;
}

static struct interval shift_of(const struct sums *sums, double level)
{
    size_t lower = (sums->count + 1) / 2, upper = sums->count / 2 + 1, q = find_place(sums, &level);
    return (struct interval){(sum_at(sums, lower) + sum_at(sums, upper)) / 2 / 2, sum_at(sums, q) / 2,
                             sum_at(sums, sums->count + 1 - q) / 2, level};
}

struct interval shift_paired(const double *x, const double *y, size_t n, double level)
{
    assert(level > 0 && level < 1);
    struct interval shift = no_interval;
    double *differences = xcalloc(n, sizeof *differences);
    for (size_t i = 0; i < n; i++)
        differences[i] = x[i] - y[i];
    if (n > 0 && all_finite(differences, n)) {
        gsl_sort(differences, 1, n);
        shift = shift_of(&(struct sums){.x = differences, .n = n, .count = n * (n + 1) / 2}, level);
    }
    free(differences);
    return isfinite(shift.estimate) && isfinite(shift.low) && isfinite(shift.high) ? shift : no_interval;
}
