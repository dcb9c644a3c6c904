/* run.json in and out, see run_info.h. Tables say which text stands under which key, for both ways. */
#include "harness/run/run_info.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
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

#include "harness/run/journal.h"
#include "harness/run/run.h"
#include "harness/support/file.h"
#include "harness/support/json_field.h"
#include "solvers/registry.h"

#ifndef HULLBENCH_BUILD
#define HULLBENCH_BUILD "unknown"
#endif

struct text_member {
    const char *key; /* NULL ends a table */
    size_t offset;   /* of the const char * */
};

static const struct text_member top_texts[] = {
    {"config", offsetof(struct run_info, config)},     {"version", offsetof(struct run_info, version)},
    {"build", offsetof(struct run_info, build)},       {"compiler", offsetof(struct run_info, compiler)},
    {"gsl", offsetof(struct run_info, gsl)},           {"libc", offsetof(struct run_info, libc)},
    {"finished", offsetof(struct run_info, finished)}, {NULL, 0}};
static const struct text_member restriction_texts[] = {{"solvers", offsetof(struct run_info, solvers)},
                                                       {"datasets", offsetof(struct run_info, datasets)},
                                                       {"splits", offsetof(struct run_info, splits)},
                                                       {NULL, 0}};
static const struct text_member machine_texts[] = {{"system", offsetof(struct run_machine, system)},
                                                   {"release", offsetof(struct run_machine, release)},
                                                   {"architecture", offsetof(struct run_machine, architecture)},
                                                   {"processor", offsetof(struct run_machine, processor)},
                                                   {"vector_width", offsetof(struct run_machine, vector_width)},
                                                   {NULL, 0}};
static const struct text_member data_texts[] = {{"dataset", offsetof(struct run_info_data, dataset)},
                                                {"source", offsetof(struct run_info_data, source)},
                                                {"sha256", offsetof(struct run_info_data, sha256)},
                                                {NULL, 0}};
static const struct text_member missing_texts[] = {{"dataset", offsetof(struct run_info_missing, dataset)},
                                                   {"reason", offsetof(struct run_info_missing, reason)},
                                                   {"command", offsetof(struct run_info_missing, command)},
                                                   {NULL, 0}};
static const struct text_member plugin_texts[] = {{"file", offsetof(struct run_info_plugin, file)},
                                                  {"sha256", offsetof(struct run_info_plugin, sha256)},
                                                  {NULL, 0}};

static const char **text_at(const void *object, const struct text_member *member)
{
    return (const char **)((char *)(uintptr_t)object + member->offset);
}

/* ---- reading ---- */

static enum status read_texts(const cJSON *json, const struct json_path *place, const struct text_member *members,
                              void *into, struct error *error)
{
    for (; members->key; members++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, members->key);
        const struct json_path at = {.file = place->file, .outer = place, .key = members->key};
        char shown[64];
        if (item && !cJSON_IsString(item))
            return json_error(&at, error, "%s is not a string", json_to_text(item, shown, sizeof shown));
        *text_at(into, members) = cJSON_GetStringValue(item);
    }
    return STATUS_OK;
}

static enum status read_count(const cJSON *json, const char *key, const struct json_path *place, size_t *count,
                              struct error *error)
{
    double number = (double)*count;
    enum status status = json_integer(json, key, place, -1, 1e15, &number, error);
    *count = status == STATUS_OK ? (size_t)number : 0;
    return status;
}

static enum status read_number(const cJSON *json, const char *key, const struct json_path *place, double *number,
                               struct error *error)
{
    return json_number(json, key, place, 0, -1e15, 1e15, number, error);
}

static enum status read_hash(const cJSON *json, const char *key, const struct json_path *place, uint64_t *hash,
                             struct error *error)
{
    const struct json_path at = {.file = place->file, .outer = place, .key = key};
    const char *text = NULL;
    enum status status = json_text(json, key, place, 0, &text, error);
    if (status == STATUS_OK && text && (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16))
        return json_error(&at, error, "\"%.40s\" is not a hash of 16 hexadecimal digits", text);
    *hash = text ? (uint64_t)strtoull(text, NULL, 16) : 0;
    return status;
}

