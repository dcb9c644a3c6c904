/* Running one job on a prepared unit: a data set's split with its kernel matrix. One unit belongs to one thread. */
#ifndef HULLBENCH_UNIT_H
#define HULLBENCH_UNIT_H

#include "harness/evaluate/judge.h"
#include "harness/run/plan.h"
#include "harness/run/timing.h"

struct unit_run;

/* Gathers the split's training and test patterns. dataset must outlive the unit. gram_bytes: budget of the kernel
 * matrix; many_kernels: keep base values for several kernels. A precomputed kernel needs a square, symmetric table. */
enum status unit_open(struct unit_run **unit, const struct simd *simd, const struct dataset *dataset, size_t split,
                      enum kernel_type type, size_t gram_bytes, int many_kernels, struct error *error);
void unit_close(struct unit_run *unit);

/* From now on idle threads of the caller's team help with long rows and sums of kernel values
 * (solvers/kernel/helpers.h); not where jobs are repeated, since their time is that of one thread. At first none helps.
 * */
void unit_share_work(struct unit_run *unit, const struct config *config);

/* From now on a job continues the run of the job just before it, if it differs from that job by a tighter tolerance
 * alone and if this changes nothing but the time (solve_may_go_on). Jobs that are repeated must not be run on such a
 * unit. */
void unit_keep_runs(struct unit_run *unit);

/* From now on kernel values with the test patterns are kept from one job to the next on the same kernel, if those of
 * all training patterns fit into max_bytes and the kernel is not a plugin's. */
void unit_keep_test_rows(struct unit_run *unit, size_t max_bytes);

/* From now on what the unit spends is added to *spent, until another is named; NULL: it is not measured. */
void unit_measure(struct unit_run *unit, struct stage_times *stage_times);

/* From now on the kernel rows of every solver are checked in every iteration, which changes no result and takes time
 * (harness/evaluate/solver_checks.h). Fails only out of memory. */
enum status unit_check_rows(struct unit_run *unit, struct error *error);

/* What a job gave. */
struct job_result {
    struct solution solution;
    struct judgement judgement;
    double mu_effective; /* NAN where the solver has no mu */
    double error_percent;
    uint64_t operations[PHASE_COUNT], evaluations;
    struct timing timing;
};

/* Solves, judges, rechecks and predicts. trace may be NULL. STATUS_INTERRUPTED when *interrupted became nonzero. A
 * solution whose constraints are violated by more than 1e-9, or with a figure that cannot be, is OUTCOME_FAILED; one
 * whose rule the judge's figures do not bear out is OUTCOME_STALLED. Both say why. So is OUTCOME_FAILED a run with a
 * kernel value or a decision that is not finite; error_percent is NAN where a decision is not.
 *
 * With config->repeats >= 2 the solver is then run again for the times (timing.h), without trace, on the full matrix
 * whose rows are there by now, or from an empty cache of rows each time; every run has the budget for itself. A run
 * whose outcome, iterations, counts or multipliers are not those of the first makes the record OUTCOME_FAILED ("not
 * deterministic"), unless a budget of seconds ended either. What failed is not repeated. */
enum status unit_run_job(struct unit_run *unit, const struct config *config, const struct job *job, struct trace *trace,
                         const volatile sig_atomic_t *interrupted, struct job_result *result, struct error *error);

/* The multipliers of the job run last, one a training pattern; valid until the next. */
const double *unit_alpha(const struct unit_run *unit);

/* One line of records.jsonl (malloc'ed, no newline). */
enum status record_line(const struct config *config, const struct dataset *dataset, const struct job *job,
                        const struct job_result *result, char **line, struct error *error);

/* The beginning of that line, up to and with the comma before "outcome": what names the measurement (malloc'ed). */
enum status record_head(const struct config *config, const struct dataset *dataset, const struct job *job, char **head,
                        struct error *error);

/* The comment lines that head a job's trace: data set, split, solver, parameters. `record` is the job's line of
 * records.jsonl. */
void trace_comment(const struct dataset *dataset, const struct job *job, const char *solver, const char *record,
                   char *text, size_t size);

#endif
