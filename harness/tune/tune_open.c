/*
 * Preparing a search: the data are loaded and their folds dealt, the printed values looked up, and every evaluation
 * given its place in the journal, before anything is computed.
 */
#include "harness/tune/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/paper.h"
#include "solvers/clock.h"

/* Puts the configuration's file, and a field of it, before a message that does not name them. */
static enum status name_place(const struct tune *tune, const char *field, struct error *error)
{
    struct error bare;
    if (!error)
        return STATUS_BAD_INPUT;
    bare = *error;
    return error_set(error, STATUS_BAD_INPUT, "%s: %s%s", tune->options->config, field, bare.message);
}

static enum status load_all(struct tune *tune, struct error *error)
{
    struct run *run = &tune->run;
    enum status status = run_load_datasets(run, error);
    /* A set that cannot be dealt is found before hours of work. */
    for (size_t d = 0; d < run->config->n_datasets && status == STATUS_OK; d++) {
        struct inner_folds folds = {0};
        if (run->datasets[d])
            status = inner_folds_make(&folds, run->datasets[d], tune->config->n_splits, tune->config->n_folds,
                                      tune->config->stratified, run->config->seed, error);
        if (status == STATUS_BAD_INPUT)
            status = name_place(tune, "", error);
        inner_folds_free(&folds);
    }
    return status;
}

/* The plan has the solvers' jobs for each split: those of a data set's first split will do. */
static void make_searches(struct tune *tune)
{
    struct run *run = &tune->run;
    size_t folds = tune->config->n_splits * tune->config->n_folds;
    for (size_t u = 0; u < run->plan.n_units; u++) {
        const struct job *job = &run->plan.jobs[run->plan.units[u].first];
        if (u > 0 && run->plan.jobs[run->plan.units[u - 1].first].dataset == job->dataset)
            continue;
        for (size_t s = 0; s < run->config->n_solvers; s++)
            tune->searches[tune->n_searches++] = (struct search){
                .dataset = job->dataset,
                .solver = s,
                .dataset_name = run->config->datasets[job->dataset].name,
                .solver_name = run->config->solvers[s].solver->name,
                .job = job[s],
                .folds = folds,
            };
    }
}

static enum status find_column(const struct paper_table *table, const char *key, const char *member, const char *label,
                               size_t *column, struct error *error)
{
    char known[256] = "";
    size_t used = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        *column = c;
        if (strcmp(table->columns[c].key, key) == 0)
            return STATUS_OK;
        if (used < sizeof known)
            used +=
                (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", table->columns[c].key);
    }
    return error_set(error, STATUS_BAD_INPUT, "%s: tune.printed.%s: unknown column \"%s\" of %s; allowed: %s", label,
                     member, key, table->name, known);
}

static void take_printed(struct tune *tune, const struct paper_table *table, const size_t column[TUNE_AXES])
{
    for (size_t i = 0; i < tune->n_searches; i++)
        for (size_t r = 0; r < table->n_rows; r++) {
            const struct printed *c = &table->rows[r].cells[column[TUNE_C]],
                                 *width = &table->rows[r].cells[column[TUNE_WIDTH]];
            if (strcmp(table->rows[r].dataset, tune->searches[i].dataset_name) != 0 || !c->n || !width->n)
                continue;
            tune->searches[i].has_printed = c->mean > 0 && width->mean > 0;
            tune->searches[i].printed[TUNE_C] = c->mean;
            tune->searches[i].printed[TUNE_WIDTH] = width->mean;
        }
}

static enum status read_printed(struct tune *tune, struct error *error)
{
    const char *name = tune->config->printed_table, *label = tune->options->config;
    size_t column[TUNE_AXES];
    struct paper *paper = NULL;
    if (!name)
        return STATUS_OK;
    enum status status = paper_find(name, &paper, error);
    if (status == STATUS_NOT_FOUND || status == STATUS_BAD_INPUT)
        return name_place(tune, "tune.printed.table: ", error);
    if (status != STATUS_OK)
        return status;
    const struct paper_table *table = paper_table_named(paper, name);
    if (!table)
        status = error_set(error, STATUS_BAD_INPUT, "%s: tune.printed.table: %s has no table \"%s\"", label,
                           paper->path, name);
    for (unsigned a = 0; a < TUNE_AXES && status == STATUS_OK; a++)
        status = find_column(table, tune->config->printed_column[a], tune_axis_name(a), label, &column[a], error);
    if (status == STATUS_OK)
        take_printed(tune, table, column);
    paper_free(paper);
    return status;
}

static void place_searches(struct tune *tune)
{
    for (size_t i = 0; i < tune->n_searches; i++) {
        struct search *search = &tune->searches[i];
        search->most = search_size(tune->config, search->has_printed);
        search->first = tune->n_folds;
        tune->n_evaluations += search->most;
        tune->n_folds += search->most * search->folds;
    }
}

/* That of a run, and the printed values, which are data of a search. */
static enum status identify(struct tune *tune, struct error *error)
{
    struct fingerprint *identity = &tune->run.identity;
    enum status status = run_hash_plan(&tune->run, HULLBENCH_VERSION, error);
    for (size_t i = 0; i < tune->n_searches; i++) {
        const struct search *search = &tune->searches[i];
        if (!search->has_printed)
            continue;
        identity->data = journal_hash(identity->data, search->printed, sizeof search->printed);
        identity->plan = journal_hash(identity->plan, search->printed, sizeof search->printed);
    }
    return status;
}

enum status tune_open(struct tune *tune, const struct run_options *options, struct error *error)
{
    memset(tune, 0, sizeof *tune);
    tune->options = tune->run.options = options;
    tune->run.opened = clock_now();
    tune->run.opened_processor = clock_processors();
    enum status status = tune_config_read(options->config, &tune->config, error);
    if (status == STATUS_OK) {
        tune->run.config = tune->config->config;
        status = config_restrict(tune->run.config, options->solvers, options->datasets, NULL, error);
    }
    if (status == STATUS_OK)
        status = load_all(tune, error);
    tune->run.spent.seconds[STAGE_FILES] = clock_now() - tune->run.opened;
    if (status == STATUS_OK)
        status = plan_build(tune->run.config, tune->run.datasets, 1, 1, &tune->run.plan, error);
    if (status == STATUS_OK) {
        size_t most = tune->run.config->n_datasets * tune->run.config->n_solvers;
        tune->searches = calloc(most, sizeof *tune->searches);
        if (!tune->searches)
            status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", options->config);
    }
    if (status == STATUS_OK) {
        make_searches(tune);
        status = read_printed(tune, error);
    }
    if (status == STATUS_OK)
        status = identify(tune, error);
    if (status == STATUS_OK)
        place_searches(tune);
    else
        tune_close(tune);
    return status;
}

void tune_close(struct tune *tune)
{
    struct run *run = &tune->run;
    for (size_t i = 0; i < tune->n_searches; i++)
        search_free(&tune->searches[i]);
    for (size_t d = 0; run->datasets && d < run->config->n_datasets; d++)
        dataset_free(run->datasets[d]);
    free(run->datasets);
    free(run->missing);
    plan_free(&run->plan);
    free(tune->searches);
    free(tune->figures_failed);
    tune_config_free(tune->config);
    memset(tune, 0, sizeof *tune);
}
