/* Reads the solvers of a configuration: names, parameters, stopping rules, budgets. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/config/config_reader.h"
#include "harness/evaluate/stopping.h"
#include "solvers/registry.h"
#include "solvers/unknown_name.h"

const struct member config_stop_members[] = {
    {"rule", MEMBER_TEXT, FIELD(struct config_stop, rule), MEMBER_REQUIRED},
    {"tolerance", MEMBER_JSON, FIELD(struct config_stop, tolerance)},
    MEMBERS_END,
};

const struct member config_budget_members[] = {
    {"iterations", MEMBER_COUNT, FIELD(struct config_budget, limits.iterations), MEMBER_ABOVE,
     .high = BUDGET_MAX_ITERATIONS},
    {"kernel_operations", MEMBER_COUNT, FIELD(struct config_budget, limits.kernel_operations), MEMBER_ABOVE,
     .high = MAX_COUNT},
    {"kernel_matrices", MEMBER_REAL, FIELD(struct config_budget, kernel_matrices), MEMBER_ABOVE, .high = MAX_COUNT},
    {"seconds", MEMBER_REAL, FIELD(struct config_budget, limits.seconds), MEMBER_ABOVE, .high = 1e9},
    MEMBERS_END,
};

/* An entry of "solvers" that is an object. */
struct entry {
    const char *name;
    const cJSON *parameters;
    const struct config_stop *stop;     /* NULL: that of the configuration; likewise the budget */
    const struct config_budget *budget;
};
const struct member config_solver_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct entry, name), MEMBER_REQUIRED},
    {"parameters", MEMBER_JSON, FIELD(struct entry, parameters), .doc = "Replace the general ones."},
    {"stop", MEMBER_OBJECT, FIELD(struct entry, stop), .inner = config_stop_members,
     .inner_size = sizeof(struct config_stop), .doc = "Replaces the general one."},
    {"budget", MEMBER_OBJECT, FIELD(struct entry, budget), .inner = config_budget_members,
     .inner_size = sizeof(struct config_budget), .doc = "Replaces the general one."},
    MEMBERS_END,
};

/* Checks that every key of "parameters" is a parameter of `solver`, or, if that is NULL, of any registered solver. */
static void check_parameter_names(struct pool *pool, const cJSON *json, const struct json_path *place,
                                  const struct solver *solver)
{
    const struct solver *const one[] = {solver, NULL};
    struct member_texts names = {0};
    for (const struct solver *const *at = solver ? one : solvers_all(); *at; at++)
        for (size_t p = 0; p < solver_count_parameters(*at); p++) {
            size_t i = 0;
            while (i < names.count && strcmp(names.item[i], (*at)->parameters[p]->name) != 0)
                i++;
            if (i == names.count)
                *pool_push(pool, &names) = (*at)->parameters[p]->name;
        }
    *pool_push(pool, &names) = NULL;
    json_check_members(json, place, names.item);
}

/* The parameters in the solver's entry, and the configuration's defaults for the others. */
struct parameter_places {
    const cJSON *own, *general;
    struct json_path own_place, general_place;
};

