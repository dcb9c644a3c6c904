/*
 * Puts records in plan order. timings.jsonl has each record's position in the plan of the whole configuration (struct
 * job), so the records of all folders are sorted by it. The plan of the whole run is built from the configuration and
 * the splits that occur, without data. Each record must begin as its job specifies.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/folders/merge_context.h"
#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/records/record_diff.h"
#include "harness/run/unit.h"

/* One record of a folder. */
struct merged_item {
    uint32_t place[PLAN_PLACE];
    const struct part *part;
    size_t line; /* line in its file, from 0 */
    struct timing timing;
};

/* By compare_items. */
struct merged_items {
    struct merged_item *item;
    size_t count, capacity;
};

static char *text_of(const struct merged_item *item)
{
    return item->part->folder.file.lines.line[item->line];
}

/* The members of a line; texts are valid until the next one is read. */
static struct record read_record(struct merge_context *context, const char *line)
{
    struct record record;
    struct json_fault ignored;
    record_take_members(json_parse_pooled(&context->json, line, &ignored), &record);
    return record;
}

static int compare_places(const uint32_t *a, const uint32_t *b)
{
    int i = 0;
    while (i < PLAN_PLACE - 1 && a[i] == b[i])
        i++;
    return (a[i] > b[i]) - (a[i] < b[i]);
}

/* By position, then by folder and line. */
static int compare_items(const void *a, const void *b)
{
    const struct merged_item *x = a, *y = b;
    int order = compare_places(x->place, y->place);
    if (order == 0)
        order = (x->part > y->part) - (x->part < y->part);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void read_item(struct merged_item *item)
{
    uint32_t *p = item->place;
    const char *folder = item->part->folder.path, *text = item->part->folder.timings.line[item->line];
    int read = sscanf(
        text, "{\"index\":%*u,\"seconds\":%lf,\"job\":[%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32 "]}",
        &item->timing.seconds, &p[0], &p[1], &p[2], &p[3], &p[4]);
    const char *cpu = strstr(text, "\"cpu_seconds\"");
    if (read == 1 + PLAN_PLACE && (!cpu || cpu_seconds_scan(cpu, &item->timing.cpu) > 0))
        return;
    if (read == 1 && !strstr(text, "\"job\""))
        die(STATUS_BAD_INPUT,
            "%s/timings.jsonl:%zu: does not name a job of the plan, because an older build wrote the folder; run it "
            "again",
            folder, item->line + 1);
    die(STATUS_BAD_INPUT, "%s/timings.jsonl:%zu: not a line with index, seconds and job", folder, item->line + 1);
}

static struct merged_items read_items(const struct merge_context *context)
{
    struct merged_items items = {0};
    for (size_t p = 0; p < context->n_parts; p++)
        for (size_t i = 0; i < context->parts[p].folder.file.lines.count; i++) {
            struct merged_item *item = pool_push(context->pool, &items);
            item->part = &context->parts[p];
            item->line = i;
            read_item(item);
        }
    if (items.count)
        qsort(items.item, items.count, sizeof *items.item, compare_items);
    return items;
}

static _Noreturn void no_job(const struct merged_item *item)
{
    die(STATUS_BAD_INPUT, "%s:%zu: this record belongs to no job of the plan of config.json",
        item->part->folder.file.path, item->line + 1);
}

/* ---- data sets reduced to their names and splits ---- */

static void add_dataset(struct merge_context *context, size_t d)
{
    const char *name = context->config->datasets[d].name, *reason = NULL;
    for (size_t p = 0; p < context->n_parts; p++) {
        const struct run_info_data *data = run_info_data(&context->parts[p].folder.run, name);
        if (!data)
            continue;
        struct dataset *dataset = context->dataset[d] = pool_alloc(context->pool, sizeof *dataset);
        dataset->name = pool_strdup(context->pool, name);
        dataset->source = pool_strdup(context->pool, data->source ? data->source : "");
        dataset->altered = data->altered ? pool_strdup(context->pool, data->altered) : NULL;
        snprintf(dataset->sha256, sizeof dataset->sha256, "%s", data->sha256);
        return;
    }
    for (size_t p = 0; p < context->n_parts && !reason; p++)
        reason = run_info_why_missing(&context->parts[p].folder.run, name);
    struct missing_dataset *missing = &context->missing[context->n_missing++];
    missing->name = name;
    snprintf(missing->reason, sizeof missing->reason, "%s: %s", name, reason ? reason : "not found");
}

