/*
 * Runs an experiment. Threads take chunks, longest first. Records go to the journal as they finish and, once all are
 * done, to records.jsonl in plan order, so its bytes do not depend on threads or interruptions.
 */
#include "harness/run/run.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "solvers/clock.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/run/run_files.h"
#include "harness/run/run_info.h"
#include "harness/run/unit.h"
#include "solvers/registry.h"

/* ---- data ---- */

void run_transform_dataset(const struct config *config, struct dataset *dataset)
{
    if (config->kernel->type == KERNEL_PRECOMPUTED)
        dataset_make_symmetric(dataset);
    dataset_standardise(dataset, config_standardise(config));
    if (config->reverse_training)
        dataset_reverse_training(dataset);
    if (config->swap_labels)
        dataset_swap_labels(dataset);
}

struct loading {
    const struct run *run;
    const struct dataset_spec *wanted;
    int needs_file;
    struct pool *pool;
    struct dataset *dataset;
    struct error error;
};

static void load_dataset(void *data)
{
    struct loading *loading = data;
    const struct run *run = loading->run;
    const struct config *config = run->config;
    const struct dataset_spec *wanted = loading->wanted;
    const struct dataset_request request = {
        .set = *wanted,
        .search_path = run->options->search_path,
        .cache = run->options->cache,
        .want_splits = wanted->file || wanted->family ? config->splits[config->n_splits - 1] : 0,
        .draws = config->draws,
        .config = run->options->config,
        .folds = config->folds,
        .seed = config->seed,
        .allow_generated = config->generate_missing && !loading->needs_file,
        .watch = run->options->reading,
        .source = config->source,
    };
    loading->dataset = dataset_load(loading->pool, &request);
    run_transform_dataset(config, loading->dataset);
}

/* An attempt. The error of a missing set has STATUS_NOT_FOUND. */
static void try_dataset(struct loading *loading)
{
    loading->needs_file = config_names(loading->run->options->from_files, loading->wanted->name);
    if (attempt(load_dataset, loading, &loading->error) == STATUS_OK)
        return;
    pool_reset(loading->pool);
    loading->dataset = NULL;
    if (loading->error.status == STATUS_NOT_FOUND && loading->wanted->file && !loading->needs_file)
        loading->error.status = STATUS_BAD_INPUT;
}

/* Sets datasets, missing and n_missing. Each set is read by a separate thread, because files are hashed, checked and
 * decompressed as a whole. Only the first error, in configuration order, is reported. */
static void load_datasets(struct run *run)
{
    const size_t count = run->config->n_datasets;
    struct pool *pool = run->config->pool;
    struct loading *loading = pool_array(pool, count, sizeof *loading);
    run->datasets = pool_array(pool, count, sizeof *run->datasets);
    run->missing = pool_array(pool, count, sizeof *run->missing);
    for (size_t d = 0; d < count; d++) /* each has a pool of its own, since threads share none */
        loading[d] = (struct loading){
            .run = run, .wanted = &run->config->datasets[d], .pool = pool_new_inside(pool)};
#pragma omp parallel for schedule(dynamic, 1) num_threads(run_threads(run->options))
    for (size_t d = 0; d < count; d++) {
        try_dataset(&loading[d]);
        run->datasets[d] = loading[d].dataset;
    }
    for (size_t d = 0; d < count; d++)
        if (loading[d].error.status == STATUS_NOT_FOUND) {
            struct missing_dataset *missing = &run->missing[run->n_missing++];
            missing->name = run->config->datasets[d].name;
            snprintf(missing->reason, sizeof missing->reason, "%s", loading[d].error.message);
        } else if (loading[d].error.status != STATUS_OK)
            die_of(&loading[d].error);
}

void run_open(struct run *run, const struct run_options *options, struct config *config)
{
    *run = (struct run){
        .options = options, .config = config, .opened = clock_now(), .opened_processor = clock_processors()};
    if (options->repeats > 0)
        config->repeats = (unsigned)options->repeats;
    config_select(config, options->solvers, options->datasets, options->splits, options->check_splits);
    load_datasets(run);
    run->stage_times.seconds[STAGE_FILES] = clock_now() - run->opened;
    plan_build(run->config, run->datasets, options->shard, options->shards, &run->plan);
    struct pool *pool = pool_new();
    run->fingerprint = run_info_of_plan(pool, &run->plan, options, NULL, 0, HULLBENCH_VERSION).fingerprint;
    run->fingerprint.program = fingerprint_program();
    pool_free(pool);
    run_costs_open(run);
}

