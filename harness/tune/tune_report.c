/*
 * evaluations.jsonl has one line per evaluation in the order of the search; tune.json has the results, tune.md the same
 * next to the printed values, surface.csv the grid point by point. All depend only on the evaluations, so they are the
 * same bytes on any machine and with any number of threads.
 */
#include "harness/tune/tune.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

#include "harness/format/text_table.h"
#include "harness/base/json_writer.h"
#include "harness/records/run_gaps.h"
#include "harness/support/file.h"
#include "harness/support/round_to_12_digits.h"

static void put_outcomes(cJSON *json, const size_t *outcomes)
{
    cJSON *object = json_put_object(json, "outcomes");
    for (unsigned o = 0; o < OUTCOMES; o++)
        if (outcomes[o])
            json_put_number(object, outcome_name((enum outcome)o), (double)outcomes[o]);
}

static void put_point(cJSON *json, const struct tune_config *config, const double *value)
{
    for (size_t a = 0; a < config->n_axes; a++)
        json_put_number(json, config->axes[a].name, value[a]);
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
    put_point(json, tune->config, evaluation->value);
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

static void write_evaluations(const struct tune *tune)
{
    struct outfile out;
    outfile_open(&out, tune_path(tune, "evaluations.jsonl"));
    for (size_t i = 0; i < tune->n_searches; i++)
        for (size_t e = 0; e < tune->searches[i].n; e++) {
            char *line = evaluation_line(tune, &tune->searches[i], e);
            fprintf(out.stream, "%s\n", line);
            free(line);
        }
    outfile_commit(&out);
}

/* ---- tune.json ---- */

/* The point, the error and the number of an evaluation. */
static void put_evaluation(cJSON *json, const struct tune_config *config, const struct search *search,
                           const struct evaluation *evaluation)
{
    put_point(json, config, evaluation->value);
    put_error(json, &evaluation->error);
    json_put_number(json, "evaluation", (double)(evaluation - search->evaluations));
}

/* The chosen point, or null. */
static void put_chosen(cJSON *result, const struct tune_config *config, const struct search *search)
{
    const struct evaluation *chosen = search->chosen.point;
    if (!chosen) {
        json_put_null(result, "chosen");
        return;
    }
    cJSON *json = json_put_object(result, "chosen");
    json_put_text(json, "by", evaluation_kind_name(chosen->kind));
    put_evaluation(json, config, search, chosen);
    json_put_number(json, "tied", (double)search->chosen.tied);
    json_put_number(json, "kernel_operations", search_operations_at(search, chosen));
}

/* The tests on the splits' test parts, or null. */
static void put_tests(cJSON *result, const struct tune *tune, const struct search *search)
{
    const struct split *splits = tune->run.datasets[search->dataset]->splits;
    cJSON *json = json_put_object(result, "outer_test"), *list;
    put_error(json, &search->test_error);
    list = json_put_array(json, "splits");
    for (size_t s = 0; s < tune->config->n_splits; s++) {
        const struct evaluation *test = &search->tests[s];
        if (!test->folds)
            continue;
        cJSON *item = json_add_object(list);
        json_put_number(item, "split", (double)splits[s].number);
        put_point(item, tune->config, test->value);
        json_put_number(item, "n_test", (double)splits[s].n_test);
        json_put_number(item, "error_percent", test->folds->error_percent);
        json_put_text(item, "outcome", outcome_name(test->folds->outcome));
        json_put_number(item, "kernel_operations", test->folds->kernel_operations);
    }
}

static void put_best(cJSON *result, const struct tune_config *config, const struct search *search,
                     enum evaluation_kind kind)
{
    const struct evaluation *best = search->best[kind].point;
    if (!best)
        return;
    cJSON *json = json_put_object(result, evaluation_kind_name(kind));
    put_evaluation(json, config, search, best);
    if (kind != EVALUATION_PRINTED)
        json_put_number(json, "tied", (double)search->best[kind].tied);
}

static void put_cma_es(cJSON *result, const struct search *search, const struct tune_config *config)
{
    double value[TUNE_AXES];
    cJSON *json = cJSON_GetObjectItemCaseSensitive(result, evaluation_kind_name(EVALUATION_CMA_ES));
    if (!json)
        return;
    for (unsigned a = 0; a < TUNE_AXES; a++)
        value[a] = tune_axis_value(&config->axes[a], search->path[config->generations * TUNE_AXES + a]);
    put_point(json_put_object(json, "mean"), config, value);
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
        json_put_number(json, "log2_C", comparison.log2[0]);
        json_put_number(json, "log2_width", comparison.log2[1]);
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
    json_put_number(json, "kernel_operations", search_operations(search));
    put_chosen(json, tune->config, search);
    put_tests(json, tune, search);
    for (unsigned k = 0; k < EVALUATION_KINDS; k++)
        put_best(json, tune->config, search, (enum evaluation_kind)k);
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
    for (size_t a = 0; a < config->n_axes; a++) {
        cJSON *range = json_put_object(json, config->axes[a].name);
        json_put_number(range, "from", config->axes[a].from);
        json_put_number(range, "to", config->axes[a].to);
        if (!config->axes[a].logarithmic)
            json_put_text(range, "scale", "linear");
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

static void write_found(const struct tune *tune)
{
    cJSON *json = found(tune);
    json_write(tune_path(tune, "tune.json"), json);
    cJSON_Delete(json);
}

/* ---- tune.md and surface.csv ---- */

/* Nonzero if closer than a hundredth of the range to one of its ends. */
static int at_edge(const struct tune_config *config, const struct evaluation *evaluation)
{
    int edge = 0;
    for (size_t a = 0; a < config->n_axes; a++) {
        double part = tune_axis_part(&config->axes[a], evaluation->place[a]);
        edge |= !(part > 0.01 && part < 0.99);
    }
    return edge;
}

static void empty_cells(struct text_table *table, int count)
{
    while (count-- > 0)
        text_table_cell(table, "–");
}

/* Adds the searched numbers and the error. `mark`: points at the edge get a dagger. */
static void point_cells(struct text_table *table, const struct tune_config *config, const struct evaluation *point,
                        int mark)
{
    if (!point) {
        empty_cells(table, (int)config->n_axes + 1);
        return;
    }
    for (size_t a = 0; a < config->n_axes; a++)
        text_table_cell(table, "%.4g", point->value[a]);
    text_table_cell(table, "%.2f ± %.2f%s", point->error.mean, point->error.sd,
                    mark && at_edge(config, point) ? " †" : "");
}

static void comparison_cells(struct text_table *table, const struct search *search, enum evaluation_kind kind)
{
    struct search_comparison comparison;
    if (!search_compare(search, kind, &comparison)) {
        empty_cells(table, 2);
        return;
    }
    text_table_cell(table, "%+.1f, %+.1f", comparison.log2[0], comparison.log2[1]);
    if (comparison.difference.n)
        text_table_cell(table, "%+.2f ± %.2f", comparison.difference.mean, comparison.difference.sd);
    else
        empty_cells(table, 1);
}

/* The chosen point, how many points share its error, and the test. */
static void chosen_cells(struct text_table *table, const struct tune_config *config, const struct search *search)
{
    const struct evaluation *chosen = search->chosen.point;
    point_cells(table, config, chosen, 1);
    if (chosen) {
        text_table_cell(table, "%zu", search->chosen.tied);
        text_table_cell(table, "%.4g", search_operations_at(search, chosen));
    } else
        empty_cells(table, 2);
    text_table_cell(table, "%.4g", search_operations(search));
    if (search->test_error.n > 1)
        text_table_cell(table, "%.2f ± %.2f", search->test_error.mean, search->test_error.sd);
    else if (search->test_error.n)
        text_table_cell(table, "%.2f", search->test_error.mean);
    else
        empty_cells(table, 1);
}

/* The kind of best point to compare with the printed point: CMA-ES if configured, as in the thesis, else the grid. */
static enum evaluation_kind compared_kind(const struct tune_config *config)
{
    return config->generations ? EVALUATION_CMA_ES : EVALUATION_GRID;
}

static void fill(struct text_table *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    static const char *const by[EVALUATION_KINDS] = {"printed", "grid", "CMA-ES"};
    static const enum evaluation_kind order[] = {EVALUATION_GRID, EVALUATION_CMA_ES, EVALUATION_PRINTED};
    int printed = config->printed_table != NULL;
    table->columns = 2 + (config->n_axes + 1) * (size_t)(3 + printed) + 4 + (printed ? 2 : 0);
    text_table_cell(table, "data set");
    text_table_cell(table, "solver");
    for (size_t a = 0; a < config->n_axes; a++)
        text_table_cell(table, "chosen: %s", config->axes[a].name);
    text_table_cell(table, "chosen: error (%%)");
    text_table_cell(table, "points with this error");
    text_table_cell(table, "kernel operations there");
    text_table_cell(table, "kernel operations of the search");
    text_table_cell(table, "outer test error (%%)");
    for (int k = 0; k < 2 + printed; k++) {
        for (size_t a = 0; a < config->n_axes; a++)
            text_table_cell(table, "%s: %s", by[order[k]], config->axes[a].name);
        text_table_cell(table, "%s: error (%%)", by[order[k]]);
    }
    if (printed) {
        text_table_cell(table, "log₂ of %s over printed: C, width", by[compared_kind(config)]);
        text_table_cell(table, "error of %s minus error at the printed point", by[compared_kind(config)]);
    }
    for (size_t i = 0; i < tune->n_searches; i++) {
        const struct search *search = &tune->searches[i];
        text_table_cell(table, "%s", search->dataset_name);
        text_table_cell(table, "%s", search->solver_name);
        chosen_cells(table, config, search);
        for (int k = 0; k < 2 + printed; k++)
            point_cells(table, config, search->best[order[k]].point, order[k] != EVALUATION_PRINTED);
        if (printed)
            comparison_cells(table, search, compared_kind(config));
    }
}

static void note_comparison(struct text_table *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    size_t compared = 0, within = 0, better = 0;
    for (size_t i = 0; i < tune->n_searches; i++) {
        struct search_comparison comparison;
        if (!search_compare(&tune->searches[i], compared_kind(config), &comparison) || !comparison.difference.n)
            continue;
        compared++;
        within += fabs(comparison.difference.mean) <= comparison.difference.sd;
        better += comparison.difference.mean > 0;
    }
    text_table_footnote(table,
                        "Printed: %s, columns %s and %s; the error there is our measurement on the same folds. In %zu "
                        "of %zu searches the difference is at most its standard deviation over the folds; in %zu the "
                        "printed point is better.",
                        config->printed_table, config->printed_column[0], config->printed_column[1], within, compared,
                        better);
}

static void note_outcomes(struct text_table *table, const size_t outcomes[OUTCOMES])
{
    size_t all = 0;
    char text[256];
    for (unsigned o = 0; o < OUTCOMES; o++)
        all += outcomes[o];
    text_table_footnote(table,
                        "%zu problems were solved: %s. A problem that ends at a limit counts with its error at that "
                        "point.",
                        all, outcomes_text(outcomes, text, sizeof text));
}

static void note_origin(struct text_table *table, const struct run *run, size_t n_splits)
{
    for (size_t d = 0; d < run->config->n_datasets; d++) {
        const struct dataset *dataset = run->datasets[d];
        size_t drawn = 0;
        for (size_t s = 0; dataset && s < n_splits; s++)
            drawn += dataset->splits[s].source != SPLIT_OFFICIAL;
        if (drawn)
            text_table_footnote(table, "%s: %zu of %zu splits are not official.", dataset->name, drawn,
                                n_splits);
    }
    struct string_list lines = {0};
    run_gaps(run->config, run->datasets, run->missing, run->n_missing, &lines);
    gaps_note(&lines, table);
    string_list_free(&lines);
}

static char *grid_text(struct pool *pool, const struct tune_axis *axis, size_t levels)
{
    const int is_width = tune_axis_is_width(axis);
    return pool_printf(pool, "%zu %s%s from %g to %g", levels, is_width ? "widths" : "values of ",
                       is_width ? "" : axis->name, axis->from, axis->to);
}

static void note_grid(struct text_table *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    const struct tune_axis *axes = config->axes;
    const int two = config->n_axes > 1;
    int all = 1;
    for (size_t a = 0; a < config->n_axes; a++)
        all &= axes[a].logarithmic;
    text_table_footnote(table, "Grid: %s%s%s, evenly spaced%s.", grid_text(tune->pool, &axes[0], config->grid[0]),
                        two ? " times " : "", two ? grid_text(tune->pool, &axes[1], config->grid[1]) : "",
                        all ? " on logarithmic scales" : "");
    for (size_t a = 0; a < config->n_axes && !all; a++)
        if (axes[a].logarithmic)
            text_table_footnote(table, "Values of %s are evenly spaced on a logarithmic scale.", axes[a].name);
}

static void add_notes(struct text_table *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    const struct tune_axis *axes = config->axes;
    text_table_footnote(table,
                        "error (%%): mean ± standard deviation over %zu folds of each of %zu training splits%s, seed "
                        "%llu. The best of many points looks better on these folds than it would on others.",
                        config->n_folds, config->n_splits, config->stratified ? ", stratified" : "",
                        (unsigned long long)tune->run.config->seed);
    text_table_footnote(table,
                        "Chosen: the point of %s with the smallest error; of those with this error, the one with the "
                        "smallest C, then the widest kernel, then the fewest kernel operations, then the first. A "
                        "point where a solver failed or all problems ended at a limit is never chosen.",
                        !config->generations ? "the grid" : config->grid[0] ? "the grid and CMA-ES" : "CMA-ES");
    if (config->n_splits == 1 || config->grid[0])
        text_table_footnote(table,
                            "outer test error (%%): for each split, its own folds choose a point%s in the same way, "
                            "which is trained on the split's training part and tested on its test part, which this "
                            "choice has not seen; mean ± standard deviation over the splits.",
                            config->n_splits > 1 && config->generations ? " of the grid" : "");
    else
        text_table_footnote(table, "There is no outer test error: the points of CMA-ES depend on all splits. Give "
                                   "\"splits\": 1 or a grid.");
    if (config->grid[0])
        note_grid(table, tune);
    if (config->generations)
        text_table_footnote(table, "CMA-ES: %zu generations of %zu points over the same ranges.", config->generations,
                            config->population);
    text_table_footnote(table, "†: %s%s%s within a hundredth of an end of its range.", axes[0].name,
                        config->n_axes > 1 ? " or " : "", config->n_axes > 1 ? axes[1].name : "");
    if (config->printed_table)
        note_comparison(table, tune);
    note_outcomes(table, tune->run.outcomes);
    note_origin(table, &tune->run, config->n_splits);
}

static void fill_surface(struct text_table *table, const struct tune_config *config, const struct search *search)
{
    for (size_t e = 0; e < search->n; e++) {
        const struct evaluation *evaluation = &search->evaluations[e];
        if (evaluation->kind != EVALUATION_GRID)
            continue;
        text_table_cell(table, "%s", search->dataset_name);
        text_table_cell(table, "%s", search->solver_name);
        for (size_t a = 0; a < config->n_axes; a++)
            text_table_number(table, 12, evaluation->value[a]);
        text_table_number(table, 12, evaluation->error.mean);
        text_table_number(table, 12, evaluation->error.sd);
        text_table_cell(table, "%zu", search->folds);
        text_table_cell(table, "%zu", search->folds - evaluation->outcomes[OUTCOME_CONVERGED]);
    }
}

static void write_tables(const struct tune *tune)
{
    static const char *const before[] = {"dataset", "solver"}, *const after[] = {"error_percent", "sd", "folds",
                                                                                 "not_converged"};
    const struct tune_config *config = tune->config;
    struct text_table found = {.pool = tune->pool}, surface = {.pool = tune->pool, .columns = 6 + config->n_axes};
    text_table_title(&found, "%s", tune->run.config->title ? tune->run.config->title : tune->run.config->name);
    fill(&found, tune);
    add_notes(&found, tune);
    text_table_write(&found, TEXT_TABLE_MARKDOWN, tune_path(tune, "tune.md"));
    if (config->grid[0]) {
        text_table_cells(&surface, before, 2);
        for (size_t a = 0; a < config->n_axes; a++)
            text_table_cell(&surface, "%s", config->axes[a].name);
        text_table_cells(&surface, after, 4);
        for (size_t i = 0; i < tune->n_searches; i++)
            fill_surface(&surface, config, &tune->searches[i]);
        text_table_write(&surface, TEXT_TABLE_CSV, tune_path(tune, "surface.csv"));
    }
}

void tune_report_write(const struct tune *tune)
{
    write_evaluations(tune);
    write_found(tune);
    write_tables(tune);
}
