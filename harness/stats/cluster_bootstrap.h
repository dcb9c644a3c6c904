/* Bootstrap intervals of shares and means over data sets with dependent values: resamples draw whole data sets. */
#ifndef HULLBENCH_CLUSTER_BOOTSTRAP_H
#define HULLBENCH_CLUSTER_BOOTSTRAP_H

#include <stddef.h>

#include "harness/stats/interval.h"
#include "solvers/error.h"

/* The clusters that each resample has drawn: drawn once, and used for all statistics of these clusters. */
struct cluster_draws {
    size_t clusters, resamples;
    double *times;  /* resamples x clusters: how often the cluster was drawn; owned */
    double *values; /* resamples: space for the statistics; owned */
};

/* Makes `resamples` draws of as many clusters as there are, with replacement, by gsl_rng_uniform_int of GSL's mt19937
 * from the seed. STATUS_BAD_INPUT: fewer than 10 resamples. Release with cluster_draws_free, also after an error. */
enum status cluster_draws_make(size_t clusters, size_t resamples, unsigned long seed, struct cluster_draws *draws,
                               struct error *error);
/* Accepts NULL and a zeroed struct. */
void cluster_draws_free(struct cluster_draws *draws);

/* sum x[i] / sum y[i] over the clusters, and its percentile interval of this level (such as 0.95): a share, if x[i] of
 * the y[i] values of cluster i have a property, or a mean of values whose sum is x[i]. y must be positive or 0, and all
 * values finite. The ends are the (resamples + 1) alpha-th smallest statistics. Clusters with y = 0 are ignored; a
 * resample with only such clusters is left out. With fewer than two clusters with y > 0, low and high are NAN and level
 * is 0; with none, the estimate is NAN too. Uses the struct's memory, so it is not thread-safe. */
void cluster_ratio(struct cluster_draws *draws, const double *x, const double *y, double level,
                   struct interval *interval);

/* The same for statistics that the caller has computed for each resample, in draws->values: NANs are left out. Fills
 * interval->low, high and level but not the estimate. Reorders draws->values. */
void cluster_percentiles(struct cluster_draws *draws, double level, struct interval *interval);

#endif
