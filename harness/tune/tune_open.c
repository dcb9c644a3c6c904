/*
 * Prepares a search: loads the data and deals the folds, looks up the printed values, and assigns every evaluation its
 * position in the journal, before anything is computed.
 */
#include "harness/tune/tune.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/papers/paper.h"

static void deal_folds(struct tune *tune)
{
    const struct run *run = &tune->run;
    const struct tune_config *config = tune->config;
    const char *where = pool_printf(tune->pool, "%s: ", tune->options->config);
    tune->folds = pool_array(tune->pool, run->config->n_datasets, sizeof *tune->folds);
    for (size_t d = 0; d < run->config->n_datasets; d++)
        if (run->datasets[d])
            tune->folds[d] = inner_folds_make(tune->pool, run->datasets[d], config->n_splits, config->n_folds,
                                              config->stratified, where, run->config->seed);
}

/* Makes the searches. The plan has the solvers' jobs for each split; those of a data set's first split are used. */
static void make_searches(struct tune *tune)
{
    const struct run *run = &tune->run;
    tune->searches = pool_array(tune->pool, run->config->n_datasets * run->config->n_solvers, sizeof *tune->searches);
    for (size_t u = 0; u < run->plan.n_units; u++) {
        const struct job *job = &run->plan.jobs[run->plan.units[u].first];
        if (u > 0 && run->plan.jobs[run->plan.units[u - 1].first].dataset == job->dataset)
            continue;
        for (size_t s = 0; s < run->config->n_solvers; s++)
            tune->searches[tune->n_searches++] = (struct search){
                .dataset = job->dataset,
                .dataset_name = run->config->datasets[job->dataset].name,
                .solver_name = run->config->solvers[s].solver->name,
                .job = job[s],
                .folds = tune->config->n_splits * tune->config->n_folds,
            };
    }
}

static size_t find_column(const struct paper_table *table, const char *key, const struct json_path *place)
{
    const char *allowed[TABLE_COLUMNS_MAX + 1] = {NULL};
    for (size_t column = 0; column < table->n_columns; column++) {
        allowed[column] = table->columns[column].key;
        if (strcmp(allowed[column], key) == 0)
            return column;
    }
    json_die_unknown(place, "column", key, allowed);
}

static void take_printed(struct tune *tune, const struct paper_table *table, const size_t column[TUNE_AXES])
{
    for (size_t i = 0; i < tune->n_searches; i++)
        for (size_t r = 0; r < table->n_rows; r++) {
            const struct printed *c = &table->rows[r].cells[column[0]], *width = &table->rows[r].cells[column[1]];
            if (strcmp(table->rows[r].dataset, tune->searches[i].dataset_name) != 0 || !c->n || !width->n)
                continue;
            tune->searches[i].has_printed = c->mean > 0 && width->mean > 0;
            tune->searches[i].printed[0] = c->mean;
            tune->searches[i].printed[1] = width->mean;
        }
}

static void read_printed(struct tune *tune)
{
    const char *name = tune->config->printed_table;
    const struct json_path top = {.file = tune->options->config};
    const struct json_path tune_place = {.file = top.file, .outer = &top, .key = "tune"};
    const struct json_path printed = {.file = top.file, .outer = &tune_place, .key = "printed"};
    struct json_path place = {.file = top.file, .outer = &printed, .key = "table"};
    size_t column[TUNE_AXES];
    struct error error;
    if (!name)
        return;
    const struct paper *paper = paper_find_or_null(tune->pool, name, &error);
    if (!paper)
        json_die(&place, "%s", error.message);
    const struct paper_table *table = paper_table_named(paper, name);
    if (!table)
        json_die(&place, "%s: unknown table \"%s\"", paper->path, name);
    for (unsigned a = 0; a < TUNE_AXES; a++) {
        place.key = tune->config->axes[a].name;
        column[a] = find_column(table, tune->config->printed_column[a], &place);
    }
    take_printed(tune, table, column);
}

/* Assigns each evaluation its position in the journal. The printed values are part of a search's data. */
static void place_searches(struct tune *tune)
{
    struct fingerprint *fingerprint = &tune->run.fingerprint;
    for (size_t i = 0; i < tune->n_searches; i++) {
        struct search *search = &tune->searches[i];
        search->max = search_size(tune->config, search->has_printed);
        search->first = tune->n_problems;
        search->first_test = search->first + search->max * search->folds;
        tune->n_evaluations += search->max;
        tune->n_problems = search->first_test + tune->config->n_splits;
        if (search->has_printed) {
            fingerprint->data = journal_hash(fingerprint->data, search->printed, sizeof search->printed);
            fingerprint->plan = journal_hash(fingerprint->plan, search->printed, sizeof search->printed);
        }
    }
}

struct tune *tune_open(struct pool *pool, const struct run_options *options)
{
    struct tune *tune = pool_alloc(pool, sizeof *tune);
    tune->pool = pool;
    tune->options = options;
    tune->config = tune_config_read(pool, options->config);
    run_open_config(&tune->run, options, tune->config->config);
    deal_folds(tune);
    make_searches(tune);
    read_printed(tune);
    place_searches(tune);
    return tune;
}

void tune_close(struct tune *tune)
{
    run_close(&tune->run);
}
