/*
 * Reads a configuration and checks that every key is known, every value has the right type and range, and every name
 * exists.
 */
#include "harness/config/config_reader.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/data/dataset.h"
#include "harness/support/file.h"
#include "harness/data/manifest.h"
#include "harness/evaluate/session.h"

/* ---- data sets ---- */

/* Finds a data set that is given by its name. */
static enum status find_dataset(const struct config *config, struct config_dataset *dataset,
                                const struct json_path *place, struct error *error)
{
    const struct manifest *manifest;
    enum status status = dataset_source_manifest(config->source, getenv("HULLBENCH_DATA"), &manifest, error);
    if (status != STATUS_OK)
        return status;
    const char **names = calloc(manifest->n_sets + 1, sizeof *names);
    if (!names)
        return config_no_memory(error);
    size_t at = 0;
    for (size_t i = 0; i < manifest->n_sets; i++)
        names[i] = manifest->sets[i].name;
    while (names[at] && strcmp(names[at], dataset->name) != 0)
        at++;
    if (names[at])
        dataset->is_own = manifest->sets[at].file != NULL;
    else
        status = json_unknown_name(place, "data set", dataset->name, names, error);
    free(names);
    return status;
}

/* Splits come from sizes, a list or a test file; all of these need a "file". */
static enum status check_split_keys(const struct config_dataset *dataset, const struct json_path *place,
                                    struct error *error)
{
    const char *second = dataset->test_file ? "test_file" : dataset->split_file ? "split_file" : NULL;
    if (dataset->test_file && !dataset->file)
        return json_error(place, error, "\"test_file\" needs \"file\"");
    if (dataset->test_file && dataset->split_file)
        return json_error(place, error, "\"test_file\" cannot be combined with \"split_file\"");
    if (dataset->synthetic && dataset->file)
        return json_error(place, error, "\"synthetic\" cannot be combined with \"file\"");
    if (second && (dataset->n_train || dataset->n_test))
        return json_error(place, error, "split sizes cannot be combined with \"%s\"", second);
    return STATUS_OK;
}

/* Reads a flag under its name or its name in version 0.2.0, but not both. */
static enum status read_renamed_flag(const cJSON *json, const char *key, const char *old_key,
                                     const struct json_path *place, int *value, struct error *error)
{
    const int is_old = cJSON_HasObjectItem(json, old_key);
    if (is_old && cJSON_HasObjectItem(json, key))
        return json_error(place, error, "\"%s\" is the former name of \"%s\"; give only one of them", old_key, key);
    return json_flag(json, is_old ? old_key : key, place, value, error);
}

static enum status read_file_dataset(const struct config *config, const cJSON *json, const struct json_path *place,
                                     struct config_dataset *out, struct error *error)
{
    static const char *const keys[] = {"name",   "file",    "test_file", "split_file", "format", "label_column",
                                       "header", "n_train", "n_test",    "synthetic",  "made",   "generate",
                                       NULL};
    static const char *const formats[] = {"libsvm", "csv", NULL};
    double n_train = 0, n_test = 0;
    enum status status = json_check_keys(json, place, keys, error);
    if (status != STATUS_OK || (status = json_text(json, "name", place, 1, &out->name, error)) != STATUS_OK ||
        (status = json_text(json, "file", place, 0, &out->file, error)) != STATUS_OK ||
        (status = json_text(json, "test_file", place, 0, &out->test_file, error)) != STATUS_OK ||
        (status = json_text(json, "split_file", place, 0, &out->split_file, error)) != STATUS_OK ||
        (status = json_text(json, "format", place, 0, &out->format, error)) != STATUS_OK ||
        (status = json_text(json, "label_column", place, 0, &out->label_column, error)) != STATUS_OK ||
        (status = json_text(json, "header", place, 0, &out->header, error)) != STATUS_OK ||
        (status = json_integer(json, "n_train", place, 1, 1e9, &n_train, error)) != STATUS_OK ||
        (status = json_integer(json, "n_test", place, 0, 1e9, &n_test, error)) != STATUS_OK ||
        (status = read_renamed_flag(json, "synthetic", "made", place, &out->synthetic, error)) != STATUS_OK)
        return status;
    struct json_path format_place = {.file = place->file, .outer = place, .key = "format"};
    if (out->format && strcmp(out->format, "libsvm") != 0 && strcmp(out->format, "csv") != 0)
        return json_unknown_name(&format_place, "format", out->format, formats, error);
    format_place.key = "header";
    if (!header_word_is_known(out->header))
        return json_unknown_name(&format_place, "header", out->header, header_words, error);
    if ((status = manifest_check_name(out->name, place, error)) != STATUS_OK)
        return status;
    out->n_train = (size_t)n_train;
    out->n_test = (size_t)n_test;
    status = check_split_keys(out, place, error);
    if (status == STATUS_OK)
        status = config_read_family(json, place, out, error);
    out->is_own = out->file != NULL;
    const int is_known = !out->file && !out->is_drawn;
    return status == STATUS_OK && is_known ? find_dataset(config, out, place, error) : status;
}