/* Adds the split of an item; the record states its source. capacities: of the data sets' splits. */
static void add_split(struct merge_context *context, const struct merged_item *item, size_t *capacities)
{
    size_t d = 0;
    while (d < context->config->n_datasets && context->config->datasets[d].place != item->place[PLACE_DATASET])
        d++;
    struct dataset *dataset = d < context->config->n_datasets ? context->dataset[d] : NULL;
    const struct run_info_data *data = dataset ? run_info_data(&item->part->folder.run, dataset->name) : NULL;
    if (!data)
        no_job(item);
    const struct record record = read_record(context, text_of(item));
    /* a wrong source is detected by the record's beginning */
    const enum split_source source = (unsigned)record.source <= SPLIT_FOLD ? record.source : SPLIT_FOLD;
    dataset->splits =
        pool_grow(context->pool, dataset->splits, dataset->n_splits, &capacities[d], sizeof *dataset->splits);
    dataset->splits[dataset->n_splits++] = (struct split){
        .number = item->place[PLACE_SPLIT], .source = source, .n_train = data->n_train, .n_test = data->n_test};
}

static void make_plan(struct merge_context *context, const struct merged_items *items)
{
    const size_t n_datasets = context->config->n_datasets;
    size_t *capacities = pool_array(context->pool, n_datasets, sizeof *capacities);
    context->dataset = pool_array(context->pool, n_datasets, sizeof *context->dataset);
    context->missing = pool_array(context->pool, n_datasets, sizeof *context->missing);
    for (size_t d = 0; d < n_datasets; d++)
        add_dataset(context, d);
    for (const struct merged_item *item = items->item; item < items->item + items->count; item++)
        if (item == items->item || item->place[PLACE_DATASET] != item[-1].place[PLACE_DATASET] ||
            item->place[PLACE_SPLIT] != item[-1].place[PLACE_SPLIT])
            add_split(context, item, capacities);
    plan_build(context->config, context->dataset, 1, 1, &context->plan);
}

/* ---- filling the plan ---- */

/* Assigns job j the records at its position, which must be identical: items[0] and any repetitions. */
static void fill_job(struct merge_context *context, size_t j, const struct merged_item *items, size_t count)
{
    const struct job *job = &context->plan.jobs[j];
    const char *first = text_of(&items[0]);
    struct pool *pool = pool_new();
    const struct dataset *dataset = context->dataset[job->dataset];
    const char *head = record_head(pool, record_of_job(pool, context->config, dataset, job, NULL));
    for (size_t i = 0; i < count; i++) {
        char *text = text_of(&items[i]);
        struct json_difference difference = {.path = "the line"};
        if (strncmp(head, text, strlen(head)) != 0 || (i > 0 && items[i].part == items[i - 1].part))
            no_job(&items[i]);
        if (strcmp(first, text) == 0)
            continue;
        record_diff(first, text, &difference, 1);
        die(STATUS_BAD_INPUT, "%s:%zu and %s:%zu contradict each other: %s is %s and %s",
            items[0].part->folder.file.path, items[0].line + 1, items[i].part->folder.file.path, items[i].line + 1,
            difference.path, difference.was, difference.is);
    }
    pool_free(pool);
    const struct record record = read_record(context, first);
    context->entries[j] = journal_entry_of(&record, first, &items[0].timing);
    context->entries[j].reason = record.reason ? pool_strdup(context->pool, record.reason) : NULL;
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
        while (at < end && compare_places(at->place, plan->jobs[j].place) == 0)
            at++;
        if (at > first)
            fill_job(context, j, first, (size_t)(at - first));
        else if (at < end && compare_places(at->place, plan->jobs[j].place) < 0)
            no_job(at);
    }
    if (at < end)
        no_job(at);
}

static void check_jobs(struct merge_context *context)
{
    const struct plan *plan = &context->plan;
    size_t missing = plan->n_jobs - context->result.records, j = 0;
    if (missing == 0 || context->result.missing.count > 0) /* already reported, without counts */
        return;
    while (context->entries[j].record)
        j++;
    const struct job *job = &plan->jobs[j];
    const struct dataset *dataset = context->dataset[job->dataset];
    merge_report_missing(context, "%zu records missing, the first for %s, split %zu, %s", missing, dataset->name,
                         dataset->splits[job->split].number, context->config->solvers[job->solver].solver->name);
}

void merge_order_records(struct merge_context *context)
{
    const struct merged_items items = read_items(context);
    make_plan(context, &items);
    fill_plan(context, &items);
    check_jobs(context);
}
