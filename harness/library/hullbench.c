/*
 * The library's calls. A problem becomes a configuration of one job on a data set in memory, so that names, ranges and
 * messages are those of `hullbench solve`; it runs like a job of a run. Each call runs in the locale "C", whatever the
 * caller's is.
 */
#include "harness/library/hullbench.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/run.h"
#include "harness/run/unit.h"
#include "harness/support/decimal.h"
#include "harness/support/key_value.h"

static enum hullbench_status outcome_of(const struct error *error, const char *reason, char *message, size_t size)
{
    if (size > 0)
        snprintf(message, size, "%s", error->status == STATUS_OK ? reason : error->message);
    return error->status == STATUS_OK          ? HULLBENCH_OK
           : error->status == STATUS_BAD_INPUT ? HULLBENCH_BAD_INPUT
                                               : HULLBENCH_FAILED;
}

/* ---- the problem as a configuration ---- */

static enum status bad_pair(const char *field, const char *at, struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "problem: %s: \"%.*s\" is not NAME=VALUE", field, (int)strcspn(at, ","),
                     at);
}

static enum status add_kernel(cJSON *config, const char *words, struct error *error)
{
    cJSON *kernel = cJSON_AddObjectToObject(config, "kernel");
    size_t length = strcspn(words, ",");
    char type[64];
    snprintf(type, sizeof type, "%.*s", (int)length, words);
    cJSON_AddStringToObject(kernel, "type", type);
    const char *bad = words[length] ? key_value_set_list(kernel, words + length + 1) : NULL;
    return bad ? bad_pair("kernel", bad, error) : STATUS_OK;
}

static void add_stop(cJSON *config, const struct hullbench_problem *problem)
{
    cJSON *stop = cJSON_AddObjectToObject(config, "stop");
    struct stop usual = stop_usual(solver_find(problem->solver));
    const char *rule = problem->stop ? problem->stop : stop_rule_name(usual.rule);
    cJSON_AddStringToObject(stop, "rule", rule);
    if (strcmp(rule, stop_rule_name(STOP_ITERATIONS)) != 0)
        cJSON_AddNumberToObject(stop, "tolerance",
                                problem->tolerance != 0 ? problem->tolerance
                                : problem->stop         ? 1e-5
                                                        : usual.tolerance);
}

static enum status write_config(const struct hullbench_problem *problem, char **text, struct error *error)
{
    cJSON *config = cJSON_CreateObject(), *set = cJSON_CreateObject();
    cJSON_AddStringToObject(config, "name", "problem");
    cJSON_AddStringToObject(config, "standardise", "none");
    cJSON_AddStringToObject(set, "name", "problem");
    cJSON_AddStringToObject(set, "file", "memory");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(config, "datasets"), set);
    cJSON_AddNumberToObject(config, "splits", 1);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(config, "solvers"), cJSON_CreateString(problem->solver));
    cJSON *parameters = cJSON_AddObjectToObject(config, "parameters");
    const char *bad = problem->parameters ? key_value_set_list(parameters, problem->parameters) : NULL;
    enum status status = bad ? bad_pair("parameters", bad, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = add_kernel(config, problem->kernel ? problem->kernel : "linear", error);
    add_stop(config, problem);
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(config, "budget"), "iterations",
                            problem->iterations ? (double)problem->iterations : 100000);
    *text = status == STATUS_OK ? cJSON_Print(config) : NULL;
    cJSON_Delete(config);
    if (status == STATUS_OK && !*text)
        return error_set(error, STATUS_NO_MEMORY, "problem: out of memory");
    return status;
}

/* ---- the patterns as a data set of one split ---- */

static enum status check_patterns(const char *name, const double *x, size_t n, size_t dims, struct error *error)
{
    if (!x || n == 0 || dims == 0 || n > SIZE_MAX / dims / sizeof *x)
        return error_set(error, STATUS_BAD_INPUT,
                         "problem: %s: %zu patterns of %zu features; allowed: at least one of each", name, x ? n : 0,
                         dims);
    for (size_t i = 0; i < n * dims; i++)
        if (!isfinite(x[i]))
            return error_set(error, STATUS_BAD_INPUT, "problem: %s: feature %zu of pattern %zu is %g; allowed: finite "
                                                      "numbers",
                             name, i % dims, i / dims, x[i]);
    return STATUS_OK;
}