static enum status read_datasets(struct config_reader *reader)
{
    struct config *config = reader->config;
    const cJSON *json = config_member(config->json, "datasets");
    struct json_path place = {.file = reader->top.file, .outer = &reader->top, .key = "datasets"};
    size_t count = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 0;
    if (count == 0)
        return json_error(&place, reader->error, "expected a non-empty list of data sets");
    config->datasets = calloc(count, sizeof *config->datasets);
    reader->dataset_names = calloc(count + 1, sizeof *reader->dataset_names);
    if (!config->datasets || !reader->dataset_names)
        return config_no_memory(reader->error);
    for (const cJSON *item = json->child; item; item = item->next) {
        struct json_path at = {.file = place.file, .outer = &place, .index = config->n_datasets};
        struct config_dataset *dataset = &config->datasets[config->n_datasets];
        dataset->place = (uint32_t)config->n_datasets;
        enum status status;
        if (cJSON_IsString(item)) {
            dataset->name = item->valuestring;
            status = find_dataset(config, dataset, &at, reader->error);
        } else
            status = read_file_dataset(config, item, &at, dataset, reader->error);
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; i < config->n_datasets; i++)
            if (strcmp(config->datasets[i].name, dataset->name) == 0)
                return json_error(&at, reader->error, "data set \"%s\" occurs twice", dataset->name);
        reader->dataset_names[config->n_datasets++] = dataset->name;
    }
    return STATUS_OK;
}

/* ---- kernel ---- */

static enum status read_kernel_parameter(struct config_reader *reader, const cJSON *json, const struct json_path *place,
                                         size_t k)
{
    struct config *config = reader->config;
    const struct parameter *parameter = config->kernel->parameters[k];
    const cJSON *value = config_member(json, parameter->name);
    struct json_path at = {.file = place->file, .outer = place, .key = parameter->name};
    if (value)
        return value_list_read(value, &at, parameter, reader->dataset_names, &config->kernel_parameters[k],
                               reader->error);
    if (isnan(parameter->fallback))
        return json_error(place, reader->error, "key \"%s\" is missing", parameter->name);
    return value_list_constant(parameter->fallback, &config->kernel_parameters[k], reader->error);
}

static enum status find_kernel(const char *type, const struct json_path *place, const struct kernel_family **family,
                               struct error *error)
{
    const char *names[MAX_KERNEL_FAMILIES + 1] = {NULL};
    const struct kernel_family *const *all = kernel_families_all();
    *family = kernel_family_find(type);
    for (size_t i = 0; all[i]; i++)
        names[i] = all[i]->name;
    return *family ? STATUS_OK : config_unknown_name(place, "kernel type", type, names, error);
}

/* Checks that every member is a parameter of the kernel family; the message says if it belongs to another family. */
static enum status check_kernel_keys(const cJSON *json, const struct kernel_family *family,
                                     const struct json_path *place, struct error *error)
{
    const char *keys[KERNEL_MAX_PARAMETERS + 2] = {"type"};
    for (size_t k = 0; k < kernel_family_count_parameters(family); k++)
        keys[k + 1] = family->parameters[k]->name;
    for (const struct kernel_family *const *at = kernel_families_all(); *at; at++)
        for (size_t k = 0; *at != family && k < kernel_family_count_parameters(*at); k++) {
            struct json_path own = {.file = place->file, .outer = place, .key = (*at)->parameters[k]->name};
            size_t known = 0;
            while (keys[known] && strcmp(keys[known], own.key) != 0)
                known++;
            if (!keys[known] && config_member(json, own.key))
                return json_error(&own, error, "kernel type \"%s\" has no such parameter", family->name);
        }
    return json_check_keys(json, place, keys, error);
}

