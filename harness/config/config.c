/*
 * Reads a configuration: the tables give every key with its type and range; what follows checks names and the rules
 * between keys.
 */
#include "harness/config/config_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/data/dataset_text.h"
#include "harness/data/manifest.h"
#include "harness/evaluate/session.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"

/* ---- keys ---- */

static const char *const standardise_names[] = {
    [STANDARDISE_NONE] = "none",
    [STANDARDISE_FULL_SET] = "full-set",
    [STANDARDISE_FULL_SET_SAMPLE] = "full-set-sample",
    [STANDARDISE_TRAINING] = "training",
    NULL,
};
static const char *const training_orders[] = {"as-listed", "reversed", NULL};
static const char *const formats[] = {"libsvm", "csv", NULL};

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
    {"format", MEMBER_TEXT, FIELD(struct dataset_spec, format), .names = formats},
    {"label_column", MEMBER_TEXT, FIELD(struct dataset_spec, label_column),
     .doc = "A name of the header, or a number from 1, in quotes."},
    {"header", MEMBER_TEXT, FIELD(struct dataset_spec, header), .names = header_words,
     .doc = "CSV: whether the first line has the names of the columns; auto (the default) guesses."},
    {"n_train", MEMBER_COUNT, FIELD(struct dataset_spec, n_train), MEMBER_ABOVE, .low = 1, .high = 1e9},
    {"n_test", MEMBER_COUNT, FIELD(struct dataset_spec, n_test), MEMBER_ABOVE, .high = 1e9},
    {"test_file", MEMBER_TEXT, FIELD(struct dataset_spec, test_file),
     .doc = "The test rows; those of \"file\" are for training."},
    {"split_file", MEMBER_TEXT, FIELD(struct dataset_spec, split_file), .doc = "A file that lists the splits."},
    {"synthetic", MEMBER_FLAG, FIELD(struct dataset_spec, synthetic), .former = "made",
     .doc = "Generate the set even if a file has it."},
    {"generate", MEMBER_OBJECT, FIELD(struct dataset_spec, family), .inner = config_family_members,
     .inner_size = sizeof(struct dataset_family), .doc = "The distribution that the set is drawn from."},
    MEMBERS_END,
};

const struct member config_trace_members[] = {
    {"datasets", MEMBER_TEXTS, FIELD(struct config_trace, datasets), MEMBER_REQUIRED | MEMBER_NOT_EMPTY,
     .expected = "a non-empty list of data set names"},
    {"splits", MEMBER_JSON, FIELD(struct config_trace, splits_given)},
    MEMBERS_END,
};

const struct member config_quick_members[] = {
    {"splits", MEMBER_TEXT, FIELD(struct config_quick, splits)},
    {"datasets", MEMBER_TEXTS, FIELD(struct config_quick, datasets), MEMBER_NOT_EMPTY,
     .expected = "a non-empty list of data set names"},
    MEMBERS_END,
};

