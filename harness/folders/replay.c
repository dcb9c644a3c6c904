/*
 * Repeats a run, see replay.h. Records and traces are compared byte by byte. In the set-up, every member of run.json
 * that describes program, machine or data is compared, in the order of the earlier file. Results of a run (counts,
 * times, peak memory) are not part of the set-up.
 */
#include "harness/folders/replay.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/records/run_folder.h"
#include "harness/run/run_files.h"
#include "harness/run/unit.h"

struct replaying {
    struct pool *pool; /* of everything below */
    const struct replay_request *request;
    struct run_folder before; /* the original folder */
    const struct record **repeated; /* its records that are repeated, in order */
    size_t n_repeated;
    const char *config_path, *out;
    const char *datasets, *from_files; /* see run_options; NULL: no restriction */
    struct run_options options;
    struct run run;
    struct replay_result result;
};

/* ---- the original run ---- */

static void add_word(struct pool *pool, const char **words, const char *word)
{
    *words = *words ? pool_printf(pool, "%s,%s", *words, word) : word;
}

/* If the run lacked data sets, restricts the replay to those it had, because the missing ones may be available now.
 * Data that were read from files are not generated instead. */
static void name_datasets(struct replaying *replaying)
{
    const struct run_info *run = &replaying->before.run;
    const char *wanted = replaying->request->run->datasets;
    for (size_t d = 0; d < run->data.count; d++) {
        if (!run->data.item[d].source || strcmp(run->data.item[d].source, DATASET_GENERATED) != 0)
            add_word(replaying->pool, &replaying->from_files, run->data.item[d].dataset);
        if (wanted ? config_names(wanted, run->data.item[d].dataset) : run->missing.count > 0)
            add_word(replaying->pool, &replaying->datasets, run->data.item[d].dataset);
    }
    for (const char *at = wanted; at; at = strchr(at, ',')) {
        at += *at == ',';
        const char *word = pool_strndup(replaying->pool, at, strcspn(at, ","));
        if (!run_info_data(run, word))
            die(STATUS_BAD_INPUT, "--datasets: %s has no data set \"%s\"", replaying->request->folder, word);
    }
}

static void set_options(struct replaying *replaying)
{
    const struct run_info *before = &replaying->before.run;
    struct run_options *options = &replaying->options;
    *options = *replaying->request->run;
    options->config = replaying->config_path;
    options->solvers = before->solvers;
    options->datasets = replaying->datasets ? replaying->datasets : before->datasets;
    options->from_files = replaying->from_files;
    options->splits = before->splits;
    options->shard = before->shard;
    options->shards = before->shards;
    options->repeats = before->repeats;
    options->out = replaying->out;
    if (options->threads == 0)
        options->threads = (size_t)omp_get_max_threads();
}

/* Whether the data set is one of those that are repeated. */
static int has_dataset(const struct replaying *replaying, const char *name)
{
    const struct run *run = &replaying->run;
    for (size_t d = 0; d < run->config->n_datasets; d++)
        if (strcmp(run->config->datasets[d].name, name) == 0)
            return run->datasets[d] != NULL;
    return 0;
}

static int is_of_part(const struct replaying *replaying)
{
    return replaying->run.n_missing || replaying->request->run->datasets;
}

/* Chooses the records to repeat: those of data sets that are there, and wanted. A shard has other blocks without a data
 * set, so it is repeated as a whole. */
static void choose_records(struct replaying *replaying)
{
    const struct run *run = &replaying->run;
    const struct record_file *file = &replaying->before.file;
    struct replay_result *result = &replaying->result;
    const int is_part = is_of_part(replaying);
    if (is_part && (run->plan.n_jobs == 0 || run->options->shards > 1)) {
        if (run->n_missing)
            die(STATUS_NOT_FOUND, "%s: data of the run are missing: %.700s", replaying->request->folder,
                run->missing[0].reason);
        die(STATUS_BAD_INPUT, "%s: --datasets does not apply to a shard: merge the shards first",
            replaying->request->folder);
    }
    for (size_t m = 0; m < run->n_missing; m++)
        string_list_push(replaying->pool, &result->missing, "%s", run->missing[m].reason);
    replaying->repeated = pool_array(replaying->pool, file->n_all + 1, sizeof *replaying->repeated);
    for (size_t i = 0; i < file->n_all; i++)
        if (is_part && !has_dataset(replaying, file->all[i].dataset))
            result->not_repeated++;
        else
            replaying->repeated[replaying->n_repeated++] = &file->all[i];
}