static enum status read_fingerprint(const cJSON *json, const struct json_path *top, struct fingerprint *fingerprint,
                                    struct error *error)
{
    const cJSON *parts = cJSON_GetObjectItemCaseSensitive(json, "plan_of");
    const struct json_path place = {.file = top->file, .outer = top, .key = "plan_of"};
    const char *program = NULL;
    enum status status = read_hash(json, "plan", top, &fingerprint->plan, error);
    if (status == STATUS_OK)
        status = read_hash(parts, "config", &place, &fingerprint->config, error);
    if (status == STATUS_OK)
        status = read_hash(parts, "options", &place, &fingerprint->options, error);
    if (status == STATUS_OK)
        status = read_hash(parts, "data", &place, &fingerprint->data, error);
    if (status == STATUS_OK)
        status = json_text(json, "program_sha256", top, 0, &program, error);
    snprintf(fingerprint->program, sizeof fingerprint->program, "%s", program ? program : "");
    return status;
}

/* An optional array of objects: *items gets `size` bytes for each, with their texts. */
static enum status read_list(const cJSON *json, const char *key, const struct json_path *top,
                             const struct text_member *members, size_t size, void **items, size_t *count,
                             struct error *error)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, key), *item = NULL;
    struct json_path place = {.file = top->file, .outer = top, .key = key}, at = {.file = top->file, .outer = &place};
    enum status status = STATUS_OK;
    if (!list)
        return STATUS_OK;
    if (!cJSON_IsArray(list))
        return json_error(&place, error, "an array is expected");
    *items = calloc((size_t)cJSON_GetArraySize(list) + 1, size);
    if (!*items)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", top->file);
    cJSON_ArrayForEach (item, list) {
        at.index = *count;
        if (status == STATUS_OK && !cJSON_IsObject(item))
            status = json_error(&at, error, "an object is expected");
        if (status == STATUS_OK)
            status = read_texts(item, &at, members, (char *)*items + (*count)++ * size, error);
    }
    return status;
}

/* An optional array of texts. */
static enum status read_text_list(const cJSON *json, const char *key, const struct json_path *top, const char ***texts,
                                  size_t *count, struct error *error)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, key), *item = NULL;
    const struct json_path place = {.file = top->file, .outer = top, .key = key};
    if (!list)
        return STATUS_OK;
    if (!cJSON_IsArray(list))
        return json_error(&place, error, "an array is expected");
    *texts = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof **texts);
    if (!*texts)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", top->file);
    cJSON_ArrayForEach (item, list) {
        if (!cJSON_IsString(item))
            return json_error(&place, error, "an array of strings is expected");
        (*texts)[(*count)++] = item->valuestring;
    }
    return STATUS_OK;
}

static enum status read_data(const cJSON *json, const struct json_path *top, struct run_info *info, struct error *error)
{
    void *items = NULL;
    enum status status = read_list(json, "data", top, data_texts, sizeof *info->data, &items, &info->n_data, error);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "data");
    struct json_path place = {.file = top->file, .outer = top, .key = "data"},
                     at = {.file = top->file, .outer = &place};
    info->data = items;
    for (size_t d = 0; d < info->n_data && status == STATUS_OK; d++) {
        const cJSON *item = cJSON_GetArrayItem(list, (int)d);
        struct run_info_data *data = &info->data[d];
        at.index = d;
        for (unsigned s = 0; s <= SPLIT_FOLD && status == STATUS_OK; s++)
            status = read_count(item, split_source_name((enum split_source)s), &at, &data->splits[s], error);
        if (status == STATUS_OK)
            status = read_count(item, "train", &at, &data->n_train, error);
        if (status == STATUS_OK)
            status = read_count(item, "test", &at, &data->n_test, error);
    }
    return status;
}

