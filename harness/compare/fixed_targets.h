/*
 * The cost of a solver until it first reaches a fixed relative duality gap, from the traces of a run folder, as COCO
 * measures optimisers (Hansen, Auger, Ros, Mersmann, Tusar and Brockhoff 2021). A task is a problem (series_set.h) with
 * a target; its cost is the number of kernel operations of the iterations up to the first point of the trace at which
 * gap / |objective| is at or below the target. Traces have a point every 5 % of the iterations, so a cost is too large
 * by up to 5 %.
 */
#ifndef HULLBENCH_FIXED_TARGETS_H
#define HULLBENCH_FIXED_TARGETS_H

#include "harness/compare/cube.h"
#include "harness/compare/series_set.h"

enum { FIXED_TARGETS = 8 };
extern const double fixed_targets[FIXED_TARGETS]; /* 1e-1, ..., 1e-8 */

struct task {
    const char *dataset; /* the record's */
    size_t problem;      /* of the series */
    size_t target;       /* index in fixed_targets */
    double unit;         /* training patterns of the problem; 1 if run.json does not say */
};

/* A problem counts if the trace of each of its runs ends at the recomputed gap, within 5 % of it or of the smallest
 * target; at the end of a run the recomputed gap is used. If the stopping rule of some run was met before it reached a
 * task's target, the task counts for no series, since that run did not have to reach it. */
struct fixed_targets {
    struct series_set series;
    struct task *tasks;
    size_t n;
    struct cube cube;         /* series x tasks, in kernel operations; a run that failed spent the limit */
    double *iterations;       /* series x tasks: the same cost in iterations */
    int units_known;          /* nonzero: all units are training patterns */
    size_t n_untraced;        /* excluded problems with a trace */
    size_t n_below_stop_rule; /* excluded tasks */
};

/* Takes the records that an entry of kind "runtime-distribution" selects, or all for NULL, with the traces of their
 * folder. STATUS_BAD_INPUT: a damaged trace. */
struct fixed_targets fixed_targets_take(struct pool *pool, const struct run_view *data, const struct cJSON *entry);

/* Why they are not shown; NULL if they are. Without an entry they need at least two solvers with traces of at least two
 * data sets. */
const char *fixed_targets_obstacle(const struct fixed_targets *targets, const struct cJSON *entry);

/* The costs of a series on the tasks of a data set (NULL: of all) with one target, in units of the tasks. */
struct target_costs {
    size_t n, reached;
    double ert;       /* ERT: the cost of all runs up to the target, or in total if they missed it, over the number that
                         reached it; infinite if none did */
    double penalised; /* PAR-10: mean cost; a missed target costs 10 times the limit */
};
struct target_costs fixed_targets_costs(const struct fixed_targets *targets, size_t series, const char *dataset,
                                        size_t target);

#endif