static enum status read_kernel(struct config_reader *reader)
{
    const char *type;
    const cJSON *json = config_member(reader->config->json, "kernel");
    struct json_path place = {.file = reader->top.file, .outer = &reader->top, .key = "kernel"};
    struct json_path at = {.file = place.file, .outer = &place, .key = "type"};
    if (!json)
        return json_error(&reader->top, reader->error, "key \"kernel\" is missing");
    if (!cJSON_IsObject(json))
        return json_check_keys(json, &place, (const char *const[]){"type", NULL}, reader->error);
    enum status status = json_text(json, "type", &place, 1, &type, reader->error);
    if (status == STATUS_OK)
        status = find_kernel(type, &at, &reader->config->kernel, reader->error);
    if (status == STATUS_OK)
        status = check_kernel_keys(json, reader->config->kernel, &place, reader->error);
    size_t count = status == STATUS_OK ? kernel_family_count_parameters(reader->config->kernel) : 0;
    for (size_t k = 0; k < count && status == STATUS_OK; k++)
        status = read_kernel_parameter(reader, json, &place, k);
    return status;
}

/* Checks that every axis has values for every data set. */
static enum status check_coverage(const struct config_reader *reader, const struct value_list *list, const char *name)
{
    for (size_t d = 0; list->count && d < reader->config->n_datasets; d++)
        if (!value_list_for(list, reader->config->datasets[d].name))
            return json_error(&reader->top, reader->error, "\"%s\" has no value for data set \"%s\" and no \"default\"",
                              name, reader->config->datasets[d].name);
    return STATUS_OK;
}

static enum status check_all_coverage(const struct config_reader *reader)
{
    const struct config *config = reader->config;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < kernel_family_count_parameters(config->kernel) && status == STATUS_OK; k++)
        status = check_coverage(reader, &config->kernel_parameters[k], config->kernel->parameters[k]->name);
    for (size_t s = 0; s < config->n_solvers && status == STATUS_OK; s++) {
        status = check_coverage(reader, &config->solvers[s].tolerance, "tolerance");
        for (size_t p = 0; p < solver_count_parameters(config->solvers[s].solver) && status == STATUS_OK; p++)
            status = check_coverage(reader, &config->solvers[s].parameters[p],
                                    config_solver_parameter(&config->solvers[s], p)->name);
    }
    return status;
}

/* ---- the rest ---- */

/* Checks that the member "datasets" of the object at `place` is a list of names of this configuration's data sets. */
static enum status check_dataset_names(const struct config_reader *reader, const cJSON *list,
                                       const struct json_path *place)
{
    struct json_path at = {.file = place->file, .outer = place, .key = "datasets"};
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) == 0)
        return json_error(&at, reader->error, "expected a non-empty list of data set names");
    for (const cJSON *item = list->child; item; item = item->next) {
        size_t known = 0;
        const char *word = cJSON_IsString(item) ? item->valuestring : "";
        while (reader->dataset_names[known] && strcmp(reader->dataset_names[known], word) != 0)
            known++;
        if (!reader->dataset_names[known])
            return json_unknown_name(&at, "data set", word, reader->dataset_names, reader->error);
    }
    return STATUS_OK;
}

static const char *const part_keys[] = {"datasets", "splits", NULL};

static enum status read_trace(struct config_reader *reader)
{
    struct config *config = reader->config;
    const cJSON *json = config_member(config->json, "trace"), *sets = config_member(json, "datasets");
    struct json_path place = {.file = reader->top.file, .outer = &reader->top, .key = "trace"};
    struct json_path splits_place = {.file = place.file, .outer = &place, .key = "splits"};
    if (!json)
        return STATUS_OK;
    enum status status = json_check_keys(json, &place, part_keys, reader->error);
    if (status != STATUS_OK || (status = check_dataset_names(reader, sets, &place)) != STATUS_OK)
        return status;
    config->trace_datasets = calloc((size_t)cJSON_GetArraySize(sets) + 1, sizeof *config->trace_datasets);
    if (!config->trace_datasets)
        return config_no_memory(reader->error);
    size_t used = 0;
    for (const cJSON *item = sets->child; item; item = item->next)
        config->trace_datasets[used++] = item->valuestring;
    return config_read_split_list(config_member(json, "splits"), &splits_place, &config->trace_splits,
                                  &config->n_trace_splits, reader->error);
}

