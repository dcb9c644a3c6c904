/*
 * Reads a configuration: the tables give every key with its type and range; what follows checks names and the rules
 * between keys.
 */
#include "harness/config/config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/data/manifest.h"
#include "harness/evaluate/session.h"
#include "harness/support/file.h"

/* ---- keys ---- */

const char *const standardise_names[] = {
    [STANDARDISE_NONE] = "none",
    [STANDARDISE_FULL_SET] = "full-set",
    [STANDARDISE_FULL_SET_SAMPLE] = "full-set-sample",
    [STANDARDISE_TRAINING] = "training",
    NULL,
};
static const char *const training_orders[] = {"as-listed", "reversed", NULL};

const struct member config_family_members[] = {
    {"shape", MEMBER_CHOICE, FIELD(struct dataset_family, shape), MEMBER_REQUIRED, .names = family_shapes},
    {"features", MEMBER_COUNT, FIELD(struct dataset_family, features), .low = 1, .high = 1e6, .fallback = 2},
    {"separation", MEMBER_REAL, FIELD(struct dataset_family, separation), .high = 100, .fallback = 2},
    {"condition", MEMBER_REAL, FIELD(struct dataset_family, condition), .low = 1, .high = 1e12, .fallback = 1},
    {"density", MEMBER_REAL, FIELD(struct dataset_family, density), MEMBER_ABOVE, .high = 1, .fallback = 1},
    {"positives", MEMBER_REAL, FIELD(struct dataset_family, positives), MEMBER_ABOVE, .high = 0.99, .fallback = 0.5},
    {"label_noise", MEMBER_REAL, FIELD(struct dataset_family, label_noise), .high = 0.5},
    MEMBERS_END,
};

const struct member config_dataset_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct dataset_spec, name), MEMBER_REQUIRED},
    {"file", MEMBER_TEXT, FIELD(struct dataset_spec, file), .doc = "Relative to the current folder."},
    DATASET_FILE_MEMBERS(struct dataset_spec, ),
    {"synthetic", MEMBER_FLAG, FIELD(struct dataset_spec, synthetic), .former = "made",
     .doc = "Generate the set even if a file has it."},
    {"generate", MEMBER_OBJECT, FIELD(struct dataset_spec, family), .inner = config_family_members,
     .inner_size = sizeof(struct dataset_family), .doc = "The distribution that the set is drawn from."},
    MEMBERS_END,
};

const struct member config_fold_members[] = {
    {"folds", MEMBER_COUNT, FIELD(struct fold_plan, folds), MEMBER_ABOVE, .low = 1, .high = 1000, .fallback = 10},
    {"repeats", MEMBER_COUNT, FIELD(struct fold_plan, repeats), MEMBER_ABOVE, .high = 100, .fallback = 1},
    {"stratified", MEMBER_FLAG, FIELD(struct fold_plan, stratified),
     .doc = "The counts of a class differ by one at most."},
    {"equal_sizes", MEMBER_FLAG, FIELD(struct fold_plan, equal_sizes),
     .doc = "Leave out the rows that do not divide evenly."},
    MEMBERS_END,
};

const struct member config_trace_members[] = {
    {"datasets", MEMBER_TEXTS, FIELD(struct config_trace, datasets), MEMBER_REQUIRED | MEMBER_NOT_EMPTY},
    {"splits", MEMBER_JSON, FIELD(struct config_trace, splits_given)},
    MEMBERS_END,
};

const struct member config_quick_members[] = {
    {"splits", MEMBER_TEXT, FIELD(struct config_quick, splits)},
    {"datasets", MEMBER_TEXTS, FIELD(struct config_quick, datasets), MEMBER_NOT_EMPTY},
    MEMBERS_END,
};

