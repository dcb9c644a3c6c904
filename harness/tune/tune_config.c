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
static void check_solvers(const cJSON *json, const struct json_path *top)
{
    struct json_path solvers = inside(top, "solvers");
    const cJSON *item;
    size_t which = 0;
    cJSON_ArrayForEach(item, config_member(json, "solvers")) {
        const struct json_path at = {.file = top->file, .outer = &solvers, .index = which++};
        const char *name = cJSON_GetStringValue(cJSON_IsObject(item) ? config_member(item, "name") : item);
        if (name && strcmp(name, "*") == 0)
            json_die(&at, "a search must name its solvers; \"*\" is only for runs");
    }
}

/* The object as a run's configuration. In place of "tune" it has the splits and the smallest values of the searched
 * numbers, or for `others` the largest value of each bounded one. So the run's reader finds any point at which a
 * parameter would exceed its bound. */
static cJSON *as_run(const struct tune_config *config, int others)
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
    return json;
}

/* `name` is a member of `outer`, "parameters" or "stop"; `entry` is the solver's in the configuration, whose members
 * replace the general ones. */
static void check_single_value(const struct value_list *list, const cJSON *entry, const char *outer, const char *name,
                               const struct json_path *at_entry, const struct json_path *top)
{
    const int is_own = config_member(config_member(entry, outer), name) != NULL;
    const struct json_path in_outer = {.file = top->file, .outer = is_own ? at_entry : top, .key = outer};
    const struct json_path at = {.file = top->file, .outer = &in_outer, .key = name};
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].values.count != 1)
            json_die(&at, "has %zu values; expected one value, or a range to search in \"tune\"",
                     list->item[i].values.count);
}

static void check_single(const struct config *config, const struct json_path *top)
{
    const struct json_path in_solvers = {.file = top->file, .outer = top, .key = "solvers"};
    for (size_t s = 0; s < config->n_solvers; s++) {
        const struct config_solver *solver = &config->solvers[s];
        const struct json_path at = {.file = top->file, .outer = &in_solvers, .index = s};
        const cJSON *entry = cJSON_GetArrayItem(config_member(config->json, "solvers"), (int)s);
        check_single_value(&solver->tolerance, entry, "stop", "tolerance", &at, top);
        for (size_t p = 0; p < solver_count_parameters(solver->solver); p++)
            check_single_value(&solver->parameters[p], entry, "parameters", solver->solver->parameters[p]->name, &at,
                               top);
        for (size_t t = 0; t < s; t++)
            if (config->solvers[t].solver == solver->solver)
                json_die(top, "solver \"%s\" occurs twice", solver->solver->name);
    }
}

/* ---- tune ---- */

/* Reads "middle", or a value for each searched number. */
static void read_start(const cJSON *json, const struct json_path *at, struct tune_config *config)
{
    char shown[64];
    const char *word = cJSON_GetStringValue(json);
    for (size_t a = 0; a < config->n_axes; a++) {
        double value;
        tune_axis_at(&config->axes[a], 0.5, &config->start[a], &value);
    }
    if (!json || (word && strcmp(word, "middle") == 0))
        return;
    if (!cJSON_IsArray(json) || (size_t)cJSON_GetArraySize(json) != config->n_axes)
        json_die(at, "%s is unknown; allowed: \"middle\" or a list of a %s and a %s",
                 json_to_text(json, shown, sizeof shown), config->axes[0].name, config->axes[1].name);
    const cJSON *item = json->child;
    for (size_t a = 0; a < config->n_axes; a++, item = item->next) {
        const struct tune_axis *axis = &config->axes[a];
        const struct json_path element = {.file = at->file, .outer = at, .index = a};
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= axis->from && item->valuedouble <= axis->to))
            json_die(&element, "%s is out of the range of %s; allowed: %g to %g",
                     json_to_text(item, shown, sizeof shown), axis->name, axis->from, axis->to);
        config->start[a] = tune_axis_place(axis, item->valuedouble);
    }
}

const struct member tune_cma_es_members[] = {
    {"generations", MEMBER_COUNT, FIELD(struct tune_config, generations), .low = 1, .high = 10000, .fallback = 50},
    {"population", MEMBER_COUNT, FIELD(struct tune_config, population), .low = 2, .high = CMA_ES_POPULATION_MAX,
     .fallback = CMA_ES_POPULATION},
    {"sigma", MEMBER_REAL, FIELD(struct tune_config, step), MEMBER_ABOVE, .high = 1, .fallback = 0.3},
    {"start", MEMBER_JSON, FIELD(struct tune_config, given_start)},
    MEMBERS_END,
};

static void read_cma_es(struct pool *pool, const cJSON *json, const struct json_path *place, struct tune_config *config)
{
    const struct json_path at = inside(place, "cma-es"), start = inside(&at, "start");
    if (config->n_axes != 2)
        json_die(&at, "CMA-ES needs two ranges; use \"grid\" for \"%s\" alone", config->axes[0].name);
    members_read(pool, tune_cma_es_members, json, &at, config);
    read_start(config->given_start, &start, config);
}

