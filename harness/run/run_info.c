/* The table of run.json and what fills it, see run_info.h. */
#include "harness/run/run_info.h"

#include <gnu/libc-version.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <gsl/gsl_version.h>

#include "harness/base/json_writer.h"
#include "harness/base/platform.h"
#include "harness/run/file_hashes.h"
#include "harness/run/run.h"
#include "harness/support/file.h"
#include "solvers/registry.h"

#ifndef HULLBENCH_BUILD
#define HULLBENCH_BUILD "unknown"
#endif

enum { MAX_PATTERNS = 1000000000 }; /* also for units */

#define HASH(which) MEMBER_HASH, FIELD(struct run_info, fingerprint.which)
#define TEXT(key, field) {key, MEMBER_TEXT, FIELD(struct run_info, field)}
#define COUNT_OF(type, field) MEMBER_COUNT, FIELD(type, field)
#define LIST(type, field, members) \
    MEMBER_LIST, FIELD(struct run_info, field), .inner = members, .inner_size = sizeof(struct type)
#define PART(members) MEMBER_PART, .size = sizeof(struct run_info), .inner = members
#define SECONDS(key, field) \
    {key, MEMBER_REAL, FIELD(struct run_info_time, field), MEMBER_ALWAYS, 0, (double)INFINITY}

const struct member run_info_data_members[] = {
    {"dataset", MEMBER_TEXT, FIELD(struct run_info_data, dataset)},
    {"source", MEMBER_TEXT, FIELD(struct run_info_data, source)},
    {"sha256", MEMBER_TEXT, FIELD(struct run_info_data, sha256)},
    {"altered", MEMBER_TEXT, FIELD(struct run_info_data, altered),
     .doc = "Which files have another SHA-256 than in datasets/manifest.json."},
    {"official", COUNT_OF(struct run_info_data, splits[SPLIT_OFFICIAL]), .doc = "The number of splits of this source."},
    {"resampled", COUNT_OF(struct run_info_data, splits[SPLIT_RESAMPLED])},
    {"generated", COUNT_OF(struct run_info_data, splits[SPLIT_GENERATED])},
    {"fold", COUNT_OF(struct run_info_data, splits[SPLIT_FOLD])},
    {"train", COUNT_OF(struct run_info_data, n_train), RUN_INFO_EXPORTED, .high = MAX_PATTERNS, .measure = "n_train"},
    {"test", COUNT_OF(struct run_info_data, n_test), MEMBER_ALWAYS | RUN_INFO_EXPORTED, .high = MAX_PATTERNS,
     .measure = "n_test"},
    MEMBERS_END_OTHERS_IGNORED,
};

static const struct member missing_members[] = {
    {"dataset", MEMBER_TEXT, FIELD(struct run_info_data, dataset)},
    {"reason", MEMBER_TEXT, FIELD(struct run_info_data, reason)},
    {"command", MEMBER_TEXT, FIELD(struct run_info_data, command)},
    MEMBERS_END_OTHERS_IGNORED,
};

static const struct member plugin_members[] = {
    {"file", MEMBER_TEXT, FIELD(struct run_info_plugin, file)},
    {"sha256", MEMBER_TEXT, FIELD(struct run_info_plugin, sha256)},
    {"solvers", MEMBER_TEXTS, FIELD(struct run_info_plugin, solvers), MEMBER_ALWAYS},
    {"kernels", MEMBER_TEXTS, FIELD(struct run_info_plugin, kernels)},
    {"stops", MEMBER_TEXTS, FIELD(struct run_info_plugin, stops)},
    MEMBERS_END_OTHERS_IGNORED,
};

/* Without shards, both are absent. */
static const struct member restriction_members[] = {
    TEXT("solvers", solvers),
    TEXT("datasets", datasets),
    TEXT("splits", splits),
    {"shard", COUNT_OF(struct run_info, shard), .low = 1, .high = 1e6},
    {"shards", COUNT_OF(struct run_info, shards), .low = 1, .high = 1e6},
    {"repeats", COUNT_OF(struct run_info, repeats), .low = 1, .high = MAX_REPEATS},
    MEMBERS_END_OTHERS_IGNORED,
};

