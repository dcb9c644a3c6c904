/*
 * What the folders of a merge cover. A folder measured a product: its solvers, on its data sets, on its splits. Shards
 * of one such product form a group. Together the folders stand for the product of all solvers, data sets and splits
 * that any of them has; each of its combinations must be in a group, and each group must have its shards.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/merge/merging.h"

/* ---- groups ---- */

static int same_words(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static int same_group(const struct run_summary *a, const struct run_summary *b)
{
    return a->shards == b->shards && same_words(a->solvers, b->solvers) && same_words(a->datasets, b->datasets) &&
           same_words(a->splits, b->splits);
}

/* Shards are cut from one plan, so all of them must have found the same data. */
static enum status check_shard(const struct part *first, const struct part *part, struct error *error)
{
    const char *a = first->folder.path, *b = part->folder.path;
    for (size_t d = 0; d < first->config->n_datasets; d++) {
        const char *name = first->config->datasets[d].name;
        if (!run_folder_data_hash(&first->folder, name) != !run_folder_data_hash(&part->folder, name))
            return error_set(error, STATUS_BAD_INPUT, "%s and %s: no shards of one plan: only the %s has data of %s", a,
                             b, run_folder_data_hash(&first->folder, name) ? "first" : "second", name);
    }
    if (first->folder.run.units_of_plan != part->folder.run.units_of_plan)
        return error_set(error, STATUS_BAD_INPUT, "%s and %s: no shards of one plan: it has %zu units and %zu", a, b,
                         first->folder.run.units_of_plan, part->folder.run.units_of_plan);
    return STATUS_OK;
}

static enum status add_to_groups(struct merging *merging, const struct part *part, struct error *error)
{
    size_t g = 0;
    while (g < merging->n_groups && !same_group(&merging->groups[g].first->folder.run, &part->folder.run))
        g++;
    struct group *group = &merging->groups[g];
    if (g == merging->n_groups) {
        group->first = part;
        group->present = calloc(part->folder.run.shards + 1, 1);
        if (!group->present)
            return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", part->folder.path);
        merging->n_groups++;
    }
    group->present[part->folder.run.shard] = 1;
    return check_shard(group->first, part, error);
}

/* Shards past the number of units are empty and leave no folder. */
static enum status check_shards(struct merging *merging, const struct group *group, struct error *error)
{
    char list[400] = "";
    size_t used = 0, missing = 0, shards = group->first->folder.run.shards, units = group->first->folder.run.units_of_plan;
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
    return merge_lacks(merging, error, "%zu of %zu shards missing: %s (of the plan of %s)", missing, shards, list,
                       group->first->folder.path);
}

/* ---- what all are restricted to together ---- */

static int has_dataset(const struct config *config, const char *name)
{
    for (size_t d = 0; d < config->n_datasets; d++)
        if (strcmp(config->datasets[d].name, name) == 0)
            return 1;
    return 0;
}

static int has_solver(const struct config *config, const char *name)
{
    for (size_t s = 0; s < config->n_solvers; s++)
        if (strcmp(config->solvers[s].solver->name, name) == 0)
            return 1;
    return 0;
}

static int has_split(const struct config *config, size_t number)
{
    for (size_t i = 0; i < config->n_splits; i++)
        if (config->splits[i] == number)
            return 1;
    return 0;
}

static int any_has(const struct merging *merging, int (*has)(const struct config *, const char *), const char *name)
{
    for (size_t g = 0; g < merging->n_groups; g++)
        if (has(merging->groups[g].first->config, name))
            return 1;
    return 0;
}

static int any_has_split(const struct merging *merging, size_t number)
{
    for (size_t g = 0; g < merging->n_groups; g++)
        if (has_split(merging->groups[g].first->config, number))
            return 1;
    return 0;
}

/* The names that a group has, with commas between; *words stays NULL where that is all of them. */
static enum status join_names(const struct merging *merging, const char *const *names, size_t count,
                              int (*has)(const struct config *, const char *), char **words, struct error *error)
{
    size_t size = 1, kept = 0;
    for (size_t i = 0; i < count; i++)
        size += strlen(names[i]) + 1;
    char *text = calloc(size, 1);
    if (!text)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", merging->request->out);
    for (size_t i = 0; i < count; i++) {
        if (!any_has(merging, has, names[i]))
            continue;
        snprintf(text + strlen(text), size - strlen(text), "%s%s", kept ? "," : "", names[i]);
        kept++;
    }
    if (kept < count)
        *words = text;
    else
        free(text);
    return STATUS_OK;
}

/* The same of splits, as ranges. */
static enum status join_splits(const struct merging *merging, const struct config *whole, char **words,
                               struct error *error)
{
    size_t size = whole->n_splits * 14 + 1, kept = 0, used = 0;
    char *text = calloc(size, 1);
    if (!text)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", merging->request->out);
    for (size_t i = 0; i < whole->n_splits; i++) {
        size_t first = whole->splits[i], last = first;
        if (!any_has_split(merging, first))
            continue;
        for (kept++; i + 1 < whole->n_splits && whole->splits[i + 1] == last + 1 && any_has_split(merging, last + 1);
             i++, kept++)
            last++;
        used += (size_t)snprintf(text + used, size - used, first == last ? "%s%zu" : "%s%zu-%zu", used ? "," : "",
                                 first, last);
    }
    if (kept < whole->n_splits)
        *words = text;
    else
        free(text);
    return STATUS_OK;
}

static enum status copy_word(const char *word, char **copy, struct error *error)
{
    if (!word || (*copy = strdup(word)))
        return STATUS_OK;
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", word);
}

static enum status join_all_names(struct merging *merging, const struct config *whole, struct error *error)
{
    size_t most = whole->n_datasets + whole->n_solvers, n = 0;
    const char **names = calloc(most, sizeof *names);
    if (!names)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", merging->request->out);
    for (size_t d = 0; d < whole->n_datasets; d++)
        names[d] = whole->datasets[d].name;
    enum status status = join_names(merging, names, whole->n_datasets, has_dataset, &merging->datasets, error);
    for (size_t s = 0; s < whole->n_solvers; s++) {
        size_t before = 0;
        names[n] = whole->solvers[s].solver->name; /* once each, where an entry of the same solver went before */
        while (strcmp(names[before], names[n]) != 0)
            before++;
        n += before == n;
    }
    if (status == STATUS_OK)
        status = join_names(merging, names, n, has_solver, &merging->solvers, error);
    free(names);
    return status;
}

/* One group keeps its own words, so that the plan is that of the run it was cut from. */
static enum status join_words(struct merging *merging, const struct config *whole, struct error *error)
{
    const struct run_summary *first = &merging->groups[0].first->folder.run;
    if (merging->n_groups > 1) {
        enum status status = join_all_names(merging, whole, error);
        return status == STATUS_OK ? join_splits(merging, whole, &merging->splits, error) : status;
    }
    enum status status = copy_word(first->solvers, &merging->solvers, error);
    if (status == STATUS_OK)
        status = copy_word(first->datasets, &merging->datasets, error);
    return status == STATUS_OK ? copy_word(first->splits, &merging->splits, error) : status;
}

/* ---- combinations ---- */

static int covered(const struct merging *merging, const char *dataset, size_t split, const char *solver)
{
    for (size_t g = 0; g < merging->n_groups; g++) {
        const struct part *first = merging->groups[g].first;
        if (run_folder_data_hash(&first->folder, dataset) && has_split(first->config, split) && has_solver(first->config, solver))
            return 1;
    }
    return 0;
}

static int any_found(const struct merging *merging, const char *dataset)
{
    for (size_t g = 0; g < merging->n_groups; g++)
        if (run_folder_data_hash(&merging->groups[g].first->folder, dataset))
            return 1;
    return 0;
}

static enum status check_combinations(struct merging *merging, const struct config *whole, struct error *error)
{
    const char *dataset = "", *solver = "";
    size_t split = 0, missing = 0;
    for (size_t d = 0; d < whole->n_datasets; d++)
        for (size_t i = 0; any_found(merging, whole->datasets[d].name) && i < whole->n_splits; i++)
            for (size_t s = 0; any_has_split(merging, whole->splits[i]) && s < whole->n_solvers; s++) {
                const char *name = whole->solvers[s].solver->name;
                if (!any_has(merging, has_solver, name) ||
                    covered(merging, whole->datasets[d].name, whole->splits[i], name) || missing++)
                    continue;
                dataset = whole->datasets[d].name;
                split = whole->splits[i];
                solver = name;
            }
    if (missing == 0)
        return STATUS_OK;
    return merge_lacks(merging, error, "no folder is for %s, split %zu, %s (%zu such combinations)", dataset, split,
                       solver, missing);
}

enum status merge_cover(struct merging *merging, struct error *error)
{
    merging->groups = calloc(merging->n_parts, sizeof *merging->groups);
    enum status status =
        merging->groups ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "out of memory for groups of folders");
    for (size_t p = 0; p < merging->n_parts && status == STATUS_OK; p++)
        status = add_to_groups(merging, &merging->parts[p], error);
    for (size_t g = 0; g < merging->n_groups && status == STATUS_OK; g++)
        status = check_shards(merging, &merging->groups[g], error);
    if (status != STATUS_OK)
        return status;
    struct config *whole = NULL;
    char *text = strdup(merging->parts[0].folder.config_text);
    status = text ? config_parse(merging->parts[0].config_path, text, &whole, error)
                  : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", merging->request->out);
    if (status == STATUS_OK)
        status = join_words(merging, whole, error);
    if (status == STATUS_OK && merging->n_groups > 1)
        status = check_combinations(merging, whole, error);
    config_free(whole);
    return status;
}