static enum status read_plugins(const cJSON *json, const struct json_path *top, struct run_info *info,
                                struct error *error)
{
    void *items = NULL;
    enum status status =
        read_list(json, "plugins", top, plugin_texts, sizeof *info->plugins, &items, &info->n_plugins, error);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "plugins");
    struct json_path place = {.file = top->file, .outer = top, .key = "plugins"},
                     at = {.file = top->file, .outer = &place};
    info->plugins = items;
    for (size_t p = 0; p < info->n_plugins && status == STATUS_OK; p++) {
        struct run_info_plugin *plugin = &info->plugins[p];
        at.index = p;
        status = read_text_list(cJSON_GetArrayItem(list, (int)p), "solvers", &at, &plugin->solvers, &plugin->n_solvers,
                                error);
    }
    return status;
}

static enum status read_counts(const cJSON *json, const struct json_path *top, struct run_info *info,
                               struct error *error)
{
    const cJSON *outcomes = cJSON_GetObjectItemCaseSensitive(json, "outcomes");
    const cJSON *restrictions = cJSON_GetObjectItemCaseSensitive(json, "restricted_to");
    struct json_path place = {.file = top->file, .outer = top, .key = "outcomes"};
    double shard = 1, shards = 1;
    info->has_records = cJSON_HasObjectItem(json, "records");
    enum status status = read_count(json, "records", top, &info->records, error);
    if (status == STATUS_OK)
        status = read_count(json, "units", top, &info->units, error);
    if (status == STATUS_OK)
        status = read_count(json, "units_of_plan", top, &info->total_units, error);
    for (unsigned o = 0; o < OUTCOMES && status == STATUS_OK; o++)
        status = read_count(outcomes, outcome_name((enum outcome)o), &place, &info->outcomes[o], error);
    place.key = "restricted_to";
    if (status == STATUS_OK)
        status = read_texts(restrictions, &place, restriction_texts, info, error);
    if (status == STATUS_OK)
        status = json_integer(restrictions, "shards", &place, 0, 1e6, &shards, error);
    if (status == STATUS_OK)
        status = json_integer(restrictions, "shard", &place, 0, shards, &shard, error);
    info->shard = (size_t)shard;
    info->shards = (size_t)shards;
    return status;
}

static enum status read_times(const cJSON *json, const struct json_path *top, struct run_info *info,
                              struct error *error)
{
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(json, "time");
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(json, "machine");
    struct json_path place = {.file = top->file, .outer = top, .key = "time"};
    enum status status = read_number(json, "seconds", top, &info->seconds, error);
    if (status == STATUS_OK)
        status = json_flag(json, "check_rows", top, &info->check_rows, error);
    info->has_times = time != NULL;
    for (unsigned s = 0; s < STAGES && status == STATUS_OK; s++)
        status = read_number(time, stage_name((enum stage)s), &place, &info->times.seconds[s], error);
    if (status == STATUS_OK)
        status = read_number(time, RUN_INFO_PROCESSOR, &place, &info->times.processor, error);
    if (status == STATUS_OK)
        status = read_number(time, RUN_INFO_BUSY, &place, &info->busy, error);
    place.key = "machine";
    if (status == STATUS_OK)
        status = read_texts(machine, &place, machine_texts, &info->machine, error);
    if (status == STATUS_OK)
        status = read_count(machine, "threads", &place, &info->machine.threads, error);
    return status == STATUS_OK ? read_number(machine, RUN_INFO_PEAK, &place, &info->machine.peak_megabytes, error)
                               : status;
}