/* Reads which part `run --quick` runs: by default the first two splits of all data sets. */
static enum status read_quick(struct config_reader *reader)
{
    struct config *config = reader->config;
    const cJSON *json = config_member(config->json, "quick"), *sets = config_member(json, "datasets");
    struct json_path place = {.file = reader->top.file, .outer = &reader->top, .key = "quick"};
    struct json_path splits_place = {.file = place.file, .outer = &place, .key = "splits"};
    size_t *splits = NULL, count;
    const size_t first = config->splits[0], second = config->splits[config->n_splits > 1];
    const int length = snprintf(config->quick_default, sizeof config->quick_default, "%zu", first);
    if (second != first)
        snprintf(config->quick_default + length, sizeof config->quick_default - (size_t)length, "%c%zu",
                 second == first + 1 ? '-' : ',', second);
    enum status status = json ? json_check_keys(json, &place, part_keys, reader->error) : STATUS_OK;
    if (status == STATUS_OK && json)
        status = json_text(json, "splits", &place, 0, &config->quick_splits, reader->error);
    if (status == STATUS_OK && config->quick_splits)
        status = split_list_parse(config->quick_splits, &splits_place, &splits, &count, reader->error);
    free(splits);
    if (!config->quick_splits)
        config->quick_splits = config->quick_default;
    if (status == STATUS_OK && sets)
        status = check_dataset_names(reader, sets, &place);
    for (const cJSON *item = sets ? sets->child : NULL; item && status == STATUS_OK; item = item->next) {
        char *longer = xasprintf("%s%s%s", config->quick_datasets ? config->quick_datasets : "",
                                 config->quick_datasets ? "," : "", item->valuestring);
        free(config->quick_datasets);
        config->quick_datasets = longer;
    }
    return status;
}

/* Reads which of the words the member is into *choice; leaves *choice alone if the member is missing. */
static enum status read_choice(struct config_reader *reader, const char *key, int required, const char *const *choices,
                               unsigned *choice)
{
    const char *word;
    struct json_path at = {.file = reader->top.file, .outer = &reader->top, .key = key};
    enum status status = json_text(reader->config->json, key, &reader->top, required, &word, reader->error);
    if (status != STATUS_OK || !word)
        return status;
    for (*choice = 0; choices[*choice]; ++*choice)
        if (strcmp(choices[*choice], word) == 0)
            return STATUS_OK;
    return json_unknown_name(&at, "value", word, choices, reader->error);
}

static const char *const standardise_names[] = {
    [STANDARDISE_NONE] = "none",
    [STANDARDISE_FULL_SET] = "full-set",
    [STANDARDISE_FULL_SET_SAMPLE] = "full-set-sample",
    [STANDARDISE_TRAINING] = "training",
    NULL,
};

const char *standardise_name(enum standardise way)
{
    return standardise_names[way];
}

enum standardise config_standardise(const struct config *config)
{
    return config->kernel->type == KERNEL_PRECOMPUTED ? STANDARDISE_NONE : config->standardise;
}

/* Reads the transformations of the data between the file and the solvers. */
static enum status read_transforms(struct config_reader *reader)
{
    static const char *const orders[] = {"as-listed", "reversed", NULL};
    struct config *config = reader->config;
    unsigned way = STANDARDISE_TRAINING, order = 0, all_own = 1;
    for (size_t d = 0; d < config->n_datasets; d++)
        all_own &= (unsigned)config->datasets[d].is_own;
    enum status status = read_choice(reader, "standardise", !all_own, standardise_names, &way);
    if (status == STATUS_OK)
        status = read_choice(reader, "training_order", 0, orders, &order);
    if (status == STATUS_OK)
        status = json_flag(config->json, "swap_labels", &reader->top, &config->swap_labels, reader->error);
    config->standardise = (enum standardise)way;
    config->reverse_training = order == 1;
    return status;
}

