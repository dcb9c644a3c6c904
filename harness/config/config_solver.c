/* Reads the solvers of a configuration: names, parameters, stopping rules, budgets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/config/config_reader.h"
#include "solvers/registry.h"

/* Checks that every key of "parameters" is a parameter of `solver`, or, if that is NULL, of any registered solver. */
static enum status check_parameter_names(const cJSON *json, const struct json_path *place, const struct solver *solver,
                                         struct error *error)
{
    const struct solver *const one[] = {solver, NULL};
    const struct solver *const *all = solver ? one : solvers_all();
    size_t count = 0, n = 0;
    for (const struct solver *const *at = all; *at; at++)
        count += solver_count_parameters(*at);
    const char **names = calloc(count + 1, sizeof *names);
    if (!names)
        return config_no_memory(error);
    for (const struct solver *const *at = all; *at; at++)
        for (size_t p = 0; p < solver_count_parameters(*at); p++) {
            size_t i = 0;
            while (i < n && strcmp(names[i], (*at)->parameters[p]->name) != 0)
                i++;
            if (i == n)
                names[n++] = (*at)->parameters[p]->name;
        }
    enum status status = json_check_keys(json, place, names, error);
    free(names);
    return status;
}

/* The parameters in the solver's entry, and the configuration's defaults for the others. */
struct parameter_places {
    const cJSON *own, *general;
    struct json_path own_place, general_place;
};

static struct json_path place_of(const struct parameter_places *places, const char *name)
{
    const struct json_path *outer = config_member(places->own, name) ? &places->own_place : &places->general_place;
    return (struct json_path){.file = outer->file, .outer = outer, .key = name};
}

/* Nonzero if a value of mu is {"of_C": ...}, perhaps misspelt, and none of the objects that an axis may be. */
static int wants_mu_of_c(const cJSON *json)
{
    int is_axis = !cJSON_IsObject(json);
    for (size_t f = 0; value_list_forms[f]; f++)
        is_axis |= config_member(json, value_list_forms[f]) != NULL;
    return config_member(json, "of_C") || !is_axis;
}

/* Reads the C of {"of_C": ...}, in place of mu. */
static enum status read_mu_of_c(struct config_reader *reader, struct config_solver *solver, const cJSON *json,
                                const struct json_path *place, struct value_list *list)
{
    const char *keys[8] = {"of_C"};
    const struct json_path at = {.file = place->file, .outer = place, .key = "of_C"};
    for (size_t f = 0; value_list_forms[f]; f++)
        keys[f + 1] = value_list_forms[f];
    if (solver_reads(solver->solver, &parameter_c))
        return json_error(place, reader->error, "solver \"%s\" reads C itself; give \"mu\" as a number",
                          solver->solver->name);
    enum status status = json_check_keys(json, place, keys, reader->error);
    if (status == STATUS_OK && (cJSON_GetArraySize(json) != 1 || !config_member(json, "of_C")))
        status = json_error(place, reader->error, "\"of_C\" cannot be combined with other keys");
    solver->mu_of_c = 1;
    return status == STATUS_OK ? value_list_read(json->child, &at, &parameter_c, reader->dataset_names, list,
                                                 reader->error)
                               : status;
}

static enum status read_parameter(struct config_reader *reader, struct config_solver *solver,
                                  const struct parameter_places *places, size_t p)
{
    const struct parameter *parameter = solver->solver->parameters[p];
    const cJSON *own = config_member(places->own, parameter->name);
    const cJSON *value = own ? own : config_member(places->general, parameter->name);
    const struct json_path at = place_of(places, parameter->name);
    if (parameter == &parameter_mu && wants_mu_of_c(value))
        return read_mu_of_c(reader, solver, value, &at, &solver->parameters[p]);
    if (value)
        return value_list_read(value, &at, parameter, reader->dataset_names, &solver->parameters[p], reader->error);
    if (isnan(parameter->fallback))
        return json_error(&reader->top, reader->error,
                          "solver \"%s\" needs parameter \"%s\"; give it under \"parameters\" (--set %s=VALUE)",
                          solver->solver->name, parameter->name, parameter->name);
    return value_list_constant(parameter->fallback, &solver->parameters[p], reader->error);
}

static double extreme_of(const struct values *values, int largest)
{
    double max = values->value[0];
    for (size_t i = 1; i < values->count; i++)
        max = largest ? fmax(max, values->value[i]) : fmin(max, values->value[i]);
    return max;
}

/* If a parameter is bounded by another, checks every pair of values that is run together. */
static enum status check_at_most(const struct config_reader *reader, const struct config_solver *solver,
                                 const struct parameter_places *places, size_t p)
{
    const struct parameter *const *list = solver->solver->parameters;
    const struct json_path at = place_of(places, list[p]->name);
    char fault[192];
    size_t other = 0;
    while (list[other] != list[p]->at_most)
        other++;
    for (size_t d = 0; d < reader->config->n_datasets; d++) {
        const char *dataset = reader->dataset_names[d];
        const struct values *values = value_list_for(&solver->parameters[p], dataset),
                            *bounds = value_list_for(&solver->parameters[other], dataset);
        if (values && bounds &&
            parameter_fault_of_bound(list[p], extreme_of(values, 1), extreme_of(bounds, 0), fault, sizeof fault))
            return json_error(&at, reader->error, "%g is %s", extreme_of(values, 1), fault);
    }
    return STATUS_OK;
}