static void open_run(struct replaying *replaying)
{
    const struct replay_request *request = replaying->request;
    struct run_folder *before = &replaying->before;
    run_folder_open(replaying->pool, request->folder, FOLDER_FINISHED, before);
    run_folder_read_records(before);
    if (request->one && request->record >= before->file.n_all)
        die(STATUS_BAD_INPUT, "--record: %zu is out of range; %s has records 0 to %zu", request->record,
            request->folder, before->file.n_all - 1);
    name_datasets(replaying);
    replaying->config_path = pool_printf(replaying->pool, "%s/config.json", request->folder);
    replaying->out = request->run->out ? request->run->out : pool_printf(replaying->pool, "%s/replay", request->folder);
    set_options(replaying);
    run_open(&replaying->run, &replaying->options,
             config_parse(replaying->pool, replaying->config_path, replaying->before.config_text));
    choose_records(replaying);
    replaying->result.config = replaying->run.config->name;
}

/* ---- the set-up ---- */

/* The compared members of run.json on one line; the list of data sets becomes an object keyed by their names. */
static const char *setup_of(const struct replaying *replaying, const cJSON *info)
{
    cJSON *setup = json_keep(replaying->pool, json_new_object()), *data;
    json_each (item, info) {
        const struct member *row = members_find(run_info_members, item->string);
        if (row && !(row->flags & RUN_INFO_RESULT) && strcmp(row->key, "data") != 0)
            json_put_copy(setup, row->key, item);
    }
    cJSON_DeleteItemFromObject(json_member(setup, "machine"), RUN_INFO_PEAK);
    data = json_put_object(setup, "data");
    json_each (item, json_member(info, "data")) {
        const char *name = cJSON_GetStringValue(json_member(item, "dataset"));
        if (name && (!is_of_part(replaying) || has_dataset(replaying, name)))
            cJSON_DeleteItemFromObject(json_put_copy(data, name, item), "dataset");
    }
    char *line = json_line(setup);
    pool_keep(replaying->pool, free, line);
    return line;
}

/* Adds to result->setup how run.json differs from the current program, machine and data. */
static void compare_setup(struct replaying *replaying)
{
    struct replay_result *result = &replaying->result;
    const struct run_info info = run_info_of_run(replaying->pool, &replaying->run, &replaying->run.plan);
    const cJSON *now = json_keep(replaying->pool, members_write(run_info_members, &info));
    const struct json_differences found = record_diff(replaying->pool, setup_of(replaying, replaying->before.info),
                                                      setup_of(replaying, now));
    for (size_t k = 0; k < found.count; k++) {
        const struct json_difference *d = &found.item[k];
        const char *end = strrchr(d->path, '.');
        string_list_push(replaying->pool, &result->setup, "%s: was %.400s, is %.400s", d->path, d->was, d->is);
        result->other_data |= strncmp(d->path, "data.", 5) == 0 && strcmp(end, ".sha256") == 0;
    }
    if (!replaying->before.plan_agrees)
        string_list_push(replaying->pool, &result->setup,
                         "config.json: was changed after the run: it does not match the plan in run.json");
}

/* ---- the results ---- */

/* "record 5 (heart, split 3, clip-mdm)" */
static const char *name_of(const struct replaying *replaying, size_t index)
{
    const struct run *run = &replaying->run;
    const size_t position =
        index < replaying->n_repeated ? (size_t)(replaying->repeated[index] - replaying->before.file.all) : index;
    if (index >= run->plan.n_jobs)
        return pool_printf(replaying->pool, "record %zu", position);
    const struct job *job = &run->plan.jobs[index];
    const struct dataset *dataset = run->datasets[job->dataset];
    return pool_printf(replaying->pool, "record %zu (%s, split %zu, %s)", position, dataset->name,
                       dataset->splits[job->split].number, run->config->solvers[job->solver].solver->name);
}

