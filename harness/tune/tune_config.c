/*
 * Reads a search's configuration. The run's reader reads the members shared with a run: it receives the same object
 * without "tune", but with splits and values of the searched numbers. So both accept and reject the same
 * configurations, with the same messages.
 */
#include "harness/tune/tune_config.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/config/config_reader.h"
#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/support/file.h"
#include "harness/tune/cma_es.h"

static struct json_path inside(const struct json_path *outer, const char *key)
{
    return (struct json_path){.file = outer->file, .outer = outer, .key = key};
}

/* ---- the part for the run's reader ---- */

/* Rejects "*", which includes solvers that may lack the searched parameters. */
static enum status check_solvers(const cJSON *json, const struct json_path *top, struct error *error)
{
    struct json_path solvers = inside(top, "solvers");
    const cJSON *item;
    size_t index = 0;
    cJSON_ArrayForEach(item, config_member(json, "solvers")) {
        struct json_path at = {.file = top->file, .outer = &solvers, .index = index};
        const char *name = cJSON_GetStringValue(cJSON_IsObject(item) ? config_member(item, "name") : item);
        if (name && strcmp(name, "*") == 0)
            return json_error(&at, error, "a search must name its solvers; \"*\" is only for runs");
        index++;
    }
    return STATUS_OK;
}

static enum status check_top(const cJSON *json, const struct json_path *top, struct error *error)
{
    static const char *const keys[] = {"name", "title", "datasets", "standardise", "generate_missing",
                                       "make_missing", "seed", "kernel", "parameters", "solvers", "stop",
                                       "budget", "gram_megabytes", "tune", NULL};
    enum status status = json_check_keys(json, top, keys, error);
    return status == STATUS_OK ? check_solvers(json, top, error) : status;
}

/* The object as a run's configuration, malloc'ed text. In place of "tune" it has the splits and the smallest values of
 * the searched numbers, or for `others` the largest value of each bounded one. So the run's reader finds any point at
 * which a parameter would exceed its bound. */
static char *as_run(const struct tune_config *config, int others)
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
    for (size_t a = 0; a < config->n_axes; a++) {
        const struct tune_axis *axis = &config->axes[a];
        cJSON *object = axis->of_kernel ? kernel : parameters;
        if (cJSON_IsObject(object))
            json_put_number(object, axis->name, others && axis->is_bounded ? axis->to : axis->from);
    }
    char *text = json_line(json);
    cJSON_Delete(json);
    return text;
}

/* Reads both forms and keeps the first. */
static void read_as_run(struct pool *pool, struct tune_config *config, const char *label)
{
    char *text = as_run(config, 0), *bounded = as_run(config, 1);
    config->config = config_parse(pool, label, text);
    config_parse(pool, label, bounded);
    free(text);
    free(bounded);
}

/* `name` is a member of `outer`, "parameters" or "stop"; `entry` is the solver's in the configuration, whose members
 * replace the general ones. */
static enum status single(const struct value_list *list, const cJSON *entry, const char *outer, const char *name,
                          const struct json_path *at_entry, const struct json_path *top, struct error *error)
{
    const int is_own = config_member(config_member(entry, outer), name) != NULL;
    const struct json_path in_outer = {.file = top->file, .outer = is_own ? at_entry : top, .key = outer};
    const struct json_path at = {.file = top->file, .outer = &in_outer, .key = name};
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].values.count != 1)
            return json_error(&at, error, "has %zu values; expected one value, or a range to search in \"tune\"",
                              list->item[i].values.count);
    return STATUS_OK;
}