/* Allows 0, unlike other numbers: the papers define a support vector as a pattern with a nonzero multiplier. */
static enum status read_threshold(struct config_reader *reader)
{
    const cJSON *json = config_member(reader->config->json, "support_vector_threshold");
    struct json_path at = {.file = reader->top.file, .outer = &reader->top, .key = "support_vector_threshold"};
    char shown[64];
    reader->config->support_threshold = USUAL_SUPPORT_THRESHOLD;
    if (!json)
        return STATUS_OK;
    if (!cJSON_IsNumber(json) || !(json->valuedouble >= 0 && json->valuedouble <= 1))
        return json_error(&at, reader->error, "%s is out of range; allowed: 0 to 1",
                          json_to_text(json, shown, sizeof shown));
    reader->config->support_threshold = json->valuedouble;
    return STATUS_OK;
}

/* Several draws multiply the number of splits of a data set, which must therefore have one. */
static enum status check_draws(const struct config_reader *reader)
{
    const struct config *config = reader->config;
    struct json_path at = {.file = reader->top.file, .outer = &reader->top, .key = "draws"};
    if (config->folds.folds)
        return json_error(&at, reader->error, "cannot be combined with folds; give \"repeats\" in \"splits\"");
    for (size_t d = 0; d < config->n_datasets; d++)
        if (config->datasets[d].file || config->datasets[d].is_drawn)
            return json_error(&at, reader->error, "\"%s\" is %s and has no fixed number of splits, which \"draws\" "
                                                  "needs",
                              config->datasets[d].name, config->datasets[d].file ? "a file" : "generated");
    return STATUS_OK;
}

static enum status read_numbers(struct config_reader *reader)
{
    struct config *config = reader->config;
    double seed = 1, megabytes = USUAL_GRAM_MEGABYTES, draws = 1, repeats = 1;
    config->generate_missing = 1;
    enum status status = json_integer(config->json, "seed", &reader->top, 0, 9e15, &seed, reader->error);
    if (status == STATUS_OK)
        status = json_integer(config->json, "draws", &reader->top, 0, 100, &draws, reader->error);
    if (status == STATUS_OK && draws > 1)
        status = check_draws(reader);
    if (status == STATUS_OK)
        status = json_integer(config->json, "repeats", &reader->top, 0, MAX_REPEATS, &repeats, reader->error);
    if (status == STATUS_OK)
        status = read_threshold(reader);
    if (status == STATUS_OK)
        status = json_number(config->json, "gram_megabytes", &reader->top, 0, 0, 1e7, &megabytes, reader->error);
    if (status == STATUS_OK)
        status = read_renamed_flag(config->json, "generate_missing", "make_missing", &reader->top,
                                   &config->generate_missing, reader->error);
    config->seed = (uint64_t)seed;
    config->draws = (size_t)draws;
    config->repeats = (unsigned)repeats;
    config->gram_bytes = (size_t)(megabytes * 1048576);
    return status;
}

/* The names of tables or figures become file names, so a run with a wrong one is not even begun. */
static enum status check_names(const cJSON *list, const struct json_path *place, struct error *error)
{
    struct json_path at = {.file = place->file, .outer = place};
    const char *name;
    enum status status = STATUS_OK;
    for (const cJSON *item = list ? list->child : NULL; item && status == STATUS_OK; item = item->next, at.index++)
        status = json_text(item, "name", &at, 0, &name, error);
    return status;
}

/* Checks the shape of "tables" and "plots" entries; the code that makes them looks up the names. */
static enum status check_outputs(const struct config_reader *reader)
{
    const cJSON *tables = config_member(reader->config->json, "tables"),
                *plots = config_member(reader->config->json, "plots");
    struct json_path tables_place = {.file = reader->top.file, .outer = &reader->top, .key = "tables"};
    struct json_path plots_place = {.file = reader->top.file, .outer = &reader->top, .key = "plots"};
    char shown[64];
    if (tables && !cJSON_IsArray(tables))
        return json_error(&tables_place, reader->error, "expected a list of names and specifications of tables");
    if (plots && !cJSON_IsArray(plots))
        return json_error(&plots_place, reader->error, "expected a list of objects with a \"kind\"");
    for (const cJSON *item = tables ? tables->child : NULL; item; item = item->next)
        if (!cJSON_IsString(item) && !cJSON_IsObject(item))
            return json_error(&tables_place, reader->error, "%s is not the name or the specification of a table",
                              json_to_text(item, shown, sizeof shown));
    for (const cJSON *item = plots ? plots->child : NULL; item; item = item->next)
        if (!cJSON_IsString(config_member(item, "kind")))
            return json_error(&plots_place, reader->error, "%s is not an object with a \"kind\"",
                              json_to_text(item, shown, sizeof shown));
    const enum status status = check_names(tables, &tables_place, reader->error);
    return status == STATUS_OK ? check_names(plots, &plots_place, reader->error) : status;
}

