/* Doing a run again, see replay.h. */
#include "harness/replay/replay.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/replay/replaying.h"
#include "harness/run/run_files.h"
#include "harness/run/unit.h"

static enum status no_memory(const struct replaying *replaying, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", replaying->request->folder);
}

/* ---- the run as it was ---- */

static enum status read_folder(struct replaying *replaying, struct error *error)
{
    const struct replay_request *request = replaying->request;
    struct run_folder *before = &replaying->before;
    struct error cause = {0};
    enum status status = run_folder_read(request->folder, FOLDER_FINISHED, before, &cause);
    if (status != STATUS_OK)
        return error_set(error, status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status, "%s", cause.message);
    status = run_folder_read_lines(before, error);
    if (status == STATUS_OK && request->one && request->record >= before->file.lines.count)
        status = error_set(error, STATUS_BAD_INPUT, "--record: %zu is not a record of %s; allowed: 0 to %zu", request->record,
                           request->folder, before->file.lines.count - 1);
    return status;
}

/* Data sets that the run lacked are not to be found now: where there are any, those it had become a restriction. */
static enum status name_datasets(struct replaying *replaying, struct error *error)
{
    const cJSON *about = replaying->before.info, *item = NULL;
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(about, "data");
    size_t size = 1;
    if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(about, "missing")) == 0)
        return STATUS_OK;
    cJSON_ArrayForEach (item, data) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dataset"));
        size += name ? strlen(name) + 1 : 0;
    }
    replaying->datasets = calloc(size, 1);
    if (!replaying->datasets)
        return no_memory(replaying, error);
    cJSON_ArrayForEach (item, data) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dataset"));
        size_t used = strlen(replaying->datasets);
        if (name)
            snprintf(replaying->datasets + used, size - used, "%s%s", used ? "," : "", name);
    }
    return STATUS_OK;
}

static void set_options(struct replaying *replaying)
{
    const struct run_summary *before = &replaying->before.run;
    struct run_options *options = &replaying->options;
    *options = *replaying->request->run;
    options->config = replaying->config_path;
    options->config_text = replaying->before.config_text;
    options->solvers = before->solvers;
    options->datasets = replaying->datasets ? replaying->datasets : before->datasets;
    options->splits = before->splits;
    options->shard = before->shard;
    options->shards = before->shards;
    options->out = replaying->out;
    if (options->threads == 0)
        options->threads = (unsigned)omp_get_max_threads();
}

static enum status open_run(struct replaying *replaying, struct error *error)
{
    const struct replay_request *request = replaying->request;
    enum status status = read_folder(replaying, error);
    if (status == STATUS_OK)
        status = name_datasets(replaying, error);
    if (status != STATUS_OK)
        return status;
    replaying->config_path = path_join(request->folder, "config.json");
    replaying->out = request->run->out ? strdup(request->run->out) : path_join(request->folder, "replay");
    if (!replaying->config_path || !replaying->out)
        return no_memory(replaying, error);
    set_options(replaying);
    status = run_open(&replaying->run, &replaying->options, error);
    if (status == STATUS_OK && replaying->run.n_missing) {
        status = error_set(error, STATUS_NOT_FOUND, "%s: data of the run are missing: %.700s", request->folder,
                           replaying->run.missing[0].reason);
        run_close(&replaying->run);
    }
    if (status == STATUS_OK)
        snprintf(replaying->result->config, sizeof replaying->result->config, "%s", replaying->run.config->name);
    return status;
}

/* ---- again ---- */

static enum status do_one(struct replaying *replaying, struct error *error)
{
    const struct run *run = &replaying->run;
    size_t index = replaying->request->record;
    if (index >= run->plan.n_jobs)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: record %zu is not in the plan that config.json gives now, of %zu records",
                         replaying->request->folder, index, run->plan.n_jobs);
    const struct job *job = &run->plan.jobs[index];
    const struct dataset *dataset = run->datasets[job->dataset];
    struct unit_run *unit = NULL;
    struct job_result found;
    char *line = NULL;
    enum status status = unit_open(&unit, run->options->simd, dataset, job->split, run->config->kernel_type,
                                   run->config->gram_bytes, 0, error);
    if (status == STATUS_OK)
        status = unit_run_job(unit, run->config, job, NULL, run->options->interrupted, &found, error);
    if (status == STATUS_OK)
        status = record_line(run->config, dataset, job, &found, &line, error);
    if (status == STATUS_OK)
        status = replay_compare_record(replaying, index, line, error);
    unit_close(unit);
    cJSON_free(line);
    return status;
}

static int is_there(const char *folder, const char *name)
{
    struct stat about;
    char *path = path_join(folder, name);
    int there = path && stat(path, &about) == 0;
    free(path);
    return there;
}

/* The folder of an earlier replay is done anew, unless that was interrupted; a folder of the caller's is left alone. */
static enum status check_target(struct replaying *replaying, struct error *error)
{
    const char *folder = replaying->request->folder, *out = replaying->out;
    struct stat one, other;
    if (stat(folder, &one) == 0 && stat(out, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino)
        return error_set(error, STATUS_BAD_INPUT, "%s: is the folder of the run itself; choose another", out);
    int finished = is_there(out, "run.json");
    if (finished && replaying->request->run->out && !replaying->options.force)
        return error_set(error, STATUS_BAD_INPUT, "%s: holds a finished run; choose another folder or give --force",
                         out);
    replaying->options.force |= finished;
    return STATUS_OK;
}

static enum status remove_replay(const char *folder, struct error *error)
{
    enum status status = run_remove_outputs(folder, error);
    if (status == STATUS_OK)
        status = file_remove(folder, "config.json", error);
    if (status == STATUS_OK)
        status = file_remove(folder, "traces", error);
    if (status == STATUS_OK && rmdir(folder) != 0 && errno != ENOTEMPTY) /* another's files stay, and so does it */
        status = error_set(error, STATUS_IO, "%s: cannot be removed: %s", folder, strerror(errno));
    return status;
}

static enum status do_all(struct replaying *replaying, struct error *error)
{
    struct replay_result *result = replaying->result;
    enum status status = check_target(replaying, error);
    if (status == STATUS_OK)
        status = run_execute(&replaying->run, error);
    if (status == STATUS_OK)
        status = replay_compare_folder(replaying, error);
    if (status != STATUS_OK)
        return status;
    if (replaying->request->run->out || result->results.count)
        snprintf(result->kept, sizeof result->kept, "%s", replaying->out);
    else
        status = remove_replay(replaying->out, error);
    return status;
}

enum status replay_run(const struct replay_request *request, struct replay_result *result, struct error *error)
{
    struct replaying replaying = {.request = request, .result = result};
    *result = (struct replay_result){0};
    enum status status = open_run(&replaying, error);
    if (status == STATUS_OK) {
        status = replay_compare_setup(&replaying, error);
        if (status == STATUS_OK)
            status = request->one ? do_one(&replaying, error) : do_all(&replaying, error);
        run_close(&replaying.run);
    }
    run_folder_free(&replaying.before);
    free(replaying.config_path);
    free(replaying.out);
    free(replaying.datasets);
    if (status != STATUS_OK)
        replay_result_free(result);
    return status;
}

void replay_result_free(struct replay_result *result)
{
    string_list_free(&result->setup);
    string_list_free(&result->results);
}
