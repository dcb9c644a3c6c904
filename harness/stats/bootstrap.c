/*
 * With t the statistic of the sample, t*_1 <= ... <= t*_B those of the resamples and t_(-i) that without value i,
 *     z = Phi^-1(share of the t* below t, those equal to it up to rounding counted half),
 *     a = sum l_i^3 / (6 (sum l_i^2)^(3/2)),   l_i = mean of the t_(-j) - t_(-i),
 * and an end of the BCa interval is the quantile Phi(z + (z + z_alpha) / (1 - a (z + z_alpha))) of the t*, z_alpha that
 * of the normal distribution; with z = a = 0 it is the percentile interval.
 *
 * A mean is a ratio whose second sum is the number of values. Sums run over the values in order, so that draws of the
 * same values in another order are bit-identical.
 */
#include "harness/stats/bootstrap.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

struct bootstrap {
    const double *x, *y; /* y NULL: all 1 */
    size_t n, resamples;
    double x_sum, y_sum, estimate;
    double *draws; /* resamples, ascending */
    double *times; /* n: the number of times each value was drawn */
};

static double y_of(const struct bootstrap *bootstrap, size_t i)
{
    return bootstrap->y ? bootstrap->y[i] : 1;
}

/* The sums of the values, weighted by `times`, and their ratio. */
static double statistic(struct bootstrap *bootstrap)
{
    bootstrap->x_sum = bootstrap->y_sum = 0;
    for (size_t i = 0; i < bootstrap->n; i++) {
        bootstrap->x_sum += bootstrap->times[i] * bootstrap->x[i];
        bootstrap->y_sum += bootstrap->times[i] * y_of(bootstrap, i);
    }
    return bootstrap->x_sum / bootstrap->y_sum;
}

/* On return the sums are those of the sample. */
static void draw(struct bootstrap *bootstrap, gsl_rng *rng)
{
    for (size_t b = 0; b < bootstrap->resamples; b++) {
        for (size_t i = 0; i < bootstrap->n; i++)
            bootstrap->times[i] = 0;
        for (size_t k = 0; k < bootstrap->n; k++)
            bootstrap->times[gsl_rng_uniform_int(rng, bootstrap->n)]++;
        bootstrap->draws[b] = statistic(bootstrap);
    }
    gsl_sort(bootstrap->draws, 1, bootstrap->resamples);
    for (size_t i = 0; i < bootstrap->n; i++)
        bootstrap->times[i] = 1;
    bootstrap->estimate = statistic(bootstrap);
}

static double without(const struct bootstrap *bootstrap, size_t i)
{
    return (bootstrap->x_sum - bootstrap->x[i]) / (bootstrap->y_sum - y_of(bootstrap, i));
}

static double acceleration(const struct bootstrap *bootstrap)
{
    double mean = 0, squares = 0, cubes = 0;
    for (size_t i = 0; i < bootstrap->n; i++)
        mean += without(bootstrap, i) / (double)bootstrap->n;
    for (size_t i = 0; i < bootstrap->n; i++) {
        double away = mean - without(bootstrap, i);
        squares += away * away;
        cubes += away * away * away;
    }
    return squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
}

/* The rounding tolerance for draws equal to the estimate: 2^-40 of the largest |x| over the mean of y. */
static double tie_width(const struct bootstrap *bootstrap)
{
    double largest = 0;
    for (size_t i = 0; i < bootstrap->n; i++)
        largest = fmax(largest, fabs(bootstrap->x[i]));
    return ldexp(largest / bootstrap->y_sum * (double)bootstrap->n, -40);
}

/* z, kept finite if all draws are on one side. */
static double bias(const struct bootstrap *bootstrap)
{
    double below = 0, all = (double)bootstrap->resamples, width = tie_width(bootstrap);
    for (size_t b = 0; b < bootstrap->resamples; b++) {
        double away = bootstrap->draws[b] - bootstrap->estimate;
        below += fabs(away) <= width ? 0.5 : away < 0;
    }
    return gsl_cdf_ugaussian_Pinv(fmin(fmax(below, 0.5), all - 0.5) / all);
}

static double quantile(const struct bootstrap *bootstrap, double alpha)
{
    double whole = (double)bootstrap->resamples + 1, place = whole * alpha;
    size_t k = (size_t)place;
    if (k < 1)
        return bootstrap->draws[0];
    if (k >= bootstrap->resamples)
        return bootstrap->draws[bootstrap->resamples - 1];
    double low = bootstrap->draws[k - 1], high = bootstrap->draws[k];
    double from = gsl_cdf_ugaussian_Pinv((double)k / whole), to = gsl_cdf_ugaussian_Pinv((double)(k + 1) / whole);
    return place > (double)k ? low + (gsl_cdf_ugaussian_Pinv(alpha) - from) / (to - from) * (high - low) : low;
}

static double end(const struct bootstrap *bootstrap, double z, double a, double alpha)
{
    double sum = z + gsl_cdf_ugaussian_Pinv(alpha), rest = 1 - a * sum;
    if (z == 0 && a == 0)
        return quantile(bootstrap, alpha);
    return quantile(bootstrap, rest > 0 ? gsl_cdf_ugaussian_P(z + sum / rest) : sum > 0); /* past its pole: extreme */
}

