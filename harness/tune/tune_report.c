/*
 * evaluations.jsonl has one line per evaluation in the order of the search; tune.json has the results, tune.md the same
 * next to the printed values, surface.csv the grid point by point. All depend only on the evaluations, so they are the
 * same bytes on any machine and with any number of threads.
 *
 * There is one figure per search. Axes are positions of the searched numbers, such as log2 C and log2 width; each cell
 * of the grid is coloured by its error. Blocks of the .dat: the grid, the points of CMA-ES, its means by generation (x,
 * y), and the marked points, one block each: best of the grid, best of CMA-ES, printed. All but the means have x, y,
 * error, label, 1 if some problem did not converge, and generation. The figure of a search for one number is a line of
 * errors with their standard deviations; its .dat has only the grid (x, error, sd).
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/figure/figure.h"
#include "harness/format/result.h"
#include "harness/records/conditions.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/support/decimal.h"
#include "harness/tune/tune.h"

/* Adds each {"key", number}. */
#define PUT(json, ...) \
    json_put_numbers(json, (const struct json_number[]){__VA_ARGS__}, \
                     sizeof(const struct json_number[]){__VA_ARGS__} / sizeof(struct json_number))

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

/* ---- evaluations.jsonl ---- */

static void write_evaluation(FILE *stream, const struct tune *tune, const struct search *search, size_t e)
{
    const struct evaluation *evaluation = &search->evaluations[e];
    double iterations = 0;
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "config", tune->run.config->name);
    json_put_text(json, "dataset", search->dataset_name);
    json_put_text(json, "solver", search->solver_name);
    json_put_number(json, "evaluation", (double)e);
    json_put_text(json, "by", evaluation_kind_names[evaluation->kind]);
    PUT(json, {"generation", evaluation->generation ? (double)evaluation->generation : (double)NAN},
        {"same_as", evaluation->same ? (double)(evaluation->same - search->evaluations) : (double)NAN});
    put_point(json, tune->config, evaluation->value);
    PUT(json, {"error_percent", evaluation->error.mean}, {"sd", evaluation->error.sd});
    cJSON *folds = json_put_array(json, "folds");
    for (size_t f = 0; f < search->folds; f++) {
        json_add_number(folds, evaluation->folds[f].error_percent);
        iterations += evaluation->folds[f].iterations;
    }
    PUT(json, {"iterations", iterations}, {"kernel_operations", search_operations_at(search, evaluation)});
    put_outcomes(json, evaluation->outcomes);
    char *text = json_line(json);
    fprintf(stream, "%s\n", text);
    free(text);
    cJSON_Delete(json);
}

/* ---- tune.json ---- */

/* The point of the choice, its error, its number, and how many points have that error. */
static void put_choice(cJSON *json, const struct tune_config *config, const struct search *search,
                       const struct choice *choice)
{
    const struct evaluation *point = choice->point;
    put_point(json, config, point->value);
    PUT(json, {"error_percent", point->error.mean}, {"sd", point->error.sd},
        {"evaluation", (double)(point - search->evaluations)});
    if (point->kind != EVALUATION_PRINTED)
        json_put_number(json, "tied", (double)choice->tied);
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
    json_put_text(json, "by", evaluation_kind_names[chosen->kind]);
    put_choice(json, config, search, &search->chosen);
    json_put_number(json, "kernel_operations", search_operations_at(search, chosen));
}

/* The tests on the splits' test parts. */
static void put_tests(cJSON *result, const struct tune *tune, const struct search *search)
{
    const struct split *splits = tune->run.datasets[search->dataset]->splits;
    cJSON *json = json_put_object(result, "outer_test");
    PUT(json, {"error_percent", search->test_error.mean}, {"sd", search->test_error.sd});
    cJSON *list = json_put_array(json, "splits");
    for (size_t s = 0; s < tune->config->n_splits; s++) {
        const struct evaluation *test = &search->tests[s];
        if (!test->folds)
            continue;
        const struct fold_result *tested = &test->folds[s];
        cJSON *item = json_add_object(list);
        json_put_number(item, "split", (double)splits[s].number);
        put_point(item, tune->config, test->value);
        PUT(item, {"n_test", (double)splits[s].n_test}, {"error_percent", tested->error_percent});
        json_put_text(item, "outcome", outcome_name(tested->outcome));
        json_put_number(item, "kernel_operations", tested->kernel_operations);
    }
}

