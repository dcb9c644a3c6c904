/*
 * Checks the names in a paper: solvers, parameters, kernels, stopping rules, fields and data sets. A misspelt one
 * selects no record, so its cells would look like missing data.
 */
#include "harness/records/measures.h"
#include "harness/papers/claims.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/config/config.h"
#include "harness/data/manifest.h"
#include "harness/evaluate/stopping.h"
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
    return (struct json_path){.outer = outer, .key = key};
}

/* ---- values of parameters and settings ---- */

static void check_value(const cJSON *value, const struct parameter *parameter, const struct json_path *place)
{
    const char *const *words = parameter_words(parameter);
    char text[64], allowed[256];
    for (size_t w = 0; words && cJSON_IsString(value) && words[w]; w++)
        if (strcmp(words[w], value->valuestring) == 0)
            return;
    if (words)
        json_die_unknown(place, "value",
                         cJSON_IsString(value) ? value->valuestring : json_to_text(value, text, sizeof text), words);
    if (cJSON_IsNumber(value) && parameter_allows(parameter, value->valuedouble))
        return;
    parameter_allowed(parameter, allowed, sizeof allowed);
    json_die(place, "%s is no value of this parameter; allowed: %s", json_to_text(value, text, sizeof text), allowed);
}

/* Members of an object that are parameters; `besides` is a key that is not one of them, or NULL. */
static void check_parameters(const cJSON *object, const struct parameter *const *parameters, const char *besides,
                             const struct json_path *place)
{
    static const struct parameter *const none[] = {NULL};
    const char *names[MAX_PARAMETERS + 2] = {NULL};
    const cJSON *item = NULL;
    size_t n = 0;
    parameters = parameters ? parameters : none;
    if (besides)
        names[n++] = besides;
    for (size_t p = 0; parameters[p]; p++)
        names[n++] = parameters[p]->name;
    cJSON_ArrayForEach (item, object) {
        const struct json_path at = inside(place, item->string);
        size_t p = 0;
        if (besides && strcmp(item->string, besides) == 0)
            continue;
        while (parameters[p] && strcmp(parameters[p]->name, item->string) != 0)
            p++;
        if (!parameters[p])
            json_die_unknown(place, "parameter", item->string, names);
        check_value(item, parameters[p], &at);
    }
}

/* Records of a solver with "of_C" have C in place of mu. */
static void check_params(const cJSON *params, const struct solver *solver, const struct json_path *place)
{
    const struct parameter *all[MAX_PARAMETERS + 1] = {NULL};
    const size_t count = solver_count_parameters(solver);
    for (size_t p = 0; p < count; p++)
        all[p] = solver->parameters[p];
    if (solver_reads(solver, &parameter_mu) && !solver_reads(solver, &parameter_c))
        all[count] = &parameter_c;
    check_parameters(params, all, NULL, place);
}

static void check_kernel(const cJSON *kernel, const struct json_path *place)
{
    const struct kernel_family *const *all = kernel_families_all(), *family;
    const struct json_path at = inside(place, "type");
    const char *type = cJSON_GetStringValue(member(kernel, "type"));
    const char *names[64] = {NULL};
    const cJSON *item = NULL;
    if (!type) {
        cJSON_ArrayForEach (item, kernel)
            if (!kernel_families_know_parameter(item->string))
                json_die(place, "unknown parameter \"%s\"; no kernel has it", item->string);
        return;
    }
    if ((family = kernel_family_find(type))) {
        check_parameters(kernel, family->parameters, "type", place);
        return;
    }
    for (size_t i = 0; all[i] && i + 1 < sizeof names / sizeof *names; i++)
        names[i] = all[i]->name;
    config_die_unknown(NULL, &at, "kernel", type, names);
}

