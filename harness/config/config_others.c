/*
 * The entry "*" of "solvers": each registered solver, including those of plugins, that no other entry names and whose
 * parameters have values. It uses the given stopping rule, or its own default rule if it does not support that one.
 */
#include <math.h>
#include <string.h>

#include "harness/config/config_reader.h"
#include "harness/evaluate/stopping.h"

static const char *name_of(const cJSON *entry)
{
    const char *name = cJSON_GetStringValue(cJSON_IsObject(entry) ? config_member(entry, "name") : entry);
    return name ? name : "";
}

static int has_values(const struct solver *solver, const cJSON *parameters)
{
    for (size_t p = 0; p < solver_count_parameters(solver); p++) {
        const struct parameter *parameter = solver->parameters[p];
        if (isnan(parameter->fallback) && !config_member(parameters, parameter->name))
            return 0;
    }
    return 1;
}

static int is_named(const char *name, const cJSON *list)
{
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, list)
        if (strcmp(name_of(entry), name) == 0)
            return 1;
    return 0;
}

/* Adds the solver's default rule to its entry; 0 if out of memory. */
static int put_default_stop(cJSON *entry, const struct solver *solver)
{
    const struct stop usual = stop_usual(solver);
    cJSON *stop = cJSON_AddObjectToObject(entry, "stop");
    return cJSON_AddStringToObject(stop, "rule", stop_rule_name(usual.rule)) &&
           (usual.rule == STOP_ITERATIONS || cJSON_AddNumberToObject(stop, "tolerance", usual.tolerance));
}

/* Adds the settings of the entry "*" to that of the solver; 0 if out of memory. */
static int complete_entry(cJSON *entry, const struct solver *solver, const cJSON *star, const cJSON *json)
{
    const cJSON *budget = config_member(star, "budget"), *own = config_member(star, "stop");
    const cJSON *stop = own ? own : config_member(json, "stop");
    const char *rule = cJSON_GetStringValue(config_member(stop, "rule"));
    enum stop_rule found = rule ? stop_rule_find(rule) : STOP_RULES;
    if (!cJSON_AddStringToObject(entry, "name", solver->name) ||
        (budget && !cJSON_AddItemToObject(entry, "budget", cJSON_Duplicate(budget, 1))))
        return 0;
    if (!stop || (found != STOP_RULES && !stop_rule_fits(found, solver)))
        return put_default_stop(entry, solver);
    return !own || cJSON_AddItemToObject(entry, "stop", cJSON_Duplicate(own, 1));
}

static enum status add_others(cJSON *json, cJSON *list, const cJSON *star, struct error *error)
{
    for (const struct solver *const *at = solvers_all(); *at; at++) {
        if (is_named((*at)->name, list) || !has_values(*at, config_member(json, "parameters")))
            continue;
        cJSON *entry = cJSON_CreateObject();
        if (!entry || !complete_entry(entry, *at, star, json) || !cJSON_AddItemToArray(list, entry)) {
            cJSON_Delete(entry);
            return config_no_memory(error);
        }
    }
    return STATUS_OK;
}

enum status config_expand_others(cJSON *json, const struct json_path *top, struct error *error)
{
    static const char *const keys[] = {"name", "stop", "budget", NULL};
    struct json_path place = {.file = top->file, .outer = top, .key = "solvers"};
    struct json_path at = {.file = top->file, .outer = &place};
    cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "solvers");
    cJSON *star = cJSON_IsArray(list) ? list->child : NULL;
    for (; star && strcmp(name_of(star), "*") != 0; star = star->next)
        at.index++;
    if (!star)
        return STATUS_OK;
    if (star->next)
        return json_error(&at, error, "\"*\" must be the last entry");
    enum status status = cJSON_IsObject(star) ? json_check_keys(star, &at, keys, error) : STATUS_OK;
    if (status == STATUS_OK) {
        cJSON_DetachItemViaPointer(list, star);
        status = add_others(json, list, star, error);
        cJSON_Delete(star);
    }
    return status;
}
