/* hullbench solve: one solver on one split, the record on standard output. The words become a configuration of one job. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/plugin_option.h"
#include "harness/file.h"
#include "harness/run.h"
#include "harness/unit.h"
#include "harness/words.h"

enum {
    KEY_SPLIT = 256,
    KEY_KERNEL,
    KEY_STOP,
    KEY_TOLERANCE,
    KEY_ITERATIONS,
    KEY_RAW,
    KEY_TRACE,
    KEY_FILE,
    KEY_FORMAT,
    KEY_LABEL,
    KEY_SET
};

static const struct argp_option options[] = {
    {"dataset", 'd', "NAME", 0, "Data set (hullbench list datasets)", 0},
    {"file", KEY_FILE, "FILE", 0, "Plain data file: LIBSVM format or CSV", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "Its format, libsvm or csv (default: by the file's ending)", 0},
    {"label-column", KEY_LABEL, "NAME", 0, "CSV: the labels' column, by name or number (default: the last)", 0},
    {"split", KEY_SPLIT, "N", 0, "Number of the split (default 1)", 0},
    {"solver", 's', "NAME", 0, "Solver (hullbench list solvers)", 0},
    {"set", KEY_SET, "NAME=VALUE", 0, "A parameter of the solver, such as mu=0.02; may be repeated", 0},
    {"kernel", KEY_KERNEL, "TYPE[,NAME=VALUE...]", 0, "Kernel, such as rbf,width=120 (default linear)", 0},
    {"stop", KEY_STOP, "RULE", 0, "Stopping rule (default rch-gap; kkt for SVM duals, delta-w2 for minimum norm, kkt-relaxed at 1e-3 for svm-light)", 0},
    {"tolerance", KEY_TOLERANCE, "EPS", 0, "Tolerance of the rule (default 1e-5)", 0},
    {"iterations", KEY_ITERATIONS, "N", 0, "Most iterations (default 100000)", 0},
    {"raw", KEY_RAW, NULL, 0, "Do not standardise the features", 0},
    {"trace", KEY_TRACE, "FILE", 0, "Write the convergence trace", 0},
    {0},
};

struct words {
    cJSON *config, *parameters, *kernel, *stop;
    const char *dataset, *file, *format, *label, *solver, *trace;
    size_t split;
};

static void add_pair(cJSON *object, const char *pair, struct argp_state *state)
{
    if (!words_set_pair(object, pair, strlen(pair)))
        argp_error(state, "\"%s\" is not NAME=VALUE", pair);
}

static void parse_kernel(struct words *words, char *text, struct argp_state *state)
{
    char *word = strtok(text, ",");
    cJSON_ReplaceItemInObject(words->kernel, "type", cJSON_CreateString(word ? word : ""));
    while ((word = strtok(NULL, ",")))
        add_pair(words->kernel, word, state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct words *words = state->input;
    switch (key) {
    case 'd':
        words->dataset = text;
        return 0;
    case KEY_FILE:
        words->file = text;
        return 0;
    case KEY_FORMAT:
        words->format = text;
        return 0;
    case KEY_LABEL:
        words->label = text;
        return 0;
    case KEY_SPLIT:
        words->split = cli_number(text, 100000);
        if (!words->split)
            argp_error(state, "--split: \"%s\" is not a number from 1 to 100000", text);
        return 0;
    case 's':
        words->solver = text;
        return 0;
    case KEY_SET:
        add_pair(words->parameters, text, state);
        return 0;
    case KEY_KERNEL:
        parse_kernel(words, text, state);
        return 0;
    case KEY_STOP:
        words_set(words->stop, "rule", text);
        return 0;
    case KEY_TOLERANCE:
        words_set(words->stop, "tolerance", text);
        return 0;
    case KEY_ITERATIONS:
        words_set(cJSON_GetObjectItem(words->config, "budget"), "iterations", text);
        return 0;
    case KEY_RAW:
        cJSON_ReplaceItemInObject(words->config, "standardise", cJSON_CreateString("none"));
        return 0;
    case KEY_TRACE:
        words->trace = text;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected word \"%s\"", text);
        return 0;
    case ARGP_KEY_END:
        if (!words->solver || (!words->dataset && !words->file))
            argp_error(state, "--solver NAME and --dataset NAME (or --file FILE) are expected");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void start_config(struct words *words)
{
    words->config = cJSON_CreateObject();
    cJSON_AddStringToObject(words->config, "name", "solve");
    cJSON_AddStringToObject(words->config, "standardise", "full-set");
    words->kernel = cJSON_AddObjectToObject(words->config, "kernel");
    cJSON_AddStringToObject(words->kernel, "type", "linear");
    words->parameters = cJSON_AddObjectToObject(words->config, "parameters");
    words->stop = cJSON_AddObjectToObject(words->config, "stop");
    cJSON *budget = cJSON_AddObjectToObject(words->config, "budget");
    cJSON_AddNumberToObject(budget, "iterations", 100000);
}

/* A rule that is named without a tolerance has 1e-5, whatever the solver. */
static void finish_stop(cJSON *stop, const struct solver *solver)
{
    int is_named = cJSON_HasObjectItem(stop, "rule");
    struct stop usual = stop_usual(solver);
    if (!is_named)
        cJSON_AddStringToObject(stop, "rule", stop_rule_name(usual.rule));
    const char *rule = cJSON_GetStringValue(cJSON_GetObjectItem(stop, "rule"));
    if (!cJSON_HasObjectItem(stop, "tolerance") && rule && strcmp(rule, "iterations") != 0)
        cJSON_AddNumberToObject(stop, "tolerance", is_named ? 1e-5 : usual.tolerance);
}