static enum status read_all(const cJSON *json, const struct json_path *top, struct run_info *info, struct error *error)
{
    void *missing = NULL;
    if (!cJSON_IsObject(json))
        return json_error(top, error, "not a JSON object");
    enum status status = read_texts(json, top, top_texts, info, error);
    if (status == STATUS_OK)
        status = read_fingerprint(json, top, &info->fingerprint, error);
    if (status == STATUS_OK)
        status = read_counts(json, top, info, error);
    if (status == STATUS_OK)
        status = read_plugins(json, top, info, error);
    if (status == STATUS_OK)
        status = read_data(json, top, info, error);
    if (status == STATUS_OK)
        status =
            read_list(json, "missing", top, missing_texts, sizeof *info->missing, &missing, &info->n_missing, error);
    info->missing = missing;
    if (status == STATUS_OK)
        status = read_text_list(json, "partial", top, &info->partial, &info->n_partial, error);
    info->merged_from = cJSON_GetObjectItemCaseSensitive(json, "merged_from");
    return status == STATUS_OK ? read_times(json, top, info, error) : status;
}

enum status run_info_read(const char *path, struct run_info *info, struct error *error)
{
    const struct json_path top = {.file = path};
    *info = (struct run_info){.shard = 1, .shards = 1};
    enum status status = json_read(path, &info->json, error);
    if (status == STATUS_OK)
        status = read_all(info->json, &top, info, error);
    if (status != STATUS_OK)
        run_info_free(info);
    return status;
}

enum status run_info_of_json(const cJSON *json, const char *path, struct run_info *info, struct error *error)
{
    const struct json_path top = {.file = path};
    *info = (struct run_info){.shard = 1, .shards = 1};
    enum status status = read_all(json, &top, info, error);
    if (status != STATUS_OK)
        run_info_free(info);
    return status;
}

void run_info_free(struct run_info *info)
{
    if (!info)
        return;
    for (size_t p = 0; p < info->n_plugins; p++)
        free(info->plugins[p].solvers);
    free(info->plugins);
    free(info->data);
    free(info->missing);
    free(info->partial);
    cJSON_Delete(info->json);
    string_list_free(&info->texts);
    *info = (struct run_info){0};
}

const struct run_info_data *run_info_data(const struct run_info *info, const char *dataset)
{
    for (size_t d = 0; d < info->n_data; d++)
        if (info->data[d].dataset && strcmp(info->data[d].dataset, dataset) == 0)
            return &info->data[d];
    return NULL;
}

const char *run_info_why_missing(const struct run_info *info, const char *dataset)
{
    for (size_t m = 0; m < info->n_missing; m++)
        if (info->missing[m].dataset && strcmp(info->missing[m].dataset, dataset) == 0)
            return info->missing[m].reason;
    return NULL;
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

void run_info_copy_program(struct run_info *info, const struct run_info *other)
{
    *info = (struct run_info){.version = other->version,
                              .build = other->build,
                              .compiler = other->compiler,
                              .gsl = other->gsl,
                              .libc = other->libc,
                              .check_rows = other->check_rows,
                              .machine = other->machine};
    info->machine.peak_megabytes = 0;
    memcpy(info->fingerprint.program, other->fingerprint.program, sizeof info->fingerprint.program);
}

static void keep_common(const struct text_member *members, void *texts, const void *others)
{
    for (; members->key; members++) {
        const char **text = text_at(texts, members), *other = *text_at(others, members);
        if (*text && (!other || strcmp(*text, other) != 0))
            *text = NULL;
    }
}

void run_info_keep_common(struct run_info *info, const struct run_info *other)
{
    keep_common(top_texts, info, other);
    keep_common(machine_texts, &info->machine, &other->machine);
    info->check_rows = info->check_rows && other->check_rows;
    if (info->machine.threads != other->machine.threads)
        info->machine.threads = 0;
    if (strcmp(info->fingerprint.program, other->fingerprint.program) != 0)
        *info->fingerprint.program = '\0';
}

/* ---- of this process ---- */

static enum status no_memory(struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "out of memory for run.json");
}

/* A copy that lives as long as `info`, or NULL. */
static const char *keep(struct run_info *info, const char *text)
{
    return string_list_add(&info->texts, "%s", text) ? info->texts.line[info->texts.count - 1] : NULL;
}

