/*
 * evaluations.jsonl has a line for each evaluation in the order of the search; tune.json has what was found. Both are
 * made of the evaluations alone, so they are the same bytes whatever computed them.
 */
#include "harness/tune/tune_report.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

#include "harness/support/file.h"
#include "harness/support/round_to_12_digits.h"
#include "harness/program/json_writer.h"
#include "harness/tune/log_scale.h"

static void put_outcomes(cJSON *json, const size_t *outcomes)
{
    cJSON *object = json_put_object(json, "outcomes");
    for (unsigned o = 0; o < OUTCOMES; o++)
        if (outcomes[o])
            json_put_number(object, outcome_name((enum outcome)o), (double)outcomes[o]);
}

static void put_point(cJSON *json, const double *value)
{
    for (unsigned a = 0; a < TUNE_AXES; a++)
        json_put_number(json, tune_axis_name(a), value[a]);
}

static void put_error(cJSON *json, const struct summary *error)
{
    json_put_number(json, "error_percent", error->mean);
    json_put_number(json, "sd", error->sd);
}

/* ---- evaluations.jsonl ---- */

static char *evaluation_line(const struct tune *tune, const struct search *search, size_t e)
{
    const struct evaluation *evaluation = &search->evaluations[e];
    double iterations = 0, operations = 0;
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "config", tune->run.config->name);
    json_put_text(json, "dataset", search->dataset_name);
    json_put_text(json, "solver", search->solver_name);
    json_put_number(json, "evaluation", (double)e);
    json_put_text(json, "by", evaluation_kind_name(evaluation->kind));
    json_put_number(json, "generation", evaluation->generation ? (double)evaluation->generation : (double)NAN);
    json_put_number(json, "same_as", evaluation->same ? (double)(evaluation->same - search->evaluations) : (double)NAN);
    put_point(json, evaluation->value);
    put_error(json, &evaluation->error);
    cJSON *folds = json_put_array(json, "folds");
    for (size_t f = 0; f < search->folds; f++) {
        json_add_number(folds, evaluation->folds[f].error_percent);
        iterations += evaluation->folds[f].iterations;
        operations += evaluation->folds[f].kernel_operations;
    }
    json_put_number(json, "iterations", iterations);
    json_put_number(json, "kernel_operations", operations);
    put_outcomes(json, evaluation->outcomes);
    char *text = json_line(json);
    cJSON_Delete(json);
    return text;
}

static enum status write_evaluations(const struct tune *tune, struct error *error)
{
    struct outfile out;
    char *path = tune_path(tune, "evaluations.jsonl");
    enum status status = outfile_open(&out, path, error);
    free(path);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < tune->n_searches; i++)
        for (size_t e = 0; e < tune->searches[i].n; e++) {
            char *line = evaluation_line(tune, &tune->searches[i], e);
            fprintf(out.stream, "%s\n", line);
            free(line);
        }
    return outfile_commit(&out, error);
}

/* ---- tune.json ---- */

static void put_best(cJSON *result, const struct search *search, enum evaluation_kind kind)
{
    const struct evaluation *best = search->best[kind];
    if (!best)
        return;
    cJSON *json = json_put_object(result, evaluation_kind_name(kind));
    put_point(json, best->value);
    put_error(json, &best->error);
    json_put_number(json, "evaluation", (double)(best - search->evaluations));
    if (kind != EVALUATION_PRINTED)
        json_put_number(json, "tied", (double)search->tied[kind]);
}

static void put_cma_es(cJSON *result, const struct search *search, const struct tune_config *config)
{
    double value[TUNE_AXES];
    cJSON *json = cJSON_GetObjectItemCaseSensitive(result, evaluation_kind_name(EVALUATION_CMA_ES));
    if (!json)
        return;
    for (unsigned a = 0; a < TUNE_AXES; a++)
        value[a] = log_scale_value(search->path[config->generations * TUNE_AXES + a]);
    put_point(json_put_object(json, "mean"), value);
    json_put_number(json, "sigma", round_to_12_digits(search->step));
}

