/*
 * Runs the jobs of a unit. If mu is below 1 / min(N+, N-) of the split it is raised to that value, so that the reduced
 * hulls are not empty (Lopez, Barbero and Dorronsoro 2011, Section 5).
 */
#include "harness/run/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/certificate.h"
#include "harness/evaluate/mu_of_c.h"
#include "harness/evaluate/recheck.h"
#include "harness/evaluate/running.h"

/* The mu that belongs to a C, for the unit's current kernel. */
struct known_mu {
    double c;
    struct mu_of_c found;
};

struct unit_run {
    const struct dataset *dataset;
    const struct split *split;
    struct patterns scaled;                          /* of a set with scale_by_training; else zeroed */
    size_t *rows;                                    /* those of `scaled` */
    struct points train, test;
    struct gram *gram;
    struct oracle *oracle;
    struct kernel kernel;
    int has_kernel;
    signed char *y;                                  /* n_train */
    double *alpha, *coefficient, *products, *scratch; /* n_train padded */
    double *decision;                                /* n_test padded */
    struct stage_times *stage_times;                             /* NULL: not recorded */
    struct kept_rows test_rows;                      /* for `kernel`; zeroed: not kept */
    int keeps_runs;                                  /* see unit_keep_runs */
    struct solve_run *kept;                          /* of the last job, for the current kernel; NULL: none */
    struct known_mu *mus;                            /* for the current kernel, in the order found */
    size_t n_mus;
};

static enum status allocate(struct unit_run *unit, struct error *error)
{
    size_t n = unit->split->n_train, t = unit->split->n_test;
    unit->y = malloc(n);
    unit->alpha = simd_doubles(n);
    unit->coefficient = simd_doubles(n);
    unit->products = simd_doubles(n);
    unit->scratch = simd_doubles(n);
    unit->decision = simd_doubles(t);
    if (!unit->y || !unit->alpha || !unit->coefficient || !unit->products || !unit->scratch || !unit->decision)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory for a split of %zu and %zu patterns",
                         unit->dataset->name, n, t);
    for (size_t i = 0; i < n; i++)
        unit->y[i] = unit->dataset->y[unit->split->train[i]];
    return STATUS_OK;
}

/* Collects the training and the test points. */
static enum status collect_points(struct unit_run *unit, enum kernel_type type, struct error *error)
{
    const struct split *split = unit->split;
    const size_t *train = split->train, *test = split->test, rows = split->n_train + split->n_test;
    const struct patterns *patterns = &unit->dataset->patterns;
    enum status status = STATUS_OK;
    if (unit->dataset->scale_by_training) {
        status = dataset_standardise_split(unit->dataset, split, &unit->scaled, error);
        unit->rows = malloc(rows * sizeof *unit->rows);
        if (status == STATUS_OK && !unit->rows)
            status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", unit->dataset->name);
        for (size_t i = 0; status == STATUS_OK && i < rows; i++)
            unit->rows[i] = i;
        patterns = &unit->scaled;
        train = unit->rows;
        test = status == STATUS_OK ? train + split->n_train : NULL;
    }
    if (status == STATUS_OK)
        status = points_create(&unit->train, type, *patterns, train, split->n_train, error);
    return status == STATUS_OK ? points_create(&unit->test, type, *patterns, test, split->n_test, error) : status;
}

enum status unit_open(struct unit_run **out, const struct simd *simd, const struct dataset *dataset, size_t split,
                      enum kernel_type type, size_t gram_bytes, int many_kernels, struct error *error)
{
    *out = NULL;
    enum status status;
    struct unit_run *unit = calloc(1, sizeof *unit);
    if (!unit)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", dataset->name);
    unit->dataset = dataset;
    unit->split = &dataset->splits[split];
    if ((status = allocate(unit, error)) != STATUS_OK || (status = collect_points(unit, type, error)) != STATUS_OK ||
        (status = gram_create(&unit->gram, simd, &unit->train, gram_bytes, many_kernels, error)) != STATUS_OK ||
        (status = oracle_create(&unit->oracle, unit->gram, error)) != STATUS_OK) {
        unit_close(unit);
        return status;
    }
    *out = unit;
    return STATUS_OK;
}

