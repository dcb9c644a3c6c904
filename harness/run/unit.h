/* Runs jobs on a prepared unit: one split of a data set with its kernel matrix. Each unit is used by one thread. */
#ifndef HULLBENCH_UNIT_H
#define HULLBENCH_UNIT_H

#include "harness/evaluate/session.h"
#include "harness/run/plan.h"
#include "harness/run/timing.h"

struct split_session {
    struct session *session;
    struct timing timing; /* of the last job */
    const struct dataset *dataset;
    const struct split *split;
    uint64_t rows_hash;
    signed char *y;         /* labels of the training and then of the test patterns */
    struct patterns scaled; /* these patterns in that order, of a set with scale_by_training; else zeroed */
    size_t *rows;           /* those of `scaled` */
};

/* Collects the split's training and test patterns, standardised if the set has scale_by_training. dataset must outlive
 * the unit, which the pool closes. The other arguments are those of session_open. */
struct split_session *unit_open(struct pool *pool, const struct simd *simd, const struct dataset *dataset, size_t split,
                                enum kernel_type type, size_t gram_bytes, int many_kernels);

/* Hash of the rows of a split's training and then test patterns, with their labels, as the data set holds them. */
uint64_t unit_rows_hash(const struct dataset *dataset, const struct split *split);
/* The solver's budget on so many training patterns; it has kernel operations also if they are given in matrices of N^2,
 * whichever limit is tighter. */
struct budget unit_budget(const struct config_solver *solver, size_t n_train);

/* Runs a job of the plan (session_run). trace may be NULL. Messages begin with data set and split.
 * STATUS_INTERRUPTED if *interrupted becomes nonzero.
 *
 * With config->repeats >= 2 the solver then runs again to measure times (timing.h, session_repeat). Failed jobs are not
 * repeated. */
void unit_run_job(struct split_session *unit, const struct config *config, const struct job *job, struct trace *trace,
                  const volatile sig_atomic_t *interrupted, struct job_result *result);

/* The same, but if the solver or its rule is from a plugin, in a process of its own (isolated_job.c); session_alpha is
 * not that of such a job. If the process ends early, the result is OUTCOME_FAILED with a reason such as "SIGSEGV in
 * update, iteration 3", and all figures are NAN. */
void isolated_run_job(struct split_session *unit, const struct config *config, const struct job *job,
                      struct trace *trace, const volatile sig_atomic_t *interrupted, struct job_result *result);

/* How long, in seconds, one call of such a solver may take; 600 at first. Call it before threads start. */
void isolated_with_patience(double seconds);

#endif
