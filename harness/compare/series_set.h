/*
 * Series of solvers compared on the same problems, selected by a figure's entry of kind "profile". A problem is a data
 * set and split with a kernel, a mu or C, and a stopping rule (same_problem.h); a series is a solver with its other
 * parameters.
 */
#ifndef HULLBENCH_SERIES_SET_H
#define HULLBENCH_SERIES_SET_H

#include <stdio.h>

#include "harness/base/pool.h"
#include "harness/compare/data.h"

enum { MAX_SERIES = 12 };

struct series_set {
    struct records records;
    size_t n_series, n_problems;
    const struct record **runs; /* n_series x n_problems; NULL: none */
    const struct record **first; /* of each problem: the first of its records */
    const char **datasets;      /* one per problem */
    const char *labels[MAX_SERIES]; /* for display: the solver, with those of its parameters that take several values */
    int too_many;                   /* nonzero: there are more than MAX_SERIES series, and only `records` is filled */
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
#endif