static enum status check_labels(const struct hullbench_problem *problem, struct error *error)
{
    size_t count[2] = {0, 0};
    for (size_t i = 0; problem->y && i < problem->n; i++) {
        if (problem->y[i] != 1 && problem->y[i] != -1)
            return error_set(error, STATUS_BAD_INPUT, "problem: y: label of pattern %zu is %d; allowed: 1, -1", i,
                             problem->y[i]);
        count[problem->y[i] < 0]++;
    }
    return count[0] && count[1] ? STATUS_OK
                                : error_set(error, STATUS_BAD_INPUT,
                                            "problem: y: %zu patterns of class 1 and %zu of class -1; allowed: at "
                                            "least one of each",
                                            count[0], count[1]);
}

static enum status check(const struct hullbench_problem *problem, struct error *error)
{
    if (!problem->solver)
        return error_set(error, STATUS_BAD_INPUT, "problem: solver: expected a name");
    enum status status = check_patterns("x", problem->x, problem->n, problem->dims, error);
    return status == STATUS_OK ? check_labels(problem, error) : status;
}

/* A data set with one split that trains on the first n rows and tests on the others. */
struct table {
    struct dataset set;
    struct split split;
    char name[8];
};

static void table_close(struct table *table)
{
    patterns_free(&table->set.patterns);
    free(table->set.y);
    free(table->set.indices);
}

static enum status table_open(struct table *table, const struct hullbench_problem *problem, const double *z, size_t m,
                              struct error *error)
{
    size_t n = problem->n, dims = problem->dims, rows = n + m;
    *table = (struct table){.name = "problem",
                            .set = {.full_size = rows, .n_splits = 1},
                            .split = {.number = 1, .n_train = n, .n_test = m}};
    table->set.name = table->set.source = table->name;
    table->set.splits = &table->split;
    table->set.y = malloc(rows);
    table->set.indices = calloc(rows, sizeof *table->set.indices);
    if (!table->set.y || !table->set.indices ||
        patterns_create(&table->set.patterns, rows, dims, 0, PATTERNS_DENSE, NULL) != STATUS_OK)
        return error_set(error, STATUS_NO_MEMORY, "problem: out of memory for %zu patterns of %zu features", rows,
                         dims);
    memcpy(table->set.patterns.values, problem->x, n * dims * sizeof(double));
    if (m)
        memcpy(table->set.patterns.values + n * dims, z, m * dims * sizeof(double));
    for (size_t i = 0; i < rows; i++) {
        table->set.y[i] = i < n && problem->y[i] < 0 ? -1 : 1;
        table->set.indices[i] = i;
    }
    table->split.train = table->set.indices;
    table->split.test = table->set.indices + n;
    return STATUS_OK;
}

/* ---- the calls ---- */

static void take_result(const struct job_result *from, struct hullbench_result *to)
{
    *to = (struct hullbench_result){
        .outcome = outcome_name(from->solution.outcome),
        .iterations = from->solution.iterations,
        .setup_operations = from->operations[PHASE_SETUP],
        .iteration_operations = from->operations[PHASE_ITERATIONS],
        .seconds = from->solution.seconds,
        .objective = from->judgement.objective,
        .duality_gap = from->judgement.duality_gap,
        .kkt_violation = from->judgement.kkt_violation,
        .feasibility = from->judgement.feasibility,
        .bias = from->judgement.bias,
        .mu = from->mu_effective,
        .support_vectors = from->judgement.support_vectors,
    };
}

static enum status run_job(const struct config *config, const struct plan *plan, const struct dataset *set,
                           double *alpha, struct hullbench_result *result, char *reason, struct error *error)
{
    struct unit_run *unit;
    struct job_result out;
    enum status status =
        unit_open(&unit, simd_select(NULL), set, 0, config->kernel->type, config->gram_bytes, 0, error);
    if (status != STATUS_OK)
        return status;
    status = unit_run_job(unit, config, &plan->jobs[0], NULL, NULL, &out, error);
    if (status == STATUS_OK) {
        memcpy(alpha, unit_alpha(unit), set->splits[0].n_train * sizeof *alpha);
        take_result(&out, result);
        memcpy(reason, out.solution.reason, sizeof out.solution.reason);
    }
    unit_close(unit);
    return status;
}

/* Converts the problem to a configuration and a plan of one job over *table. */
static enum status read_problem(const struct hullbench_problem *problem, struct table *table, struct config **config,
                                struct plan *plan, struct error *error)
{
    char *text = NULL;
    struct dataset *sets[1] = {&table->set};
    enum status status = write_config(problem, &text, error);
    if (status == STATUS_OK)
        status = config_parse(CONFIG_OF_LIBRARY, text, config, error);
    if (status == STATUS_OK)
        status = plan_build(*config, sets, 1, 1, plan, error);
    return status;
}

