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
    return pool_printf(tune->pool, "%s/%s", tune->options->out, name);
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

/* Whether the folder has this search's results already. */
static int is_complete(struct run *run)
{
    const char *out = run->options->out;
    folder_check_kind(out, FOLDER_OF_TUNE);
    if (!run->options->force)
        run->was_complete = folder_finished(out, "tune.json", &run->fingerprint);
    if (run->was_complete)
        file_try_remove(out, "journal.jsonl"); /* a kill may have come between the last steps of finish */
    return run->was_complete;
}

static void run_searches(struct tune *tune, struct tune_context *context)
{
    struct objective *objective = NULL;
    for (size_t i = 0; i < tune->n_searches; i++)
        context->costs.total += (double)(tune->searches[i].max * tune->searches[i].folds) *
                                    fold_cost(tune->folds[tune->searches[i].dataset]) +
                                (double)tune->config->n_splits *
                                    fold_cost(tune->run.datasets[tune->searches[i].dataset]);
    for (size_t i = 0; i < tune->n_searches; i++) {
        struct search *search = &tune->searches[i];
        if (i == 0 || search->dataset != tune->searches[i - 1].dataset) {
            objective_close(objective);
            objective = objective_open(context, tune->folds[search->dataset]);
        }
        search_run(search, context, objective);
    }
    objective_close(objective);
    for (size_t i = 0; i < tune->n_searches; i++)
        search_test(&tune->searches[i], context, tune->run.datasets[tune->searches[i].dataset]);
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

static void finish(struct tune *tune, const struct tune_context *context)
{
    struct run *run = &tune->run;
    double searched = clock_now();
    for (size_t i = 0; i < tune->n_searches; i++)
        search_count_outcomes(&tune->searches[i], run->outcomes);
    tune_report_write(tune);
    tune_figures_write(tune);
    run->stage_times.seconds[STAGE_FILES] += clock_now() - searched;
    run_end(run, tune->n_evaluations, NULL, search_times(tune, context));
}

static void execute(struct tune *tune)
{
    struct tune_context context = {
        .pool = tune->pool,
        .run = &tune->run,
        .config = tune->config,
        .threads = run_threads(tune->options),
        .costs = {.started = clock_now()},
        .total = tune->n_problems,
    };
    context.journal = run_begin_folder(tune->options->out, tune->run.config, &tune->run.fingerprint, tune->n_problems,
                                   tune->options->force ? remove_outputs : NULL);
    run_searches(tune, &context);
    finish(tune, &context);
    journal_close(context.journal);
}

void tune_execute(struct tune *tune)
{
    struct folder_lock lock = {0};
    if (tune->n_searches == 0)
        die(STATUS_NOT_FOUND, "%s: nothing to search on: %s", tune->options->config, tune->run.missing[0].reason);
    folder_make(tune->options->out);
    folder_lock_take(&lock, tune->options->out);
    if (!is_complete(&tune->run))
        execute(tune);
    else if (!tune->no_render)
        tune_figures_complete(tune);
    folder_lock_release(&lock);
}

/* The limit that ended most problems, as members of "budget"; NULL: none ended any. */
static const char *limit_to_raise(const size_t outcomes[OUTCOMES])
{
    static const char *const limits[OUTCOMES] = {[OUTCOME_ITERATION_LIMIT] = "iterations",
                                                 [OUTCOME_OPERATION_LIMIT] = "kernel_operations or kernel_matrices",
                                                 [OUTCOME_TIME_LIMIT] = "seconds"};
    const char *raise = NULL;
    size_t most = 0;
    for (unsigned o = 0; o < OUTCOMES; o++)
        if (limits[o] && outcomes[o] > most) {
            raise = limits[o];
            most = outcomes[o];
        }
    return raise;
}

size_t tune_print_unsuccessful(const struct tune *tune, FILE *stream)
{
    const cJSON *json = json_read(tune->pool, tune_path(tune, "tune.json")), *result = NULL;
    size_t count = 0;
    cJSON_ArrayForEach (result, cJSON_GetObjectItemCaseSensitive(json, "results")) {
        const cJSON *counts = cJSON_GetObjectItemCaseSensitive(result, "outcomes");
        size_t outcomes[OUTCOMES];
        char ends[256];
        if (!cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(result, "chosen")))
            continue;
        for (unsigned o = 0; o < OUTCOMES; o++) {
            const cJSON *of_outcome = cJSON_GetObjectItemCaseSensitive(counts, outcome_name((enum outcome)o));
            outcomes[o] = of_outcome ? (size_t)of_outcome->valuedouble : 0;
        }
        const char *raise = limit_to_raise(outcomes);
        fprintf(stream, "hullbench: %s, %s: no point was chosen, because %s (problems: %s)%s%s%s\n",
                cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(result, "dataset")),
                cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(result, "solver")),
                raise ? "at each point all problems ended at a limit, or one failed" : "at each point a problem failed",
                outcomes_text(outcomes, ends, sizeof ends), raise ? "; raise " : "", raise ? raise : "",
                raise ? " in \"budget\", or loosen the tolerance in \"stop\"" : "");
        count++;
    }
    return count;
}
