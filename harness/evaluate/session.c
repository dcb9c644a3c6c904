/*
 * Runs jobs on one training set (session.h). If mu is below 1 / min(N+, N-) it is raised to that value, so that the
 * reduced hulls are not empty (Lopez, Barbero and Dorronsoro 2011, Section 5).
 */
#include "harness/evaluate/session.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/recheck.h"
#include "harness/evaluate/running.h"
#include "solvers/kernel/helpers.h"

enum { MIN_HELPED = 512 }; /* patterns; jobs on fewer have nothing that is worth dividing */

/* The mu that belongs to a C, for the session's current kernel. */
struct known_mu {
    double c;
    struct mu_of_c found;
};

struct session {
    struct session_data data;
    struct points train, test;
    struct gram *gram;
    struct oracle *oracle;
    struct kernel kernel;
    int has_kernel, shares_work;
    double *alpha, *coefficient, *products, *scratch; /* n_train padded */
    double *decision;                                 /* n_test padded */
    struct stage_times *stage_times;                  /* NULL: not recorded */
    struct kept_rows test_rows;                       /* for `kernel`; zeroed: not kept */
    int keeps_runs;                                   /* see session_keep_runs */
    struct solve_run *kept;                           /* of the last job, for the current kernel; NULL: none */
    struct known_mu *mus;                             /* for the current kernel, in the order found */
    size_t n_mus;
    struct problem problem; /* of the last job */
    enum outcome unjudged;  /* the outcome of its first run */
    size_t runs;            /* of the last job */
};

static enum status allocate(struct session *session, struct error *error)
{
    const size_t n = session->data.n_train, t = session->data.n_test;
    session->alpha = simd_doubles(n);
    session->coefficient = simd_doubles(n);
    session->products = simd_doubles(n);
    session->scratch = simd_doubles(n);
    session->decision = simd_doubles(t);
    if (!session->alpha || !session->coefficient || !session->products || !session->scratch || !session->decision)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory for a split of %zu and %zu patterns",
                         session->data.name, n, t);
    return STATUS_OK;
}

enum status session_open(struct session **out, const struct simd *simd, const struct session_data *data,
                         enum kernel_type type, size_t gram_bytes, int many_kernels, struct error *error)
{
    *out = NULL;
    enum status status;
    struct session *session = calloc(1, sizeof *session);
    if (!session)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", data->name);
    session->data = *data;
    if ((status = allocate(session, error)) != STATUS_OK ||
        (status = points_create(&session->train, type, data->patterns, data->train, data->n_train, error)) !=
            STATUS_OK ||
        (status = points_create(&session->test, type, data->patterns, data->test, data->n_test, error)) !=
            STATUS_OK ||
        (status = gram_create(&session->gram, simd, &session->train, gram_bytes, many_kernels, error)) != STATUS_OK ||
        (status = oracle_create(&session->oracle, session->gram, error)) != STATUS_OK) {
        session_close(session);
        return status;
    }
    *out = session;
    return STATUS_OK;
}

static void end_kept_run(struct session *session)
{
    solve_end(session->kept);
    session->kept = NULL;
}

void session_close(struct session *session)
{
    if (!session)
        return;
    end_kept_run(session);
    kept_rows_free(&session->test_rows);
    oracle_free(session->oracle);
    gram_free(session->gram);
    points_free(&session->train);
    points_free(&session->test);
    free(session->alpha);
    free(session->coefficient);
    free(session->products);
    free(session->scratch);
    free(session->decision);
    free(session->mus);
    free(session);
}

void session_share_work(struct session *session, int is_shared)
{
    session->shares_work = is_shared;
}

void session_keep_runs(struct session *session)
{
    session->keeps_runs = 1;
}

void session_keep_test_rows(struct session *session, size_t max_bytes)
{
    const size_t max_values = max_bytes / sizeof(double), n = session->train.n, t = session->test.n_padded;
    if (session->test_rows.values || n == 0 || t == 0 || n > max_values / t)
        return;
    /* when out of memory, each job computes its own rows */
    (void)kept_rows_create(&session->test_rows, n, &session->test);
}

void session_measure(struct session *session, struct stage_times *stage_times)
{
    session->stage_times = stage_times;
}

enum status session_check_rows(struct session *session, struct error *error)
{
    return oracle_check_rows(session->oracle, 1, error);
}

