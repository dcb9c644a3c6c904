/* Reading the solvers of a configuration: names, parameters, stopping rules, budgets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/config/config_reader.h"
#include "solvers/registry.h"

static enum status check_parameter_names(const cJSON *json, const struct json_path *place, struct error *error)
{
    const char *names[PARAMETER_COUNT + 1] = {NULL};
    for (unsigned p = 0; p < PARAMETER_COUNT; p++)
        names[p] = parameter_info((enum parameter)p)->name;
    return json_check_keys(json, place, names, error);
}

static enum status read_parameter(struct config_reader *reader, struct config_solver *solver, const cJSON *own,
                                  const struct json_path *own_place, enum parameter p)
{
    const struct parameter_info *info = parameter_info(p);
    const cJSON *general = config_member(reader->config->json, "parameters"), *value = config_member(own, info->name);
    struct json_path general_place = {.file = reader->top.file, .outer = &reader->top, .key = "parameters"};
    const struct json_path *outer = value ? own_place : &general_place;
    struct json_path at = {.file = outer->file, .outer = outer, .key = info->name};
    if (!(solver->solver->parameters >> p & 1)) {
        if (value)
            return json_error(&at, reader->error, "solver \"%s\" does not read this parameter", solver->solver->name);
        return STATUS_OK;
    }
    if (!value)
        value = config_member(general, info->name);
    struct value_list_range range = {info->above, info->at_most, info->multiple_of, info->choices};
    if (value)
        return value_list_read(value, &at, &range, reader->dataset_names, &solver->parameters[p], reader->error);
    if (isnan(info->fallback))
        return json_error(&reader->top, reader->error,
                          "solver \"%s\" needs parameter \"%s\"; give it under \"parameters\" (--set %s=VALUE)",
                          solver->solver->name, info->name, info->name);
    return value_list_constant(info->fallback, &solver->parameters[p], reader->error);
}

static double extreme_of(const struct values *values, int largest)
{
    double max = values->value[0];
    for (size_t i = 1; i < values->count; i++)
        max = largest ? fmax(max, values->value[i]) : fmin(max, values->value[i]);
    return max;
}

/* No more variables can enter a working set than it holds: every new_variables is at most every q it is run with. */
static enum status check_new_variables(const struct config_reader *reader, const struct config_solver *solver,
                                       const cJSON *own, const struct json_path *own_place)
{
    const struct value_list *entering = &solver->parameters[PARAMETER_NEW_VARIABLES],
                            *q = &solver->parameters[PARAMETER_Q];
    const char *name = parameter_info(PARAMETER_NEW_VARIABLES)->name;
    struct json_path general_place = {.file = reader->top.file, .outer = &reader->top, .key = "parameters"};
    struct json_path at = {.outer = config_member(own, name) ? own_place : &general_place, .key = name};
    at.file = at.outer->file;
    for (size_t d = 0; d < reader->config->n_datasets; d++) {
        const char *dataset = reader->dataset_names[d];
        const struct values *max = value_list_for(entering, dataset), *sizes = value_list_for(q, dataset);
        if (max && sizes && extreme_of(max, 1) > extreme_of(sizes, 0))
            return json_error(&at, reader->error, "%g is above q, %g; allowed: at most q, or 0 for q",
                              extreme_of(max, 1), extreme_of(sizes, 0));
    }
    return STATUS_OK;
}

static enum status check_stop_fits(const struct solver *solver, enum stop_rule rule, const struct json_path *place,
                                   struct error *error)
{
    char allowed[256] = "";
    size_t used = 0;
    if (solver->stops >> rule & 1)
        return STATUS_OK;
    for (unsigned r = 0; r < STOP_RULES; r++)
        if (solver->stops >> r & 1 && used < sizeof allowed)
            used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s", used ? ", " : "",
                                     stop_rule_name((enum stop_rule)r));
    return json_error(place, error, "stopping rule \"%s\" has no meaning for solver \"%s\"; allowed: %s",
                      stop_rule_name(rule), solver->name, allowed);
}

static enum status read_stop(struct config_reader *reader, struct config_solver *solver, const cJSON *json,
                             const struct json_path *place)
{
    static const char *const keys[] = {"rule", "tolerance", NULL};
    const char *names[STOP_RULES + 1] = {NULL}, *rule;
    for (unsigned r = 0; r < STOP_RULES; r++)
        names[r] = stop_rule_name((enum stop_rule)r);
    enum status status = json_check_keys(json, place, keys, reader->error);
    if (status != STATUS_OK ||
        (status = json_text(json, "rule", place, 1, &rule, reader->error)) != STATUS_OK)
        return status;
    struct json_path rule_place = {.file = place->file, .outer = place, .key = "rule"};
    solver->stop_rule = stop_rule_find(rule);
    if (solver->stop_rule == STOP_RULES)
        return json_unknown_name(&rule_place, "stopping rule", rule, names, reader->error);
    status = check_stop_fits(solver->solver, solver->stop_rule, &rule_place, reader->error);
    if (status != STATUS_OK)
        return status;
    const cJSON *tolerance = config_member(json, "tolerance");
    struct json_path at = {.file = place->file, .outer = place, .key = "tolerance"};
    const struct value_list_range range = {0, 1e300, 0, NULL};
    if (solver->stop_rule == STOP_ITERATIONS) {
        if (tolerance)
            return json_error(&at, reader->error, "rule \"iterations\" has no tolerance; set budget.iterations");
        return value_list_constant(0, &solver->tolerance, reader->error);
    }
    if (!tolerance)
        return json_error(place, reader->error, "key \"tolerance\" is missing");
    return value_list_read(tolerance, &at, &range, reader->dataset_names, &solver->tolerance, reader->error);
}

