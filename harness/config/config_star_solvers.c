/*
 * The entry "*" of "solvers": each registered solver, including those of plugins, that no other entry names and whose
 * parameters have values. It uses the given stopping rule, or its own default rule if it does not support that one.
 */
#include <math.h>
#include <string.h>

#include "harness/base/json_writer.h"
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

static void put_default_stop(cJSON *entry, const struct solver *solver)
{
    const struct stop usual = stop_usual(solver);
    cJSON *stop = json_put_object(entry, "stop");
    json_put_text(stop, "rule", stop_rule_name(usual.rule));
    if (usual.rule != STOP_ITERATIONS)
        json_put_number(stop, "tolerance", usual.tolerance);
}

/* Adds an entry with the settings of the entry "*". */
static void add_entry(cJSON *list, const struct solver *solver, const cJSON *star, const cJSON *json)
{
    const cJSON *budget = config_member(star, "budget"), *own = config_member(star, "stop");
    const cJSON *stop = own ? own : config_member(json, "stop");
    const char *rule = cJSON_GetStringValue(config_member(stop, "rule"));
    const enum stop_rule found = rule ? stop_rule_find(rule) : STOP_RULES;
    cJSON *entry = json_add_object(list);
    json_put_text(entry, "name", solver->name);
    if (budget)
        json_put_copy(entry, "budget", budget);
    if (!stop || (found != STOP_RULES && !stop_rule_fits(found, solver)))
        put_default_stop(entry, solver);
    else if (own)
        json_put_copy(entry, "stop", own);
}

void config_expand_star(cJSON *json, const struct json_path *top)
{
    static const char *const keys[] = {"name", "stop", "budget", NULL};
    const struct json_path place = {.outer = top, .key = "solvers"};
    struct json_path at = {.outer = &place};
    cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "solvers");
    cJSON *star = cJSON_IsArray(list) ? list->child : NULL;
    for (; star && strcmp(name_of(star), "*") != 0; star = star->next)
        at.index++;
    if (!star)
        return;
    if (star->next)
        json_die(&at, "\"*\" must be the last entry");
    if (cJSON_IsObject(star))
        json_check_members(star, &at, keys);
    cJSON_DetachItemViaPointer(list, star);
    for (const struct solver *const *solver = solvers_all(); *solver; solver++)
        if (!is_named((*solver)->name, list) && has_values(*solver, config_member(json, "parameters")))
            add_entry(list, *solver, star, json);
    cJSON_Delete(star);
}