static void end_kept_run(struct unit_run *unit)
{
    solve_end(unit->kept);
    unit->kept = NULL;
}

void unit_close(struct unit_run *unit)
{
    if (!unit)
        return;
    end_kept_run(unit);
    kept_rows_free(&unit->test_rows);
    oracle_free(unit->oracle);
    gram_free(unit->gram);
    points_free(&unit->train);
    points_free(&unit->test);
    patterns_free(&unit->scaled);
    free(unit->rows);
    free(unit->y);
    free(unit->alpha);
    free(unit->coefficient);
    free(unit->products);
    free(unit->scratch);
    free(unit->decision);
    free(unit->mus);
    free(unit);
}

void unit_share_work(struct unit_run *unit, const struct config *config)
{
    gram_share_work(unit->gram, config->repeats < 2);
}

void unit_keep_runs(struct unit_run *unit)
{
    unit->keeps_runs = 1;
}

void unit_keep_test_rows(struct unit_run *unit, size_t max_bytes)
{
    const size_t max_values = max_bytes / sizeof(double), n = unit->train.n, t = unit->test.n_padded;
    if (unit->test_rows.values || n == 0 || t == 0 || n > max_values / t)
        return;
    (void)kept_rows_create(&unit->test_rows, n, &unit->test); /* when out of memory, each job computes its own rows */
}

void unit_measure(struct unit_run *unit, struct stage_times *stage_times)
{
    unit->stage_times = stage_times;
}

enum status unit_check_rows(struct unit_run *unit, struct error *error)
{
    return oracle_check_rows(unit->oracle, 1, error);
}

static double least_mu(const struct unit_run *unit)
{
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < unit->split->n_train; i++)
        count[unit->y[i] < 0]++;
    return 1 / (double)(count[0] < count[1] ? count[0] : count[1]);
}

/* Percentage of misclassified test patterns; a decision of exactly 0 counts as +1. NAN if a decision is not finite. */
static double error_percent(const struct unit_run *unit)
{
    size_t wrong = 0, n = unit->split->n_test;
    for (size_t t = 0; t < n; t++) {
        if (!isfinite(unit->decision[t]))
            return (double)NAN;
        wrong += (unit->decision[t] >= 0 ? 1 : -1) != unit->dataset->y[unit->split->test[t]];
    }
    return n ? 100.0 * (double)wrong / (double)n : (double)NAN;
}

/* Adds the time since *mark to a stage, and resets the mark. */
static void lap(const struct unit_run *unit, enum stage stage, double *mark)
{
    double seconds = solve_lap(unit->oracle, mark);
    if (unit->stage_times)
        unit->stage_times->seconds[stage] += seconds;
}

/* Fails the run if a kernel value with these points, of a sample whose coefficient is not 0, is not finite. */
static int blame_kernel(const struct unit_run *unit, const struct points *points, const double *coefficient,
                        struct solution *solution)
{
    struct kernel_fault fault;
    if (!kernel_find_fault(gram_simd(unit->gram), &unit->kernel, points, unit->train.rows, unit->train.n, coefficient,
                           &fault))
        return 0;
    solution->outcome = OUTCOME_FAILED;
    kernel_fault_text(&unit->kernel, &fault, points == &unit->test, solution->reason, sizeof solution->reason);
    return 1;
}

/* Fails the run if the decision on a test sample is not finite, because then no error can be computed. */
static void check_decisions(const struct unit_run *unit, struct solution *solution)
{
    size_t t = 0;
    while (t < unit->split->n_test && isfinite(unit->decision[t]))
        t++;
    if (t == unit->split->n_test || solution->outcome == OUTCOME_FAILED ||
        blame_kernel(unit, &unit->test, unit->alpha, solution))
        return;
    solution->outcome = OUTCOME_FAILED;
    snprintf(solution->reason, sizeof solution->reason, "the decision on test sample %zu is not finite", t + 1);
}