/* ---- the parallel part ---- */

/* A piece of work of one thread. */
struct piece {
    void (*work)(void *context, size_t i, struct stage_times *times);
    void *context;
    size_t i;
    struct stage_times *times;
};

static void do_piece(void *data)
{
    const struct piece *piece = data;
    piece->work(piece->context, piece->i, piece->times);
}

int run_in_parallel(size_t count, unsigned threads, void (*work)(void *context, size_t i, struct stage_times *times),
                    void *context, struct stage_times *sum)
{
    const uint64_t turns = sum->turns;
    struct error first = {.status = STATUS_OK};
#pragma omp parallel num_threads(threads)
    {
        struct stage_times times = {.turns = turns};
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t i = 0; i < count; i++) {
            struct piece piece = {work, context, i, &times};
            struct error cause;
            enum status now;
#pragma omp critical(failure)
            now = first.status;
            if (now != STATUS_OK || attempt(do_piece, &piece, &cause) == STATUS_OK)
                continue;
#pragma omp critical(failure)
            if (first.status == STATUS_OK || first.status == STATUS_INTERRUPTED)
                first = cause;
        }
        times.turns -= turns;
#pragma omp critical(stage_times)
        stage_times_add(sum, &times);
    }
    if (first.status != STATUS_OK && first.status != STATUS_INTERRUPTED)
        die_of(&first);
    return first.status == STATUS_OK;
}

struct workers {
    struct run *run;
    struct unit *chunks; /* chunks to distribute, most expensive first */
    size_t n_chunks;
    unsigned threads;
};

const struct record *run_do_job(struct run *run, struct pool *pool, struct split_session *unit, const struct job *job,
                                size_t index, const char *trace, double cost, struct stage_times *times)
{
    struct trace *points = trace ? trace_new(pool) : NULL;
    struct job_result result;
    struct outfile out;
    struct error error;
    enum status status;
    run_costs_work(run, unit->dataset, unit->split, job, cost);
    isolated_run_job(unit, run->config, job, points, run->options->interrupted, &result);
    const double solved = clock_now();
    const struct record *record = record_of_job(pool, run->config, unit->dataset, job, &result);
    if (trace) {
        outfile_open(&out, trace);
        trace_print(points, trace_comment(pool, record), out.stream);
        outfile_commit(&out);
    }
    const struct journal_entry entry = journal_entry_of(record, record_line(pool, record), &unit->timing);
#pragma omp critical(journal)
    {
        status = journal_append(run->journal, index, &entry, &error);
        run_costs_done(run);
    }
    die_unless_ok(status, &error);
    times->seconds[STAGE_FILES] += clock_now() - solved;
    return record;
}

static void do_job(struct run *run, const struct unit *chunk, struct split_session *unit, size_t index,
                   struct stage_times *times)
{
    struct pool *pool = pool_new();
    const char *trace =
        plan_is_traced(&run->plan, index) ? plan_trace_path(pool, &run->plan, run->options->out, index) : NULL;
    (void)run_do_job(run, pool, unit, &run->plan.jobs[index], index, trace, chunk->cost / (double)chunk->count, times);
    pool_free(pool);
}

/* Runs the unfinished jobs that differ from `first` only in the tolerance, loosest first, so that one run can continue
 * through all of them. Returns the job after the last of them. */
static size_t do_tolerances(struct run *run, const struct unit *chunk, struct split_session *unit, size_t first,
                            struct stage_times *stage_times)
{
    const struct job *jobs = run->plan.jobs;
    const struct journal_entry *entries = journal_entries(run->journal);
    const size_t end = chunk->first + chunk->count;
    size_t last = first + 1, loosest = first;
    while (last < end && plan_same_but_tolerance(&jobs[first], &jobs[last]))
        last++;
    while (loosest < last) {
        loosest = last;
        for (size_t j = first; j < last; j++)
            if (!entries[j].record && (loosest == last || jobs[j].stop.tolerance > jobs[loosest].stop.tolerance))
                loosest = j;
        if (loosest < last)
            do_job(run, chunk, unit, loosest, stage_times);
    }
    return last;
}

