/*
 * A new variant is rarely in the configuration of an old experiment. It is then put there beside its baseline, with the
 * same parameters, stopping rule and budget, so that the rest is an ordinary run.
 */
#include "harness/compare/compare_config.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/config/config_reader.h"
#include "harness/support/json_field.h"
#include "harness/program/json_writer.h"
#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "solvers/solver.h"

static const char *name_of(const cJSON *entry)
{
    return cJSON_IsString(entry) ? entry->valuestring : cJSON_GetStringValue(config_member(entry, "name"));
}

static size_t count_entries(const cJSON *list, const char *solver)
{
    const cJSON *entry = NULL;
    size_t count = 0;
    cJSON_ArrayForEach (entry, list)
        count += name_of(entry) && strcmp(name_of(entry), solver) == 0;
    return count;
}

/* Takes away the parameters that the solver does not read. Ones that do not exist are left for the reader of
 * configurations. */
static void keep_parameters(cJSON *parameters, const struct solver *solver)
{
    for (cJSON *item = parameters ? parameters->child : NULL, *next; item; item = next) {
        enum parameter parameter = parameter_find(item->string);
        next = item->next;
        if (parameter != PARAMETER_COUNT && !(solver->parameters >> parameter & 1))
            cJSON_Delete(cJSON_DetachItemViaPointer(parameters, item));
    }
}

/* A copy of the entry for another solver, its name alone where nothing else is left. */
static cJSON *entry_for(const cJSON *entry, const struct solver *solver)
{
    if (cJSON_IsString(entry))
        return cJSON_CreateString(solver->name);
    cJSON *copy = cJSON_Duplicate(entry, 1);
    cJSON_ReplaceItemInObjectCaseSensitive(copy, "name", cJSON_CreateString(solver->name));
    cJSON *parameters = cJSON_GetObjectItemCaseSensitive(copy, "parameters");
    keep_parameters(parameters, solver);
    if (cJSON_IsObject(parameters) && !parameters->child)
        cJSON_Delete(cJSON_DetachItemViaPointer(copy, parameters));
    if (cJSON_GetArraySize(copy) > 1)
        return copy;
    cJSON_Delete(copy);
    return cJSON_CreateString(solver->name);
}

static int is_in_list(const cJSON *list, const cJSON *wanted)
{
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, list)
        if (cJSON_Compare(entry, wanted, 1))
            return 1;
    return 0;
}

/* Puts a copy of each entry of `model` for the solver at the end of the list, once: entries that differ in
 * parameters which the solver does not read are one. */
static void add_entries(cJSON *list, const char *model, const struct solver *solver)
{
    int last = cJSON_GetArraySize(list);
    const cJSON *entry = list->child;
    for (int i = 0; i < last; i++, entry = entry->next) {
        if (!name_of(entry) || strcmp(name_of(entry), model) != 0)
            continue;
        cJSON *copy = entry_for(entry, solver);
        if (is_in_list(list, copy))
            cJSON_Delete(copy);
        else
            cJSON_AddItemToArray(list, copy);
    }
}

static enum status not_in_list(const char *path, const cJSON *list, const char *const solvers[ARMS],
                               struct error *error)
{
    char *names;
    size_t size;
    FILE *stream = xopen_text(&names, &size);
    struct json_path top = {.file = path}, place = {.file = path, .outer = &top, .key = "solvers"};
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, list)
        if (name_of(entry))
            fprintf(stream, "%s%s", entry == list->child ? "" : ", ", name_of(entry));
    xclose_text(stream);
    enum status status =
        json_error(&place, error, "neither %s nor %s is in the list, so nothing says how to run them; it has: %s",
                   solvers[BASELINE], solvers[CANDIDATE], names);
    free(names);
    return status;
}

static enum status find_both(const char *const solvers[ARMS], const struct solver *found[ARMS], struct error *error)
{
    static const char *const options[ARMS] = {"--against", "--solver"};
    for (int s = 0; s < ARMS; s++) {
        struct json_path place = {.file = options[s]};
        enum status status = config_find_solver(solvers[s], &place, &found[s], error);
        if (status != STATUS_OK)
            return status;
    }
    if (found[BASELINE] != found[CANDIDATE])
        return STATUS_OK;
    return error_set(
        error, STATUS_BAD_INPUT,
        "--solver: %s is the baseline itself; two versions of one solver are compared by two result folders",
        solvers[CANDIDATE]);
}

/* All splits of all data sets; those that a set does not have are not missed. */
static void trace_all(cJSON *json)
{
    cJSON *trace = json_new_object(), *sets = json_put_array(trace, "datasets");
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, config_member(json, "datasets"))
        if (name_of(entry))
            json_add_text(sets, name_of(entry));
    json_put_text(trace, "splits", "1-10000");
    cJSON_DeleteItemFromObjectCaseSensitive(json, "trace");
    cJSON_AddItemToObject(json, "trace", trace);
}

static enum status check_traces(const struct solver *const found[ARMS], struct error *error)
{
    for (int s = 0; s < ARMS; s++)
        if (found[s]->solve_external)
            return error_set(error, STATUS_BAD_INPUT,
                             "--equal-gaps: solver \"%s\" leaves no trace: it runs in one piece", found[s]->name);
    return STATUS_OK;
}

/* Adds the one that is missing, if one is; *added is nonzero then. */
static enum status complete(const char *path, cJSON *json, const char *const solvers[ARMS], int traced, char **note,
                            int *added, struct error *error)
{
    const struct solver *found[ARMS];
    cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "solvers");
    size_t counts[ARMS];
    enum status status = find_both(solvers, found, error);
    if (status == STATUS_OK && traced)
        status = check_traces(found, error);
    if (status != STATUS_OK)
        return status;
    for (int s = 0; s < ARMS; s++)
        counts[s] = count_entries(list, solvers[s]);
    *added = !counts[BASELINE] != !counts[CANDIDATE];
    if (counts[BASELINE] == 0 && counts[CANDIDATE] == 0)
        return not_in_list(path, list, solvers, error);
    int missing = counts[BASELINE] == 0 ? BASELINE : CANDIDATE;
    *note = *added ? xasprintf("%s is not in %s; it was given the settings %s has there, those it reads.",
                               solvers[missing], path, solvers[!missing])
                   : xstrdup("");
    if (*added)
        add_entries(list, solvers[!missing], found[missing]);
    if (traced)
        trace_all(json);
    return STATUS_OK;
}

enum status compare_config_read(const char *path, const char *const solvers[ARMS], int traced, char **text,
                                char **note, struct error *error)
{
    cJSON *json = NULL;
    int added = 0;
    *note = NULL;
    enum status status = file_read(path, text, NULL, error);
    if (status == STATUS_NOT_FOUND && error)
        status = error->status = STATUS_BAD_INPUT;
    if (status != STATUS_OK)
        return status;
    status = json_parse(path, *text, &json, error);
    if (status == STATUS_OK)
        status = complete(path, json, solvers, traced, note, &added, error);
    if (status == STATUS_OK && (added || traced)) {
        free(*text);
        *text = cJSON_Print(json);
    }
    cJSON_Delete(json);
    if (status != STATUS_OK) {
        free(*text);
        free(*note);
        *text = *note = NULL;
    }
    return status;
}