const struct member config_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct config, name), MEMBER_REQUIRED, .doc = "Goes into every record."},
    {"title", MEMBER_TEXT, FIELD(struct config, title), .doc = "A title for readers."},
    {"datasets", MEMBER_JSON, FIELD(struct config, given.datasets),
     .doc = "Names of `hullbench list datasets`, or objects; none twice."},
    {"splits", MEMBER_JSON, FIELD(struct config, given.splits), CONFIG_ONLY_OF_RUNS,
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
    {"generate_missing", MEMBER_FLAG, FIELD(struct config, generate_missing), .fallback = 1, .former = "make_missing",
     .doc = "Generate twonorm, ringnorm, waveform and titanic if no file has them."},
    {"seed", MEMBER_COUNT, FIELD(struct config, seed), MEMBER_ABOVE, .high = 9e15, .fallback = 1,
     .doc = "Of drawn splits and generated sets."},
    {"draws", MEMBER_COUNT, FIELD(struct config, draws), MEMBER_ABOVE | CONFIG_ONLY_OF_RUNS, .high = 100, .fallback = 1,
     .doc = "Multiplies the number of splits of a known set."},
    {"kernel", MEMBER_JSON, FIELD(struct config, given.kernel), MEMBER_REQUIRED},
    {"parameters", MEMBER_JSON, FIELD(struct config, given.parameters),
     .doc = "Parameters of all solvers that read them."},
    {"solvers", MEMBER_JSON, FIELD(struct config, given.solvers),
     .doc = "Names of `hullbench list solvers`, objects, or, as the last entry, \"*\" for all others."},
    {"stop", MEMBER_OBJECT, FIELD(struct config, given.stop), .inner = config_stop_members,
     .inner_size = sizeof(struct config_stop)},
    {"budget", MEMBER_OBJECT, FIELD(struct config, given.budget), .inner = config_budget_members,
     .inner_size = sizeof(struct config_budget)},
    {"support_vector_threshold", MEMBER_REAL, FIELD(struct config, support_threshold), CONFIG_ONLY_OF_RUNS,
     .high = 1, .fallback = USUAL_SUPPORT_THRESHOLD, .doc = "A multiplier above it counts as a support vector."},
    {"repeats", MEMBER_COUNT, FIELD(struct config, repeats), MEMBER_ABOVE | CONFIG_ONLY_OF_RUNS,
     .high = MAX_REPEATS, .fallback = 1, .doc = "From 2 on, each solver runs that many more times to be timed."},
    {"gram_megabytes", MEMBER_REAL, FIELD(struct config, gram_megabytes), MEMBER_ABOVE, .high = 1e7,
     .fallback = USUAL_GRAM_MEGABYTES, .doc = "Memory in MiB for kernel matrices."},
    {"quick", MEMBER_PART, FIELD(struct config, quick), CONFIG_ONLY_OF_RUNS, .inner = config_quick_members,
     .doc = "The part that run --quick runs. Default: the first two splits."},
    {"trace", MEMBER_OBJECT, FIELD(struct config, trace), CONFIG_ONLY_OF_RUNS, .inner = config_trace_members,
     .inner_size = sizeof(struct config_trace), .doc = "The jobs that write their convergence."},
    {"tables", MEMBER_JSON, FIELD(struct config, given.tables), CONFIG_ONLY_OF_RUNS,
     .doc = "PAPER.TABLE, PAPER.claims, or tables of your own (docs/tables.md)."},
    {"plots", MEMBER_JSON, FIELD(struct config, given.plots), CONFIG_ONLY_OF_RUNS,
     .doc = "Figures (docs/plots.md); read only by `hullbench plot`."},
    MEMBERS_END,
};

const char *standardise_name(enum standardise way)
{
    return standardise_names[way];
}

enum standardise config_standardise(const struct config *config)
{
    return config->kernel->type == KERNEL_PRECOMPUTED ? STANDARDISE_NONE : config->standardise;
}

/* ---- data sets ---- */

/* Finds a data set that is given by its name. */
static void find_dataset(const struct config_reader *reader, struct dataset_spec *dataset,
                         const struct json_path *place)
{
    const struct manifest *manifest = dataset_source_manifest(reader->config->source, getenv("HULLBENCH_DATA"));
    const struct manifest_set *set = manifest_lookup(manifest, dataset->name);
    const char **names = pool_array(reader->pool, manifest->sets.count + 1, sizeof *names);
    for (size_t i = 0; i < manifest->sets.count; i++)
        names[i] = manifest->sets.item[i].spec.name;
    if (!set)
        json_die_unknown(place, "data set", dataset->name, names);
    dataset->is_own = set->spec.file != NULL;
}

/* Splits come from sizes, a list or a test file; all of these need a "file". */
static void check_split_keys(const struct dataset_spec *dataset, const struct json_path *place)
{
    const char *second = dataset->test_file ? "test_file" : dataset->split_file ? "split_file" : NULL;
    if (dataset->test_file && !dataset->file)
        json_die(place, "\"test_file\" needs \"file\"");
    if (dataset->test_file && dataset->split_file)
        json_die(place, "\"test_file\" cannot be combined with \"split_file\"");
    if (dataset->synthetic && dataset->file)
        json_die(place, "\"synthetic\" cannot be combined with \"file\"");
    if (second && (dataset->n_train || dataset->n_test))
        json_die(place, "split sizes cannot be combined with \"%s\"", second);
}

