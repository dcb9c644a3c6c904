/*
 * What the folders of a merge cover. A folder measured a product: its solvers, on its data sets, on its splits. Shards
 * of one such product form a group. Together the folders stand for the product of all solvers, data sets and splits
 * that any of them has; each of its combinations must be in a group, and each group must have its shards.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/merge/merge_context.h"
#include "harness/program/memory.h"

/* ---- groups ---- */

static int same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static int same_group(const struct run_info *a, const struct run_info *b)
{
    return a->shards == b->shards && same_text(a->solvers, b->solvers) && same_text(a->datasets, b->datasets) &&
           same_text(a->splits, b->splits);
}

/* Shards are cut from one plan, so all of them must have found the same data. */
static enum status check_shard(const struct part *first, const struct part *part, struct error *error)
{
    const char *a = first->folder.path, *b = part->folder.path;
    for (size_t d = 0; d < first->config->n_datasets; d++) {
        const char *name = first->config->datasets[d].name;
        int has = run_info_data(&first->folder.run, name) != NULL;
        if (has != (run_info_data(&part->folder.run, name) != NULL))
            return error_set(error, STATUS_BAD_INPUT, "%s and %s: no shards of one plan: only the %s has data of %s", a,
                             b, has ? "first" : "second", name);
    }
    if (first->folder.run.total_units != part->folder.run.total_units)
        return error_set(error, STATUS_BAD_INPUT, "%s and %s: no shards of one plan: it has %zu units and %zu", a, b,
                         first->folder.run.total_units, part->folder.run.total_units);
    return STATUS_OK;
}

static enum status add_to_groups(struct merge_context *context, const struct part *part, struct error *error)
{
    size_t g = 0;
    while (g < context->n_groups && !same_group(&context->groups[g].first->folder.run, &part->folder.run))
        g++;
    struct group *group = &context->groups[g];
    if (g == context->n_groups) {
        *group = (struct group){part, xcalloc(part->folder.run.shards + 1, 1)};
        context->n_groups++;
    }
    group->present[part->folder.run.shard] = 1;
    return check_shard(group->first, part, error);
}

/* Shards past the number of units are empty and leave no folder. */
static enum status check_shards(struct merge_context *context, const struct group *group, struct error *error)
{
    char list[400] = "";
    size_t used = 0, missing = 0, shards = group->first->folder.run.shards, units = group->first->folder.run.total_units;
    for (size_t k = 1; k <= shards && (units == 0 || k <= units); k++) {
        if (group->present[k])
            continue;
        missing++;
        if (used < sizeof list - 24)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%zu", missing > 1 ? ", " : "", k);
        else if (list[used - 1] != '.')
            used += (size_t)snprintf(list + used, sizeof list - used, ", ...");
    }
    if (missing == 0)
        return STATUS_OK;
    return merge_report_missing(context, error, "%zu of %zu shards missing: %s (of the plan of %s)", missing, shards,
                                list, group->first->folder.path);
}

/* ---- what all are restricted to together ---- */

static int has_dataset(const struct config *config, const char *name)
{
    size_t d = 0;
    while (d < config->n_datasets && strcmp(config->datasets[d].name, name) != 0)
        d++;
    return d < config->n_datasets;
}

static int has_solver(const struct config *config, const char *name)
{
    size_t s = 0;
    while (s < config->n_solvers && strcmp(config->solvers[s].solver->name, name) != 0)
        s++;
    return s < config->n_solvers;
}

static int has_split(const struct config *config, size_t number)
{
    size_t i = 0;
    while (i < config->n_splits && config->splits[i] != number)
        i++;
    return i < config->n_splits;
}

static int any_has(const struct merge_context *context, int (*has)(const struct config *, const char *),
                   const char *name)
{
    size_t g = 0;
    while (g < context->n_groups && !has(context->groups[g].first->config, name))
        g++;
    return g < context->n_groups;
}

static int any_has_split(const struct merge_context *context, size_t number)
{
    size_t g = 0;
    while (g < context->n_groups && !has_split(context->groups[g].first->config, number))
        g++;
    return g < context->n_groups;
}

static int any_found(const struct merge_context *context, const char *dataset)
{
    size_t g = 0;
    while (g < context->n_groups && !run_info_data(&context->groups[g].first->folder.run, dataset))
        g++;
    return g < context->n_groups;
}