static enum status resample(struct bootstrap *bootstrap, enum bootstrap_method method, unsigned long seed,
                            struct interval *interval, struct error *error)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    bootstrap->draws = calloc(bootstrap->resamples + bootstrap->n, sizeof *bootstrap->draws);
    int there = rng && bootstrap->draws;
    if (there) {
        double alpha = (1 - interval->level) / 2;
        bootstrap->times = bootstrap->draws + bootstrap->resamples;
        gsl_rng_set(rng, seed);
        draw(bootstrap, rng);
        double z = method == BOOTSTRAP_BCA ? bias(bootstrap) : 0;
        double a = method == BOOTSTRAP_BCA ? acceleration(bootstrap) : 0;
        *interval = (struct interval){bootstrap->estimate, end(bootstrap, z, a, alpha), end(bootstrap, z, a, 1 - alpha),
                                      interval->level};
    }
    gsl_rng_free(rng);
    free(bootstrap->draws);
    if (there && !(isfinite(interval->estimate) && isfinite(interval->low) && isfinite(interval->high)))
        return error_set(error, STATUS_BAD_INPUT, "bootstrap: the values are too large to add");
    return there ? STATUS_OK
                 : error_set(error, STATUS_NO_MEMORY, "bootstrap of %zu values: out of memory", bootstrap->n);
}

static enum status check(const double *x, const double *y, size_t n, const struct bootstrap_options *options,
                         struct error *error)
{
    if (!(options->level > 0 && options->level < 1) || options->resamples < 10)
        return error_set(error, STATUS_BAD_INPUT,
                         "bootstrap: level %g and %zu resamples; between 0 and 1, and 10 or more, are allowed",
                         options->level, options->resamples);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            return error_set(error, STATUS_BAD_INPUT, "bootstrap: x %zu of %zu is %g, not finite", i, n, x[i]);
        if (y && !(y[i] > 0 && isfinite(y[i])))
            return error_set(error, STATUS_BAD_INPUT, "bootstrap: y %zu of %zu is %g, not positive and finite", i, n,
                             y[i]);
    }
    return STATUS_OK;
}

static enum status bootstrap_of(const double *x, const double *y, size_t n, const struct bootstrap_options *asked,
                                struct interval *interval, struct error *error)
{
    struct bootstrap_options options = asked ? *asked : (struct bootstrap_options){0};
    options.level = options.level != 0 ? options.level : 0.95;
    options.resamples = options.resamples ? options.resamples : 1999;
    options.seed = options.seed ? options.seed : 1;
    *interval = (struct interval){(double)NAN, (double)NAN, (double)NAN, 0};
    enum status status = check(x, y, n, &options, error);
    if (status != STATUS_OK || n == 0)
        return status;
    int constant = 1;
    for (size_t i = 1; i < n; i++)
        constant &= x[i] == x[0] && (!y || y[i] == y[0]);
    double first = x[0] / (y ? y[0] : 1);
    *interval = (struct interval){first, first, first, n > 1 ? options.level : 0};
    if (constant)
        return STATUS_OK;
    struct bootstrap bootstrap = {.x = x, .y = y, .n = n, .resamples = options.resamples};
    return resample(&bootstrap, options.method, options.seed, interval, error);
}

enum status bootstrap_mean(const double *x, size_t n, const struct bootstrap_options *options,
                           struct interval *interval, struct error *error)
{
    return bootstrap_of(x, NULL, n, options, interval, error);
}

enum status bootstrap_ratio_of_means(const double *x, const double *y, size_t n,
                                     const struct bootstrap_options *options, struct interval *interval,
                                     struct error *error)
{
    return bootstrap_of(x, y, n, options, interval, error);
}

/* logs[i] = log(x[i] / y[i]), computed as log x - log y, by libm. */
static enum status log_ratios(const double *x, const double *y, size_t n, double *logs, struct error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0 && isfinite(x[i]) && y[i] > 0 && isfinite(y[i])))
            return error_set(error, STATUS_BAD_INPUT,
                             "geometric mean: ratio %zu of %zu is %g / %g, not of positive and finite numbers", i, n,
                             x[i], y[i]);
        logs[i] = x[i] == y[i] ? 0 : log(x[i]) - log(y[i]);
    }
    return STATUS_OK;
}

enum status bootstrap_geometric_ratio(const double *x, const double *y, size_t n,
                                      const struct bootstrap_options *options, struct interval *interval,
                                      struct error *error)
{
    double *logs = calloc(n + 1, sizeof *logs);
    if (!logs)
        return error_set(error, STATUS_NO_MEMORY, "bootstrap of %zu pairs: out of memory", n);
    enum status status = log_ratios(x, y, n, logs, error);
    if (status == STATUS_OK)
        status = bootstrap_of(logs, NULL, n, options, interval, error);
    free(logs);
    if (status == STATUS_OK)
        *interval =
            (struct interval){exp(interval->estimate), exp(interval->low), exp(interval->high), interval->level};
    return status;
}
