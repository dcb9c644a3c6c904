/* Reads and writes run.json, see run_info.h. */
#include "harness/run/run_info.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include <cjson/cJSON.h>
#include <gsl/gsl_version.h>

#include "harness/run/file_hashes.h"
#include "harness/run/journal.h"
#include "harness/run/run.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/support/members.h"
#include "harness/base/platform.h"
#include "solvers/registry.h"

#ifndef HULLBENCH_BUILD
#define HULLBENCH_BUILD "unknown"
#endif

enum { MAX_PATTERNS = 1000000000 }; /* also for units */

static cJSON *member(const cJSON *json, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(json, key);
}

/* ---- reading ---- */

static const struct member data_members[] = {
    {"dataset", MEMBER_TEXT, FIELD(struct run_info_data, dataset)},
    {"source", MEMBER_TEXT, FIELD(struct run_info_data, source)},
    {"sha256", MEMBER_TEXT, FIELD(struct run_info_data, sha256)},
    {"altered", MEMBER_TEXT, FIELD(struct run_info_data, altered)},
    {"reason", MEMBER_TEXT, FIELD(struct run_info_data, reason)},
    {"train", MEMBER_COUNT, FIELD(struct run_info_data, n_train), .high = MAX_PATTERNS},
    {"test", MEMBER_COUNT, FIELD(struct run_info_data, n_test), .high = MAX_PATTERNS},
    MEMBERS_END_OTHERS_IGNORED,
};

static const struct member restriction_members[] = {
    {"solvers", MEMBER_TEXT, FIELD(struct run_info, solvers)},
    {"datasets", MEMBER_TEXT, FIELD(struct run_info, datasets)},
    {"splits", MEMBER_TEXT, FIELD(struct run_info, splits)},
    {"repeats", MEMBER_COUNT, FIELD(struct run_info, repeats), .low = 1, .high = MAX_REPEATS},
    {"shards", MEMBER_COUNT, FIELD(struct run_info, shards), .low = 1, .high = 1e6, .fallback = 1},
    {"shard", MEMBER_COUNT, FIELD(struct run_info, shard), .low = 1, .high = 1e6, .fallback = 1},
    MEMBERS_END_OTHERS_IGNORED,
};

#define HASH "a hash of 16 hexadecimal digits"

static const struct member hash_members[] = {
    {"config", MEMBER_TEXT, FIELD(struct run_info, hashes[1]), .expected = HASH},
    {"options", MEMBER_TEXT, FIELD(struct run_info, hashes[2]), .expected = HASH},
    {"data", MEMBER_TEXT, FIELD(struct run_info, hashes[3]), .expected = HASH},
    MEMBERS_END_OTHERS_IGNORED,
};

#define LIST_OF_DATA(field) \
    FIELD(struct run_info, field), .inner = data_members, .inner_size = sizeof(struct run_info_data), \
        .expected = "a list"

const struct member run_info_members[] = {
    {"schema", MEMBER_COUNT, FIELD(struct run_info, schema), .low = 1, .high = 1, .fallback = 1},
    {"config", MEMBER_TEXT, FIELD(struct run_info, config)},
    {"version", MEMBER_TEXT, FIELD(struct run_info, version)},
    {"plan", MEMBER_TEXT, FIELD(struct run_info, hashes[0]), .expected = HASH},
    {"plan_of", MEMBER_PART, .size = sizeof(struct run_info), .inner = hash_members},
    {"program_sha256", MEMBER_TEXT, FIELD(struct run_info, program)},
    {"records", MEMBER_COUNT, FIELD(struct run_info, records)},
    {"blocks_of_plan", MEMBER_COUNT, FIELD(struct run_info, total_blocks), .high = MAX_PATTERNS},
    {"restricted_to", MEMBER_PART, .size = sizeof(struct run_info), .inner = restriction_members},
    {"data", MEMBER_LIST, LIST_OF_DATA(data)},
    {"missing", MEMBER_LIST, LIST_OF_DATA(missing)},
    {"plugins", MEMBER_LIST, LIST_OF_DATA(plugins)},
    MEMBERS_END_OTHERS_IGNORED,
};

