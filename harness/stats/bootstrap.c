/*
 * With n_ib the number of times that resample b has drawn value or cluster i, the statistic of the resample is
 *     t*_b = sum_i n_ib x_i / sum_i n_ib y_i,
 * for a mean with y_i = 1. Sums run over the values in order, so that draws of the same values in another order are
 * bit-identical. With t the statistic of the sample, t*_(1) <= ... <= t*_(B) those of the resamples and t_(-i) that
 * without value i,
 *     z = Phi^-1(share of the t* below t, those equal to it up to rounding counted half),
 *     a = sum l_i^3 / (6 (sum l_i^2)^(3/2)),   l_i = mean of the t_(-j) - t_(-i),
 * and an end of the BCa interval is the quantile Phi(z + (z + z_alpha) / (1 - a (z + z_alpha))) of the t*, z_alpha that
 * of the normal distribution. The ends of the percentile interval are t*_((B + 1) alpha) and t*_((B + 1)(1 - alpha)),
 * alpha = (1 - level) / 2, each rounded outwards to a whole index (Davison and Hinkley 1997, Bootstrap Methods and
 * their Application, 5.3.1).
 *
 * If the clusters are data sets, their values are splits, kernels and targets. Solvers differ between data sets far
 * more than between splits, and splits of one data set overlap, so whole clusters are drawn with all their values.
 * Davison and Hinkley (3.8) show that drawing clusters with replacement, without resampling inside them, gives a
 * variance closer to the true one than resampling at both levels.
 */
#include "harness/stats/bootstrap.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "harness/stats/distributions.h"

struct bootstrap_draws bootstrap_draw(struct pool *pool, size_t n, size_t resamples, unsigned long seed)
{
    assert(resamples >= 10);
    struct bootstrap_draws draws = {n, resamples, pool_array(pool, resamples * n, sizeof(double)),
                                    pool_array(pool, resamples, sizeof(double))};
    gsl_rng *rng = random_numbers(pool, seed);
    for (size_t b = 0; b < resamples; b++)
        for (size_t k = 0; k < n; k++)
            draws.times[b * n + gsl_rng_uniform_int(rng, n)]++;
    return draws;
}

/* The statistic of each resample, NAN where the divisor is 0; y NULL: a mean. */
static void resample(struct bootstrap_draws *draws, const double *x, const double *y)
{
    for (size_t b = 0; b < draws->resamples; b++) {
        const double *times = draws->times + b * draws->n;
        double above = 0, below = y ? 0 : (double)draws->n;
        for (size_t i = 0; i < draws->n; i++) {
            above += times[i] * x[i];
            below += y ? times[i] * y[i] : 0;
        }
        draws->values[b] = below > 0 ? above / below : (double)NAN;
    }
}

/* The sample of a mean. */
struct sample {
    const double *x;
    size_t n;
    double sum, mean;
};

static double acceleration(const struct sample *sample)
{
    const double n = (double)sample->n;
    double mean = 0, squares = 0, cubes = 0;
    for (size_t i = 0; i < sample->n; i++)
        mean += (sample->sum - sample->x[i]) / (n - 1) / n;
    for (size_t i = 0; i < sample->n; i++) {
        double away = mean - (sample->sum - sample->x[i]) / (n - 1);
        squares += away * away;
        cubes += away * away * away;
    }
    return squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
}

/* z, kept finite if all resamples are on one side. Those within 2^-40 of the largest |x| are equal to the mean. */
static double bias(const struct bootstrap_draws *draws, const struct sample *sample)
{
    double below = 0, all = (double)draws->resamples, largest = 0;
    for (size_t i = 0; i < sample->n; i++)
        largest = fmax(largest, fabs(sample->x[i]));
    for (size_t b = 0; b < draws->resamples; b++) {
        double away = draws->values[b] - sample->mean;
        below += fabs(away) <= ldexp(largest, -40) ? 0.5 : away < 0;
    }
    return gsl_cdf_ugaussian_Pinv(fmin(fmax(below, 0.5), all - 0.5) / all);
}

static double quantile(const struct bootstrap_draws *draws, double alpha)
{
    double whole = (double)draws->resamples + 1, place = whole * alpha;
    size_t k = (size_t)place;
    if (k < 1)
        return draws->values[0];
    if (k >= draws->resamples)
        return draws->values[draws->resamples - 1];
    double low = draws->values[k - 1], high = draws->values[k];
    double from = gsl_cdf_ugaussian_Pinv((double)k / whole), to = gsl_cdf_ugaussian_Pinv((double)(k + 1) / whole);
    return place > (double)k ? low + (gsl_cdf_ugaussian_Pinv(alpha) - from) / (to - from) * (high - low) : low;
}

static double end(const struct bootstrap_draws *draws, double z, double a, double alpha)
{
    double sum = z + gsl_cdf_ugaussian_Pinv(alpha), rest = 1 - a * sum;
    if (z == 0 && a == 0)
        return quantile(draws, alpha);
    return quantile(draws, rest > 0 ? gsl_cdf_ugaussian_P(z + sum / rest) : sum > 0); /* past its pole: extreme */
}

struct interval bootstrap_mean(struct bootstrap_draws *draws, const double *x, double level)
{
    const size_t n = draws->n;
    struct sample sample = {.x = x, .n = n};
    int constant = 1;
    assert(level > 0 && level < 1);
    for (size_t i = 0; i < n; i++) {
        sample.sum += x[i];
        constant &= x[i] == x[0];
    }
    if (n == 0 || !isfinite(sample.sum))
        return no_interval;
    if (constant)
        return (struct interval){x[0], x[0], x[0], n > 1 ? level : 0};
    sample.mean = sample.sum / (double)n;
    resample(draws, x, NULL);
    gsl_sort(draws->values, 1, draws->resamples);
    if (!all_finite(draws->values, draws->resamples))
        return no_interval;
    double z = bias(draws, &sample), a = acceleration(&sample), alpha = (1 - level) / 2;
    return (struct interval){sample.mean, end(draws, z, a, alpha), end(draws, z, a, 1 - alpha), level};
}

struct interval bootstrap_percentiles(struct bootstrap_draws *draws, double estimate, double level)
{
    double *values = draws->values;
    size_t n = 0;
    for (size_t b = 0; b < draws->resamples; b++)
        if (!isnan(values[b]))
            values[n++] = values[b];
    if (n == 0)
        return (struct interval){estimate, (double)NAN, (double)NAN, 0};
    gsl_sort(values, 1, n);
    size_t place = (size_t)floor((double)(n + 1) * (1 - level) / 2 + 1e-9); /* 1 - 0.9 is below 0.1 */
    place = place < 1 ? 1 : place;
    return (struct interval){estimate, values[place - 1], values[n - place], level};
}

struct interval bootstrap_ratio(struct bootstrap_draws *draws, const double *x, const double *y, double level)
{
    double x_sum = 0, y_sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < draws->n; i++) {
        x_sum += x[i];
        y_sum += y[i];
        used += y[i] > 0;
    }
    const double estimate = used ? x_sum / y_sum : (double)NAN;
    if (used < 2)
        return (struct interval){estimate, (double)NAN, (double)NAN, 0};
    resample(draws, x, y);
    return bootstrap_percentiles(draws, estimate, level);
}
