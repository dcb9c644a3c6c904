/*
 * Folds are what threads work on: a fold's kernel matrix belongs to one thread at a time, its distances serve all
 * widths, and its evaluations are done in the order given, in which equal widths follow each other. Results have their
 * place by evaluation and fold, so they do not depend on who computed them when.
 */
#include "harness/tune/objective.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/round_to_12_digits.h"
#include "solvers/clock.h"
#include "harness/program/json_writer.h"
#include "harness/tune/log_scale.h"

struct objective {
    struct evaluating *evaluating;
    const struct dataset *dataset;
    struct inner_folds folds;
    struct unit_run **units; /* one a fold; NULL while not open */
    int kept;                /* units stay open: all matrices together fit the budget */
};

const char *evaluation_kind_name(enum evaluation_kind kind)
{
    static const char *const names[EVALUATION_KINDS] = {"printed", "grid", "cma-es"};
    return names[kind];
}

size_t objective_folds(const struct objective *objective)
{
    return objective->folds.view.n_splits;
}

/* Kernel values and distances of all folds. */
static int all_fit(const struct objective *objective, size_t budget)
{
    double bytes = 0;
    for (size_t f = 0; f < objective_folds(objective); f++) {
        double n = (double)objective->folds.view.splits[f].n_train;
        bytes += 2 * sizeof(double) * n * (double)simd_padded((size_t)n);
    }
    return bytes <= (double)budget;
}

enum status objective_open(struct objective **out, struct evaluating *evaluating, const struct dataset *dataset,
                           struct error *error)
{
    const struct tune_config *config = evaluating->config;
    struct objective *objective = *out = calloc(1, sizeof *objective);
    if (!objective)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", dataset->name);
    objective->evaluating = evaluating;
    objective->dataset = dataset;
    enum status status = inner_folds_make(&objective->folds, dataset, config->n_splits, config->n_folds,
                                          config->stratified, config->config->seed, error);
    if (status == STATUS_OK) {
        objective->units = calloc(objective_folds(objective), sizeof(struct unit_run *));
        objective->kept = all_fit(objective, config->config->gram_bytes);
        if (!objective->units)
            status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", dataset->name);
    }
    if (status != STATUS_OK) {
        objective_close(objective);
        *out = NULL;
    }
    return status;
}

void objective_close(struct objective *objective)
{
    if (!objective)
        return;
    for (size_t f = 0; objective->units && f < objective_folds(objective); f++)
        unit_close(objective->units[f]);
    free(objective->units);
    inner_folds_free(&objective->folds);
    free(objective);
}

/* ---- the journal ---- */

static double percent(double wrong, size_t n_test)
{
    return 100.0 * wrong / (double)n_test;
}

/* Numbers that JSON gives back as they were: counts, and values of few digits. */
static char *result_text(const struct evaluation *evaluation, const struct fold_result *result)
{
    cJSON *json = json_new_object();
    for (unsigned a = 0; a < TUNE_AXES; a++)
        json_put_number(json, tune_axis_name(a), evaluation->value[a]);
    json_put_number(json, "wrong", result->wrong);
    json_put_number(json, "iterations", result->iterations);
    json_put_number(json, "kernel_operations", result->kernel_operations);
    json_put_text(json, "outcome", outcome_name(result->outcome));
    char *text = json_line(json);
    cJSON_Delete(json);
    return text;
}

/* 0 where the text is not the result of a fold of n_test patterns at the evaluation's point. */
static int result_parse(const char *text, const struct evaluation *evaluation, size_t n_test,
                        struct fold_result *result)
{
    cJSON *json = cJSON_Parse(text);
    const char *word = cJSON_GetStringValue(cJSON_GetObjectItem(json, "outcome"));
    const cJSON *wrong = cJSON_GetObjectItem(json, "wrong"), *iterations = cJSON_GetObjectItem(json, "iterations");
    const cJSON *operations = cJSON_GetObjectItem(json, "kernel_operations");
    unsigned outcome = 0;
    while (word && outcome < OUTCOMES && strcmp(word, outcome_name((enum outcome)outcome)) != 0)
        outcome++;
    int good = word && outcome < OUTCOMES && wrong && cJSON_IsNumber(iterations) && cJSON_IsNumber(operations);
    for (unsigned a = 0; a < TUNE_AXES; a++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, tune_axis_name(a));
        good = good && cJSON_IsNumber(value) && value->valuedouble == evaluation->value[a];
    }
    if (good)
        *result = (struct fold_result){.known = 1,
                                       .wrong = cJSON_IsNumber(wrong) ? wrong->valuedouble : (double)NAN,
                                       .iterations = iterations->valuedouble,
                                       .kernel_operations = operations->valuedouble,
                                       .outcome = (enum outcome)outcome};
    result->error_percent = percent(result->wrong, n_test);
    cJSON_Delete(json);
    return good;
}

