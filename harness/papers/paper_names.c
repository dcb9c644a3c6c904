/*
 * Checks the names in a paper: solvers, parameters, kernels, stopping rules, fields and data sets. A misspelt one
 * selects no record, so its cells would look like missing data.
 */
#include "harness/records/measures.h"
#include "harness/papers/paper.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/config/config_reader.h"
#include "harness/data/manifest.h"
#include "harness/evaluate/stopping.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "solvers/kernel/kernel_family.h"
#include "solvers/solver.h"

static const cJSON *member(const cJSON *json, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(json, key);
}

static struct json_path inside(const struct json_path *outer, const char *key)
{
    return (struct json_path){.file = outer->file, .outer = outer, .key = key};
}

/* ---- values of parameters and settings ---- */

static enum status check_value(const cJSON *value, const struct parameter *parameter, const struct json_path *place,
                               struct error *error)
{
    const char *const *words = parameter_words(parameter);
    char text[64], allowed[256];
    for (size_t w = 0; words && cJSON_IsString(value) && words[w]; w++)
        if (strcmp(words[w], value->valuestring) == 0)
            return STATUS_OK;
    if (words)
        return json_unknown_name(place, "value",
                                 cJSON_IsString(value) ? value->valuestring : json_to_text(value, text, sizeof text),
                                 words, error);
    if (cJSON_IsNumber(value) && parameter_allows(parameter, value->valuedouble))
        return STATUS_OK;
    parameter_allowed(parameter, allowed, sizeof allowed);
    return json_error(place, error, "%s is no value of this parameter; allowed: %s",
                      json_to_text(value, text, sizeof text), allowed);
}

/* Members of an object that are parameters; `besides` is a key that is not one of them, or NULL. */
static enum status check_parameters(const cJSON *object, const struct parameter *const *parameters, const char *besides,
                                    const struct json_path *place, struct error *error)
{
    size_t count = 0, n = 0;
    while (parameters && parameters[count])
        count++;
    const char **names = xcalloc(count + 2, sizeof *names);
    const cJSON *item = NULL;
    enum status status = STATUS_OK;
    if (besides)
        names[n++] = besides;
    for (size_t p = 0; p < count; p++)
        names[n++] = parameters[p]->name;
    cJSON_ArrayForEach (item, object) {
        const struct json_path at = inside(place, item->string);
        size_t p = 0;
        while (p < count && strcmp(parameters[p]->name, item->string) != 0)
            p++;
        if (status != STATUS_OK || (besides && strcmp(item->string, besides) == 0))
            continue;
        status = p < count ? check_value(item, parameters[p], &at, error)
                           : json_unknown_name(place, "parameter", item->string, names, error);
    }
    free(names);
    return status;
}

/* Records of a solver with "of_C" have C in place of mu. */
static enum status check_params(const cJSON *params, const struct solver *solver, const struct json_path *place,
                                struct error *error)
{
    const size_t count = solver_count_parameters(solver);
    const struct parameter **all = xcalloc(count + 2, sizeof *all);
    for (size_t p = 0; p < count; p++)
        all[p] = solver->parameters[p];
    if (solver_reads(solver, &parameter_mu) && !solver_reads(solver, &parameter_c))
        all[count] = &parameter_c;
    enum status status = check_parameters(params, all, NULL, place, error);
    free(all);
    return status;
}

static enum status check_kernel(const cJSON *kernel, const struct json_path *place, struct error *error)
{
    const struct kernel_family *const *all = kernel_families_all(), *family;
    const struct json_path at = inside(place, "type");
    const char *type = cJSON_GetStringValue(member(kernel, "type"));
    const char *names[64] = {NULL};
    const cJSON *item = NULL;
    if (!kernel)
        return STATUS_OK;
    if (!type) {
        cJSON_ArrayForEach (item, kernel)
            if (!kernel_families_know_parameter(item->string))
                return json_error(place, error, "unknown parameter \"%s\"; no kernel has it", item->string);
        return STATUS_OK;
    }
    if ((family = kernel_family_find(type)))
        return check_parameters(kernel, family->parameters, "type", place, error);
    for (size_t i = 0; all[i] && i + 1 < sizeof names / sizeof *names; i++)
        names[i] = all[i]->name;
    return config_unknown_name(&at, "kernel", type, names, error);
}

