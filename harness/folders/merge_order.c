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
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/record_diff.h"
#include "harness/run/unit.h"

/* One record of a folder. */
struct item {
    uint32_t place[PLAN_PLACE];
    const struct part *part;
    size_t line; /* line in its file, from 0 */
    struct timing timing;
};

static char *text_of(const struct item *item)
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
    const struct item *x = a, *y = b;
    int order = compare_places(x->place, y->place);
    if (order == 0)
        order = (x->part > y->part) - (x->part < y->part);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static enum status read_item(struct item *item, struct error *error)
{
    uint32_t *p = item->place;
    const char *folder = item->part->folder.path, *text = item->part->folder.timings.line[item->line];
    int read = sscanf(
        text, "{\"index\":%*u,\"seconds\":%lf,\"job\":[%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32 "]}",
        &item->timing.seconds, &p[0], &p[1], &p[2], &p[3], &p[4]);
    const char *cpu = strstr(text, "\"cpu_seconds\"");
    if (read == 1 + PLAN_PLACE && (!cpu || cpu_seconds_scan(cpu, &item->timing.cpu) > 0))
        return STATUS_OK;
    if (read == 1 && !strstr(text, "\"job\""))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s/timings.jsonl:%zu: does not name a job of the plan, because an older build wrote the "
                         "folder; run it again",
                         folder, item->line + 1);
    return error_set(error, STATUS_BAD_INPUT, "%s/timings.jsonl:%zu: not a line with index, seconds and job", folder,
                     item->line + 1);
}

static enum status read_items(const struct merge_context *context, struct item **items, size_t *count,
                              struct error *error)
{
    size_t capacity = 1;
    enum status status = STATUS_OK;
    for (size_t p = 0; p < context->n_parts; p++)
        capacity += context->parts[p].folder.file.lines.count;
    *items = xcalloc(capacity, sizeof **items);
    *count = 0;
    for (size_t p = 0; p < context->n_parts; p++)
        for (size_t i = 0; i < context->parts[p].folder.file.lines.count && status == STATUS_OK; i++) {
            struct item *item = &(*items)[(*count)++];
            *item = (struct item){.part = &context->parts[p], .line = i};
            status = read_item(item, error);
        }
    if (status == STATUS_OK)
        qsort(*items, *count, sizeof **items, compare_items);
    return status;
}

static enum status no_job(const struct item *item, struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%s:%zu: this record belongs to no job of the plan of config.json",
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
        struct dataset *dataset = context->dataset[d] = xcalloc(1, sizeof *dataset);
        dataset->name = xstrdup(name);
        dataset->source = xstrdup(data->source ? data->source : "");
        dataset->altered = data->altered ? xstrdup(data->altered) : NULL;
        snprintf(dataset->sha256, sizeof dataset->sha256, "%s", data->sha256);
        return;
    }
    for (size_t p = 0; p < context->n_parts && !reason; p++)
        reason = run_info_why_missing(&context->parts[p].folder.run, name);
    struct missing_dataset *missing = &context->missing[context->n_missing++];
    missing->name = name;
    snprintf(missing->reason, sizeof missing->reason, "%s: %s", name, reason ? reason : "not found");
}

/* Adds the split of an item; the record states its source. */
static enum status add_split(struct merge_context *context, const struct item *item, struct error *error)
{
    size_t d = 0;
    while (d < context->config->n_datasets && context->config->datasets[d].place != item->place[PLACE_DATASET])
        d++;
    struct dataset *dataset = d < context->config->n_datasets ? context->dataset[d] : NULL;
    const struct run_info_data *data = dataset ? run_info_data(&item->part->folder.run, dataset->name) : NULL;
    if (!data)
        return no_job(item, error);
    const struct record record = read_record(context, text_of(item));
    /* a wrong source is detected by the record's beginning */
    const enum split_source source = (unsigned)record.source <= SPLIT_FOLD ? record.source : SPLIT_FOLD;
    dataset->splits = xreallocarray(dataset->splits, dataset->n_splits + 1, sizeof *dataset->splits);
    dataset->splits[dataset->n_splits++] = (struct split){
        .number = item->place[PLACE_SPLIT], .source = source, .n_train = data->n_train, .n_test = data->n_test};
    return STATUS_OK;
}