static const struct member hash_members[] = {
    {"config", HASH(config)},
    {"options", HASH(options)},
    {"data", HASH(data)},
    MEMBERS_END_OTHERS_IGNORED,
};

static const struct member machine_members[] = {
    TEXT("system", system),
    TEXT("release", release),
    TEXT("architecture", architecture),
    TEXT("processor", processor),
    TEXT("vector_width", vector_width),
    {"threads", COUNT_OF(struct run_info, threads), .low = 1, .high = 1e9},
    {RUN_INFO_PEAK, MEMBER_REAL, FIELD(struct run_info, peak_megabytes), MEMBER_ABOVE, 0, (double)INFINITY},
    MEMBERS_END_OTHERS_IGNORED,
};

static const struct member outcome_members[] = {
    {"converged", COUNT_OF(struct run_info, outcomes[OUTCOME_CONVERGED])},
    {"iteration-limit", COUNT_OF(struct run_info, outcomes[OUTCOME_ITERATION_LIMIT])},
    {"operation-limit", COUNT_OF(struct run_info, outcomes[OUTCOME_OPERATION_LIMIT])},
    {"time-limit", COUNT_OF(struct run_info, outcomes[OUTCOME_TIME_LIMIT])},
    {"stalled", COUNT_OF(struct run_info, outcomes[OUTCOME_STALLED])},
    {"failed", COUNT_OF(struct run_info, outcomes[OUTCOME_FAILED])},
    MEMBERS_END_OTHERS_IGNORED,
};

static const struct member time_members[] = { /* the stages in the order of the enum */
    SECONDS("kernels", stages[STAGE_KERNELS]),
    SECONDS("start", stages[STAGE_START]),
    SECONDS("selection", stages[STAGE_SELECTION]),
    SECONDS("stopping", stages[STAGE_STOPPING]),
    SECONDS("update", stages[STAGE_UPDATE]),
    SECONDS("judging", stages[STAGE_JUDGING]),
    SECONDS("prediction", stages[STAGE_PREDICTION]),
    SECONDS("files", stages[STAGE_FILES]),
    SECONDS("processor", processor),
    SECONDS("busy", busy),
    MEMBERS_END_OTHERS_IGNORED,
};

const char *stage_name(enum stage stage)
{
    return time_members[stage].key;
}

/* None is required of a file: earlier versions lack some, and a merge those that its folders do not share. */
const struct member run_info_members[] = {
    {"schema", COUNT_OF(struct run_info, schema), MEMBER_ALWAYS, 1, 1, .fallback = 1},
    {"config", MEMBER_TEXT, FIELD(struct run_info, config), .doc = "The configuration's name."},
    {"plan", HASH(plan), .flags = RUN_INFO_RESULT, .doc = "Of version, configuration, restrictions, shard and data."},
    {"plan_of", PART(hash_members), .flags = RUN_INFO_RESULT},
    {"restricted_to", PART(restriction_members), .flags = MEMBER_ALWAYS | RUN_INFO_RESULT},
    {"units", COUNT_OF(struct run_info, units), RUN_INFO_RESULT, .high = MAX_PATTERNS},
    {"blocks_of_plan", COUNT_OF(struct run_info, total_blocks), RUN_INFO_RESULT, .high = MAX_PATTERNS},
    {"standardise", MEMBER_TEXT, FIELD(struct run_info, standardise),
     .doc = "How the features were standardised. Missing in folders of earlier versions: as config.json says."},
    {"data", LIST(run_info_data, data, run_info_data_members), .flags = MEMBER_ALWAYS},
    {"plugins", LIST(run_info_plugin, plugins, plugin_members)},
    {"parameters", MEMBER_JSON, FIELD(struct run_info, parameters), .doc = "For each solver, each of its parameters."},
    {"kernel_parameters", MEMBER_JSON, FIELD(struct run_info, kernel_parameters),
     .doc = "Only with a kernel of a plugin."},
    {"missing", LIST(run_info_data, missing, missing_members), .flags = MEMBER_ALWAYS | RUN_INFO_RESULT,
     .doc = "Data sets that were not found."},
    TEXT("version", version),
    TEXT("program_sha256", fingerprint.program),
    TEXT("build", build),
    TEXT("compiler", compiler),
    TEXT("gsl", gsl),
    TEXT("libc", libc),
    {"machine", PART(machine_members)},
    {"check_rows", MEMBER_FLAG, FIELD(struct run_info, check_rows)},
    {"records", COUNT_OF(struct run_info, records), RUN_INFO_RESULT},
    {"outcomes", PART(outcome_members), .flags = RUN_INFO_RESULT, .doc = "The number of each outcome that occurs."},
    {"finished", MEMBER_TEXT, FIELD(struct run_info, finished), RUN_INFO_RESULT},
    {"seconds", MEMBER_REAL, FIELD(struct run_info, seconds), RUN_INFO_RESULT, .high = (double)INFINITY},
    {"time", MEMBER_OBJECT, FIELD(struct run_info, time), RUN_INFO_RESULT, .inner = time_members,
     .inner_size = sizeof(struct run_info_time), .doc = "Seconds of the stages, summed over threads; busy is a share."},
    {"search_seconds", MEMBER_JSON, FIELD(struct run_info, search_seconds),
     .doc = "tune: for each data set, for each solver, seconds of the solver in the whole search, at the chosen point "
            "(null if there is none) and in the outer test."},
    {"partial", MEMBER_TEXTS, FIELD(struct run_info, partial),
     .doc = "Only if parts are missing: one sentence for each."},
    MEMBERS_END_OTHERS_IGNORED,
};