static void check_family(const struct dataset_spec *dataset, const cJSON *given, const struct json_path *place)
{
    static const char *const of_gaussians[] = {"features", "separation", "condition", "density", NULL};
    const struct json_path at = {.outer = place, .key = "generate"};
    if (dataset->file || dataset->synthetic)
        json_die(place, "\"generate\" cannot be combined with \"%s\"", dataset->file ? "file" : "synthetic");
    if (!dataset->n_train || !dataset->n_test)
        json_die(place, "\"generate\" needs \"n_train\" and \"n_test\"");
    for (size_t i = 0; dataset->family->shape == FAMILY_CHESSBOARD && of_gaussians[i]; i++)
        if (config_member(given, of_gaussians[i]))
            json_die(&at, "shape \"chessboard\" does not read \"%s\"", of_gaussians[i]);
}

static void read_dataset(const struct config_reader *reader, const cJSON *json, const struct json_path *place,
                         struct dataset_spec *dataset)
{
    if (cJSON_IsString(json)) {
        dataset->name = json->valuestring;
        find_dataset(reader, dataset, place);
        return;
    }
    members_read(reader->pool, config_dataset_members, json, place, dataset);
    manifest_check_name(dataset->name, place);
    check_split_keys(dataset, place);
    if (dataset->family)
        check_family(dataset, config_member(json, "generate"), place);
    dataset->is_own = dataset->file != NULL;
    if (!dataset->file && !dataset->family)
        find_dataset(reader, dataset, place);
}

static void read_datasets(struct config_reader *reader)
{
    struct config *config = reader->config;
    const cJSON *json = config->given.datasets, *item = NULL;
    const struct json_path place = {.outer = &reader->top, .key = "datasets"};
    const size_t count = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 0;
    if (count == 0)
        json_die(&place, "expected a non-empty list of data sets");
    config->datasets = pool_array(reader->pool, count, sizeof *config->datasets);
    reader->dataset_names = pool_array(reader->pool, count + 1, sizeof *reader->dataset_names);
    cJSON_ArrayForEach (item, json) {
        const struct json_path at = {.outer = &place, .index = config->n_datasets};
        struct dataset_spec *dataset = &config->datasets[config->n_datasets];
        read_dataset(reader, item, &at, dataset);
        dataset->place = (uint32_t)config->n_datasets;
        for (size_t i = 0; i < config->n_datasets; i++)
            if (strcmp(config->datasets[i].name, dataset->name) == 0)
                json_die(&at, "data set \"%s\" occurs twice", dataset->name);
        reader->dataset_names[config->n_datasets++] = dataset->name;
    }
}

/* ---- kernel ---- */

static struct value_list read_kernel_parameter(struct config_reader *reader, const struct json_path *place, size_t k)
{
    const struct parameter *parameter = reader->config->kernel->parameters[k];
    const cJSON *value = config_member(reader->config->given.kernel, parameter->name);
    const struct json_path at = {.outer = place, .key = parameter->name};
    if (value)
        return value_list_read(reader->pool, value, &at, parameter, reader->dataset_names);
    if (isnan(parameter->fallback))
        json_die(place, "key \"%s\" is missing", parameter->name);
    return value_list_constant(reader->pool, parameter->fallback);
}

static const struct kernel_family *find_kernel(const cJSON *json, const struct json_path *place)
{
    const struct json_path at = {.outer = place, .key = "type"};
    const char *names[MAX_KERNEL_FAMILIES + 1] = {NULL};
    const struct kernel_family *const *all = kernel_families_all();
    const char *type = json_read_text(json, "type", place);
    for (size_t i = 0; all[i]; i++)
        names[i] = all[i]->name;
    if (!kernel_family_find(type))
        config_die_unknown(&at, "kernel type", type, names);
    return kernel_family_find(type);
}

/* Checks that every member is a parameter of the kernel family; the message says if it belongs to another family. */
static void check_kernel_keys(const cJSON *json, const struct kernel_family *family, const struct json_path *place)
{
    const char *keys[KERNEL_MAX_PARAMETERS + 2] = {"type"};
    for (size_t k = 0; k < kernel_family_count_parameters(family); k++)
        keys[k + 1] = family->parameters[k]->name;
    for (const struct kernel_family *const *at = kernel_families_all(); *at; at++)
        for (size_t k = 0; *at != family && k < kernel_family_count_parameters(*at); k++) {
            const struct json_path own = {.outer = place, .key = (*at)->parameters[k]->name};
            size_t known = 0;
            while (keys[known] && strcmp(keys[known], own.key) != 0)
                known++;
            if (!keys[known] && config_member(json, own.key))
                json_die(&own, "kernel type \"%s\" has no such parameter", family->name);
        }
    json_check_members(json, place, keys);
}