static enum status check_stop(const cJSON *stop, const struct json_path *place, struct error *error)
{
    static const char *const keys[] = {"rule", "tolerance", NULL};
    const struct json_path at = inside(place, "rule"), in_tolerance = inside(place, "tolerance");
    const cJSON *tolerance = member(stop, "tolerance");
    const char *names[STOP_RULES + 64] = {NULL}, *rule = cJSON_GetStringValue(member(stop, "rule"));
    char text[64];
    size_t n = 0;
    if (!stop)
        return STATUS_OK;
    enum status status = json_check_keys(stop, place, keys, error);
    if (status == STATUS_OK && tolerance && !(cJSON_IsNumber(tolerance) && tolerance->valuedouble > 0))
        status = json_error(&in_tolerance, error, "%s is no tolerance; allowed: above 0",
                            json_to_text(tolerance, text, sizeof text));
    if (status != STATUS_OK || !member(stop, "rule"))
        return status;
    if (rule && stop_rule_find(rule) != STOP_RULES)
        return STATUS_OK;
    for (enum stop_rule r = 0; stop_rule_name(r) && n + 1 < sizeof names / sizeof *names; r = stop_rule_next(r))
        names[n++] = stop_rule_name(r);
    return config_unknown_name(&at, "stopping rule", rule ? rule : "", names, error);
}

/* ---- columns, claims and replacements ---- */

/* The solver and the conditions on its records. A claim's selection may be the name alone. */
static enum status check_selection(const cJSON *json, const struct json_path *place, struct error *error)
{
    const struct json_path in_params = inside(place, "params"), in_kernel = inside(place, "kernel"),
                           in_stop = inside(place, "stop"), in_solver = inside(place, "solver");
    const int is_name = cJSON_IsString(json);
    const char *name = cJSON_GetStringValue(is_name ? json : member(json, "solver"));
    const struct solver *solver = solver_find(name ? name : "");
    enum status status =
        solver ? STATUS_OK : config_unknown_solver(is_name ? place : &in_solver, name ? name : "", error);
    if (status == STATUS_OK && !is_name)
        status = check_params(member(json, "params"), solver, &in_params, error);
    if (status == STATUS_OK && !is_name)
        status = check_kernel(member(json, "kernel"), &in_kernel, error);
    return status == STATUS_OK && !is_name ? check_stop(member(json, "stop"), &in_stop, error) : status;
}

static enum status check_field(const cJSON *json, const char *key, const struct json_path *place, struct error *error)
{
    const char *const *name = measure_paths(), *given = cJSON_GetStringValue(member(json, key));
    const struct json_path at = inside(place, key);
    while (given && *name && strcmp(*name, given) != 0)
        name++;
    return !given || *name ? STATUS_OK : json_unknown_name(&at, "field", given, measure_paths(), error);
}

static enum status check_side(const cJSON *json, const struct json_path *place, struct error *error)
{
    enum status status = check_selection(json, place, error);
    if (status == STATUS_OK)
        status = check_field(json, "field", place, error);
    return status == STATUS_OK ? check_field(json, "clamp_min_field", place, error) : status;
}

static enum status check_column(const cJSON *json, enum statistic statistic, const struct json_path *place,
                                struct error *error)
{
    const struct json_path in_right = inside(place, "right");
    enum status status = statistic == STATISTIC_VALUE ? STATUS_OK : check_side(json, place, error);
    return status == STATUS_OK && statistic == STATISTIC_REDUCTION ? check_side(member(json, "right"), &in_right, error)
                                                                    : status;
}

/* ---- data sets ---- */