static void predict(struct unit_run *unit, struct job_result *result)
{
    for (size_t i = 0; i < unit->split->n_train; i++)
        unit->coefficient[i] = unit->y[i] * unit->alpha[i];
    oracle_set_phase(unit->oracle, PHASE_PREDICT);
    oracle_predict(unit->oracle, &unit->test, unit->coefficient, result->judgement.bias,
                   unit->test_rows.values && kernel_may_be_shared(&unit->kernel) ? &unit->test_rows : NULL,
                   unit->decision);
    result->error_percent = error_percent(unit);
    check_decisions(unit, &result->solution);
}

/* A run that found no step has converged if the multipliers meet the rule. */
static void settle_without_step(const struct recheck_request *request, struct judgement *judgement,
                                struct solution *solution, char *reason, size_t size)
{
    struct recheck_request without_step = *request;
    without_step.without_step = 1;
    switch (recheck_closely(&without_step, judgement, reason, size)) {
    case RECHECK_BORNE_OUT:
        solution->outcome = OUTCOME_CONVERGED;
        break;
    case RECHECK_NOT_MET:
        (void)recheck_hulls_meet(request->solver->formulation, judgement, reason, size);
        break;
    case RECHECK_CANNOT_TELL:
        break;
    }
}

/* Determines the final outcome from the judge's results. */
static void settle_outcome(const struct recheck_request *request, struct job_result *result)
{
    const double infeasible = 1e-9; /* rounding over 10^5 updates stays below 1e-12 */
    const struct stop *stop = request->stop;
    const struct solver *solver = request->solver;
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
    } else if (figures_impossible(request->problem, solver->formulation, gram_kernel(request->gram), judgement, reason,
                                  sizeof reason))
        solution->outcome = OUTCOME_FAILED;
    else if (solution->outcome == OUTCOME_CONVERGED &&
             (recheck_closely(request, judgement, reason, sizeof reason) != RECHECK_BORNE_OUT ||
              (stop->rule == STOP_DUAL_CHANGE &&
               recheck_carried_objective(stop, solution->objective, judgement, reason, sizeof reason) !=
                   RECHECK_BORNE_OUT)))
        solution->outcome = OUTCOME_STALLED;
    else if (solution->outcome == OUTCOME_STALLED && !*solution->reason)
        settle_without_step(request, judgement, solution, reason, sizeof reason);
    if (solution->outcome == OUTCOME_CONVERGED && !kernel_is_semidefinite(gram_kernel(request->gram)))
        snprintf(reason + strlen(reason), sizeof reason - strlen(reason), "%s%s", *reason ? "; " : "",
                 stationary_point_reason);
    if (*reason)
        snprintf(solution->reason, sizeof solution->reason, "%s", reason);
}

/* ---- repeats ---- */

/* The runs of a job after the first; the result and the unit hold the first run's counts and multipliers. */
struct repeats {
    struct unit_run *unit;
    const struct solve_request *request;
    enum outcome first; /* of the first run, before judging */
    struct job_result *result;
    size_t runs; /* so far */
};

/* What differs from the first run, or NULL. */
static const char *difference(const struct repeats *repeats, const struct solution *again, const double *alpha)
{
    const struct job_result *first = repeats->result;
    const struct unit_run *unit = repeats->unit;
    if (again->outcome == OUTCOME_TIME_LIMIT || repeats->first == OUTCOME_TIME_LIMIT)
        return NULL; /* a run's progress depends on the machine */
    if (again->outcome != repeats->first)
        return "outcome";
    if (again->iterations != first->solution.iterations)
        return "iterations";
    for (unsigned p = 0; p < PHASE_PREDICT; p++) /* only the first run predicts */
        if (oracle_operations(unit->oracle, (enum phase)p) != first->operations[p])
            return "kernel operations";
    return memcmp(alpha, unit->alpha, unit->split->n_train * sizeof *alpha) == 0 ? NULL : "multipliers";
}

