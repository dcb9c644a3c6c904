/*
 * The folder of a merge. It is written as a run writes its own, run.json last, under the same lock. run.json holds what
 * a run's holds where all folders agree; what they differ in stands with each of them in `merged_from`.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/run/run_info.h"
#include "harness/support/file.h"
#include "harness/run/run_target.h"
#include "harness/support/folder_lock.h"
#include "harness/merge/merging.h"
#include "harness/run/run_files.h"

/* ---- run.json ---- */

static int is_named(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Adds to `to` the members of `at(parts[0])` that are the same in all folders. */
static void add_agreed(cJSON *to, const struct merging *merging, const cJSON *(*at)(const struct part *))
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, at(&merging->parts[0])) {
        int same = !cJSON_HasObjectItem(to, item->string);
        for (size_t p = 1; p < merging->n_parts && same; p++)
            same = cJSON_Compare(item, cJSON_GetObjectItemCaseSensitive(at(&merging->parts[p]), item->string), 1);
        if (same)
            cJSON_AddItemToObject(to, item->string, cJSON_Duplicate(item, 1));
    }
}

static const cJSON *top(const struct part *part)
{
    return part->folder.info;
}

static const cJSON *machine(const struct part *part)
{
    return cJSON_GetObjectItemCaseSensitive(part->folder.info, "machine");
}

/* Of one folder: what it is, and what it does not share with all others. */
static void add_part(cJSON *list, const struct part *part, const cJSON *about)
{
    static const char *const own[] = {"plan", "records", "restricted_to", "finished", "seconds", "time", NULL};
    static const char *const told[] = {"schema",   "config", "plan_of", "units",   "units_of_plan",
                                       "outcomes", "data",   "missing", NULL};
    cJSON *json = cJSON_CreateObject();
    const cJSON *item = NULL;
    cJSON_AddItemToArray(list, json);
    cJSON_AddStringToObject(json, "folder", part->folder.path);
    cJSON_ArrayForEach (item, part->folder.info) {
        if (is_named(item->string, told))
            continue;
        if (is_named(item->string, own) ||
            !cJSON_Compare(item, cJSON_GetObjectItemCaseSensitive(about, item->string), 1))
            cJSON_AddItemToObject(json, item->string, cJSON_Duplicate(item, 1));
    }
}

static void add_times(cJSON *about, const struct merging *merging)
{
    double seconds = 0;
    const char *finished = "";
    for (size_t p = 0; p < merging->n_parts; p++) {
        const cJSON *json = merging->parts[p].folder.info;
        const cJSON *own = cJSON_GetObjectItemCaseSensitive(json, "seconds");
        const char *when = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "finished"));
        seconds += cJSON_IsNumber(own) ? own->valuedouble : 0;
        if (when && strcmp(when, finished) > 0)
            finished = when;
    }
    cJSON_AddStringToObject(about, "finished", finished);
    cJSON_AddNumberToObject(about, "seconds", seconds);
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/* Sums over the folders, where all of them say where their time went; the most memory that one of them needed. */
static void add_spent(cJSON *about, const struct merging *merging)
{
    struct stage_times sum = {0};
    double available = 0, peak = 0;
    int told = 1;
    for (size_t p = 0; p < merging->n_parts; p++) {
        const struct part *part = &merging->parts[p];
        const cJSON *time = cJSON_GetObjectItemCaseSensitive(part->folder.info, "time");
        struct stage_times spent = {.processor = number(time, RUN_INFO_PROCESSOR)};
        for (unsigned s = 0; s < STAGES; s++)
            spent.seconds[s] = number(time, stage_name((enum stage)s));
        stage_times_add(&sum, &spent);
        told = told && time;
        available += number(machine(part), "threads") * number(part->folder.info, "seconds");
        peak = number(machine(part), RUN_INFO_PEAK) > peak ? number(machine(part), RUN_INFO_PEAK) : peak;
    }
    if (told)
        {
        cJSON *time = cJSON_AddObjectToObject(about, "time");
        for (unsigned s = 0; s < STAGES; s++)
            cJSON_AddNumberToObject(time, stage_name((enum stage)s), sum.seconds[s]);
        cJSON_AddNumberToObject(time, RUN_INFO_PROCESSOR, sum.processor);
        if (available > 0)
            cJSON_AddNumberToObject(time, RUN_INFO_BUSY, sum.processor / available);
    }
    cJSON *joint = cJSON_GetObjectItemCaseSensitive(about, "machine");
    cJSON_DeleteItemFromObject(joint, RUN_INFO_PEAK);
    if (peak > 0)
        cJSON_AddNumberToObject(joint, RUN_INFO_PEAK, peak);
}

/* A folder that lacks parts is no run's: its plan must be none that a run could have. */
static void hash_partial(struct merging *merging)
{
    const struct string_list *lacks = &merging->result->lacks;
    for (size_t i = 0; i < lacks->count; i++)
        merging->run.identity.plan = journal_hash(merging->run.identity.plan, lacks->line[i], strlen(lacks->line[i]) + 1);
}

