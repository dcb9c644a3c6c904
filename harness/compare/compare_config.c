/*
 * The configuration of an old experiment rarely lists a new variant. The variant is then added next to its baseline,
 * with the same parameters, stopping rule and budget, and the result runs like any configuration. The same holds for a
 * variant with other parameters.
 */
#include "harness/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/config/config.h"
#include "harness/support/json_reader.h"
#include "harness/base/json_writer.h"
#include "harness/support/file.h"
#include "solvers/solver.h"

/* A copy of the entry for another solver, without the parameters that it does not read, reduced to its name if nothing
 * else remains. Unknown parameters stay, for the configuration reader to report. */
static cJSON *entry_for(const cJSON *entry, const struct solver *solver)
{
    if (cJSON_IsString(entry))
        return cJSON_CreateString(solver->name);
    cJSON *copy = cJSON_Duplicate(entry, 1);
    cJSON_ReplaceItemInObjectCaseSensitive(copy, "name", cJSON_CreateString(solver->name));
    cJSON *parameters = json_member(copy, "parameters");
    for (cJSON *item = parameters ? parameters->child : NULL, *next; item; item = next) {
        next = item->next;
        if (solvers_know_parameter(item->string) && !solver_parameter(solver, item->string))
            cJSON_Delete(cJSON_DetachItemViaPointer(parameters, item));
    }
    if (cJSON_IsObject(parameters) && !parameters->child)
        cJSON_Delete(cJSON_DetachItemViaPointer(copy, parameters));
    if (cJSON_GetArraySize(copy) > 1)
        return copy;
    cJSON_Delete(copy);
    return cJSON_CreateString(solver->name);
}

/* A choice of either arm, with its solver. */
struct chosen {
    const struct solver_choice *choice;
    enum arm arm;
    const struct solver *solver;
    int listed; /* whether the list has the solver */
    size_t own; /* settings that do not come from the configuration */
};

struct completion {
    const char *path;
    cJSON *list; /* the configuration's */
    struct chosen *chosen;
    size_t n;
};

/* Adds the choice's parameters to the entry. */
static cJSON *with_settings(cJSON *entry, const struct chosen *chosen)
{
    const struct solver_choice *choice = chosen->choice;
    if (chosen->own == 0)
        return entry;
    if (cJSON_IsString(entry)) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToObject(object, "name", entry);
        entry = object;
    }
    cJSON *parameters = json_member(entry, "parameters");
    if (!parameters)
        parameters = cJSON_AddObjectToObject(entry, "parameters");
    for (size_t i = 0; i < choice->n_settings; i++) {
        const char *name = choice->settings[i].name, *value = choice->settings[i].value;
        char *end, text[32];
        const double number = strtod(value, &end);
        if (strcmp(value, "*") == 0)
            continue;
        cJSON_DeleteItemFromObject(parameters, name);
        if (end == value || *end || !isfinite(number)) {
            json_put_text(parameters, name, value);
            continue;
        }
        snprintf(text, sizeof text, "%.17g", number); /* with all its digits, which cJSON does not always print */
        json_put_raw(parameters, name, text);
    }
    return entry;
}

/* Appends a copy of each entry of `model` for the choice to `list`, without duplicates: entries are the same if they
 * differ only in parameters that the solver does not read or the choice sets. */
static void add_entries(const struct completion *completion, cJSON *list, const char *model,
                        const struct chosen *chosen)
{
    const cJSON *entry = NULL, *other = NULL;
    cJSON_ArrayForEach (entry, completion->list) {
        int is_in_list = 0;
        if (!config_entry_name(entry) || strcmp(config_entry_name(entry), model) != 0)
            continue;
        cJSON *copy = with_settings(entry_for(entry, chosen->solver), chosen);
        cJSON_ArrayForEach (other, list)
            is_in_list |= cJSON_Compare(other, copy, 1) != 0;
        if (is_in_list)
            cJSON_Delete(copy);
        else
            cJSON_AddItemToArray(list, copy);
    }
}

static _Noreturn void not_in_list(struct pool *pool, const struct completion *completion)
{
    const char *names = "", *wanted = "";
    const struct json_path top = {.file = completion->path};
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, completion->list)
        if (config_entry_name(entry))
            names = pool_printf(pool, "%s%s%s", names, *names ? ", " : "", config_entry_name(entry));
    for (size_t i = 0; i < completion->n; i++)
        wanted = pool_printf(pool, "%s%s%s", wanted, i ? ", " : "", completion->chosen[i].choice->name);
    json_die(json_at(&top, "solvers"), "none of %s is in the list, so their settings are unknown; the list has: %s",
             wanted, names);
}

/* Checks that each setting is a parameter that the solver reads. */
static void check_settings(struct pool *pool, const struct chosen *chosen)
{
    const char *names[MAX_PARAMETERS + 1] = {NULL};
    struct json_path place = {.file = arm_options[chosen->arm]};
    for (size_t p = 0; p < solver_count_parameters(chosen->solver); p++)
        names[p] = chosen->solver->parameters[p]->name;
    for (size_t i = 0; i < chosen->choice->n_settings; i++)
        if (!solver_parameter(chosen->solver, chosen->choice->settings[i].name))
            json_die_unknown(&place, pool_printf(pool, "parameter of %s", chosen->choice->name),
                             chosen->choice->settings[i].name, names);
}

