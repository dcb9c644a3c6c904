/*
 * Records in plan order. The plan of the whole run is built from the configuration and the splits that occur in the
 * records; no data are needed. A record belongs to the job whose beginning (record_head) is the record's. No two jobs
 * begin alike (config_repeats.c).
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/run_info.h"
#include "harness/records/record_diff.h"
#include "harness/merge/merging.h"
#include "harness/run/unit.h"

static enum status no_memory(const struct merging *merging, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", merging->request->out);
}

/* ---- data sets that are only their names and splits ---- */

static enum status add_dataset(struct merging *merging, size_t d, struct error *error)
{
    const char *name = merging->run.config->datasets[d].name;
    for (size_t p = 0; p < merging->n_parts; p++) {
        const char *sha256 = run_folder_data_hash(&merging->parts[p].folder, name);
        if (!sha256)
            continue;
        struct dataset *dataset = merging->run.datasets[d] = calloc(1, sizeof *dataset);
        if (!dataset)
            return no_memory(merging, error);
        dataset->name = strdup(name);
        const char *source = run_folder_data_source(&merging->parts[p].folder, name);
        dataset->source = strdup(source ? source : "");
        snprintf(dataset->sha256, sizeof dataset->sha256, "%s", sha256);
        return dataset->name && dataset->source ? STATUS_OK : no_memory(merging, error);
    }
    struct missing_dataset *missing = &merging->run.missing[merging->run.n_missing++];
    const char *reason = NULL;
    for (size_t p = 0; p < merging->n_parts && !reason; p++)
        reason = run_folder_missing(&merging->parts[p].folder, name);
    missing->name = name;
    snprintf(missing->reason, sizeof missing->reason, "%s: %s", name, reason ? reason : "not found");
    return STATUS_OK;
}

static enum status open_run(struct merging *merging, struct error *error)
{
    struct run *run = &merging->run;
    char *text = strdup(merging->parts[0].folder.config_text);
    merging->options = (struct run_options){.config = merging->parts[0].config_path,
                                            .out = merging->request->out,
                                            .solvers = merging->solvers,
                                            .datasets = merging->datasets,
                                            .splits = merging->splits,
                                            .shard = 1,
                                            .shards = 1};
    run->options = &merging->options;
    enum status status =
        text ? config_parse(merging->parts[0].config_path, text, &run->config, error) : no_memory(merging, error);
    if (status == STATUS_OK)
        status = config_restrict(run->config, merging->solvers, merging->datasets, merging->splits, error);
    if (status != STATUS_OK)
        return status;
    run->datasets = calloc(run->config->n_datasets, sizeof *run->datasets);
    run->missing = calloc(run->config->n_datasets, sizeof *run->missing);
    if (!run->datasets || !run->missing)
        return no_memory(merging, error);
    for (size_t d = 0; d < run->config->n_datasets && status == STATUS_OK; d++)
        status = add_dataset(merging, d, error);
    return status;
}

/* What a record says of its split. */
struct mention {
    const char *dataset, *source;
    size_t split;
};

static int read_mention(const cJSON *json, struct mention *mention)
{
    const cJSON *split = cJSON_GetObjectItemCaseSensitive(json, "split");
    mention->dataset = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "dataset"));
    mention->source = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "split_source"));
    mention->split =
        cJSON_IsNumber(split) && split->valuedouble >= 1 && split->valuedouble <= 1e9 ? (size_t)split->valuedouble : 0;
    return mention->dataset && mention->source && mention->split;
}

/* Adds the split to its data set, unless it is there. Returns 0 when out of memory. */
static int note_split(struct dataset *dataset, const struct mention *mention, const struct cJSON *about)
{
    enum split_source source = SPLIT_OFFICIAL;
    while (source < SPLIT_FOLD && strcmp(split_source_name(source), mention->source) != 0)
        source++;
    for (size_t s = dataset->n_splits; s-- > 0;)
        if (dataset->splits[s].number == mention->split)
            return 1; /* with another source its records are in no plan, and are found to be so */
    struct split *grown = realloc(dataset->splits, (dataset->n_splits + 1) * sizeof *grown);
    if (!grown)
        return 0;
    dataset->splits = grown;
    struct split *split = &dataset->splits[dataset->n_splits++];
    *split = (struct split){.number = mention->split, .source = source};
    run_info_split_sizes(about, mention->dataset, &split->n_train, &split->n_test);
    return 1;
}

