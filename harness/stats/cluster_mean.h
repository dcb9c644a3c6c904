/* A mean over clusters, such as data sets, with Student's interval and a test of equivalence. */
#ifndef HULLBENCH_CLUSTER_MEAN_H
#define HULLBENCH_CLUSTER_MEAN_H

#include "harness/stats/summary.h"

struct cluster_mean {
    double estimate, error; /* NAN without a cluster, or with fewer than two of them */
    size_t n;               /* clusters with y > 0 */
};

/* sum x / sum y over n clusters: the mean of values whose sum in a cluster is x, and whose number is y; finite, y >= 0.
 * Clusters with y = 0 are ignored. */
struct cluster_mean cluster_mean_of(const double *x, const double *y, size_t n);

/* The two-sided interval of this level, in (0, 1); with fewer than two clusters its ends are NAN, its level 0. */
struct interval cluster_mean_interval(const struct cluster_mean *mean, double level);

/* The p-value of the two one-sided tests that |mean| >= margin > 0 (TOST): if it is at most alpha, the interval of
 * level 1 - 2 alpha lies within -margin ... margin. NAN with fewer than two clusters. */
double cluster_mean_equivalence(const struct cluster_mean *mean, double margin);

/* The two-sided p-value that the mean is 0; NAN with fewer than two clusters. */
double cluster_mean_p(const struct cluster_mean *mean);

#endif