static double fold_cost(const struct objective *objective, size_t fold)
{
    double n = (double)objective->folds.view.splits[fold].n_train;
    return n * n;
}

/* Takes what the journal has. Before any thread is started: the journal is written to while they work. */
static enum status restore(struct objective *objective, struct evaluation *evaluations, size_t count, size_t first,
                           struct error *error)
{
    struct evaluating *evaluating = objective->evaluating;
    const struct journal_entry *entries = journal_entries(evaluating->journal);
    size_t folds = objective_folds(objective);
    for (size_t e = 0; e < count; e++)
        for (size_t f = 0; f < folds; f++) {
            const char *record = entries[first + e * folds + f].record;
            int found = evaluations[e].same || record;
            if (record && !result_parse(record, &evaluations[e], objective->folds.view.splits[f].n_test,
                                        &evaluations[e].folds[f]))
                return error_set(error, STATUS_BAD_INPUT,
                                 "%s: the journal's entry %zu is of another point; give --force to start anew",
                                 evaluating->options->out, first + e * folds + f);
            evaluating->done += (size_t)found;
            evaluating->cost_done += found ? fold_cost(objective, f) : 0;
            evaluating->cost_found += found ? fold_cost(objective, f) : 0;
        }
    return STATUS_OK;
}

/* ---- the parallel part ---- */

struct batch {
    struct objective *objective;
    const struct job *job;
    struct evaluation *evaluations;
    size_t count, first;
    enum status status;
    struct error error;
};

static void report(const struct evaluating *evaluating)
{
    if (!evaluating->options->report)
        return;
    double seconds = clock_now() - evaluating->started;
    double fresh = evaluating->cost_done - evaluating->cost_found,
           left = evaluating->cost_total - evaluating->cost_done;
    struct run_progress progress = {.done = evaluating->done,
                                    .total = evaluating->total,
                                    .seconds = seconds,
                                    .seconds_left = fresh > 0 ? seconds * left / fresh : -1};
    evaluating->options->report(evaluating->options->context, &progress);
}

static enum status evaluate_one(struct batch *batch, struct unit_run *unit, size_t e, size_t fold,
                                struct stage_times *spent, struct error *error)
{
    struct evaluating *evaluating = batch->objective->evaluating;
    struct evaluation *evaluation = &batch->evaluations[e];
    struct fold_result *result = &evaluation->folds[fold];
    struct job job = *batch->job;
    struct job_result found;
    job.split = fold;
    job.parameters.value[PARAMETER_C] = evaluation->value[TUNE_C];
    job.kernel.width = evaluation->value[TUNE_WIDTH];
    enum status status =
        unit_run_job(unit, evaluating->config->config, &job, NULL, evaluating->options->interrupted, &found, error);
    if (status != STATUS_OK)
        return status;
    double solved = clock_now();
    size_t n_test = batch->objective->folds.view.splits[fold].n_test;
    int failed = found.solution.outcome == OUTCOME_FAILED;
    double wrong = failed ? (double)NAN : floor(found.error_percent / 100 * (double)n_test + 0.5);
    *result = (struct fold_result){.known = 1,
                                   .wrong = wrong,
                                   .error_percent = percent(wrong, n_test),
                                   .iterations = (double)found.solution.iterations,
                                   .kernel_operations = (double)found.operations[PHASE_ITERATIONS],
                                   .outcome = found.solution.outcome};
    char *text = result_text(evaluation, result);
    if (!text)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for a result");
    size_t index = batch->first + e * objective_folds(batch->objective) + fold;
#pragma omp critical(tune_journal)
    {
        status = journal_append(evaluating->journal, index, found.solution.seconds, text, error);
        evaluating->done++;
        evaluating->cost_done += fold_cost(batch->objective, fold);
        report(evaluating);
    }
    spent->seconds[STAGE_FILES] += clock_now() - solved;
    return status;
}