/* The first processor's name into `text`, whose use it is to be large: the name is near the beginning of the file. */
static const char *find_processor(char *text, size_t size)
{
    int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    char *name = strstr(text, "model name"), *colon = name ? strchr(name, ':') : NULL;
    if (!colon)
        return NULL;
    colon[1 + strcspn(colon + 1, "\n")] = '\0';
    return colon + 2;
}

double run_info_peak_megabytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}

enum status run_info_set_program(struct run_info *info, const struct simd *simd, unsigned threads, struct error *error)
{
    struct run_machine *machine = &info->machine;
    struct utsname names;
    char text[8192];
    const char *processor = find_processor(text, sizeof text);
    int known = uname(&names) == 0;
    info->version = HULLBENCH_VERSION;
    info->build = HULLBENCH_BUILD;
    info->compiler = __VERSION__;
    info->gsl = gsl_version;
#ifdef __GLIBC__
    info->libc = gnu_get_libc_version();
#endif
    machine->vector_width = simd->name;
    machine->threads = threads;
    machine->peak_megabytes = run_info_peak_megabytes();
    if (processor && !(machine->processor = keep(info, processor)))
        return no_memory(error);
    if (known && (!(machine->system = keep(info, names.sysname)) || !(machine->release = keep(info, names.release)) ||
                  !(machine->architecture = keep(info, names.machine))))
        return no_memory(error);
    return STATUS_OK;
}

/* ---- of a run ---- */

/* The splits of data set d that the plan has, and their sizes where they are known. */
static void count_splits(struct run_info_data *data, const struct dataset *dataset, size_t d, const struct plan *plan)
{
    size_t train = SIZE_MAX, test = 0;
    for (size_t u = 0; u < plan->n_units; u++) {
        const struct job *job = &plan->jobs[plan->units[u].first];
        if (job->dataset != d)
            continue;
        const struct split *split = &dataset->splits[job->split];
        data->splits[split->source]++;
        train = split->n_train < train ? split->n_train : train;
        test = split->n_test > test ? split->n_test : test;
    }
    data->n_train = train == SIZE_MAX ? 0 : train;
    data->n_test = data->n_train ? test : 0;
}

/* The shared objects that solvers come from, each with the names of those. */
static enum status set_plugins(struct run_info *info, const struct config *config, struct error *error)
{
    info->plugins = calloc(config->n_solvers + 1, sizeof *info->plugins);
    if (!info->plugins)
        return no_memory(error);
    for (size_t s = 0; s < config->n_solvers; s++) {
        const struct solver *solver = config->solvers[s].solver;
        const struct solver_origin *origin = solver_origin(solver);
        size_t p = 0;
        if (!origin)
            continue;
        while (p < info->n_plugins && strcmp(info->plugins[p].sha256, origin->sha256) != 0)
            p++;
        struct run_info_plugin *plugin = &info->plugins[p];
        if (p == info->n_plugins) {
            *plugin = (struct run_info_plugin){.file = origin->file, .sha256 = origin->sha256};
            plugin->solvers = calloc(config->n_solvers, sizeof *plugin->solvers);
            info->n_plugins++;
        }
        if (!plugin->solvers)
            return no_memory(error);
        plugin->solvers[plugin->n_solvers++] = solver->name;
    }
    return STATUS_OK;
}

enum status run_info_set_plan(struct run_info *info, const struct plan *plan, struct error *error)
{
    const struct config *config = plan->config;
    info->config = config->name;
    info->has_records = 1;
    info->records = plan->n_jobs;
    info->units = plan->n_units;
    info->total_units = plan->total_units;
    info->data = calloc(config->n_datasets + 1, sizeof *info->data);
    if (!info->data)
        return no_memory(error);
    for (size_t d = 0; d < config->n_datasets; d++) {
        const struct dataset *dataset = plan->datasets[d];
        if (!dataset)
            continue;
        struct run_info_data *data = &info->data[info->n_data++];
        *data = (struct run_info_data){.dataset = dataset->name, .source = dataset->source, .sha256 = dataset->sha256};
        count_splits(data, dataset, d, plan);
    }
    return set_plugins(info, config, error);
}