static void read_kernel(struct config_reader *reader)
{
    static const char *const keys[] = {"type", NULL};
    struct config *config = reader->config;
    const cJSON *json = config->given.kernel;
    const struct json_path place = {.outer = &reader->top, .key = "kernel"};
    if (!cJSON_IsObject(json))
        json_check_members(json, &place, keys);
    config->kernel = find_kernel(json, &place);
    check_kernel_keys(json, config->kernel, &place);
    for (size_t k = 0; k < kernel_family_count_parameters(config->kernel); k++)
        config->kernel_parameters[k] = read_kernel_parameter(reader, &place, k);
}

/* ---- rules between members ---- */

/* Checks that an axis has values for every data set. */
static void check_coverage(const struct config_reader *reader, const struct value_list *list, const char *name)
{
    for (size_t d = 0; list->count && d < reader->config->n_datasets; d++)
        if (!value_list_for(list, reader->config->datasets[d].name))
            json_die(&reader->top, "\"%s\" has no value for data set \"%s\" and no \"default\"", name,
                     reader->config->datasets[d].name);
}

static void check_all_coverage(const struct config_reader *reader)
{
    const struct config *config = reader->config;
    for (size_t k = 0; k < kernel_family_count_parameters(config->kernel); k++)
        check_coverage(reader, &config->kernel_parameters[k], config->kernel->parameters[k]->name);
    for (size_t s = 0; s < config->n_solvers; s++) {
        check_coverage(reader, &config->solvers[s].tolerance, "tolerance");
        for (size_t p = 0; p < solver_count_parameters(config->solvers[s].solver); p++)
            check_coverage(reader, &config->solvers[s].parameters[p],
                           config_solver_parameter(&config->solvers[s], p)->name);
    }
}

/* Checks that the list has only names of this configuration's data sets. */
static void check_dataset_names(const struct config_reader *reader, const struct member_texts *names,
                                const struct json_path *outer)
{
    const struct json_path at = {.outer = outer, .key = "datasets"};
    for (size_t i = 0; i < names->count; i++) {
        const char *const *known = reader->dataset_names;
        while (*known && strcmp(*known, names->item[i]) != 0)
            known++;
        if (!*known)
            json_die_unknown(&at, "data set", names->item[i], reader->dataset_names);
    }
}

static void read_trace(struct config_reader *reader)
{
    const struct json_path place = {.outer = &reader->top, .key = "trace"}, splits = {.outer = &place, .key = "splits"};
    if (!reader->config->trace)
        return;
    struct config_trace *trace = pool_alloc(reader->pool, sizeof *trace);
    *trace = *reader->config->trace;
    check_dataset_names(reader, &trace->datasets, &place);
    trace->splits = config_read_split_list(reader->pool, trace->splits_given, &splits, &trace->n_splits);
    reader->config->trace = trace;
}

static void read_quick(struct config_reader *reader)
{
    struct config *config = reader->config;
    struct config_quick *quick = &config->quick;
    const struct json_path place = {.outer = &reader->top, .key = "quick"}, splits = {.outer = &place, .key = "splits"};
    const size_t first = config->splits[0], second = config->splits[config->n_splits > 1];
    size_t count;
    if (quick->splits)
        split_list_read(reader->pool, quick->splits, &splits, &count);
    else
        quick->splits = second == first ? pool_printf(reader->pool, "%zu", first)
                                        : pool_printf(reader->pool, "%zu%c%zu", first,
                                                      second == first + 1 ? '-' : ',', second);
    check_dataset_names(reader, &quick->datasets, &place);
    for (size_t i = 0; i < quick->datasets.count; i++)
        config->quick_datasets = pool_printf(reader->pool, "%s%s%s", i ? config->quick_datasets : "", i ? "," : "",
                                             quick->datasets.item[i]);
}

static void check_standardise(struct config_reader *reader)
{
    struct config *config = reader->config;
    int all_own = 1;
    for (size_t d = 0; d < config->n_datasets; d++)
        all_own &= config->datasets[d].is_own;
    if (config_member(config->json, "standardise"))
        return;
    if (!all_own)
        json_die(&reader->top, "key \"standardise\" is missing");
    config->standardise = STANDARDISE_TRAINING;
}

