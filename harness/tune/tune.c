/*
 * Runs a search from its configuration to its folder. The order is data sets, then solvers, then evaluations; only the
 * folds of a batch of evaluations run in parallel. Everything except run.json depends only on the evaluations in their
 * order, so neither threads nor interruptions change a byte.
 */
#include "harness/tune/tune.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/run/run_files.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "solvers/clock.h"

char *tune_path(const struct tune *tune, const char *name)
{
    return xasprintf("%s/%s", tune->options->out, name);
}

/* For --force, once the folder is locked: removes another search's output, including its figures. */
static void remove_outputs(const char *folder)
{
    static const char *const outputs[] = {"run.json", "evaluations.jsonl", "tune.json", "tune.md", "surface.csv"};
    char *plots = xasprintf("%s/plots", folder);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        file_remove(folder, outputs[i]);
    file_remove_all(plots, "tune-", "");
    free(plots);
}

static enum status prepare_folder(struct run *run, struct error *error)
{
    enum status status = folder_check_kind(run->options->out, FOLDER_OF_TUNE, error);
    if (status == STATUS_OK && !run->options->force)
        status = folder_finished(run->options->out, "tune.json", &run->fingerprint, &run->was_complete, error);
    if (status == STATUS_OK && run->was_complete)
        file_try_remove(run->options->out, "journal.jsonl"); /* a kill may have come between the last steps of finish */
    return status;
}

static enum status run_searches(struct tune *tune, struct tune_context *context, struct error *error)
{
    enum status status = STATUS_OK;
    struct objective *objective = NULL;
    for (size_t i = 0; i < tune->n_searches; i++)
        context->costs.total += (double)(tune->searches[i].max * tune->searches[i].folds) *
                                    fold_cost(&tune->folds[tune->searches[i].dataset].view) +
                                (double)tune->config->n_splits *
                                    fold_cost(tune->run.datasets[tune->searches[i].dataset]);
    for (size_t i = 0; i < tune->n_searches && status == STATUS_OK; i++) {
        struct search *search = &tune->searches[i];
        if (i == 0 || search->dataset != tune->searches[i - 1].dataset) {
            objective_close(objective);
            objective = objective_open(context, &tune->folds[search->dataset].view);
        }
        status = search_run(search, context, objective, error);
    }
    objective_close(objective);
    for (size_t i = 0; i < tune->n_searches && status == STATUS_OK; i++)
        status = search_test(&tune->searches[i], context, tune->run.datasets[tune->searches[i].dataset], error);
    return status;
}

/* Seconds of the solver in `count` problems of the journal. */
static double seconds_of(const struct tune_context *context, size_t first, size_t count)
{
    double seconds = 0;
    for (size_t i = first; i < first + count; i++)
        seconds += journal_entries(context->journal)[i].timing.seconds;
    return seconds;
}

/* The times of the searches, by data set and solver, for run.json, since all other files have the same bytes on every
 * machine. */
static cJSON *search_times(const struct tune *tune, const struct tune_context *context)
{
    cJSON *all = json_new_object(), *of_set = NULL;
    for (size_t i = 0; i < tune->n_searches; i++) {
        const struct search *search = &tune->searches[i];
        const struct evaluation *chosen = search->chosen.point;
        if (i == 0 || search->dataset != tune->searches[i - 1].dataset)
            of_set = json_put_object(all, search->dataset_name);
        cJSON *json = json_put_object(of_set, search->solver_name);
        json_put_number(json, "search", seconds_of(context, search->first, search->max * search->folds));
        chosen = chosen && chosen->same ? chosen->same : chosen;
        const size_t e = chosen ? (size_t)(chosen - search->evaluations) : 0;
        json_put_number(json, "chosen",
                        chosen ? seconds_of(context, search->first + e * search->folds, search->folds) : (double)NAN);
        json_put_number(json, "outer_test", seconds_of(context, search->first_test, tune->config->n_splits));
    }
    return all;
}

