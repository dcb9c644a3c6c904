/*
 * Reading a search's configuration. What it shares with a run's is read by the run's reader: it is given the same
 * object with "tune" taken out, and the splits, a width and a C put in. So both accept and refuse the same, with the
 * same messages.
 */
#include "harness/tune/tune_config.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/config/config_reader.h"
#include "harness/program/json_writer.h"
#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/tune/cma_es.h"
#include "harness/tune/log_scale.h"

static const char *const axis_names[TUNE_AXES] = {[TUNE_C] = "C", [TUNE_WIDTH] = "width"};

const char *tune_axis_name(unsigned axis)
{
    return axis_names[axis];
}

static struct json_path inside(const struct json_path *outer, const char *key)
{
    return (struct json_path){.file = outer->file, .outer = outer, .key = key};
}

/* ---- what is left to the run's reader ---- */

/* Every solver reads C and leaves it to the search. */
static enum status check_solvers(const cJSON *json, const struct json_path *top, struct error *error)
{
    struct json_path solvers = inside(top, "solvers");
    const cJSON *item;
    size_t index = 0;
    cJSON_ArrayForEach(item, config_member(json, "solvers")) {
        struct json_path at = {.file = top->file, .outer = &solvers, .index = index};
        const char *name = cJSON_GetStringValue(cJSON_IsObject(item) ? config_member(item, "name") : item);
        const struct solver *solver = name ? solver_find(name) : NULL;
        if (name && strcmp(name, "*") == 0)
            return json_error(&at, error, "a search names its solvers; \"*\" is for runs");
        if (solver && !solver_reads(solver, &parameter_c))
            return json_error(&at, error, "solver \"%s\" has no parameter \"C\" to be searched", name);
        if (config_member(config_member(item, "parameters"), "C"))
            return json_error(&at, error, "parameters.C is what is searched; its range is tune.C");
        index++;
    }
    return STATUS_OK;
}

static enum status check_searched(const cJSON *json, const struct json_path *top, struct error *error)
{
    static const char *const keys[] = {"name", "title", "datasets", "standardise", "generate_missing",
                                       "make_missing", "seed", "kernel", "parameters", "solvers", "stop",
                                       "budget", "gram_megabytes", "tune", NULL};
    struct json_path kernel = inside(top, "kernel"), type = inside(&kernel, "type"), width = inside(&kernel, "width");
    struct json_path parameters = inside(top, "parameters"), c = inside(&parameters, "C");
    enum status status = json_check_keys(json, top, keys, error);
    if (status != STATUS_OK)
        return status;
    const char *word = cJSON_GetStringValue(config_member(config_member(json, "kernel"), "type"));
    if (word && strcmp(word, kernel_families_all()[KERNEL_RBF]->name) != 0)
        return json_error(&type, error, "\"%.40s\" has no width to be searched; allowed: %s", word,
                          kernel_families_all()[KERNEL_RBF]->name);
    if (config_member(config_member(json, "kernel"), "width"))
        return json_error(&width, error, "this is what is searched; its range is tune.width");
    if (config_member(config_member(json, "parameters"), "C"))
        return json_error(&c, error, "this is what is searched; its range is tune.C");
    return check_solvers(json, top, error);
}

/* The object as a run's configuration, which has the splits, a width and a C in the place of "tune"; malloc'ed text. */
static char *as_run(const struct tune_config *config)
{
    char splits[32];
    cJSON *json = cJSON_Duplicate(config->json, 1), *kernel = cJSON_GetObjectItemCaseSensitive(json, "kernel");
    cJSON *parameters = cJSON_GetObjectItemCaseSensitive(json, "parameters");
    if (!json)
        out_of_memory();
    snprintf(splits, sizeof splits, "1-%zu", config->n_splits);
    cJSON_DeleteItemFromObjectCaseSensitive(json, "tune");
    json_put_text(json, "splits", splits);
    if (!parameters)
        parameters = json_put_object(json, "parameters");
    if (cJSON_IsObject(parameters))
        json_put_number(parameters, "C", 1);
    if (cJSON_IsObject(kernel))
        json_put_number(kernel, "width", 1);
    char *text = json_line(json);
    cJSON_Delete(json);
    return text;
}

