/*
 * Runs a search from its configuration to its folder. Data, folds and printed values are read, and every evaluation has
 * its position in the journal, before anything is computed. The order is data sets, then solvers, then evaluations,
 * then folds; the time of the computation is another matter (search.c). Everything except run.json depends only on the
 * evaluations in their order, so neither threads nor interruptions change a byte.
 */
#include "harness/tune/tune.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/data/split.h"
#include "harness/papers/paper.h"
#include "harness/run/run_files.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/support/folder_lock.h"
#include "solvers/clock.h"

/* ---- preparing ---- */

/* The columns of printed C and width. */
struct printed_values {
    const struct paper_table *table; /* NULL: none */
    size_t column[TUNE_AXES];
};

static struct printed_values find_printed(const struct tune *tune)
{
    const char *name = tune->config->printed_table;
    const struct json_path top = {.file = tune->options->config}, at_tune = {.outer = &top, .key = "tune"};
    struct json_path place = {.outer = json_at(&at_tune, "printed"), .key = "table"};
    struct printed_values values = {0};
    struct error error;
    if (!name)
        return values;
    const struct paper *paper = paper_find_or_null(tune->pool, name, &error);
    if (!paper)
        json_die(&place, "%s", error.message);
    values.table = paper_table_named(paper, name);
    if (!values.table)
        json_die(&place, "%s: unknown table \"%s\"", paper->path, name);
    for (unsigned a = 0; a < TUNE_AXES; a++) {
        const char *key = tune->config->printed_column[a], *allowed[TABLE_COLUMNS_MAX + 1] = {NULL};
        place.key = tune->config->axes[a].name;
        for (size_t c = values.table->n_columns; c-- > 0;) {
            allowed[c] = values.table->columns[c].key;
            if (strcmp(allowed[c], key) == 0)
                values.column[a] = c;
        }
        json_check_word(&place, "column", key, allowed);
    }
    return values;
}

static void take_printed(struct search *search, const struct printed_values *values)
{
    for (size_t r = 0; values->table && r < values->table->n_rows; r++) {
        const struct paper_row *row = &values->table->rows[r];
        const struct printed *c = &row->cells[values->column[0]], *width = &row->cells[values->column[1]];
        if (strcmp(row->dataset, search->dataset_name) != 0 || !c->n || !width->n)
            continue;
        search->has_printed = c->mean > 0 && width->mean > 0;
        search->printed[0] = c->mean;
        search->printed[1] = width->mean;
    }
}

/* Makes a search and assigns its evaluations their positions in the journal. Printed values are part of its data. */
static void add_search(struct tune *tune, const struct job *job, size_t solver, const struct printed_values *printed)
{
    const struct config *config = tune->run.config;
    struct fingerprint *fingerprint = &tune->run.fingerprint;
    struct search *search = &tune->searches[tune->n_searches++];
    *search = (struct search){
        .dataset = job->dataset,
        .dataset_name = config->datasets[job->dataset].name,
        .solver_name = config->solvers[solver].solver->name,
        .job = *job,
        .folds = tune->config->n_splits * tune->config->n_folds,
        .cost = fold_cost(tune->folds[job->dataset]),
        .first = tune->n_problems,
    };
    take_printed(search, printed);
    search->max = search_size(tune->config, search->has_printed);
    search->first_test = search->first + search->max * search->folds;
    tune->n_evaluations += search->max;
    tune->n_problems = search->first_test + tune->config->n_splits;
    run_costs_expect(&tune->run, solver,
                     (double)(search->max * search->folds) * search->cost +
                         (double)tune->config->n_splits * fold_cost(tune->run.datasets[search->dataset]));
    if (search->has_printed) {
        fingerprint->data = fnv(fingerprint->data, search->printed, sizeof search->printed);
        fingerprint->plan = fnv(fingerprint->plan, search->printed, sizeof search->printed);
    }
}

struct tune *tune_open(struct pool *pool, const struct run_options *options)
{
    struct tune *tune = pool_alloc(pool, sizeof *tune);
    const struct tune_config *config = tune->config = tune_config_read(pool, options->config);
    const struct run *run = &tune->run;
    const char *where = pool_printf(pool, "%s: ", options->config);
    tune->pool = pool;
    tune->options = options;
    run_open(&tune->run, options, config->config);
    tune->folds = pool_array(pool, run->config->n_datasets, sizeof *tune->folds);
    for (size_t d = 0; d < run->config->n_datasets; d++)
        if (run->datasets[d])
            tune->folds[d] = inner_folds_make(pool, run->datasets[d], config->n_splits, config->n_folds,
                                              config->stratified, where, run->config->seed);
    tune->searches = pool_array(pool, run->config->n_datasets * run->config->n_solvers, sizeof *tune->searches);
    const struct printed_values printed = find_printed(tune);
    /* The plan has the solvers' jobs for each split; those of a data set's first split are used. */
    for (size_t u = 0; u < run->plan.n_units; u++) {
        const struct job *job = &run->plan.jobs[run->plan.units[u].first];
        if (u > 0 && run->plan.jobs[run->plan.units[u - 1].first].dataset == job->dataset)
            continue;
        for (size_t s = 0; s < run->config->n_solvers; s++)
            add_search(tune, &job[s], s, &printed);
    }
    return tune;
}

