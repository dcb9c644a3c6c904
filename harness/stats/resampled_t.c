/*
 * With d_i the n differences, m their mean and s^2 their variance with divisor n - 1,
 *     t = m / sqrt((1/n + test/train) s^2),   n - 1 degrees of freedom.
 * Differences on splits of one data set have a correlation of about r = test/(train + test). The variance of their mean
 * is then (1/n + r/(1-r)) E s^2, with r/(1-r) = test/train. For normal differences of exactly that correlation the test
 * is exact. With a true difference d, t has the noncentrality d / sqrt((1/n + test/train) sd^2).
 *
 * Bayesian correlated t. With m and s^2 the mean and the variance (divisor n - 1) of the differences, the posterior of
 * their expectation under Jeffreys' prior is Student's t with n - 1 degrees of freedom, location m and
 *     scale^2 = s^2 (1/n + overlap),
 * so its tail beyond 0 is the one-sided p of the corrected resampled t test.
 *
 * Bayesian signed rank. The prior of the differences' distribution is a Dirichlet process of strength 1/2 at a
 * pseudo-difference d_0 = 0. A draw from the posterior has weights w ~ Dirichlet(1/2, 1, ..., 1) on d_0, ..., d_n and
 *     lower = sum of w_i w_j over (d_i + d_j)/2 < -rope,   higher = sum of w_i w_j over (d_i + d_j)/2 > rope,
 * and equivalent = 1 - lower - higher; a pair at exactly -rope or rope counts half on both sides of it. A probability
 * is the share of draws in which that sum is the largest of the three; ties are shared. The weights are gamma values
 * that are not divided by their sum, so equivalent is the square of that sum minus lower and higher.
 *
 * Where no mean of two differences is as far from 0 as rope, equivalent is the largest in every draw, and none is made.
 * A draw takes n steps. With the differences in ascending order, the d_j whose mean with d_i exceeds rope are a suffix
 * whose start does not depend on the weights. The weights depend only on n, so tests may share them.
 */
#include "harness/stats/resampled_t.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/pool.h"

static struct resampled_t judge(const struct summary *summary, double spread, enum tail tail, double level)
{
    double deviation = summary->sd * spread, mean = summary->mean, degrees = (double)summary->n - 1;
    struct resampled_t result = {.difference = {mean, mean, mean, level}, .degrees = degrees};
    if (!(deviation > 0)) {
        result.t = mean > 0 ? (double)INFINITY : mean < 0 ? -(double)INFINITY : 0;
        result.p_value = mean == 0 ? 1 : tail_p(tail, mean > 0, mean < 0);
        return result;
    }
    double reach = gsl_cdf_tdist_Pinv((1 + level) / 2, degrees) * deviation;
    result.t = mean / deviation;
    result.p_value = tail_p(tail, gsl_cdf_tdist_P(result.t, degrees), gsl_cdf_tdist_Q(result.t, degrees));
    result.difference.low = mean - reach;
    result.difference.high = mean + reach;
    return result;
}

struct resampled_t resampled_t_test(const double *x, const double *y, size_t n, double overlap, enum tail tail,
                                    double level)
{
    assert(level > 0 && level < 1 && overlap >= 0 && isfinite(overlap));
    double *differences = xcalloc(n, sizeof *differences), largest = 0;
    for (size_t i = 0; i < n; i++) {
        differences[i] = x[i] - y[i];
        largest = fmax(largest, fmax(fabs(x[i]), fabs(y[i])));
    }
    struct summary summary = summary_of(differences, n);
    free(differences);
    if (!isfinite(summary.mean) || (n > 1 && !isfinite(summary.sd)))
        summary.mean = (double)NAN;
    if (n < 2 || isnan(summary.mean))
        return (struct resampled_t){.difference = {summary.mean, summary.mean, summary.mean, 0}, .p_value = 1};
    /* Differences of values up to `largest` carry its rounding error: a mean or sd within ten such errors is 0. */
    const double rounding = 10 * DBL_EPSILON * largest;
    summary.sd = summary.sd <= rounding ? 0 : summary.sd;
    summary.mean = summary.sd == 0 && fabs(summary.mean) <= rounding ? 0 : summary.mean;
    return judge(&summary, sqrt(1 / (double)n + overlap), tail, level);
}