static enum status check_own_names(const struct parameter_places *places, const struct solver *solver,
                                   struct error *error)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, places->own) {
        const struct json_path at = place_of(places, item->string);
        if (!solver_parameter(solver, item->string) && solvers_know_parameter(item->string))
            return json_error(&at, error, "solver \"%s\" does not read this parameter", solver->name);
    }
    return check_parameter_names(places->own, &places->own_place, solver, error);
}

static enum status read_parameters(struct config_reader *reader, struct config_solver *solver, const cJSON *own,
                                   const struct json_path *place)
{
    const struct parameter_places places = {
        .own = config_member(own, "parameters"),
        .general = config_member(reader->config->json, "parameters"),
        .own_place = {.file = place->file, .outer = place, .key = "parameters"},
        .general_place = {.file = reader->top.file, .outer = &reader->top, .key = "parameters"},
    };
    const size_t count = solver_count_parameters(solver->solver);
    enum status status = places.own ? check_own_names(&places, solver->solver, reader->error) : STATUS_OK;
    solver->parameters = calloc(count + 1, sizeof *solver->parameters);
    if (!solver->parameters)
        return config_no_memory(reader->error);
    for (size_t p = 0; p < count && status == STATUS_OK; p++)
        status = read_parameter(reader, solver, &places, p);
    for (size_t p = 0; p < count && status == STATUS_OK; p++)
        if (solver->solver->parameters[p]->at_most)
            status = check_at_most(reader, solver, &places, p);
    return status;
}

static enum status read_stop(struct config_reader *reader, struct config_solver *solver, const cJSON *json,
                             const struct json_path *place)
{
    static const char *const keys[] = {"rule", "tolerance", NULL};
    const char *names[MAX_STOP_RULES + 1], *rule;
    char fault[512];
    enum status status = json_check_keys(json, place, keys, reader->error);
    if (status != STATUS_OK ||
        (status = json_text(json, "rule", place, 1, &rule, reader->error)) != STATUS_OK)
        return status;
    struct json_path rule_place = {.file = place->file, .outer = place, .key = "rule"};
    solver->stop_rule = stop_rule_find(rule);
    if (solver->stop_rule == STOP_RULES)
        return config_unknown_name(&rule_place, "stopping rule", rule, stop_rule_names(names), reader->error);
    if (stop_rule_fault(solver->stop_rule, solver->solver, solver->mu_of_c, fault, sizeof fault))
        return json_error(&rule_place, reader->error, "%s", fault);
    const cJSON *tolerance = config_member(json, "tolerance");
    struct json_path at = {.file = place->file, .outer = place, .key = "tolerance"};
    if (solver->stop_rule == STOP_ITERATIONS) {
        if (tolerance)
            return json_error(&at, reader->error, "rule \"iterations\" has no tolerance; set budget.iterations");
        return value_list_constant(0, &solver->tolerance, reader->error);
    }
    if (!tolerance)
        return json_error(place, reader->error, "key \"tolerance\" is missing");
    return value_list_read(tolerance, &at, &stop_tolerance, reader->dataset_names, &solver->tolerance, reader->error);
}

static enum status read_budget(const cJSON *json, const struct json_path *place, struct config_solver *solver,
                               struct error *error)
{
    static const char *const keys[] = {"iterations", "kernel_operations", "kernel_matrices", "seconds", NULL};
    struct budget *budget = &solver->budget;
    double iterations = 0, operations = 0;
    if (!json)
        return STATUS_OK;
    enum status status = json_check_keys(json, place, keys, error);
    if (status != STATUS_OK ||
        (status = json_integer(json, "iterations", place, 0, BUDGET_MAX_ITERATIONS, &iterations, error)) != STATUS_OK ||
        (status = json_integer(json, "kernel_operations", place, 0, MAX_COUNT, &operations, error)) != STATUS_OK ||
        (status = json_number(json, "kernel_matrices", place, 0, 0, MAX_COUNT, &solver->kernel_matrices, error)) !=
            STATUS_OK ||
        (status = json_number(json, "seconds", place, 0, 0, 1e9, &budget->seconds, error)) != STATUS_OK)
        return status;
    budget->iterations = (uint64_t)iterations;
    budget->kernel_operations = (uint64_t)operations;
    return STATUS_OK;
}

enum status config_unknown_name(const struct json_path *place, const char *what, const char *name,
                                const char *const *names, struct error *error)
{
    json_unknown_name(place, what, name, names, error);
    if (error) {
        const struct error unknown = *error;
        const char *list = strstr(unknown.message, "; allowed: "); /* long, so the question precedes it */
        const int length = list ? (int)(list - unknown.message) : (int)strlen(unknown.message);
        error_set(error, STATUS_BAD_INPUT, "%.*s; is it in a plugin? give --plugin FILE%s", length, unknown.message,
                  list ? list : "");
    }
    return STATUS_BAD_INPUT;
}