static enum status single(const struct value_list *list, const char *name, const struct json_path *top,
                          struct error *error)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->values[i].count != 1)
            return json_error(top, error, "\"%s\" has %zu values; one is expected, C and width alone are searched",
                              name, list->values[i].count);
    return STATUS_OK;
}

static enum status check_single(const struct config *config, const struct json_path *top, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t s = 0; s < config->n_solvers && status == STATUS_OK; s++) {
        const struct config_solver *solver = &config->solvers[s];
        status = single(&solver->tolerance, "tolerance", top, error);
        for (size_t p = 0; p < solver_count_parameters(solver->solver) && status == STATUS_OK; p++)
            status = single(&solver->parameters[p], solver->solver->parameters[p]->name, top, error);
        for (size_t t = 0; t < s && status == STATUS_OK; t++)
            if (config->solvers[t].solver == solver->solver)
                status = json_error(top, error, "solver \"%s\" stands in the list twice", solver->solver->name);
    }
    return status;
}

/* ---- tune ---- */

static enum status read_range(const cJSON *tune, const struct json_path *place, unsigned axis,
                              struct tune_config *config, struct error *error)
{
    const double max = 1e12; /* C K and distances over widths stay far from the ends of double */
    struct json_path at = inside(place, axis_names[axis]);
    struct tune_range *range = &config->range[axis];
    char shown[2][40];
    const struct json_member members[] = {
        {"from", .required = 1, .number = &range->from, .at_most = max},
        {"to", .required = 1, .number = &range->to, .at_most = max},
    };
    enum status status = json_only_members(config_member(tune, axis_names[axis]), &at, members, 2, error);
    if (status != STATUS_OK)
        return status;
    if (range->from < 1 / max)
        return json_error(&at, error, "from is %g; allowed: at least %g", range->from, 1 / max);
    range->low = log_scale_of(range->from);
    range->high = log_scale_of(range->to);
    if (range->low < range->high)
        return STATUS_OK;
    return json_error(&at, error, "from is %s and to is %s; allowed: to above from, by a millionth at least",
                      json_number_to_text(range->from, shown[0], sizeof shown[0]),
                      json_number_to_text(range->to, shown[1], sizeof shown[1]));
}

/* "middle", or C and width. */
static enum status read_start(const cJSON *json, const struct json_path *place, struct tune_config *config,
                              struct error *error)
{
    char shown[64];
    struct json_path at = inside(place, "start");
    const char *word = cJSON_GetStringValue(json);
    for (unsigned a = 0; a < TUNE_AXES; a++)
        config->start[a] = log_scale_round(0.5 * (config->range[a].low + config->range[a].high));
    if (!json || (word && strcmp(word, "middle") == 0))
        return STATUS_OK;
    if (!cJSON_IsArray(json) || cJSON_GetArraySize(json) != TUNE_AXES)
        return json_error(&at, error, "%s is unknown; allowed: \"middle\" or a list of a C and a width",
                          json_to_text(json, shown, sizeof shown));
    const cJSON *item = json->child;
    for (size_t a = 0; a < TUNE_AXES; a++, item = item->next) {
        const struct tune_range *range = &config->range[a];
        struct json_path element = {.file = at.file, .outer = &at, .index = a};
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= range->from && item->valuedouble <= range->to))
            return json_error(&element, error, "%s is not in the range of %s; allowed: %g to %g",
                              json_to_text(item, shown, sizeof shown), axis_names[a], range->from, range->to);
        config->start[a] = log_scale_of(item->valuedouble);
    }
    return STATUS_OK;
}

static enum status read_cma_es(const cJSON *json, const struct json_path *place, struct tune_config *config,
                               struct error *error)
{
    const struct json_member members[] = {
        {"generations", .count = &config->generations, .at_most = 10000},
        {"population", .count = &config->population, .above = 1, .at_most = CMA_ES_POPULATION_MAX},
        {"sigma", .number = &config->step, .at_most = 1},
        {.key = "start"},
    };
    struct json_path at = inside(place, "cma-es");
    config->generations = 50;
    config->population = CMA_ES_POPULATION;
    config->step = 0.3;
    enum status status = json_only_members(json, &at, members, sizeof members / sizeof *members, error);
    return status == STATUS_OK ? read_start(config_member(json, "start"), &at, config, error) : status;
}

