/*
 * The clusters are data sets; their values are splits, kernels and targets. Solvers differ between data sets far more
 * than between splits, and splits of one data set overlap, so whole clusters are drawn with all their values. Davison
 * and Hinkley (1997, Bootstrap Methods and their Application, 3.8) show that drawing clusters with replacement, without
 * resampling inside them, gives a variance closer to the true one than resampling at both levels.
 *
 * With n_ib the number of times that resample b has drawn cluster i, the statistic is
 *     t*_b = sum_i n_ib x_i / sum_i n_ib y_i,
 * and the ends of the interval are t*_((B + 1) alpha) and t*_((B + 1)(1 - alpha)), alpha = (1 - level) / 2, each
 * rounded outwards to a whole index (their 5.3.1).
 */
#include "harness/stats/cluster_bootstrap.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum status cluster_draws_make(size_t clusters, size_t resamples, unsigned long seed, struct cluster_draws *draws,
                               struct error *error)
{
    *draws = (struct cluster_draws){.clusters = clusters, .resamples = resamples};
    if (resamples < 10)
        return error_set(error, STATUS_BAD_INPUT, "bootstrap: %zu resamples; 10 or more are allowed", resamples);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    draws->times = calloc(resamples * clusters + 1, sizeof *draws->times);
    draws->values = calloc(resamples, sizeof *draws->values);
    if (!rng || !draws->times || !draws->values) {
        gsl_rng_free(rng);
        return error_set(error, STATUS_NO_MEMORY, "bootstrap of %zu data sets: out of memory", clusters);
    }
    gsl_rng_set(rng, seed);
    for (size_t b = 0; b < resamples; b++)
        for (size_t k = 0; k < clusters; k++)
            draws->times[b * clusters + gsl_rng_uniform_int(rng, clusters)]++;
    gsl_rng_free(rng);
    return STATUS_OK;
}

void cluster_draws_free(struct cluster_draws *draws)
{
    if (!draws)
        return;
    free(draws->times);
    free(draws->values);
    *draws = (struct cluster_draws){0};
}

void cluster_percentiles(struct cluster_draws *draws, double level, struct interval *interval)
{
    double *values = draws->values;
    size_t n = 0;
    for (size_t b = 0; b < draws->resamples; b++)
        if (!isnan(values[b]))
            values[n++] = values[b];
    interval->low = interval->high = (double)NAN;
    interval->level = 0;
    if (n == 0)
        return;
    gsl_sort(values, 1, n);
    size_t place = (size_t)floor((double)(n + 1) * (1 - level) / 2);
    place = place < 1 ? 1 : place;
    interval->low = values[place - 1];
    interval->high = values[n - place];
    interval->level = level;
}

void cluster_ratio(struct cluster_draws *draws, const double *x, const double *y, double level,
                   struct interval *interval)
{
    const size_t n = draws->clusters;
    double x_sum = 0, y_sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        x_sum += x[i];
        y_sum += y[i];
        used += y[i] > 0;
    }
    *interval = (struct interval){used ? x_sum / y_sum : (double)NAN, (double)NAN, (double)NAN, 0};
    if (used < 2)
        return;
    for (size_t b = 0; b < draws->resamples; b++) {
        const double *times = draws->times + b * n;
        double above = 0, below = 0;
        for (size_t i = 0; i < n; i++) {
            above += times[i] * x[i];
            below += times[i] * y[i];
        }
        draws->values[b] = below > 0 ? above / below : (double)NAN;
    }
    cluster_percentiles(draws, level, interval);
}
