/*
 * Reads the solvers of a configuration: names, parameters, stopping rules, budgets.
 *
 * Two entries of "solvers" must not ask for the same measurement. A record names its data set, split, solver,
 * parameters, kernel and stopping rule, but not its budget. Records that agree in all of these cannot be told apart. An
 * entry is therefore rejected if it shares with an earlier one the solver, the stopping rule and, on one data set, the
 * tolerance and a value of each parameter. Splits and kernels hold for the whole configuration and are always shared.
 */
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/config/config.h"
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
    const char *const none[] = {NULL};
    struct member_texts names = {0};
    for (const struct solver *const *at = solver ? one : solvers_all(); *at; at++)
        for (size_t p = 0; p < solver_count_parameters(*at); p++)
            if (!texts_have(names.item, (*at)->parameters[p]->name))
                *pool_push(pool, &names) = (*at)->parameters[p]->name;
    json_check_members(json, place, names.count ? names.item : none);
}

/* The parameters in the solver's entry, and the configuration's defaults for the others. */
struct parameter_places {
    const cJSON *own, *general;
    struct json_path own_place, general_place;
};

static struct json_path place_of(const struct parameter_places *places, const char *name)
{
    return (struct json_path){
        .outer = json_member(places->own, name) ? &places->own_place : &places->general_place, .key = name};
}

/* Reads the C of {"of_C": ...}, in place of mu. */
static struct value_list read_mu_of_c(const struct config *config, struct config_solver *solver,
                                      const cJSON *json, const struct json_path *place)
{
    if (solver_reads(solver->solver, &parameter_c))
        json_die(place, "solver \"%s\" reads C itself; give \"mu\" as a number", solver->solver->name);
    if (cJSON_GetArraySize(json) != 1)
        json_die(place, "\"of_C\" cannot be combined with other keys");
    solver->mu_of_c = 1;
    return value_list_read(config->pool, json->child, json_at(place, "of_C"), &parameter_c, config->dataset_names);
}

static struct value_list read_parameter(const struct config *config, struct config_solver *solver,
                                        const struct parameter_places *places, size_t p)
{
    const struct parameter *parameter = solver->solver->parameters[p];
    const cJSON *own = json_member(places->own, parameter->name);
    const cJSON *value = own ? own : json_member(places->general, parameter->name);
    const struct json_path at = place_of(places, parameter->name);
    if (parameter == &parameter_mu && json_member(value, "of_C"))
        return read_mu_of_c(config, solver, value, &at);
    if (value)
        return value_list_read(config->pool, value, &at, parameter, config->dataset_names);
    if (isnan(parameter->fallback))
        json_die(&config->place, "solver \"%s\" needs parameter \"%s\"; give it under \"parameters\" (--set %s=VALUE)",
                 solver->solver->name, parameter->name, parameter->name);
    return value_list_constant(config->pool, parameter->fallback);
}

/* If a parameter is bounded by another, checks every pair of values that is run together. */
static void check_at_most(const struct config *config, const struct config_solver *solver,
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
    for (size_t d = 0; d < config->n_datasets; d++) {
        const char *dataset = config->dataset_names[d];
        const struct values *values = value_list_for(&solver->parameters[p], dataset),
                            *bounds = value_list_for(&solver->parameters[other], dataset);
        for (size_t i = 0; i < values->count * bounds->count; i++) {
            const double value = values->value[i / bounds->count], bound = bounds->value[i % bounds->count];
            if (parameter_fault_of_bound(list[p], value, bound, fault, sizeof fault))
                json_die(&at, "%g is %s", value, fault);
        }
    }
}

static void read_parameters(const struct config *config, struct config_solver *solver, const cJSON *own,
                            const struct json_path *place)
{
    const struct parameter_places places = {
        .own = own,
        .general = config->given.parameters,
        .own_place = {.outer = place, .key = "parameters"},
        .general_place = {.outer = &config->place, .key = "parameters"},
    };
    const size_t count = solver_count_parameters(solver->solver);
    if (own)
        check_parameter_names(config->pool, own, &places.own_place, solver->solver);
    solver->parameters = pool_array(config->pool, count, sizeof *solver->parameters);
    for (size_t p = 0; p < count; p++)
        solver->parameters[p] = read_parameter(config, solver, &places, p);
    for (size_t p = 0; p < count; p++)
        check_at_most(config, solver, &places, p);
}

static void read_stop(const struct config *config, struct config_solver *solver,
                      const struct config_stop *stop, const struct json_path *place)
{
    const struct json_path at_rule = {.outer = place, .key = "rule"}, at = {.outer = place, .key = "tolerance"};
    const char *names[MAX_STOP_RULES + 1];
    char fault[512];
    solver->stop_rule = stop_rule_find(stop->rule);
    if (solver->stop_rule == STOP_RULES)
        config_die_unknown(config, &at_rule, "stopping rule", stop->rule, stop_rule_names(names));
    if (stop_rule_fault(solver->stop_rule, solver->solver, solver->mu_of_c, fault, sizeof fault))
        json_die(&at_rule, "%s", fault);
    if (solver->stop_rule == STOP_ITERATIONS) {
        if (stop->tolerance)
            json_die(&at, "rule \"iterations\" has no tolerance; set budget.iterations");
        if (!solver->budget.iterations)
            json_die(place, "rule \"iterations\" needs budget.iterations");
        solver->tolerance = value_list_constant(config->pool, 0);
        return;
    }
    if (!stop->tolerance)
        json_die(place, "key \"tolerance\" is missing");
    solver->tolerance = value_list_read(config->pool, stop->tolerance, &at, &stop_tolerance, config->dataset_names);
}

