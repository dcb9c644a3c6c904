/* Runs jobs on a prepared unit: one split of a data set with its kernel matrix. Each unit is used by one thread. */
#ifndef HULLBENCH_UNIT_H
#define HULLBENCH_UNIT_H

#include "harness/evaluate/judge.h"
#include "harness/run/plan.h"
#include "harness/run/timing.h"

struct unit_run;

/* Collects the split's training and test patterns, standardised if the set has scale_by_training. dataset must outlive
 * the unit. gram_bytes: memory limit of the kernel matrix; many_kernels: keep base values for several kernels. A
 * precomputed kernel needs a square, symmetric table. */
enum status unit_open(struct unit_run **unit, const struct simd *simd, const struct dataset *dataset, size_t split,
                      enum kernel_type type, size_t gram_bytes, int many_kernels, struct error *error);
void unit_close(struct unit_run *unit);

/* Lets idle threads of the caller's team help with long rows and sums of kernel values (solvers/kernel/helpers.h),
 * unless jobs are repeated, because repeated times are those of one thread. Initially no thread helps. */
void unit_share_work(struct unit_run *unit, const struct config *config);

/* Lets a job continue the run of the previous job if it differs only by a tighter tolerance and if this changes nothing
 * but the time (solve_may_go_on). Such a unit must not run repeated jobs. */
void unit_keep_runs(struct unit_run *unit);

/* Keeps kernel values with the test patterns between jobs on the same kernel, if the values for all training patterns
 * fit into max_bytes and the kernel is not from a plugin. */
void unit_keep_test_rows(struct unit_run *unit, size_t max_bytes);

/* Adds the unit's times to *stage_times from now on; NULL: records no times. */
void unit_measure(struct unit_run *unit, struct stage_times *stage_times);

/* Checks every solver's kernel rows in every iteration from now on. This changes no result but takes time
 * (harness/evaluate/solver_checks.h). Fails only when out of memory. */
enum status unit_check_rows(struct unit_run *unit, struct error *error);

/* The result of a job. */
struct job_result {
    struct solution solution;
    struct judgement judgement;
    double mu_effective; /* NAN if the solver has no mu */
    double error_percent;
    uint64_t operations[PHASE_COUNT], evaluations;
    struct timing timing;
};

/* Solves, judges, rechecks and predicts. trace may be NULL. STATUS_INTERRUPTED if *interrupted becomes nonzero.
 * OUTCOME_FAILED, with a reason: constraints are violated by more than 1e-9, a value is impossible, or a kernel value
 * or a decision is not finite; error_percent is NAN if a decision is not. OUTCOME_STALLED, with a reason: the judge's
 * values do not confirm that the stopping rule was met.
 *
 * With config->repeats >= 2 the solver then runs again to measure times (timing.h), without trace, on the full matrix,
 * whose rows exist by then, or with an empty row cache each time; the budget applies to each run. If a run differs from
 * the first in outcome, iterations, counts or multipliers, the record becomes OUTCOME_FAILED ("not deterministic"),
 * unless a budget of seconds ended either run. Failed jobs are not repeated. */
enum status unit_run_job(struct unit_run *unit, const struct config *config, const struct job *job, struct trace *trace,
                         const volatile sig_atomic_t *interrupted, struct job_result *result, struct error *error);

/* The multipliers of the last job, one per training pattern; valid until the next job. */
const double *unit_alpha(const struct unit_run *unit);

/* The number under "schema" in a record. In schema 1, kernel_evaluations counted n for each entry of the diagonal. */
enum { RECORD_SCHEMA = 2 };

/* One line of records.jsonl (malloc'ed, no newline). */
enum status record_line(const struct config *config, const struct dataset *dataset, const struct job *job,
                        const struct job_result *result, char **line, struct error *error);

/* The beginning of that line, up to and including the comma before "outcome", which identifies the measurement
 * (malloc'ed). */
enum status record_head(const struct config *config, const struct dataset *dataset, const struct job *job, char **head,
                        struct error *error);

/* Prints the comment lines at the head of a job's trace: data set, split, solver, parameters. `record` is the job's
 * line of records.jsonl. */
void trace_comment(const struct dataset *dataset, const struct job *job, const char *solver, const char *record,
                   char *text, size_t size);

#endif