/* ---- Bayesian tests ---- */

/* Draws for more differences, which would take more than 20 MB, are not kept. */
enum { DRAWS = 50000, MAX_KEPT = 50 };

struct bayes_posterior bayes_correlated_t(const double *differences, size_t n, double overlap, double rope)
{
    assert(rope >= 0 && overlap >= 0 && isfinite(overlap));
    const double mean = n < 2 ? (double)NAN : summary_mean(differences, n), sd = summary_sd(differences, n, mean);
    if (!isfinite(mean) || !isfinite(sd))
        return (struct bayes_posterior){(double)NAN, (double)NAN, (double)NAN};
    double scale = sd * sqrt(1 / (double)n + overlap), degrees = (double)n - 1;
    if (!(scale > 0)) { /* all probability at the mean */
        const double half = rope == 0 && mean == 0 ? 0.5 : 0;
        const double lower = mean < -rope ? 1 : half, higher = mean > rope ? 1 : half;
        return (struct bayes_posterior){lower, 1 - lower - higher, higher};
    }
    double lower = gsl_cdf_tdist_P((-rope - mean) / scale, degrees);
    double higher = gsl_cdf_tdist_Q((rope - mean) / scale, degrees);
    return (struct bayes_posterior){lower, rope > 0 ? fmax(1 - lower - higher, 0) : 0, higher};
}

/* d_0 or a difference; all are in ascending order. Its mean with d_j is below -rope for j < below[0] and at most -rope
 * for j < below[1]; it is at least rope for j >= above[0] and above rope for j >= above[1]. */
struct ranked_difference {
    double difference;
    size_t index; /* of the difference in the input; n for d_0 */
    size_t below[2], above[2];
};

struct rank_pairs {
    size_t size; /* n + 1 */
    struct ranked_difference *ranked;
    double *before; /* size + 1: the sum of the weights before an index of `ranked` */
};

static int compare(const void *first, const void *second)
{
    const struct ranked_difference *one = first, *other = second;
    if (one->difference != other->difference)
        return one->difference < other->difference ? -1 : 1;
    return one->index < other->index ? -1 : one->index > other->index;
}

/* The first index whose sum with the difference is above `bound`. */
static size_t first_above(const struct rank_pairs *pairs, double difference, double bound)
{
    size_t place = 0;
    while (place < pairs->size && !(difference + pairs->ranked[place].difference > bound))
        place++;
    return place;
}

/* Sums within 2^-40 of the largest magnitude from -2 rope or 2 rope count as equal to it, to allow for rounding. */
static void find_places(struct rank_pairs *pairs, double rope)
{
    double largest = fmax(fabs(pairs->ranked[0].difference), fabs(pairs->ranked[pairs->size - 1].difference));
    double rounding = fmax(ldexp(fmax(largest, rope), -40), DBL_MIN);
    for (size_t i = 0; i < pairs->size; i++) {
        struct ranked_difference *one = &pairs->ranked[i];
        for (int k = 0; k < 2; k++) {
            one->below[k] = first_above(pairs, one->difference, -2 * rope + (k ? rounding : -rounding));
            one->above[k] = first_above(pairs, one->difference, 2 * rope + (k ? rounding : -rounding));
        }
    }
}

/* Weights by index. */
static void draw_weights(size_t n, double *weights, gsl_rng *rng)
{
    for (size_t i = 0; i < n; i++)
        weights[i] = gsl_ran_exponential(rng, 1);
    double normal = gsl_ran_gaussian(rng, 1);
    weights[n] = normal * normal / 2; /* gamma of shape 1/2 */
}

