/*
 * Checks the names in a paper: solvers, parameters, kernels, stopping rules, fields and data sets. A misspelt one
 * selects no record, so its cells would look like missing data.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/config/config.h"
#include "harness/data/manifest.h"
#include "harness/evaluate/stopping.h"
#include "harness/papers/claims.h"
#include "harness/records/measures.h"
#include "solvers/kernel/kernel_family.h"
#include "solvers/solver.h"

/* ---- conditions on records ---- */

static void check_value(struct pool *pool, const cJSON *value, const struct parameter *parameter,
                        const struct json_path *place)
{
    static const char *const no_datasets[] = {NULL};
    if (!cJSON_IsNumber(value) && !cJSON_IsString(value))
        json_die(place, "%s is neither a number nor a word", json_to_text(value));
    value_list_read(pool, value, place, parameter, no_datasets);
}

/* Members of an object that are parameters (NULL: none), or `besides` (NULL: none). */
static void check_parameters(struct pool *pool, const cJSON *object, const struct parameter *const *parameters,
                             const char *besides, const struct json_path *place)
{
    struct member_texts allowed = {0};
    const cJSON *item = NULL;
    size_t n = 0;
    for (; parameters && parameters[n]; n++)
        *pool_push(pool, &allowed) = parameters[n]->name;
    *pool_push(pool, &allowed) = besides;
    *pool_push(pool, &allowed) = NULL;
    cJSON_ArrayForEach (item, object) {
        json_check_word(place, "parameter", item->string, allowed.item);
        for (size_t p = 0; p < n; p++)
            if (strcmp(parameters[p]->name, item->string) == 0)
                check_value(pool, item, parameters[p], json_at(place, item->string));
    }
}

/* Records of a solver with "of_C" have C in place of mu. */
static void check_params(struct pool *pool, const cJSON *params, const struct solver *solver,
                         const struct json_path *place)
{
    const struct parameter *all[MAX_PARAMETERS + 1] = {NULL};
    const size_t count = solver_count_parameters(solver);
    for (size_t p = 0; p < count; p++)
        all[p] = solver->parameters[p];
    if (solver_reads(solver, &parameter_mu) && !solver_reads(solver, &parameter_c))
        all[count] = &parameter_c;
    check_parameters(pool, params, all, NULL, place);
}

static void check_kernel(struct pool *pool, const cJSON *kernel, const struct json_path *place)
{
    const char *type = json_text(kernel, "type"), *names[MAX_KERNEL_FAMILIES + 1] = {NULL};
    const struct kernel_family *const *all = kernel_families_all(), *family = type ? kernel_family_find(type) : NULL;
    const cJSON *item = NULL;
    for (size_t i = 0; all[i]; i++)
        names[i] = all[i]->name;
    if (type && !family)
        config_die_unknown(NULL, json_at(place, "type"), "kernel", type, names);
    if (family)
        check_parameters(pool, kernel, family->parameters, "type", place);
    else
        cJSON_ArrayForEach (item, kernel)
            if (!kernel_families_know_parameter(item->string))
                json_die(place, "unknown parameter \"%s\"; no kernel has it", item->string);
}

static void check_stop(struct pool *pool, const cJSON *stop, const struct json_path *place)
{
    static const char *const keys[] = {"rule", "tolerance", NULL};
    const cJSON *rule = json_member(stop, "rule"), *tolerance = json_member(stop, "tolerance");
    const char *names[MAX_STOP_RULES + 1], *name = cJSON_IsString(rule) ? rule->valuestring : "";
    if (stop)
        json_check_members(stop, place, keys);
    if (tolerance)
        check_value(pool, tolerance, &stop_tolerance, json_at(place, "tolerance"));
    if (rule && stop_rule_find(name) == STOP_RULES)
        config_die_unknown(NULL, json_at(place, "rule"), "stopping rule", name, stop_rule_names(names));
}

void paper_check_filter(struct pool *pool, const struct record_filter *filter, const struct json_path *place)
{
    const struct solver *solver = config_find_solver(NULL, filter->solver, json_at(place, "solver"));
    check_params(pool, filter->params, solver, json_at(place, "params"));
    check_kernel(pool, filter->kernel, json_at(place, "kernel"));
    check_stop(pool, filter->stop, json_at(place, "stop"));
}