static struct json_path place_of(const struct parameter_places *places, const char *name)
{
    return (struct json_path){
        .outer = config_member(places->own, name) ? &places->own_place : &places->general_place, .key = name};
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
static struct value_list read_mu_of_c(const struct config_reader *reader, struct config_solver *solver,
                                      const cJSON *json, const struct json_path *place)
{
    const char *keys[8] = {"of_C"};
    const struct json_path at = {.outer = place, .key = "of_C"};
    for (size_t f = 0; value_list_forms[f]; f++)
        keys[f + 1] = value_list_forms[f];
    if (solver_reads(solver->solver, &parameter_c))
        json_die(place, "solver \"%s\" reads C itself; give \"mu\" as a number", solver->solver->name);
    json_check_members(json, place, keys);
    if (cJSON_GetArraySize(json) != 1 || !config_member(json, "of_C"))
        json_die(place, "\"of_C\" cannot be combined with other keys");
    solver->mu_of_c = 1;
    return value_list_read(reader->pool, json->child, &at, &parameter_c, reader->dataset_names);
}

static struct value_list read_parameter(const struct config_reader *reader, struct config_solver *solver,
                                        const struct parameter_places *places, size_t p)
{
    const struct parameter *parameter = solver->solver->parameters[p];
    const cJSON *own = config_member(places->own, parameter->name);
    const cJSON *value = own ? own : config_member(places->general, parameter->name);
    const struct json_path at = place_of(places, parameter->name);
    if (parameter == &parameter_mu && wants_mu_of_c(value))
        return read_mu_of_c(reader, solver, value, &at);
    if (value)
        return value_list_read(reader->pool, value, &at, parameter, reader->dataset_names);
    if (isnan(parameter->fallback))
        json_die(&reader->top, "solver \"%s\" needs parameter \"%s\"; give it under \"parameters\" (--set %s=VALUE)",
                 solver->solver->name, parameter->name, parameter->name);
    return value_list_constant(reader->pool, parameter->fallback);
}

static double extreme_of(const struct values *values, int largest)
{
    double max = values->value[0];
    for (size_t i = 1; i < values->count; i++)
        max = largest ? fmax(max, values->value[i]) : fmin(max, values->value[i]);
    return max;
}

/* If a parameter is bounded by another, checks every pair of values that is run together. */
static void check_at_most(const struct config_reader *reader, const struct config_solver *solver,
                          const struct parameter_places *places, size_t p)
{
    const struct parameter *const *list = solver->solver->parameters;
    const struct json_path at = place_of(places, list[p]->name);
    char fault[192];
    size_t other = 0;
    if (!list[p]->at_most)
        return;
    while (list[other] != list[p]->at_most)
        other++;
    for (size_t d = 0; d < reader->config->n_datasets; d++) {
        const char *dataset = reader->dataset_names[d];
        const struct values *values = value_list_for(&solver->parameters[p], dataset),
                            *bounds = value_list_for(&solver->parameters[other], dataset);
        if (values && bounds &&
            parameter_fault_of_bound(list[p], extreme_of(values, 1), extreme_of(bounds, 0), fault, sizeof fault))
            json_die(&at, "%g is %s", extreme_of(values, 1), fault);
    }
}

static void check_own_names(struct pool *pool, const struct parameter_places *places, const struct solver *solver)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, places->own) {
        const struct json_path at = place_of(places, item->string);
        if (!solver_parameter(solver, item->string) && solvers_know_parameter(item->string))
            json_die(&at, "solver \"%s\" does not read this parameter", solver->name);
    }
    check_parameter_names(pool, places->own, &places->own_place, solver);
}

static void read_parameters(const struct config_reader *reader, struct config_solver *solver, const cJSON *own,
                            const struct json_path *place)
{
    const struct parameter_places places = {
        .own = own,
        .general = reader->config->given.parameters,
        .own_place = {.outer = place, .key = "parameters"},
        .general_place = {.outer = &reader->top, .key = "parameters"},
    };
    const size_t count = solver_count_parameters(solver->solver);
    if (own)
        check_own_names(reader->pool, &places, solver->solver);
    solver->parameters = pool_array(reader->pool, count, sizeof *solver->parameters);
    for (size_t p = 0; p < count; p++)
        solver->parameters[p] = read_parameter(reader, solver, &places, p);
    for (size_t p = 0; p < count; p++)
        check_at_most(reader, solver, &places, p);
}

static void read_stop(const struct config_reader *reader, struct config_solver *solver,
                      const struct config_stop *stop, const struct json_path *place)
{
    const struct json_path at_rule = {.outer = place, .key = "rule"}, at = {.outer = place, .key = "tolerance"};
    const char *names[MAX_STOP_RULES + 1];
    char fault[512];
    solver->stop_rule = stop_rule_find(stop->rule);
    if (solver->stop_rule == STOP_RULES)
        config_die_unknown(&at_rule, "stopping rule", stop->rule, stop_rule_names(names));
    if (stop_rule_fault(solver->stop_rule, solver->solver, solver->mu_of_c, fault, sizeof fault))
        json_die(&at_rule, "%s", fault);
    if (solver->stop_rule == STOP_ITERATIONS) {
        if (stop->tolerance)
            json_die(&at, "rule \"iterations\" has no tolerance; set budget.iterations");
        if (!solver->budget.iterations)
            json_die(place, "rule \"iterations\" needs budget.iterations");
        solver->tolerance = value_list_constant(reader->pool, 0);
        return;
    }
    if (!stop->tolerance)
        json_die(place, "key \"tolerance\" is missing");
    solver->tolerance = value_list_read(reader->pool, stop->tolerance, &at, &stop_tolerance, reader->dataset_names);
}