/* Adds 1 to the largest of the three sums of a draw. */
static void judge_draw(const struct rank_pairs *pairs, const double *weights, struct bayes_posterior *counts)
{
    double *before = pairs->before;
    for (size_t i = 0; i < pairs->size; i++)
        before[i + 1] = before[i] + weights[pairs->ranked[i].index];
    double all = before[pairs->size], lower = 0, higher = 0;
    for (size_t i = 0; i < pairs->size; i++) {
        const struct ranked_difference *one = &pairs->ranked[i];
        double half = weights[one->index] / 2;
        lower += half * (before[one->below[0]] + before[one->below[1]]);
        higher += half * ((all - before[one->above[0]]) + (all - before[one->above[1]]));
    }
    double within = all * all - lower - higher, largest = fmax(fmax(lower, higher), within);
    double winners = (lower == largest) + (within == largest) + (higher == largest);
    counts->lower += (lower == largest) / winners;
    counts->equivalent += (within == largest) / winners;
    counts->higher += (higher == largest) / winners;
}

/* Draws anew what `draws` has not kept. */
static void count_draws(const struct rank_pairs *pairs, struct bayes_draws *draws, struct bayes_posterior *counts)
{
    const size_t n = pairs->size - 1, step = n <= MAX_KEPT ? pairs->size : 0;
    const int is_new = draws->n != n || step == 0;
    struct pool *pool = pool_new();
    gsl_rng *rng = random_numbers(pool, 1);
    if (draws->n != n) {
        free(draws->weights);
        *draws = (struct bayes_draws){n, xcalloc(step ? DRAWS * step : pairs->size, sizeof *draws->weights)};
    }
    *counts = (struct bayes_posterior){0};
    for (size_t draw = 0; draw < DRAWS; draw++) {
        if (is_new)
            draw_weights(n, draws->weights + draw * step, rng);
        judge_draw(pairs, draws->weights + draw * step, counts);
    }
    pool_free(pool);
}

struct bayes_posterior bayes_signed_rank(const double *differences, size_t n, double rope, struct bayes_draws *draws)
{
    assert(rope >= 0);
    if (n == 0 || !all_finite(differences, n))
        return (struct bayes_posterior){(double)NAN, (double)NAN, (double)NAN};
    struct rank_pairs pairs = {n + 1, xcalloc(n + 1, sizeof *pairs.ranked), xcalloc(n + 2, sizeof *pairs.before)};
    struct bayes_posterior counts = {0, DRAWS, 0};
    for (size_t i = 0; i <= n; i++)
        pairs.ranked[i] = (struct ranked_difference){i < n ? differences[i] : 0, i, {0}, {0}};
    qsort(pairs.ranked, pairs.size, sizeof *pairs.ranked, compare);
    find_places(&pairs, rope);
    if (pairs.ranked[0].below[1] > 0 || pairs.ranked[n].above[0] < pairs.size) /* lower and higher may be above 0 */
        count_draws(&pairs, draws, &counts);
    free(pairs.before);
    free(pairs.ranked);
    return (struct bayes_posterior){counts.lower / DRAWS, counts.equivalent / DRAWS, counts.higher / DRAWS};
}

/* ---- power ---- */

double power_t(double sd, size_t n, double overlap, double alpha, double power)
{
    assert(overlap >= 0 && isfinite(overlap) && alpha > 0 && alpha < power && power < 1);
    if (n < 2 || !isfinite(sd))
        return (double)INFINITY;
    return noncentrality_detected((double)n - 1, alpha, power) * sd * sqrt(1 / (double)n + overlap);
}

/* The largest P(V <= v or V >= n(n+1)/2 - v) up to alpha, 0 if there is none; alpha if n is beyond EXACT_MAX_RANKS. */
static double reached_level(size_t n, double alpha)
{
    const size_t half = n * (n + 1) / 4;
    double below = 0, level = 0;
    if (n > EXACT_MAX_RANKS)
        return alpha;
    double *counts = rank_null_signs(n, half);
    for (size_t v = 0; v <= half && below <= alpha; v++) {
        level = below;
        below += ldexp(counts[v], 1 - (int)n);
    }
    free(counts);
    return below <= alpha ? below : level;
}

double power_signed_rank(double sd, size_t n, double alpha, double power)
{
    assert(alpha > 0 && alpha < power && power < 1);
    double level = reached_level(n, alpha), like = 3 * (double)n / M_PI;
    if (level == 0 || !(like > 1) || !isfinite(sd))
        return (double)INFINITY;
    return noncentrality_detected(like - 1, level, power) * sd / sqrt(like);
}
