/* run.json in and out, see run_info.h. Tables say which member stands under which key, for both ways. */
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

/* A member of an object in the file and of a struct. Texts that are NULL, counts, numbers and hashes of 0 and flags
 * that are not set are not written; seconds always are. */
struct member {
    const char *key; /* NULL ends a table */
    enum { TEXT, COUNT, NUMBER, SECONDS, HASH, FLAG } kind;
    size_t offset;
};

#define INFO(member) offsetof(struct run_info, member)
static const struct member head_members[] = {
    {"config", TEXT, INFO(config)}, {"version", TEXT, INFO(version)},
    {"build", TEXT, INFO(build)},   {"compiler", TEXT, INFO(compiler)},
    {"gsl", TEXT, INFO(gsl)},       {"libc", TEXT, INFO(libc)},
    {"finished", TEXT, INFO(finished)}, {"plan", HASH, INFO(fingerprint.plan)},
    {NULL, TEXT, 0}};
static const struct member hash_members[] = {{"config", HASH, INFO(fingerprint.config)},
                                             {"options", HASH, INFO(fingerprint.options)},
                                             {"data", HASH, INFO(fingerprint.data)},
                                             {NULL, TEXT, 0}};
static const struct member count_members[] = {{"records", COUNT, INFO(records)},
                                              {"units", COUNT, INFO(units)},
                                              {"units_of_plan", COUNT, INFO(total_units)},
                                              {NULL, TEXT, 0}};
static const struct member filter_members[] = {{"solvers", TEXT, INFO(solvers)},
                                               {"datasets", TEXT, INFO(datasets)},
                                               {"splits", TEXT, INFO(splits)},
                                               {NULL, TEXT, 0}};
static const struct member machine_members[] = {{"system", TEXT, INFO(machine.system)},
                                                {"release", TEXT, INFO(machine.release)},
                                                {"architecture", TEXT, INFO(machine.architecture)},
                                                {"processor", TEXT, INFO(machine.processor)},
                                                {"vector_width", TEXT, INFO(machine.vector_width)},
                                                {"threads", COUNT, INFO(machine.threads)},
                                                {RUN_INFO_PEAK, NUMBER, INFO(machine.peak_megabytes)},
                                                {NULL, TEXT, 0}};
static const struct member end_members[] = {
    {"seconds", NUMBER, INFO(seconds)}, {"check_rows", FLAG, INFO(check_rows)}, {NULL, TEXT, 0}};
static const struct member time_members[] = {
    {RUN_INFO_PROCESSOR, SECONDS, INFO(times.processor)}, {RUN_INFO_BUSY, NUMBER, INFO(busy)}, {NULL, TEXT, 0}};
#define DATA(member) offsetof(struct run_info_data, member)
static const struct member data_members[] = {{"dataset", TEXT, DATA(dataset)},
                                             {"source", TEXT, DATA(source)},
                                             {"sha256", TEXT, DATA(sha256)},
                                             {"official", COUNT, DATA(splits[SPLIT_OFFICIAL])},
                                             {"resampled", COUNT, DATA(splits[SPLIT_RESAMPLED])},
                                             {"generated", COUNT, DATA(splits[SPLIT_GENERATED])},
                                             {"fold", COUNT, DATA(splits[SPLIT_FOLD])},
                                             {"train", COUNT, DATA(n_train)},
                                             {"test", COUNT, DATA(n_test)},
                                             {NULL, TEXT, 0}};
static const struct member missing_members[] = {{"dataset", TEXT, offsetof(struct run_info_missing, dataset)},
                                                {"reason", TEXT, offsetof(struct run_info_missing, reason)},
                                                {"command", TEXT, offsetof(struct run_info_missing, command)},
                                                {NULL, TEXT, 0}};
static const struct member plugin_members[] = {{"file", TEXT, offsetof(struct run_info_plugin, file)},
                                               {"sha256", TEXT, offsetof(struct run_info_plugin, sha256)},
                                               {NULL, TEXT, 0}};

static void *at(const void *object, const struct member *member)
{
    return (char *)(uintptr_t)object + member->offset;
}

/* ---- reading ---- */