static enum status check_single(const struct config *config, const struct json_path *top, struct error *error)
{
    const struct json_path in_solvers = {.file = top->file, .outer = top, .key = "solvers"};
    enum status status = STATUS_OK;
    for (size_t s = 0; s < config->n_solvers && status == STATUS_OK; s++) {
        const struct config_solver *solver = &config->solvers[s];
        const struct json_path at = {.file = top->file, .outer = &in_solvers, .index = s};
        const cJSON *entry = cJSON_GetArrayItem(config_member(config->json, "solvers"), (int)s);
        status = single(&solver->tolerance, entry, "stop", "tolerance", &at, top, error);
        for (size_t p = 0; p < solver_count_parameters(solver->solver) && status == STATUS_OK; p++)
            status = single(&solver->parameters[p], entry, "parameters", solver->solver->parameters[p]->name, &at, top,
                            error);
        for (size_t t = 0; t < s && status == STATUS_OK; t++)
            if (config->solvers[t].solver == solver->solver)
                status = json_error(top, error, "solver \"%s\" occurs twice", solver->solver->name);
    }
    return status;
}

/* ---- tune ---- */

/* Reads "middle", or a value for each searched number. */
static enum status read_start(const cJSON *json, const struct json_path *place, struct tune_config *config,
                              struct error *error)
{
    char shown[64];
    struct json_path at = inside(place, "start");
    const char *word = cJSON_GetStringValue(json);
    for (size_t a = 0; a < config->n_axes; a++) {
        double value;
        tune_axis_at(&config->axes[a], 0.5, &config->start[a], &value);
    }
    if (!json || (word && strcmp(word, "middle") == 0))
        return STATUS_OK;
    if (!cJSON_IsArray(json) || (size_t)cJSON_GetArraySize(json) != config->n_axes)
        return json_error(&at, error, "%s is unknown; allowed: \"middle\" or a list of a %s and a %s",
                          json_to_text(json, shown, sizeof shown), config->axes[0].name, config->axes[1].name);
    const cJSON *item = json->child;
    for (size_t a = 0; a < config->n_axes; a++, item = item->next) {
        const struct tune_axis *axis = &config->axes[a];
        struct json_path element = {.file = at.file, .outer = &at, .index = a};
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= axis->from && item->valuedouble <= axis->to))
            return json_error(&element, error, "%s is out of the range of %s; allowed: %g to %g",
                              json_to_text(item, shown, sizeof shown), axis->name, axis->from, axis->to);
        config->start[a] = tune_axis_place(axis, item->valuedouble);
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
    if (config->n_axes != 2)
        return json_error(&at, error, "CMA-ES needs two ranges; use \"grid\" for \"%s\" alone", config->axes[0].name);
    config->generations = 50;
    config->population = CMA_ES_POPULATION;
    config->step = 0.3;
    enum status status = json_only_members(json, &at, members, sizeof members / sizeof *members, error);
    return status == STATUS_OK ? read_start(config_member(json, "start"), &at, config, error) : status;
}

/* Integers on a linear scale are evenly spaced, so the number of grid steps has to divide theirs. */
static enum status check_levels(const struct tune_axis *axis, size_t levels, const struct json_path *place,
                                struct error *error)
{
    struct json_path at = inside(place, axis->name);
    char allowed[160] = "";
    size_t used = 0;
    if (axis->multiple_of == 0 || axis->logarithmic)
        return STATUS_OK;
    const double steps = (axis->to - axis->from) / axis->multiple_of;
    if (fmod(steps, (double)levels - 1) == 0)
        return STATUS_OK;
    for (unsigned n = 2; n <= 200 && used + 8 < sizeof allowed; n++)
        if (fmod(steps, n - 1) == 0)
            used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%u", used ? ", " : "", n);
    return json_error(&at, error,
                      "%zu evenly spaced levels from %g to %g are not all multiples of %g; allowed: %s", levels,
                      axis->from, axis->to, axis->multiple_of, allowed);
}

static enum status read_grid(const cJSON *json, const struct json_path *place, struct tune_config *config,
                             struct error *error)
{
    struct json_member members[TUNE_AXES];
    struct json_path at = inside(place, "grid");
    for (size_t a = 0; a < config->n_axes; a++)
        members[a] = (struct json_member){
            config->axes[a].name, .required = 1, .count = &config->grid[a], .above = 1, .at_most = 200};
    enum status status = json_only_members(json, &at, members, config->n_axes, error);
    for (size_t a = 0; a < config->n_axes && status == STATUS_OK; a++)
        status = check_levels(&config->axes[a], config->grid[a], &at, error);
    return status;
}