/* Calls solve and records the data set and split for the message about a crash. */
static enum status solve_noted(const struct unit_run *unit, const struct solve_request *request, double *alpha,
                               struct solution *solution, struct error *error)
{
    const struct running before = running_begin(request->solver, request->kernel, stop_rule_own(request->stop.rule),
                                                unit->dataset->name, unit->split->number);
    enum status status = solve(request, alpha, solution, error);
    running_back(&before);
    return status;
}

/* Runs the solver once more and adds its times. */
static enum status run_again(struct repeats *repeats, struct solution *sum, struct error *error)
{
    struct unit_run *unit = repeats->unit;
    struct solution again;
    struct error cause;
    if (!gram_is_full(unit->gram))
        gram_set_kernel(unit->gram, &unit->kernel); /* empties the cache */
    enum status status = solve_noted(unit, repeats->request, unit->products, &again, &cause);
    if (status != STATUS_OK)
        return error_set(error, status, "%s, split %zu: %s", unit->dataset->name, unit->split->number, cause.message);
    const char *differs = difference(repeats, &again, unit->products);
    repeats->runs++;
    sum->seconds += again.seconds;
    sum->cpu_seconds += again.cpu_seconds;
    if (differs) {
        struct solution *first = &repeats->result->solution;
        first->outcome = OUTCOME_FAILED;
        snprintf(first->reason, sizeof first->reason,
                 "not deterministic: run %zu of the same job differs from the first in its %s", repeats->runs + 1,
                 differs);
    }
    return STATUS_OK;
}

/* Repeats the job's solver `count` times; each repeat is one run or, for short runs, the mean of several. Ends at the
 * first run that differs. */
static enum status repeat_job(struct repeats *repeats, unsigned count, struct error *error)
{
    const double max_runs = 1000, first = repeats->result->solution.seconds;
    const enum outcome *outcome = &repeats->result->solution.outcome;
    const size_t runs = (size_t)fmin(max_runs, ceil(TIMING_SHORT / fmax(first, TIMING_SHORT / max_runs)));
    double *wall = calloc(2 * (size_t)count, sizeof *wall), *cpu = wall + count;
    enum status status = wall ? STATUS_OK
                              : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", repeats->unit->dataset->name);
    for (unsigned k = 0; k < count && status == STATUS_OK && *outcome != OUTCOME_FAILED; k++) {
        struct solution sum = {0};
        for (size_t r = 0; r < runs && status == STATUS_OK && *outcome != OUTCOME_FAILED; r++)
            status = run_again(repeats, &sum, error);
        wall[k] = sum.seconds / (double)runs;
        cpu[k] = sum.cpu_seconds / (double)runs;
    }
    if (status == STATUS_OK && *outcome != OUTCOME_FAILED)
        repeats->result->timing = timing_of_repeats(wall, cpu, count);
    free(wall);
    return status;
}

/* Continues the kept run if it can continue to this job. Otherwise starts a new run, and keeps it if it may continue to
 * others. */
static enum status go_on(struct unit_run *unit, const struct solve_request *request, struct solution *solution,
                         struct error *error)
{
    enum status status = STATUS_OK;
    if (unit->kept && !solve_can_go_on(unit->kept, request))
        end_kept_run(unit);
    if (!unit->kept && !(unit->keeps_runs && solve_may_go_on(request)))
        return solve_noted(unit, request, unit->alpha, solution, error);
    if (!unit->kept)
        status = solve_begin(&unit->kept, request, error);
    if (status == STATUS_OK)
        status = solve_on(unit->kept, request, unit->alpha, solution, error);
    if (status != STATUS_OK)
        end_kept_run(unit);
    return status;
}

/* ---- mu ---- */

