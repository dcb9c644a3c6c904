/*
 * Merges folders into one, see merge.h. All folders must have the same configuration, program and data.
 *
 * Each folder measured a product: its solvers on its data sets on its splits. Shards of the same product form a group.
 * The merged run is the product of all solvers, data sets and splits that occur in any folder; each combination must be
 * in a group, and each group must have all its shards.
 *
 * timings.jsonl has each record's position in the plan of the whole configuration (struct job), so the records of all
 * folders are sorted by it. The plan of the whole run is built from the configuration and the splits that occur,
 * without data. Each record must begin as its job specifies.
 *
 * The folder is written as a run does: run.json last, under the same lock. run.json has the members of a run's file
 * where all folders agree; members that differ are listed for each folder in `merged_from`.
 */
#include "harness/folders/merge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/records/conditions.h"
#include "harness/run/run_files.h"
#include "harness/support/folder_lock.h"
#include "solvers/registry.h"

/* One input folder. */
struct part {
    struct run_folder folder; /* with its record and timing lines */
    const struct part *group; /* the first folder with the same restrictions and number of shards, possibly this one */
    struct config *config;    /* restricted as in the run */
    const char *config_path;  /* for messages */
};

struct merge_context {
    struct pool *pool; /* of everything below */
    const struct merge_request *request;
    struct part *parts;
    size_t n_parts;
    struct records records; /* of all parts */
    const char *solvers, *datasets, *splits; /* restrictions of all folders together; NULL: none */
    /* The equivalent single run, with data sets reduced to their names and splits. */
    struct config *config;
    struct dataset **dataset; /* one for each of the configuration's; NULL: missing */
    struct missing_dataset *missing;
    size_t n_missing;
    struct plan plan;
    struct journal_entry *entries; /* one per job of the plan; their texts are the parts'; record NULL: missing */
    const struct part **from;      /* the source of each entry */
    struct merge_result result;
};

/* Reports a missing part: adds a line to the result if the merge may be partial, otherwise dies with that line. */
__attribute__((format(printf, 2, 3))) static void report_missing(struct merge_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = pool_vprintf(context->pool, format, arguments);
    va_end(arguments);
    if (!context->request->partial)
        die(STATUS_BAD_INPUT, "%s; --partial merges without it", text);
    string_list_push(context->pool, &context->result.missing, "%s", text);
}

/* ---- reading ---- */

/* A solver or kernel of a plugin is known only by its name; checks that the loaded plugin is the one used. */
static void check_plugins(const struct part *part)
{
    const struct run_info *run = &part->folder.run;
    struct config_plugin_item item;
    for (size_t i = 0; config_plugin_item(part->config, i, &item); i++) {
        size_t p = 0;
        while (item.origin && p < run->plugins.count && strcmp(run->plugins.item[p].sha256, item.origin->sha256) != 0)
            p++;
        if (item.origin && p == run->plugins.count)
            die(STATUS_BAD_INPUT, "%s: %s is from another build of the plugin %s: SHA-256 %.16s... is not in run.json",
                part->folder.path, item.name, item.origin->file, item.origin->sha256);
    }
}

/* A folder of which pool and path are set. */
static void open_folder(void *data)
{
    struct run_folder *folder = data;
    run_folder_open(folder->pool, folder->path, FOLDER_PART, folder);
}

static void read_part(struct merge_context *context, const char *path)
{
    struct part *part = &context->parts[context->n_parts];
    const struct run_info *run = &part->folder.run;
    struct error error = {0};
    part->folder.pool = context->pool;
    part->folder.path = path;
    const enum status status = attempt(open_folder, &part->folder, &error);
    if (status == STATUS_NOT_FOUND) {
        report_missing(context, "%s", error.message);
        return;
    }
    context->n_parts++;
    die_unless_ok(status, &error);
    if (!part->folder.plan_agrees)
        die(STATUS_BAD_INPUT, "%s: config.json was changed after the run: it does not match the plan in run.json",
            path);
    part->config_path = pool_printf(context->pool, "%s/config.json", path);
    part->config = config_parse(context->pool, part->config_path, part->folder.config_text);
    config_select(part->config, run->solvers, run->datasets, run->splits, 0);
    check_plugins(part);
    if (!run_folder_read_times(&part->folder)) /* run.json exists: the run was finished */
        file_check_exists(path_in(path, "timings.jsonl"));
    records_append(&context->records, &part->folder.file.records);
}