static void do_chunk(struct workers *workers, const struct unit *chunk, struct stage_times *stage_times)
{
    struct run *run = workers->run;
    const struct job *first = &run->plan.jobs[chunk->first];
    const struct job *last = &run->plan.jobs[chunk->first + chunk->count - 1];
    const struct dataset *dataset = run->datasets[first->dataset];
    const size_t gram_bytes = run->config->gram_bytes / workers->threads;
    const int many = !kernel_equal(&first->kernel, &last->kernel), repeats = run->config->repeats >= 2;
    struct error error;
    double started = clock_now();
    run_costs_work(run, dataset, &dataset->splits[first->split], NULL, 0);
    struct pool *pool = pool_new();
    struct split_session *unit = unit_open(pool, run->options->simd, dataset, first->split, run->config->kernel->type,
                                           gram_bytes, many);
    stage_times->seconds[STAGE_START] += clock_now() - started;
    session_measure(unit->session, stage_times);
    session_share_work(unit->session, !repeats);
    if (run->options->check_rows)
        die_unless_ok(session_check_rows(unit->session, &error), &error);
    if (!repeats)
        session_keep_runs(unit->session);
    if (chunk->count > 2 && !many) /* no gain for two jobs */
        session_keep_test_rows(unit->session, gram_bytes / 4);
    for (size_t j = chunk->first; j < chunk->first + chunk->count;)
        j = do_tolerances(run, chunk, unit, j, stage_times);
    pool_free(pool);
}

static void next_chunk(void *context, size_t i, struct stage_times *stage_times)
{
    struct workers *workers = context;
    const struct journal_entry *entries = journal_entries(workers->run->journal);
    const struct unit *chunk = &workers->chunks[i];
    size_t j = chunk->first;
    if (i + 1 == workers->n_chunks && workers->run->options->begun_fd)
        close((int)workers->run->options->begun_fd);
#pragma omp critical(journal)
    while (j < chunk->first + chunk->count && entries[j].record)
        j++;
    if (j < chunk->first + chunk->count)
        do_chunk(workers, chunk, stage_times);
}

/* ---- output ---- */

/* The plan's part of run.json on one line, for the journal. */
static const char *plan_line(struct pool *pool, const struct run *run)
{
    struct run_info info = run_info_of_plan(pool, &run->plan, run->options, NULL, 0, HULLBENCH_VERSION);
    info.fingerprint = run->fingerprint;
    info.parameters = info.kernel_parameters = NULL; /* long, and the same for every plan of a program */
    cJSON *json = members_write(run_info_members, &info);
    json_keep(pool, json);
    char *line = json_line(json);
    pool_keep(pool, free, line);
    return line;
}

/* Makes the folder that of this run, with the records of an earlier plan that hold for it. Returns 0 if there are none;
 * then the folder is as it was. STATUS_BAD_INPUT if records would be lost. */
static int take_over(struct run *run)
{
    const char *out = run->options->out;
    struct pool *pool = pool_new();
    const struct journal_entry *entries = run->options->reuse ? reuse_find(pool, run, &run->reuse) : NULL;
    const int takes = run->reuse.jobs[REUSE_KEPT] > 0;
    if (takes && run->reuse.dropped && !run->options->drop)
        die(STATUS_BAD_INPUT, "%s: %zu of its finished records are not in this plan; choose another folder, or give "
            "--drop to remove them and keep %zu", out, run->reuse.dropped, run->reuse.jobs[REUSE_KEPT]);
    if (takes) {
        run_clear_folder(out, run->config); /* what could fail, before anything is removed */
        journal_write(path_in(out, "journal.jsonl"), &run->fingerprint, plan_line(pool, run), entries,
                      run->plan.n_jobs);
        run_remove_outputs(out);
    }
    pool_free(pool);
    return takes;
}

static void prepare_folder(struct run *run)
{
    const char *out = run->options->out;
    folder_check_kind(out, FOLDER_OF_RUN);
    int is_other = 0;
    if (!run->options->force)
        run->was_complete = folder_finished(out, "records.jsonl", &run->fingerprint, &is_other);
    if (!run->options->force && take_over(run))
        run->was_complete = 0;
    else if (is_other)
        folder_finished(out, "records.jsonl", &run->fingerprint, NULL); /* says what differs */
    if (run->was_complete)
        run_settle_folder(out, run->config);
}

static void take_time(struct run *run)
{
    run->seconds = clock_now() - run->opened;
    run->stage_times.processor = clock_processors() - run->opened_processor;
}

void run_end(struct run *run, size_t records, const struct record_hashes *hashes, cJSON *search_seconds)
{
    struct pool *pool = pool_new();
    take_time(run);
    struct run_info info = run_info_of_ended(pool, run, &run->plan, records, run->outcomes);
    info.search_seconds = json_keep(pool, search_seconds);
    run_info_write(run->options->out, members_write(run_info_members, &info), hashes);
    pool_free(pool);
    file_try_remove(run->options->out, "journal.jsonl");
}

