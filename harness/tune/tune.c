/*
 * Runs a search from its configuration to its folder. The order is data sets, then solvers, then evaluations; only the
 * folds of a batch of evaluations run in parallel. Everything except run.json depends only on the evaluations in their
 * order, so neither threads nor interruptions change a byte.
 */
#include "harness/tune/tune.h"

#include <stdlib.h>

#include "harness/program/memory.h"
#include "harness/run/run_files.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "solvers/clock.h"

char *tune_path(const struct tune *tune, const char *name)
{
    return xasprintf("%s/%s", tune->options->out, name);
}

/* For --force, once the folder is locked: removes another search's output, including its figures. */
static enum status remove_outputs(const char *folder, struct error *error)
{
    static const char *const outputs[] = {"run.json", "evaluations.jsonl", "tune.json", "tune.md", "surface.csv"};
    char *plots = xasprintf("%s/plots", folder);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && status == STATUS_OK; i++)
        status = file_remove(folder, outputs[i], error);
    if (status == STATUS_OK)
        status = file_remove_all(plots, "tune-", "", error);
    free(plots);
    return status;
}

static enum status prepare_folder(struct run *run, struct error *error)
{
    enum status status = folder_check_kind(run->options->out, FOLDER_OF_TUNE, error);
    if (status == STATUS_OK && !run->options->force)
        status = folder_finished(run->options->out, "tune.json", &run->fingerprint, &run->was_complete, error);
    if (status == STATUS_OK && run->was_complete)
        file_remove(run->options->out, "journal.jsonl",
                    NULL); /* a kill may have come between the last steps of finish */
    return status;
}

static enum status run_searches(struct tune *tune, struct tune_context *context, struct error *error)
{
    enum status status = STATUS_OK;
    struct objective *objective = NULL;
    for (size_t i = 0; i < tune->n_searches; i++)
        context->costs.total += (double)(tune->searches[i].max * tune->searches[i].folds) *
                               fold_cost(&tune->folds[tune->searches[i].dataset].view);
    for (size_t i = 0; i < tune->n_searches && status == STATUS_OK; i++) {
        struct search *search = &tune->searches[i];
        if (i == 0 || search->dataset != tune->searches[i - 1].dataset) {
            objective_close(objective);
            objective = objective_open(context, &tune->folds[search->dataset].view);
        }
        status = search_run(search, context, objective, error);
    }
    objective_close(objective);
    return status;
}

static enum status finish(struct tune *tune, struct error *error)
{
    struct run *run = &tune->run;
    double searched = clock_now();
    for (size_t i = 0; i < tune->n_searches; i++)
        search_count_outcomes(&tune->searches[i], run->outcomes);
    enum status status = tune_report_write(tune, error);
    if (status == STATUS_OK)
        status = tune_figures_write(tune, error);
    run->stage_times.seconds[STAGE_FILES] += clock_now() - searched;
    return status == STATUS_OK ? run_end(run, tune->n_evaluations, NULL, error) : status;
}

static enum status execute(struct tune *tune, struct error *error)
{
    struct tune_context context = {
        .run = &tune->run,
        .config = tune->config,
        .threads = run_threads(tune->options),
        .costs = {.started = clock_now()},
        .total = tune->n_folds,
    };
    enum status status = prepare_folder(&tune->run, error);
    if (status == STATUS_OK && tune->run.was_complete && !tune->no_render)
        tune_figures_complete(tune);
    if (status != STATUS_OK || tune->run.was_complete)
        return status;
    status = run_begin_folder(tune->options->out, tune->run.config, &tune->run.fingerprint, tune->n_folds,
                              tune->options->force ? remove_outputs : NULL, &context.journal, error);
    if (status == STATUS_OK)
        status = run_searches(tune, &context, error);
    if (status == STATUS_OK)
        status = finish(tune, error);
    journal_close(context.journal);
    return status;
}

enum status tune_execute(struct tune *tune, struct error *error)
{
    struct folder_lock lock = {0};
    if (tune->n_searches == 0)
        return error_set(error, STATUS_NOT_FOUND, "%s: nothing to search on: %s", tune->options->config,
                         tune->run.missing[0].reason);
    enum status status = folder_make(tune->options->out, error);
    if (status == STATUS_OK)
        status = folder_lock_take(&lock, tune->options->out, error);
    if (status == STATUS_OK)
        status = execute(tune, error);
    folder_lock_release(&lock);
    return status;
}