const struct member config_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct config, name), CONFIG_KEEPS | MEMBER_REQUIRED, .high = FILE_NAME_PART_MAX,
     .doc = "Goes into every record, and into file names."},
    {"title", MEMBER_TEXT, FIELD(struct config, title), CONFIG_KEEPS, .doc = "A title for readers."},
    {"datasets", MEMBER_JSON, FIELD(struct config, given.datasets), CONFIG_KEEPS,
     .doc = "Names of `hullbench list datasets`, or objects; none twice."},
    {"splits", MEMBER_JSON, FIELD(struct config, given.splits), CONFIG_KEEPS | CONFIG_ONLY_OF_RUNS,
     .doc = "7, \"1-10,20\", [1, 2] or the folds of a cross-validation."},
    {"standardise", MEMBER_CHOICE, FIELD(struct config, standardise), .names = standardise_names, .noun = "value",
     .fallback = -1,
     .doc = "Shift and scale each feature over the whole set (the variance has divisor n, or n - 1 for sample) or over "
            "the training rows of each split (n). Required unless all data sets are the user's own files. Default: "
            "training."},
    {"training_order", MEMBER_CHOICE, FIELD(struct config, reverse_training), CONFIG_ONLY_OF_RUNS,
     .names = training_orders, .noun = "value"},
    {"swap_labels", MEMBER_FLAG, FIELD(struct config, swap_labels), CONFIG_ONLY_OF_RUNS,
     .doc = "Exchange the two classes."},
    {"generate_missing", MEMBER_FLAG, FIELD(struct config, generate_missing), CONFIG_KEEPS, .fallback = 1,
     .former = "make_missing", .doc = "Generate twonorm, ringnorm, waveform and titanic if no file has them."},
    {"seed", MEMBER_COUNT, FIELD(struct config, seed), MEMBER_ABOVE, .high = 9e15, .fallback = 1,
     .doc = "Of drawn splits and generated sets."},
    {"draws", MEMBER_COUNT, FIELD(struct config, draws), MEMBER_ABOVE | CONFIG_ONLY_OF_RUNS, .high = 100, .fallback = 1,
     .doc = "Multiplies the number of splits of a known set."},
    {"kernel", MEMBER_JSON, FIELD(struct config, given.kernel), CONFIG_KEEPS | MEMBER_REQUIRED},
    {"parameters", MEMBER_JSON, FIELD(struct config, given.parameters), CONFIG_KEEPS,
     .doc = "Parameters of all solvers that read them."},
    {"solvers", MEMBER_JSON, FIELD(struct config, given.solvers), CONFIG_KEEPS,
     .doc = "Names of `hullbench list solvers`, objects, or, as the last entry, \"*\" for all others."},
    {"stop", MEMBER_OBJECT, FIELD(struct config, given.stop), CONFIG_KEEPS, .inner = config_stop_members,
     .inner_size = sizeof(struct config_stop)},
    {"budget", MEMBER_OBJECT, FIELD(struct config, given.budget), CONFIG_KEEPS, .inner = config_budget_members,
     .inner_size = sizeof(struct config_budget)},
    {"support_vector_threshold", MEMBER_REAL, FIELD(struct config, support_threshold), CONFIG_ONLY_OF_RUNS,
     .high = 1, .fallback = USUAL_SUPPORT_THRESHOLD, .doc = "A multiplier above it counts as a support vector."},
    {"repeats", MEMBER_COUNT, FIELD(struct config, repeats), CONFIG_KEEPS | MEMBER_ABOVE | CONFIG_ONLY_OF_RUNS,
     .high = MAX_REPEATS, .fallback = 1, .doc = "From 2 on, each solver runs that many more times to be timed."},
    {"gram_megabytes", MEMBER_REAL, FIELD(struct config, gram_megabytes), MEMBER_ABOVE, .high = 1e7,
     .fallback = USUAL_GRAM_MEGABYTES, .doc = "Memory in MiB for kernel matrices."},
    {"quick", MEMBER_PART, FIELD(struct config, quick), CONFIG_KEEPS | CONFIG_ONLY_OF_RUNS,
     .inner = config_quick_members, .doc = "The part that run --quick runs. Default: the first two splits."},
    {"plugins", MEMBER_TEXTS, FIELD(struct config, plugins), CONFIG_KEEPS | MEMBER_DISTINCT,
     .doc = "Files that its solvers, rules or kernel need. Only --plugin loads them; an error says which to give."},
    {"trace", MEMBER_OBJECT, FIELD(struct config, trace), CONFIG_KEEPS | CONFIG_ONLY_OF_RUNS,
     .inner = config_trace_members, .inner_size = sizeof(struct config_trace),
     .doc = "The jobs that write their convergence."},
    {"tables", MEMBER_JSON, FIELD(struct config, given.tables), CONFIG_KEEPS | CONFIG_ONLY_OF_RUNS,
     .doc = "PAPER.TABLE, PAPER.claims, or tables of your own (docs/tables.md)."},
    {"plots", MEMBER_JSON, FIELD(struct config, given.plots), CONFIG_KEEPS | CONFIG_ONLY_OF_RUNS,
     .doc = "Figures (docs/plots.md); read only by `hullbench plot`."},
    MEMBERS_END,
};