static enum status write_about(struct merging *merging, struct error *error)
{
    const struct merge_result *result = merging->result;
    struct run *run = &merging->run;
    struct run_info info = {.identity = run->identity,
                            .solvers = merging->solvers,
                            .datasets = merging->datasets,
                            .splits = merging->splits};
    journal_count_outcomes(merging->entries, run->plan.n_jobs, run->outcomes);
    memcpy(info.outcomes, run->outcomes, sizeof info.outcomes);
    enum status status = run_info_set_plan(&info, &run->plan, error);
    if (status == STATUS_OK)
        status = run_info_set_missing(&info, run->missing, run->n_missing, error);
    if (status == STATUS_OK && result->lacks.count)
        status = run_info_set_partial(&info, (const char *const *)result->lacks.line, result->lacks.count, error);
    info.identity = run->identity; /* hash_partial has been there */
    info.records = result->records;
    *info.identity.program = '\0';
    cJSON *about = run_info_json(&info);
    run_info_free(&info);
    add_times(about, merging);
    cJSON *agreed = cJSON_CreateObject();
    add_agreed(agreed, merging, machine);
    cJSON_AddItemToObject(about, "machine", agreed);
    add_spent(about, merging);
    cJSON *list = cJSON_CreateArray();
    cJSON_AddItemToObject(about, "merged_from", list);
    add_agreed(about, merging, top);
    for (size_t p = 0; p < merging->n_parts; p++)
        add_part(list, &merging->parts[p], about);
    char *path = path_join(merging->request->out, "run.json");
    if (status == STATUS_OK)
        status = path ? json_write(path, about, error) : error_set(error, STATUS_NO_MEMORY, "out of memory");
    free(path);
    cJSON_Delete(about);
    return status;
}

/* ---- traces ---- */

static enum status copy_trace(const struct merging *merging, size_t job, struct error *error)
{
    char *from = plan_trace_path(&merging->run.plan, merging->from[job]->folder.path, job);
    char *to = plan_trace_path(&merging->run.plan, merging->request->out, job), *text = NULL;
    size_t size = 0;
    enum status status = from && to ? file_read(from, &text, &size, error)
                                    : error_set(error, STATUS_NO_MEMORY, "out of memory for a trace");
    if (status == STATUS_NOT_FOUND)
        status = error->status = STATUS_BAD_INPUT;
    if (status == STATUS_OK)
        status = file_write(to, text, size, error);
    free(text);
    free(from);
    free(to);
    return status;
}

static enum status copy_traces(const struct merging *merging, struct error *error)
{
    const struct run *run = &merging->run;
    if (!run->config->trace_datasets)
        return STATUS_OK;
    char *folder = path_join(merging->request->out, "traces");
    enum status status = folder ? folder_make(folder, error) : error_set(error, STATUS_NO_MEMORY, "out of memory");
    free(folder);
    for (size_t j = 0; j < run->plan.n_jobs && status == STATUS_OK; j++)
        if (merging->entries[j].record && plan_is_traced(&run->plan, j))
            status = copy_trace(merging, j, error);
    return status;
}

/* ---- the folder ---- */

static enum status check_folder(const struct merging *merging, struct error *error)
{
    const struct merge_request *request = merging->request;
    struct stat out, in;
    enum status status = folder_check_kind(request->out, FOLDER_OF_RUN, error);
    if (status != STATUS_OK)
        return status;
    for (size_t p = 0; p < merging->n_parts; p++)
        if (stat(request->out, &out) == 0 && stat(merging->parts[p].folder.path, &in) == 0 && out.st_dev == in.st_dev &&
            out.st_ino == in.st_ino)
            return error_set(error, STATUS_BAD_INPUT, "%s: is one of the folders to be merged; choose another",
                             request->out);
    char *about = path_join(request->out, "run.json");
    if (!about)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", request->out);
    if (!request->force && stat(about, &in) == 0)
        status = error_set(error, STATUS_BAD_INPUT, "%s: holds a finished run; choose another folder or give --force",
                           request->out);
    free(about);
    return status;
}

static enum status write_inside(struct merging *merging, struct error *error)
{
    const char *out = merging->request->out, *text = merging->run.config->text;
    char *config = path_join(out, "config.json");
    enum status status = config ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", out);
    if (status == STATUS_OK)
        status = run_remove_temporaries(out, error);
    if (status == STATUS_OK && merging->request->force)
        status = run_remove_outputs(out, error);
    if (status == STATUS_OK)
        status = file_write(config, text, strlen(text), error);
    free(config);
    if (status == STATUS_OK)
        status = copy_traces(merging, error);
    if (status == STATUS_OK)
        status = run_write_records(out, merging->entries, merging->run.plan.n_jobs, error);
    return status == STATUS_OK ? write_about(merging, error) : status;
}

/* The journal says, should this be cut off, that the folder is unfinished; the next merge into it goes on. */
static enum status write_files(struct merging *merging, struct error *error)
{
    struct journal *journal = NULL;
    char *path = path_join(merging->request->out, "journal.jsonl");
    enum status status = path ? journal_open(&journal, path, &merging->run.identity, merging->run.plan.n_jobs,
                                             merging->request->force, error)
                              : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", merging->request->out);
    if (status == STATUS_OK)
        status = write_inside(merging, error);
    journal_close(journal);
    if (status == STATUS_OK)
        remove(path);
    free(path);
    return status;
}

enum status merge_write(struct merging *merging, struct error *error)
{
    const struct merge_request *request = merging->request;
    struct folder_lock lock = {0};
    enum status status = run_hash_plan(&merging->run, merging->parts[0].folder.run.version, error);
    hash_partial(merging);
    if (status == STATUS_OK)
        status = folder_make(request->out, error);
    if (status == STATUS_OK)
        status = folder_lock_take(&lock, request->out, error);
    if (status == STATUS_OK)
        status = check_folder(merging, error);
    if (status == STATUS_OK)
        status = write_files(merging, error);
    folder_lock_release(&lock);
    return status;
}