void config_die_unknown(const struct config *config, const struct json_path *place, const char *what, const char *name,
                        const char *const *names)
{
    char text[UNKNOWN_NAME_SIZE], needed[256] = "; is it in a plugin? give --plugin FILE";
    unknown_name_text(what, name, names, text, sizeof text);
    const char *list = strstr(text, "; allowed: "); /* long, so the question precedes it */
    const int length = list ? (int)(list - text) : (int)strlen(text);
    if (config && config->plugins.count)
        snprintf(needed, sizeof needed, "; give --plugin %s", config->plugins.item[0]);
    for (size_t k = 1, used = strlen(needed); config && k < config->plugins.count && used < sizeof needed; k++)
        used += (size_t)snprintf(needed + used, sizeof needed - used, " --plugin %s", config->plugins.item[k]);
    json_die(place, "%.*s%s%s", length, text, needed, list ? list : "");
}

const struct solver *config_find_solver(const struct config *config, const char *name, const struct json_path *place)
{
    const char *names[MAX_SOLVERS + 1] = {NULL};
    const struct solver *solver = solver_find(name);
    const struct solver *const *all = solvers_all();
    for (size_t i = 0; all[i]; i++)
        names[i] = all[i]->name;
    if (!solver)
        config_die_unknown(config, place, "solver", name, names);
    return solver;
}

static void read_solver(const struct config *config, const cJSON *json, const struct json_path *place,
                        struct config_solver *solver)
{
    struct entry own = {.name = cJSON_GetStringValue(json)};
    if (!own.name)
        members_read(config->pool, config_solver_members, json, place, &own);
    const struct config_stop *stop = own.stop ? own.stop : config->given.stop;
    const struct config_budget *budget = own.budget ? own.budget : config->given.budget;
    solver->solver = config_find_solver(config, own.name, place);
    if (solver->solver->solve_external && config->kernel->type == KERNEL_OF_PLUGIN)
        json_die(place, "solver \"%s\" computes its own kernel values and cannot use the kernel \"%s\" of a plugin",
                 own.name, config->kernel->name);
    read_parameters(config, solver, own.parameters, place);
    if (!stop)
        json_die(&config->place, "key \"stop\" is missing, and solver \"%s\" has no \"stop\" either", own.name);
    if (budget) {
        solver->budget = budget->limits;
        solver->kernel_matrices = budget->kernel_matrices;
    }
    read_stop(config, solver, stop, json_at(own.stop ? place : &config->place, "stop"));
}

const struct parameter *config_solver_parameter(const struct config_solver *solver, size_t p)
{
    const struct parameter *own = solver->solver->parameters[p];
    return solver->mu_of_c && own == &parameter_mu ? &parameter_c : own;
}

/* ---- all solvers ---- */

/* The entry "*" of "solvers": each registered solver, including those of plugins, that no other entry names and whose
 * parameters have values. It uses the given stopping rule, or its own default rule if it does not support that one. */

const char *config_entry_name(const cJSON *entry)
{
    return cJSON_GetStringValue(cJSON_IsObject(entry) ? json_member(entry, "name") : entry);
}

static int has_name(const cJSON *entry, const char *wanted)
{
    const char *name = config_entry_name(entry);
    return name && strcmp(name, wanted) == 0;
}

static int has_values(const struct solver *solver, const cJSON *parameters)
{
    for (size_t p = 0; p < solver_count_parameters(solver); p++) {
        const struct parameter *parameter = solver->parameters[p];
        if (isnan(parameter->fallback) && !json_member(parameters, parameter->name))
            return 0;
    }
    return 1;
}

/* Adds an entry with the settings of the entry "*". */
static void add_entry(cJSON *list, const struct solver *solver, const cJSON *star, const cJSON *json)
{
    const cJSON *budget = json_member(star, "budget"), *own = json_member(star, "stop");
    const cJSON *stop = own ? own : json_member(json, "stop");
    const char *rule = cJSON_GetStringValue(json_member(stop, "rule"));
    const enum stop_rule found = rule ? stop_rule_find(rule) : STOP_RULES;
    cJSON *entry = json_add_object(list);
    json_put_text(entry, "name", solver->name);
    if (budget)
        json_put_copy(entry, "budget", budget);
    if (!stop || (found != STOP_RULES && !stop_rule_fits(found, solver))) {
        const struct stop usual = stop_usual(solver);
        cJSON *rule_of_entry = json_put_object(entry, "stop");
        json_put_text(rule_of_entry, "rule", stop_rule_name(usual.rule));
        if (usual.rule != STOP_ITERATIONS)
            json_put_number(rule_of_entry, "tolerance", usual.tolerance);
    } else if (own)
        json_put_copy(entry, "stop", own);
}