enum standardise config_standardise(const struct config *config)
{
    return config->kernel->type == KERNEL_PRECOMPUTED ? STANDARDISE_NONE : config->standardise;
}

/* ---- data sets ---- */

static void check_family(const struct dataset_spec *dataset, const cJSON *given, const struct json_path *place)
{
    static const char *const of_gaussians[] = {"features", "separation", "condition", "density", NULL};
    if (dataset->file || dataset->synthetic)
        json_die(place, "\"generate\" cannot be combined with \"%s\"", dataset->file ? "file" : "synthetic");
    if (!dataset->n_train || !dataset->n_test)
        json_die(place, "\"generate\" needs \"n_train\" and \"n_test\"");
    for (size_t i = 0; dataset->family->shape == FAMILY_CHESSBOARD && of_gaussians[i]; i++)
        if (json_member(given, of_gaussians[i]))
            json_die(json_at(place, "generate"), "shape \"chessboard\" does not read \"%s\"", of_gaussians[i]);
}

static void read_dataset(const struct config *config, const cJSON *json, const struct json_path *place,
                         struct dataset_spec *dataset)
{
    if (cJSON_IsString(json))
        dataset->name = json->valuestring;
    else {
        members_read(config->pool, config_dataset_members, json, place, dataset);
        dataset_spec_check(dataset, place);
        if (dataset->test_file && !dataset->file)
            json_die(place, "\"test_file\" needs \"file\"");
        if (dataset->synthetic && dataset->file)
            json_die(place, "\"synthetic\" cannot be combined with \"file\"");
    }
    dataset->is_own = dataset->file != NULL;
    if (dataset->family)
        check_family(dataset, json_member(json, "generate"), place);
    else if (!dataset->file) {
        const struct manifest *manifest = dataset_source_manifest(config->source, getenv("HULLBENCH_DATA"));
        dataset->is_own = manifest_find(manifest, dataset->name, place)->spec.file != NULL;
    }
}

static void read_datasets(struct config *config)
{
    const cJSON *json = config->given.datasets;
    const struct json_path place = {.outer = &config->place, .key = "datasets"};
    const size_t count = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 0;
    if (count == 0)
        json_die(&place, "expected a non-empty list of data sets");
    config->datasets = pool_array(config->pool, count, sizeof *config->datasets);
    config->dataset_names = pool_array(config->pool, count + 1, sizeof *config->dataset_names);
    json_each (item, json) {
        const struct json_path at = {.outer = &place, .index = config->n_datasets};
        struct dataset_spec *dataset = &config->datasets[config->n_datasets];
        read_dataset(config, item, &at, dataset);
        dataset->place = (uint32_t)config->n_datasets;
        for (size_t i = 0; i < config->n_datasets; i++)
            if (strcmp(config->datasets[i].name, dataset->name) == 0)
                json_die(&at, "data set \"%s\" occurs twice", dataset->name);
        config->dataset_names[config->n_datasets++] = dataset->name;
    }
}

/* ---- splits ---- */

/* Reads a list of split numbers in any form. */
static size_t *read_split_list(struct pool *pool, const cJSON *json, const struct json_path *place, size_t *count)
{
    const char *text = cJSON_GetStringValue(json);
    if (cJSON_IsNumber(json) || cJSON_IsArray(json)) {
        char *printed = cJSON_PrintUnformatted(json);
        const size_t bracket = cJSON_IsArray(json) ? 1 : 0;
        text = pool_strndup(pool, printed + bracket, strlen(printed) - 2 * bracket);
        cJSON_free(printed);
    }
    if (!text)
        json_die(place, "%s is not a list of split numbers; allowed: 7, \"1-10,20\" or [1, 2]",
                 json ? json_to_text(json) : "nothing");
    return split_list_read(pool, text, place, count);
}