/* Reports how record `index` differs from `line`, its new version. */
static void compare_record(struct replaying *replaying, size_t index, const char *line)
{
    struct replay_result *result = &replaying->result;
    const char *was = replaying->repeated[index]->text, *name = name_of(replaying, index);
    result->records++;
    if (strcmp(was, line) == 0)
        return;
    const struct json_differences found = record_diff(replaying->pool, was, line);
    if (found.count == 1 && strcmp(found.item[0].path, "schema") == 0)
        return; /* the same result, written by another version */
    result->differing++;
    for (size_t k = 0; k < found.count; k++)
        string_list_push(replaying->pool, &result->results, "%s: %s: was %.400s, is %.400s", name, found.item[k].path,
                         found.item[k].was, found.item[k].is);
    if (found.count == 0)
        string_list_push(replaying->pool, &result->results, "%s: the keys of the line are in another order", name);
}

/* Compares the trace of a job; an unreadable file counts as missing. */
static void compare_trace(struct replaying *replaying, size_t job)
{
    const char *const folders[] = {replaying->request->folder, replaying->out};
    struct pool *pool = pool_new();
    const char *paths[2];
    char *texts[2];
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        paths[i] = plan_trace_path(pool, &replaying->run.plan, folders[i], job);
        texts[i] = access(paths[i], R_OK) == 0 && !file_is_special(paths[i])
                       ? file_read_or_null(pool, paths[i], &sizes[i])
                       : NULL;
    }
    if (!texts[0] != !texts[1])
        string_list_push(replaying->pool, &replaying->result.results, "%s: trace: %s", name_of(replaying, job),
                         texts[0] ? "is missing" : "was missing");
    else if (texts[0] && (sizes[0] != sizes[1] || memcmp(texts[0], texts[1], sizes[0]) != 0))
        string_list_push(replaying->pool, &replaying->result.results, "%s: trace: differs from line %zu onwards (%s)",
                         name_of(replaying, job), text_first_difference(texts[0], texts[1]), paths[0]);
    pool_free(pool);
}

/* Compares all records and traces with those in the folder replaying->out. */
static void compare_folder(struct replaying *replaying)
{
    const struct plan *plan = &replaying->run.plan;
    struct pool *pool = pool_new();
    const struct string_list now = lines_read(pool, path_in(replaying->out, "records.jsonl"));
    const size_t before = replaying->n_repeated;
    for (size_t i = 0; i < before && i < now.count; i++)
        compare_record(replaying, i, now.line[i]);
    if (before != now.count)
        string_list_push(replaying->pool, &replaying->result.results,
                         "%zu records before, %zu now; the first record that only one side has is %s", before,
                         now.count, name_of(replaying, before < now.count ? before : now.count));
    for (size_t j = 0; j < plan->n_jobs; j++)
        if (plan_is_traced(plan, j))
            compare_trace(replaying, j);
    pool_free(pool);
}

/* ---- the repetition ---- */

/* The job of the record request->record. */
static size_t job_of_record(const struct replaying *replaying)
{
    const struct run *run = &replaying->run;
    const size_t record = replaying->request->record;
    size_t index = 0;
    while (index < replaying->n_repeated && replaying->repeated[index] != &replaying->before.file.all[record])
        index++;
    if (index == replaying->n_repeated)
        die(STATUS_NOT_FOUND, "%s: record %zu is of a data set that is missing or not selected%s%s",
            replaying->request->folder, record, run->n_missing ? ": " : "",
            run->n_missing ? run->missing[0].reason : "");
    if (index >= run->plan.n_jobs)
        die(STATUS_BAD_INPUT, "%s: record %zu is not in the plan of config.json, which now has %zu records",
            replaying->request->folder, index, run->plan.n_jobs);
    return index;
}