enum status config_find_solver(const char *name, const struct json_path *place, const struct solver **solver,
                               struct error *error)
{
    const char *names[MAX_SOLVERS + 1] = {NULL};
    const struct solver *const *all = solvers_all();
    *solver = solver_find(name);
    if (*solver)
        return STATUS_OK;
    for (size_t i = 0; all[i]; i++)
        names[i] = all[i]->name;
    return config_unknown_name(place, "solver", name, names, error);
}

static enum status read_solver(struct config_reader *reader, const cJSON *json, const struct json_path *place,
                               struct config_solver *out)
{
    static const char *const keys[] = {"name", "parameters", "stop", "budget", NULL};
    const cJSON *top = reader->config->json, *own = NULL;
    const char *name = NULL;
    enum status status = STATUS_OK;
    if (cJSON_IsString(json))
        name = json->valuestring;
    else if ((status = json_check_keys(json, place, keys, reader->error)) != STATUS_OK ||
             (status = json_text(json, "name", place, 1, &name, reader->error)) != STATUS_OK)
        return status;
    else
        own = json;
    status = config_find_solver(name, place, &out->solver, reader->error);
    if (status != STATUS_OK)
        return status;
    if (out->solver->solve_external && reader->config->kernel->type == KERNEL_OF_PLUGIN)
        return json_error(place, reader->error,
                          "solver \"%s\" computes its own kernel values and cannot use the kernel \"%s\" of a plugin",
                          name, reader->config->kernel->name);
    status = read_parameters(reader, out, own, place);
    if (status != STATUS_OK)
        return status;
    int own_stop = config_member(own, "stop") != NULL, own_budget = config_member(own, "budget") != NULL;
    struct json_path stop_place = {.file = place->file, .outer = own_stop ? place : &reader->top, .key = "stop"};
    struct json_path budget_place = {.file = place->file, .outer = own_budget ? place : &reader->top, .key = "budget"};
    const cJSON *stop = own_stop ? config_member(own, "stop") : config_member(top, "stop");
    if (!stop)
        return json_error(&reader->top, reader->error, "key \"stop\" is missing, and solver \"%s\" has no \"stop\" "
                                                       "either",
                          name);
    status = read_stop(reader, out, stop, &stop_place);
    if (status == STATUS_OK)
        status = read_budget(own_budget ? config_member(own, "budget") : config_member(top, "budget"), &budget_place,
                             out, reader->error);
    if (status == STATUS_OK && out->stop_rule == STOP_ITERATIONS && !out->budget.iterations)
        return json_error(&stop_place, reader->error, "rule \"iterations\" needs budget.iterations");
    return status;
}

static int is_read(const struct config *config, const char *parameter)
{
    for (size_t s = 0; s < config->n_solvers; s++)
        if (solver_parameter(config->solvers[s].solver, parameter))
            return 1;
    return 0;
}

enum status config_read_solvers(struct config_reader *reader)
{
    struct config *config = reader->config;
    const cJSON *json = config_member(config->json, "solvers"), *general = config_member(config->json, "parameters");
    struct json_path place = {.file = reader->top.file, .outer = &reader->top, .key = "solvers"};
    struct json_path parameters_place = {.file = reader->top.file, .outer = &reader->top, .key = "parameters"};
    size_t count = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 0;
    if (count == 0)
        return json_error(&place, reader->error, "expected a non-empty list of solvers");
    enum status status = general ? check_parameter_names(general, &parameters_place, NULL, reader->error) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    config->solvers = calloc(count, sizeof *config->solvers);
    if (!config->solvers)
        return config_no_memory(reader->error);
    for (const cJSON *item = json->child; item; item = item->next) {
        struct json_path at = {.file = place.file, .outer = &place, .index = config->n_solvers};
        struct config_solver *solver = &config->solvers[config->n_solvers++];
        solver->place = (uint32_t)at.index;
        status = read_solver(reader, item, &at, solver);
        if (status != STATUS_OK)
            return status;
    }
    for (const cJSON *item = general ? general->child : NULL; item; item = item->next)
        if (!is_read(config, item->string))
            return json_error(&parameters_place, reader->error, "none of the solvers reads parameter \"%s\"",
                              item->string);
    return STATUS_OK;
}

const struct parameter *config_solver_parameter(const struct config_solver *solver, size_t p)
{
    const struct parameter *own = solver->solver->parameters[p];
    return solver->mu_of_c && own == &parameter_mu ? &parameter_c : own;
}

void config_solver_free(struct config_solver *solver)
{
    for (size_t p = 0; solver->parameters && p < solver_count_parameters(solver->solver); p++)
        value_list_free(&solver->parameters[p]);
    free(solver->parameters);
    value_list_free(&solver->tolerance);
}