/* Reads a list of numbers, or folds, whose splits are all of them. */
static void read_splits(struct config *config)
{
    const cJSON *json = config->given.splits;
    const struct json_path place = {.outer = &config->place, .key = "splits"};
    struct fold_plan *plan = &config->folds;
    if (!cJSON_IsObject(json)) {
        config->splits = read_split_list(config->pool, json, &place, &config->n_splits);
        return;
    }
    members_read(config->pool, config_fold_members, json, &place, plan);
    for (size_t d = 0; d < config->n_datasets; d++)
        if (config->datasets[d].n_train || config->datasets[d].test_file || config->datasets[d].split_file)
            json_die(&place, "folds cannot be combined with \"%s\", which has its own splits",
                     config->datasets[d].name);
    config->splits = split_list_read(config->pool, pool_printf(config->pool, "1-%zu", plan->folds * plan->repeats),
                                     &place, &config->n_splits);
}

/* ---- kernel ---- */

static void read_kernel(struct config *config)
{
    const cJSON *json = config->given.kernel;
    const struct json_path place = {.outer = &config->place, .key = "kernel"},
                           at_type = {.outer = &place, .key = "type"};
    const char *names[MAX_KERNEL_FAMILIES + 1] = {NULL}, *keys[KERNEL_MAX_PARAMETERS + 2] = {"type"};
    if (!cJSON_IsObject(json))
        json_check_members(json, &place, keys);
    const char *type = json_read_text(json, "type", &place);
    for (size_t i = 0; kernel_families_all()[i]; i++)
        names[i] = kernel_families_all()[i]->name;
    config->kernel = kernel_family_find(type);
    if (!config->kernel)
        config_die_unknown(config, &at_type, "kernel type", type, names);
    const size_t count = kernel_family_count_parameters(config->kernel);
    for (size_t k = 0; k < count; k++)
        keys[k + 1] = config->kernel->parameters[k]->name;
    json_check_members(json, &place, keys);
    for (size_t k = 0; k < count; k++) {
        const struct parameter *parameter = config->kernel->parameters[k];
        const cJSON *value = json_member(json, parameter->name);
        if (!value && isnan(parameter->fallback))
            json_die(&place, "key \"%s\" is missing", parameter->name);
        config->kernel_parameters[k] =
            value ? value_list_read(config->pool, value, json_at(&place, parameter->name), parameter,
                                    config->dataset_names)
                  : value_list_constant(config->pool, parameter->fallback);
    }
}

/* ---- rules between members ---- */

/* Checks that the list has only names of this configuration's data sets. */
static void check_dataset_names(const struct config *config, const struct member_texts *names,
                                const struct json_path *outer)
{
    for (size_t i = 0; i < names->count; i++)
        json_check_word(json_at(outer, "datasets"), "data set", names->item[i], config->dataset_names);
}

static void read_trace(struct config *config)
{
    const struct json_path place = {.outer = &config->place, .key = "trace"}, at = {.outer = &place, .key = "splits"};
    struct config_trace *trace = config->trace;
    if (!trace)
        return;
    check_dataset_names(config, &trace->datasets, &place);
    trace->splits = read_split_list(config->pool, trace->splits_given, &at, &trace->n_splits);
}

static void read_quick(struct config *config)
{
    struct config_quick *quick = &config->quick;
    const struct json_path place = {.outer = &config->place, .key = "quick"}, at = {.outer = &place, .key = "splits"};
    const size_t first = config->splits[0], second = config->splits[config->n_splits > 1];
    size_t count;
    if (quick->splits)
        split_list_read(config->pool, quick->splits, &at, &count);
    else
        quick->splits = second == first ? pool_printf(config->pool, "%zu", first)
                                        : pool_printf(config->pool, "%zu%c%zu", first,
                                                      second == first + 1 ? '-' : ',', second);
    check_dataset_names(config, &quick->datasets, &place);
    for (size_t i = 0; i < quick->datasets.count; i++)
        config->quick_datasets = pool_printf(config->pool, "%s%s%s", i ? config->quick_datasets : "", i ? "," : "",
                                             quick->datasets.item[i]);
}