enum status run_info_set_missing(struct run_info *info, const struct missing_dataset *missing, size_t count,
                                 struct error *error)
{
    info->missing = calloc(count + 1, sizeof *info->missing);
    if (!info->missing)
        return no_memory(error);
    for (size_t m = 0; m < count; m++) {
        char reason[sizeof missing[m].reason]; /* without the name before it and the command after it */
        const char *colon = strstr(missing[m].reason, ": ");
        snprintf(reason, sizeof reason, "%s", colon ? colon + 2 : missing[m].reason);
        reason[strcspn(reason, ";")] = '\0';
        info->missing[m] = (struct run_info_missing){missing[m].name, keep(info, reason), "datasets/fetch.sh"};
        if (!info->missing[m].reason)
            return no_memory(error);
        info->n_missing++;
    }
    return STATUS_OK;
}

enum status run_info_set_partial(struct run_info *info, const char *const *lacks, size_t count, struct error *error)
{
    if (!(info->partial = calloc(count + 1, sizeof *info->partial)))
        return no_memory(error);
    for (size_t i = 0; i < count; i++) {
        info->partial[info->n_partial++] = lacks[i];
        info->fingerprint.plan = journal_hash(info->fingerprint.plan, lacks[i], strlen(lacks[i]) + 1);
    }
    return STATUS_OK;
}

enum status run_info_of_run(struct run_info *info, const struct run *run, const struct plan *plan, struct error *error)
{
    const struct run_options *options = run->options;
    *info = (struct run_info){
        .fingerprint = run->fingerprint,
        .solvers = options->solvers,
        .datasets = options->datasets,
        .splits = options->splits,
        .shard = options->shard,
        .shards = options->shards,
        .check_rows = options->check_rows,
    };
    enum status status = run_info_set_plan(info, plan, error);
    if (status == STATUS_OK)
        status = run_info_set_missing(info, run->missing, run->n_missing, error);
    if (status == STATUS_OK)
        status = run_info_set_program(info, options->simd, run_threads(options), error);
    if (status != STATUS_OK)
        run_info_free(info);
    return status;
}

enum status run_info_set_times(struct run_info *info, double seconds, const struct stage_times *times,
                               struct error *error)
{
    char text[64];
    time_t clock = time(NULL);
    struct tm utc;
    if (gmtime_r(&clock, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) &&
        !(info->finished = keep(info, text)))
        return no_memory(error);
    info->seconds = seconds;
    info->has_times = times->processor > 0;
    info->times = *times;
    if (seconds > 0 && info->machine.threads > 0)
        info->busy = times->processor / (seconds * (double)info->machine.threads);
    return STATUS_OK;
}

/* ---- writing ---- */

static void put_texts(cJSON *json, const struct text_member *members, const void *from)
{
    for (; members->key; members++)
        if (*text_at(from, members))
            cJSON_AddStringToObject(json, members->key, *text_at(from, members));
}

/* Not of numbers that are 0: they are not said. */
static void put_number(cJSON *json, const char *key, double number)
{
    if (number != 0)
        cJSON_AddNumberToObject(json, key, number);
}

static void put_hash(cJSON *json, const char *key, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    if (hash)
        cJSON_AddStringToObject(json, key, text);
}

static void put_list(cJSON *json, const char *key, const char *const *texts, size_t count)
{
    cJSON_AddItemToObject(json, key, cJSON_CreateStringArray(texts, (int)count));
}

static cJSON *put_element(cJSON *list, const struct text_member *members, const void *from)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    put_texts(item, members, from);
    return item;
}