static void name_all(struct run_info_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        list->item[i].dataset = list->item[i].dataset ? list->item[i].dataset : "";
        list->item[i].sha256 = list->item[i].sha256 ? list->item[i].sha256 : "";
    }
}

static void take_fingerprint(const cJSON *json, const struct json_path *top, struct run_info *info)
{
    static const char *const keys[RUN_INFO_HASHES] = {"plan", "config", "options", "data"};
    struct fingerprint *print = &info->fingerprint;
    uint64_t *const hashes[RUN_INFO_HASHES] = {&print->plan, &print->config, &print->options, &print->data};
    const struct json_path parts = {.outer = top, .key = "plan_of"};
    for (size_t h = 0; h < RUN_INFO_HASHES; h++) {
        const struct json_path at = {.outer = h ? &parts : top, .key = keys[h]};
        if (info->hashes[h] && !fingerprint_hash(h ? member(json, "plan_of") : json, keys[h], hashes[h]))
            json_die(&at, "expected " HASH);
    }
    snprintf(print->program, sizeof print->program, "%s", info->program ? info->program : "");
}

void run_info_read(struct pool *pool, const cJSON *json, const char *path, struct run_info *info)
{
    const struct json_path top = {.file = path}, given = {.outer = &top, .key = "restricted_to"},
                           at_shard = {.outer = &given, .key = "shard"};
    *info = (struct run_info){.shard = 1, .shards = 1};
    if (!cJSON_IsObject(json))
        json_die(&top, "not a JSON object");
    members_read(pool, run_info_members, json, &top, info);
    file_hashes_check_list(json, path);
    if (info->shard > info->shards)
        json_die(&at_shard, "%zu is out of range; allowed: 1 to %zu", info->shard, info->shards);
    info->has_records = cJSON_HasObjectItem(json, "records");
    info->is_partial = cJSON_HasObjectItem(json, "partial");
    take_fingerprint(json, &top, info);
    name_all(&info->data);
    name_all(&info->missing);
    name_all(&info->plugins);
}

static const struct run_info_data *find(const struct run_info_list *list, const char *dataset)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->item[i].dataset, dataset) == 0)
            return &list->item[i];
    return NULL;
}

const struct run_info_data *run_info_data(const struct run_info *info, const char *dataset)
{
    return find(&info->data, dataset);
}

const char *run_info_why_missing(const struct run_info *info, const char *dataset)
{
    const struct run_info_data *missing = find(&info->missing, dataset);
    return missing ? missing->reason : NULL;
}

static double number(const cJSON *json, const char *key)
{
    const cJSON *item = member(json, key);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/* A merge combines folders with different numbers of threads, so the available time is derived from `busy`. */
int run_info_times(const cJSON *info, struct run_times *times)
{
    const cJSON *time = member(info, "time");
    const double busy = number(time, "busy");
    *times = (struct run_times){.seconds = number(info, "seconds"),
                                .peak_megabytes = number(member(info, "machine"), RUN_INFO_PEAK),
                                .stage_times.processor = number(time, "processor")};
    for (unsigned s = 0; s < STAGES; s++)
        times->stage_times.seconds[s] = number(time, stage_name((enum stage)s));
    if (busy > 0)
        times->available = times->stage_times.processor / busy;
    return busy > 0;
}

void run_times_add(struct run_times *sum, const struct run_times *times)
{
    sum->seconds += times->seconds;
    sum->available += times->available;
    if (times->peak_megabytes > sum->peak_megabytes)
        sum->peak_megabytes = times->peak_megabytes;
    stage_times_add(&sum->stage_times, &times->stage_times);
}

/* ---- writing; unknown values are omitted ---- */

static void add_text(cJSON *json, const char *key, const char *text)
{
    if (text && *text)
        cJSON_AddStringToObject(json, key, text);
}

static void add_count(cJSON *json, const char *key, size_t count)
{
    if (count)
        cJSON_AddNumberToObject(json, key, (double)count);
}

static void add_hash(cJSON *json, const char *key, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(json, key, text);
}

/* Appends a new object. */
static cJSON *add_object(cJSON *list)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    return object;
}