/* Several draws multiply the number of splits of a data set, which must therefore have one. */
static void check_draws(const struct config_reader *reader)
{
    const struct config *config = reader->config;
    const struct json_path at = {.outer = &reader->top, .key = "draws"};
    if (config->draws == 1)
        return;
    if (config->folds.folds)
        json_die(&at, "cannot be combined with folds; give \"repeats\" in \"splits\"");
    for (size_t d = 0; d < config->n_datasets; d++)
        if (config->datasets[d].file || config->datasets[d].family)
            json_die(&at, "\"%s\" is %s and has no fixed number of splits, which \"draws\" needs",
                     config->datasets[d].name, config->datasets[d].file ? "a file" : "generated");
}

static void check_families(const struct config_reader *reader)
{
    const struct config *config = reader->config;
    const struct json_path place = {.outer = &reader->top, .key = "datasets"};
    for (size_t d = 0; d < config->n_datasets; d++) {
        const struct json_path at = {.outer = &place, .index = d};
        if (!config->datasets[d].family)
            continue;
        if (config->standardise != STANDARDISE_NONE && config->standardise != STANDARDISE_TRAINING)
            json_die(&at, "\"generate\" needs \"standardise\": \"none\" or \"training\", because each split is a "
                          "separate sample");
        if (config->kernel->type == KERNEL_PRECOMPUTED)
            json_die(&at, "\"generate\" cannot be combined with a precomputed kernel");
    }
}

/* Checks the shape of "tables" or "plots"; the code that makes them looks up the names. The names become file names, so
 * a run with a wrong one is not even begun. */
static void check_outputs(const cJSON *list, const struct json_path *place, int is_tables)
{
    char shown[64];
    const cJSON *item = NULL;
    struct json_path at = {.outer = place};
    if (list && !cJSON_IsArray(list))
        json_die(place, is_tables ? "expected a list of names and specifications of tables"
                                  : "expected a list of objects with a \"kind\"");
    cJSON_ArrayForEach (item, list)
        if (is_tables ? !cJSON_IsString(item) && !cJSON_IsObject(item) : !cJSON_IsString(config_member(item, "kind")))
            json_die(place, is_tables ? "%s is not the name or the specification of a table"
                                      : "%s is not an object with a \"kind\"",
                     json_to_text(item, shown, sizeof shown));
    cJSON_ArrayForEach (item, list) {
        if (config_member(item, "name"))
            json_read_text(item, "name", &at);
        at.index++;
    }
}

static void check_name(const struct config_reader *reader)
{
    const struct json_path place = {.outer = &reader->top, .key = "name"};
    const char *name = reader->config->name;
    if (strlen(name) > FILE_NAME_PART_MAX)
        json_die(&place, "\"%.40s...\" has %zu bytes; allowed: at most %d, since file names contain it", name,
                 strlen(name), (int)FILE_NAME_PART_MAX);
}

static void read_all(struct config_reader *reader)
{
    struct config *config = reader->config;
    const struct json_path tables = {.outer = &reader->top, .key = "tables"},
                           plots = {.outer = &reader->top, .key = "plots"};
    members_read(reader->pool, config_members, config->json, &reader->top, config);
    config->gram_bytes = (size_t)(config->gram_megabytes * 1048576);
    check_name(reader);
    read_datasets(reader);
    config_read_splits(reader);
    check_standardise(reader);
    check_draws(reader);
    read_kernel(reader);
    check_families(reader);
    config_expand_star(config->json, &reader->top);
    config_read_solvers(reader);
    read_trace(reader);
    read_quick(reader);
    check_outputs(config->given.tables, &tables, 1);
    check_outputs(config->given.plots, &plots, 0);
    check_all_coverage(reader);
    config_check_repeats(reader);
}

struct config *config_from_json(struct pool *pool, const char *label, cJSON *json)
{
    struct config *config = pool_alloc(pool, sizeof *config);
    struct config_reader reader = {.pool = pool, .config = config, .top = {.file = label}};
    config->pool = pool;
    config->json = json;
    config->source = dataset_source_new(pool);
    read_all(&reader);
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