static enum status read_name(struct config_reader *reader)
{
    const char **name = &reader->config->name;
    enum status status = json_text(reader->config->json, "name", &reader->top, 1, name, reader->error);
    if (status != STATUS_OK || strlen(*name) <= FILE_NAME_PART_MAX)
        return status;
    const struct json_path place = {.file = reader->top.file, .outer = &reader->top, .key = "name"};
    return json_error(&place, reader->error,
                      "\"%.40s...\" has %zu bytes; allowed: at most %d, since file names contain it", *name,
                      strlen(*name), (int)FILE_NAME_PART_MAX);
}

static enum status read_all(struct config_reader *reader)
{
    static const char *const keys[] = {
        "name",           "title",       "datasets",     "splits", "standardise",
        "training_order", "swap_labels", "generate_missing", "make_missing", "seed", "draws", "kernel",
        "parameters",     "solvers",     "stop",         "budget", "support_vector_threshold",
        "gram_megabytes", "trace",       "quick",        "tables",       "plots",  "repeats", NULL};
    struct config *config = reader->config;
    enum status status = json_check_keys(config->json, &reader->top, keys, reader->error);
    if (status != STATUS_OK || (status = read_name(reader)) != STATUS_OK ||
        (status = json_text(config->json, "title", &reader->top, 0, &config->title, reader->error)) != STATUS_OK ||
        (status = read_datasets(reader)) != STATUS_OK ||
        (status = config_read_splits(reader)) != STATUS_OK ||
        (status = read_transforms(reader)) != STATUS_OK || (status = read_numbers(reader)) != STATUS_OK ||
        (status = read_kernel(reader)) != STATUS_OK || (status = config_check_families(reader)) != STATUS_OK ||
        (status = config_expand_others(reader->config->json, &reader->top, reader->error)) != STATUS_OK ||
        (status = config_read_solvers(reader)) != STATUS_OK ||
        (status = read_trace(reader)) != STATUS_OK || (status = read_quick(reader)) != STATUS_OK ||
        (status = check_outputs(reader)) != STATUS_OK)
        return status;
    status = check_all_coverage(reader);
    return status == STATUS_OK ? config_check_repeats(reader) : status;
}

enum status config_parse(const char *label, char *text, struct config **out, struct error *error)
{
    *out = NULL;
    struct config *config = calloc(1, sizeof *config);
    if (!config) {
        free(text);
        return config_no_memory(error);
    }
    config->text = text;
    struct config_reader reader = {.config = config, .top = {.file = label}, .error = error};
    enum status status = json_parse(label, text, &config->json, error);
    if (status == STATUS_OK)
        status = dataset_source_open(&config->source, error);
    if (status == STATUS_OK)
        status = read_all(&reader);
    free(reader.dataset_names);
    if (status != STATUS_OK) {
        config_free(config);
        return status;
    }
    *out = config;
    return STATUS_OK;
}

enum status config_read(const char *path, struct config **config, struct error *error)
{
    char *text;
    *config = NULL;
    enum status status = file_read(path, &text, NULL, error);
    if (status == STATUS_NOT_FOUND && error)
        status = error->status = STATUS_BAD_INPUT;
    return status == STATUS_OK ? config_parse(path, text, config, error) : status;
}

void config_free(struct config *config)
{
    if (!config)
        return;
    for (size_t s = 0; s < config->n_solvers; s++)
        config_solver_free(&config->solvers[s]);
    for (size_t k = 0; k < KERNEL_MAX_PARAMETERS; k++)
        value_list_free(&config->kernel_parameters[k]);
    free(config->solvers);
    free(config->datasets);
    free(config->splits);
    free(config->trace_datasets);
    free(config->trace_splits);
    free(config->quick_datasets);
    dataset_source_close(config->source);
    cJSON_Delete(config->json);
    free(config->text);
    free(config);
}
