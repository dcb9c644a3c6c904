/*
 * Series (series_set.h) in the form that ranks need: one cost for each solver and data set. Data sets are the blocks,
 * since splits of one data set overlap.
 */
#ifndef HULLBENCH_RANKS_H
#define HULLBENCH_RANKS_H

#include <stdio.h>

#include "harness/compare/series_set.h"
#include "harness/stats/several_solvers.h"

struct rank_blocks {
    struct series_set series; /* on the problems that all of them have */
    size_t n; /* data sets */
    const char **datasets;
    size_t *block_of;      /* the data set of each problem of the series */
    double *costs;         /* series x data sets: costs[series * n + data set] */
};

/* Takes the records that an entry of kind "critical-difference" selects; NULL for all. */
struct rank_blocks rank_blocks_take(struct pool *pool, const struct run_view *data, const struct cJSON *entry);

/* Why they are not ranked; NULL if they are. Without an entry, ranks need at least three solvers on five data sets. */
const char *rank_blocks_obstacle(const struct rank_blocks *blocks, const struct cJSON *entry);

/* The metrics that can be ranked, and whether an entry (or NULL) selects one: all, or its "metric". */
enum { RANK_METRICS = 3 };
extern const enum record_field rank_metrics[RANK_METRICS];
int rank_metric_wanted(const struct cJSON *entry, enum record_field field);

/* The ranking for a metric: Friedman's test, Nemenyi's at 5 % and signed-rank tests of all pairs, adjusted by Holm. */
#define RANKING_LEVEL 0.05
struct ranking {
    enum record_field field;
    struct friedman friedman;
    double difference;        /* Nemenyi's critical difference */
    size_t order[MAX_SERIES]; /* the best mean rank first */
    struct rank_group groups[MAX_SERIES];
    size_t n_groups;
    struct pair_test pairs[MAX_SERIES * MAX_SERIES]; /* [a * solvers + b]: series a against b */
};

/* Fills the costs with one number per data set, over its problems, and ranks them: the mean test error, or the mean
 * logarithm of iterations or kernel operations, which ranks like their geometric mean, so that all levels of C have
 * equal weight. It is infinite, and so ranked last, if a run did not converge. */
void ranking_make(struct pool *pool, struct rank_blocks *blocks, enum record_field field, struct ranking *ranking);

/* Whether Nemenyi's test separates two series, and whether their signed-rank test does. */
int ranking_nemenyi_separates(const struct ranking *ranking, size_t a, size_t b);
int ranking_signed_rank_separates(const struct ranking *ranking, size_t a, size_t b);
/* Prints how many pairs each test separates, and on which pairs they disagree. */
void ranking_print_pairs(const struct ranking *ranking, const struct rank_blocks *blocks, FILE *stream);

#endif