/* The plan's splits of data set d, and their sizes if known. */
static void add_splits(cJSON *json, const struct plan *plan, size_t d)
{
    size_t splits[SPLIT_FOLD + 1] = {0}, train = SIZE_MAX, test = 0;
    for (size_t u = 0; u < plan->n_units; u++) {
        const struct job *job = &plan->jobs[plan->units[u].first];
        if (job->dataset != d)
            continue;
        const struct split *split = &plan->datasets[d]->splits[job->split];
        splits[split->source]++;
        train = split->n_train < train ? split->n_train : train;
        test = split->n_test > test ? split->n_test : test;
    }
    for (unsigned s = 0; s <= SPLIT_FOLD; s++)
        add_count(json, split_source_name((enum split_source)s), splits[s]);
    if (train > 0 && train < SIZE_MAX) {
        add_count(json, "train", train);
        cJSON_AddNumberToObject(json, "test", (double)test);
    }
}

/* The shared objects that the configuration uses, each with the names of what it uses from them. */
static void add_plugins(cJSON *info, const struct config *config)
{
    struct config_plugin_item item;
    cJSON *list = cJSON_CreateArray(), *plugin;
    for (size_t i = 0; config_plugin_item(config, i, &item); i++) {
        if (!item.origin)
            continue;
        cJSON_ArrayForEach (plugin, list)
            if (strcmp(member(plugin, "sha256")->valuestring, item.origin->sha256) == 0)
                break;
        if (!plugin) {
            plugin = add_object(list);
            add_text(plugin, "file", item.origin->file);
            add_text(plugin, "sha256", item.origin->sha256);
            cJSON_AddArrayToObject(plugin, "solvers");
        }
        if (!member(plugin, item.list))
            cJSON_AddArrayToObject(plugin, item.list);
        cJSON_AddItemToArray(member(plugin, item.list), cJSON_CreateString(item.name));
    }
    if (cJSON_GetArraySize(list) > 0)
        cJSON_AddItemToObject(info, "plugins", list);
    else
        cJSON_Delete(list);
}

static void add_word(cJSON *object, const char *word)
{
    cJSON *choices = member(object, "choices");
    if (!choices)
        choices = cJSON_AddArrayToObject(object, "choices");
    cJSON_AddItemToArray(choices, cJSON_CreateString(word));
}

/* Infinite ends are omitted. */
static void add_range(cJSON *object, const struct parameter *parameter)
{
    if (isfinite(parameter->min))
        cJSON_AddNumberToObject(object, parameter->min_is_open ? "above" : "min", parameter->min);
    if (isfinite(parameter->max))
        cJSON_AddNumberToObject(object, parameter->max_is_open ? "below" : "max", parameter->max);
    if (parameter->multiple_of > 0)
        cJSON_AddNumberToObject(object, "multiple_of", parameter->multiple_of);
}

void run_info_describe_parameter(cJSON *object, const struct parameter *parameter)
{
    static const char *const types[PARAMETER_TYPES] = {"real", "integer", "choice", "switch"};
    const char *const *words = parameter_words(parameter);
    char allowed[256];
    parameter_allowed(parameter, allowed, sizeof allowed);
    add_text(object, "meaning", parameter->meaning);
    add_text(object, "type", types[parameter->type]);
    add_text(object, "scale", parameter->scale == PARAMETER_LOG ? "log" : "linear");
    add_text(object, "allowed", allowed);
    for (size_t w = 0; words && words[w]; w++)
        add_word(object, words[w]);
    if (!words)
        add_range(object, parameter);
    if (words && !isnan(parameter->fallback))
        add_text(object, "default", words[(size_t)parameter->fallback]);
    else if (!isnan(parameter->fallback))
        cJSON_AddNumberToObject(object, "default", parameter->fallback);
}

static void add_parameter(cJSON *list, const struct parameter *parameter)
{
    run_info_describe_parameter(cJSON_AddObjectToObject(list, parameter->name), parameter);
}

