/* run.json: where, by what and on which data a run was done. Nothing of it enters the records. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <gsl/gsl_version.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "harness/run/run_info.h"
#include "harness/support/file.h"
#include "solvers/registry.h"

#ifndef HULLBENCH_BUILD
#define HULLBENCH_BUILD "unknown"
#endif

static void add_processor(cJSON *machine)
{
    char text[8192]; /* the first processor is near the beginning */
    int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    char *name = strstr(text, "model name"), *colon = name ? strchr(name, ':') : NULL;
    if (colon) {
        colon[1 + strcspn(colon + 1, "\n")] = '\0';
        cJSON_AddStringToObject(machine, "processor", colon + 2);
    }
}

double run_info_peak_megabytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}

static void add_machine(cJSON *about, const struct run *run, unsigned threads)
{
    struct utsname names;
    cJSON *machine = cJSON_AddObjectToObject(about, "machine");
    if (uname(&names) == 0) {
        cJSON_AddStringToObject(machine, "system", names.sysname);
        cJSON_AddStringToObject(machine, "release", names.release);
        cJSON_AddStringToObject(machine, "architecture", names.machine);
    }
    add_processor(machine);
    cJSON_AddStringToObject(machine, "vector_width", run->options->simd->name);
    cJSON_AddNumberToObject(machine, "threads", threads);
    if (run_info_peak_megabytes() > 0)
        cJSON_AddNumberToObject(machine, RUN_INFO_PEAK, run_info_peak_megabytes());
}

/* Of the splits of data set d that the run used, the fewest patterns to train and the most to test, where known. */
static void add_sizes(cJSON *item, const struct run *run, size_t d)
{
    size_t train = SIZE_MAX, test = 0;
    for (size_t u = 0; u < run->plan.n_units; u++) {
        const struct job *job = &run->plan.jobs[run->plan.units[u].first];
        if (job->dataset != d)
            continue;
        const struct split *split = &run->datasets[d]->splits[job->split];
        train = split->n_train < train ? split->n_train : train;
        test = split->n_test > test ? split->n_test : test;
    }
    if (train == 0 || train == SIZE_MAX)
        return;
    cJSON_AddNumberToObject(item, "train", (double)train);
    cJSON_AddNumberToObject(item, "test", (double)test);
}

int run_info_split_sizes(const cJSON *about, const char *dataset, size_t *train, size_t *test)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(about, "data"))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dataset"));
        const cJSON *most = cJSON_GetObjectItemCaseSensitive(item, "test");
        const cJSON *fewest = cJSON_GetObjectItemCaseSensitive(item, "train");
        if (!name || strcmp(name, dataset) != 0 || !cJSON_IsNumber(fewest) || !cJSON_IsNumber(most))
            continue;
        *train = fewest->valuedouble >= 1 && fewest->valuedouble < 1e15 ? (size_t)fewest->valuedouble : 0;
        *test = most->valuedouble >= 0 && most->valuedouble < 1e15 ? (size_t)most->valuedouble : 0;
        return *train > 0;
    }
    return 0;
}

static void add_data(cJSON *about, const struct run *run)
{
    cJSON *list = cJSON_AddArrayToObject(about, "data");
    for (size_t d = 0; d < run->config->n_datasets; d++) {
        const struct dataset *dataset = run->datasets[d];
        size_t sources[SPLIT_FOLD + 1] = {0};
        if (!dataset)
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToArray(list, item);
        cJSON_AddStringToObject(item, "dataset", dataset->name);
        cJSON_AddStringToObject(item, "source", dataset->source);
        cJSON_AddStringToObject(item, "sha256", dataset->sha256);
        for (size_t u = 0; u < run->plan.n_units; u++) {
            const struct job *job = &run->plan.jobs[run->plan.units[u].first];
            if (job->dataset == d)
                sources[dataset->splits[job->split].source]++;
        }
        for (unsigned s = 0; s <= SPLIT_FOLD; s++)
            if (sources[s])
                cJSON_AddNumberToObject(item, split_source_name((enum split_source)s), (double)sources[s]);
        add_sizes(item, run, d);
    }
    list = cJSON_AddArrayToObject(about, "missing");
    for (size_t m = 0; m < run->n_missing; m++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToArray(list, item);
        cJSON_AddStringToObject(item, "dataset", run->missing[m].name);
        char reason[sizeof run->missing[m].reason]; /* without the name before it and the command after it */
        const char *colon = strstr(run->missing[m].reason, ": ");
        snprintf(reason, sizeof reason, "%s", colon ? colon + 2 : run->missing[m].reason);
        reason[strcspn(reason, ";")] = '\0';
        cJSON_AddStringToObject(item, "reason", reason);
        cJSON_AddStringToObject(item, "command", "datasets/fetch.sh");
    }
}