/* Percentage of misclassified test patterns; a decision of exactly 0 counts as +1. NAN if a decision is not finite. */
static double error_percent(const struct session *session)
{
    size_t wrong = 0, n = session->data.n_test;
    for (size_t t = 0; t < n; t++) {
        if (!isfinite(session->decision[t]))
            return (double)NAN;
        wrong += (session->decision[t] >= 0 ? 1 : -1) != session->data.test_y[t];
    }
    return n ? 100.0 * (double)wrong / (double)n : (double)NAN;
}

/* Adds the time since *mark to a stage, and resets the mark. */
static void lap(const struct session *session, enum stage stage, double *mark)
{
    double seconds = solve_lap(session->oracle, mark);
    if (session->stage_times)
        session->stage_times->seconds[stage] += seconds;
}

/* Fails the run if a kernel value with these points, of a sample whose coefficient is not 0, is not finite. */
static int blame_kernel(const struct session *session, const struct points *points, const double *coefficient,
                        struct solution *solution)
{
    struct kernel_fault fault;
    if (!kernel_find_fault(gram_simd(session->gram), &session->kernel, points, session->train.rows, session->train.n,
                           coefficient, &fault))
        return 0;
    solution->outcome = OUTCOME_FAILED;
    kernel_fault_text(&session->kernel, &fault, points == &session->test, solution->reason, sizeof solution->reason);
    return 1;
}

/* Fails the run if the decision on a test sample is not finite, because then no error can be computed. */
static void check_decisions(const struct session *session, struct solution *solution)
{
    size_t t = 0;
    while (t < session->data.n_test && isfinite(session->decision[t]))
        t++;
    if (t == session->data.n_test || solution->outcome == OUTCOME_FAILED ||
        blame_kernel(session, &session->test, session->alpha, solution))
        return;
    solution->outcome = OUTCOME_FAILED;
    snprintf(solution->reason, sizeof solution->reason, "the decision on test sample %zu is not finite", t + 1);
}

const double *session_decide(struct session *session, const double *alpha, double bias)
{
    for (size_t i = 0; i < session->data.n_train; i++)
        session->coefficient[i] = session->data.train_y[i] * alpha[i];
    oracle_set_phase(session->oracle, PHASE_PREDICT);
    oracle_predict(session->oracle, &session->test, session->coefficient, bias,
                   session->test_rows.values && kernel_may_be_shared(&session->kernel) ? &session->test_rows : NULL,
                   session->decision);
    return session->decision;
}

static void predict(struct session *session, struct job_result *result)
{
    (void)session_decide(session, session->alpha, result->judgement.bias);
    result->error_percent = error_percent(session);
    check_decisions(session, &result->solution);
}

/* A run that found no step has converged if the multipliers meet the rule. */
static void settle_without_step(const struct recheck_request *request, struct judgement *judgement,
                                struct solution *solution, char *reason)
{
    struct recheck_request without_step = *request;
    without_step.without_step = 1;
    switch (recheck_closely(&without_step, judgement, reason)) {
    case RECHECK_BORNE_OUT:
        solution->outcome = OUTCOME_CONVERGED;
        break;
    case RECHECK_NOT_MET:
        (void)recheck_hulls_meet(request->solver->formulation, judgement, reason);
        break;
    case RECHECK_CANNOT_TELL:
        break;
    }
}

/* Determines the final outcome from the judge's results. */
static void final_outcome(const struct recheck_request *request, struct job_result *result)
{
    const double infeasible = 1e-9; /* rounding over 10^5 updates stays below 1e-12 */
    const struct stop *stop = request->stop;
    const struct judging *judging = request->judging;
    const struct kernel *kernel = gram_kernel(judging->gram);
    struct judgement *judgement = &result->judgement;
    struct solution *solution = &result->solution;
    char reason[REASON_SIZE] = "";
    if (solution->outcome == OUTCOME_FAILED)
        return;
    if (!(judgement->feasibility <= infeasible)) {
        solution->outcome = OUTCOME_FAILED;
        if (isfinite(judgement->feasibility))
            snprintf(reason, sizeof reason, "a constraint is violated by %.3g, and %.3g is allowed",
                     judgement->feasibility, infeasible);
        else
            snprintf(reason, sizeof reason, "a multiplier or a sum of multipliers is not finite");
    } else if (figures_impossible(judging->problem, judging->formulation, kernel, judgement, reason))
        solution->outcome = OUTCOME_FAILED;
    else if (solution->outcome == OUTCOME_CONVERGED &&
             (recheck_closely(request, judgement, reason) != RECHECK_BORNE_OUT ||
              (stop->rule == STOP_DUAL_CHANGE &&
               recheck_carried_objective(stop, solution->objective, judgement, reason) !=
                   RECHECK_BORNE_OUT)))
        solution->outcome = OUTCOME_STALLED;
    else if (solution->outcome == OUTCOME_STALLED && !*solution->reason)
        settle_without_step(request, judgement, solution, reason);
    if (solution->outcome == OUTCOME_CONVERGED && !kernel_is_semidefinite(kernel))
        snprintf(reason + strlen(reason), sizeof reason - strlen(reason), "%s%s", *reason ? "; " : "",
                 stationary_point_reason);
    if (*reason)
        snprintf(solution->reason, sizeof solution->reason, "%s", reason);
}