static void check_stop(const cJSON *stop, const struct json_path *place)
{
    static const char *const keys[] = {"rule", "tolerance", NULL};
    const struct json_path at = inside(place, "rule"), in_tolerance = inside(place, "tolerance");
    const cJSON *tolerance = member(stop, "tolerance");
    const char *names[STOP_RULES + 64] = {NULL}, *rule = cJSON_GetStringValue(member(stop, "rule"));
    char text[64];
    size_t n = 0;
    if (!stop)
        return;
    json_check_members(stop, place, keys);
    if (tolerance && !(cJSON_IsNumber(tolerance) && tolerance->valuedouble > 0))
        json_die(&in_tolerance, "%s is no tolerance; allowed: above 0", json_to_text(tolerance, text, sizeof text));
    if (!member(stop, "rule") || (rule && stop_rule_find(rule) != STOP_RULES))
        return;
    for (enum stop_rule r = 0; stop_rule_name(r) && n + 1 < sizeof names / sizeof *names; r = stop_rule_next(r))
        names[n++] = stop_rule_name(r);
    config_die_unknown(NULL, &at, "stopping rule", rule ? rule : "", names);
}

/* ---- columns, claims and replacements ---- */

static void check_filter(const struct record_filter *filter, const struct json_path *place)
{
    const struct json_path in_params = inside(place, "params"), in_kernel = inside(place, "kernel"),
                           in_stop = inside(place, "stop"), in_solver = inside(place, "solver");
    const struct solver *solver = config_find_solver(NULL, filter->solver, &in_solver);
    check_params(filter->params, solver, &in_params);
    check_kernel(filter->kernel, &in_kernel);
    check_stop(filter->stop, &in_stop);
}

static void check_field(const char *given, const char *key, const struct json_path *place)
{
    const struct json_path at = inside(place, key);
    if (given)
        json_check_word(&at, "field", given, measure_paths());
}

static void check_side(const struct record_filter *filter, const struct json_path *place)
{
    check_filter(filter, place);
    check_field(filter->field, "field", place);
    check_field(filter->clamp_min_field, "clamp_min_field", place);
}

/* ---- data sets ---- */

struct known_sets {
    const struct paper *paper;
    struct pool *pool;
    struct manifest *manifest; /* read for the first name that the paper does not list */
    struct member_texts names; /* of the manifest, then of the paper, then NULL */
};

static void read_names(struct known_sets *known)
{
    if (known->manifest)
        return;
    known->manifest = manifest_load(known->pool, getenv("HULLBENCH_DATA"));
    for (size_t i = 0; i < known->manifest->sets.count; i++)
        *pool_push(known->pool, &known->names) = known->manifest->sets.item[i].spec.name;
    for (size_t i = 0; i < known->paper->datasets.count; i++)
        *pool_push(known->pool, &known->names) = known->paper->datasets.item[i];
    *pool_push(known->pool, &known->names) = NULL;
}

static void check_set(struct known_sets *known, const char *name, const struct json_path *place)
{
    if (texts_have(&known->paper->datasets, name))
        return;
    read_names(known);
    for (size_t i = 0; i < known->manifest->sets.count; i++)
        if (strcmp(known->names.item[i], name) == 0)
            return;
    json_die_unknown(place, "data set", name, known->names.item);
}

static void check_list(struct known_sets *known, const struct member_texts *names, const char *key,
                       const struct json_path *outer)
{
    const struct json_path place = inside(outer, key);
    for (size_t i = 0; i < names->count; i++) {
        const struct json_path at = {.outer = &place, .index = i};
        check_set(known, names->item[i], &at);
    }
}