static void put_best(cJSON *result, const struct tune_config *config, const struct search *search,
                     enum evaluation_kind kind)
{
    double value[TUNE_AXES];
    if (!search->best[kind].point)
        return;
    cJSON *json = json_put_object(result, evaluation_kind_names[kind]);
    put_choice(json, config, search, &search->best[kind]);
    if (kind != EVALUATION_CMA_ES)
        return;
    for (unsigned a = 0; a < TUNE_AXES; a++)
        value[a] = tune_axis_value(&config->axes[a], search->path[config->generations * TUNE_AXES + a]);
    put_point(json_put_object(json, "mean"), config, value);
    json_put_number(json, "sigma", round_to_12_digits(search->step));
}

static void put_comparisons(cJSON *result, const struct search *search)
{
    struct search_comparison found;
    cJSON *all = search->has_printed ? json_put_object(result, "against_printed") : NULL;
    for (enum evaluation_kind kind = EVALUATION_GRID; kind <= EVALUATION_CMA_ES; kind++)
        if (all && search_compare(search, kind, &found))
            PUT(json_put_object(all, evaluation_kind_names[kind]), {"log2_C", found.log2[0]},
                {"log2_width", found.log2[1]}, {"log2_distance", found.distance},
                {"error_difference", found.difference.mean}, {"sd", found.difference.sd});
}

static void put_result(cJSON *json, const struct tune *tune, const struct search *search)
{
    const struct dataset *dataset = tune->run.datasets[search->dataset];
    size_t sources[SPLIT_FOLD + 1] = {0}, outcomes[OUTCOMES] = {0};
    json_put_text(json, "dataset", search->dataset_name);
    json_put_text(json, "solver", search->solver_name);
    for (size_t s = 0; s < tune->config->n_splits; s++)
        sources[dataset->splits[s].source]++;
    cJSON *splits = json_put_object(json, "splits");
    for (unsigned s = 0; s <= SPLIT_FOLD; s++)
        if (sources[s])
            json_put_number(splits, split_source_name((enum split_source)s), (double)sources[s]);
    PUT(json, {"n_train", (double)dataset->splits[0].n_train}, {"evaluations", (double)search->n},
        {"repeated", (double)search->repeated});
    search_count_outcomes(search, outcomes);
    put_outcomes(json, outcomes);
    json_put_number(json, "kernel_operations", search_operations(search));
    put_chosen(json, tune->config, search);
    put_tests(json, tune, search);
    for (unsigned k = 0; k < EVALUATION_KINDS; k++)
        put_best(json, tune->config, search, (enum evaluation_kind)k);
    put_comparisons(json, search);
}

static void write_found(const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "config", tune->run.config->name);
    cJSON *objective = json_put_object(json, "objective");
    PUT(objective, {"splits", (double)config->n_splits}, {"folds", (double)config->n_folds});
    json_put_bool(objective, "stratified", config->stratified);
    json_put_number(objective, "seed", (double)tune->run.config->seed);
    for (const struct tune_axis *axis = config->axes; axis < config->axes + config->n_axes; axis++) {
        cJSON *range = json_put_object(json, axis->name);
        PUT(range, {"from", axis->from}, {"to", axis->to});
        if (!axis->logarithmic)
            json_put_text(range, "scale", "linear");
    }
    json_put_text(json, "printed", config->printed_table);
    cJSON *results = json_put_array(json, "results");
    for (size_t i = 0; i < tune->n_searches; i++)
        put_result(json_add_object(results), tune, &tune->searches[i]);
    cJSON *missing = json_put_array(json, "missing");
    for (size_t m = 0; m < tune->run.n_missing; m++)
        json_add_text(missing, tune->run.missing[m].name);
    json_write(tune_path(tune, "tune.json"), json);
    cJSON_Delete(json);
}

/* ---- tune.md ---- */

/* The columns of a point and its error. */
static void point_columns(struct result *table, const struct tune_config *config, const char *what)
{
    for (size_t a = 0; a < config->n_axes; a++)
        result_columns(table, pool_printf(table->pool, "#%s=%s: %s", config->axes[a].name, what, config->axes[a].name));
    result_columns(table, pool_printf(table->pool, "#error=%s: error (%%)", what));
}