/* Calls solve and records the data set and split for the message about a crash. */
static enum status solve_noted(const struct session *session, const struct solve_request *request, double *alpha,
                               struct solution *solution, struct error *error)
{
    const struct running before = running_begin(request->solver, request->kernel, stop_rule_own(request->stop.rule),
                                                session->data.name, session->data.number);
    enum status status = solve(request, alpha, solution, error);
    running_back(&before);
    return status;
}

/* Continues the kept run if possible. Otherwise starts a run, and keeps it if it may continue to other jobs. */
static enum status go_on(struct session *session, const struct solve_request *request, struct solution *solution,
                         struct error *error)
{
    enum status status = STATUS_OK;
    if (session->kept && !solve_can_go_on(session->kept, request))
        end_kept_run(session);
    if (!session->kept && !(session->keeps_runs && solve_may_go_on(request)))
        return solve_noted(session, request, session->alpha, solution, error);
    if (!session->kept)
        status = solve_begin(&session->kept, request, error);
    if (status == STATUS_OK)
        status = solve_on(session->kept, request, session->alpha, solution, error);
    if (status != STATUS_OK)
        end_kept_run(session);
    return status;
}

/* ---- mu ---- */

/*
 * packed-second-order-smo solves the C-SVM. On the 13 sets of the benchmark (split 1), with C from 2^-4 to 2^14 and
 * widths from 1/16 to 16 times the tuned ones, it reaches a violation of 1e-10 in 0.03 s on average and in at most 0.8
 * s (2.4 million iterations). conjugate-smo takes fewer iterations, but if rounding ends its descent before 1e-10 it
 * runs until it is stopped.
 */
enum status mu_of_c_find(const struct judging *judging, struct oracle *oracle, uint64_t max_iterations, double *alpha,
                         const volatile sig_atomic_t *interrupted, struct mu_of_c *found, struct error *error)
{
    const struct solver *solver = solver_find("packed-second-order-smo");
    const double c = parameter_get(&judging->problem->parameters, &parameter_c);
    struct problem svm = {.n = judging->problem->n, .y = judging->problem->y};
    struct judging of_svm = *judging;
    struct judgement judgement;
    struct solution solution;
    assert(solver);
    parameter_set(&svm.parameters, &parameter_c, c);
    const struct solve_request request = {
        .solver = solver,
        .problem = &svm,
        .oracle = oracle,
        .stop = {STOP_KKT, 1e-10},
        .budget = {.iterations = max_iterations},
        .interrupted = interrupted,
    };
    enum status status = solve(&request, alpha, &solution, error);
    if (status != STATUS_OK)
        return status;
    of_svm.problem = &svm;
    of_svm.formulation = FORMULATION_C_SVM;
    of_svm.alpha = alpha;
    judge(&of_svm, &judgement);
    double sum = 0;
    for (size_t i = 0; i < svm.n; i++)
        sum += alpha[i];
    *found = (struct mu_of_c){.mu = sum > 0 ? fmin(1, 2 * c / sum) : 1,
                              .kkt_violation = judgement.kkt_violation,
                              .iterations = solution.iterations};
    found->is_known = solution.outcome != OUTCOME_FAILED && isfinite(judgement.duality_gap) &&
                      found->kkt_violation <= MU_OF_C_MAX_VIOLATION;
    return STATUS_OK;
}

/* The mu that belongs to the problem's C, computed once per kernel. */
static enum status find_mu_of_c(struct session *session, const struct judging *judging,
                                const volatile sig_atomic_t *interrupted, struct mu_of_c *found, struct error *error)
{
    const double c = parameter_get(&judging->problem->parameters, &parameter_c);
    for (size_t m = 0; m < session->n_mus; m++)
        if (session->mus[m].c == c) {
            *found = session->mus[m].found;
            return STATUS_OK;
        }
    struct known_mu *grown = realloc(session->mus, (session->n_mus + 1) * sizeof *grown);
    if (!grown)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for the mu of C");
    session->mus = grown;
    end_kept_run(session); /* it has counts on the oracle */
    double mark = solve_clock(session->oracle);
    enum status status =
        mu_of_c_find(judging, session->oracle, MU_OF_C_MAX_ITERATIONS, session->alpha, interrupted, found, error);
    lap(session, STAGE_START, &mark);
    if (status == STATUS_OK)
        session->mus[session->n_mus++] = (struct known_mu){c, *found};
    return status;
}