static void finish_config(struct words *words)
{
    const struct solver *solver = solver_find(words->solver);
    cJSON *datasets = cJSON_AddArrayToObject(words->config, "datasets");
    cJSON *solvers = cJSON_AddArrayToObject(words->config, "solvers");
    cJSON_AddItemToArray(solvers, cJSON_CreateString(words->solver));
    cJSON_AddNumberToObject(words->config, "splits", (double)words->split);
    if (words->file) {
        cJSON *file = cJSON_CreateObject();
        cJSON_AddStringToObject(file, "name", words->dataset ? words->dataset : "data");
        cJSON_AddStringToObject(file, "file", words->file);
        if (words->format)
            cJSON_AddStringToObject(file, "format", words->format);
        if (words->label)
            cJSON_AddStringToObject(file, "label_column", words->label);
        cJSON_AddItemToArray(datasets, file);
    } else
        cJSON_AddItemToArray(datasets, cJSON_CreateString(words->dataset));
    finish_stop(words->stop, solver);
    cJSON_AddItemToObject(words->config, "title", cJSON_CreateString("one job"));
}

static enum status load(const struct config *config, struct dataset **dataset, struct error *error)
{
    const struct config_dataset *wanted = &config->datasets[0];
    char *cache = cli_cache();
    struct dataset_request request = {
        .name = wanted->name,
        .search_path = getenv("HULLBENCH_DATA"),
        .cache = cache,
        .file = wanted->file,
        .format = wanted->format,
        .label_column = wanted->label_column,
        .want_splits = wanted->file ? config->splits[0] : 0,
        .folds = config->folds,
        .seed = config->seed,
        .allow_generated = 1,
    };
    enum status status = dataset_load(&request, dataset, error);
    free(cache);
    if (status == STATUS_NOT_FOUND && wanted->file)
        status = error->status = STATUS_BAD_INPUT;
    if (status == STATUS_OK && config->standardise && config->kernel_type != KERNEL_PRECOMPUTED)
        dataset_standardise(*dataset);
    return status;
}

static enum status run_one(const struct words *words, const struct config *config, const struct dataset *dataset,
                           const struct job *job, const struct lanes *lanes, struct error *error)
{
    struct unit_run *unit;
    struct trace trace = {0};
    struct job_result result;
    char *line = NULL;
    enum status status = unit_open(&unit, lanes, dataset, job->split, config->kernel_type, config->gram_bytes, 0, error);
    if (status == STATUS_OK)
        status = unit_run_job(unit, config, job, words->trace ? &trace : NULL, NULL, &result, error);
    if (status == STATUS_OK)
        status = record_line(config, dataset, job, &result, &line, error);
    if (status == STATUS_OK && words->trace) {
        char comment[2048];
        trace_comment(dataset, job, words->solver, line, comment, sizeof comment);
        status = trace_write(&trace, words->trace, comment, error);
    }
    if (status == STATUS_OK)
        puts(line);
    free(line);
    trace_free(&trace);
    unit_close(unit);
    return status;
}

static enum status solve_words(struct words *words, const struct lanes *lanes, struct error *error)
{
    struct config *config = NULL;
    struct dataset *dataset = NULL;
    struct plan plan = {0};
    char *text = cJSON_Print(words->config);
    enum status status = text ? config_parse("command line", text, &config, error)
                              : error_set(error, STATUS_NO_MEMORY, "out of memory");
    if (status == STATUS_OK)
        status = load(config, &dataset, error);
    if (status == STATUS_OK)
        status = plan_build(config, &dataset, 1, 1, &plan, error);
    if (status == STATUS_OK && plan.n_jobs == 0)
        status = error_set(error, STATUS_BAD_INPUT, "%s has no split %zu; it has splits 1 to %zu", dataset->name, words->split,
                           dataset->n_splits);
    for (size_t j = 0; j < plan.n_jobs && status == STATUS_OK; j++)
        status = run_one(words, config, dataset, &plan.jobs[j], lanes, error);
    plan_free(&plan);
    dataset_free(dataset);
    config_free(config);
    return status;
}

int verb_solve(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "--solver NAME --dataset NAME",
                                     "Runs one solver on one split and prints the record.", plugin_option, NULL, NULL};
    struct words words = {.split = 1};
    struct error error = {0};
    argp_err_exit_status = EXIT_BAD_USE;
    start_config(&words);
    argp_parse(&argp, argc, argv, 0, NULL, &words);
    finish_config(&words);
    const struct lanes *lanes = cli_lanes();
    int status = EXIT_BAD_USE;
    if (lanes)
        status = solve_words(&words, lanes, &error) == STATUS_OK ? EXIT_FINE : cli_fail(&error);
    cJSON_Delete(words.config);
    return status;
}
