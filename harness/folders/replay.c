/* Repeats a run, see replay.h. */
#include "harness/folders/replay.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/folders/replay_context.h"
#include "harness/run/run_files.h"
#include "harness/run/run_info.h"
#include "harness/run/record_line.h"
#include "harness/run/unit.h"
#include "harness/support/file.h"
#include "harness/support/json_text.h"

/* ---- the original run ---- */

static enum status read_folder(struct replay_context *context, struct error *error)
{
    const struct replay_request *request = context->request;
    struct run_folder *before = &context->before;
    struct error cause = {0};
    enum status status = run_folder_read(request->folder, FOLDER_FINISHED, before, &cause);
    if (status != STATUS_OK)
        return error_set(error, status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status, "%s", cause.message);
    status = run_folder_read_lines(before, error);
    if (status == STATUS_OK && request->one && request->record >= before->file.lines.count)
        status = error_set(error, STATUS_BAD_INPUT, "--record: %zu is out of range; %s has records 0 to %zu",
                           request->record, request->folder, before->file.lines.count - 1);
    return status;
}

static void add_word(char **words, const char *word)
{
    char *before = *words;
    *words = before ? xasprintf("%s,%s", before, word) : xstrdup(word);
    free(before);
}

/* If the run lacked data sets, restricts the replay to those it had, because the missing ones may be available now.
 * Data that were read from files are not generated instead. */
static enum status name_datasets(struct replay_context *context, struct error *error)
{
    const struct run_info *run = &context->before.run;
    const char *wanted = context->request->run->datasets;
    for (size_t d = 0; d < run->n_data; d++) {
        if (!run->data[d].source || strcmp(run->data[d].source, DATASET_GENERATED) != 0)
            add_word(&context->from_files, run->data[d].dataset);
        if (wanted ? config_names(wanted, run->data[d].dataset) : run->n_missing > 0)
            add_word(&context->datasets, run->data[d].dataset);
    }
    for (const char *at = wanted; at; at = strchr(at, ',')) {
        at += *at == ',';
        char *word = xstrndup(at, strcspn(at, ","));
        const int is_known = run_info_data(run, word) != NULL;
        enum status status = is_known ? STATUS_OK
                                      : error_set(error, STATUS_BAD_INPUT, "--datasets: %s has no data set \"%s\"",
                                                  context->request->folder, word);
        free(word);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static void set_options(struct replay_context *context)
{
    const struct run_info *before = &context->before.run;
    struct run_options *options = &context->options;
    *options = *context->request->run;
    options->config = context->config_path;
    options->config_text = context->before.config_text;
    options->solvers = before->solvers;
    options->datasets = context->datasets ? context->datasets : before->datasets;
    options->from_files = context->from_files;
    options->splits = before->splits;
    options->shard = before->shard;
    options->shards = before->shards;
    options->repeats = before->repeats;
    options->out = context->out;
    if (options->threads == 0)
        options->threads = (size_t)omp_get_max_threads();
}

int replay_has_dataset(const struct replay_context *context, const char *name)
{
    const struct run *run = &context->run;
    for (size_t d = 0; d < run->config->n_datasets; d++)
        if (strcmp(run->config->datasets[d].name, name) == 0)
            return run->datasets[d] != NULL;
    return 0;
}

/* Notes the missing data sets, and leaves out the lines of the original run that are not repeated. A shard has other
 * blocks without a data set, so it is repeated as a whole. */
static enum status leave_out(struct replay_context *context, struct error *error)
{
    const struct run *run = &context->run;
    struct lines *lines = &context->before.file.lines;
    struct replay_result *result = context->result;
    size_t kept = 0;
    if (!run->n_missing && !context->request->run->datasets)
        return STATUS_OK;
    if (run->plan.n_jobs == 0 || run->options->shards > 1)
        return error_set(error, run->n_missing ? STATUS_NOT_FOUND : STATUS_BAD_INPUT, "%s: %s: %.700s",
                         context->request->folder,
                         run->n_missing ? "data of the run are missing" : "--datasets does not apply to a shard",
                         run->n_missing ? run->missing[0].reason : "merge the shards first");
    for (size_t m = 0; m < run->n_missing; m++)
        if (!string_list_add(&result->missing, "%s", run->missing[m].reason))
            out_of_memory();
    context->positions = xcalloc(lines->count + 1, sizeof *context->positions);
    for (size_t i = 0; i < lines->count; i++) {
        struct json_fault fault;
        cJSON *record = json_parse_text(lines->line[i], &fault);
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "dataset"));
        if (name && !replay_has_dataset(context, name))
            result->not_repeated++;
        else {
            context->positions[kept] = i;
            lines->line[kept++] = lines->line[i];
        }
        cJSON_Delete(record);
    }
    lines->count = kept;
    return STATUS_OK;
}