static void put_lists(cJSON *json, const struct run_info *info)
{
    cJSON *list = info->n_plugins ? cJSON_AddArrayToObject(json, "plugins") : NULL;
    for (size_t p = 0; p < info->n_plugins; p++) {
        const struct run_info_plugin *plugin = &info->plugins[p];
        put_list(put_element(list, plugin_texts, plugin), "solvers", plugin->solvers, plugin->n_solvers);
    }
    list = cJSON_AddArrayToObject(json, "data");
    for (size_t d = 0; d < info->n_data; d++) {
        const struct run_info_data *data = &info->data[d];
        cJSON *item = put_element(list, data_texts, data);
        for (unsigned s = 0; s <= SPLIT_FOLD; s++)
            put_number(item, split_source_name((enum split_source)s), (double)data->splits[s]);
        if (data->n_train) {
            cJSON_AddNumberToObject(item, "train", (double)data->n_train);
            cJSON_AddNumberToObject(item, "test", (double)data->n_test);
        }
    }
    list = cJSON_AddArrayToObject(json, "missing");
    for (size_t m = 0; m < info->n_missing; m++)
        put_element(list, missing_texts, &info->missing[m]);
    if (info->n_partial)
        put_list(json, "partial", info->partial, info->n_partial);
}

static void put_results(cJSON *json, const struct run_info *info)
{
    const struct fingerprint *fingerprint = &info->fingerprint;
    put_hash(json, "plan", fingerprint->plan);
    cJSON *parts = cJSON_AddObjectToObject(json, "plan_of");
    put_hash(parts, "config", fingerprint->config);
    put_hash(parts, "options", fingerprint->options);
    put_hash(parts, "data", fingerprint->data);
    if (*fingerprint->program) /* two builds of one version can be told apart */
        cJSON_AddStringToObject(json, "program_sha256", fingerprint->program);
    if (info->has_records)
        cJSON_AddNumberToObject(json, "records", (double)info->records);
    put_number(json, "units", (double)info->units);
    put_number(json, "units_of_plan", (double)info->total_units);
    cJSON *outcomes = cJSON_AddObjectToObject(json, "outcomes");
    for (unsigned o = 0; o < OUTCOMES; o++)
        put_number(outcomes, outcome_name((enum outcome)o), (double)info->outcomes[o]);
    cJSON *restrictions = cJSON_AddObjectToObject(json, "restricted_to");
    put_texts(restrictions, restriction_texts, info);
    if (info->shards > 1) {
        cJSON_AddNumberToObject(restrictions, "shard", (double)info->shard);
        cJSON_AddNumberToObject(restrictions, "shards", (double)info->shards);
    }
}

static void put_times(cJSON *json, const struct run_info *info)
{
    put_number(json, "seconds", info->seconds);
    if (info->check_rows) /* which the seconds have in them */
        cJSON_AddTrueToObject(json, "check_rows");
    if (!info->has_times)
        return;
    cJSON *time = cJSON_AddObjectToObject(json, "time");
    for (unsigned s = 0; s < STAGES; s++)
        cJSON_AddNumberToObject(time, stage_name((enum stage)s), info->times.seconds[s]);
    cJSON_AddNumberToObject(time, RUN_INFO_PROCESSOR, info->times.processor);
    put_number(time, RUN_INFO_BUSY, info->busy);
}

cJSON *run_info_json(const struct run_info *info)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "schema", 1);
    put_texts(json, top_texts, info);
    put_results(json, info);
    put_lists(json, info);
    cJSON *machine = cJSON_CreateObject();
    put_texts(machine, machine_texts, &info->machine);
    put_number(machine, "threads", (double)info->machine.threads);
    put_number(machine, RUN_INFO_PEAK, info->machine.peak_megabytes);
    if (machine && machine->child)
        cJSON_AddItemToObject(json, "machine", machine);
    else
        cJSON_Delete(machine);
    put_times(json, info);
    if (info->merged_from)
        cJSON_AddItemToObject(json, "merged_from", cJSON_Duplicate(info->merged_from, 1));
    return json;
}

enum status run_info_write(const char *folder, const struct run_info *info, struct error *error)
{
    cJSON *json = run_info_json(info);
    char *path = path_join(folder, "run.json");
    enum status status = json && path ? json_write(path, json, error) : no_memory(error);
    free(path);
    cJSON_Delete(json);
    return status;
}