/* Several draws multiply the number of splits of a data set, which must therefore have one. */
static void check_draws(const struct config *config)
{
    const struct json_path at = {.outer = &config->place, .key = "draws"};
    if (config->draws == 1)
        return;
    if (config->folds.folds)
        json_die(&at, "cannot be combined with folds; give \"repeats\" in \"splits\"");
    for (size_t d = 0; d < config->n_datasets; d++)
        if (config->datasets[d].file || config->datasets[d].family)
            json_die(&at, "\"%s\" is %s and has no fixed number of splits, which \"draws\" needs",
                     config->datasets[d].name, config->datasets[d].file ? "a file" : "generated");
}

static void check_standardise(struct config *config)
{
    const int is_missing = !json_member(config->json, "standardise");
    if (is_missing)
        config->standardise = STANDARDISE_TRAINING;
    for (size_t d = 0; d < config->n_datasets; d++) {
        const struct json_path at = {.outer = json_at(&config->place, "datasets"), .index = d};
        if (is_missing && !config->datasets[d].is_own)
            json_die(&config->place, "key \"standardise\" is missing");
        if (!config->datasets[d].family)
            continue;
        if (config->standardise != STANDARDISE_NONE && config->standardise != STANDARDISE_TRAINING)
            json_die(&at, "\"generate\" needs \"standardise\": \"none\" or \"training\", because each split is a "
                          "separate sample");
        if (config->kernel->type == KERNEL_PRECOMPUTED)
            json_die(&at, "\"generate\" cannot be combined with a precomputed kernel");
    }
}

/* Checks the shape of "tables" (names and objects) or "plots" (objects with a kind); the code that makes them looks up
 * the names. The names become file names, so a run with a wrong one is not even begun. */
static void check_outputs(const struct config *config, const cJSON *list, const char *key)
{
    const int is_tables = list == config->given.tables;
    const struct json_path place = {.outer = &config->place, .key = key};
    struct json_path at = {.outer = &place};
    if (list && !cJSON_IsArray(list))
        json_die(&place, "expected a list");
    json_each (item, list) {
        if (!(is_tables && cJSON_IsString(item)) && !cJSON_IsObject(item))
            json_die(&at, "expected %san object", is_tables ? "a name or " : "");
        if (!is_tables)
            json_read_text(item, "kind", &at);
        if (json_member(item, "name"))
            json_read_text(item, "name", &at);
        at.index++;
    }
}

/* ---- the file ---- */

struct config *config_from_json(struct pool *pool, const char *label, cJSON *json)
{
    struct config *config = pool_alloc(pool, sizeof *config);
    const struct json_path top = {.file = pool_strdup(pool, label)};
    members_read(pool, config_members, json, &top, config);
    config->pool = pool;
    config->json = json;
    config->place = top;
    config->source = dataset_source_new(pool);
    config->gram_bytes = (size_t)(config->gram_megabytes * 1048576);
    read_datasets(config);
    read_splits(config);
    check_draws(config);
    read_kernel(config);
    check_standardise(config);
    config_expand_star(config->json, &config->place);
    config_read_solvers(config);
    read_trace(config);
    read_quick(config);
    check_outputs(config, config->given.tables, "tables");
    check_outputs(config, config->given.plots, "plots");
    return config;
}

struct config *config_parse(struct pool *pool, const char *label, const char *text)
{
    struct config *config = config_from_json(pool, label, json_parse(pool, label, text));
    config->text = pool_strdup(pool, text);
    return config;
}

char *config_file_text(struct pool *pool, const char *path)
{
    file_check_exists(path);
    return file_read(pool, path, NULL);
}

struct config *config_read(struct pool *pool, const char *path)
{
    return config_parse(pool, path, config_file_text(pool, path));
}