struct known_sets {
    const struct paper *paper;
    struct pool *pool;
    struct manifest *manifest; /* read for the first name that the paper does not list */
    const char **names;        /* of the manifest, then of the paper */
};

static void read_names(struct known_sets *known)
{
    const cJSON *item = NULL;
    size_t n = 0;
    known->manifest = manifest_load(known->pool, getenv("HULLBENCH_DATA"));
    const size_t most = known->manifest->n_sets + (size_t)cJSON_GetArraySize(known->paper->datasets) + 1;
    known->names = xcalloc(most, sizeof *known->names);
    for (size_t i = 0; i < known->manifest->n_sets; i++)
        known->names[n++] = known->manifest->sets[i].name;
    cJSON_ArrayForEach (item, known->paper->datasets)
        if (cJSON_IsString(item))
            known->names[n++] = item->valuestring;
}

static enum status check_set(struct known_sets *known, const char *name, const struct json_path *place,
                             struct error *error)
{
    enum status status = STATUS_OK;
    if (json_list_has(known->paper->datasets, name))
        return STATUS_OK;
    if (!known->names)
        read_names(known);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; known->names[i]; i++)
        if (strcmp(known->names[i], name) == 0)
            return STATUS_OK;
    return json_unknown_name(place, "data set", name, known->names, error);
}

static enum status check_list(struct known_sets *known, const cJSON *json, const char *key,
                              const struct json_path *outer, struct error *error)
{
    const struct json_path place = inside(outer, key);
    struct json_path at = {.file = outer->file, .outer = &place};
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, member(json, key)) {
        enum status status = cJSON_IsString(item)
                                 ? check_set(known, item->valuestring, &at, error)
                                 : json_error(&place, error, "must be a list of names");
        if (status != STATUS_OK)
            return status;
        at.index++;
    }
    return STATUS_OK;
}

/* A name on the paper's own list that the manifest does not have must be a row's, since it may be a misspelt one. */
static enum status check_own_list(struct known_sets *known, const struct json_path *top, struct error *error)
{
    const struct paper *paper = known->paper;
    const struct json_path place = inside(top, "datasets");
    struct json_path at = {.file = top->file, .outer = &place};
    const cJSON *item = NULL;
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (item, paper->datasets) {
        const char *name = cJSON_GetStringValue(item);
        int is_known = paper->n_tables == 0;
        if (!name)
            return json_error(&at, error, "must be the name of a data set");
        for (size_t t = 0; t < paper->n_tables; t++)
            for (size_t i = 0; i < paper->tables[t].n_rows; i++)
                is_known = is_known || strcmp(paper->tables[t].rows[i].dataset, name) == 0;
        if (!is_known && !known->names)
            read_names(known);
        for (size_t i = 0; status == STATUS_OK && !is_known && i < known->manifest->n_sets; i++)
            is_known = strcmp(known->names[i], name) == 0;
        if (status == STATUS_OK && !is_known)
            status = json_unknown_name(&at, "data set", name, known->names, error);
        if (status != STATUS_OK)
            return status;
        at.index++;
    }
    return STATUS_OK;
}

/* ---- the paper ---- */

static enum status check_table(struct known_sets *known, const cJSON *json, const struct paper_table *table,
                               const struct json_path *place, struct error *error)
{
    const struct json_path in_columns = inside(place, "columns"), in_rows = inside(place, "rows");
    struct json_path at = {.file = place->file, .outer = &in_columns};
    const cJSON *item = NULL;
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (item, member(json, "columns")) {
        if (status == STATUS_OK)
            status = check_column(item, table->columns[at.index].statistic, &at, error);
        at.index++;
    }
    for (size_t i = 0; i < table->n_rows && status == STATUS_OK; i++)
        status = check_set(known, table->rows[i].dataset, &in_rows, error);
    return status;
}