/* The shared objects that solvers of this run come from, each with the names of those. */
static void add_plugins(cJSON *about, const struct config *config)
{
    cJSON *list = NULL;
    for (size_t s = 0; s < config->n_solvers; s++) {
        const struct solver *solver = config->solvers[s].solver;
        const struct solver_origin *origin = solver_origin(solver);
        if (!origin)
            continue;
        cJSON *item, *names = NULL;
        list = list ? list : cJSON_AddArrayToObject(about, "plugins");
        cJSON_ArrayForEach(item, list)
        {
            if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(item, "sha256")), origin->sha256) == 0)
                names = cJSON_GetObjectItem(item, "solvers");
        }
        if (!names) {
            item = cJSON_CreateObject();
            cJSON_AddItemToArray(list, item);
            cJSON_AddStringToObject(item, "file", origin->file);
            cJSON_AddStringToObject(item, "sha256", origin->sha256);
            names = cJSON_AddArrayToObject(item, "solvers");
        }
        cJSON_AddItemToArray(names, cJSON_CreateString(solver->name));
    }
}

static void add_restrictions(cJSON *about, const struct run_options *options)
{
    const char *const words[][2] = {
        {"solvers", options->solvers}, {"datasets", options->datasets}, {"splits", options->splits}};
    cJSON *object = cJSON_AddObjectToObject(about, "restricted_to");
    for (size_t i = 0; i < 3; i++)
        if (words[i][1])
            cJSON_AddStringToObject(object, words[i][0], words[i][1]);
    if (options->shards > 1) {
        cJSON_AddNumberToObject(object, "shard", (double)options->shard);
        cJSON_AddNumberToObject(object, "shards", (double)options->shards);
    }
}

static void put_hash(cJSON *json, const char *key, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(json, key, text);
}

void run_info_add_results(cJSON *about, const struct run *run, size_t records)
{
    cJSON_AddNumberToObject(about, "schema", 1);
    cJSON_AddStringToObject(about, "config", run->config->name);
    const struct fingerprint *identity = &run->identity;
    put_hash(about, "plan", identity->plan);
    cJSON *parts = cJSON_AddObjectToObject(about, "plan_of");
    put_hash(parts, "config", identity->config);
    put_hash(parts, "options", identity->options);
    put_hash(parts, "data", identity->data);
    cJSON_AddNumberToObject(about, "records", (double)records);
    if (run->plan.n_units_whole) {
        cJSON_AddNumberToObject(about, "units", (double)run->plan.n_units);
        cJSON_AddNumberToObject(about, "units_of_plan", (double)run->plan.n_units_whole);
    }
    cJSON *outcomes = cJSON_AddObjectToObject(about, "outcomes");
    for (unsigned o = 0; o < OUTCOMES; o++)
        if (run->outcomes[o])
            cJSON_AddNumberToObject(outcomes, outcome_name((enum outcome)o), (double)run->outcomes[o]);
    add_restrictions(about, run->options);
    add_plugins(about, run->config);
    add_data(about, run);
}

void run_info_add_program(cJSON *about, const struct run *run, unsigned threads)
{
    cJSON_AddStringToObject(about, "version", HULLBENCH_VERSION);
    cJSON_AddStringToObject(about, "build", HULLBENCH_BUILD);
    cJSON_AddStringToObject(about, "compiler", __VERSION__);
    cJSON_AddStringToObject(about, "gsl", gsl_version);
#ifdef __GLIBC__
    cJSON_AddStringToObject(about, "libc", gnu_get_libc_version());
#endif
    if (*run->identity.program) /* two builds of one version can be told apart */
        cJSON_AddStringToObject(about, "program_sha256", run->identity.program);
    add_machine(about, run, threads);
}

void run_info_add_time(cJSON *about, double seconds)
{
    char text[64];
    time_t clock = time(NULL);
    struct tm utc;
    if (gmtime_r(&clock, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        cJSON_AddStringToObject(about, "finished", text);
    cJSON_AddNumberToObject(about, "seconds", seconds);
}

void run_info_add_stage_times(cJSON *about, const struct stage_times *spent, double seconds, unsigned threads)
{
    cJSON *time = cJSON_AddObjectToObject(about, "time");
    for (unsigned p = 0; p < STAGES; p++)
        cJSON_AddNumberToObject(time, stage_name((enum stage)p), spent->seconds[p]);
    cJSON_AddNumberToObject(time, RUN_INFO_PROCESSOR, spent->processor);
    if (seconds > 0 && threads > 0)
        cJSON_AddNumberToObject(time, RUN_INFO_BUSY, spent->processor / (seconds * threads));
}

enum status run_info_write(const struct run *run, unsigned threads, const char *lacks, struct error *error)
{
    cJSON *about = cJSON_CreateObject();
    run_info_add_results(about, run, run->plan.n_jobs);
    if (lacks)
        cJSON_AddItemToObject(about, "partial", cJSON_CreateStringArray(&lacks, 1));
    run_info_add_program(about, run, threads);
    run_info_add_time(about, run->seconds);
    if (run->options->check_rows) /* which the seconds have in them */
        cJSON_AddTrueToObject(about, "check_rows");
    if (run->spent.processor > 0)
        run_info_add_stage_times(about, &run->spent, run->seconds, threads);
    char *path = path_join(run->options->out, "run.json");
    enum status status = path ? json_write(path, about, error) : error_set(error, STATUS_NO_MEMORY, "out of memory");
    free(path);
    cJSON_Delete(about);
    return status;
}