static void find_chosen(struct pool *pool, const struct completion *completion)
{
    for (size_t i = 0; i < completion->n; i++) {
        struct chosen *chosen = &completion->chosen[i];
        const struct solver_choice *choice = chosen->choice;
        struct json_path place = {.file = arm_options[chosen->arm]};
        const cJSON *entry = NULL;
        chosen->solver = config_find_solver(NULL, choice->name, &place);
        cJSON_ArrayForEach (entry, completion->list)
            chosen->listed |= config_entry_name(entry) && strcmp(config_entry_name(entry), choice->name) == 0;
        for (size_t k = 0; k < choice->n_settings; k++)
            chosen->own += strcmp(choice->settings[k].value, "*") != 0;
        check_settings(pool, chosen);
    }
    for (size_t i = 0; i < completion->n; i++)
        for (size_t j = 0; j < completion->n; j++) {
            const struct chosen *one = &completion->chosen[i], *other = &completion->chosen[j];
            /* the runs of a choice without settings would include those of one with settings */
            if (one->own > 0 && other->own == 0 && strcmp(other->choice->name, one->choice->name) == 0)
                die(STATUS_BAD_INPUT, "%s: %s and %s: give both of them settings, or neither", arm_options[one->arm],
                    one->choice->text, other->choice->text);
            if (j < i && strcmp(other->choice->text, one->choice->text) == 0)
                die(STATUS_BAD_INPUT,
                    "--solver: %s is the baseline itself; to compare two versions of one solver, give two run folders",
                    one->choice->text);
        }
}

/* Traces all splits of all data sets; numbers beyond a set's last split are ignored. */
static void trace_all(cJSON *json)
{
    cJSON *trace = json_new_object(), *sets = json_put_array(trace, "datasets");
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, json_member(json, "datasets"))
        if (config_entry_name(entry))
            json_add_text(sets, config_entry_name(entry));
    json_put_text(trace, "splits", "1-10000");
    cJSON_DeleteItemFromObjectCaseSensitive(json, "trace");
    cJSON_AddItemToObject(json, "trace", trace);
}

/* The choice whose entries are copied for one that is not in the list; NULL if there is none. */
static const struct chosen *model_of(const struct completion *completion, const struct chosen *chosen)
{
    const struct chosen *model = NULL;
    for (size_t i = 0; i < completion->n; i++) {
        const struct chosen *other = &completion->chosen[i];
        if (other->listed && (!model || (model->arm == chosen->arm && other->arm != chosen->arm)))
            model = other;
    }
    return model;
}

/* The completed list; NULL if nothing is missing. Adds to the note. */
static cJSON *completed_list(struct pool *pool, const struct completion *completion, const char **note)
{
    cJSON *list = cJSON_CreateArray(), *entry = NULL;
    cJSON_ArrayForEach (entry, completion->list) {
        int is_replaced = 0;
        for (size_t i = 0; i < completion->n && config_entry_name(entry); i++)
            is_replaced |= completion->chosen[i].own > 0 &&
                           strcmp(completion->chosen[i].choice->name, config_entry_name(entry)) == 0;
        if (!is_replaced)
            cJSON_AddItemToArray(list, cJSON_Duplicate(entry, 1));
    }
    for (size_t i = 0; i < completion->n; i++) {
        const struct chosen *chosen = &completion->chosen[i];
        const char *name = chosen->choice->name, *space = **note ? " " : "";
        if (chosen->listed && chosen->own == 0)
            continue;
        const char *model = chosen->listed ? name : model_of(completion, chosen)->choice->name;
        add_entries(completion, list, model, chosen);
        if (chosen->own > 0)
            *note = pool_printf(pool, "%s%s%s was run with the settings of %s in %s, and its own.", *note, space,
                                chosen->choice->text, model, completion->path);
        else
            *note = pool_printf(pool, "%s%s%s is not in %s; it was run with the settings of %s there, as far as it "
                                      "reads them.",
                                *note, space, name, completion->path, model);
    }
    if (**note)
        return list;
    cJSON_Delete(list);
    return NULL;
}

struct compare_config compare_config_read(struct pool *pool, const char *path,
                                          const struct solver_choices choices[ARMS], int traced)
{
    const struct json_path top = {.file = path};
    struct compare_config read = {.note = ""};
    file_check_exists(path);
    read.text = file_read(pool, path, NULL);
    cJSON *json = json_parse(pool, path, read.text);
    config_expand_star(json, &top);
    struct completion completion = {
        .path = path,
        .list = json_member(json, "solvers"),
        .chosen = pool_array(pool, choices[BASELINE].count + choices[CANDIDATE].count, sizeof *completion.chosen)};
    for (int s = 0; s < ARMS; s++)
        for (size_t i = 0; i < choices[s].count; i++)
            completion.chosen[completion.n++] = (struct chosen){.choice = &choices[s].items[i], .arm = (enum arm)s};
    find_chosen(pool, &completion);
    for (size_t i = 0; i < completion.n && traced; i++)
        if (completion.chosen[i].solver->solve_external)
            die(STATUS_BAD_INPUT,
                "--equal-gaps: solver \"%s\" cannot write a trace, because an external library runs all its iterations",
                completion.chosen[i].choice->name);
    if (!model_of(&completion, completion.chosen))
        not_in_list(pool, &completion);
    cJSON *list = completed_list(pool, &completion, &read.note);
    if (list)
        cJSON_ReplaceItemInObjectCaseSensitive(json, "solvers", list);
    if (traced)
        trace_all(json);
    if (list || traced) {
        char *text = cJSON_Print(json);
        pool_keep(pool, free, text);
        read.text = text;
    }
    return read;
}