static enum status note_line(struct merging *merging, const struct part *part, size_t line, struct error *error)
{
    struct run *run = &merging->run;
    struct mention mention;
    cJSON *json = cJSON_Parse(part->folder.file.lines.line[line]);
    enum status status = STATUS_OK;
    size_t d = 0;
    if (!read_mention(json, &mention)) {
        status = error_set(error, STATUS_BAD_INPUT,
                           "%s:%zu: not a record: a JSON object with dataset, split and split_source",
                           part->folder.file.path, line + 1);
    } else {
        while (d < run->config->n_datasets && strcmp(run->config->datasets[d].name, mention.dataset) != 0)
            d++;
        if (d == run->config->n_datasets || !run->datasets[d])
            status =
                error_set(error, STATUS_BAD_INPUT, "%s:%zu: dataset: \"%.60s\" is none of those the run had data of",
                          part->folder.file.path, line + 1, mention.dataset);
        else if (!note_split(run->datasets[d], &mention, part->folder.info))
            status = no_memory(merging, error);
    }
    cJSON_Delete(json);
    return status;
}

/* Nonzero when both lines begin alike up to the solver: they are of the same split. */
static int same_split(const char *a, const char *b)
{
    const char *end = strstr(a, ",\"solver\":");
    return end && strncmp(a, b, (size_t)(end - a)) == 0 && strncmp(end, b + (end - a), 10) == 0;
}

static int by_number(const void *a, const void *b)
{
    const struct split *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static enum status note_splits(struct merging *merging, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t p = 0; p < merging->n_parts; p++) {
        char *const *line = merging->parts[p].folder.file.lines.line;
        for (size_t i = 0; i < merging->parts[p].folder.file.lines.count && status == STATUS_OK; i++)
            if (i == 0 || !same_split(line[i - 1], line[i]))
                status = note_line(merging, &merging->parts[p], i, error);
    }
    for (size_t d = 0; d < merging->run.config->n_datasets; d++) {
        struct dataset *dataset = merging->run.datasets[d];
        if (dataset && dataset->n_splits)
            qsort(dataset->splits, dataset->n_splits, sizeof *dataset->splits, by_number);
    }
    return status;
}

/* ---- jobs by their beginnings ---- */

struct head {
    char *text;
    size_t job;
    const struct part *taken_by; /* the last folder whose record went here */
};

static int by_text(const void *a, const void *b)
{
    const struct head *x = a, *y = b;
    return strcmp(x->text, y->text);
}

static enum status make_heads(const struct run *run, struct head **heads, struct error *error)
{
    enum status status = STATUS_OK;
    *heads = calloc(run->plan.n_jobs + 1, sizeof **heads);
    if (!*heads)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for %zu jobs", run->plan.n_jobs);
    for (size_t j = 0; j < run->plan.n_jobs && status == STATUS_OK; j++) {
        const struct job *job = &run->plan.jobs[j];
        (*heads)[j].job = j;
        status = record_head(run->config, run->datasets[job->dataset], job, &(*heads)[j].text, error);
    }
    if (status == STATUS_OK)
        qsort(*heads, run->plan.n_jobs, sizeof **heads, by_text);
    return status;
}

static void free_heads(struct head *heads, size_t count)
{
    for (size_t j = 0; heads && j < count; j++)
        free(heads[j].text);
    free(heads);
}

/* The job of this beginning, or NULL where there is none or the folder has filled it before. */
static struct head *find_head(struct head *heads, size_t count, const char *line, const struct part *part)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strncmp(heads[middle].text, line, strlen(heads[middle].text)) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    int is_there = low < count && strncmp(heads[low].text, line, strlen(heads[low].text)) == 0;
    return is_there && heads[low].taken_by != part ? &heads[low] : NULL;
}