static enum status open_run(struct replay_context *context, struct error *error)
{
    const struct replay_request *request = context->request;
    enum status status = read_folder(context, error);
    if (status != STATUS_OK)
        return status;
    if ((status = name_datasets(context, error)) != STATUS_OK)
        return status;
    context->config_path = xasprintf("%s/config.json", request->folder);
    context->out = request->run->out ? xstrdup(request->run->out) : xasprintf("%s/replay", request->folder);
    set_options(context);
    status = run_open(&context->run, &context->options, error);
    if (status == STATUS_OK && (status = leave_out(context, error)) != STATUS_OK)
        run_close(&context->run);
    if (status == STATUS_OK)
        snprintf(context->result->config, sizeof context->result->config, "%s", context->run.config->name);
    return status;
}

/* ---- the repetition ---- */

static enum status do_one(struct replay_context *context, struct error *error)
{
    const struct run *run = &context->run;
    size_t index = context->request->record, kept = 0;
    if (context->positions) {
        while (kept < context->before.file.lines.count && context->positions[kept] != index)
            kept++;
        if (kept == context->before.file.lines.count)
            return error_set(error, STATUS_NOT_FOUND,
                             "%s: record %zu is of a data set that is missing or not selected%s%s",
                             context->request->folder, index, run->n_missing ? ": " : "",
                             run->n_missing ? run->missing[0].reason : "");
        index = kept;
    }
    if (index >= run->plan.n_jobs)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: record %zu is not in the plan of config.json, which now has %zu records",
                         context->request->folder, index, run->plan.n_jobs);
    const struct job *job = &run->plan.jobs[index];
    const struct dataset *dataset = run->datasets[job->dataset];
    struct unit_run *unit = NULL;
    struct job_result found;
    enum status status = unit_open(&unit, run->options->simd, dataset, job->split, run->config->kernel->type,
                                   run->config->gram_bytes, 0, error);
    if (status == STATUS_OK)
        status = unit_run_job(unit, run->config, job, NULL, run->options->interrupted, &found, error);
    struct pool *pool = pool_new();
    if (status == STATUS_OK)
        replay_compare_record(context, index,
                              record_line(pool, record_of_job(pool, run->config, dataset, job, &found)));
    pool_free(pool);
    unit_close(unit);
    return status;
}

/* Overwrites the finished run of an earlier replay, and resumes an interrupted one; refuses a finished run in a folder
 * given by the caller. */
static enum status check_target(struct replay_context *context, struct error *error)
{
    const char *folder = context->request->folder, *out = context->out;
    if (file_is_same(folder, out))
        return error_set(error, STATUS_BAD_INPUT, "%s: is the folder of the run itself; choose another folder", out);
    char *info = xasprintf("%s/run.json", out);
    int finished = access(info, F_OK) == 0;
    free(info);
    if (finished && context->request->run->out && !context->options.force)
        return error_set(error, STATUS_BAD_INPUT, "%s: contains a finished run; choose another folder, or give --force "
                                                  "to replace it",
                         out);
    context->options.force |= finished;
    return STATUS_OK;
}

static enum status do_all(struct replay_context *context, struct error *error)
{
    struct replay_result *result = context->result;
    enum status status = check_target(context, error);
    if (status == STATUS_OK)
        status = run_execute(&context->run, error);
    if (status == STATUS_OK)
        status = replay_compare_folder(context, error);
    if (status != STATUS_OK)
        return status;
    if (context->request->run->out || result->results.count)
        snprintf(result->kept, sizeof result->kept, "%s", context->out);
    else
        run_remove_folder(context->out);
    return status;
}

enum status replay_run(const struct replay_request *request, struct replay_result *result, struct error *error)
{
    struct replay_context context = {.request = request, .result = result};
    *result = (struct replay_result){0};
    enum status status = open_run(&context, error);
    if (status == STATUS_OK) {
        replay_compare_setup(&context);
        status = request->one ? do_one(&context, error) : do_all(&context, error);
        run_close(&context.run);
    }
    run_folder_free(&context.before);
    free(context.config_path);
    free(context.out);
    free(context.datasets);
    free(context.from_files);
    free(context.positions);
    if (status != STATUS_OK)
        replay_result_free(result);
    return status;
}

void replay_result_free(struct replay_result *result)
{
    string_list_free(&result->missing);
    string_list_free(&result->setup);
    string_list_free(&result->results);
}