static struct unsteady find_unsteady(const struct journal_entry *entries, size_t count)
{
    struct unsteady found = {0};
    for (size_t j = 0; j < count; j++) {
        const struct cpu_seconds *cpu = &entries[j].timing.cpu;
        found.repeated += cpu->repeats > 0;
        found.count += cpu->spread > UNSTEADY_SPREAD;
        if (cpu->spread > found.spread) {
            found.worst = j;
            found.spread = cpu->spread;
        }
    }
    return found;
}

void run_note_failure(struct run *run, size_t job, const char *reason)
{
    if (!run->failures)
        run->failures = pool_array(run->config->pool, run->config->n_solvers, sizeof *run->failures);
    struct run_failures *failures = &run->failures[run->plan.jobs[job].solver];
    if (failures->count++ > 0)
        return;
    failures->first = job;
    snprintf(failures->reason, sizeof failures->reason, "%s", reason ? reason : "");
}

static void finish(struct run *run)
{
    const struct journal_entry *entries = journal_entries(run->journal);
    double worked = clock_now();
    struct record_hashes hashes;
    journal_count_outcomes(entries, run->plan.n_jobs, run->outcomes);
    run->unsteady = find_unsteady(entries, run->plan.n_jobs);
    for (size_t j = 0; j < run->plan.n_jobs; j++)
        if (entries[j].outcome == OUTCOME_FAILED)
            run_note_failure(run, j, entries[j].reason);
    run_write_records(run->options->out, &run->plan, entries, &hashes);
    run->stage_times.seconds[STAGE_FILES] += clock_now() - worked;
    run_end(run, run->plan.n_jobs, &hashes, NULL);
}

static void write_partial(void *run)
{
    partial_write(run);
}

/* Writes the records finished so far to a separate folder, which the message names. */
static _Noreturn void stop_early(struct run *run)
{
    const size_t done = run->costs.jobs_done;
    take_time(run);
    int there = done > 0 && attempt(write_partial, run, NULL) == STATUS_OK;
    die(STATUS_INTERRUPTED, "%s: interrupted: %zu of %zu records are done%s", run->options->out, done,
        run->plan.n_jobs, there ? " (written to its folder " PARTIAL_FOLDER ")" : "");
}

static void begin_costs(struct run *run)
{
    const struct journal_entry *entries = journal_entries(run->journal);
    for (size_t u = 0; u < run->plan.n_units; u++) {
        const struct unit *unit = &run->plan.units[u];
        for (size_t j = unit->first; j < unit->first + unit->count; j++)
            if (!entries[j].record)
                run_costs_expect(run, run->plan.jobs[j].solver, unit->cost / (double)unit->count);
    }
    run_costs_begin(run, run->plan.n_jobs, journal_done(run->journal));
}

unsigned run_threads(const struct run_options *options)
{
    const unsigned max = 4096; /* OMP_NUM_THREADS may be absurdly large */
    unsigned threads = options->threads ? (unsigned)options->threads : (unsigned)omp_get_max_threads();
    return threads < max ? threads : max;
}

static void execute(struct run *run)
{
    struct workers workers = {.run = run, .threads = run_threads(run->options)};
    prepare_folder(run);
    if (run->was_complete)
        return;
    struct pool *pool = pool_new();
    run->journal = run_begin_folder(run->options->out, run->config, &run->fingerprint, plan_line(pool, run),
                                    run->plan.n_jobs, run->options->force ? run_remove_outputs : NULL);
    workers.chunks = plan_chunks(&run->plan, workers.threads, &workers.n_chunks);
    begin_costs(run);
    if (!run_in_parallel(workers.n_chunks, workers.threads, next_chunk, &workers, &run->stage_times))
        stop_early(run);
    run_costs_end(run);
    finish(run);
    journal_close(run->journal);
    pool_free(pool);
    free(workers.chunks);
}

void run_execute(struct run *run)
{
    struct folder_lock lock = {0};
    if (run->plan.n_jobs == 0)
        die(STATUS_NOT_FOUND, "%s: nothing to measure: %s", run->options->config,
            run->n_missing              ? run->missing[0].reason
            : run->options->shards > 1 ? "this shard has no block of the plan"
                                       : "no split of the data sets is selected");
    folder_make(run->options->out);
    folder_lock_take(&lock, run->options->out);
    execute(run);
    folder_lock_release(&lock);
}