static enum status finish(struct tune *tune, const struct tune_context *context, struct error *error)
{
    struct run *run = &tune->run;
    double searched = clock_now();
    for (size_t i = 0; i < tune->n_searches; i++)
        search_count_outcomes(&tune->searches[i], run->outcomes);
    enum status status = tune_report_write(tune, error);
    if (status == STATUS_OK)
        status = tune_figures_write(tune, error);
    run->stage_times.seconds[STAGE_FILES] += clock_now() - searched;
    return status == STATUS_OK ? run_end(run, tune->n_evaluations, NULL, search_times(tune, context), error) : status;
}

static enum status execute(struct tune *tune, struct error *error)
{
    struct tune_context context = {
        .run = &tune->run,
        .config = tune->config,
        .threads = run_threads(tune->options),
        .costs = {.started = clock_now()},
        .total = tune->n_problems,
    };
    enum status status = prepare_folder(&tune->run, error);
    if (status == STATUS_OK && tune->run.was_complete && !tune->no_render)
        tune_figures_complete(tune);
    if (status != STATUS_OK || tune->run.was_complete)
        return status;
    status = run_begin_folder(tune->options->out, tune->run.config, &tune->run.fingerprint, tune->n_problems,
                              tune->options->force ? remove_outputs : NULL, &context.journal, error);
    if (status == STATUS_OK)
        status = run_searches(tune, &context, error);
    if (status == STATUS_OK)
        status = finish(tune, &context, error);
    journal_close(context.journal);
    return status;
}

/* What ended the problems of a search, as text: "54 iteration-limit, 2 failed"; and the limits to raise. */
static void describe_outcomes(const cJSON *outcomes, char *ends, size_t size, const char **raise)
{
    static const char *const limits[OUTCOMES] = {[OUTCOME_ITERATION_LIMIT] = "iterations",
                                                 [OUTCOME_OPERATION_LIMIT] = "kernel_operations or kernel_matrices",
                                                 [OUTCOME_TIME_LIMIT] = "seconds"};
    size_t used = 0, most = 0;
    *ends = '\0';
    *raise = NULL;
    for (unsigned o = 0; o < OUTCOMES && used < size; o++) {
        const cJSON *count = cJSON_GetObjectItemCaseSensitive(outcomes, outcome_name((enum outcome)o));
        if (!count)
            continue;
        used += (size_t)snprintf(ends + used, size - used, "%s%.0f %s", used ? ", " : "", count->valuedouble,
                                 outcome_name((enum outcome)o));
        if (limits[o] && count->valuedouble > (double)most) {
            *raise = limits[o];
            most = (size_t)count->valuedouble;
        }
    }
}

enum status tune_list_unsuccessful(const struct tune *tune, struct string_list *lines, struct error *error)
{
    char *path = tune_path(tune, "tune.json"), ends[256];
    cJSON *json = NULL;
    const cJSON *result = NULL;
    const char *raise;
    enum status status = json_read(path, &json, error);
    cJSON_ArrayForEach (result, cJSON_GetObjectItemCaseSensitive(json, "results")) {
        if (!cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(result, "chosen")))
            continue;
        describe_outcomes(cJSON_GetObjectItemCaseSensitive(result, "outcomes"), ends, sizeof ends, &raise);
        if (!string_list_add(lines, "%s, %s: no point was chosen, because %s (problems: %s)%s%s%s",
                             cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(result, "dataset")),
                             cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(result, "solver")),
                             raise ? "at each point all problems ended at a limit, or one failed"
                                   : "at each point a problem failed",
                             ends, raise ? "; raise " : "", raise ? raise : "",
                             raise ? " in \"budget\", or loosen the tolerance in \"stop\"" : ""))
            out_of_memory();
    }
    cJSON_Delete(json);
    free(path);
    return status;
}

enum status tune_execute(struct tune *tune, struct error *error)
{
    struct folder_lock lock = {0};
    if (tune->n_searches == 0)
        return error_set(error, STATUS_NOT_FOUND, "%s: nothing to search on: %s", tune->options->config,
                         tune->run.missing[0].reason);
    folder_make(tune->options->out);
    folder_lock_take(&lock, tune->options->out);
    enum status status = execute(tune, error);
    folder_lock_release(&lock);
    return status;
}