/* Sets the problem's mu: that of the parameters or of C, raised if hulls would be empty; 1 for solvers without mu. */
static enum status set_mu(struct session *session, const struct job_request *job, const struct judging *judging,
                          struct job_result *result, struct mu_of_c *of_c, struct error *error)
{
    struct parameters *parameters = &session->problem.parameters;
    const int reads_mu = solver_reads(job->solver, &parameter_mu);
    double mu = parameter_get(parameters, &parameter_mu);
    enum status status = STATUS_OK;
    *of_c = (struct mu_of_c){.is_known = 1};
    if (job->mu_of_c) {
        status = find_mu_of_c(session, judging, job->interrupted, of_c, error);
        mu = of_c->mu;
    }
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < session->data.n_train; i++)
        count[session->data.train_y[i] < 0]++;
    mu = reads_mu ? fmax(mu, 1 / (double)(count[0] < count[1] ? count[0] : count[1])) : 1;
    parameter_set(parameters, &parameter_mu, mu);
    result->mu_effective = reads_mu ? mu : (double)NAN;
    return status;
}

/* Fails a job whose mu does not belong to its C: it has not solved the problem named in its record. */
static void check_mu_of_c(const struct mu_of_c *of_c, struct solution *solution)
{
    if (of_c->is_known || solution->outcome == OUTCOME_FAILED)
        return;
    solution->outcome = OUTCOME_FAILED;
    snprintf(solution->reason, sizeof solution->reason,
             "the mu of C is not known: the C-SVM violates its optimality conditions by %.3g after %" PRIu64
             " iterations, and %.3g is allowed",
             of_c->kkt_violation, of_c->iterations, MU_OF_C_MAX_VIOLATION);
}

/* ---- one job ---- */

enum status session_set_kernel(struct session *session, const struct kernel *kernel, struct error *error)
{
    if (session->has_kernel && kernel_equal(&session->kernel, kernel))
        return STATUS_OK;
    const struct running before = running_begin(NULL, kernel, NULL, session->data.name, session->data.number);
    const enum status status = kernel_check(kernel, &session->train, error);
    running_back(&before);
    if (status != STATUS_OK)
        return status;
    end_kept_run(session);
    if (session->test_rows.is_kept)
        memset(session->test_rows.is_kept, 0, session->train.n);
    session->n_mus = 0;
    gram_set_kernel(session->gram, kernel);
    session->kernel = *kernel;
    session->has_kernel = 1;
    return STATUS_OK;
}

static struct solve_request solve_request_of(const struct session *session, const struct job_request *job)
{
    return (struct solve_request){
        .solver = job->solver,
        .problem = &session->problem,
        .oracle = session->oracle,
        .patterns = &session->train,
        .kernel = &session->kernel,
        .stop = job->stop,
        .budget = job->budget,
        .stage_times = session->stage_times,
        .interrupted = job->interrupted,
    };
}

static struct judging judging_of(const struct session *session, const struct job_request *job)
{
    return (struct judging){
        .problem = &session->problem,
        .formulation = job->solver->formulation,
        .gram = session->gram,
        .alpha = session->alpha,
        .support_threshold = job->support_threshold,
        .products = session->products,
        .scratch = session->scratch,
    };
}

/* Judges and rechecks the multipliers. */
static void judge_job(struct session *session, const struct job_request *job, const struct judging *judging,
                      struct job_result *result)
{
    const struct recheck_request recheck = {&job->stop, job->solver, judging, 0};
    if (job->stop.rule != STOP_DUALITY_GAP)
        judge(judging, &result->judgement);
    if (job->stop.rule == STOP_SVM_GAP) {
        const struct product_rounding rounding = rounding_of_products(judging);
        svm_gap(judging, &rounding, &result->judgement.svm);
    }
    if (job->middle_bias)
        judgement_take_middle(&result->judgement);
    final_outcome(&recheck, result);
    if (job->middle_bias) /* also of a judgement that replaced the first */
        judgement_take_middle(&result->judgement);
    if (session->unjudged != OUTCOME_FAILED && result->solution.outcome == OUTCOME_FAILED)
        (void)blame_kernel(session, &session->train, session->alpha, &result->solution);
    if (result->solution.outcome == OUTCOME_STALLED && !isfinite(result->judgement.rounding.duality_gap)) {
        for (size_t i = 0; i < session->train.n; i++) /* multipliers of 0 hide the values that left no step */
            session->coefficient[i] = 1;
        (void)blame_kernel(session, &session->train, session->coefficient, &result->solution);
    }
}