cJSON *run_info_parameters(const struct solver *solver)
{
    cJSON *list = cJSON_CreateObject();
    for (size_t p = 0; p < solver_count_parameters(solver); p++)
        add_parameter(list, solver->parameters[p]);
    return list;
}

/* Describes the parameters of each solver, and of a plugin's kernel, so that readers of the folder need neither. */
static void add_parameters(cJSON *info, const struct config *config)
{
    cJSON *solvers = cJSON_AddObjectToObject(info, "parameters");
    for (size_t s = 0; s < config->n_solvers; s++) {
        const struct solver *solver = config->solvers[s].solver;
        if (!cJSON_HasObjectItem(solvers, solver->name))
            cJSON_AddItemToObject(solvers, solver->name, run_info_parameters(solver));
        cJSON *own = cJSON_GetObjectItemCaseSensitive(solvers, solver->name);
        if (config->solvers[s].mu_of_c && !cJSON_HasObjectItem(own, parameter_c.name))
            add_parameter(own, &parameter_c);
    }
    if (!kernel_family_origin(config->kernel))
        return;
    cJSON *kernel = cJSON_AddObjectToObject(info, "kernel_parameters");
    for (size_t k = 0; k < kernel_family_count_parameters(config->kernel); k++)
        add_parameter(kernel, config->kernel->parameters[k]);
}

void missing_reason(const struct missing_dataset *missing, char *reason, size_t size)
{
    const char *colon = strstr(missing->reason, ": ");
    snprintf(reason, size, "%s", colon ? colon + 2 : missing->reason);
    reason[strcspn(reason, ";")] = '\0';
}

static void add_missing(cJSON *info, const struct missing_dataset *missing, size_t count)
{
    cJSON *list = cJSON_AddArrayToObject(info, "missing");
    for (size_t m = 0; m < count; m++) {
        cJSON *item = add_object(list);
        char reason[sizeof missing[m].reason];
        missing_reason(&missing[m], reason, sizeof reason);
        add_text(item, "dataset", missing[m].name);
        add_text(item, "reason", reason);
        add_text(item, "command", "datasets/fetch.sh");
    }
}

cJSON *run_info_of_plan(const struct plan *plan, const struct fingerprint *fingerprint,
                        const struct run_options *options, const struct missing_dataset *missing, size_t n_missing)
{
    cJSON *info = cJSON_CreateObject();
    cJSON_AddNumberToObject(info, "schema", 1);
    add_text(info, "config", plan->config->name);
    add_hash(info, "plan", fingerprint->plan);
    cJSON *parts = cJSON_AddObjectToObject(info, "plan_of");
    add_hash(parts, "config", fingerprint->config);
    add_hash(parts, "options", fingerprint->options);
    add_hash(parts, "data", fingerprint->data);
    cJSON *given = cJSON_AddObjectToObject(info, "restricted_to");
    add_text(given, "solvers", options->solvers);
    add_text(given, "datasets", options->datasets);
    add_text(given, "splits", options->splits);
    add_count(given, "shard", options->shards > 1 ? options->shard : 0);
    add_count(given, "shards", options->shards > 1 ? options->shards : 0);
    add_count(given, "repeats", options->repeats);
    add_count(info, "units", plan->n_units);
    add_count(info, "blocks_of_plan", plan->total_blocks);
    add_text(info, "standardise", standardise_name(config_standardise(plan->config)));
    cJSON *data = cJSON_AddArrayToObject(info, "data");
    for (size_t d = 0; d < plan->config->n_datasets; d++) {
        const struct dataset *dataset = plan->datasets[d];
        if (!dataset)
            continue;
        cJSON *item = add_object(data);
        add_text(item, "dataset", dataset->name);
        add_text(item, "source", dataset->source);
        add_text(item, "sha256", dataset->sha256);
        add_text(item, "altered", dataset->altered);
        add_splits(item, plan, d);
    }
    add_plugins(info, plan->config);
    add_parameters(info, plan->config);
    add_missing(info, missing, n_missing);
    return info;
}