static enum hullbench_status train(const struct hullbench_problem *problem, double *alpha,
                                   struct hullbench_result *result, char *message, size_t size)
{
    struct error error = {.status = STATUS_OK};
    struct config *config = NULL;
    struct table table = {.split = {.number = 0}};
    struct plan plan = {0};
    char reason[REASON_SIZE] = "";
    memset(result, 0, sizeof *result);
    enum status status = check(problem, &error);
    if (status == STATUS_OK)
        status = table_open(&table, problem, NULL, 0, &error);
    if (status == STATUS_OK)
        status = read_problem(problem, &table, &config, &plan, &error);
    if (status == STATUS_OK && config->kernel->type == KERNEL_PRECOMPUTED)
        status = dataset_make_symmetric(&table.set, &error);
    if (status == STATUS_OK)
        run_job(config, &plan, &table.set, alpha, result, reason, &error);
    plan_free(&plan);
    config_free(config);
    table_close(&table);
    return outcome_of(&error, reason, message, size);
}

enum hullbench_status hullbench_train(const struct hullbench_problem *problem, double *alpha,
                                      struct hullbench_result *result, char *message, size_t size)
{
    struct c_locale locale;
    c_locale_begin(&locale);
    const enum hullbench_status status = train(problem, alpha, result, message, size);
    c_locale_end(&locale);
    return status;
}

static enum status decide_all(const struct table *table, const struct hullbench_problem *problem,
                          const struct kernel *kernel, const double *alpha, double bias, double *decision,
                          struct error *error)
{
    const struct simd *simd = simd_select(NULL);
    const struct split *split = &table->split;
    struct points train = {0}, test = {0};
    struct gram *gram = NULL;
    struct oracle *oracle = NULL;
    double *weights = simd_doubles(split->n_train), *out = simd_doubles(split->n_test);
    enum status status = weights && out ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "problem: out of memory");
    if (status == STATUS_OK)
        status =
            points_create(&train, kernel->type, table->set.patterns, split->train, split->n_train, error);
    if (status == STATUS_OK)
        status = points_create(&test, kernel->type, table->set.patterns, split->test, split->n_test, error);
    if (status == STATUS_OK)
        status = gram_create(&gram, simd, &train, 0, 0, error); /* predictions only: no matrix */
    if (status == STATUS_OK)
        status = oracle_create(&oracle, gram, error);
    if (status == STATUS_OK) {
        gram_set_kernel(gram, kernel);
        for (size_t i = 0; i < split->n_train; i++)
            weights[i] = problem->y[i] * alpha[i];
        oracle_predict(oracle, &test, weights, bias, NULL, out);
        memcpy(decision, out, split->n_test * sizeof *out);
    }
    for (size_t j = 0; status == STATUS_OK && j < split->n_test; j++)
        if (!isfinite(out[j]))
            status = error_set(error, STATUS_BAD_INPUT,
                               "problem: z: the decision on pattern %zu is not a finite number; alpha, bias and kernel "
                               "values have to give finite sums",
                               j);
    oracle_free(oracle);
    gram_free(gram);
    points_free(&train), points_free(&test);
    free(weights), free(out);
    return status;
}

static enum hullbench_status decide(const struct hullbench_problem *problem, const double *alpha, double bias, size_t m,
                                    const double *z, double *decision, char *message, size_t size)
{
    struct error error = {.status = STATUS_OK};
    struct config *config = NULL;
    struct table table = {.split = {.number = 0}};
    struct plan plan = {0};
    enum status status = check(problem, &error);
    if (status == STATUS_OK)
        status = check_patterns("z", z, m, problem->dims, &error);
    if (status == STATUS_OK)
        status = table_open(&table, problem, z, m, &error);
    if (status == STATUS_OK)
        status = read_problem(problem, &table, &config, &plan, &error);
    if (status == STATUS_OK && config->kernel->type == KERNEL_PRECOMPUTED)
        status =
            error_set(&error, STATUS_BAD_INPUT, "problem: kernel: precomputed values do not define kernel values of "
                                                "other patterns");
    if (status == STATUS_OK)
        decide_all(&table, problem, &plan.jobs[0].kernel, alpha, bias, decision, &error);
    plan_free(&plan);
    config_free(config);
    table_close(&table);
    return outcome_of(&error, "", message, size);
}

enum hullbench_status hullbench_decide(const struct hullbench_problem *problem, const double *alpha, double bias,
                                       size_t m, const double *z, double *decision, char *message, size_t size)
{
    struct c_locale locale;
    c_locale_begin(&locale);
    const enum hullbench_status status = decide(problem, alpha, bias, m, z, decision, message, size);
    c_locale_end(&locale);
    return status;
}

const char *hullbench_version(void)
{
    return HULLBENCH_VERSION;
}