/* The mu that belongs to the problem's C, computed once per kernel. */
static enum status find_mu_of_c(struct unit_run *unit, const struct problem *problem, struct judging *judging,
                                const volatile sig_atomic_t *interrupted, struct mu_of_c *found, struct error *error)
{
    const double c = parameter_get(&problem->parameters, &parameter_c);
    for (size_t m = 0; m < unit->n_mus; m++)
        if (unit->mus[m].c == c) {
            *found = unit->mus[m].found;
            return STATUS_OK;
        }
    struct known_mu *grown = realloc(unit->mus, (unit->n_mus + 1) * sizeof *grown);
    if (!grown)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for the mu of C");
    unit->mus = grown;
    end_kept_run(unit); /* it has counts on the oracle */
    double mark = solve_clock(unit->oracle);
    enum status status = mu_of_c_find(problem, unit->oracle, MU_OF_C_MAX_ITERATIONS, unit->alpha, judging,
                                      interrupted, found, error);
    lap(unit, STAGE_START, &mark);
    if (status == STATUS_OK)
        unit->mus[unit->n_mus++] = (struct known_mu){c, *found};
    return status;
}

/* Sets the problem's mu: that of the parameters or that of C, raised if the hulls would be empty. Solvers without mu
 * get 1. */
static enum status set_mu(struct unit_run *unit, const struct config_solver *solver, struct problem *problem,
                          struct judging *judging, const volatile sig_atomic_t *interrupted, struct job_result *result,
                          struct mu_of_c *of_c, struct error *error)
{
    const int reads_mu = solver_reads(solver->solver, &parameter_mu);
    double mu = parameter_get(&problem->parameters, &parameter_mu);
    enum status status = STATUS_OK;
    *of_c = (struct mu_of_c){.is_known = 1};
    if (solver->mu_of_c) {
        status = find_mu_of_c(unit, problem, judging, interrupted, of_c, error);
        mu = of_c->mu;
    }
    mu = reads_mu ? fmax(mu, least_mu(unit)) : 1;
    parameter_set(&problem->parameters, &parameter_mu, mu);
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

/* The budget in kernel operations, also if it is given in matrices of N^2. The tighter limit applies. */
static struct budget budget_of(const struct unit_run *unit, const struct config_solver *solver)
{
    struct budget budget = solver->budget;
    const double n = (double)unit->split->n_train, given = (double)budget.kernel_operations;
    const double limit = fmin(fmax(1, floor(solver->kernel_matrices * n * n)), MAX_COUNT);
    if (solver->kernel_matrices > 0 && (!budget.kernel_operations || limit < given))
        budget.kernel_operations = (uint64_t)limit;
    return budget;
}

static enum status fail_on(const struct unit_run *unit, enum status status, const struct error *cause,
                           struct error *error)
{
    return status == STATUS_INTERRUPTED ? error_set(error, status, "%s", cause->message)
                                        : error_set(error, status, "%s, split %zu: %s", unit->dataset->name,
                                                    unit->split->number, cause->message);
}

static enum status run_job(struct unit_run *unit, const struct config *config, const struct job *job,
                           struct trace *trace, const volatile sig_atomic_t *interrupted, struct job_result *result,
                           struct error *error)
{
    const struct config_solver *solver = &config->solvers[job->solver];
    struct problem problem = {.n = unit->split->n_train, .y = unit->y, .parameters = job->parameters};
    memset(result, 0, sizeof *result);
    if (!unit->has_kernel || !kernel_equal(&unit->kernel, &job->kernel)) {
        enum status sound = kernel_check(&job->kernel, &unit->train, error);
        if (sound != STATUS_OK)
            return sound;
        end_kept_run(unit);
        if (unit->test_rows.is_kept)
            memset(unit->test_rows.is_kept, 0, unit->train.n);
        unit->n_mus = 0;
        gram_set_kernel(unit->gram, &job->kernel);
        unit->kernel = job->kernel;
        unit->has_kernel = 1;
    }
    struct judging judging = {
        .support_threshold = config->support_threshold, .products = unit->products, .scratch = unit->scratch};
    struct mu_of_c of_c;
    struct error cause;
    double rows_before = gram_seconds(unit->gram);
    enum status status = set_mu(unit, solver, &problem, &judging, interrupted, result, &of_c, &cause);
    if (status != STATUS_OK)
        return fail_on(unit, status, &cause, error);
    if (trace && job->kernel.type == KERNEL_LINEAR && unit->train.dims == 2) {
        trace->plane = &unit->train;
        trace->y = unit->y;
    }
    struct solve_request request = {
        .solver = solver->solver,
        .problem = &problem,
        .oracle = unit->oracle,
        .patterns = &unit->train,
        .kernel = &unit->kernel,
        .stop = job->stop,
        .budget = budget_of(unit, solver),
        .trace = trace,
        .stage_times = unit->stage_times,
        .interrupted = interrupted,
    };
    request.judging = &judging;
    status = go_on(unit, &request, &result->solution, &cause);
    if (status != STATUS_OK)
        return fail_on(unit, status, &cause, error);
    enum outcome first_outcome = result->solution.outcome; /* before judging */
    double mark = solve_clock(unit->oracle);
    if (job->stop.rule == STOP_DUALITY_GAP)
        result->judgement = judging.judgement;
    else
        judge(&problem, solver->solver->formulation, unit->gram, unit->alpha, config->support_threshold,
              unit->products, unit->scratch, &result->judgement);
    if (job->stop.rule == STOP_SVM_GAP)
        svm_gap(&problem, solver->solver->formulation, unit->gram, unit->alpha, unit->products, unit->scratch, 1,
                &result->judgement.svm);
    if (config->bias_of_nu_svc)
        judgement_take_middle(&result->judgement);
    const struct recheck_request recheck = {
        .stop = &job->stop,
        .solver = solver->solver,
        .problem = &problem,
        .gram = unit->gram,
        .alpha = unit->alpha,
        .support_threshold = config->support_threshold,
        .products = unit->products,
        .scratch = unit->scratch,
    };
    settle_outcome(&recheck, result);
    if (config->bias_of_nu_svc) /* also of a judgement that replaced the first */
        judgement_take_middle(&result->judgement);
    if (first_outcome != OUTCOME_FAILED && result->solution.outcome == OUTCOME_FAILED)
        (void)blame_kernel(unit, &unit->train, unit->alpha, &result->solution);
    if (result->solution.outcome == OUTCOME_STALLED && !isfinite(result->judgement.rounding.duality_gap)) {
        for (size_t i = 0; i < unit->train.n; i++) /* multipliers of 0 hide the values that left no step */
            unit->coefficient[i] = 1;
        (void)blame_kernel(unit, &unit->train, unit->coefficient, &result->solution);
    }
    check_mu_of_c(&of_c, &result->solution);
    lap(unit, STAGE_JUDGING, &mark);
    predict(unit, result);
    lap(unit, STAGE_PREDICTION, &mark);
    if (unit->stage_times)
        unit->stage_times->seconds[STAGE_KERNELS] += gram_seconds(unit->gram) - rows_before;
    for (unsigned p = 0; p < PHASE_COUNT; p++)
        result->operations[p] = oracle_operations(unit->oracle, (enum phase)p);
    result->evaluations = oracle_evaluations(unit->oracle);
    result->timing.seconds = result->solution.seconds;
    if (config->repeats < 2 || result->solution.outcome == OUTCOME_FAILED)
        return STATUS_OK;
    request.trace = NULL;
    request.judging = NULL; /* the following runs write to its arrays */
    struct repeats repeats = {.unit = unit, .request = &request, .first = first_outcome, .result = result};
    return repeat_job(&repeats, config->repeats, error);
}

enum status unit_run_job(struct unit_run *unit, const struct config *config, const struct job *job, struct trace *trace,
                         const volatile sig_atomic_t *interrupted, struct job_result *result, struct error *error)
{
    const struct running before = /* kernels also run outside solve */
        running_begin(NULL, &job->kernel, NULL, unit->dataset->name, unit->split->number);
    enum status status = run_job(unit, config, job, trace, interrupted, result, error);
    running_back(&before);
    return status;
}

const double *unit_alpha(const struct unit_run *unit)
{
    return unit->alpha;
}
