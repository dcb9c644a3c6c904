/*
 * Determines the coverage of a merge's folders. Each folder measured a product: its solvers on its data sets on its
 * splits. Shards of the same product form a group. The merged run is the product of all solvers, data sets and splits
 * that occur in any folder; each combination must be in a group, and each group must have all its shards.
 */
#include <stdint.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/folders/merge_context.h"

/* ---- groups ---- */

static int same_group(const struct run_info *a, const struct run_info *b)
{
    const char *const of_a[] = {a->solvers, a->datasets, a->splits};
    const char *const of_b[] = {b->solvers, b->datasets, b->splits};
    int same = a->shards == b->shards;
    for (int i = 0; i < 3; i++)
        same &= of_a[i] && of_b[i] ? strcmp(of_a[i], of_b[i]) == 0 : of_a[i] == of_b[i];
    return same;
}

/* Shards are parts of one plan, so all must have had the same data. */
static void check_shard(const struct part *first, const struct part *part)
{
    const struct run_info *one = &first->folder.run, *other = &part->folder.run;
    for (size_t d = 0; d < first->config->n_datasets; d++) {
        const char *name = first->config->datasets[d].name;
        int has = run_info_data(one, name) != NULL;
        if (has != (run_info_data(other, name) != NULL))
            die(STATUS_BAD_INPUT, "%s and %s: not shards of one plan: only the %s has data of %s", first->folder.path,
                part->folder.path, has ? "first" : "second", name);
    }
    if (one->total_blocks != other->total_blocks)
        die(STATUS_BAD_INPUT, "%s and %s: not shards of one plan: %zu and %zu blocks", first->folder.path,
            part->folder.path, one->total_blocks, other->total_blocks);
}

/* Sets the first folder of each folder's group. */
static void form_groups(struct merge_context *context)
{
    for (size_t p = 0; p < context->n_parts; p++) {
        struct part *part = &context->parts[p];
        part->group = context->parts;
        while (!same_group(&part->group->folder.run, &part->folder.run))
            part->group++;
        check_shard(part->group, part);
    }
}

/* Lists those of the numbers, which ascend, whose mark is `mark`, as "2-7, 9"; what is beyond `max` characters is
 * "...". */
static const char *list_ranges(struct pool *pool, const size_t *numbers, const unsigned char *marks, int mark,
                               size_t count, const char *comma, size_t max)
{
    const char *list = "";
    for (size_t i = 0, end; i < count; i = end) {
        end = i + 1;
        if (marks[i] != mark)
            continue;
        while (end < count && marks[end] == mark && numbers[end] == numbers[end - 1] + 1)
            end++;
        const char *between = *list ? comma : "";
        if (strlen(list) >= max)
            return pool_printf(pool, "%s%s...", list, between);
        list = end == i + 1 ? pool_printf(pool, "%s%s%zu", list, between, numbers[i])
                            : pool_printf(pool, "%s%s%zu-%zu", list, between, numbers[i], numbers[end - 1]);
    }
    return list;
}

/* Shards beyond the number of blocks are empty and have no folder. */
static void check_shards(struct merge_context *context, const struct part *group)
{
    const size_t shards = group->folder.run.shards, blocks = group->folder.run.total_blocks;
    const size_t count = blocks > 0 && blocks < shards ? blocks : shards;
    unsigned char *there = pool_alloc(context->pool, shards);
    size_t *numbers = pool_array(context->pool, count, sizeof *numbers), missing = 0;
    for (size_t p = 0; p < context->n_parts; p++)
        if (context->parts[p].group == group)
            there[context->parts[p].folder.run.shard - 1] = 1;
    for (size_t k = 0; k < count; k++) {
        numbers[k] = k + 1;
        missing += !there[k];
    }
    if (missing > 0)
        merge_report_missing(context, "%zu of %zu shards missing: %s (of the plan of %s)", missing, shards,
                             list_ranges(context->pool, numbers, there, 0, count, ", ", 336), group->folder.path);
}

/* ---- joint restrictions, and combinations that no folder covers ---- */

/* The data sets, splits and solvers of the whole configuration: which of them occur in a folder, and which combinations
 * occur in a folder that had the data. */
struct product {
    const struct config *config;
    unsigned char *datasets, *splits, *solvers, *combinations;
};

static unsigned char *combination(const struct product *product, size_t d, size_t i, size_t s)
{
    return &product->combinations[(d * product->config->n_splits + i) * product->config->n_solvers + s];
}