/* ---- filling the plan ---- */

static size_t line_number(const struct part *part, const char *record)
{
    size_t i = 0;
    while (part->folder.file.lines.line[i] != record)
        i++;
    return i + 1;
}

static enum status place_line(struct merging *merging, struct part *part, size_t line, struct head *head,
                              struct error *error)
{
    struct journal_entry *entry = &merging->entries[head->job];
    char *record = part->folder.file.lines.line[line];
    const struct part *other = merging->from[head->job];
    double seconds = 0;
    head->taken_by = part;
    if (sscanf(part->folder.timings.line[line], "{\"index\":%*u,\"seconds\":%lf}", &seconds) != 1)
        return error_set(error, STATUS_BAD_INPUT, "%s/timings.jsonl:%zu: no line of index and seconds",
                         part->folder.path, line + 1);
    if (!entry->record) {
        *entry = (struct journal_entry){record, seconds, journal_outcome(record)};
        merging->from[head->job] = part;
        return STATUS_OK;
    }
    if (strcmp(entry->record, record) == 0)
        return STATUS_OK;
    struct json_difference first = {.path = "the line"};
    record_diff(entry->record, record, &first, 1);
    return error_set(error, STATUS_BAD_INPUT, "%s:%zu and %s:%zu contradict each other: %s is %s and %s",
                     other->folder.file.path, line_number(other, entry->record), part->folder.file.path, line + 1, first.path,
                     first.was, first.is);
}

static enum status place_lines(struct merging *merging, struct head *heads, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t p = 0; p < merging->n_parts; p++) {
        struct part *part = &merging->parts[p];
        for (size_t i = 0; i < part->folder.file.lines.count && status == STATUS_OK; i++) {
            struct head *head = find_head(heads, merging->run.plan.n_jobs, part->folder.file.lines.line[i], part);
            status =
                head ? place_line(merging, part, i, head, error)
                     : error_set(error, STATUS_BAD_INPUT, "%s:%zu: no job of the plan of config.json has this record",
                                 part->folder.file.path, i + 1);
        }
    }
    return status;
}

static enum status check_jobs(struct merging *merging, struct error *error)
{
    const struct run *run = &merging->run;
    const struct job *first = NULL;
    size_t missing = 0;
    for (size_t j = 0; j < run->plan.n_jobs; j++) {
        if (merging->entries[j].record) {
            merging->result->records++;
        } else if (missing++ == 0) {
            first = &run->plan.jobs[j];
        }
    }
    if (missing == 0 || merging->result->lacks.count > 0) /* what is missing has been said, without counting records */
        return STATUS_OK;
    const struct dataset *dataset = run->datasets[first->dataset];
    return merge_lacks(merging, error, "%zu records missing, the first for %s, split %zu, %s", missing, dataset->name,
                       dataset->splits[first->split].number, run->config->solvers[first->solver].solver->name);
}

enum status merge_join(struct merging *merging, struct error *error)
{
    struct run *run = &merging->run;
    struct head *heads = NULL;
    enum status status = open_run(merging, error);
    if (status == STATUS_OK)
        status = note_splits(merging, error);
    if (status == STATUS_OK)
        status = plan_build(run->config, run->datasets, 1, 1, &run->plan, error);
    if (status == STATUS_OK)
        status = make_heads(run, &heads, error);
    if (status == STATUS_OK) {
        merging->entries = calloc(run->plan.n_jobs + 1, sizeof *merging->entries);
        merging->from = calloc(run->plan.n_jobs + 1, sizeof *merging->from);
        if (!merging->entries || !merging->from)
            status = no_memory(merging, error);
    }
    if (status == STATUS_OK)
        status = place_lines(merging, heads, error);
    free_heads(heads, run->plan.n_jobs);
    return status == STATUS_OK ? check_jobs(merging, error) : status;
}
