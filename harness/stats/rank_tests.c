/*
 * Mid-ranks: a group of t equal values at positions k+1 ... k+t of the sorted sample shares the rank k + (t+1)/2. Such
 * a group lowers the variance of a sum of ranks in proportion to t^3 - t.
 *
 * Rank sum (Mann and Whitney 1947). With R the sum of the ranks of x in the pooled sample, W = R - m(m+1)/2. Under the
 * null hypothesis every choice of m of the pooled ranks is equally likely as the ranks of x, with or without ties. So
 * the C(m+n, m) choices are counted by their sum of ranks, doubled if ties give half ranks. Beyond the limit W is
 * normal with mean mn/2 and variance mn/12 ((m+n+1) - sum(t^3-t) / ((m+n)(m+n-1))), moved by 1/2 towards its mean.
 *
 * Signed rank (Wilcoxon 1945). V is the sum of the ranks of |d_i| over d_i > 0. If the d_i are symmetric about 0, each
 * rank enters V with probability 1/2, whatever the sizes and ties. So the 2^n equally likely choices are counted by
 * their sum of ranks (Hollander, Wolfe and Chicken 2014, 3.1), doubled if ties give half ranks. Beyond the limit V is
 * normal with mean sum(r)/2 and variance sum(r^2)/4 = n(n+1)(2n+1)/24 - sum(t^3-t)/48, moved by 1/2 towards its mean.
 *
 * Shift (Hodges and Lehmann 1963). Let a_(1) <= ... <= a_(K) be the K means (d_i + d_j)/2, i <= j. After subtracting a
 * shift s, the statistic V of the sample is the number of a_(k) above s, except for ties. With P(V <= q) under the null
 * distribution, and q the smallest number with P(V <= q) >= alpha/2 (1 if that is 0), [a_(q), a_(K+1-q)] covers the
 * shift with probability at least 1 - 2 P(V <= q - 1). a_(k) is found without storing the K numbers: one pass over the
 * sorted sample counts those that are at most t, since sums, rounded or not, are monotone in their terms; t is bisected
 * over the doubles in their order.
 *
 * Kendall's tau-b (Kendall 1945, The treatment of ties in ranking problems, Biometrika 33) is the correlation of the
 * signs of x_i - x_j and y_i - y_j over all pairs, where ties have sign 0.
 */
#include "harness/stats/rank_tests.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"

double ranks_of(const double *values, size_t n, double *ranks)
{
    double ties = 0;
    size_t *order = xcalloc(n, sizeof *order);
    gsl_sort_index(order, values, 1, n);
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && values[order[next]] == values[order[first]]; next++)
            continue;
        double size = (double)(next - first);
        for (size_t i = first; i < next; i++)
            ranks[order[i]] = (double)first + (size + 1) / 2;
        ties += size * size * size - size;
    }
    free(order);
    return ties;
}

struct pair_orders pair_orders_of(const double *x, const double *y, size_t n)
{
    struct pair_orders orders = {0};
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const int by_x = (x[i] > x[j]) - (x[i] < x[j]), by_y = (y[i] > y[j]) - (y[i] < y[j]);
            double *count = by_x && by_y ? (by_x == by_y ? &orders.alike : &orders.against)
                            : by_y       ? &orders.equal_x
                            : by_x       ? &orders.equal_y
                                         : &orders.equal_both;
            ++*count;
        }
    return orders;
}

double kendall_tau(const struct pair_orders *orders)
{
    const double ordered = orders->alike + orders->against;
    return (orders->alike - orders->against) / sqrt((ordered + orders->equal_x) * (ordered + orders->equal_y));
}

/* The p-value of a statistic that exceeds its mean by `above`, with standard deviation sigma, under the normal
 * approximation with a continuity correction of one half away from the alternative (two-sided: towards the mean, and
 * past it if it is nearer than one half, as in R). If sigma is 0 (all values equal), p is 1. */
static double normal_p(double above, double sigma, enum tail tail)
{
    if (!(sigma > 0))
        return 1;
    int up = tail == TAIL_GREATER || (tail == TAIL_TWO_SIDED && above > 0);
    int down = tail == TAIL_LESS || (tail == TAIL_TWO_SIDED && above < 0);
    double z = (above - 0.5 * (up - down)) / sigma;
    return tail_p(tail, gsl_cdf_ugaussian_P(z), gsl_cdf_ugaussian_Q(z));
}

/* Whole weights from n ranks, doubled if they are half ranks. */
static void weights_of(const double *ranks, size_t n, int ties, size_t *weights)
{
    for (size_t i = 0; i < n; i++)
        weights[i] = (size_t)((ties ? 2 : 1) * ranks[i]);
}

/* ---- rank sum ---- */

/* Reorders the ranks. */
static double exact_sum_p(double *ranks, size_t total, size_t m, int ties, enum tail tail)
{
    size_t weights[EXACT_MAX_RANKS], sum = 0;
    weights_of(ranks, m, ties, weights);
    for (size_t i = 0; i < m; i++)
        sum += weights[i];
    gsl_sort(ranks, 1, total);
    weights_of(ranks, total, ties, weights);
    const struct tails tails = null_tails_choices(weights, total, m, sum);
    return tail_p(tail, tails.lower, tails.upper);
}

