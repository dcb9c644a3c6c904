/*
 * The folder of a merge. It is written as a run writes its own, run.json last, under the same lock. run.json holds what
 * a run's holds where all folders agree; what they differ in stands with each of them in `merged_from`.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/merge/merge_context.h"
#include "harness/program/json_writer.h"
#include "harness/program/memory.h"
#include "harness/run/run_files.h"
#include "harness/run/run_target.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

/* ---- run.json ---- */

/* Of one folder: what it is, and what it does not share with all others. */
static void add_part(cJSON *list, const struct part *part, const cJSON *joint)
{
    static const char *const own[] = {"plan", "records", "restricted_to", "finished", "seconds", "time"};
    static const char *const joined[] = {"schema",        "config",   "plan_of", "units",
                                         "units_of_plan", "outcomes", "data",    "missing"};
    cJSON *json = run_info_json(&part->folder.run), *item = json_add_object(list);
    json_put_text(item, "folder", part->folder.path);
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
        cJSON_DeleteItemFromObject(json, joined[i]);
    for (cJSON *member = json->child, *next; member; member = next) {
        int is_own = 0;
        next = member->next;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            is_own |= strcmp(member->string, own[i]) == 0;
        if (is_own || !cJSON_Compare(member, cJSON_GetObjectItemCaseSensitive(joint, member->string), 1))
            json_put_copy(item, member->string, member);
    }
    cJSON_Delete(json);
}

/* Sums over the folders, the last end, the most memory that one needed; the stages where all folders tell them. */
static void sum_times(struct run_info *info, const struct merge_context *context)
{
    double available = 0;
    info->has_times = 1;
    for (size_t p = 0; p < context->n_parts; p++) {
        const struct run_info *part = &context->parts[p].folder.run;
        info->seconds += part->seconds;
        if (part->finished && (!info->finished || strcmp(part->finished, info->finished) > 0))
            info->finished = part->finished;
        info->has_times &= part->has_times;
        stage_times_add(&info->times, &part->times);
        available += (double)part->machine.threads * part->seconds;
        if (part->machine.peak_megabytes > info->machine.peak_megabytes)
            info->machine.peak_megabytes = part->machine.peak_megabytes;
    }
    info->busy = available > 0 ? info->times.processor / available : 0;
}

static enum status write_info(const struct merge_context *context, const struct fingerprint *fingerprint,
                              struct error *error)
{
    struct merge_result *result = context->result;
    struct run_info info = {0};
    run_info_copy_program(&info, &context->parts[0].folder.run);
    for (size_t p = 1; p < context->n_parts; p++)
        run_info_keep_common(&info, &context->parts[p].folder.run);
    result->mixed_builds = !*info.fingerprint.program;
    const struct fingerprint programs = info.fingerprint;
    info.fingerprint = *fingerprint;
    memcpy(info.fingerprint.program, programs.program, sizeof programs.program);
    info.solvers = context->solvers;
    info.datasets = context->datasets;
    info.splits = context->splits;
    sum_times(&info, context);
    enum status status = run_info_set_plan(&info, &context->plan, error);
    info.records = result->records;
    if (status == STATUS_OK)
        status = run_info_set_missing(&info, context->missing, context->n_missing, error);
    if (status == STATUS_OK)
        status = run_info_set_partial(&info, (const char *const *)result->missing.line, result->missing.count, error);
    if (status == STATUS_OK) {
        memcpy(info.outcomes, result->outcomes, sizeof info.outcomes);
        cJSON *joint = run_info_json(&info), *list = json_new_array();
        for (size_t p = 0; p < context->n_parts; p++)
            add_part(list, &context->parts[p], joint);
        cJSON_Delete(joint);
        info.merged_from = list;
        status = run_info_write(context->request->out, &info, error);
        cJSON_Delete(list);
    }
    run_info_free(&info);
    return status;
}

/* ---- traces ---- */