static void put_short(struct result *table, double number)
{
    if (isnan(number))
        result_none(table);
    else
        result_shown(table, number, "%.4g", number);
}

/* `mark`: points closer than a hundredth of a range to one of its ends get a dagger. */
static void put_point_values(struct result *table, const struct tune_config *config, const struct evaluation *point,
                             int mark)
{
    int at_edge = 0;
    for (size_t a = 0; a < config->n_axes; a++) {
        const double part = point ? tune_axis_part(&config->axes[a], point->place[a]) : 0.5;
        at_edge |= !(part > 0.01 && part < 0.99);
        put_short(table, point ? point->value[a] : (double)NAN);
    }
    if (!point)
        result_none(table);
    else
        result_shown(table, point->error.mean, "%.2f ± %.2f", point->error.mean, point->error.sd)->mark =
            mark && at_edge ? " †" : NULL;
}

/* The kind of best point to compare with the printed point: CMA-ES if configured, as in the thesis, else the grid. */
static enum evaluation_kind compared_kind(const struct tune_config *config)
{
    return config->generations ? EVALUATION_CMA_ES : EVALUATION_GRID;
}

static void put_comparison(struct result *table, const struct search *search, enum evaluation_kind kind)
{
    struct search_comparison comparison;
    if (!search_compare(search, kind, &comparison)) {
        result_none(table);
        result_none(table);
        return;
    }
    result_text(table, "%+.1f, %+.1f", comparison.log2[0], comparison.log2[1]);
    if (comparison.difference.n)
        result_text(table, "%+.2f ± %.2f", comparison.difference.mean, comparison.difference.sd);
    else
        result_none(table);
}

static void put_table(struct result *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    static const char *const by[EVALUATION_KINDS] = {"grid", "CMA-ES", "printed"};
    const int printed = config->printed_table != NULL;
    const enum evaluation_kind compared = compared_kind(config);
    result_columns(table, "dataset=data set\tsolver");
    point_columns(table, config, "chosen");
    result_columns(table, "#tied=points with this error\t#kernel_operations=kernel operations there\t"
                          "#search=kernel operations of the search\t#outer_test=outer test error (%)");
    for (int k = 0; k < 2 + printed; k++)
        point_columns(table, config, by[k]);
    if (printed)
        result_columns(table, pool_printf(table->pool,
                                          "#log2=log₂ of %s over printed: C, width\t"
                                          "#difference=error of %s minus error at the printed point",
                                          by[compared], by[compared]));
    for (const struct search *search = tune->searches; search < tune->searches + tune->n_searches; search++) {
        const struct choice *chosen = &search->chosen;
        const struct summary *test = &search->test_error;
        result_row(table, "%s\t%s", search->dataset_name, search->solver_name);
        put_point_values(table, config, chosen->point, 1);
        result_number(table, chosen->point ? (double)chosen->tied : (double)NAN);
        put_short(table, chosen->point ? search_operations_at(search, chosen->point) : (double)NAN);
        put_short(table, search_operations(search));
        if (test->n)
            result_shown(table, test->mean, test->n > 1 ? "%.2f ± %.2f" : "%.2f", test->mean, test->sd);
        else
            result_none(table);
        for (int k = 0; k < 2 + printed; k++)
            put_point_values(table, config, search->best[k].point, k != EVALUATION_PRINTED);
        if (printed)
            put_comparison(table, search, compared);
    }
}

static void note_comparison(struct result *table, const struct tune *tune)
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
    result_note(table, "Printed: %s, columns %s and %s; the error there is our measurement on the same folds. In %zu "
                "of %zu searches the difference is at most its standard deviation over the folds; in %zu the printed "
                "point is better.", config->printed_table, config->printed_column[0], config->printed_column[1],
                within, compared, better);
}

static void note_origin(struct result *table, const struct run *run, size_t n_splits)
{
    for (size_t d = 0; d < run->config->n_datasets; d++) {
        const struct dataset *dataset = run->datasets[d];
        size_t drawn = 0;
        for (size_t s = 0; dataset && s < n_splits; s++)
            drawn += dataset->splits[s].source != SPLIT_OFFICIAL;
        if (drawn)
            result_note(table, "%s: %zu of %zu splits are not official.", dataset->name, drawn, n_splits);
    }
    const struct run_info info =
        run_info_of_plan(table->pool, &run->plan, run->options, run->missing, run->n_missing, HULLBENCH_VERSION);
    const struct string_list lines = run_gaps(table->pool, &info, run->config->json);
    gaps_add(&lines, table);
}