void config_expand_star(cJSON *json, const struct json_path *top)
{
    static const char *const keys[] = {"name", "stop", "budget", NULL};
    struct json_path at = {.outer = json_at(top, "solvers")};
    cJSON *list = json_member(json, "solvers");
    cJSON *star = cJSON_IsArray(list) ? list->child : NULL;
    for (; star && !has_name(star, "*"); star = star->next)
        at.index++;
    if (!star)
        return;
    if (star->next)
        json_die(&at, "\"*\" must be the last entry");
    if (cJSON_IsObject(star))
        json_check_members(star, &at, keys);
    cJSON_DetachItemViaPointer(list, star);
    for (const struct solver *const *solver = solvers_all(); *solver; solver++) {
        const cJSON *entry = list->child;
        while (entry && !has_name(entry, (*solver)->name))
            entry = entry->next;
        if (!entry && has_values(*solver, json_member(json, "parameters")))
            add_entry(list, *solver, star, json);
    }
    cJSON_Delete(star);
}

/* ---- entries that measure the same ---- */

/* Nonzero if the two axes share a value for the data set, which is stored in *value. */
static int have_in_common(const struct value_list *one, const struct value_list *other, const char *dataset,
                          double *value)
{
    const struct values *a = value_list_for(one, dataset), *b = value_list_for(other, dataset);
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (value_list_values_equal(a->value[i], b->value[j])) {
                *value = a->value[i];
                return 1;
            }
    return 0;
}

/* "C 1, start zero, stop kkt 0.001": what both run on the data set; NULL if they share no such settings. */
static const char *shared_settings(struct pool *pool, const struct config_solver *one,
                                   const struct config_solver *other, const char *dataset)
{
    const char *text = "";
    double value = 0;
    if (one->solver != other->solver || one->stop_rule != other->stop_rule)
        return NULL;
    if (one->mu_of_c != other->mu_of_c)
        return NULL; /* the records of one name C, those of the other mu */
    for (size_t p = 0; p < solver_count_parameters(one->solver); p++) {
        const struct parameter *parameter = config_solver_parameter(one, p);
        const char *const *words = parameter_words(parameter);
        if (!have_in_common(&one->parameters[p], &other->parameters[p], dataset, &value))
            return NULL;
        text = pool_printf(pool, "%s%s %s, ", text, parameter->name,
                           words ? words[(size_t)value] : json_number_to_text(value));
    }
    if (!have_in_common(&one->tolerance, &other->tolerance, dataset, &value))
        return NULL;
    const int has_tolerance = one->stop_rule != STOP_ITERATIONS;
    return pool_printf(pool, "%sstop %s%s%s", text, stop_rule_name(one->stop_rule), has_tolerance ? " " : "",
                       has_tolerance ? json_number_to_text(value) : "");
}

static void check_repeats(const struct config *config)
{
    for (size_t second = 1; second < config->n_solvers; second++) {
        const struct json_path at = {.outer = json_at(&config->place, "solvers"), .index = second};
        for (size_t first = 0; first < second; first++)
            for (size_t d = 0; d < config->n_datasets; d++) {
                const char *dataset = config->datasets[d].name;
                const char *settings =
                    shared_settings(config->pool, &config->solvers[first], &config->solvers[second], dataset);
                if (settings)
                    json_die(&at, "repeats solvers[%zu]: both run %s with %s on data set %s; change a parameter or the "
                             "tolerance, or remove one (records do not contain the budget)",
                             first, config->solvers[first].solver->name, settings, dataset);
            }
    }
}

/* ---- the list ---- */

void config_read_solvers(struct config *config)
{
    const cJSON *json = config->given.solvers, *general = config->given.parameters;
    const struct json_path place = {.outer = &config->place, .key = "solvers"};
    const struct json_path parameters_place = {.outer = &config->place, .key = "parameters"};
    const size_t count = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 0;
    if (count == 0)
        json_die(&place, "expected a non-empty list of solvers");
    if (general)
        check_parameter_names(config->pool, general, &parameters_place, NULL);
    config->solvers = pool_array(config->pool, count, sizeof *config->solvers);
    json_each (item, json) {
        const struct json_path at = {.outer = &place, .index = config->n_solvers};
        struct config_solver *solver = &config->solvers[config->n_solvers++];
        solver->place = (uint32_t)at.index;
        read_solver(config, item, &at, solver);
    }
    json_each (item, general) {
        size_t s = 0;
        while (s < config->n_solvers && !solver_parameter(config->solvers[s].solver, item->string))
            s++;
        if (s == config->n_solvers)
            json_die(&parameters_place, "none of the solvers reads parameter \"%s\"", item->string);
    }
    check_repeats(config);
}