static enum status copy_trace(const struct merge_context *context, size_t job, struct error *error)
{
    char *from = plan_trace_path(&context->plan, context->from[job]->folder.path, job);
    char *to = plan_trace_path(&context->plan, context->request->out, job), *text = NULL;
    size_t size = 0;
    struct error cause = {0};
    if (!from || !to)
        out_of_memory();
    enum status status = file_read(from, &text, &size, &cause);
    if (status != STATUS_OK)
        error_set(error, status = status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status, "%s", cause.message);
    else
        status = file_write(to, text, size, error);
    free(text);
    free(from);
    free(to);
    return status;
}

static enum status copy_traces(const struct merge_context *context, struct error *error)
{
    if (!context->config->trace_datasets)
        return STATUS_OK;
    char *folder = xasprintf("%s/traces", context->request->out);
    enum status status = folder_make(folder, error);
    free(folder);
    for (size_t j = 0; j < context->plan.n_jobs && status == STATUS_OK; j++)
        if (context->entries[j].record && plan_is_traced(&context->plan, j))
            status = copy_trace(context, j, error);
    return status;
}

/* ---- the folder ---- */

static enum status check_folder(const struct merge_context *context, struct error *error)
{
    const struct merge_request *request = context->request;
    struct stat out, in;
    enum status status = folder_check_kind(request->out, FOLDER_OF_RUN, error);
    if (status != STATUS_OK)
        return status;
    for (size_t p = 0; p < context->n_parts; p++)
        if (stat(request->out, &out) == 0 && stat(context->parts[p].folder.path, &in) == 0 && out.st_dev == in.st_dev &&
            out.st_ino == in.st_ino)
            return error_set(error, STATUS_BAD_INPUT, "%s: is one of the folders to be merged; choose another",
                             request->out);
    char *info = xasprintf("%s/run.json", request->out);
    if (!request->force && stat(info, &in) == 0)
        status = error_set(error, STATUS_BAD_INPUT, "%s: holds a finished run; choose another folder or give --force",
                           request->out);
    free(info);
    return status;
}

static enum status write_inside(const struct merge_context *context, const struct fingerprint *fingerprint,
                                struct error *error)
{
    const char *out = context->request->out, *text = context->config->text;
    char *config = xasprintf("%s/config.json", out);
    enum status status = run_remove_temporaries(out, error);
    if (status == STATUS_OK && context->request->force)
        status = run_remove_outputs(out, error);
    if (status == STATUS_OK)
        status = file_write(config, text, strlen(text), error);
    free(config);
    if (status == STATUS_OK)
        status = copy_traces(context, error);
    if (status == STATUS_OK)
        status = run_write_records(out, &context->plan, context->entries, error);
    return status == STATUS_OK ? write_info(context, fingerprint, error) : status;
}

/* The journal says, should this be cut off, that the folder is unfinished; the next merge into it goes on. */
static enum status write_files(const struct merge_context *context, const struct fingerprint *fingerprint,
                               struct error *error)
{
    struct journal *journal = NULL;
    char *path = xasprintf("%s/journal.jsonl", context->request->out);
    enum status status =
        journal_open(&journal, path, fingerprint, context->plan.n_jobs, context->request->force, error);
    if (status == STATUS_OK)
        status = write_inside(context, fingerprint, error);
    journal_close(journal);
    if (status == STATUS_OK)
        remove(path);
    free(path);
    return status;
}

enum status merge_write(struct merge_context *context, struct error *error)
{
    const struct merge_request *request = context->request;
    const struct run_options options = {.config = context->parts[0].config_path,
                                        .solvers = context->solvers,
                                        .datasets = context->datasets,
                                        .splits = context->splits,
                                        .shard = 1,
                                        .shards = 1};
    struct fingerprint fingerprint;
    struct folder_lock lock = {0};
    journal_count_outcomes(context->entries, context->plan.n_jobs, context->result->outcomes);
    enum status status = run_fingerprint(&fingerprint, &options, &context->plan, context->parts[0].folder.run.version, error);
    if (status == STATUS_OK)
        status = folder_make(request->out, error);
    if (status == STATUS_OK)
        status = folder_lock_take(&lock, request->out, error);
    if (status == STATUS_OK)
        status = check_folder(context, error);
    if (status == STATUS_OK)
        status = write_files(context, &fingerprint, error);
    folder_lock_release(&lock);
    return status;
}