/* "Grid: 8 values of C from 0.125 to 2048 times 8 of width from 0.5 to 8192, evenly spaced on logarithmic scales." */
static void note_grid(struct result *table, const struct tune_config *config)
{
    const char *text = "";
    for (size_t a = 0; a < config->n_axes; a++) {
        const struct tune_axis *axis = &config->axes[a];
        text = pool_printf(table->pool, "%s%s%zu %sof %s from %g to %g%s", text, a ? " times " : "", config->grid[a],
                           a ? "" : "values ", axis->name, axis->from, axis->to,
                           axis->logarithmic ? "" : " (on a linear scale)");
    }
    result_note(table, "Grid: %s, evenly spaced on logarithmic scales.", text);
}

static void add_notes(struct result *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    const struct tune_axis *axes = config->axes;
    size_t solved = 0;
    char outcomes[256];
    result_note(table, "error (%%): mean ± standard deviation over %zu folds of each of %zu training splits%s, seed "
                "%llu. The best of many points looks better on these folds than it would on others.", config->n_folds,
                config->n_splits, config->stratified ? ", stratified" : "", (unsigned long long)tune->run.config->seed);
    result_note(table, "Chosen: the point of %s with the smallest error; of those with this error, the one with the "
                "smallest C, then the widest kernel, then the fewest kernel operations, then the first. A point where "
                "a solver failed or all problems ended at a limit is never chosen.",
                !config->generations ? "the grid" : config->grid[0] ? "the grid and CMA-ES" : "CMA-ES");
    if (config->n_splits == 1 || config->grid[0])
        result_note(table, "outer test error (%%): for each split, its own folds choose a point%s in the same way, "
                    "which is trained on the split's training part and tested on its test part, which this choice has "
                    "not seen; mean ± standard deviation over the splits.",
                    config->n_splits > 1 && config->generations ? " of the grid" : "");
    else
        result_note(table, "There is no outer test error: the points of CMA-ES depend on all splits. Give \"splits\": "
                    "1 or a grid.");
    if (config->grid[0])
        note_grid(table, config);
    if (config->generations)
        result_note(table, "CMA-ES: %zu generations of %zu points over the same ranges.", config->generations,
                    config->population);
    result_note(table, "†: %s%s%s within a hundredth of an end of its range.", axes[0].name,
                config->n_axes > 1 ? " or " : "", config->n_axes > 1 ? axes[1].name : "");
    if (config->printed_table)
        note_comparison(table, tune);
    for (unsigned o = 0; o < OUTCOMES; o++)
        solved += tune->run.outcomes[o];
    result_note(table, "%zu problems were solved: %s. A problem that ends at a limit counts with its error at that "
                "point.", solved, outcomes_text(tune->run.outcomes, outcomes, sizeof outcomes));
    note_origin(table, &tune->run, config->n_splits);
}

/* ---- surface.csv ---- */

static void put_surface(struct result *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    result_columns(table, "dataset\tsolver");
    for (size_t a = 0; a < config->n_axes; a++)
        result_columns(table, config->axes[a].name);
    result_columns(table, "error_percent\tsd\tfolds\tnot_converged");
    for (const struct search *search = tune->searches; search < tune->searches + tune->n_searches; search++)
        for (const struct evaluation *at = search->evaluations; at < search->evaluations + search->n; at++) {
            if (at->kind != EVALUATION_GRID)
                continue;
            result_row(table, "%s\t%s", search->dataset_name, search->solver_name);
            for (size_t a = 0; a < config->n_axes; a++)
                result_text(table, "%.12g", at->value[a]);
            if (at->error.n)
                result_row(table, "%.12g\t%.12g", at->error.mean, at->error.sd);
            else
                result_row(table, "\t");
            result_row(table, "%zu\t%zu", search->folds, search->folds - at->outcomes[OUTCOME_CONVERGED]);
        }
}

