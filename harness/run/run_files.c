/* Files in a run folder. Records and times are written at once, after all jobs are done. */
#include "harness/run/run_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/run/run_info.h"
#include "harness/support/file.h"

/* ---- existing folders; only configurations of tune have a member "tune" ---- */

void folder_check_regular(const char *folder)
{
    static const char *const names[] = {"config.json",   "run.json",          "records.jsonl", "timings.jsonl",
                                        "journal.jsonl", "evaluations.jsonl", "tune.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        file_check_regular(path_in(folder, names[i]));
}

struct reading {
    struct pool *pool;
    const char *folder, *name;
    cJSON *json; /* NULL if the file does not exist */
    struct run_info info;
};

static void read_json(void *data)
{
    struct reading *reading = data;
    reading->json = json_read_or_null(reading->pool, path_in(reading->folder, reading->name));
}

void folder_check_kind(const char *folder, enum folder_kind kind)
{
    static const char *const verbs[] = {[FOLDER_OF_RUN] = "run", [FOLDER_OF_TUNE] = "tune"};
    folder_check_regular(folder);
    struct reading config = {.pool = pool_new(), .folder = folder, .name = "config.json"};
    int known = attempt_on_file(read_json, &config, NULL) == STATUS_OK && config.json;
    enum folder_kind found = cJSON_HasObjectItem(config.json, "tune") ? FOLDER_OF_TUNE : FOLDER_OF_RUN;
    pool_free(config.pool);
    if (known && found != kind)
        die(STATUS_BAD_INPUT, "%s: belongs to hullbench %s, which --force does not override; choose another folder",
            folder, verbs[found]);
}

static int has_one_of(const char *folder, const char *const *names, size_t count)
{
    int found = 0;
    for (size_t i = 0; i < count && !found; i++)
        found = access(path_in(folder, names[i]), F_OK) == 0;
    return found;
}

void folder_check_info(const char *folder)
{
    static const char *const marks[] = {"run.json", "journal.jsonl"};
    static const char *const results[] = {"records.jsonl", "evaluations.jsonl", "tune.json"};
    if (!has_one_of(folder, marks, sizeof marks / sizeof *marks) &&
        has_one_of(folder, results, sizeof results / sizeof *results))
        die(STATUS_BAD_INPUT,
            "%s: contains results of a finished run, but its run.json is missing; restore it, choose another folder, "
            "or give --force to replace the results",
            folder);
}

static void read_info(void *data)
{
    struct reading *reading = data;
    read_json(reading);
    if (reading->json)
        run_info_read(reading->pool, reading->json, path_in(reading->folder, reading->name), &reading->info);
}

int folder_finished(const char *folder, const char *results, const struct fingerprint *fingerprint, int *is_other)
{
    char words[FINGERPRINT_DIFF_SIZE] = "";
    struct error cause = {0};
    struct reading reading = {.pool = pool_new(), .folder = folder, .name = "run.json"};
    const enum status status = attempt_on_file(read_info, &reading, &cause);
    if (status != STATUS_OK)
        die(status, "%.600s; restore this file, choose another folder, or give --force to replace the results",
            cause.message);
    if (!reading.json)
        folder_check_info(folder);
    else if (fingerprint_differs(fingerprint, &reading.info.fingerprint, words) && is_other)
        *is_other = 1;
    else if (*words)
        die(STATUS_BAD_INPUT, "%s: contains a finished run of %s; choose another folder, or give --force to replace it",
            folder, reading.info.is_partial ? "another plan, without some of its parts" : words);
    const int is_finished = reading.json && !(is_other && *is_other) && has_one_of(folder, &results, 1);
    pool_free(reading.pool);
    return is_finished;
}

/* ---- traces ---- */

int plan_is_traced(const struct plan *plan, size_t index)
{
    const struct job *job = &plan->jobs[index];
    const struct config *config = plan->config;
    const struct config_trace *trace = config->trace;
    const struct dataset *dataset = plan->datasets[job->dataset];
    int number = 0;
    for (size_t i = 0; trace && i < trace->n_splits; i++)
        number |= trace->splits[i] == dataset->splits[job->split].number;
    return number && texts_have(trace->datasets.item, dataset->name) &&
           !config->solvers[job->solver].solver->solve_external;
}

/* How many earlier jobs of the same split and solver name the whole plan has. The number is the same in a shard that
 * lacks some kernels, because every kernel has equally many such jobs. */
static size_t count_before(const struct plan *plan, size_t index)
{
    const struct job *jobs = plan->jobs, *job = &jobs[index];
    const char *solver = plan->config->solvers[job->solver].solver->name;
    size_t first = index, before = 0, count = 0;
    while (first > 0 && plan_same_block(&jobs[first - 1], job))
        first--;
    for (size_t j = first; j < plan->n_jobs && plan_same_block(&jobs[j], job); j++) {
        const size_t same = strcmp(plan->config->solvers[jobs[j].solver].solver->name, solver) == 0;
        before += j < index ? same : 0;
        count += same;
    }
    return job->place[PLACE_KERNEL] * count + before;
}

/* traces/DATASET-SPLIT-SOLVER[-k].tsv; k counts the split's jobs with that solver name; the first has no number. */
const char *plan_trace_path(struct pool *pool, const struct plan *plan, const char *folder, size_t index)
{
    const struct job *job = &plan->jobs[index];
    const struct dataset *dataset = plan->datasets[job->dataset];
    const size_t before = count_before(plan, index);
    const char *const parts[] = {dataset->name, pool_printf(pool, "%zu", dataset->splits[job->split].number),
                                 plan->config->solvers[job->solver].solver->name,
                                 before ? pool_printf(pool, "%zu", before + 1) : NULL, NULL};
    return file_name_join(pool, pool_printf(pool, "%s/traces/", folder), parts, ".tsv");
}

/* ---- records and times ---- */

/* The line of the record of a job; malloc'ed. */
static char *timing_line(const struct plan *plan, size_t job, size_t index, const struct journal_entry *entry)
{
    char *line = NULL;
    FILE *stream = xopen_text(&line, NULL);
    fprintf(stream, "{\"index\":%zu,\"seconds\":%.6f,\"job\":[", index, entry->timing.seconds);
    for (unsigned i = 0; i < PLAN_PLACE; i++)
        fprintf(stream, "%s%" PRIu32, i ? "," : "", plan->jobs[job].place[i]);
    fputc(']', stream);
    timing_print(&entry->timing, stream);
    if (entry->outcome == OUTCOME_FAILED && entry->reason) {
        fputs(",\"failed\":", stream);
        json_print_text(stream, entry->reason);
    }
    fputc('}', stream);
    xclose_text(stream);
    return line;
}

/* Writes the records or their times, and hashes them. */
static void write_hashed(const char *folder, const char *name, const struct plan *plan,
                         const struct journal_entry *entries, int are_times, struct file_hash *hash)
{
    struct outfile out;
    struct sha256 sha256;
    size_t index = 0;
    *hash = (struct file_hash){0};
    outfile_open(&out, path_in(folder, name));
    sha256_begin(&sha256);
    for (size_t j = 0; j < plan->n_jobs; j++) {
        if (!entries[j].record)
            continue;
        char *time = are_times ? timing_line(plan, j, index++, &entries[j]) : NULL;
        const char *line = time ? time : entries[j].record;
        fprintf(out.stream, "%s\n", line);
        sha256_add(&sha256, line, strlen(line));
        sha256_add(&sha256, "\n", 1);
        hash->bytes += strlen(line) + 1;
        free(time);
    }
    sha256_end(&sha256, hash->sha256);
    outfile_commit(&out);
}

void run_write_records(const char *folder, const struct plan *plan, const struct journal_entry *entries,
                       struct record_hashes *hashes)
{
    write_hashed(folder, "records.jsonl", plan, entries, 0, &hashes->records);
    write_hashed(folder, "timings.jsonl", plan, entries, 1, &hashes->timings);
}

/* ---- beginning a folder and removing files ---- */

static void remove_temporaries(const char *folder)
{
    static const char *const inside[] = {"traces", PARTIAL_FOLDER, "tables", "plots", "paper"};
    folder_remove_temporaries(folder);
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        folder_remove_temporaries(path_in(folder, inside[i]));
}

/* Removes the tables that run.json lists: they are of the records that are about to be removed. */
static void remove_tables(const char *folder)
{
    struct reading info = {.pool = pool_new(), .folder = folder, .name = "run.json"};
    if (attempt_on_file(read_json, &info, NULL) == STATUS_OK)
        json_each (item, json_member(info.json, "files"))
            if (item->string && strncmp(item->string, "tables/", 7) == 0 && file_name_is_plain(item->string + 7))
                file_remove(folder, item->string);
    pool_free(info.pool);
}

void run_remove_outputs(const char *folder)
{
    static const char *const outputs[] = {"run.json", "records.jsonl", "timings.jsonl"};
    remove_tables(folder);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        file_remove(folder, outputs[i]);
    file_remove_all(path_in(folder, "traces"), "", ".tsv");
}

void run_remove_folder(const char *folder)
{
    run_remove_outputs(folder);
    file_remove(folder, "config.json");
    file_remove(folder, "traces");
    if (rmdir(folder) != 0 && errno != ENOTEMPTY) /* keep a folder with foreign files */
        die(STATUS_IO, "%s: cannot be removed: %s", folder, strerror(errno));
}

void run_write_config(const char *folder, const struct config *config)
{
    file_write(path_in(folder, "config.json"), config->text, strlen(config->text));
}

void run_settle_folder(const char *folder, const struct config *config)
{
    file_try_remove(folder, "journal.jsonl");
    remove_temporaries(folder);
    if (access(path_in(folder, "config.json"), F_OK) != 0) /* the other verbs need the configuration, too */
        run_write_config(folder, config);
}

/* A config.json without any other file of a run may belong to the user; it is not overwritten with a different text. */
static void check_own_config(const char *folder, const struct config *config)
{
    static const char *const of_runs[] = {"journal.jsonl", "run.json", "records.jsonl", "evaluations.jsonl"};
    struct pool *pool = pool_new();
    const char *path = path_in(folder, "config.json");
    named_path_check(path);
    const char *text = file_read_or_null(pool, path, NULL);
    if (text && strcmp(text, config->text) != 0 && !has_one_of(folder, of_runs, sizeof of_runs / sizeof *of_runs))
        die(STATUS_BAD_INPUT,
            "%s: contains a config.json that belongs to no run and would be overwritten; choose another folder",
            folder);
    pool_free(pool);
}

/* Removes the folder of an interrupted run, except files of others. */
static void partial_remove(const char *out)
{
    static const char *const files[] = {"run.json", "records.jsonl", "timings.jsonl", "config.json"};
    const char *folder = path_in(out, PARTIAL_FOLDER);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        file_remove(folder, files[i]);
    (void)rmdir(path_in(out, PARTIAL_FOLDER)); /* unless it contains other files */
}

void run_clear_folder(const char *folder, const struct config *config)
{
    check_own_config(folder, config);
    remove_temporaries(folder);
    partial_remove(folder);
    if (config->trace)
        folder_make(path_in(folder, "traces"));
}

struct journal *run_begin_folder(const char *folder, const struct config *config,
                                 const struct fingerprint *fingerprint, const char *run, size_t n,
                                 void (*remove_outputs)(const char *folder))
{
    check_own_config(folder, config);
    const char *path = path_in(folder, "journal.jsonl");
    struct journal *journal = journal_open(path, fingerprint, run, n, remove_outputs != NULL);
    if (remove_outputs)
        remove_outputs(folder);
    run_clear_folder(folder, config);
    run_write_config(folder, config);
    return journal;
}

/* ---- finished records of an interrupted run; same files as for any run, without the unfinished jobs ---- */

/* The units of the run's plan with at least one finished job; `units` has room for all. */
static struct plan finished_units(const struct run *run, const struct journal_entry *entries, struct unit *units)
{
    struct plan plan = run->plan;
    plan.units = units;
    plan.n_units = 0;
    for (size_t u = 0; u < run->plan.n_units; u++) {
        const struct unit *unit = &run->plan.units[u];
        size_t j = unit->first;
        while (j < unit->first + unit->count && !entries[j].record)
            j++;
        if (j < unit->first + unit->count)
            units[plan.n_units++] = *unit;
    }
    return plan;
}

void partial_write(const struct run *run)
{
    const struct journal_entry *entries = journal_entries(run->journal);
    const size_t done = run->costs.jobs_done;
    struct pool *pool = pool_new();
    const char *out = pool_printf(pool, "%s/" PARTIAL_FOLDER, run->options->out);
    struct unit *units = pool_array(pool, run->plan.n_units, sizeof *units);
    const struct plan plan = finished_units(run, entries, units);
    struct record_hashes hashes;
    size_t outcomes[OUTCOMES];
    folder_make(out);
    run_write_config(out, run->config);
    run_write_records(out, &run->plan, entries, &hashes);
    const char *lacks = pool_printf(pool, "interrupted: %zu of %zu records", done, plan.n_jobs);
    journal_count_outcomes(entries, plan.n_jobs, outcomes);
    struct run_info info = run_info_of_ended(pool, run, &plan, done, outcomes);
    run_info_set_partial(pool, &info, &lacks, 1);
    run_info_write(out, members_write(run_info_members, &info), &hashes);
    pool_free(pool);
}
