/*
 * Finds the differences of a repetition. Records and traces are compared byte by byte. In the set-up, every member of
 * run.json that describes program, machine or data is compared, in the order of the earlier file. Results of a run
 * (counts, times, peak memory) are not part of the set-up.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/records/record_diff.h"
#include "harness/folders/replay_context.h"
#include "harness/run/run_files.h"
#include "harness/run/run_info.h"
#include "harness/support/file.h"

/* ---- the set-up ---- */

/* The compared members of run.json; the list of data sets becomes an object keyed by their names. */
static cJSON *setup_of(const cJSON *info)
{
    static const char *const results[] = {"schema",  "config",         "plan",          "plan_of",     "records",
                                          "units",   "blocks_of_plan", "units_of_plan", "outcomes",    "finished",
                                          "seconds", "time",           "missing",       "merged_from",
                                          "restricted_to", "files"};
    cJSON *setup = json_new_object(), *data;
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, info)
        if (strcmp(item->string, "data") != 0)
            json_put_copy(setup, item->string, item);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        cJSON_DeleteItemFromObjectCaseSensitive(setup, results[i]);
    cJSON_DeleteItemFromObject(cJSON_GetObjectItemCaseSensitive(setup, "machine"), RUN_INFO_PEAK);
    data = json_put_object(setup, "data");
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(info, "data")) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dataset"));
        if (name)
            cJSON_DeleteItemFromObject(json_put_copy(data, name, item), "dataset");
    }
    return setup;
}

/* Whether a member identifies the data, which the results depend on. */
static int names_data(const char *path)
{
    const char *end = strrchr(path, '.');
    return strncmp(path, "data.", 5) == 0 && end && strcmp(end, ".sha256") == 0;
}

static void note_member(struct replay_context *context, const char *path, const cJSON *was, const cJSON *is)
{
    char *before = was ? json_line(was) : NULL, *now = is ? json_line(is) : NULL;
    string_list_push(context->pool, &context->result.setup, "%s: was %.400s, is %.400s", path,
                     before ? before : "missing", now ? now : "missing");
    context->result.other_data |= names_data(path);
    free(before);
    free(now);
}

static void compare_members(struct replay_context *context, const char *outer, const cJSON *was, const cJSON *is)
{
    const cJSON *item = NULL;
    char path[256];
    cJSON_ArrayForEach (item, was) {
        const cJSON *now = cJSON_GetObjectItemCaseSensitive(is, item->string);
        snprintf(path, sizeof path, "%s%s%s", outer, *outer ? "." : "", item->string);
        if (cJSON_IsObject(item) && cJSON_IsObject(now))
            compare_members(context, path, item, now);
        else if (!cJSON_Compare(item, now, 1))
            note_member(context, path, item, now);
    }
    cJSON_ArrayForEach (item, is) {
        snprintf(path, sizeof path, "%s%s%s", outer, *outer ? "." : "", item->string);
        if (!cJSON_HasObjectItem(was, item->string))
            note_member(context, path, NULL, item);
    }
}

void replay_compare_setup(struct replay_context *context)
{
    cJSON *now = run_info_of_run(&context->run, &context->run.plan);
    cJSON *was = setup_of(context->before.info), *is = setup_of(now), *next;
    for (cJSON *data = cJSON_GetObjectItem(was, "data")->child; data; data = next) {
        next = data->next;
        if (context->positions && !replay_has_dataset(context, data->string))
            cJSON_Delete(cJSON_DetachItemViaPointer(cJSON_GetObjectItem(was, "data"), data));
    }
    compare_members(context, "", was, is);
    if (!context->before.plan_agrees)
        string_list_push(context->pool, &context->result.setup,
                         "config.json: was changed after the run: it does not match the plan in run.json");
    cJSON_Delete(was);
    cJSON_Delete(is);
    cJSON_Delete(now);
}

/* ---- the results ---- */

