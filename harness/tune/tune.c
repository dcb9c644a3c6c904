/*
 * A search from its configuration to its folder. Data sets follow each other, solvers within them, evaluations within
 * those; only the folds of a batch of evaluations are done in parallel. Everything but run.json is made of the
 * evaluations in their order, so neither threads nor interruptions change a byte.
 */
#include "harness/tune/tune.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "solvers/clock.h"
#include "harness/support/file.h"
#include "harness/records/folder_kind.h"
#include "harness/support/folder_lock.h"
#include "harness/run/run_files.h"
#include "harness/tune/tune_figure.h"
#include "harness/tune/tune_report.h"

static void remove_inside(const struct tune *tune, const char *name)
{
    char *path = path_join(tune->options->out, name);
    if (path)
        remove(path);
    free(path);
}

/* For --force, once the folder is locked: what another search left, its figures among it. */
static enum status remove_outputs(const struct tune *tune, struct error *error)
{
    static const char *const outputs[] = {"run.json", "evaluations.jsonl", "tune.json", "tune.md", "surface.csv"};
    char *plots = path_join(tune->options->out, "plots");
    enum status status = plots ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", tune->options->out);
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
        status = folder_finished(tune->options->out, "tune.json", &tune->run.identity, &tune->was_complete, error);
    if (status == STATUS_OK && tune->was_complete)
        remove_inside(tune, "journal.jsonl"); /* a kill may have come between the last two steps of finish */
    return status;
}

static enum status open_journal(struct tune *tune, struct journal **journal, struct error *error)
{
    char *path = path_join(tune->options->out, "journal.jsonl"), *config = path_join(tune->options->out, "config.json");
    const char *text = tune->run.config->text;
    enum status status =
        path && config ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", tune->options->out);
    if (status == STATUS_OK)
        status = journal_open(journal, path, &tune->run.identity, tune->n_folds, tune->options->force, error);
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

/* ---- the searches ---- */

static double dataset_cost(const struct dataset *dataset)
{
    double n = (double)dataset->splits[0].n_train;
    return n * n;
}

static enum status run_searches(struct tune *tune, struct evaluating *evaluating, struct error *error)
{
    double folds = (double)tune->config->n_folds;
    double share = (folds - 1) / folds; /* of the patterns that train in a fold */
    for (size_t i = 0; i < tune->n_searches; i++)
        evaluating->cost_total += (double)(tune->searches[i].most * tune->searches[i].folds) * share * share *
                                  dataset_cost(tune->run.datasets[tune->searches[i].dataset]);
    enum status status = STATUS_OK;
    struct objective *objective = NULL;
    for (size_t i = 0; i < tune->n_searches && status == STATUS_OK; i++) {
        struct search *search = &tune->searches[i];
        if (i == 0 || search->dataset != tune->searches[i - 1].dataset) {
            objective_close(objective);
            status = objective_open(&objective, evaluating, tune->run.datasets[search->dataset], error);
        }
        if (status == STATUS_OK)
            status = search_run(search, tune->config, objective, error);
    }
    objective_close(objective);
    return status;
}

static void count_outcomes(struct tune *tune)
{
    for (size_t i = 0; i < tune->n_searches; i++)
        for (size_t e = 0; e < tune->searches[i].n; e++)
            for (unsigned o = 0; o < OUTCOMES; o++)
                if (!tune->searches[i].evaluations[e].same)
                    tune->run.outcomes[o] += tune->searches[i].evaluations[e].outcomes[o];
}

static enum status finish(struct tune *tune, const struct evaluating *evaluating, struct error *error)
{
    double searched = clock_now();
    stage_times_add(&tune->run.spent, &evaluating->spent);
    count_outcomes(tune);
    enum status status = tune_report_write(tune, error);
    if (status == STATUS_OK)
        status = tune_figures_write(tune, error);
    tune->run.seconds = clock_now() - tune->run.opened;
    tune->run.spent.processor = clock_processors() - tune->run.opened_processor;
    tune->run.spent.seconds[STAGE_FILES] += clock_now() - searched;
    if (status == STATUS_OK) {
        struct run about = tune->run;
        about.plan.n_jobs = tune->n_evaluations; /* what run.json calls records */
        status = run_info_write(&about, evaluating->threads, NULL, error);
    }
    if (status == STATUS_OK)
        remove_inside(tune, "journal.jsonl");
    return status;
}

static enum status execute(struct tune *tune, struct error *error)
{
    struct evaluating evaluating = {
        .options = tune->options,
        .config = tune->config,
        .threads = run_threads(tune->options),
        .started = clock_now(),
        .total = tune->n_folds,
    };
    enum status status = prepare_folder(tune, error);
    if (status == STATUS_OK && tune->was_complete && !tune->no_render)
        return tune_figures_complete(tune, error);
    if (status != STATUS_OK || tune->was_complete)
        return status;
    status = open_journal(tune, &evaluating.journal, error);
    if (status == STATUS_OK)
        status = run_searches(tune, &evaluating, error);
    if (status == STATUS_OK)
        status = finish(tune, &evaluating, error);
    journal_close(evaluating.journal);
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