/* Printed values are those of C and kernel width. */
static enum status read_printed(const cJSON *json, const struct json_path *place, struct tune_config *config,
                                struct error *error)
{
    static const char *const names[TUNE_AXES] = {"C", "width"};
    const struct json_member members[] = {
        {"table", .required = 1, .text = &config->printed_table},
        {names[0], .required = 1, .text = &config->printed_column[0]},
        {names[1], .required = 1, .text = &config->printed_column[1]},
    };
    struct json_path at = inside(place, "printed");
    for (size_t a = 0; a < TUNE_AXES; a++)
        if (config->n_axes != TUNE_AXES || strcmp(config->axes[a].name, names[a]) != 0 || !config->axes[a].logarithmic)
            return json_error(&at, error, "\"printed\" needs exactly the ranges \"C\" and \"width\", on logarithmic "
                                          "scales");
    return json_only_members(json, &at, members, sizeof members / sizeof *members, error);
}

static enum status read_tune(struct tune_config *config, const struct json_path *top, struct error *error)
{
    static const char *const keys[] = {"splits", "folds", "stratified", "grid", "cma-es", "printed", NULL};
    const struct json_member members[] = {
        {"splits", .count = &config->n_splits, .at_most = 1000},
        {"folds", .count = &config->n_folds, .above = 1, .at_most = 1000},
        {"stratified", .flag = &config->stratified},
    };
    const cJSON *json = config_member(config->json, "tune"), *grid = config_member(json, "grid");
    const cJSON *cma_es = config_member(json, "cma-es"), *printed = config_member(json, "printed");
    struct json_path place = inside(top, "tune");
    if (!json)
        return json_error(top, error, "key \"tune\" is missing; it describes the search");
    config->n_splits = config->n_folds = 5;
    enum status status = json_members(json, &place, members, sizeof members / sizeof *members, error);
    if (status == STATUS_OK)
        status = tune_axes_read(config->json, top, keys, config->axes, &config->n_axes, error);
    if (status == STATUS_OK && grid)
        status = read_grid(grid, &place, config, error);
    if (status == STATUS_OK && cma_es)
        status = read_cma_es(cma_es, &place, config, error);
    if (status == STATUS_OK && printed)
        status = read_printed(printed, &place, config, error);
    if (status == STATUS_OK && !grid && !cma_es)
        status = json_error(&place, error, "expected \"grid\" or \"cma-es\"");
    return status;
}

static enum status read_all(struct pool *pool, struct tune_config *config, const char *label, struct error *error)
{
    struct json_path top = {.file = label};
    enum status status = cJSON_IsObject(config->json) ? read_tune(config, &top, error)
                                                      : json_error(&top, error, "expected an object");
    if (status == STATUS_OK)
        status = check_top(config->json, &top, error);
    if (status == STATUS_OK)
        read_as_run(pool, config, label);
    return status == STATUS_OK ? check_single(config->config, &top, error) : status;
}

size_t tune_grid_size(const struct tune_config *config)
{
    size_t points = config->grid[0];
    for (size_t a = 1; a < config->n_axes; a++)
        points *= config->grid[a];
    return points;
}

static void release_json(void *json)
{
    cJSON_Delete(json);
}

struct tune_config *tune_config_parse(struct pool *pool, const char *label, const char *text)
{
    struct tune_config *config = pool_alloc(pool, sizeof *config);
    struct error error;
    if (json_parse(label, text, &config->json, &error) != STATUS_OK)
        die_of(&error);
    pool_keep(pool, release_json, config->json);
    if (read_all(pool, config, label, &error) != STATUS_OK)
        die_of(&error);
    config->config->text = pool_strdup(pool, text);
    return config;
}

struct tune_config *tune_config_read(struct pool *pool, const char *path)
{
    char *text;
    struct error error;
    const enum status status = file_read(path, &text, NULL, &error);
    if (status == STATUS_NOT_FOUND)
        error.status = STATUS_BAD_INPUT;
    if (status != STATUS_OK)
        die_of(&error);
    pool_keep(pool, free, text);
    return tune_config_parse(pool, path, text);
}