static enum status check_claim(struct known_sets *known, const cJSON *json, const struct json_path *place,
                               struct error *error)
{
    static const char *const selections[] = {"left",  "right",  "over",       "under",       "low",      "high",
                                             "value", "solver", "first",      "second",      "as_first", "as_second",
                                             "than_first",      "than_second"};
    enum status status = check_field(json, "field", place, error);
    for (size_t i = 0; i < sizeof selections / sizeof *selections && status == STATUS_OK; i++) {
        const cJSON *selection = member(json, selections[i]);
        const struct json_path at = inside(place, selections[i]);
        if (cJSON_IsString(selection) || cJSON_IsObject(selection)) /* "low" and "high" may be numbers */
            status = check_selection(selection, &at, error);
    }
    if (status == STATUS_OK)
        status = check_list(known, json, "datasets", place, error);
    return status == STATUS_OK ? check_list(known, json, "except", place, error) : status;
}

static enum status check_all(struct known_sets *known, struct error *error)
{
    const struct paper *paper = known->paper;
    const struct json_path top = {.file = paper->path};
    const struct json_path in_tables = inside(&top, "tables"), in_claims = inside(&top, "claims"),
                           in_splits = inside(&top, "splits");
    struct json_path table = {.file = top.file, .outer = &in_tables}, claim = {.file = top.file, .outer = &in_claims};
    const cJSON *item = NULL;
    enum status status = check_own_list(known, &top, error);
    cJSON_ArrayForEach (item, member(paper->json, "splits"))
        if (status == STATUS_OK && strcmp(item->string, "default") != 0)
            status = check_set(known, item->string, &in_splits, error);
    cJSON_ArrayForEach (item, member(paper->json, "tables")) {
        if (status == STATUS_OK)
            status = check_table(known, item, &paper->tables[table.index], &table, error);
        table.index++;
    }
    cJSON_ArrayForEach (item, paper->claims) {
        if (status == STATUS_OK)
            status = check_claim(known, item, &claim, error);
        claim.index++;
    }
    return status;
}

enum status paper_check_names(const struct paper *paper, struct error *error)
{
    struct known_sets known = {.paper = paper, .pool = pool_new()};
    enum status status = check_all(&known, error);
    free(known.names);
    pool_free(known.pool);
    return status;
}

/* ---- deviations ---- */

/* Whether the page has a heading of this name. */
static int has_heading(const char *page, const char *name)
{
    for (const char *line = page; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const size_t marks = strspn(line, "#"), spaces = strspn(line + marks, " ");
        const char *heading = line + marks + spaces;
        size_t length = strcspn(heading, "\r\n");
        while (length && heading[length - 1] == ' ')
            length--;
        if (marks && spaces && strlen(name) == length && strncmp(heading, name, length) == 0)
            return 1;
    }
    return 0;
}

enum status deviations_check_names(const struct paper *paper, const cJSON *deviations, struct error *error)
{
    char *file = xasprintf("%.*s.deviations.json", (int)(strlen(paper->path) - strlen(".json")), paper->path);
    struct pool *pool = pool_new();
    const struct json_path top = {.file = file}, list = inside(&top, "deviations");
    struct json_path at = {.file = file, .outer = &list};
    const cJSON *item = NULL;
    const char *path = resource_find_or_null(pool, "docs/deviations.md");
    const char *page = path ? file_read(pool, path, NULL) : NULL; /* NULL: installed without its pages */
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (item, member(deviations, "deviations")) {
        const struct json_path in_section = inside(&at, "section"), in_experiment = inside(&at, "experiment");
        const struct json_path in_replace = inside(&in_experiment, "replace");
        const cJSON *replace = member(member(item, "experiment"), "replace");
        const char *section = cJSON_GetStringValue(member(item, "section"));
        if (status == STATUS_OK && page && !has_heading(page, section))
            status = json_error(&in_section, error, "\"%s\" is no heading of %s", section, path);
        if (status == STATUS_OK && replace)
            status = check_selection(replace, &in_replace, error);
        at.index++;
    }
    pool_free(pool);
    free(file);
    return status;
}