static enum status read_number(const cJSON *json, const struct json_path *place, const struct member *member,
                               void *into, struct error *error)
{
    double number = 0;
    enum status status = member->kind == COUNT ? json_integer(json, member->key, place, -1, 1e15, &number, error)
                                               : json_number(json, member->key, place, 0, -1e15, 1e15, &number, error);
    if (member->kind == COUNT)
        *(size_t *)at(into, member) = status == STATUS_OK ? (size_t)number : 0;
    else
        *(double *)at(into, member) = number;
    return status;
}

static enum status read_text(const cJSON *json, const struct json_path *place, const struct member *member, void *into,
                             struct error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, member->key);
    const struct json_path where = {.file = place->file, .outer = place, .key = member->key};
    const char *text = cJSON_GetStringValue(item);
    char shown[64];
    if (item && !text)
        return json_error(&where, error, "%s is not a string", json_to_text(item, shown, sizeof shown));
    if (member->kind == TEXT)
        *(const char **)at(into, member) = text;
    else if (text && (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16))
        return json_error(&where, error, "\"%.40s\" is not a hash of 16 hexadecimal digits", text);
    else
        *(uint64_t *)at(into, member) = text ? (uint64_t)strtoull(text, NULL, 16) : 0;
    return STATUS_OK;
}

static enum status read_members(const cJSON *json, const struct json_path *place, const struct member *members,
                                void *into, struct error *error)
{
    enum status status = STATUS_OK;
    for (; members->key && status == STATUS_OK; members++)
        if (members->kind == TEXT || members->kind == HASH)
            status = read_text(json, place, members, into, error);
        else if (members->kind == FLAG)
            status = json_flag(json, members->key, place, at(into, members), error);
        else
            status = read_number(json, place, members, into, error);
    return status;
}

/* The members of an optional object. */
static enum status read_object(const cJSON *json, const char *key, const struct json_path *top,
                               const struct member *members, void *into, struct error *error)
{
    const struct json_path place = {.file = top->file, .outer = top, .key = key};
    return read_members(cJSON_GetObjectItemCaseSensitive(json, key), &place, members, into, error);
}

/* Memory for an optional array of elements of `size` bytes; *list is NULL where there is none. */
static enum status open_list(const cJSON *json, const struct json_path *place, size_t size, const cJSON **list,
                             void **items, struct error *error)
{
    *list = cJSON_GetObjectItemCaseSensitive(json, place->key);
    if (!*list)
        return STATUS_OK;
    if (!cJSON_IsArray(*list))
        return json_error(place, error, "an array is expected");
    *items = calloc((size_t)cJSON_GetArraySize(*list) + 1, size);
    return *items ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", place->file);
}