void tune_report_write(const struct tune *tune)
{
    struct result found = {.pool = tune->pool, .heads = 2}, surface = {.pool = tune->pool};
    struct outfile out;
    outfile_open(&out, tune_path(tune, "evaluations.jsonl"));
    for (size_t i = 0; i < tune->n_searches; i++)
        for (size_t e = 0; e < tune->searches[i].n; e++)
            write_evaluation(out.stream, tune, &tune->searches[i], e);
    outfile_commit(&out);
    write_found(tune);
    result_title(&found, "%s", tune->run.config->title ? tune->run.config->title : tune->run.config->name);
    put_table(&found, tune);
    add_notes(&found, tune);
    result_write_file(&found, RESULT_MARKDOWN, tune_path(tune, "tune.md"));
    if (tune->config->grid[0]) {
        put_surface(&surface, tune);
        result_write_file(&surface, RESULT_CSV, tune_path(tune, "surface.csv"));
    }
}

/* ---- figures ---- */

static int is_unfinished(const struct search *search, const struct evaluation *at)
{
    return at->outcomes[OUTCOME_CONVERGED] < search->folds;
}

/* "# NAME: log2_C log2_width AFTER" */
static void put_head(FILE *dat, const struct tune_config *config, const char *name, const char *after)
{
    fprintf(dat, "# %s:", name);
    for (size_t a = 0; a < config->n_axes; a++)
        fprintf(dat, " %s%s", config->axes[a].logarithmic ? "log2_" : "", config->axes[a].name);
    fprintf(dat, "%s\n", after);
}

/* The evaluations from `first` to before `end` that are of the kind. gnuplot counts only blocks with a row, so an empty
 * block gets a row that draws nothing. */
static void put_points(FILE *dat, const struct search *search, const struct tune_config *config, const char *name,
                       enum evaluation_kind kind, const struct evaluation *first, const struct evaluation *end)
{
    size_t rows = 0;
    put_head(dat, config, name, " error label unfinished generation");
    for (const struct evaluation *at = first; at < end; at++) {
        const double numbers[] = {at->place[0], at->place[1], at->error.mean};
        if (at->kind != kind || (kind == EVALUATION_GRID && at->error.n == 0))
            continue;
        plot_numbers(dat, numbers, 3, "");
        fprintf(dat, " \"%.1f%s\" %d %zu\n", at->error.mean, is_unfinished(search, at) ? "*" : "",
                is_unfinished(search, at), at->generation);
        rows++;
    }
    fputs(rows ? "\n\n" : "NaN NaN NaN \"\" 0 0\n\n\n", dat);
}

static void put_blocks(FILE *dat, const struct search *search, const struct tune_config *config)
{
    static const char *const names[EVALUATION_KINDS] = {"best of the grid", "best of cma-es", "printed"};
    const struct evaluation *all = search->evaluations, *end = all + search->n;
    put_points(dat, search, config, "grid", EVALUATION_GRID, all, end);
    put_points(dat, search, config, "cma-es", EVALUATION_CMA_ES, all, end);
    put_head(dat, config, "means", "");
    for (size_t g = 0; config->generations && g <= config->generations; g++)
        plot_numbers(dat, search->path + g * TUNE_AXES, TUNE_AXES, "\n");
    fputs(config->generations ? "\n\n" : "NaN NaN\n\n\n", dat);
    for (enum evaluation_kind k = 0; k < EVALUATION_KINDS; k++) {
        const struct evaluation *best = search->best[k].point;
        put_points(dat, search, config, names[k], k, best, best ? best + 1 : NULL);
    }
}

static void put_line(FILE *dat, const struct search *search, const struct tune_config *config)
{
    put_head(dat, config, "grid", " error sd");
    for (const struct evaluation *at = search->evaluations; at < search->evaluations + search->n; at++) {
        const double numbers[] = {at->place[0], at->error.mean, at->error.sd};
        if (at->error.n)
            plot_numbers(dat, numbers, 3, "\n");
    }
}

static const char *axis_title(const struct tune_axis *axis)
{
    return tune_axis_is_width(axis) ? "kernel width" : axis->name;
}

