/*
 * Writes the folder of a merge as a run does: run.json last, under the same lock. run.json has the members of a run's
 * file where all folders agree; members that differ are listed for each folder in `merged_from`.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/folders/merge_context.h"
#include "harness/records/conditions.h"
#include "harness/records/run_gaps.h"
#include "harness/run/run_files.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/support/sha256.h"

/* ---- run.json ---- */

/* Removes members that differ in `other`. */
static void keep_common(cJSON *object, const cJSON *other)
{
    for (cJSON *item = object->child, *next; item; item = next) {
        const cJSON *theirs = cJSON_GetObjectItemCaseSensitive(other, item->string);
        next = item->next;
        if (cJSON_IsObject(item) && cJSON_IsObject(theirs))
            keep_common(item, theirs);
        else if (!cJSON_Compare(item, theirs, 1))
            cJSON_Delete(cJSON_DetachItemViaPointer(object, item));
    }
}

/* A new object with the members on program and machine that are the same in all folders: those that are neither of the
 * plan nor results. */
static cJSON *common_program(const struct merge_context *context, const cJSON *plan, const cJSON *results)
{
    cJSON *common = cJSON_Duplicate(context->parts[0].folder.info, 1);
    for (cJSON *item = common->child, *next; item; item = next) {
        next = item->next;
        if (cJSON_HasObjectItem(plan, item->string) || cJSON_HasObjectItem(results, item->string))
            cJSON_Delete(cJSON_DetachItemViaPointer(common, item));
    }
    cJSON_DeleteItemFromObject(common, "files");
    cJSON_DeleteItemFromObject(common, "merged_from");
    cJSON_DeleteItemFromObject(cJSON_GetObjectItemCaseSensitive(common, "machine"), RUN_INFO_PEAK);
    for (size_t p = 1; p < context->n_parts; p++)
        keep_common(common, context->parts[p].folder.info);
    return common;
}

/* Adds one folder: its identity, and the members that it does not share with all others. */
static void add_part(cJSON *list, const struct part *part, const cJSON *common)
{
    static const char *const joined[] = {"schema",         "config",   "plan_of", "units",
                                         "blocks_of_plan", "outcomes", "data",    "missing", "files"};
    cJSON *item = json_add_object(list);
    const cJSON *member;
    json_put_text(item, "folder", part->folder.path);
    cJSON_ArrayForEach (member, part->folder.info)
        if (!cJSON_Compare(member, cJSON_GetObjectItemCaseSensitive(common, member->string), 1))
            json_put_copy(item, member->string, member);
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
        cJSON_DeleteItemFromObject(item, joined[i]);
}

/* Records, and sums of times over the folders, with the last end; stages only if all folders have them. */
static void add_results(cJSON *info, const struct merge_context *context)
{
    struct run_times sum = {0}, times;
    const char *finished = NULL;
    int all = 1;
    for (size_t p = 0; p < context->n_parts; p++) {
        const cJSON *part = context->parts[p].folder.info;
        const char *end = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(part, "finished"));
        if (end && (!finished || strcmp(end, finished) > 0))
            finished = end;
        all &= run_info_times(part, &times);
        run_times_add(&sum, &times);
    }
    if (!all)
        sum.available = 0;
    run_info_add_results(info, context->result.records, context->result.outcomes);
    run_info_add_times(info, finished, &sum);
}

static void write_info(struct merge_context *context, const struct record_hashes *hashes)
{
    struct merge_result *result = &context->result;
    cJSON *info = run_info_of_plan(&context->plan, &context->fingerprint, &context->options, context->missing,
                                   context->n_missing);
    cJSON *results = json_new_object(), *list = json_new_array(), *item = NULL;
    struct string_list machines = {0};
    run_gaps(context->config, context->dataset, context->missing, context->n_missing, &result->gaps);
    add_results(results, context);
    cJSON *common = common_program(context, info, results);
    if (result->missing.count)
        run_info_add_partial(info, (const char *const *)result->missing.line, result->missing.count);
    cJSON_ArrayForEach (item, common)
        json_put_copy(info, item->string, item);
    add_results(info, context);
    for (size_t p = 0; p < context->n_parts; p++) {
        add_part(list, &context->parts[p], common);
        run_folder_machines(&context->parts[p].folder, &machines);
    }
    cJSON_AddItemToObject(info, "merged_from", list);
    result->mixed_builds = !cJSON_HasObjectItem(common, "program_sha256");
    result->mixed_machines = machines.count > 1;
    string_list_free(&machines);
    cJSON_Delete(results);
    cJSON_Delete(common);
    run_info_write(context->request->out, info, hashes);
}

/* ---- traces ---- */

/* *last: the file of the part found last in its run.json. */
static void copy_trace(const struct merge_context *context, size_t job, const cJSON **last)
{
    char *from = plan_trace_path(&context->plan, context->from[job]->folder.path, job);
    char *to = plan_trace_path(&context->plan, context->request->out, job), hex[65];
    const struct run_folder *folder = &context->from[job]->folder;
    size_t size;
    if (!from || !to)
        out_of_memory();
    file_check_regular(from);
    file_check_exists(from);
    struct pool *pool = pool_new();
    const char *text = file_read(pool, from, &size);
    sha256_hex(text, size, hex);
    const char *name = from + strlen(folder->path) + 1;
    file_hash_check(folder->info, folder->path, name, hex, last);
    file_write(to, text, size);
    pool_free(pool);
    free(from);
    free(to);
}

static void copy_traces(const struct merge_context *context)
{
    const cJSON **last = pool_array(context->pool, context->n_parts, sizeof *last);
    for (size_t j = 0; j < context->plan.n_jobs; j++)
        if (context->entries[j].record && plan_is_traced(&context->plan, j))
            copy_trace(context, j, &last[context->from[j] - context->parts]);
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
    if (access(pool_printf(context->pool, "%s/run.json", request->out), F_OK) == 0)
        die(STATUS_BAD_INPUT, "%s: contains a finished run; choose another folder, or give --force to replace it",
            request->out);
    folder_check_info(request->out);
}

/* If this is interrupted, the journal marks the folder as unfinished, and the next merge into it continues. */
static void write_files(struct merge_context *context)
{
    const char *out = context->request->out;
    struct journal *journal = NULL;
    struct record_hashes hashes;
    journal = run_begin_folder(out, context->config, &context->fingerprint, context->plan.n_jobs,
                                   context->request->force ? run_remove_outputs : NULL);
    copy_traces(context);
    run_write_records(out, &context->plan, context->entries, &hashes);
    write_info(context, &hashes);
    journal_close(journal);
    file_try_remove(out, "journal.jsonl");
}

void merge_write(struct merge_context *context)
{
    const char *out = context->request->out;
    const struct run_info *first = &context->parts[0].folder.run;
    context->options = (struct run_options){.config = context->parts[0].config_path,
                                            .solvers = context->solvers,
                                            .datasets = context->datasets,
                                            .splits = context->splits,
                                            .shard = 1,
                                            .shards = 1,
                                            .repeats = first->repeats};
    struct folder_lock lock = {0};
    journal_count_outcomes(context->entries, context->plan.n_jobs, context->result.outcomes);
    run_fingerprint(&context->fingerprint, &context->options, &context->plan, first->version);
    folder_make(out);
    folder_lock_take(&lock, out);
    check_folder(context);
    write_files(context);
    folder_lock_release(&lock);
}