/* Puts `item` behind a comma to a list that begins as NULL. */
static void append(char **list, const char *item)
{
    char *longer = *list ? xasprintf("%s,%s", *list, item) : xstrdup(item);
    free(*list);
    *list = longer;
}

/* The data sets, solvers and splits that any group has, each NULL where that is all of the configuration's. */
static void join_restrictions(struct merge_context *context, const struct config *config)
{
    size_t n_datasets = 0, n_splits = 0;
    int all_solvers = 1;
    for (size_t d = 0; d < config->n_datasets; d++)
        if (any_has(context, has_dataset, config->datasets[d].name)) {
            append(&context->datasets, config->datasets[d].name);
            n_datasets++;
        }
    for (size_t s = 0; s < config->n_solvers; s++) {
        const char *name = config->solvers[s].solver->name;
        size_t before = 0; /* an entry of the same solver */
        while (strcmp(config->solvers[before].solver->name, name) != 0)
            before++;
        int has = any_has(context, has_solver, name);
        all_solvers = all_solvers && has;
        if (has && before == s)
            append(&context->solvers, name);
    }
    for (size_t i = 0; i < config->n_splits; i++) {
        size_t first = config->splits[i], last = first;
        char text[48];
        if (!any_has_split(context, first))
            continue;
        for (n_splits++;
             i + 1 < config->n_splits && config->splits[i + 1] == last + 1 && any_has_split(context, last + 1);
             i++, n_splits++)
            last++;
        snprintf(text, sizeof text, first == last ? "%zu" : "%zu-%zu", first, last);
        append(&context->splits, text);
    }
    if (n_datasets == config->n_datasets)
        free(context->datasets), context->datasets = NULL;
    if (all_solvers)
        free(context->solvers), context->solvers = NULL;
    if (n_splits == config->n_splits)
        free(context->splits), context->splits = NULL;
}

/* ---- combinations ---- */

static int covered(const struct merge_context *context, const char *dataset, size_t split, const char *solver)
{
    for (size_t g = 0; g < context->n_groups; g++) {
        const struct part *first = context->groups[g].first;
        if (run_info_data(&first->folder.run, dataset) && has_split(first->config, split) &&
            has_solver(first->config, solver))
            return 1;
    }
    return 0;
}

static enum status check_combinations(struct merge_context *context, const struct config *config, struct error *error)
{
    const char *dataset = "", *solver = "";
    size_t split = 0, missing = 0;
    for (size_t d = 0; d < config->n_datasets; d++)
        for (size_t i = 0; any_found(context, config->datasets[d].name) && i < config->n_splits; i++)
            for (size_t s = 0; any_has_split(context, config->splits[i]) && s < config->n_solvers; s++) {
                const char *name = config->solvers[s].solver->name;
                if (!any_has(context, has_solver, name) ||
                    covered(context, config->datasets[d].name, config->splits[i], name) || missing++)
                    continue;
                dataset = config->datasets[d].name;
                split = config->splits[i];
                solver = name;
            }
    if (missing == 0)
        return STATUS_OK;
    return merge_report_missing(context, error, "no folder is for %s, split %zu, %s (%zu such combinations)", dataset,
                                split, solver, missing);
}

enum status merge_check_coverage(struct merge_context *context, struct error *error)
{
    enum status status = STATUS_OK;
    context->groups = xcalloc(context->n_parts, sizeof *context->groups);
    for (size_t p = 0; p < context->n_parts && status == STATUS_OK; p++)
        status = add_to_groups(context, &context->parts[p], error);
    for (size_t g = 0; g < context->n_groups && status == STATUS_OK; g++)
        status = check_shards(context, &context->groups[g], error);
    if (status != STATUS_OK)
        return status;
    const struct run_info *first = &context->parts[0].folder.run;
    if (context->n_groups == 1) { /* its own words, so that the plan is that of the run it was cut from */
        context->solvers = first->solvers ? xstrdup(first->solvers) : NULL;
        context->datasets = first->datasets ? xstrdup(first->datasets) : NULL;
        context->splits = first->splits ? xstrdup(first->splits) : NULL;
        return STATUS_OK;
    }
    struct config *config = NULL;
    status = config_parse(context->parts[0].config_path, xstrdup(context->parts[0].folder.config_text), &config, error);
    if (status != STATUS_OK)
        return status;
    join_restrictions(context, config);
    status = check_combinations(context, config, error);
    config_free(config);
    return status;
}