static enum status make_plan(struct merge_context *context, const struct item *items, size_t count, struct error *error)
{
    enum status status = STATUS_OK;
    context->dataset = xcalloc(context->config->n_datasets, sizeof *context->dataset);
    context->missing = xcalloc(context->config->n_datasets, sizeof *context->missing);
    for (size_t d = 0; d < context->config->n_datasets; d++)
        add_dataset(context, d);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (i == 0 || items[i].place[PLACE_DATASET] != items[i - 1].place[PLACE_DATASET] ||
            items[i].place[PLACE_SPLIT] != items[i - 1].place[PLACE_SPLIT])
            status = add_split(context, &items[i], error);
    return status == STATUS_OK ? plan_build(context->config, context->dataset, 1, 1, &context->plan, error) : status;
}

/* ---- filling the plan ---- */

/* Assigns job j the records at its position, which must be identical: items[0] and any repetitions. */
static enum status fill_job(struct merge_context *context, size_t j, const struct item *items, size_t count,
                            struct error *error)
{
    const struct job *job = &context->plan.jobs[j];
    const char *first = text_of(&items[0]);
    struct pool *pool = pool_new();
    const struct dataset *dataset = context->dataset[job->dataset];
    const char *head = record_head(pool, record_of_job(pool, context->config, dataset, job, NULL));
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        char *text = text_of(&items[i]);
        struct json_difference difference = {.path = "the line"};
        if (strncmp(head, text, strlen(head)) != 0 || (i > 0 && items[i].part == items[i - 1].part))
            status = no_job(&items[i], error);
        else if (strcmp(first, text) != 0) {
            record_diff(first, text, &difference, 1);
            status = error_set(error, STATUS_BAD_INPUT, "%s:%zu and %s:%zu contradict each other: %s is %s and %s",
                               items[0].part->folder.file.path, items[0].line + 1, items[i].part->folder.file.path,
                               items[i].line + 1, difference.path, difference.was, difference.is);
        }
    }
    pool_free(pool);
    const struct record record = read_record(context, first);
    context->entries[j] = journal_entry_of(&record, first, &items[0].timing);
    context->entries[j].reason = record.reason ? pool_strdup(context->pool, record.reason) : NULL;
    context->from[j] = items[0].part;
    context->result->records++;
    return status;
}

static enum status fill_plan(struct merge_context *context, const struct item *items, size_t count, struct error *error)
{
    const struct plan *plan = &context->plan;
    enum status status = STATUS_OK;
    size_t at = 0, end;
    context->entries = xcalloc(plan->n_jobs + 1, sizeof *context->entries);
    context->from = xcalloc(plan->n_jobs + 1, sizeof *context->from);
    for (size_t j = 0; j < plan->n_jobs && status == STATUS_OK; j++) {
        for (end = at; end < count && compare_places(items[end].place, plan->jobs[j].place) == 0; end++)
            continue;
        if (end > at)
            status = fill_job(context, j, &items[at], end - at, error);
        else if (at < count && compare_places(items[at].place, plan->jobs[j].place) < 0)
            status = no_job(&items[at], error);
        at = end;
    }
    return status == STATUS_OK && at < count ? no_job(&items[at], error) : status;
}

static enum status check_jobs(struct merge_context *context, struct error *error)
{
    const struct plan *plan = &context->plan;
    size_t missing = plan->n_jobs - context->result->records, j = 0;
    if (missing == 0 ||
        context->result->missing.count > 0) /* already reported, without counts */
        return STATUS_OK;
    while (context->entries[j].record)
        j++;
    const struct job *job = &plan->jobs[j];
    const struct dataset *dataset = context->dataset[job->dataset];
    return merge_report_missing(context, error, "%zu records missing, the first for %s, split %zu, %s", missing,
                                dataset->name, dataset->splits[job->split].number,
                                context->config->solvers[job->solver].solver->name);
}

enum status merge_order_records(struct merge_context *context, struct error *error)
{
    struct item *items = NULL;
    size_t count = 0;
    enum status status = read_items(context, &items, &count, error);
    if (status == STATUS_OK)
        status = make_plan(context, items, count, error);
    if (status == STATUS_OK)
        status = fill_plan(context, items, count, error);
    free(items);
    return status == STATUS_OK ? check_jobs(context, error) : status;
}