static void check_same(const struct merge_context *context, const struct part *other)
{
    const struct run_folder *a = &context->parts[0].folder, *b = &other->folder;
    if (strcmp(a->config_text, b->config_text) != 0)
        die(STATUS_BAD_INPUT, "%s and %s: different configurations: config.json, line %zu", a->path, b->path,
            text_first_difference(a->config_text, b->config_text));
    if (strcmp(a->run.version, b->run.version) != 0)
        die(STATUS_BAD_INPUT, "%s and %s: different versions: %s and %s", a->path, b->path, a->run.version,
            b->run.version);
    if (a->run.repeats != b->run.repeats)
        die(STATUS_BAD_INPUT, "%s and %s: different --repeats, so their times are not comparable", a->path, b->path);
    for (size_t d = 0; d < b->run.data.count; d++) { /* against the first folder that has the data set */
        const struct run_info_data *now = &b->run.data.item[d], *first = NULL;
        const struct part *one = context->parts;
        while (one < other && !(first = run_info_data(&one->folder.run, now->dataset)))
            one++;
        if (first && strcmp(first->sha256, now->sha256) != 0)
            die(STATUS_BAD_INPUT, "%s and %s: data of %s differ: SHA-256 %.16s... and %.16s...", one->folder.path,
                b->path, now->dataset, first->sha256, now->sha256);
    }
}

static void read_parts(struct merge_context *context)
{
    const struct merge_request *request = context->request;
    context->parts = pool_array(context->pool, request->n_folders, sizeof *context->parts);
    for (size_t i = 0; i < request->n_folders; i++)
        read_part(context, request->folders[i]);
    for (size_t p = 1; p < context->n_parts; p++)
        check_same(context, &context->parts[p]);
    if (context->n_parts == 0)
        die(STATUS_NOT_FOUND, "nothing to merge: no folder contains a finished run");
}

/* ---- groups ---- */