/* ---- columns and claims ---- */

static void check_field(const char *given, const char *key, const struct json_path *place)
{
    if (given)
        json_check_word(json_at(place, key), "field", given, measure_paths());
}

static void check_side(struct pool *pool, const struct record_filter *filter, const struct json_path *place)
{
    paper_check_filter(pool, filter, place);
    check_field(filter->field, "field", place);
    check_field(filter->clamp_min_field, "clamp_min_field", place);
}

static void check_columns(struct pool *pool, const struct paper_table *table, const struct json_path *place)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        const struct paper_column *column = &table->columns[j];
        const struct json_path *at = json_at_index(json_at(place, "columns"), j);
        if (column->statistic != STATISTIC_VALUE)
            check_side(pool, &column->from, at);
        if (column->statistic == STATISTIC_REDUCTION)
            check_side(pool, &column->right, json_at(at, "right"));
    }
}

static void check_selections(struct pool *pool, const struct paper_claim *claim, const struct json_path *place)
{
    check_field(claim->field, "field", place);
    for (size_t i = 0; i < CLAIM_SELECTIONS_MAX && claim->kind->selections[i]; i++) {
        const struct json_path *at = json_at(place, claim->kind->selections[i]);
        if (cJSON_IsObject(claim->selections[i]))
            paper_check_filter(pool, &claim->from[i], at);
        else
            config_find_solver(NULL, claim->from[i].solver, at);
    }
}

/* ---- data sets ---- */

struct known_sets {
    struct pool *pool;
    const struct paper *paper;
    struct member_texts names; /* of the manifest, then NULL; read when the first is needed */
};

static void check_in_manifest(struct known_sets *known, const char *name, const struct json_path *place)
{
    if (!known->names.count) {
        const struct manifest *manifest = manifest_load(known->pool, getenv("HULLBENCH_DATA"));
        for (size_t i = 0; i < manifest->sets.count; i++)
            *pool_push(known->pool, &known->names) = manifest->sets.item[i].spec.name;
        *pool_push(known->pool, &known->names) = NULL;
    }
    json_check_word(place, "data set", name, known->names.item);
}

static void check_set(struct known_sets *known, const char *name, const struct json_path *place)
{
    if (!texts_have(known->paper->datasets.item, name))
        check_in_manifest(known, name, place);
}

static void check_list(struct known_sets *known, const struct member_texts *names, const struct json_path *place)
{
    for (size_t i = 0; i < names->count; i++)
        check_set(known, names->item[i], json_at_index(place, i));
}

/* A name on the paper's own list that no row has may be a misspelt one. */
static void check_own_list(struct known_sets *known, const struct json_path *top)
{
    const struct paper *paper = known->paper;
    for (size_t d = 0; d < paper->datasets.count && paper->n_tables > 0; d++) {
        int has_row = 0;
        for (size_t t = 0; t < paper->n_tables; t++)
            has_row |= paper_row_of(&paper->tables[t], paper->datasets.item[d]) != NULL;
        if (!has_row)
            check_in_manifest(known, paper->datasets.item[d], json_at_index(json_at(top, "datasets"), d));
    }
}

void paper_check_names(const struct paper *paper)
{
    struct known_sets known = {.pool = pool_new(), .paper = paper};
    const struct json_path top = {.file = paper->path};
    const cJSON *item = NULL;
    check_own_list(&known, &top);
    cJSON_ArrayForEach (item, paper->splits)
        if (strcmp(item->string, "default") != 0)
            check_set(&known, item->string, json_at(&top, "splits"));
    for (size_t t = 0; t < paper->n_tables; t++) {
        const struct json_path *at = json_at_index(json_at(&top, "tables"), t);
        check_columns(known.pool, &paper->tables[t], at);
        for (size_t i = 0; i < paper->tables[t].n_rows; i++)
            check_set(&known, paper->tables[t].rows[i].dataset, json_at(at, "rows"));
    }
    for (size_t i = 0; i < paper->n_claims; i++) {
        const struct json_path *at = json_at_index(json_at(&top, "claims"), i);
        check_selections(known.pool, &paper->claims[i], at);
        check_list(&known, &paper->claims[i].datasets, json_at(at, "datasets"));
        check_list(&known, &paper->claims[i].except, json_at(at, "except"));
    }
    pool_free(known.pool);
}