/* A name on the paper's own list that the manifest does not have must be a row's, since it may be a misspelt one. */
static void check_own_list(struct known_sets *known, const struct json_path *top)
{
    const struct paper *paper = known->paper;
    const struct json_path place = inside(top, "datasets");
    for (size_t d = 0; d < paper->datasets.count; d++) {
        const struct json_path at = {.outer = &place, .index = d};
        const char *name = paper->datasets.item[d];
        int is_known = paper->n_tables == 0;
        for (size_t t = 0; t < paper->n_tables; t++)
            for (size_t i = 0; i < paper->tables[t].n_rows; i++)
                is_known = is_known || strcmp(paper->tables[t].rows[i].dataset, name) == 0;
        if (!is_known)
            read_names(known);
        for (size_t i = 0; !is_known && i < known->manifest->sets.count; i++)
            is_known = strcmp(known->names.item[i], name) == 0;
        if (!is_known)
            json_die_unknown(&at, "data set", name, known->names.item);
    }
}

/* ---- the paper ---- */

static void check_table(struct known_sets *known, const struct paper_table *table, const struct json_path *place)
{
    const struct json_path in_columns = inside(place, "columns"), in_rows = inside(place, "rows");
    for (size_t j = 0; j < table->n_columns; j++) {
        const struct paper_column *column = &table->columns[j];
        const struct json_path at = {.outer = &in_columns, .index = j}, in_right = inside(&at, "right");
        if (column->statistic != STATISTIC_VALUE)
            check_side(&column->from, &at);
        if (column->statistic == STATISTIC_REDUCTION)
            check_side(&column->right, &in_right);
    }
    for (size_t i = 0; i < table->n_rows; i++)
        check_set(known, table->rows[i].dataset, &in_rows);
}

static void check_claim(struct known_sets *known, const struct paper_claim *claim, const struct json_path *place)
{
    check_field(claim->field, "field", place);
    for (size_t i = 0; i < CLAIM_SELECTIONS_MAX && claim->kind->selections[i]; i++) {
        const struct json_path at = inside(place, claim->kind->selections[i]);
        if (cJSON_IsObject(claim->selections[i]))
            check_filter(&claim->from[i], &at);
        else
            config_find_solver(NULL, claim->from[i].solver, &at);
    }
    check_list(known, &claim->datasets, "datasets", place);
    check_list(known, &claim->except, "except", place);
}

void paper_check_names(const struct paper *paper)
{
    struct known_sets known = {.paper = paper, .pool = pool_new()};
    const struct json_path top = {.file = paper->path};
    const struct json_path in_tables = inside(&top, "tables"), in_claims = inside(&top, "claims"),
                           in_splits = inside(&top, "splits");
    const cJSON *item = NULL;
    check_own_list(&known, &top);
    cJSON_ArrayForEach (item, member(paper->json, "splits"))
        if (strcmp(item->string, "default") != 0)
            check_set(&known, item->string, &in_splits);
    for (size_t t = 0; t < paper->n_tables; t++) {
        const struct json_path at = {.outer = &in_tables, .index = t};
        check_table(&known, &paper->tables[t], &at);
    }
    for (size_t i = 0; i < paper->n_claims; i++) {
        const struct json_path at = {.outer = &in_claims, .index = i};
        check_claim(&known, &paper->claims[i], &at);
    }
    pool_free(known.pool);
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

void deviations_check_names(const struct paper *paper, const struct deviations *deviations)
{
    struct pool *pool = pool_new();
    const struct json_path top = {.file = deviations_path(pool, paper)}, list = inside(&top, "deviations");
    const char *path = resource_find_or_null(pool, "docs/deviations.md");
    const char *page = path ? file_read(pool, path, NULL) : NULL; /* NULL: installed without its pages */
    for (size_t i = 0; i < deviations->list.count; i++) {
        const struct deviation *deviation = &deviations->list.item[i];
        const struct json_path at = {.outer = &list, .index = i}, in_section = inside(&at, "section"),
                               in_experiment = inside(&at, "experiment"),
                               in_replace = inside(&in_experiment, "replace");
        if (page && !has_heading(page, deviation->section))
            json_die(&in_section, "\"%s\" is no heading of %s", deviation->section, path);
        if (deviation->experiment && deviation->experiment->replace)
            check_filter(deviation->experiment->replace, &in_replace);
    }
    pool_free(pool);
}
