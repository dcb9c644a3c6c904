/*
 * A search from its configuration to its folder. Data sets follow each other, solvers within them, evaluations within
 * those; only the folds of a batch of evaluations are done in parallel. Everything but run.json is made of the
 * evaluations in their order, so neither threads nor interruptions change a byte.
 */
#include "harness/tune/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/run/run_target.h"
#include "harness/run/run_files.h"
#include "harness/run/run_info.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "solvers/clock.h"

char *tune_path(const struct tune *tune, const char *name)
{
    char *path = path_join(tune->options->out, name);
    if (!path)
        out_of_memory();
    return path;
}

static void remove_journal(const struct tune *tune)
{
    char *path = tune_path(tune, "journal.jsonl");
    remove(path);
    free(path);
}

/* For --force, once the folder is locked: what another search left, its figures among it. */
static enum status remove_outputs(const struct tune *tune, struct error *error)
{
    static const char *const outputs[] = {"run.json", "evaluations.jsonl", "tune.json", "tune.md", "surface.csv"};
    char *plots = tune_path(tune, "plots");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && status == STATUS_OK; i++)
        status = file_remove(tune->options->out, outputs[i], error);
    if (status == STATUS_OK)
        status = file_remove_all(plots, "tune-", "", error);
    free(plots);
    return status;
}

static enum status prepare_folder(struct tune *tune, struct error *error)
{
    enum status status = folder_check_kind(tune->options->out, FOLDER_OF_TUNE, error);
    if (status == STATUS_OK && !tune->options->force)
        status = folder_finished(tune->options->out, "tune.json", &tune->run.fingerprint, &tune->run.was_complete, error);
    if (status == STATUS_OK && tune->run.was_complete)
        remove_journal(tune); /* a kill may have come between the last two steps of finish */
    return status;
}

static enum status open_journal(struct tune *tune, struct journal **journal, struct error *error)
{
    char *path = tune_path(tune, "journal.jsonl"), *config = tune_path(tune, "config.json");
    const char *text = tune->run.config->text;
    enum status status = journal_open(journal, path, &tune->run.fingerprint, tune->n_folds, tune->options->force, error);
    if (status == STATUS_OK)
        status = run_remove_temporaries(tune->options->out, error);
    if (status == STATUS_OK && tune->options->force)
        status = remove_outputs(tune, error);
    if (status == STATUS_OK)
        status = file_write(config, text, strlen(text), error);
    free(path);
    free(config);
    return status;
}

static enum status run_searches(struct tune *tune, struct tune_context *context, struct error *error)
{
    enum status status = STATUS_OK;
    struct objective *objective = NULL;
    for (size_t i = 0; i < tune->n_searches; i++)
        context->cost_total += (double)(tune->searches[i].max * tune->searches[i].folds) *
                               fold_cost(tune->run.datasets[tune->searches[i].dataset]);
    for (size_t i = 0; i < tune->n_searches && status == STATUS_OK; i++) {
        struct search *search = &tune->searches[i];
        if (i == 0 || search->dataset != tune->searches[i - 1].dataset) {
            objective_close(objective);
            status = objective_open(&objective, context, tune->run.datasets[search->dataset], error);
        }
        if (status == STATUS_OK)
            status = search_run(search, context, objective, error);
    }
    objective_close(objective);
    return status;
}

static enum status write_info(const struct tune *tune, struct error *error)
{
    const struct run *run = &tune->run;
    return run_info_write(tune->options->out,
                          run_info_of_ended(run, &run->plan, tune->n_evaluations, run->outcomes), error);
}

static enum status finish(struct tune *tune, const struct tune_context *context, struct error *error)
{
    struct run *run = &tune->run;
    double searched = clock_now();
    stage_times_add(&run->spent, &context->spent);
    for (size_t i = 0; i < tune->n_searches; i++)
        search_count_outcomes(&tune->searches[i], run->outcomes);
    enum status status = tune_report_write(tune, error);
    if (status == STATUS_OK)
        status = tune_figures_write(tune, error);
    run->seconds = clock_now() - run->opened;
    run->spent.processor = clock_processors() - run->opened_processor;
    run->spent.seconds[STAGE_FILES] += clock_now() - searched;
    if (status == STATUS_OK)
        status = write_info(tune, error);
    if (status == STATUS_OK)
        remove_journal(tune);
    return status;
}

static enum status execute(struct tune *tune, struct error *error)
{
    struct tune_context context = {
        .run = &tune->run,
        .config = tune->config,
        .threads = run_threads(tune->options),
        .started = clock_now(),
        .total = tune->n_folds,
    };
    enum status status = prepare_folder(tune, error);
    if (status == STATUS_OK && tune->run.was_complete && !tune->no_render)
        tune_figures_complete(tune);
    if (status != STATUS_OK || tune->run.was_complete)
        return status;
    status = open_journal(tune, &context.journal, error);
    if (status == STATUS_OK)
        status = run_searches(tune, &context, error);
    if (status == STATUS_OK)
        status = finish(tune, &context, error);
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