static void mark(struct product *product, const struct part *part)
{
    const struct config *config = part->config;
    for (size_t d = 0; d < config->n_datasets; d++) {
        const struct dataset_spec *dataset = &config->datasets[d];
        const int has_data = run_info_data(&part->folder.run, dataset->name) != NULL;
        product->datasets[dataset->place] = 1;
        for (size_t i = 0, at = 0; i < config->n_splits; i++) {
            while (product->config->splits[at] != config->splits[i])
                at++;
            product->splits[at] = 1;
            for (size_t s = 0; s < config->n_solvers; s++) {
                product->solvers[config->solvers[s].place] = 1;
                if (has_data)
                    *combination(product, dataset->place, at, config->solvers[s].place) = 1;
            }
        }
    }
}

static const char *dataset_name(const struct config *config, size_t d)
{
    return config->datasets[d].name;
}

static const char *solver_name(const struct config *config, size_t s)
{
    return config->solvers[s].solver->name;
}

/* Lists the names of the marked ones with commas, each once: a folder has all entries of a solver or none. NULL if all
 * are marked. */
static const char *marked_names(struct pool *pool, const struct config *config, const unsigned char *marks,
                                size_t count, const char *(*name)(const struct config *config, size_t i))
{
    const char *list = NULL;
    for (size_t i = 0; memchr(marks, 0, count) && i < count; i++) {
        size_t first = 0;
        while (strcmp(name(config, first), name(config, i)) != 0)
            first++;
        if (marks[i] && first == i)
            list = list ? pool_printf(pool, "%s,%s", list, name(config, i)) : name(config, i);
    }
    return list;
}

/* A data set that no folder has is missing entirely, which run.json reports. */
static void check_combinations(struct merge_context *context, const struct product *product)
{
    const struct config *config = product->config;
    const size_t per_dataset = config->n_splits * config->n_solvers;
    size_t missing = 0, first[3] = {0};
    for (size_t d = 0; d < config->n_datasets; d++)
        for (size_t i = 0; memchr(combination(product, d, 0, 0), 1, per_dataset) && i < config->n_splits; i++)
            for (size_t s = 0; product->splits[i] && s < config->n_solvers; s++)
                if (product->solvers[s] && !*combination(product, d, i, s) && missing++ == 0)
                    memcpy(first, (size_t[]){d, i, s}, sizeof first);
    if (missing > 0)
        merge_report_missing(context, "no folder covers %s, split %zu, %s (%zu such combinations)",
                             config->datasets[first[0]].name, config->splits[first[1]],
                             config->solvers[first[2]].solver->name, missing);
}

static void join_groups(struct merge_context *context)
{
    const struct config *config = context->config;
    struct pool *pool = context->pool;
    const size_t n_combinations = config->n_datasets * config->n_splits;
    struct product product = {.config = config,
                              .datasets = pool_alloc(pool, config->n_datasets),
                              .splits = pool_alloc(pool, config->n_splits),
                              .solvers = pool_alloc(pool, config->n_solvers),
                              .combinations = pool_array(pool, n_combinations, config->n_solvers)};
    for (size_t p = 0; p < context->n_parts; p++)
        if (context->parts[p].group == &context->parts[p])
            mark(&product, &context->parts[p]);
    context->datasets = marked_names(pool, config, product.datasets, config->n_datasets, dataset_name);
    context->solvers = marked_names(pool, config, product.solvers, config->n_solvers, solver_name);
    if (memchr(product.splits, 0, config->n_splits))
        context->splits = list_ranges(pool, config->splits, product.splits, 1, config->n_splits, ",", SIZE_MAX);
    check_combinations(context, &product);
}

void merge_check_coverage(struct merge_context *context)
{
    const struct part *parts = context->parts;
    const struct run_info *first = &parts[0].folder.run;
    size_t n_groups = 0;
    form_groups(context);
    for (size_t p = 0; p < context->n_parts; p++)
        if (parts[p].group == &parts[p]) {
            n_groups++;
            check_shards(context, &parts[p]);
        }
    context->config = config_parse(context->pool, parts[0].config_path, parts[0].folder.config_text);
    if (n_groups > 1)
        join_groups(context);
    else { /* keep the group's own text, so that the plan is that of its run */
        context->solvers = first->solvers;
        context->datasets = first->datasets;
        context->splits = first->splits;
    }
    config_select(context->config, context->solvers, context->datasets, context->splits, 0);
}
