/* Prints a record as a line of JSON, in the format of docs/formats.md. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/unit.h"

/* Adds a number with the fewest digits, at least 15, that read back as the same number; cJSON's own printing may be
 * wrong in the last place. A number that is not finite becomes null. */
static void add_number(cJSON *object, const char *key, double number)
{
    char text[32];
    if (!isfinite(number)) {
        cJSON_AddNullToObject(object, key);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    cJSON_AddRawToObject(object, key, text);
}

static void add_parameters(cJSON *record, const struct config_solver *solver, const struct job *job)
{
    cJSON *parameters = cJSON_AddObjectToObject(record, "params");
    for (size_t p = 0; p < solver_count_parameters(solver->solver); p++) {
        const struct parameter *parameter = config_solver_parameter(solver, p);
        const char *const *words = parameter_words(parameter);
        double value = parameter_get(&job->parameters, parameter);
        if (words)
            cJSON_AddStringToObject(parameters, parameter->name, words[(size_t)value]);
        else
            add_number(parameters, parameter->name, value);
    }
}

static void add_kernel(cJSON *record, const struct kernel *kernel)
{
    cJSON *object = cJSON_AddObjectToObject(record, "kernel");
    const struct kernel_family *family = kernel_family_of(kernel);
    cJSON_AddStringToObject(object, "type", family->name);
    for (size_t k = 0; k < kernel_family_count_parameters(family); k++)
        add_number(object, family->parameters[k]->name, kernel_parameter(kernel, k));
}

/* For an external solver only the harness's own kernel values, those of the prediction, are known. */
static void add_counts(cJSON *record, const struct solver *solver, const struct job_result *result)
{
    static const char *const phases[PHASE_COUNT] = {"setup", "iterations", "predict"};
    add_number(record, "iterations", (double)result->solution.iterations);
    cJSON *operations = cJSON_AddObjectToObject(record, "kernel_operations");
    for (unsigned p = 0; p < PHASE_COUNT; p++)
        add_number(operations, phases[p],
                   solver->solve_external && p != PHASE_PREDICT ? (double)NAN : (double)result->operations[p]);
    add_number(record, "kernel_evaluations", solver->solve_external ? (double)NAN : (double)result->evaluations);
}

void trace_comment(const struct dataset *dataset, const struct job *job, const char *solver, const char *record,
                   char *text, size_t size)
{
    static const char *const objects[] = {"params", "kernel", "stop"};
    cJSON *json = cJSON_Parse(record);
    size_t used = (size_t)snprintf(text, size, "# dataset %s\n# split %zu\n# solver %s\n", dataset->name,
                                   dataset->splits[job->split].number, solver);
    for (size_t i = 0; i < sizeof objects / sizeof *objects && used < size; i++) {
        char *printed = cJSON_PrintUnformatted(cJSON_GetObjectItem(json, objects[i]));
        used += (size_t)snprintf(text + used, size - used, "# %s %s\n", objects[i], printed ? printed : "{}");
        cJSON_free(printed);
    }
    cJSON_Delete(json);
}

/* The members before the outcome, which identify the measurement. */
static cJSON *new_record(const struct config *config, const struct dataset *dataset, const struct job *job)
{
    const struct solver *solver = config->solvers[job->solver].solver;
    const struct split *split = &dataset->splits[job->split];
    cJSON *record = cJSON_CreateObject();
    add_number(record, "schema", RECORD_SCHEMA);
    cJSON_AddStringToObject(record, "config", config->name);
    cJSON_AddStringToObject(record, "dataset", dataset->name);
    add_number(record, "split", (double)split->number);
    cJSON_AddStringToObject(record, "split_source", split_source_name(split->source));
    cJSON_AddStringToObject(record, "solver", solver->name);
    add_parameters(record, &config->solvers[job->solver], job);
    add_kernel(record, &job->kernel);
    cJSON *stop = cJSON_AddObjectToObject(record, "stop");
    cJSON_AddStringToObject(stop, "rule", stop_rule_name(job->stop.rule));
    add_number(stop, "tolerance", job->stop.rule == STOP_ITERATIONS ? (double)NAN : job->stop.tolerance);
    return record;
}

enum status record_head(const struct config *config, const struct dataset *dataset, const struct job *job, char **head,
                        struct error *error)
{
    cJSON *record = new_record(config, dataset, job);
    *head = cJSON_HasObjectItem(record, "stop") ? cJSON_PrintUnformatted(record) : NULL;
    cJSON_Delete(record);
    if (!*head)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for a record");
    (*head)[strlen(*head) - 1] = ','; /* more members follow */
    return STATUS_OK;
}

enum status record_line(const struct config *config, const struct dataset *dataset, const struct job *job,
                        const struct job_result *result, char **line, struct error *error)
{
    const struct judgement *judgement = &result->judgement;
    cJSON *record = new_record(config, dataset, job);
    cJSON_AddStringToObject(record, "outcome", outcome_name(result->solution.outcome));
    if (*result->solution.reason)
        cJSON_AddStringToObject(record, "reason", result->solution.reason);
    add_counts(record, config->solvers[job->solver].solver, result);
    add_number(record, "support_vectors", (double)judgement->support_vectors);
    add_number(record, "error_percent", result->error_percent);
    add_number(record, "objective", judgement->objective);
    add_number(record, "duality_gap", judgement->duality_gap);
    add_number(record, "kkt_violation", judgement->kkt_violation);
    add_number(record, "bias", judgement->bias);
    add_number(record, "feasibility", judgement->feasibility);
    add_number(record, "mu_effective", result->mu_effective);
    add_number(record, "mu_floor", judgement->mu_floor);
    add_number(record, "rch_mu", judgement->rch_mu);
    *line = record && cJSON_GetObjectItem(record, "rch_mu") ? cJSON_PrintUnformatted(record) : NULL;
    cJSON_Delete(record);
    return *line ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "out of memory for a record");
}