/* ---- reading ---- */

static void name_all(struct run_info_data *data, size_t count)
{
    for (; count-- > 0; data++) {
        data->dataset = data->dataset ? data->dataset : "";
        data->sha256 = data->sha256 ? data->sha256 : "";
    }
}

void run_info_read(struct pool *pool, const cJSON *json, const char *path, struct run_info *info)
{
    const struct json_path top = {.file = path}, given = {.outer = &top, .key = "restricted_to"},
                           at_shard = {.outer = &given, .key = "shard"};
    *info = (struct run_info){0};
    if (!cJSON_IsObject(json))
        json_die(&top, "not a JSON object");
    members_read(pool, run_info_members, json, &top, info);
    file_hashes_check_list(json, path);
    info->shard = info->shard ? info->shard : 1;
    info->shards = info->shards ? info->shards : 1;
    if (info->shard > info->shards)
        json_die(&at_shard, "%zu is out of range; allowed: 1 to %zu", info->shard, info->shards);
    info->has_records = cJSON_HasObjectItem(json, "records");
    info->is_partial = cJSON_HasObjectItem(json, "partial");
    name_all(info->data.item, info->data.count);
    name_all(info->missing.item, info->missing.count);
    for (size_t i = 0; i < info->plugins.count; i++)
        info->plugins.item[i].sha256 = info->plugins.item[i].sha256 ? info->plugins.item[i].sha256 : "";
}

static const struct run_info_data *find_data(const struct run_info_data *data, size_t count, const char *dataset)
{
    for (; count > 0; count--, data++)
        if (strcmp(data->dataset, dataset) == 0)
            return data;
    return NULL;
}

const struct run_info_data *run_info_data(const struct run_info *info, const char *dataset)
{
    return find_data(info->data.item, info->data.count, dataset);
}

const char *run_info_why_missing(const struct run_info *info, const char *dataset)
{
    const struct run_info_data *missing = find_data(info->missing.item, info->missing.count, dataset);
    return missing ? missing->reason : NULL;
}

/* ---- fingerprints: one hash shows that two plans differ; a hash for each part shows where ---- */

/* Each part includes its terminating zero byte, so that adjacent parts cannot be confused. */
static uint64_t add_text(uint64_t hash, const char *text)
{
    return text ? fnv(hash, text, strlen(text) + 1) : fnv(hash, "", 1);
}

static uint64_t add_options(uint64_t hash, const struct run_info *info)
{
    const uint64_t shard[2] = {info->shards ? info->shard : 1, info->shards ? info->shards : 1};
    const uint64_t repeats = info->repeats;
    hash = add_text(hash, info->solvers);
    hash = add_text(hash, info->datasets);
    hash = add_text(hash, info->splits);
    hash = fnv(hash, shard, sizeof shard);
    return repeats ? fnv(hash, &repeats, sizeof repeats) : hash; /* 0 adds nothing: same hash as in earlier versions */
}