static void put_comparisons(cJSON *result, const struct search *search)
{
    static const enum evaluation_kind kinds[] = {EVALUATION_GRID, EVALUATION_CMA_ES};
    struct search_comparison comparison;
    cJSON *all = search->has_printed ? json_put_object(result, "against_printed") : NULL;
    for (size_t k = 0; all && k < sizeof kinds / sizeof *kinds; k++) {
        if (!search_compare(search, kinds[k], &comparison))
            continue;
        cJSON *json = json_put_object(all, evaluation_kind_name(kinds[k]));
        json_put_number(json, "log2_C", comparison.log2[TUNE_C]);
        json_put_number(json, "log2_width", comparison.log2[TUNE_WIDTH]);
        json_put_number(json, "log2_distance", comparison.distance);
        json_put_number(json, "error_difference", comparison.difference.mean);
        json_put_number(json, "sd", comparison.difference.sd);
    }
}

static void put_result(cJSON *results, const struct tune *tune, const struct search *search)
{
    const struct dataset *dataset = tune->run.datasets[search->dataset];
    size_t sources[SPLIT_FOLD + 1] = {0}, outcomes[OUTCOMES] = {0};
    cJSON *json = json_add_object(results);
    json_put_text(json, "dataset", search->dataset_name);
    json_put_text(json, "solver", search->solver_name);
    for (size_t s = 0; s < tune->config->n_splits; s++)
        sources[dataset->splits[s].source]++;
    cJSON *splits = json_put_object(json, "splits");
    for (unsigned s = 0; s <= SPLIT_FOLD; s++)
        if (sources[s])
            json_put_number(splits, split_source_name((enum split_source)s), (double)sources[s]);
    json_put_number(json, "n_train", (double)dataset->splits[0].n_train);
    json_put_number(json, "evaluations", (double)search->n);
    json_put_number(json, "repeated", (double)search->repeated);
    search_count_outcomes(search, outcomes);
    put_outcomes(json, outcomes);
    for (unsigned k = 0; k < EVALUATION_KINDS; k++)
        put_best(json, search, (enum evaluation_kind)k);
    put_cma_es(json, search, tune->config);
    put_comparisons(json, search);
}

static cJSON *found(const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "config", tune->run.config->name);
    cJSON *objective = json_put_object(json, "objective");
    json_put_number(objective, "splits", (double)config->n_splits);
    json_put_number(objective, "folds", (double)config->n_folds);
    json_put_bool(objective, "stratified", config->stratified);
    json_put_number(objective, "seed", (double)tune->run.config->seed);
    for (unsigned a = 0; a < TUNE_AXES; a++) {
        cJSON *range = json_put_object(json, tune_axis_name(a));
        json_put_number(range, "from", config->range[a].from);
        json_put_number(range, "to", config->range[a].to);
    }
    if (config->printed_table)
        json_put_text(json, "printed", config->printed_table);
    else
        json_put_null(json, "printed");
    cJSON *results = json_put_array(json, "results");
    for (size_t i = 0; i < tune->n_searches; i++)
        put_result(results, tune, &tune->searches[i]);
    cJSON *missing = json_put_array(json, "missing");
    for (size_t m = 0; m < tune->run.n_missing; m++)
        json_add_text(missing, tune->run.missing[m].name);
    return json;
}

static enum status write_found(const struct tune *tune, struct error *error)
{
    cJSON *json = found(tune);
    char *path = tune_path(tune, "tune.json");
    enum status status = json_write(path, json, error);
    cJSON_Delete(json);
    free(path);
    return status;
}

enum status tune_report_write(const struct tune *tune, struct error *error)
{
    enum status status = write_evaluations(tune, error);
    if (status == STATUS_OK)
        status = write_found(tune, error);
    return status == STATUS_OK ? tune_tables_write(tune, error) : status;
}
