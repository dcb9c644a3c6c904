/*
 * Jobs of plugins, in a process of their own, so that a solver or a stopping rule that crashes, ends the process,
 * exhausts the memory or never returns costs one job. The process is a copy of this one; the kernel values that it
 * computes are lost with it. Solvers that are programs have a process anyway (harness/programs/).
 */
#ifndef HULLBENCH_ISOLATED_JOB_H
#define HULLBENCH_ISOLATED_JOB_H

#include "harness/run/unit.h"

/* unit_run_job, but if the solver or its rule is from a plugin, in a process of its own; session_alpha is not that of
 * such a job. If the process ends early, the result is OUTCOME_FAILED with a reason such as "SIGSEGV in update,
 * iteration 3", and all figures are NAN. */
void isolated_run_job(struct split_session *unit, const struct config *config, const struct job *job,
                      struct trace *trace, const volatile sig_atomic_t *interrupted, struct job_result *result);

/* How long, in seconds, one call of such a solver may take; 600 at first. Call it before threads start. */
void isolated_with_patience(double seconds);

#endif