/* An optional array of objects, and one of texts. */
static enum status read_list(const cJSON *json, const char *key, const struct json_path *top,
                             const struct member *members, size_t size, void **items, size_t *count,
                             struct error *error)
{
    const struct json_path place = {.file = top->file, .outer = top, .key = key};
    const cJSON *list, *item = NULL;
    enum status status = open_list(json, &place, size, &list, items, error);
    if (status != STATUS_OK)
        return status;
    cJSON_ArrayForEach (item, list) {
        const struct json_path where = {.file = top->file, .outer = &place, .index = *count};
        if (!cJSON_IsObject(item))
            return json_error(&where, error, "an object is expected");
        status = read_members(item, &where, members, (char *)*items + (*count)++ * size, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status read_texts(const cJSON *json, const char *key, const struct json_path *top, const char ***texts,
                              size_t *count, struct error *error)
{
    const struct json_path place = {.file = top->file, .outer = top, .key = key};
    const cJSON *list, *item = NULL;
    void *items = NULL;
    enum status status = open_list(json, &place, sizeof **texts, &list, &items, error);
    *texts = items;
    if (status != STATUS_OK)
        return status;
    cJSON_ArrayForEach (item, list) {
        if (!cJSON_IsString(item))
            return json_error(&place, error, "an array of strings is expected");
        (*texts)[(*count)++] = item->valuestring;
    }
    return STATUS_OK;
}

static enum status read_plugins(const cJSON *json, const struct json_path *top, struct run_info *info,
                                struct error *error)
{
    void *items = NULL;
    enum status status =
        read_list(json, "plugins", top, plugin_members, sizeof *info->plugins, &items, &info->n_plugins, error);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "plugins");
    const struct json_path place = {.file = top->file, .outer = top, .key = "plugins"};
    info->plugins = items;
    for (size_t p = 0; p < info->n_plugins && status == STATUS_OK; p++) {
        const struct json_path where = {.file = top->file, .outer = &place, .index = p};
        status = read_texts(cJSON_GetArrayItem(list, (int)p), "solvers", &where, &info->plugins[p].solvers,
                            &info->plugins[p].n_solvers, error);
    }
    return status;
}

static enum status read_lists(const cJSON *json, const struct json_path *top, struct run_info *info,
                              struct error *error)
{
    void *data = NULL, *missing = NULL;
    enum status status = read_plugins(json, top, info, error);
    if (status == STATUS_OK)
        status = read_list(json, "data", top, data_members, sizeof *info->data, &data, &info->n_data, error);
    if (status == STATUS_OK)
        status =
            read_list(json, "missing", top, missing_members, sizeof *info->missing, &missing, &info->n_missing, error);
    info->data = data;
    info->missing = missing;
    return status == STATUS_OK ? read_texts(json, "partial", top, &info->partial, &info->n_partial, error) : status;
}

static enum status read_outcomes(const cJSON *json, const struct json_path *top, struct run_info *info,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    for (unsigned o = 0; o < OUTCOMES && status == STATUS_OK; o++) {
        const struct member members[] = {
            {outcome_name((enum outcome)o), COUNT, INFO(outcomes) + o * sizeof *info->outcomes}, {NULL, TEXT, 0}};
        status = read_object(json, "outcomes", top, members, info, error);
    }
    return status;
}

static enum status read_times(const cJSON *json, const struct json_path *top, struct run_info *info,
                              struct error *error)
{
    info->has_times = cJSON_HasObjectItem(json, "time");
    enum status status = read_object(json, "time", top, time_members, info, error);
    for (unsigned s = 0; s < STAGES && status == STATUS_OK; s++) {
        const struct member members[] = {
            {stage_name((enum stage)s), SECONDS, INFO(times.seconds) + s * sizeof *info->times.seconds},
            {NULL, TEXT, 0}};
        status = read_object(json, "time", top, members, info, error);
    }
    return status;
}

static enum status read_filters(const cJSON *json, const struct json_path *top, struct run_info *info,
                                struct error *error)
{
    const cJSON *filters = cJSON_GetObjectItemCaseSensitive(json, "restricted_to");
    const struct json_path place = {.file = top->file, .outer = top, .key = "restricted_to"};
    double shard = 1, shards = 1;
    enum status status = read_members(filters, &place, filter_members, info, error);
    if (status == STATUS_OK)
        status = json_integer(filters, "shards", &place, 0, 1e6, &shards, error);
    if (status == STATUS_OK)
        status = json_integer(filters, "shard", &place, 0, shards, &shard, error);
    info->shard = (size_t)shard;
    info->shards = (size_t)shards;
    return status;
}

static enum status read_all(const cJSON *json, const struct json_path *top, struct run_info *info, struct error *error)
{
    static const struct member program = {"program_sha256", TEXT, 0};
    const char *hash = NULL;
    if (!cJSON_IsObject(json))
        return json_error(top, error, "not a JSON object");
    info->has_records = cJSON_HasObjectItem(json, "records");
    info->merged_from = cJSON_GetObjectItemCaseSensitive(json, "merged_from");
    enum status status = read_members(json, top, head_members, info, error);
    if (status == STATUS_OK)
        status = read_text(json, top, &program, &hash, error);
    snprintf(info->fingerprint.program, sizeof info->fingerprint.program, "%s", hash ? hash : "");
    if (status == STATUS_OK)
        status = read_object(json, "plan_of", top, hash_members, info, error);
    if (status == STATUS_OK)
        status = read_members(json, top, count_members, info, error);
    if (status == STATUS_OK)
        status = read_outcomes(json, top, info, error);
    if (status == STATUS_OK)
        status = read_filters(json, top, info, error);
    if (status == STATUS_OK)
        status = read_lists(json, top, info, error);
    if (status == STATUS_OK)
        status = read_object(json, "machine", top, machine_members, info, error);
    if (status == STATUS_OK)
        status = read_members(json, top, end_members, info, error);
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

static void forget_other_texts(const struct member *members, struct run_info *info, const struct run_info *other)
{
    for (; members->key; members++) {
        const char **text = at(info, members), **others = at(other, members);
        if (members->kind == TEXT && *text && (!*others || strcmp(*text, *others) != 0))
            *text = NULL;
    }
}

void run_info_keep_common(struct run_info *info, const struct run_info *other)
{
    forget_other_texts(head_members, info, other);
    forget_other_texts(machine_members, info, other);
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

static void put_members(cJSON *json, const struct member *members, const void *from)
{
    for (; members->key; members++) {
        const void *value = at(from, members);
        if (members->kind == TEXT && *(const char *const *)value)
            cJSON_AddStringToObject(json, members->key, *(const char *const *)value);
        else if (members->kind == COUNT)
            put_number(json, members->key, (double)*(const size_t *)value);
        else if (members->kind == NUMBER)
            put_number(json, members->key, *(const double *)value);
        else if (members->kind == SECONDS)
            cJSON_AddNumberToObject(json, members->key, *(const double *)value);
        else if (members->kind == HASH)
            put_hash(json, members->key, *(const uint64_t *)value);
        else if (members->kind == FLAG && *(const int *)value)
            cJSON_AddTrueToObject(json, members->key);
    }
}

static cJSON *put_object(cJSON *json, const char *key, const struct member *members, const void *from)
{
    cJSON *object = cJSON_AddObjectToObject(json, key);
    put_members(object, members, from);
    return object;
}

static cJSON *put_element(cJSON *list, const struct member *members, const void *from)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    put_members(item, members, from);
    return item;
}

static void put_lists(cJSON *json, const struct run_info *info)
{
    cJSON *list = info->n_plugins ? cJSON_AddArrayToObject(json, "plugins") : NULL;
    for (size_t p = 0; p < info->n_plugins; p++) {
        const struct run_info_plugin *plugin = &info->plugins[p];
        cJSON_AddItemToObject(put_element(list, plugin_members, plugin), "solvers",
                              cJSON_CreateStringArray(plugin->solvers, (int)plugin->n_solvers));
    }
    list = cJSON_AddArrayToObject(json, "data");
    for (size_t d = 0; d < info->n_data; d++) {
        cJSON *item = put_element(list, data_members, &info->data[d]);
        if (info->data[d].n_train && !info->data[d].n_test) /* which is said, too */
            cJSON_AddNumberToObject(item, "test", 0);
    }
    list = cJSON_AddArrayToObject(json, "missing");
    for (size_t m = 0; m < info->n_missing; m++)
        put_element(list, missing_members, &info->missing[m]);
    if (info->n_partial)
        cJSON_AddItemToObject(json, "partial", cJSON_CreateStringArray(info->partial, (int)info->n_partial));
}

static void put_results(cJSON *json, const struct run_info *info)
{
    put_object(json, "plan_of", hash_members, info);
    if (*info->fingerprint.program) /* two builds of one version can be told apart */
        cJSON_AddStringToObject(json, "program_sha256", info->fingerprint.program);
    if (info->has_records && !info->records)
        cJSON_AddNumberToObject(json, "records", 0);
    put_members(json, count_members, info);
    cJSON *outcomes = cJSON_AddObjectToObject(json, "outcomes");
    for (unsigned o = 0; o < OUTCOMES; o++)
        put_number(outcomes, outcome_name((enum outcome)o), (double)info->outcomes[o]);
    cJSON *filters = put_object(json, "restricted_to", filter_members, info);
    if (info->shards > 1) {
        cJSON_AddNumberToObject(filters, "shard", (double)info->shard);
        cJSON_AddNumberToObject(filters, "shards", (double)info->shards);
    }
}

cJSON *run_info_json(const struct run_info *info)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "schema", 1);
    put_members(json, head_members, info);
    put_results(json, info);
    put_lists(json, info);
    put_object(json, "machine", machine_members, info);
    put_members(json, end_members, info); /* the seconds have the check of rows in them */
    cJSON *time = info->has_times ? cJSON_AddObjectToObject(json, "time") : NULL;
    for (unsigned s = 0; s < STAGES && time; s++)
        cJSON_AddNumberToObject(time, stage_name((enum stage)s), info->times.seconds[s]);
    if (time)
        put_members(time, time_members, info);
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