static void do_one(struct replaying *replaying)
{
    const struct run *run = &replaying->run;
    const size_t index = job_of_record(replaying);
    const struct job *job = &run->plan.jobs[index];
    const struct dataset *dataset = run->datasets[job->dataset];
    struct job_result found;
    struct pool *pool = pool_new();
    struct split_session *unit = unit_open(pool, run->options->simd, dataset, job->split, run->config->kernel->type,
                                           run->config->gram_bytes, 0);
    isolated_run_job(unit, run->config, job, NULL, run->options->interrupted, &found);
    const struct record *record = record_of_job(replaying->pool, run->config, dataset, job, &found);
    compare_record(replaying, index, record_line(replaying->pool, record));
    pool_free(pool);
}

/* Overwrites the finished run of an earlier replay, and resumes an interrupted one; refuses a finished run in a folder
 * given by the caller. */
static void check_target(struct replaying *replaying)
{
    const char *folder = replaying->request->folder, *out = replaying->out;
    if (file_is_same(folder, out))
        die(STATUS_BAD_INPUT, "%s: is the folder of the run itself; choose another folder", out);
    const int finished = access(path_in(out, "run.json"), F_OK) == 0;
    if (finished && replaying->request->run->out && !replaying->options.force)
        die(STATUS_BAD_INPUT, "%s: contains a finished run; choose another folder, or give --force to replace it", out);
    replaying->options.force |= finished;
}

static void do_all(struct replaying *replaying)
{
    check_target(replaying);
    run_execute(&replaying->run);
    compare_folder(replaying);
    if (replaying->request->run->out || replaying->result.results.count)
        replaying->result.kept = replaying->out;
    else
        run_remove_folder(replaying->out);
}

const struct replay_result *replay_run(struct pool *pool, const struct replay_request *request)
{
    struct replaying *replaying = pool_alloc(pool, sizeof *replaying);
    replaying->pool = pool;
    replaying->request = request;
    open_run(replaying);
    compare_setup(replaying);
    if (request->one)
        do_one(replaying);
    else
        do_all(replaying);
    return &replaying->result;
}

/* ---- checking without running anything ---- */

static void read_records(void *data)
{
    struct run_folder *folder = data;
    run_folder_read_records(folder);
    if (file_hash_listed(folder->info, "timings.jsonl"))
        run_folder_read_times(folder);
}

const struct run_verification *run_verify(struct pool *pool, const char *path)
{
    struct run_verification *result = pool_alloc(pool, sizeof *result);
    struct run_folder folder;
    struct error error;
    run_folder_open(pool, path, FOLDER_FINISHED, &folder);
    result->files = file_hashes_verify(pool, folder.info, path, &result->faults, &result->unchecked);
    if (result->faults.count > 0)
        return result;
    /* Every file is as it was written; what it says must also make sense. */
    if (!folder.plan_agrees)
        string_list_push(pool, &result->faults,
                         "%s/run.json: was changed: its plan is not that of the configuration, restrictions and data",
                         path);
    if (attempt_on_file(read_records, &folder, &error) == STATUS_OK)
        result->records = folder.file.n_all;
    else
        string_list_push(pool, &result->faults, "%s", error.message);
    return result;
}

/* ---- the command ---- */

void shell_word_print(FILE *text, const char *before, const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=+:";
    if (*word && word[strspn(word, harmless)] == '\0') {
        fprintf(text, " %s%s", before, word);
        return;
    }
    fprintf(text, " '%s", before);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", text);
        else if (*word == '\n')
            fputs("\n    ", text); /* stays inside the block of code */
        else
            fputc(*word, text);
    fputs("'", text);
}

void run_command_print_options(FILE *text, const struct run_info *info)
{
    const struct {
        const char *option, *value;
    } given[] = {{"solvers", info->solvers}, {"datasets", info->datasets}, {"splits", info->splits}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value) {
            fprintf(text, " --%s", given[i].option);
            shell_word_print(text, "", given[i].value);
        }
    if (info->shards > 1)
        fprintf(text, " --shard %zu/%zu", info->shard, info->shards);
    if (info->repeats)
        fprintf(text, " --repeats %zu", info->repeats);
    for (size_t p = 0; p < info->plugins.count; p++)
        if (info->plugins.item[p].file) {
            fputs(" --plugin", text);
            shell_word_print(text, "", info->plugins.item[p].file);
        }
}