static void add_machine(cJSON *info, const struct run_options *options)
{
    cJSON *machine = cJSON_AddObjectToObject(info, "machine");
    struct utsname names;
    char text[8192];
    if (uname(&names) == 0) {
        add_text(machine, "system", names.sysname);
        add_text(machine, "release", names.release);
        add_text(machine, "architecture", names.machine);
    }
    add_text(machine, "processor", platform_processor(text, sizeof text));
    add_text(machine, "vector_width", options->simd->name);
    add_count(machine, "threads", run_threads(options));
}

cJSON *run_info_of_run(const struct run *run, const struct plan *plan)
{
    cJSON *info = run_info_of_plan(plan, &run->fingerprint, run->options, run->missing, run->n_missing);
    add_text(info, "version", HULLBENCH_VERSION);
    add_text(info, "program_sha256", run->fingerprint.program); /* distinguishes two builds of one version */
    add_text(info, "build", HULLBENCH_BUILD);
    add_text(info, "compiler", __VERSION__);
    add_text(info, "gsl", gsl_version);
    add_text(info, "libc", platform_libc_version());
    add_machine(info, run->options);
    if (run->options->check_rows) /* the checks are part of the seconds */
        cJSON_AddTrueToObject(info, "check_rows");
    return info;
}

void run_info_add_results(cJSON *info, size_t records, const size_t outcomes[OUTCOMES])
{
    cJSON_AddNumberToObject(info, "records", (double)records);
    cJSON *object = cJSON_AddObjectToObject(info, "outcomes");
    for (unsigned o = 0; o < OUTCOMES; o++)
        add_count(object, outcome_name((enum outcome)o), outcomes[o]);
}

void run_info_add_times(cJSON *info, const char *finished, const struct run_times *times)
{
    const struct stage_times *stage_times = &times->stage_times;
    add_text(info, "finished", finished);
    cJSON_AddNumberToObject(info, "seconds", times->seconds);
    if (times->peak_megabytes > 0)
        cJSON_AddNumberToObject(member(info, "machine"), RUN_INFO_PEAK, times->peak_megabytes);
    if (!(stage_times->processor > 0 && times->available > 0))
        return;
    cJSON *time = cJSON_AddObjectToObject(info, "time");
    for (unsigned s = 0; s < STAGES; s++)
        cJSON_AddNumberToObject(time, stage_name((enum stage)s), stage_times->seconds[s]);
    cJSON_AddNumberToObject(time, "processor", stage_times->processor);
    cJSON_AddNumberToObject(time, "busy", stage_times->processor / times->available);
}

cJSON *run_info_of_ended(const struct run *run, const struct plan *plan, size_t records,
                         const size_t outcomes[OUTCOMES])
{
    const struct run_times times = {.seconds = run->seconds,
                                    .available = run->seconds * run_threads(run->options),
                                    .peak_megabytes = platform_peak_megabytes(),
                                    .stage_times = run->stage_times};
    cJSON *info = run_info_of_run(run, plan);
    char finished[64];
    time_t clock = time(NULL);
    struct tm utc;
    if (!gmtime_r(&clock, &utc) || !strftime(finished, sizeof finished, "%Y-%m-%dT%H:%M:%SZ", &utc))
        *finished = '\0';
    run_info_add_results(info, records, outcomes);
    run_info_add_times(info, finished, &times);
    return info;
}

void run_info_add_partial(cJSON *info, const char *const *lacks, size_t count)
{
    uint64_t plan = 0;
    fingerprint_hash(info, "plan", &plan);
    for (size_t i = 0; i < count; i++)
        plan = journal_hash(plan, lacks[i], strlen(lacks[i]) + 1);
    cJSON_DeleteItemFromObject(info, "plan");
    add_hash(info, "plan", plan);
    cJSON_AddItemToObject(info, "partial", cJSON_CreateStringArray(lacks, (int)count));
}

void run_info_write(const char *folder, cJSON *info, const struct record_hashes *records)
{
    char *path = path_join(folder, "run.json");
    file_hashes_add(info, folder, records);
    json_write(path, info);
    free(path);
    cJSON_Delete(info);
}
