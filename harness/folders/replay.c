/* Repeats a run, see replay.h. */
#include "harness/folders/replay.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/folders/replay_context.h"
#include "harness/run/run_files.h"
#include "harness/run/run_info.h"
#include "harness/run/record_line.h"
#include "harness/run/unit.h"
#include "harness/support/file.h"
#include "harness/support/json_text.h"

/* ---- the original run ---- */

static void read_folder(struct replay_context *context)
{
    const struct replay_request *request = context->request;
    struct run_folder *before = &context->before;
    struct error error = {0};
    die_unless_found(run_folder_read(request->folder, FOLDER_FINISHED, before, &error), &error);
    die_unless_ok(run_folder_read_lines(before, &error), &error);
    if (request->one && request->record >= before->file.lines.count)
        die(STATUS_BAD_INPUT, "--record: %zu is out of range; %s has records 0 to %zu", request->record,
            request->folder, before->file.lines.count - 1);
}

static void add_word(struct pool *pool, const char **words, const char *word)
{
    *words = *words ? pool_printf(pool, "%s,%s", *words, word) : word;
}

/* If the run lacked data sets, restricts the replay to those it had, because the missing ones may be available now.
 * Data that were read from files are not generated instead. */
static void name_datasets(struct replay_context *context)
{
    const struct run_info *run = &context->before.run;
    const char *wanted = context->request->run->datasets;
    for (size_t d = 0; d < run->data.count; d++) {
        if (!run->data.item[d].source || strcmp(run->data.item[d].source, DATASET_GENERATED) != 0)
            add_word(context->pool, &context->from_files, run->data.item[d].dataset);
        if (wanted ? config_names(wanted, run->data.item[d].dataset) : run->missing.count > 0)
            add_word(context->pool, &context->datasets, run->data.item[d].dataset);
    }
    for (const char *at = wanted; at; at = strchr(at, ',')) {
        at += *at == ',';
        const char *word = pool_strndup(context->pool, at, strcspn(at, ","));
        if (!run_info_data(run, word))
            die(STATUS_BAD_INPUT, "--datasets: %s has no data set \"%s\"", context->request->folder, word);
    }
}

static void set_options(struct replay_context *context)
{
    const struct run_info *before = &context->before.run;
    struct run_options *options = &context->options;
    *options = *context->request->run;
    options->config = context->config_path;
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
static void leave_out(struct replay_context *context)
{
    const struct run *run = &context->run;
    struct lines *lines = &context->before.file.lines;
    struct replay_result *result = &context->result;
    size_t kept = 0;
    if (!run->n_missing && !context->request->run->datasets)
        return;
    if ((run->plan.n_jobs == 0 || run->options->shards > 1) && run->n_missing)
        die(STATUS_NOT_FOUND, "%s: data of the run are missing: %.700s", context->request->folder,
            run->missing[0].reason);
    if (run->plan.n_jobs == 0 || run->options->shards > 1)
        die(STATUS_BAD_INPUT, "%s: --datasets does not apply to a shard: merge the shards first",
            context->request->folder);
    for (size_t m = 0; m < run->n_missing; m++)
        string_list_push(context->pool, &result->missing, "%s", run->missing[m].reason);
    context->positions = pool_array(context->pool, lines->count + 1, sizeof *context->positions);
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
}

static void open_run(struct replay_context *context)
{
    const struct replay_request *request = context->request;
    read_folder(context);
    name_datasets(context);
    context->config_path = pool_printf(context->pool, "%s/config.json", request->folder);
    context->out = request->run->out ? request->run->out : pool_printf(context->pool, "%s/replay", request->folder);
    set_options(context);
    struct config *config = config_parse(context->pool, context->config_path, context->before.config_text);
    run_open_config(&context->run, &context->options, config);
    leave_out(context);
    context->result.config = context->run.config->name;
}

/* ---- the repetition ---- */

/* The job of the record request->record. */
static size_t job_of_record(const struct replay_context *context)
{
    const struct run *run = &context->run;
    size_t index = context->request->record, kept = 0;
    if (context->positions) {
        while (kept < context->before.file.lines.count && context->positions[kept] != index)
            kept++;
        if (kept == context->before.file.lines.count)
            die(STATUS_NOT_FOUND, "%s: record %zu is of a data set that is missing or not selected%s%s",
                context->request->folder, index, run->n_missing ? ": " : "",
                run->n_missing ? run->missing[0].reason : "");
        index = kept;
    }
    if (index >= run->plan.n_jobs)
        die(STATUS_BAD_INPUT, "%s: record %zu is not in the plan of config.json, which now has %zu records",
            context->request->folder, index, run->plan.n_jobs);
    return index;
}

static void do_one(struct replay_context *context)
{
    const struct run *run = &context->run;
    const size_t index = job_of_record(context);
    const struct job *job = &run->plan.jobs[index];
    const struct dataset *dataset = run->datasets[job->dataset];
    struct split_session *unit = NULL;
    struct job_result found;
    struct error error = {0};
    enum status status = unit_open(&unit, run->options->simd, dataset, job->split, run->config->kernel->type,
                                   run->config->gram_bytes, 0, &error);
    if (status == STATUS_OK)
        status = unit_run_job(unit, run->config, job, NULL, run->options->interrupted, &found, &error);
    die_unless_ok(status, &error);
    const struct record *record = record_of_job(context->pool, run->config, dataset, job, &found);
    replay_compare_record(context, index, record_line(context->pool, record));
    unit_close(unit);
}

/* Overwrites the finished run of an earlier replay, and resumes an interrupted one; refuses a finished run in a folder
 * given by the caller. */
static void check_target(struct replay_context *context)
{
    const char *folder = context->request->folder, *out = context->out;
    if (file_is_same(folder, out))
        die(STATUS_BAD_INPUT, "%s: is the folder of the run itself; choose another folder", out);
    const int finished = access(pool_printf(context->pool, "%s/run.json", out), F_OK) == 0;
    if (finished && context->request->run->out && !context->options.force)
        die(STATUS_BAD_INPUT, "%s: contains a finished run; choose another folder, or give --force to replace it", out);
    context->options.force |= finished;
}

static void do_all(struct replay_context *context)
{
    check_target(context);
    run_execute(&context->run);
    replay_compare_folder(context);
    if (context->request->run->out || context->result.results.count)
        context->result.kept = context->out;
    else
        run_remove_folder(context->out);
}

/* What is not in the pool. */
static void release(void *data)
{
    struct replay_context *context = data;
    run_close(&context->run);
    run_folder_free(&context->before);
}

const struct replay_result *replay_run(struct pool *pool, const struct replay_request *request)
{
    struct replay_context *context = pool_alloc(pool, sizeof *context);
    context->pool = pool;
    context->request = request;
    pool_keep(pool, release, context);
    open_run(context);
    replay_compare_setup(context);
    if (request->one)
        do_one(context);
    else
        do_all(context);
    return &context->result;
}
