/*
 * The library's calls. Names, ranges and messages are those of the registries of solvers, kernels and stopping rules;
 * a problem runs like a job of a run. Each call runs in the locale "C", whatever the caller's is.
 */
#include "harness/library/hullbench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/given.h"
#include "harness/evaluate/session.h"
#include "harness/library/version.h"
#include "solvers/c_locale.h"
#include "solvers/kernel/pages.h"
#include "solvers/registry.h"
#include "solvers/unknown_name.h"

static enum hullbench_status outcome_of(const struct error *error, const char *reason, char *message, size_t size)
{
    if (size > 0)
        snprintf(message, size, "%s", error->status == STATUS_OK ? reason : error->message);
    return error->status == STATUS_OK          ? HULLBENCH_OK
           : error->status == STATUS_BAD_INPUT ? HULLBENCH_BAD_INPUT
                                               : HULLBENCH_FAILED;
}

/* ---- solver, kernel and stopping rule ---- */

/* A problem with its names looked up and its numbers checked. */
struct settings {
    const struct solver *solver;
    struct parameters parameters;
    struct kernel kernel;
    struct stop stop;
    struct budget budget;
};

/* The error "problem: ...". */
static enum status refuse(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum status refuse(struct error *error, const char *format, ...)
{
    char message[sizeof error->message];
    va_list rest;
    va_start(rest, format);
    vsnprintf(message, sizeof message, format, rest);
    va_end(rest);
    return error_set(error, STATUS_BAD_INPUT, "problem: %s", message);
}

static enum status unknown(const char *field, const char *what, const char *name, const char *const *allowed,
                           struct error *error)
{
    char text[UNKNOWN_NAME_SIZE];
    return refuse(error, "%s: %s", field, unknown_name_text(what, name, allowed, text, sizeof text));
}

/* Reads the `length` bytes of a value. */
static enum status read_value(const char *field, const struct parameter *parameter, const char *text, size_t length,
                              double *value, struct error *error)
{
    char *end, word[64], fault[192], place[64];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    snprintf(place, sizeof place, "%s.%s", field, parameter->name);
    if (parameter_words(parameter))
        return parameter_find_word(parameter, word, value)
                   ? STATUS_OK
                   : unknown(place, "value", word, parameter_words(parameter), error);
    *value = strtod(text, &end);
    if (end != text + length || !isfinite(*value))
        return refuse(error, "%s: \"%s\" is not a number", place, word);
    return parameter_fault(parameter, *value, fault, sizeof fault)
               ? refuse(error, "%s: %s is %s", place, word, fault)
               : STATUS_OK;
}

/* Reads "NAME=VALUE,..." into values[p] for parameter p of n, those of `owner`; of one given twice, the last counts.
 * The others become their fallbacks, and those without one have to be given. */
static enum status read_pairs(const char *field, const char *list, const char *owner,
                              const struct parameter *const *known, size_t n, double *values, struct error *error)
{
    enum status status = STATUS_OK;
    const char *names[MAX_PARAMETERS + 1] = {NULL};
    for (size_t p = 0; p < n; p++) {
        names[p] = known[p]->name;
        values[p] = known[p]->fallback;
    }
    for (const char *at = list; *at && status == STATUS_OK; at += *at == ',') {
        char name[64];
        size_t p = 0;
        const size_t length = strcspn(at, ",");
        const char *equals = memchr(at, '=', length);
        if (!equals || equals == at || equals + 1 == at + length)
            return refuse(error, "%s: \"%.*s\" is not NAME=VALUE", field, (int)length, at);
        snprintf(name, sizeof name, "%.*s", (int)(equals - at), at);
        while (p < n && strcmp(names[p], name) != 0)
            p++;
        if (p == n)
            return n ? unknown(field, "parameter", name, names, error)
                     : refuse(error, "%s: \"%s\" has no parameter \"%s\"", field, owner, name);
        at += length;
        status = read_value(field, known[p], equals + 1, (size_t)(at - equals) - 1, &values[p], error);
    }
    for (size_t p = 0; p < n && status == STATUS_OK; p++)
        if (isnan(values[p]))
            return refuse(error, "%s: \"%s\" needs parameter \"%s\"", field, owner, names[p]);
    return status;
}

static enum status read_solver(const struct hullbench_problem *problem, struct settings *settings, struct error *error)
{
    const struct solver *const *all = solvers_all();
    const char *names[MAX_SOLVERS + 1] = {NULL};
    settings->solver = solver_find(problem->solver);
    for (size_t i = 0; !settings->solver && all[i]; i++)
        names[i] = all[i]->name;
    return settings->solver ? STATUS_OK : unknown("solver", "solver", problem->solver, names, error);
}

static enum status read_parameters(const struct hullbench_problem *problem, struct settings *settings,
                                   struct error *error)
{
    double values[MAX_PARAMETERS];
    char fault[192];
    const struct solver *solver = settings->solver;
    const size_t n = solver_count_parameters(solver);
    const enum status status = read_pairs("parameters", problem->parameters ? problem->parameters : "", solver->name,
                                          solver->parameters, n, values, error);
    for (size_t p = 0; status == STATUS_OK && p < n; p++)
        parameter_set(&settings->parameters, solver->parameters[p], values[p]);
    for (size_t p = 0; status == STATUS_OK && p < n; p++) {
        const struct parameter *parameter = solver->parameters[p], *bound = parameter->at_most;
        if (bound && parameter_fault_of_bound(parameter, values[p], parameter_get(&settings->parameters, bound), fault,
                                              sizeof fault))
            return refuse(error, "parameters.%s: %g is %s", parameter->name, values[p], fault);
    }
    return status;
}

static enum status read_kernel(const struct hullbench_problem *problem, struct settings *settings, struct error *error)
{
    const char *text = problem->kernel ? problem->kernel : "linear";
    const struct kernel_family *const *all = kernel_families_all();
    const char *names[MAX_KERNEL_FAMILIES + 1] = {NULL};
    double values[KERNEL_MAX_PARAMETERS] = {0};
    char type[64];
    const size_t length = strcspn(text, ",");
    snprintf(type, sizeof type, "%.*s", (int)length, text);
    const struct kernel_family *family = kernel_family_find(type);
    for (size_t i = 0; !family && all[i]; i++)
        names[i] = all[i]->name;
    if (!family)
        return unknown("kernel.type", "kernel type", type, names, error);
    const enum status status = read_pairs("kernel", text + length + (text[length] == ','), type, family->parameters,
                                          kernel_family_count_parameters(family), values, error);
    if (status == STATUS_OK)
        settings->kernel = kernel_of_family(family, values);
    return status;
}

static enum status read_stop(const struct hullbench_problem *problem, struct settings *settings, struct error *error)
{
    struct stop *stop = &settings->stop;
    const char *names[MAX_STOP_RULES + 1];
    char fault[512];
    const double iterations = problem->iterations ? (double)problem->iterations : 100000;
    *stop = problem->stop ? (struct stop){stop_rule_find(problem->stop), 1e-5} : stop_usual(settings->solver);
    if (problem->tolerance != 0)
        stop->tolerance = problem->tolerance;
    if (stop->rule == STOP_RULES)
        return unknown("stop.rule", "stopping rule", problem->stop, stop_rule_names(names), error);
    if (stop_rule_fault(stop->rule, settings->solver, 0, fault, sizeof fault))
        return refuse(error, "stop.rule: %s", fault);
    if (stop->rule == STOP_ITERATIONS)
        stop->tolerance = 0;
    else if (parameter_fault(&stop_tolerance, stop->tolerance, fault, sizeof fault))
        return refuse(error, "stop.tolerance: %g is %s", stop->tolerance, fault);
    if (iterations > BUDGET_MAX_ITERATIONS)
        return refuse(error, "budget.iterations: %g is out of range; allowed: above 0, at most %g", iterations,
                      BUDGET_MAX_ITERATIONS);
    settings->budget.iterations = (uint64_t)iterations;
    return STATUS_OK;
}

/* ---- the patterns ---- */

static enum status check_patterns(const char *name, const double *x, size_t n, size_t dims, struct error *error)
{
    if (!x || n == 0 || dims == 0 || n > SIZE_MAX / dims / sizeof *x)
        return refuse(error, "%s: %zu patterns of %zu features; allowed: at least one of each", name, x ? n : 0, dims);
    for (size_t i = 0; i < n * dims; i++)
        if (!isfinite(x[i]))
            return refuse(error, "%s: feature %zu of pattern %zu is %g; allowed: finite numbers", name, i % dims,
                          i / dims, x[i]);
    return STATUS_OK;
}

static enum status check_labels(const struct hullbench_problem *problem, struct error *error)
{
    size_t count[2] = {0, 0};
    for (size_t i = 0; problem->y && i < problem->n; i++) {
        if (problem->y[i] != 1 && problem->y[i] != -1)
            return refuse(error, "y: label of pattern %zu is %d; allowed: 1, -1", i, problem->y[i]);
        count[problem->y[i] < 0]++;
    }
    if (!count[0] || !count[1])
        return refuse(error, "y: %zu patterns of class 1 and %zu of class -1; allowed: at least one of each", count[0],
                      count[1]);
    return STATUS_OK;
}

/* Checks everything but the values of a precomputed kernel. */
static enum status read_problem(const struct hullbench_problem *problem, struct settings *settings, struct error *error)
{
    enum status status = STATUS_OK;
    *settings = (struct settings){0};
    if (!problem->solver)
        return refuse(error, "solver: expected a name");
    if ((status = check_patterns("x", problem->x, problem->n, problem->dims, error)) != STATUS_OK ||
        (status = check_labels(problem, error)) != STATUS_OK ||
        (status = read_solver(problem, settings, error)) != STATUS_OK ||
        (status = read_parameters(problem, settings, error)) != STATUS_OK ||
        (status = read_kernel(problem, settings, error)) != STATUS_OK)
        return status;
    return read_stop(problem, settings, error);
}

/* The patterns of the problem and the m patterns z behind them in one table, since a kernel row has values of two
 * patterns of a table; the numbers of the rows; and the labels of the problem. */
struct table {
    struct patterns patterns;
    size_t *rows;
    signed char *y;
};

static enum status table_open(struct table *table, const struct hullbench_problem *problem, const double *z, size_t m,
                              struct error *error)
{
    const size_t n = problem->n, dims = problem->dims, rows = n + m;
    table->rows = malloc(rows * sizeof *table->rows);
    table->y = malloc(n);
    if (!table->rows || !table->y ||
        patterns_create(&table->patterns, rows, dims, 0, PATTERNS_DENSE, NULL) != STATUS_OK)
        return error_set(error, STATUS_NO_MEMORY, "problem: out of memory for %zu patterns of %zu features", rows,
                         dims);
    memcpy(table->patterns.values, problem->x, n * dims * sizeof(double));
    if (m)
        memcpy(table->patterns.values + n * dims, z, m * dims * sizeof(double));
    for (size_t i = 0; i < rows; i++)
        table->rows[i] = i;
    for (size_t i = 0; i < n; i++)
        table->y[i] = (signed char)problem->y[i];
    return STATUS_OK;
}

static void table_close(struct table *table)
{
    patterns_free(&table->patterns);
    free(table->rows);
    free(table->y);
}

/* ---- the calls ---- */

static struct hullbench_result result_of(const struct job_result *from)
{
    const struct judgement *judged = &from->judgement;
    return (struct hullbench_result){
        .outcome = outcome_name(from->solution.outcome),
        .iterations = from->solution.iterations,
        .setup_operations = from->operations[PHASE_SETUP],
        .iteration_operations = from->operations[PHASE_ITERATIONS],
        .seconds = from->solution.seconds,
        .objective = judged->objective,
        .duality_gap = judged->duality_gap,
        .kkt_violation = judged->kkt_violation,
        .feasibility = judged->feasibility,
        .bias = judged->bias,
        .mu = from->mu_effective,
        .support_vectors = judged->support_vectors,
    };
}

/* The patterns behind those of the problem are the test patterns. */
static enum status open_session(const struct settings *settings, const struct table *table, size_t n, size_t gram_bytes,
                                struct session **session, struct error *error)
{
    const struct session_data data = {.name = "problem",
                                      .number = 1,
                                      .patterns = table->patterns,
                                      .train = table->rows,
                                      .test = table->rows + n,
                                      .n_train = n,
                                      .n_test = table->patterns.rows - n,
                                      .train_y = table->y};
    const enum status status = session_open(session, simd_select(NULL), &data, settings->kernel.type, gram_bytes, 0,
                                            error);
    return status == STATUS_OK ? session_set_kernel(*session, &settings->kernel, error) : status;
}

static enum status run(const struct settings *settings, const struct table *table, double *alpha,
                       struct job_result *result, struct error *error)
{
    const struct job_request job = {.solver = settings->solver,
                                    .parameters = &settings->parameters,
                                    .stop = settings->stop,
                                    .budget = settings->budget,
                                    .support_threshold = USUAL_SUPPORT_THRESHOLD};
    const size_t n = table->patterns.rows;
    struct session *session;
    struct error cause;
    enum status status =
        open_session(settings, table, n, USUAL_GRAM_MEGABYTES * (size_t)1048576, &session, error);
    if (status == STATUS_OK && (status = session_run(session, &job, result, &cause)) != STATUS_OK)
        error_set(error, status, "problem: %s", cause.message);
    if (status == STATUS_OK && alpha)
        memcpy(alpha, session_alpha(session), n * sizeof *alpha);
    session_close(session);
    return status;
}

/* Multipliers that are given are judged. */
static enum status train(const struct hullbench_problem *problem, const double *given_alpha, double *alpha,
                         struct hullbench_result *result, char reason[REASON_SIZE], struct error *error)
{
    struct settings settings;
    struct given given;
    struct table table = {.rows = NULL};
    struct job_result found;
    int is_symmetric = 1;
    enum status status = read_problem(problem, &settings, error);
    if (status != STATUS_OK)
        return status;
    if (given_alpha) {
        given = given_solver(settings.solver->formulation, settings.solver->square_penalty, given_alpha, problem->n);
        given.solver.parameters = settings.solver->parameters;
        settings.solver = &given.solver;
        settings.stop = (struct stop){STOP_DUALITY_GAP, problem->tolerance > 0 ? problem->tolerance : 1e-5};
    }
    status = table_open(&table, problem, NULL, 0, error);
    if (status == STATUS_OK && settings.kernel.type == KERNEL_PRECOMPUTED)
        status = kernel_table_check(&table.patterns, "problem", &is_symmetric, error);
    if (!is_symmetric)
        kernel_table_make_symmetric(&table.patterns);
    if (status == STATUS_OK)
        status = run(&settings, &table, alpha, &found, error);
    if (status == STATUS_OK) {
        *result = result_of(&found);
        memcpy(reason, found.solution.reason, sizeof found.solution.reason);
    }
    table_close(&table);
    return status;
}

static enum hullbench_status train_or_judge(const struct hullbench_problem *problem, const double *given, double *alpha,
                                            struct hullbench_result *result, char *message, size_t size)
{
    struct c_locale locale;
    struct error error = {.status = STATUS_OK};
    char reason[REASON_SIZE] = "";
    memset(result, 0, sizeof *result);
    c_locale_begin(&locale);
    train(problem, given, alpha, result, reason, &error);
    c_locale_end(&locale);
    return outcome_of(&error, reason, message, size);
}

enum hullbench_status hullbench_train(const struct hullbench_problem *problem, double *alpha,
                                      struct hullbench_result *result, char *message, size_t size)
{
    return train_or_judge(problem, NULL, alpha, result, message, size);
}

enum hullbench_status hullbench_judge(const struct hullbench_problem *problem, const double *alpha,
                                      struct hullbench_result *result, char *message, size_t size)
{
    return train_or_judge(problem, alpha, NULL, result, message, size);
}

static enum status decide_all(const struct settings *settings, const struct table *table, size_t n,
                              const double *alpha, double bias, double *decision, struct error *error)
{
    const size_t m = table->patterns.rows - n;
    struct session *session;
    enum status status = open_session(settings, table, n, 0, &session, error); /* predictions only: no matrix */
    if (status == STATUS_OK)
        memcpy(decision, session_decide(session, alpha, bias), m * sizeof *decision);
    for (size_t j = 0; status == STATUS_OK && j < m; j++)
        if (!isfinite(decision[j]))
            status = refuse(error, "z: the decision on pattern %zu is not a finite number; alpha, bias and kernel "
                                   "values have to give finite sums", j);
    session_close(session);
    return status;
}

static enum status decide(const struct hullbench_problem *problem, const double *alpha, double bias, size_t m,
                          const double *z, double *decision, struct error *error)
{
    struct settings settings;
    struct table table = {.rows = NULL};
    enum status status = read_problem(problem, &settings, error);
    if (status == STATUS_OK)
        status = check_patterns("z", z, m, problem->dims, error);
    if (status == STATUS_OK && settings.kernel.type == KERNEL_PRECOMPUTED)
        status = refuse(error, "kernel: precomputed values do not define kernel values of other patterns");
    if (status == STATUS_OK)
        status = table_open(&table, problem, z, m, error);
    if (status == STATUS_OK)
        status = decide_all(&settings, &table, problem->n, alpha, bias, decision, error);
    table_close(&table);
    return status;
}

enum hullbench_status hullbench_decide(const struct hullbench_problem *problem, const double *alpha, double bias,
                                       size_t m, const double *z, double *decision, char *message, size_t size)
{
    struct c_locale locale;
    struct error error = {.status = STATUS_OK};
    c_locale_begin(&locale);
    decide(problem, alpha, bias, m, z, decision, &error);
    c_locale_end(&locale);
    return outcome_of(&error, "", message, size);
}

const char *hullbench_version(void)
{
    return HULLBENCH_VERSION;
}