void config_die_unknown(const struct json_path *place, const char *what, const char *name, const char *const *names)
{
    char text[UNKNOWN_NAME_SIZE];
    unknown_name_text(what, name, names, text, sizeof text);
    const char *list = strstr(text, "; allowed: "); /* long, so the question precedes it */
    const int length = list ? (int)(list - text) : (int)strlen(text);
    json_die(place, "%.*s; is it in a plugin? give --plugin FILE%s", length, text, list ? list : "");
}

const struct solver *config_find_solver(const char *name, const struct json_path *place)
{
    const char *names[MAX_SOLVERS + 1] = {NULL};
    const struct solver *solver = solver_find(name);
    const struct solver *const *all = solvers_all();
    for (size_t i = 0; all[i]; i++)
        names[i] = all[i]->name;
    if (!solver)
        config_die_unknown(place, "solver", name, names);
    return solver;
}

static void read_solver(const struct config_reader *reader, const cJSON *json, const struct json_path *place,
                        struct config_solver *solver)
{
    const struct config *config = reader->config;
    struct entry own = {.name = cJSON_GetStringValue(json)};
    if (!own.name)
        members_read(reader->pool, config_solver_members, json, place, &own);
    const struct json_path stop_place = {.outer = own.stop ? place : &reader->top, .key = "stop"};
    const struct config_stop *stop = own.stop ? own.stop : config->given.stop;
    const struct config_budget *budget = own.budget ? own.budget : config->given.budget;
    solver->solver = config_find_solver(own.name, place);
    if (solver->solver->solve_external && config->kernel->type == KERNEL_OF_PLUGIN)
        json_die(place, "solver \"%s\" computes its own kernel values and cannot use the kernel \"%s\" of a plugin",
                 own.name, config->kernel->name);
    read_parameters(reader, solver, own.parameters, place);
    if (!stop)
        json_die(&reader->top, "key \"stop\" is missing, and solver \"%s\" has no \"stop\" either", own.name);
    if (budget) {
        solver->budget = budget->limits;
        solver->kernel_matrices = budget->kernel_matrices;
    }
    read_stop(reader, solver, stop, &stop_place);
}

static int is_read(const struct config *config, const char *parameter)
{
    for (size_t s = 0; s < config->n_solvers; s++)
        if (solver_parameter(config->solvers[s].solver, parameter))
            return 1;
    return 0;
}

void config_read_solvers(struct config_reader *reader)
{
    struct config *config = reader->config;
    const cJSON *json = config->given.solvers, *general = config->given.parameters, *item = NULL;
    const struct json_path place = {.outer = &reader->top, .key = "solvers"};
    const struct json_path parameters_place = {.outer = &reader->top, .key = "parameters"};
    const size_t count = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 0;
    if (count == 0)
        json_die(&place, "expected a non-empty list of solvers");
    if (general)
        check_parameter_names(reader->pool, general, &parameters_place, NULL);
    config->solvers = pool_array(reader->pool, count, sizeof *config->solvers);
    cJSON_ArrayForEach (item, json) {
        const struct json_path at = {.outer = &place, .index = config->n_solvers};
        struct config_solver *solver = &config->solvers[config->n_solvers++];
        solver->place = (uint32_t)at.index;
        read_solver(reader, item, &at, solver);
    }
    cJSON_ArrayForEach (item, general)
        if (!is_read(config, item->string))
            json_die(&parameters_place, "none of the solvers reads parameter \"%s\"", item->string);
}

const struct parameter *config_solver_parameter(const struct config_solver *solver, size_t p)
{
    const struct parameter *own = solver->solver->parameters[p];
    return solver->mu_of_c && own == &parameter_mu ? &parameter_c : own;
}