/* The data sets in the configuration's order, then the plugins in the solvers' order. */
static uint64_t add_files(uint64_t hash, const struct run_info *info)
{
    for (size_t d = 0; d < info->data.count; d++)
        hash = add_text(hash, info->data.item[d].sha256);
    for (size_t p = 0; p < info->plugins.count; p++)
        hash = add_text(hash, info->plugins.item[p].sha256);
    return hash;
}

struct fingerprint fingerprint_of(const struct run_info *info, const char *config)
{
    const uint64_t start = add_text(add_text(FNV_START, info->version), config);
    return (struct fingerprint){.plan = add_files(add_options(start, info), info),
                                .config = add_text(FNV_START, config),
                                .options = add_options(FNV_START, info),
                                .data = add_files(FNV_START, info)};
}

const char *fingerprint_program(void)
{
    static char hash[65];
    /* The program that runs, even if its file has been replaced. */
    if (!*hash && access("/proc/self/exe", F_OK) == 0)
        file_sha256("/proc/self/exe", hash, NULL);
    return *hash ? hash : NULL;
}

int fingerprint_differs(const struct fingerprint *now, const struct fingerprint *then,
                        char words[FINGERPRINT_DIFF_SIZE])
{
    const int parts_differ[] = {then->config && then->config != now->config,
                                then->options && then->options != now->options,
                                then->data && then->data != now->data};
    const int any = parts_differ[0] || parts_differ[1] || parts_differ[2], whole = then->plan != now->plan && !any;
    const struct {
        int differs;
        const char *what;
    } all[] = {{parts_differ[0], "another configuration"},
               {parts_differ[1], "other options"},
               {parts_differ[2], "other data or plugins"},
               {whole, then->config ? "another version" : "another configuration, options, data or version"},
               {then->program && now->program && strcmp(then->program, now->program) != 0,
                "another build of the program"}};
    size_t used = 0;
    *words = '\0';
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].differs)
            used += (size_t)snprintf(words + used, FINGERPRINT_DIFF_SIZE - used, "%s%s", used ? ", " : "", all[i].what);
    return used > 0;
}

/* ---- times; a merge combines folders with different numbers of threads, so they are derived from `busy` ---- */

int run_info_times(const struct run_info *info, struct run_times *times)
{
    *times = (struct run_times){.seconds = info->seconds, .peak_megabytes = info->peak_megabytes};
    if (!info->time || !(info->time->busy > 0))
        return 0;
    memcpy(times->stage_times.seconds, info->time->stages, sizeof info->time->stages);
    times->stage_times.processor = info->time->processor;
    times->available = info->time->processor / info->time->busy;
    return 1;
}

void run_times_add(struct run_times *sum, const struct run_times *times)
{
    sum->seconds += times->seconds;
    sum->available += times->available;
    if (times->peak_megabytes > sum->peak_megabytes)
        sum->peak_megabytes = times->peak_megabytes;
    stage_times_add(&sum->stage_times, &times->stage_times);
}

void run_info_set_times(struct pool *pool, struct run_info *info, const char *finished, const struct run_times *times)
{
    const double processor = times->stage_times.processor;
    info->finished = finished;
    info->seconds = times->seconds;
    info->peak_megabytes = times->peak_megabytes;
    if (!(processor > 0 && times->available > 0))
        return;
    info->time = pool_alloc(pool, sizeof *info->time);
    memcpy(info->time->stages, times->stage_times.seconds, sizeof info->time->stages);
    info->time->processor = processor;
    info->time->busy = processor / times->available;
}

/* ---- of a plan; unknown values are NULL or 0, and not written ---- */

/* The plan's splits of data set d, and their sizes if known. */
static void count_splits(const struct plan *plan, size_t d, struct run_info_data *data)
{
    size_t train = SIZE_MAX;
    for (size_t u = 0; u < plan->n_units; u++) {
        const struct job *job = &plan->jobs[plan->units[u].first];
        if (job->dataset != d)
            continue;
        const struct split *split = &plan->datasets[d]->splits[job->split];
        data->splits[split->source]++;
        train = split->n_train < train ? split->n_train : train;
        data->n_test = split->n_test > data->n_test ? split->n_test : data->n_test;
    }
    data->n_train = train < SIZE_MAX ? train : 0;
}