struct rank_test rank_sum_test(const double *x, size_t m, const double *y, size_t n, enum tail tail)
{
    const double pairs = (double)m * (double)n, total = (double)m + (double)n;
    struct rank_test test = {.p_value = 1};
    double *pooled = xcalloc(2 * (m + n), sizeof *pooled), *ranks = pooled + m + n;
    int numbers = m > 0 && n > 0;
    for (size_t i = 0; i < m + n; i++) {
        pooled[i] = i < m ? x[i] : y[i - m];
        numbers &= !isnan(pooled[i]);
    }
    if (numbers) {
        const double ties = ranks_of(pooled, m + n, ranks);
        const double variance = pairs / 12 * (total + 1 - ties / (total * (total - 1)));
        test.n = m + n;
        test.exact = m + n <= EXACT_MAX_RANKS;
        for (size_t i = 0; i < m; i++)
            test.statistic += ranks[i];
        test.statistic -= (double)m * ((double)m + 1) / 2;
        test.effect = 2 * test.statistic / pairs - 1;
        test.p_value = test.exact ? exact_sum_p(ranks, m + n, m, ties > 0, tail)
                                  : normal_p(test.statistic - pairs / 2, sqrt(variance), tail);
    }
    free(pooled);
    return test;
}

/* ---- signed rank ---- */

void pairs_differences(const double *first, const double *second, size_t n, double *differences)
{
    double largest = 0;
    int exponent = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fmax(fabs(first[i]), fabs(second[i])));
    frexp(largest, &exponent);
    for (size_t i = 0; i < n; i++) /* exact apart from rint */
        differences[i] = ldexp(rint(ldexp(first[i] - second[i], 40 - exponent)), exponent - 40);
}

struct rank_test signed_rank_test(const double *x, const double *y, size_t n, enum tail tail)
{
    struct rank_test test = {.p_value = 1};
    double *differences = xcalloc(3 * n, sizeof *differences), *sizes = differences + n, *ranks = sizes + n;
    double all = 0, squares = 0;
    int numbers = 1;
    for (size_t i = 0; i < n; i++) {
        const double difference = x[i] - y[i];
        numbers &= !isnan(difference);
        if (difference == 0)
            continue;
        differences[test.n] = difference;
        sizes[test.n++] = fabs(difference);
    }
    test.n = numbers ? test.n : 0;
    const double ties = ranks_of(sizes, test.n, ranks);
    for (size_t i = 0; i < test.n; i++) {
        all += ranks[i];
        squares += ranks[i] * ranks[i];
        test.statistic += differences[i] > 0 ? ranks[i] : 0;
    }
    if (test.n > 0) {
        test.effect = (2 * test.statistic - all) / all;
        test.exact = test.n <= EXACT_MAX_RANKS;
        test.p_value = normal_p(test.statistic - all / 2, sqrt(squares / 4), tail);
    }
    if (test.exact) {
        size_t weights[EXACT_MAX_RANKS];
        weights_of(ranks, test.n, ties > 0, weights);
        const struct tails tails =
            null_tails_subsets(weights, test.n, (size_t)((ties > 0 ? 2 : 1) * test.statistic));
        test.p_value = tail_p(tail, tails.lower, tails.upper);
    }
    free(differences);
    return test;
}

/* ---- shift ---- */

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

/* q for the signed-rank statistic; *level becomes the level reached. */
static size_t find_place(const struct sums *sums, double *level)
{
    const double n = (double)sums->n, tail = (1 - *level) / 2;
    if (sums->n > EXACT_MAX_RANKS) { /* the normal distribution with continuity correction */
        const double variance = n * (n + 1) * (2 * n + 1) / 24;
        const double q = ceil(n * (n + 1) / 4 - 0.5 + sqrt(variance) * gsl_cdf_ugaussian_Pinv(tail));
        return q > 1 ? (size_t)q : 1;
    }
    double *count = rank_null_signs(sums->n, sums->count / 2), all = ldexp(1, (int)sums->n);
    double below = 0; /* ways to reach less than q */
    size_t q = 0;
    /* As in R: a probability equal to alpha/2 up to rounding is not below it. */
    while ((below + count[q]) / all < tail - 10 * DBL_EPSILON)
        below += count[q++];
    below = q > 0 ? below : count[0];
    *level = fmax(0, 1 - 2 * below / all);
    free(count);
    return q > 0 ? q : 1;
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
        const struct sums sums = {.x = differences, .n = n, .count = n * (n + 1) / 2};
        const size_t q = find_place(&sums, &level);
        const double below = sum_at(&sums, (sums.count + 1) / 2), above = sum_at(&sums, sums.count / 2 + 1);
        shift = (struct interval){(below + above) / 2 / 2, sum_at(&sums, q) / 2,
                                  sum_at(&sums, sums.count + 1 - q) / 2, level};
    }
    free(differences);
    return isfinite(shift.estimate) && isfinite(shift.low) && isfinite(shift.high) ? shift : no_interval;
}
