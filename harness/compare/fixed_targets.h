/*
 * What a solver spends until it first reaches a fixed relative duality gap, from the traces of a run folder, as COCO
 * measures optimisers (Hansen, Auger, Ros, Mersmann, Tusar and Brockhoff 2021). A task is a problem (series_set.h) with
 * a target; its cost is the number of kernel operations of the iterations up to the first point of the trace at which
 * gap / |objective| is at or below the target. Traces have a point every 5 % of the iterations, so a cost is too large
 * by up to 5 %.
 */
#ifndef HULLBENCH_FIXED_TARGETS_H
#define HULLBENCH_FIXED_TARGETS_H

#include "harness/compare/series_set.h"

enum { FIXED_TARGETS = 8 };
extern const double fixed_targets[FIXED_TARGETS]; /* 1e-1, ..., 1e-8 */

struct task {
    const char *dataset; /* the record's */
    size_t target;       /* a place in fixed_targets */
    double unit;         /* training patterns of the problem; 1 where run.json does not say */
    double cutoff;       /* the most kernel operations that any series spent on the problem */
};

/* A problem counts if the trace of each of its runs ends at the gap that the judge recomputed, within 5 % of it or of
 * the smallest target; at the end of a run the recomputed gap counts. A task that some run did not reach because its
 * own stopping rule was met before counts for no series, since that run was not asked for it. */
struct fixed_targets {
    struct series_set series;
    struct task *tasks;
    size_t n;
    double *cost;      /* series x tasks; infinite where the target was never reached */
    double *spent;     /* series x tasks: kernel operations of the whole run; the cutoff where a run failed */
    int units_known;    /* nonzero: all units are training patterns */
    size_t n_untraced;  /* problems with a trace that do not count */
    size_t n_not_asked; /* tasks that do not count */
};

/* Takes the records that an entry of kind "runtime-distribution" keeps, or all for NULL, with the traces of their
 * folder. STATUS_BAD_INPUT for a damaged trace. Released with fixed_targets_free, also after an error. */
enum status fixed_targets_take(const struct plot_data *data, const struct cJSON *entry, struct fixed_targets *targets,
                               struct error *error);
void fixed_targets_free(struct fixed_targets *targets);

/* Why they are not shown; NULL if they are. Unasked, without an entry, only two solvers or more with traces of two data
 * sets or more are. */
const char *fixed_targets_obstacle(const struct fixed_targets *targets, const struct cJSON *entry);

/* What a series spent on the tasks of a data set (NULL: of all) with one target, in units of the tasks. */
struct target_costs {
    size_t n, reached;
    double expected;  /* ERT: what all runs spent up to the target, or else in all, over the number that reached it;
                         infinite where none did */
    double penalised; /* PAR-10: mean cost; a target that was not reached costs 10 times the cutoff */
};
struct target_costs fixed_targets_costs(const struct fixed_targets *targets, size_t series, const char *dataset,
                                        size_t target);

#endif