/* Integers on a linear scale are evenly spaced, so the number of grid steps has to divide theirs. */
static void check_levels(const struct tune_axis *axis, size_t levels, const struct json_path *place)
{
    const struct json_path at = inside(place, axis->name);
    char allowed[160] = "";
    size_t used = 0;
    if (axis->multiple_of == 0 || axis->logarithmic)
        return;
    const double steps = (axis->to - axis->from) / axis->multiple_of;
    if (fmod(steps, (double)levels - 1) == 0)
        return;
    for (unsigned n = 2; n <= 200 && used + 8 < sizeof allowed; n++)
        if (fmod(steps, n - 1) == 0)
            used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%u", used ? ", " : "", n);
    json_die(&at, "%zu evenly spaced levels from %g to %g are not all multiples of %g; allowed: %s", levels,
             axis->from, axis->to, axis->multiple_of, allowed);
}

static void read_grid(struct pool *pool, const cJSON *json, const struct json_path *place, struct tune_config *config)
{
    struct member members[TUNE_AXES + 1] = {{0}};
    const struct json_path at = inside(place, "grid");
    for (size_t a = 0; a < config->n_axes; a++)
        members[a] = (struct member){config->axes[a].name, MEMBER_COUNT, FIELD(struct tune_config, grid[a]),
                                     MEMBER_REQUIRED, .low = 2, .high = 200};
    members_read(pool, members, json, &at, config);
    for (size_t a = 0; a < config->n_axes; a++)
        check_levels(&config->axes[a], config->grid[a], &at);
}

/* Printed values are those of C and kernel width. */
static void read_printed(struct pool *pool, const cJSON *json, const struct json_path *place,
                         struct tune_config *config)
{
    static const struct member members[] = {
        {"table", MEMBER_TEXT, FIELD(struct tune_config, printed_table), MEMBER_REQUIRED},
        {"C", MEMBER_TEXT, FIELD(struct tune_config, printed_column[0]), MEMBER_REQUIRED},
        {"width", MEMBER_TEXT, FIELD(struct tune_config, printed_column[1]), MEMBER_REQUIRED},
        MEMBERS_END,
    };
    const struct json_path at = inside(place, "printed");
    for (size_t a = 0; a < TUNE_AXES; a++)
        if (config->n_axes != TUNE_AXES || strcmp(config->axes[a].name, members[a + 1].key) != 0 ||
            !config->axes[a].logarithmic)
            json_die(&at, "\"printed\" needs exactly the ranges \"C\" and \"width\", on logarithmic scales");
    members_read(pool, members, json, &at, config);
}

const struct member tune_members[] = {
    {"splits", MEMBER_COUNT, FIELD(struct tune_config, n_splits), .low = 1, .high = 1000, .fallback = 5},
    {"folds", MEMBER_COUNT, FIELD(struct tune_config, n_folds), .low = 2, .high = 1000, .fallback = 5},
    {"stratified", MEMBER_FLAG, FIELD(struct tune_config, stratified)},
    MEMBERS_END_OTHERS_IGNORED,
};

static void read_tune(struct pool *pool, struct tune_config *config, const struct json_path *top)
{
    static const char *const keys[] = {"splits", "folds", "stratified", "grid", "cma-es", "printed", NULL};
    const cJSON *json = config_member(config->json, "tune"), *grid = config_member(json, "grid");
    const cJSON *cma_es = config_member(json, "cma-es"), *printed = config_member(json, "printed");
    const struct json_path place = inside(top, "tune");
    if (!json)
        json_die(top, "key \"tune\" is missing; it describes the search");
    members_read(pool, tune_members, json, &place, config);
    config->n_axes = tune_axes_read(pool, config->json, top, keys, config->axes);
    if (grid)
        read_grid(pool, grid, &place, config);
    if (cma_es)
        read_cma_es(pool, cma_es, &place, config);
    if (printed)
        read_printed(pool, printed, &place, config);
    if (!grid && !cma_es)
        json_die(&place, "expected \"grid\" or \"cma-es\"");
}

size_t tune_grid_size(const struct tune_config *config)
{
    size_t points = config->grid[0];
    for (size_t a = 1; a < config->n_axes; a++)
        points *= config->grid[a];
    return points;
}

/* The run's reader reads both forms, of which the first is kept. */
struct tune_config *tune_config_parse(struct pool *pool, const char *label, const char *text)
{
    static const char *const keys[] = {"name", "title", "datasets", "standardise", "generate_missing",
                                       "make_missing", "seed", "kernel", "parameters", "solvers", "stop",
                                       "budget", "gram_megabytes", "tune", NULL};
    const struct json_path top = {.file = label};
    struct tune_config *config = pool_alloc(pool, sizeof *config);
    config->json = json_parse(pool, label, text);
    if (!cJSON_IsObject(config->json))
        json_die(&top, "expected an object");
    read_tune(pool, config, &top);
    json_check_members(config->json, &top, keys);
    check_solvers(config->json, &top);
    config->config = config_from_json(pool, label, json_keep(pool, as_run(config, 0)));
    (void)config_from_json(pool, label, json_keep(pool, as_run(config, 1)));
    check_single(config->config, &top);
    config->config->text = pool_strdup(pool, text);
    return config;
}

struct tune_config *tune_config_read(struct pool *pool, const char *path)
{
    return tune_config_parse(pool, path, config_file_text(pool, path));
}