static enum status run_job(struct session *session, const struct job_request *job, struct job_result *result,
                           struct error *error)
{
    memset(result, 0, sizeof *result);
    session->problem =
        (struct problem){.n = session->data.n_train, .y = session->data.train_y, .parameters = *job->parameters};
    const struct judging judging = judging_of(session, job);
    struct mu_of_c of_c;
    const double rows_before = gram_seconds(session->gram);
    enum status status = set_mu(session, job, &judging, result, &of_c, error);
    if (status != STATUS_OK)
        return status;
    if (job->trace && session->kernel.type == KERNEL_LINEAR && session->train.dims == 2) {
        job->trace->plane = &session->train;
        job->trace->y = session->data.train_y;
    }
    struct solve_request request = solve_request_of(session, job);
    request.trace = job->trace;
    request.judging = &judging;
    request.judgement = &result->judgement;
    status = go_on(session, &request, &result->solution, error);
    if (status != STATUS_OK)
        return status;
    session->unjudged = result->solution.outcome;
    session->runs = 1;
    double mark = solve_clock(session->oracle);
    judge_job(session, job, &judging, result);
    check_mu_of_c(&of_c, &result->solution);
    lap(session, STAGE_JUDGING, &mark);
    predict(session, result);
    lap(session, STAGE_PREDICTION, &mark);
    if (session->stage_times)
        session->stage_times->seconds[STAGE_KERNELS] += gram_seconds(session->gram) - rows_before;
    for (unsigned p = 0; p < PHASE_COUNT; p++)
        result->operations[p] = oracle_operations(session->oracle, (enum phase)p);
    result->evaluations = oracle_evaluations(session->oracle);
    return STATUS_OK;
}

struct job_run {
    struct session *session;
    const struct job_request *job;
    struct job_result *result;
    struct error *error;
    enum status status;
};

static void run_requested(void *context)
{
    struct job_run *run = context;
    run->status = run_job(run->session, run->job, run->result, run->error);
}

enum status session_run(struct session *session, const struct job_request *job, struct job_result *result,
                        struct error *error)
{
    const struct running before = /* kernels also run outside solve */
        running_begin(NULL, &session->kernel, NULL, session->data.name, session->data.number);
    struct job_run run = {session, job, result, error, STATUS_OK};
    if (session->shares_work && (session->train.n >= MIN_HELPED || session->test.n >= MIN_HELPED))
        helpers_with(run_requested, &run);
    else
        run_requested(&run);
    running_back(&before);
    return run.status;
}

/* What differs from the first run, or NULL. */
static const char *difference(const struct session *session, const struct job_result *first,
                              const struct solution *again, const double *alpha)
{
    if (again->outcome == OUTCOME_TIME_LIMIT || session->unjudged == OUTCOME_TIME_LIMIT)
        return NULL; /* a run's progress depends on the machine */
    if (again->outcome != session->unjudged)
        return "outcome";
    if (again->iterations != first->solution.iterations)
        return "iterations";
    for (unsigned p = 0; p < PHASE_PREDICT; p++) /* only the first run predicts */
        if (oracle_operations(session->oracle, (enum phase)p) != first->operations[p])
            return "kernel operations";
    return memcmp(alpha, session->alpha, session->data.n_train * sizeof *alpha) == 0 ? NULL : "multipliers";
}

enum status session_repeat(struct session *session, const struct job_request *job, struct job_result *first,
                           struct solution *again, struct error *error)
{
    const struct judging judging = judging_of(session, job);
    struct solve_request request = solve_request_of(session, job);
    struct judgement judgement;
    request.judging = &judging;
    request.judgement = &judgement;
    if (!gram_is_full(session->gram))
        gram_set_kernel(session->gram, &session->kernel); /* empties the cache */
    enum status status = solve_noted(session, &request, session->coefficient, again, error);
    if (status != STATUS_OK)
        return status;
    const char *differs = difference(session, first, again, session->coefficient);
    session->runs++;
    if (differs) {
        first->solution.outcome = OUTCOME_FAILED;
        snprintf(first->solution.reason, sizeof first->solution.reason,
                 "not deterministic: run %zu of the same job differs from the first in its %s", session->runs, differs);
    }
    return STATUS_OK;
}

const double *session_alpha(const struct session *session)
{
    return session->alpha;
}