/* "record 5 (heart, split 3, clip-mdm)" */
static void name_record(const struct replay_context *context, size_t index, char *text, size_t size)
{
    const struct run *run = &context->run;
    const int is_left = context->positions && index < context->before.file.lines.count;
    const size_t position = is_left ? context->positions[index] : index;
    if (index >= run->plan.n_jobs) {
        snprintf(text, size, "record %zu", position);
        return;
    }
    const struct job *job = &run->plan.jobs[index];
    const struct dataset *dataset = run->datasets[job->dataset];
    snprintf(text, size, "record %zu (%s, split %zu, %s)", position, dataset->name, dataset->splits[job->split].number,
             run->config->solvers[job->solver].solver->name);
}

void replay_compare_record(struct replay_context *context, size_t index, const char *line)
{
    struct json_difference differences[MAX_DIFFERENCES];
    struct replay_result *result = &context->result;
    const char *was = context->before.file.lines.line[index];
    char name[256];
    result->records++;
    if (strcmp(was, line) == 0)
        return;
    size_t count = record_diff(was, line, differences, MAX_DIFFERENCES);
    if (count == 1 && strcmp(differences[0].path, "schema") == 0)
        return; /* the same result, written by another version */
    result->differing++;
    name_record(context, index, name, sizeof name);
    for (size_t i = 0; i < count && i < MAX_DIFFERENCES; i++)
        string_list_push(context->pool, &result->results, "%s: %s: was %s, is %s", name, differences[i].path,
                         *differences[i].was ? differences[i].was : "missing",
                         *differences[i].is ? differences[i].is : "missing");
    if (count == 0)
        string_list_push(context->pool, &result->results,
                         "%s: the line is not a record, or its keys are in another order", name);
}

static void compare_records(struct replay_context *context)
{
    char *path = xasprintf("%s/records.jsonl", context->out), name[256];
    struct pool *pool = pool_new();
    const struct lines now = lines_read(pool, path);
    size_t before = context->before.file.lines.count;
    for (size_t i = 0; i < before && i < now.count; i++)
        replay_compare_record(context, i, now.line[i]);
    if (before != now.count) {
        name_record(context, before < now.count ? before : now.count, name, sizeof name);
        string_list_push(context->pool, &context->result.results,
                         "%zu records before, %zu now; the first record that only one side has is %s", before,
                         now.count, name);
    }
    pool_free(pool);
    free(path);
}

/* Compares the trace of a job; an unreadable file counts as missing. */
static void compare_trace(struct replay_context *context, size_t job)
{
    const char *const folders[] = {context->request->folder, context->out};
    struct pool *pool = pool_new();
    char *paths[2], *texts[2], name[256];
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        paths[i] = plan_trace_path(&context->run.plan, folders[i], job);
        if (!paths[i])
            out_of_memory();
        texts[i] = access(paths[i], R_OK) == 0 && !file_is_special(paths[i])
                       ? file_read_or_null(pool, paths[i], &sizes[i])
                       : NULL;
    }
    name_record(context, job, name, sizeof name);
    if (!texts[0] != !texts[1])
        string_list_push(context->pool, &context->result.results, "%s: trace: %s", name,
                         texts[0] ? "is missing" : "was missing");
    else if (texts[0] && (sizes[0] != sizes[1] || memcmp(texts[0], texts[1], sizes[0]) != 0))
        string_list_push(context->pool, &context->result.results, "%s: trace: differs from line %zu onwards (%s)", name,
                         text_first_difference(texts[0], texts[1]), paths[0]);
    for (int i = 0; i < 2; i++)
        free(paths[i]);
    pool_free(pool);
}

void replay_compare_folder(struct replay_context *context)
{
    const struct plan *plan = &context->run.plan;
    compare_records(context);
    for (size_t j = 0; j < plan->n_jobs; j++)
        if (plan_is_traced(plan, j))
            compare_trace(context, j);
}