/* Both may be NULL. */
static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int same_group(const struct run_info *a, const struct run_info *b)
{
    return a->shards == b->shards && same_text(a->solvers, b->solvers) && same_text(a->datasets, b->datasets) &&
           same_text(a->splits, b->splits);
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

/* Lists those of the numbers, which ascend, whose mark is `mark`, as "2-7, 9". */
static const char *list_ranges(struct pool *pool, const size_t *numbers, const unsigned char *marks, int mark,
                               size_t count, const char *comma)
{
    const char *list = "";
    for (size_t i = 0, end; i < count; i = end) {
        end = i + 1;
        if (marks[i] != mark)
            continue;
        while (end < count && marks[end] == mark && numbers[end] == numbers[end - 1] + 1)
            end++;
        const char *between = *list ? comma : "";
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
        report_missing(context, "%zu of %zu shards missing: %.336s (of the plan of %s)", missing, shards,
                       list_ranges(context->pool, numbers, there, 0, count, ", "), group->folder.path);
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

/* Lists the names of the marked ones with commas, each once: a folder has all entries of a solver or none. NULL if all
 * are marked. */
static const char *marked_names(struct pool *pool, const unsigned char *marks, const char *const *names, size_t count)
{
    const char *list = NULL;
    for (size_t i = 0; memchr(marks, 0, count) && i < count; i++) {
        size_t first = 0;
        while (strcmp(names[first], names[i]) != 0)
            first++;
        if (marks[i] && first == i)
            list = list ? pool_printf(pool, "%s,%s", list, names[i]) : names[i];
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
        report_missing(context, "no folder covers %s, split %zu, %s (%zu such combinations)",
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
    const char **solvers = pool_array(pool, config->n_solvers, sizeof *solvers);
    for (size_t s = 0; s < config->n_solvers; s++)
        solvers[s] = config->solvers[s].solver->name;
    context->datasets = marked_names(pool, product.datasets, config->dataset_names, config->n_datasets);
    context->solvers = marked_names(pool, product.solvers, solvers, config->n_solvers);
    if (memchr(product.splits, 0, config->n_splits))
        context->splits = list_ranges(pool, config->splits, product.splits, 1, config->n_splits, ",");
    check_combinations(context, &product);
}

/* Groups the folders, determines their joint restrictions, checks for missing parts, and sets context->config. */
static void check_coverage(struct merge_context *context)
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

/* ---- the order of the records ---- */

/* A record of a folder. */
struct merged_item {
    const struct part *part;
    const struct record *record;
};
struct merged_items LIST_OF(struct merged_item);

static int compare_places(const uint32_t *a, const uint32_t *b)
{
    int i = 0;
    while (i < PLAN_PLACE - 1 && a[i] == b[i])
        i++;
    return (a[i] > b[i]) - (a[i] < b[i]);
}

/* By position, then by folder. */
static int compare_items(const void *a, const void *b)
{
    const struct merged_item *x = a, *y = b;
    int order = compare_places(x->record->place, y->record->place);
    return order ? order : (x->part > y->part) - (x->part < y->part);
}

/* The records of all folders, sorted. */
static struct merged_items read_items(struct merge_context *context)
{
    struct merged_items items = {0};
    for (const struct part *part = context->parts; part < context->parts + context->n_parts; part++)
        for (size_t i = 0; i < part->folder.file.n_all; i++) {
            const struct record *record = &part->folder.file.all[i];
            if (record->n_places != PLAN_PLACE)
                die(STATUS_BAD_INPUT, "%s/timings.jsonl:%zu: does not name a job of the plan%s", part->folder.path,
                    i + 1, record->n_places ? "" : ", because an older build wrote the folder; run it again");
            *pool_push(context->pool, &items) = (struct merged_item){part, record};
        }
    if (items.count)
        qsort(items.item, items.count, sizeof *items.item, compare_items);
    return items;
}

static _Noreturn void no_job(const struct merged_item *item)
{
    die(STATUS_BAD_INPUT, "%s: this record belongs to no job of the plan of config.json", item->record->where);
}

/* A data set reduced to its name and source, or NULL if no folder has it, which is noted. */
static struct dataset *reduced_dataset(struct merge_context *context, const char *name)
{
    const char *reason = NULL;
    for (size_t p = 0; p < context->n_parts; p++) {
        const struct run_info_data *data = run_info_data(&context->parts[p].folder.run, name);
        if (!data)
            continue;
        struct dataset *dataset = pool_alloc(context->pool, sizeof *dataset);
        dataset->name = pool_strdup(context->pool, name);
        dataset->source = pool_strdup(context->pool, data->source ? data->source : "");
        dataset->altered = data->altered ? pool_strdup(context->pool, data->altered) : NULL;
        dataset->splits = pool_array(context->pool, context->config->n_splits, sizeof *dataset->splits);
        snprintf(dataset->sha256, sizeof dataset->sha256, "%s", data->sha256);
        return dataset;
    }
    for (size_t p = 0; p < context->n_parts && !reason; p++)
        reason = run_info_why_missing(&context->parts[p].folder.run, name);
    struct missing_dataset *missing = &context->missing[context->n_missing++];
    missing->name = name;
    snprintf(missing->reason, sizeof missing->reason, "%s: %s", name, reason ? reason : "not found");
    return NULL;
}

/* Gives the data sets the splits that occur; the records state their sources. */
static void make_plan(struct merge_context *context, const struct merged_items *items)
{
    const struct config *config = context->config;
    context->dataset = pool_array(context->pool, config->n_datasets, sizeof *context->dataset);
    context->missing = pool_array(context->pool, config->n_datasets, sizeof *context->missing);
    for (size_t d = 0; d < config->n_datasets; d++)
        context->dataset[d] = reduced_dataset(context, config->datasets[d].name);
    for (size_t i = 0; i < items->count; i++) {
        const struct merged_item *item = &items->item[i];
        const uint32_t *place = item->record->place, *before = i > 0 ? item[-1].record->place : NULL;
        size_t d = 0;
        if (before && place[PLACE_DATASET] == before[PLACE_DATASET] && place[PLACE_SPLIT] == before[PLACE_SPLIT])
            continue;
        while (d < config->n_datasets && config->datasets[d].place != place[PLACE_DATASET])
            d++;
        struct dataset *set = d < config->n_datasets ? context->dataset[d] : NULL;
        const struct run_info_data *data = set ? run_info_data(&item->part->folder.run, set->name) : NULL;
        if (!data || set->n_splits == config->n_splits)
            no_job(item);
        set->splits[set->n_splits++] = (struct split){.number = place[PLACE_SPLIT],
                                                      .source = item->record->source,
                                                      .n_train = data->n_train,
                                                      .n_test = data->n_test};
    }
    plan_build(config, context->dataset, 1, 1, &context->plan);
}

/* Assigns job j the records at its position, which were found to be the same: items[0] and any repetitions. */
static void fill_job(struct merge_context *context, size_t j, const struct merged_item *items, size_t count)
{
    const struct job *job = &context->plan.jobs[j];
    const struct record *record = items[0].record;
    for (size_t i = 0; i < count; i++)
        if (!record_line_is_of(context->config, context->dataset[job->dataset], job, items[i].record->text) ||
            (i > 0 && items[i].part == items[i - 1].part))
            no_job(&items[i]);
    const struct timing times = {record->seconds, record->cpu, record->budget, record->rows};
    context->entries[j] = journal_entry_of(record, record->text, &times);
    context->from[j] = items[0].part;
    context->result.records++;
}

static void fill_plan(struct merge_context *context, const struct merged_items *items)
{
    const struct plan *plan = &context->plan;
    const struct merged_item *at = items->item, *end = at + items->count;
    context->entries = pool_array(context->pool, plan->n_jobs + 1, sizeof *context->entries);
    context->from = pool_array(context->pool, plan->n_jobs + 1, sizeof *context->from);
    for (size_t j = 0; j < plan->n_jobs; j++) {
        const struct merged_item *first = at;
        while (at < end && compare_places(at->record->place, plan->jobs[j].place) == 0)
            at++;
        if (at > first)
            fill_job(context, j, first, (size_t)(at - first));
        else if (at < end && compare_places(at->record->place, plan->jobs[j].place) < 0)
            no_job(at);
    }
    if (at < end)
        no_job(at);
}

static void order_records(struct merge_context *context)
{
    const struct plan *plan = &context->plan;
    const struct merged_items items = read_items(context);
    size_t first = 0;
    make_plan(context, &items);
    fill_plan(context, &items);
    const size_t missing = plan->n_jobs - context->result.records;
    if (missing == 0 || context->result.missing.count > 0) /* already reported, without counts */
        return;
    while (context->entries[first].record)
        first++;
    const struct job *job = &plan->jobs[first];
    const struct dataset *dataset = context->dataset[job->dataset];
    report_missing(context, "%zu records missing, the first for %s, split %zu, %s", missing, dataset->name,
                         dataset->splits[job->split].number, context->config->solvers[job->solver].solver->name);
}

/* ---- run.json ---- */

/* Removes members that differ in `other`. */
static void keep_common(cJSON *object, const cJSON *other)
{
    for (cJSON *item = object->child, *next; item; item = next) {
        const cJSON *theirs = json_member(other, item->string);
        next = item->next;
        if (cJSON_IsObject(item) && cJSON_IsObject(theirs))
            keep_common(item, theirs);
        else if (!cJSON_Compare(item, theirs, 1))
            cJSON_Delete(cJSON_DetachItemViaPointer(object, item));
    }
}

/* A new object with the members on program and machine that are the same in all folders: those that `info`, which has
 * plan and results, lacks. */
static cJSON *common_program(const struct merge_context *context, const cJSON *info)
{
    cJSON *common = json_new_object();
    json_each (item, context->parts[0].folder.info)
        if (!cJSON_HasObjectItem(info, item->string))
            json_put_copy(common, item->string, item);
    cJSON_DeleteItemFromObject(common, "files");
    cJSON_DeleteItemFromObject(common, "merged_from");
    cJSON_DeleteItemFromObject(json_member(common, "machine"), RUN_INFO_PEAK);
    for (size_t p = 1; p < context->n_parts; p++)
        keep_common(common, context->parts[p].folder.info);
    return common;
}

/* Adds one folder: its results, and the members that it does not share with all others. */
static void add_part(cJSON *list, const struct part *part, const cJSON *info)
{
    cJSON *item = json_add_object(list);
    json_put_text(item, "folder", part->folder.path);
    json_each (member, part->folder.info) {
        const struct member *row = members_find(run_info_members, member->string);
        const cJSON *merged = json_member(info, member->string);
        if (row && strcmp(row->key, "data") != 0 &&
            ((row->flags & RUN_INFO_RESULT) || !cJSON_Compare(member, merged, 1)))
            json_put_copy(item, member->string, member);
    }
}

/* Sums of times over the folders, with the last end; stages only if all folders have them. */
static struct run_times sum_times(const struct merge_context *context, const char **finished)
{
    struct run_times sum = {0}, times;
    int all = 1;
    *finished = NULL;
    for (size_t p = 0; p < context->n_parts; p++) {
        const struct run_info *part = &context->parts[p].folder.run;
        if (part->finished && (!*finished || strcmp(part->finished, *finished) > 0))
            *finished = part->finished;
        all &= run_info_times(part, &times);
        run_times_add(&sum, &times);
    }
    sum.available = all ? sum.available : 0;
    return sum;
}

static void write_info(struct merge_context *context, struct run_info *info, const struct record_hashes *hashes)
{
    struct merge_result *result = &context->result;
    const char *finished;
    const struct run_times times = sum_times(context, &finished);
    struct name_order machines = {.pool = context->pool};
    result->gaps = run_gaps(context->pool, info, context->config->json);
    info->records = result->records;
    memcpy(info->outcomes, result->outcomes, sizeof info->outcomes);
    run_info_set_times(context->pool, info, finished, &times);
    info->peak_megabytes = 0; /* put below, beside the members of the machine that all share */
    if (result->missing.count)
        run_info_set_partial(context->pool, info, (const char *const *)result->missing.line, result->missing.count);
    cJSON *json = members_write(run_info_members, info), *common = common_program(context, json);
    json_each (item, common)
        json_put_copy(json, item->string, item);
    cJSON *machine = json_member(json, "machine");
    if (machine && times.peak_megabytes > 0)
        json_put_number(machine, RUN_INFO_PEAK, times.peak_megabytes);
    cJSON *list = json_new_array();
    for (size_t p = 0; p < context->n_parts; p++) {
        add_part(list, &context->parts[p], json);
        run_folder_machines(&context->parts[p].folder, &machines);
    }
    cJSON_AddItemToObject(json, "merged_from", list);
    result->mixed_builds = !cJSON_HasObjectItem(common, "program_sha256");
    result->mixed_machines = machines.count > 1;
    cJSON_Delete(common);
    run_info_write(context->request->out, json, hashes);
}

/* ---- traces ---- */

static void copy_traces(const struct merge_context *context)
{
    /* the file of each part found last in its run.json */
    const cJSON **last = pool_array(context->pool, context->n_parts, sizeof *last);
    for (size_t j = 0; j < context->plan.n_jobs; j++) {
        if (!context->entries[j].record || !plan_is_traced(&context->plan, j))
            continue;
        const struct run_folder *folder = &context->from[j]->folder;
        struct pool *pool = pool_new();
        const char *from = plan_trace_path(pool, &context->plan, folder->path, j);
        const char *to = plan_trace_path(pool, &context->plan, context->request->out, j);
        char hex[65];
        size_t size;
        file_check_regular(from);
        file_check_exists(from);
        const char *text = file_read(pool, from, &size);
        sha256_hex(text, size, hex);
        file_hash_check(folder->info, folder->path, from + strlen(folder->path) + 1, hex,
                        &last[context->from[j] - context->parts]);
        file_write(to, text, size);
        pool_free(pool);
    }
}

/* ---- the folder ---- */

static void check_folder(const struct merge_context *context)
{
    const struct merge_request *request = context->request;
    folder_check_kind(request->out, FOLDER_OF_RUN);
    for (size_t p = 0; p < context->n_parts; p++)
        if (file_is_same(request->out, context->parts[p].folder.path))
            die(STATUS_BAD_INPUT, "%s: is one of the folders to be merged; choose another folder", request->out);
    if (request->force)
        return;
    if (access(path_in(request->out, "run.json"), F_OK) == 0)
        die(STATUS_BAD_INPUT, "%s: contains a finished run; choose another folder, or give --force to replace it",
            request->out);
    folder_check_info(request->out);
}

/* If this is interrupted, the journal marks the folder as unfinished, and the next merge into it continues. */
static void write_folder(struct merge_context *context)
{
    const char *out = context->request->out;
    const struct run_info *first = &context->parts[0].folder.run;
    struct folder_lock lock = {0};
    struct record_hashes hashes;
    const struct run_options options = {.config = context->parts[0].config_path,
                                        .solvers = context->solvers,
                                        .datasets = context->datasets,
                                        .splits = context->splits,
                                        .shard = 1,
                                        .shards = 1,
                                        .repeats = first->repeats};
    journal_count_outcomes(context->entries, context->plan.n_jobs, context->result.outcomes);
    struct run_info info = run_info_of_plan(context->pool, &context->plan, &options, context->missing,
                                            context->n_missing, first->version);
    struct fingerprint fingerprint = info.fingerprint;
    fingerprint.program = fingerprint_program();
    folder_make(out);
    folder_lock_take(&lock, out);
    check_folder(context);
    struct journal *journal = run_begin_folder(out, context->config, &fingerprint, NULL, context->plan.n_jobs,
                                               context->request->force ? run_remove_outputs : NULL);
    copy_traces(context);
    run_write_records(out, &context->plan, context->entries, &hashes);
    write_info(context, &info, &hashes);
    journal_close(journal);
    file_try_remove(out, "journal.jsonl");
    folder_lock_release(&lock);
}

/* ---- the merge ---- */

const struct merge_result *merge_folders(struct pool *pool, const struct merge_request *request)
{
    struct merge_context *context = pool_alloc(pool, sizeof *context);
    context->pool = context->records.pool = pool;
    context->request = request;
    read_parts(context);
    records_join(&context->records, &(struct records){0}); /* dies if records of two folders contradict each other */
    check_coverage(context);
    order_records(context);
    write_folder(context);
    return &context->result;
}