/* The cells of the grid extend half a step beyond its ends; the axes include a printed point outside. */
static void put_axes(struct plot_figure *figure, const struct search *search, const struct tune_config *config)
{
    const struct evaluation *printed = search->best[EVALUATION_PRINTED].point;
    for (size_t a = 0; a < config->n_axes; a++) {
        const struct tune_axis *axis = &config->axes[a];
        const double half = config->grid[a] ? 0.5 * (axis->high - axis->low) / (double)(config->grid[a] - 1) : 0;
        const double low = axis->low - half, high = axis->high + half;
        plot_figure_number(figure, a ? "y_low" : "x_low", printed ? fmin(low, printed->place[a]) : low);
        plot_figure_number(figure, a ? "y_high" : "x_high", printed ? fmax(high, printed->place[a]) : high);
        plot_figure_number(figure, a ? "y_half" : "x_half", half);
        plot_figure_text(figure, a ? "y_title" : "x_title", axis_title(axis));
        plot_figure_number(figure, a ? "y_logarithmic" : "x_logarithmic", axis->logarithmic);
    }
}

static void put_words(struct plot_figure *figure, const struct tune_config *config, const struct search *search)
{
    static const char *const names[EVALUATION_KINDS] = {"Best of the grid", "Best of CMA-ES", "Printed"};
    FILE *caption = figure->caption;
    size_t unfinished = 0;
    fprintf(figure->heading, "%s, %s: error (%%) over", search->dataset_name, search->solver_name);
    for (size_t a = 0; a < config->n_axes; a++)
        fprintf(figure->heading, "%s %s%s", a ? " and" : "", tune_axis_is_width(&config->axes[a]) ? "the " : "",
                axis_title(&config->axes[a]));
    fprintf(caption, "Mean error of %zu-fold cross-validation on %zu training splits. ", config->n_folds,
            config->n_splits);
    for (size_t k = 0; k < EVALUATION_KINDS; k++) {
        const struct evaluation *best = search->best[k].point;
        if (!best)
            continue;
        fprintf(caption, "%s: ", names[k]);
        for (size_t a = 0; a < config->n_axes; a++)
            fprintf(caption, "%s = %.4g, ", config->axes[a].name, best->value[a]);
        fprintf(caption, "%.2f %%. ", best->error.mean);
    }
    for (size_t e = 0; e < search->n; e++)
        unfinished += search->evaluations[e].kind == EVALUATION_GRID && is_unfinished(search, &search->evaluations[e]);
    if (unfinished)
        fprintf(caption, "*: at least one problem ended before the stopping rule was met. ");
    if (config->generations)
        fprintf(caption,
                "Circles: the points of CMA-ES, coloured by their error; line: its mean in each generation.");
}

void tune_figures_write(struct tune *tune)
{
    const struct tune_config *config = tune->config;
    const char *folder = tune_path(tune, "plots");
    folder_make(folder);
    for (const struct search *search = tune->searches; search < tune->searches + tune->n_searches; search++) {
        struct plot_figure figure;
        plot_figure_open(&figure, config->n_axes == 1 ? "tune-line" : "tune", "tune", search->dataset_name,
                         search->solver_name);
        put_words(&figure, config, search);
        put_axes(&figure, search, config);
        if (config->n_axes == 1)
            put_line(figure.dat, search, config);
        else {
            plot_figure_number(&figure, "has_grid", search->best[EVALUATION_GRID].point != NULL);
            plot_figure_number(&figure, "has_cma_es", search->best[EVALUATION_CMA_ES].point != NULL);
            plot_figure_number(&figure, "has_printed", search->best[EVALUATION_PRINTED].point != NULL);
            put_blocks(figure.dat, search, config);
        }
        figure_sink_put(&tune->figures, &figure, folder);
    }
}

void tune_figures_complete(struct tune *tune)
{
    const char *folder = tune_path(tune, "plots");
    for (size_t i = 0; i < tune->n_searches; i++) {
        struct plot_figure figure; /* used for its name only */
        int is_there = 1;
        plot_figure_open(&figure, "tune", "tune", tune->searches[i].dataset_name, tune->searches[i].solver_name);
        for (size_t k = 0; k < PLOT_PICTURES; k++)
            is_there &= access(pool_printf(tune->pool, "%s/%s%s", folder, figure.name, plot_pictures[k]), F_OK) == 0;
        struct error cause;
        if (!is_there && plot_render(folder, figure.name, NULL, &cause) != STATUS_OK && !tune->figures.cause.status)
            tune->figures.cause = cause;
        pool_free(figure.pool);
    }
}