static enum status read_budget(const cJSON *json, const struct json_path *place, struct budget *budget,
                               struct error *error)
{
    static const char *const keys[] = {"iterations", "kernel_operations", "seconds", NULL};
    double iterations = 0, operations = 0;
    if (!json)
        return STATUS_OK;
    enum status status = json_check_keys(json, place, keys, error);
    if (status != STATUS_OK ||
        (status = json_integer(json, "iterations", place, 0, 1e15, &iterations, error)) != STATUS_OK ||
        (status = json_integer(json, "kernel_operations", place, 0, MAX_COUNT, &operations, error)) != STATUS_OK ||
        (status = json_number(json, "seconds", place, 0, 0, 1e9, &budget->seconds, error)) != STATUS_OK)
        return status;
    budget->iterations = (uint64_t)iterations;
    budget->kernel_operations = (uint64_t)operations;
    return STATUS_OK;
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
    json_unknown_name(place, "solver", name, names, error);
    if (error) {
        const struct error unknown = *error;
        error_set(error, STATUS_BAD_INPUT, "%s; is it in a plugin? give --plugin FILE", unknown.message);
    }
    return STATUS_BAD_INPUT;
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
    struct json_path parameters_place = {.file = place->file, .outer = place, .key = "parameters"};
    if (config_member(own, "parameters"))
        status = check_parameter_names(config_member(own, "parameters"), &parameters_place, reader->error);
    for (unsigned p = 0; p < PARAMETER_COUNT && status == STATUS_OK; p++)
        status = read_parameter(reader, out, config_member(own, "parameters"), &parameters_place, (enum parameter)p);
    if (status == STATUS_OK)
        status = check_new_variables(reader, out, config_member(own, "parameters"), &parameters_place);
    if (status != STATUS_OK)
        return status;
    int own_stop = config_member(own, "stop") != NULL, own_budget = config_member(own, "budget") != NULL;
    struct json_path stop_place = {.file = place->file, .outer = own_stop ? place : &reader->top, .key = "stop"};
    struct json_path budget_place = {.file = place->file, .outer = own_budget ? place : &reader->top, .key = "budget"};
    const cJSON *stop = own_stop ? config_member(own, "stop") : config_member(top, "stop");
    if (!stop)
        return json_error(&reader->top, reader->error, "key \"stop\" is missing, and solver \"%s\" has none of its own",
                          name);
    status = read_stop(reader, out, stop, &stop_place);
    if (status == STATUS_OK)
        status = read_budget(own_budget ? config_member(own, "budget") : config_member(top, "budget"), &budget_place,
                             &out->budget, reader->error);
    if (status == STATUS_OK && out->stop_rule == STOP_ITERATIONS && !out->budget.iterations)
        return json_error(&stop_place, reader->error, "rule \"iterations\" needs budget.iterations");
    return status;
}

enum status config_read_solvers(struct config_reader *reader)
{
    struct config *config = reader->config;
    const cJSON *json = config_member(config->json, "solvers"), *general = config_member(config->json, "parameters");
    struct json_path place = {.file = reader->top.file, .outer = &reader->top, .key = "solvers"};
    struct json_path parameters_place = {.file = reader->top.file, .outer = &reader->top, .key = "parameters"};
    size_t count = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 0;
    if (count == 0)
        return json_error(&place, reader->error, "a non-empty list of solvers is expected");
    enum status status = general ? check_parameter_names(general, &parameters_place, reader->error) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    config->solvers = calloc(count, sizeof *config->solvers);
    if (!config->solvers)
        return config_no_memory(reader->error);
    unsigned used = 0;
    for (const cJSON *item = json->child; item; item = item->next) {
        struct json_path at = {.file = place.file, .outer = &place, .index = config->n_solvers};
        struct config_solver *solver = &config->solvers[config->n_solvers++];
        solver->place = (uint32_t)at.index;
        status = read_solver(reader, item, &at, solver);
        if (status != STATUS_OK)
            return status;
        used |= solver->solver->parameters;
    }
    for (const cJSON *item = general ? general->child : NULL; item; item = item->next)
        if (!(used >> parameter_find(item->string) & 1))
            return json_error(&parameters_place, reader->error, "none of the solvers reads parameter \"%s\"",
                              item->string);
    return STATUS_OK;
}

void config_solver_free(struct config_solver *solver)
{
    for (unsigned p = 0; p < PARAMETER_COUNT; p++)
        value_list_free(&solver->parameters[p]);
    value_list_free(&solver->tolerance);
}
