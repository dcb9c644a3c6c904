/*
 * Series of solvers compared on the same problems, selected by a figure's entry of kind "profile". A problem is a data
 * set and split with a kernel, a mu or C, and a stopping rule (same_problem.h); a series is a solver with its other
 * parameters.
 */
#ifndef HULLBENCH_SERIES_SET_H
#define HULLBENCH_SERIES_SET_H

#include "harness/compare/data.h"
#include "harness/stats/several_solvers.h"

enum { MAX_SERIES = 12, MAX_CHOICE = 64 };

struct series_set {
    struct records records;
    size_t n_series, n_problems;
    const struct record **runs; /* n_series x n_problems; NULL: none */
    const struct record **first; /* of each problem: the first of its records */
    const char **datasets;      /* one per problem */
    const char **labels; /* for display: the solver, with those of its parameters that take several values */
    int too_many;        /* nonzero: there are more than MAX_SERIES series, too many for a figure or ranks; if more than
                          * MAX_CHOICE, only `records` and `budgets` are filled, and runs is NULL */
    size_t n_left_out;              /* problems removed because a series has no record of them */
    const char *gaps;               /* which series lack which problems (coverage.h); NULL: none, or too many */
    const char *budgets;            /* why costs and outcomes cannot be compared (conditions.h), or NULL */
    double *cost;                   /* n_series x n_problems */
};

/* Takes the records that the entry selects, failed ones included, and numbers problems and series in their order.
 * `common`: without the problems of which some series has no record, so that all series are compared on the same
 * ones. */
struct series_set series_set_take(struct pool *pool, const struct run_view *data, const struct cJSON *entry,
                                  int common);
/* Prints "Left out: 3 problems that not all of these solvers ran; A lacks 3 of 40 problems (heart 3 of 20). ", or
 * nothing if no problem was removed. */
void series_set_print_gaps(const struct series_set *set, FILE *stream);

/* Stands in for a field: the compared time (conditions.h). */
#define FIELD_SECONDS ((enum record_field)MEASURE_SECONDS)

/* Fills cost with a field; infinite if a series did not converge on a problem or has no record of it. */
void series_set_fill_costs(struct series_set *set, enum record_field field);

/* ---- ranks ----
 *
 * One cost for each solver and data set. Data sets are the blocks, since splits of one data set overlap. */

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
