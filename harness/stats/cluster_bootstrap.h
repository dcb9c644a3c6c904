/* Bootstrap intervals of shares and means over data sets whose values hang together: the data set is what is drawn. */
#ifndef HULLBENCH_CLUSTER_BOOTSTRAP_H
#define HULLBENCH_CLUSTER_BOOTSTRAP_H

#include <stddef.h>

#include "harness/stats/interval.h"
#include "solvers/error.h"

/* Which clusters each resample has drawn: drawn once, and applied to everything that is computed of these clusters. */
struct cluster_draws {
    size_t clusters, resamples;
    double *times;  /* resamples x clusters: how often the cluster was drawn; owned */
    double *values; /* resamples: room for the statistics; owned */
};

/* Draws `resamples` times as many clusters as there are, with replacement, by gsl_rng_uniform_int of GSL's mt19937 from
 * the seed. STATUS_BAD_INPUT: fewer than 10 resamples. Released with cluster_draws_free, also after an error. */
enum status cluster_draws_make(size_t clusters, size_t resamples, unsigned long seed, struct cluster_draws *draws,
                               struct error *error);
/* Accepts NULL and a zeroed struct. */
void cluster_draws_free(struct cluster_draws *draws);

/* sum x[i] / sum y[i] over the clusters, and its percentile interval of this level (0.95, say): a share, where x[i] of
 * the y[i] values of cluster i have a property, or a mean of values whose sum is x[i]. y is positive or 0, and all is
 * finite. The ends are the (resamples + 1) alpha-th smallest statistics. Clusters with y = 0 are as if they were not
 * there; a resample that has drawn only such is left out. Fewer than two clusters with y > 0: no spread is known, and
 * low and high are NAN, level 0; none: the estimate too. The struct's own memory is used, so one thread calls at a
 * time. */
void cluster_ratio(struct cluster_draws *draws, const double *x, const double *y, double level,
                   struct interval *interval);

/* The same for any numbers that the caller has computed for each resample, in draws->values: NANs are left out, and
 * interval->low, high and level are filled, the estimate is not. Reorders draws->values. */
void cluster_percentiles(struct cluster_draws *draws, double level, struct interval *interval);

#endif
