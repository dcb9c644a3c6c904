/* Runs jobs on one training set with its kernel matrix: solves, judges, rechecks and predicts. It knows arrays alone.
 * Each session is used by one thread. */
#ifndef HULLBENCH_SESSION_H
#define HULLBENCH_SESSION_H

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"

struct session;

/* Defaults of configurations and of the library. */
#define USUAL_SUPPORT_THRESHOLD 1e-6
enum { USUAL_GRAM_MEGABYTES = 512 };

/* The patterns and their labels, +1 and -1. Arrays and name are borrowed until session_close. */
struct session_data {
    const char *name;         /* for messages; with `number`, also for the message about a crash (running.h) */
    size_t number;            /* of the split, from 1 */
    struct patterns patterns; /* of a precomputed kernel, its square, symmetric table */
    const size_t *train, *test; /* rows of `patterns` */
    size_t n_train, n_test;
    const signed char *train_y, *test_y;
};

/* gram_bytes: limit of the kernel matrix; many_kernels: keep base values for several. Fails only when out of memory. */
enum status session_open(struct session **session, const struct simd *simd, const struct session_data *data,
                         enum kernel_type type, size_t gram_bytes, int many_kernels, struct error *error);
/* Accepts NULL. */
void session_close(struct session *session);

/* Lets idle threads of the caller's team help with jobs on many patterns (solvers/kernel/helpers.h); initially none. */
void session_share_work(struct session *session, int is_shared);

/* Lets a job continue the run of the previous job if it differs only by a tighter tolerance and if this changes nothing
 * but the time (solve_may_go_on). Such a session must not repeat jobs. */
void session_keep_runs(struct session *session);

/* Keeps kernel values with the test patterns between jobs on the same kernel, if the values for all training patterns
 * fit into max_bytes and the kernel is not from a plugin. */
void session_keep_test_rows(struct session *session, size_t max_bytes);

/* Adds the session's times to *stage_times from now on; NULL: records no times. */
void session_measure(struct session *session, struct stage_times *stage_times);

/* Checks every solver's kernel rows in every iteration from now on. This changes no result but takes time
 * (harness/evaluate/solver_checks.h). Fails only when out of memory. */
enum status session_check_rows(struct session *session, struct error *error);

/* Sets the kernel of the following jobs. STATUS_BAD_INPUT if a plugin's kernel breaks its rules (kernel_check). */
enum status session_set_kernel(struct session *session, const struct kernel *kernel, struct error *error);

struct job_request {
    const struct solver *solver;
    const struct parameters *parameters;
    int mu_of_c; /* mu is that of the parameter C; otherwise the parameter mu, raised to at least 1 / min(N+, N-) */
    struct stop stop;
    struct budget budget;
    double support_threshold; /* larger multipliers belong to support vectors */
    int middle_bias;          /* hulls: use the plane through the middle of the margin */
    struct trace *trace;      /* NULL: none */
    const volatile sig_atomic_t *interrupted; /* may be NULL */
};

/* The result of a job. */
struct job_result {
    struct solution solution;
    struct judgement judgement;
    double mu_effective;  /* NAN if the solver has no mu */
    double error_percent; /* of the test patterns; NAN without any */
    uint64_t operations[PHASE_COUNT], evaluations;
    int is_lost; /* the run ended without a result: only the solution is known */
};

/* Solves, judges, rechecks and predicts, after session_set_kernel. STATUS_INTERRUPTED if *interrupted becomes nonzero.
 * OUTCOME_FAILED, with a reason: constraints are violated by more than 1e-9, a value is impossible, or a kernel value
 * or a decision is not finite; error_percent is NAN if a decision is not. OUTCOME_STALLED, with a reason: the judge's
 * values do not confirm that the stopping rule was met. Messages do not name the data. */
enum status session_run(struct session *session, const struct job_request *job, struct job_result *result,
                        struct error *error);

/* Runs the solver of the last job once more, for its times in *again: without trace, on the full matrix, whose rows
 * exist by then, or with an empty row cache; the budget applies to each run. If outcome, iterations, counts or
 * multipliers differ from the first run, *first becomes OUTCOME_FAILED ("not deterministic"), unless a budget of
 * seconds ended either. */
enum status session_repeat(struct session *session, const struct job_request *job, struct job_result *first,
                           struct solution *again, struct error *error);

/* The decisions sum alpha_i y_i k(x_i, x) + bias on the test patterns, one each; valid until the next call. */
const double *session_decide(struct session *session, const double *alpha, double bias);

/* The multipliers of the last job, one per training pattern; valid until the next job. */
const double *session_alpha(const struct session *session);

/*
 * The mu that corresponds to C. The linear penalty C sum xi and mu-reduced hulls have the same solution up to scale if
 *
 *     mu = 2 C / sum alpha,    alpha the solution of the C-SVM
 *
 * (Lopez, Barbero and Dorronsoro 2011, eq. 19). In each class alpha sums to half of sum alpha, so 2 alpha / sum alpha
 * is a point of the hulls, with no weight above mu. W and sum xi are the same for every solution of the C-SVM, and sum
 * alpha = |W|^2 + C sum xi. So C determines mu even if alpha is not unique, and whether or not a multiplier is at its
 * bound.
 */

/* mu is unknown if the C-SVM's optimality conditions are violated by more than this, in units of y (W . X + b). */
#define MU_OF_C_MAX_VIOLATION 1e-6
/* A value for max_iterations. */
#define MU_OF_C_MAX_ITERATIONS 20000000

struct mu_of_c {
    double mu; /* at most 1, since no weight can be larger; not raised to give nonempty hulls */
    double kkt_violation;
    uint64_t iterations;
    int is_known; /* zero if the violation is above MU_OF_C_MAX_VIOLATION or kernel values are not finite */
};

/* Solves the C-SVM with the C of judging->problem on the oracle, whose counts and rows change, until the violation is
 * 1e-10 or for max_iterations. The result does not depend on threads, matrix memory or vector width. alpha: n doubles
 * of scratch. STATUS_INTERRUPTED if *interrupted becomes nonzero. */
enum status mu_of_c_find(const struct judging *judging, struct oracle *oracle, uint64_t max_iterations, double *alpha,
                         const volatile sig_atomic_t *interrupted, struct mu_of_c *found, struct error *error);

#endif