/* The shared objects that the configuration uses, each with the names of what it uses from them. */
static void add_plugins(struct pool *pool, struct run_info *info, const struct config *config)
{
    struct config_plugin_item item;
    for (size_t i = 0; config_plugin_item(config, i, &item); i++) {
        size_t p = 0;
        if (!item.origin)
            continue;
        while (p < info->plugins.count && strcmp(info->plugins.item[p].sha256, item.origin->sha256) != 0)
            p++;
        if (p == info->plugins.count)
            *pool_push(pool, &info->plugins) =
                (struct run_info_plugin){.file = item.origin->file, .sha256 = item.origin->sha256};
        struct run_info_plugin *plugin = &info->plugins.item[p];
        *pool_push(pool, strcmp(item.list, "solvers") == 0   ? &plugin->solvers
                         : strcmp(item.list, "kernels") == 0 ? &plugin->kernels
                                                             : &plugin->stops) = item.name;
    }
}

void run_info_describe_parameter(cJSON *object, const struct parameter *parameter)
{
    static const char *const types[PARAMETER_TYPES] = {"real", "integer", "choice", "switch"};
    const char *const *words = parameter_words(parameter);
    char allowed[256];
    parameter_allowed(parameter, allowed, sizeof allowed);
    json_put_text(object, "meaning", parameter->meaning);
    json_put_text(object, "type", types[parameter->type]);
    json_put_text(object, "scale", parameter->scale == PARAMETER_LOG ? "log" : "linear");
    json_put_text(object, "allowed", allowed);
    cJSON *choices = words && words[0] ? json_put_array(object, "choices") : NULL;
    for (size_t w = 0; words && words[w]; w++)
        json_add_text(choices, words[w]);
    if (!words && isfinite(parameter->min)) /* infinite ends are omitted */
        json_put_number(object, parameter->min_is_open ? "above" : "min", parameter->min);
    if (!words && isfinite(parameter->max))
        json_put_number(object, parameter->max_is_open ? "below" : "max", parameter->max);
    if (!words && parameter->multiple_of > 0)
        json_put_number(object, "multiple_of", parameter->multiple_of);
    if (words && !isnan(parameter->fallback))
        json_put_text(object, "default", words[(size_t)parameter->fallback]);
    else if (!isnan(parameter->fallback))
        json_put_number(object, "default", parameter->fallback);
}

static void add_parameter(cJSON *list, const struct parameter *parameter)
{
    run_info_describe_parameter(json_put_object(list, parameter->name), parameter);
}

cJSON *run_info_parameters(const struct solver *solver)
{
    cJSON *list = json_new_object();
    for (size_t p = 0; p < solver_count_parameters(solver); p++)
        add_parameter(list, solver->parameters[p]);
    return list;
}

/* Describes the parameters of each solver, and of a plugin's kernel, so that readers of the folder need neither. */
static void add_parameters(struct pool *pool, struct run_info *info, const struct config *config)
{
    cJSON *solvers = json_keep(pool, json_new_object());
    info->parameters = solvers;
    for (size_t s = 0; s < config->n_solvers; s++) {
        const struct solver *solver = config->solvers[s].solver;
        if (!cJSON_HasObjectItem(solvers, solver->name))
            cJSON_AddItemToObject(solvers, solver->name, run_info_parameters(solver));
        cJSON *own = json_member(solvers, solver->name);
        if (config->solvers[s].mu_of_c && !cJSON_HasObjectItem(own, parameter_c.name))
            add_parameter(own, &parameter_c);
    }
    if (!kernel_family_origin(config->kernel))
        return;
    cJSON *kernel = json_keep(pool, json_new_object());
    info->kernel_parameters = kernel;
    for (size_t k = 0; k < kernel_family_count_parameters(config->kernel); k++)
        add_parameter(kernel, config->kernel->parameters[k]);
}

/* The reason without the data set's name before and the command after it. */
static const char *missing_reason(struct pool *pool, const struct missing_dataset *missing)
{
    const char *colon = strstr(missing->reason, ": "), *reason = colon ? colon + 2 : missing->reason;
    return pool_strndup(pool, reason, strcspn(reason, ";"));
}

