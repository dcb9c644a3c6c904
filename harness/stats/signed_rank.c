/*
 * Wilcoxon (1945). V is the sum of the ranks of |d_i| over d_i > 0. If the d_i are symmetric about 0, each rank enters
 * V with probability 1/2, whatever the sizes and ties. So the 2^n equally likely choices are counted by their sum of
 * ranks (Hollander, Wolfe and Chicken 2014, 3.1), doubled if ties give half ranks. Beyond the limit V is normal with
 * mean sum(r)/2 and variance sum(r^2)/4, moved by 1/2 towards its mean. Except with Pratt's zeros, that variance is
 * n(n+1)(2n+1)/24 - sum(t^3-t)/48.
 */
#include "harness/stats/signed_rank.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/stats/rank_null_distribution.h"

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

static double exact_p(const double *ranks, size_t n, double v, int ties, enum tail tail)
{
    size_t weights[EXACT_MAX_RANKS];
    double scale = ties ? 2 : 1;
    for (size_t i = 0; i < n; i++)
        weights[i] = (size_t)(scale * ranks[i]);
    struct rank_tails tails = null_tails_subsets(weights, n, (size_t)(scale * v));
    return tail_p(tail, tails.lower, tails.upper);
}

/* Keeps the ranks of nonzero differences, in place. */
static struct rank_test judge(double *ranks, const double *differences, size_t n, int ties,
                              const struct rank_options *options)
{
    struct rank_test test = {.p_value = 1};
    double all = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        if (differences[i] == 0)
            continue;
        all += ranks[i];
        squares += ranks[i] * ranks[i];
        test.statistic += differences[i] > 0 ? ranks[i] : 0;
        ranks[test.n++] = ranks[i];
    }
    if (test.n == 0)
        return test;
    test.effect = (2 * test.statistic - all) / all;
    test.exact = test.n <= EXACT_MAX_RANKS && options->method == RANK_AUTOMATIC;
    test.p_value = test.exact ? exact_p(ranks, test.n, test.statistic, ties, options->tail)
                              : rank_normal_p(test.statistic - all / 2, sqrt(squares / 4), options->tail);
    return test;
}

struct rank_test signed_rank_test(const double *x, const double *y, size_t n, const struct rank_options *options)
{
    const struct rank_options usual = {TAIL_TWO_SIDED, RANK_ZEROS_WILCOXON, RANK_AUTOMATIC};
    struct rank_test test = {.p_value = 1};
    double *differences = xcalloc(3 * n, sizeof *differences), *sizes = differences + n, *ranks = sizes + n;
    size_t left = 0;
    int numbers = 1;
    options = options ? options : &usual;
    for (size_t i = 0; i < n; i++) {
        const double difference = x[i] - y[i];
        numbers &= !isnan(difference);
        if (difference == 0 && options->zeros == RANK_ZEROS_WILCOXON)
            continue;
        differences[left] = difference;
        sizes[left++] = fabs(difference);
    }
    if (numbers) {
        double ties = ranks_of(sizes, left, ranks);
        test = judge(ranks, differences, left, ties > 0, options);
    }
    free(differences);
    return test;
}