static int is_left(const struct evaluation *evaluation, size_t fold)
{
    return !evaluation->same && !evaluation->folds[fold].known;
}

static enum status evaluate_fold(struct batch *batch, size_t fold, struct stage_times *spent, struct error *error)
{
    struct objective *objective = batch->objective;
    const struct evaluating *evaluating = objective->evaluating;
    size_t left = 0, budget = evaluating->config->config->gram_bytes;
    enum status status = STATUS_OK;
    for (size_t e = 0; e < batch->count; e++)
        left += (size_t)is_left(&batch->evaluations[e], fold);
    if (left == 0)
        return STATUS_OK;
    double started = clock_now();
    if (!objective->units[fold]) /* where all are kept, each fits whole into what is left to it */
        status = unit_open(&objective->units[fold], evaluating->options->simd, &objective->folds.view, fold,
                           KERNEL_RBF, objective->kept ? budget : budget / evaluating->threads, 1, error);
    spent->seconds[STAGE_START] += clock_now() - started;
    if (status == STATUS_OK)
        unit_measure(objective->units[fold], spent);
    for (size_t e = 0; e < batch->count && status == STATUS_OK; e++)
        if (is_left(&batch->evaluations[e], fold))
            status = evaluate_one(batch, objective->units[fold], e, fold, spent, error);
    if (!objective->kept) {
        unit_close(objective->units[fold]);
        objective->units[fold] = NULL;
    } else if (objective->units[fold])
        unit_measure(objective->units[fold], NULL);
    return status;
}

static void next_fold(struct batch *batch, size_t fold, struct stage_times *spent)
{
    struct error error = {0};
    enum status status;
#pragma omp critical(tune_failure)
    status = batch->status;
    if (status != STATUS_OK || (status = evaluate_fold(batch, fold, spent, &error)) == STATUS_OK)
        return;
#pragma omp critical(tune_failure)
    if (batch->status == STATUS_OK || batch->status == STATUS_INTERRUPTED) {
        batch->status = status;
        batch->error = error;
    }
}

static void work(struct batch *batch)
{
    struct evaluating *evaluating = batch->objective->evaluating;
    size_t folds = objective_folds(batch->objective);
#pragma omp parallel num_threads(evaluating->threads)
    {
        struct stage_times spent = {.turns = batch->first}; /* not the first turn of each batch */
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t f = 0; f < folds; f++)
            next_fold(batch, f, &spent);
#pragma omp critical(spent)
        stage_times_add(&evaluating->spent, &spent);
    }
}

static enum status summarise(struct evaluation *evaluation, size_t folds, double *errors, struct error *error)
{
    int failed = 0;
    memset(evaluation->outcomes, 0, sizeof evaluation->outcomes);
    for (size_t f = 0; f < folds; f++) {
        errors[f] = evaluation->folds[f].error_percent;
        evaluation->outcomes[evaluation->folds[f].outcome]++;
        failed |= isnan(errors[f]);
    }
    enum status status = summary_of(errors, failed ? 0 : folds, &evaluation->error, error);
    /* Rounded, so that the same errors in other folds are no better or worse. */
    evaluation->error.mean = round_to_12_digits(evaluation->error.mean);
    return status;
}

enum status objective_evaluate(struct objective *objective, const struct job *job, struct evaluation *evaluations,
                               size_t count, size_t first, struct error *error)
{
    struct batch batch = {
        .objective = objective, .job = job, .evaluations = evaluations, .count = count, .first = first};
    size_t folds = objective_folds(objective);
    enum status status = restore(objective, evaluations, count, first, error);
    if (status != STATUS_OK)
        return status;
    work(&batch);
    if (batch.status != STATUS_OK) {
        *error = batch.error;
        return batch.status;
    }
    double *errors = calloc(folds, sizeof *errors);
    if (!errors)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", objective->dataset->name);
    for (size_t e = 0; e < count && status == STATUS_OK; e++)
        status = summarise(&evaluations[e], folds, errors, error);
    free(errors);
    return status;
}