static const char *some(const char *text)
{
    return text && *text ? text : NULL;
}

struct run_info run_info_of_plan(struct pool *pool, const struct plan *plan, const struct run_options *options,
                                 const struct missing_dataset *missing, size_t n_missing, const char *version)
{
    const struct config *config = plan->config;
    const int is_shard = options->shards > 1;
    struct run_info info = {.schema = 1,
                            .config = config->name,
                            .version = version,
                            .solvers = options->solvers,
                            .datasets = options->datasets,
                            .splits = options->splits,
                            .shard = is_shard ? options->shard : 0,
                            .shards = is_shard ? options->shards : 0,
                            .repeats = options->repeats,
                            .units = plan->n_units,
                            .total_blocks = plan->total_blocks,
                            .standardise = standardise_names[config_standardise(config)]};
    for (size_t d = 0; d < config->n_datasets; d++) {
        const struct dataset *dataset = plan->datasets[d];
        if (!dataset)
            continue;
        struct run_info_data *data = pool_push(pool, &info.data);
        *data = (struct run_info_data){.dataset = dataset->name,
                                       .source = some(dataset->source),
                                       .sha256 = some(dataset->sha256),
                                       .altered = some(dataset->altered)};
        count_splits(plan, d, data);
    }
    add_plugins(pool, &info, config);
    add_parameters(pool, &info, config);
    for (size_t m = 0; m < n_missing; m++)
        *pool_push(pool, &info.missing) = (struct run_info_data){.dataset = missing[m].name,
                                                                 .reason = some(missing_reason(pool, &missing[m])),
                                                                 .command = "datasets/fetch.sh"};
    info.fingerprint = fingerprint_of(&info, config->text);
    return info;
}

/* ---- of a run ---- */

struct run_info run_info_of_run(struct pool *pool, const struct run *run, const struct plan *plan)
{
    const struct run_options *options = run->options;
    struct run_info info =
        run_info_of_plan(pool, plan, options, run->missing, run->n_missing, HULLBENCH_VERSION);
    struct utsname *names = pool_alloc(pool, sizeof *names);
    char *processor = pool_alloc(pool, 8192);
    info.fingerprint = run->fingerprint; /* has the program, and the grid of a search */
    info.build = HULLBENCH_BUILD;
    info.compiler = __VERSION__;
    info.gsl = gsl_version;
    info.libc = gnu_get_libc_version();
    if (uname(names) == 0) {
        info.system = names->sysname;
        info.release = names->release;
        info.architecture = names->machine;
    }
    info.processor = some(platform_processor(processor, 8192));
    info.vector_width = options->simd->name;
    info.threads = run_threads(options);
    info.check_rows = options->check_rows; /* the checks are part of the seconds */
    return info;
}

const char *utc_now(struct pool *pool)
{
    enum { SIZE = 64 };
    char *text = pool_alloc(pool, SIZE);
    const time_t now = time(NULL);
    struct tm utc;
    return gmtime_r(&now, &utc) && strftime(text, SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc) ? text : "unknown";
}

struct run_info run_info_of_ended(struct pool *pool, const struct run *run, const struct plan *plan, size_t records,
                                  const size_t outcomes[OUTCOMES])
{
    const struct run_times times = {.seconds = run->seconds,
                                    .available = run->seconds * run_threads(run->options),
                                    .peak_megabytes = platform_peak_megabytes(),
                                    .stage_times = run->stage_times};
    struct run_info info = run_info_of_run(pool, run, plan);
    info.records = records;
    memcpy(info.outcomes, outcomes, sizeof info.outcomes);
    run_info_set_times(pool, &info, utc_now(pool), &times);
    return info;
}

void run_info_set_partial(struct pool *pool, struct run_info *info, const char *const *lacks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        info->fingerprint.plan = fnv(info->fingerprint.plan, lacks[i], strlen(lacks[i]) + 1);
        *pool_push(pool, &info->partial) = lacks[i];
    }
}

void run_info_write(const char *folder, cJSON *json, const struct record_hashes *records)
{
    file_hashes_add(json, folder, records);
    json_write(path_in(folder, "run.json"), json);
    cJSON_Delete(json);
}