/* ---- running ---- */

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

/* Seconds of the solver in `count` problems of the journal. */
static double seconds_of(const struct tune *tune, size_t first, size_t count)
{
    double seconds = 0;
    for (size_t i = first; i < first + count; i++)
        seconds += journal_entries(tune->run.journal)[i].timing.seconds;
    return seconds;
}

/* The times of the searches, for run.json, since all other files have the same bytes on every machine. */
static cJSON *search_times(const struct tune *tune)
{
    cJSON *all = json_new_object(), *of_set = NULL;
    for (size_t i = 0; i < tune->n_searches; i++) {
        const struct search *search = &tune->searches[i];
        const struct evaluation *chosen = search->chosen.point;
        if (i == 0 || search->dataset != search[-1].dataset)
            of_set = json_put_object(all, search->dataset_name);
        cJSON *json = json_put_object(of_set, search->solver_name);
        chosen = chosen && chosen->same ? chosen->same : chosen;
        const size_t first = search->first + (chosen ? (size_t)(chosen - search->evaluations) * search->folds : 0);
        json_put_number(json, "search", seconds_of(tune, search->first, search->max * search->folds));
        json_put_number(json, "chosen", chosen ? seconds_of(tune, first, search->folds) : (double)NAN);
        json_put_number(json, "outer_test", seconds_of(tune, search->first_test, tune->config->n_splits));
    }
    return all;
}

static void execute(struct tune *tune)
{
    struct run *run = &tune->run;
    tune->threads = run_threads(tune->options);
    run_costs_begin(run, tune->n_problems, 0);
    run->journal = run_begin_folder(tune->options->out, run->config, &run->fingerprint, NULL, tune->n_problems,
                                    tune->options->force ? remove_outputs : NULL);
    searches_run(tune);
    run_costs_end(run);
    const double searched = clock_now();
    for (size_t i = 0; i < tune->n_searches; i++)
        search_count_outcomes(&tune->searches[i], run->outcomes);
    tune_report_write(tune);
    tune_figures_write(tune);
    run->stage_times.seconds[STAGE_FILES] += clock_now() - searched;
    run_end(run, tune->n_evaluations, NULL, search_times(tune));
    journal_close(run->journal);
}

/* Dies if the results of the finished search were damaged since. */
static void check_results(const struct tune *tune)
{
    const char *evaluations = tune_path(tune, "evaluations.jsonl");
    if (access(evaluations, F_OK) == 0)
        lines_read(tune->pool, evaluations); /* names a cut line */
    file_hashes_check_all(json_read(tune->pool, tune_path(tune, "run.json")), tune->options->out);
}

void tune_execute(struct tune *tune)
{
    struct folder_lock lock = {0};
    const char *out = tune->options->out;
    struct run *run = &tune->run;
    if (tune->n_searches == 0)
        die(STATUS_NOT_FOUND, "%s: nothing to search on: %s", tune->options->config, run->missing[0].reason);
    folder_make(out);
    folder_lock_take(&lock, out);
    folder_check_kind(out, FOLDER_OF_TUNE);
    run->was_complete = !tune->options->force && folder_finished(out, "tune.json", &run->fingerprint, NULL);
    if (run->was_complete) {
        check_results(tune);
        run_settle_folder(out, run->config);
    } else
        execute(tune);
    if (run->was_complete && !tune->figures.no_render)
        tune_figures_complete(tune);
    folder_lock_release(&lock);
}

size_t tune_print_unsuccessful(const struct tune *tune, FILE *stream)
{
    const cJSON *json = json_read(tune->pool, tune_path(tune, "tune.json")), *result = NULL, *count = NULL;
    size_t found = 0;
    cJSON_ArrayForEach (result, json_member(json, "results")) {
        const char *comma = "";
        if (!cJSON_IsNull(json_member(result, "chosen")))
            continue;
        fprintf(stream, "hullbench: %s, %s: no point was chosen, because at each point a problem failed or all ended "
                        "at a limit (problems: ",
                cJSON_GetStringValue(json_member(result, "dataset")),
                cJSON_GetStringValue(json_member(result, "solver")));
        cJSON_ArrayForEach (count, json_member(result, "outcomes")) {
            fprintf(stream, "%s%.0f %s", comma, count->valuedouble, count->string);
            comma = ", ";
        }
        fputs("); raise the limit in \"budget\", or loosen the tolerance in \"stop\"\n", stream);
        found++;
    }
    return found;
}