static enum status read_grid(const cJSON *json, const struct json_path *place, size_t *grid, struct error *error)
{
    const struct json_member members[] = {
        {axis_names[TUNE_C], .required = 1, .count = &grid[TUNE_C], .above = 1, .at_most = 200},
        {axis_names[TUNE_WIDTH], .required = 1, .count = &grid[TUNE_WIDTH], .above = 1, .at_most = 200},
    };
    struct json_path at = inside(place, "grid");
    return json_only_members(json, &at, members, 2, error);
}

static enum status read_printed(const cJSON *json, const struct json_path *place, struct tune_config *config,
                                struct error *error)
{
    const struct json_member members[] = {
        {"table", .required = 1, .text = &config->printed_table},
        {axis_names[TUNE_C], .required = 1, .text = &config->printed_column[TUNE_C]},
        {axis_names[TUNE_WIDTH], .required = 1, .text = &config->printed_column[TUNE_WIDTH]},
    };
    struct json_path at = inside(place, "printed");
    return json_only_members(json, &at, members, sizeof members / sizeof *members, error);
}

static enum status read_tune(struct tune_config *config, const struct json_path *top, struct error *error)
{
    const struct json_member members[] = {
        {"splits", .count = &config->n_splits, .at_most = 1000},
        {"folds", .count = &config->n_folds, .above = 1, .at_most = 1000},
        {"stratified", .flag = &config->stratified},
        {.key = axis_names[TUNE_C], .required = 1},
        {.key = axis_names[TUNE_WIDTH], .required = 1},
        {.key = "grid"},
        {.key = "cma-es"},
        {.key = "printed"},
    };
    const cJSON *json = config_member(config->json, "tune"), *grid = config_member(json, "grid");
    const cJSON *cma_es = config_member(json, "cma-es"), *printed = config_member(json, "printed");
    struct json_path place = inside(top, "tune");
    if (!json)
        return json_error(top, error, "key \"tune\" is missing: what is to be searched, and how");
    config->n_splits = config->n_folds = 5;
    enum status status = json_only_members(json, &place, members, sizeof members / sizeof *members, error);
    for (unsigned a = 0; a < TUNE_AXES && status == STATUS_OK; a++)
        status = read_range(json, &place, a, config, error);
    if (status == STATUS_OK && grid)
        status = read_grid(grid, &place, config->grid, error);
    if (status == STATUS_OK && cma_es)
        status = read_cma_es(cma_es, &place, config, error);
    if (status == STATUS_OK && printed)
        status = read_printed(printed, &place, config, error);
    if (status == STATUS_OK && !grid && !cma_es)
        status = json_error(&place, error, "\"grid\" or \"cma-es\" is expected");
    return status;
}

static enum status read_all(struct tune_config *config, const char *label, struct error *error)
{
    struct json_path top = {.file = label};
    enum status status = cJSON_IsObject(config->json) ? read_tune(config, &top, error)
                                                      : json_error(&top, error, "an object is expected");
    if (status == STATUS_OK)
        status = check_searched(config->json, &top, error);
    if (status == STATUS_OK)
        status = config_parse(label, as_run(config), &config->config, error);
    return status == STATUS_OK ? check_single(config->config, &top, error) : status;
}

enum status tune_config_parse(const char *label, char *text, struct tune_config **out, struct error *error)
{
    struct tune_config *config = *out = xcalloc(1, sizeof *config);
    enum status status = json_parse(label, text, &config->json, error);
    if (status == STATUS_OK)
        status = read_all(config, label, error);
    if (status != STATUS_OK) {
        free(text);
        tune_config_free(config);
        *out = NULL;
        return status;
    }
    free(config->config->text);
    config->config->text = text;
    return STATUS_OK;
}

enum status tune_config_read(const char *path, struct tune_config **config, struct error *error)
{
    char *text;
    *config = NULL;
    enum status status = file_read(path, &text, NULL, error);
    if (status == STATUS_NOT_FOUND && error)
        status = error->status = STATUS_BAD_INPUT;
    return status == STATUS_OK ? tune_config_parse(path, text, config, error) : status;
}

void tune_config_free(struct tune_config *config)
{
    if (!config)
        return;
    config_free(config->config);
    cJSON_Delete(config->json);
    free(config);
}
