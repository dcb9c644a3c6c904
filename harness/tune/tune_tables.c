/* The tables of a search: tune.md, what was found beside what is printed, and surface.csv, the grid point by point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/format/text_table.h"
#include "harness/tune/tune_report.h"

/* Nearer than a hundredth of the range to one of its ends. */
static int at_edge(const struct tune_config *config, const struct evaluation *evaluation)
{
    int edge = 0;
    for (unsigned a = 0; a < TUNE_AXES; a++) {
        double part = (evaluation->log2[a] - config->range[a].low) / (config->range[a].high - config->range[a].low);
        edge |= !(part > 0.01 && part < 0.99);
    }
    return edge;
}

/* C, width and error; empty where there is no such point. `mark`: points at the edge get a dagger. */
static void point_cells(struct text_table *grid, const struct tune_config *config, const struct evaluation *point, int mark)
{
    if (!point) {
        for (int i = 0; i < 3; i++)
            text_table_cell(grid, "–");
        return;
    }
    text_table_cell(grid, "%.4g", point->value[TUNE_C]);
    text_table_cell(grid, "%.4g", point->value[TUNE_WIDTH]);
    text_table_cell(grid, "%.2f ± %.2f%s", point->error.mean, point->error.sd, mark && at_edge(config, point) ? " †" : "");
}

static void comparison_cells(struct text_table *grid, const struct search *search, enum evaluation_kind kind)
{
    struct tune_comparison comparison;
    if (!tune_compare(search, kind, &comparison)) {
        text_table_cell(grid, "–");
        text_table_cell(grid, "–");
        return;
    }
    text_table_cell(grid, "%+.1f, %+.1f", comparison.log2[TUNE_C], comparison.log2[TUNE_WIDTH]);
    if (comparison.difference.n)
        text_table_cell(grid, "%+.2f ± %.2f", comparison.difference.mean, comparison.difference.sd);
    else
        text_table_cell(grid, "–");
}

/* What is set beside the printed point: CMA-ES where it was asked for, as in the thesis, else the grid. */
static enum evaluation_kind chosen(const struct tune_config *config)
{
    return config->generations ? EVALUATION_CMA_ES : EVALUATION_GRID;
}

static void fill(struct text_table *grid, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    static const char *const head[] = {"data set", "solver"}, *const point[] = {"C", "width", "error (%)"};
    static const char *const by[EVALUATION_KINDS] = {"printed", "grid", "CMA-ES"};
    static const enum evaluation_kind order[] = {EVALUATION_GRID, EVALUATION_CMA_ES, EVALUATION_PRINTED};
    int printed = config->printed_table != NULL;
    grid->columns = 8 + (printed ? 5 : 0);
    for (size_t i = 0; i < 2; i++)
        text_table_cell(grid, "%s", head[i]);
    for (int k = 0; k < 2 + printed; k++)
        for (int i = 0; i < 3; i++)
            text_table_cell(grid, "%s: %s", by[order[k]], point[i]);
    if (printed) {
        text_table_cell(grid, "log₂ of %s over printed: C, width", by[chosen(config)]);
        text_table_cell(grid, "error of %s less that at the printed", by[chosen(config)]);
    }
    for (size_t i = 0; i < tune->n_searches; i++) {
        const struct search *search = &tune->searches[i];
        text_table_cell(grid, "%s", search->dataset_name);
        text_table_cell(grid, "%s", search->solver_name);
        for (int k = 0; k < 2 + printed; k++)
            point_cells(grid, config, search->best[order[k]], order[k] != EVALUATION_PRINTED);
        if (printed)
            comparison_cells(grid, search, chosen(config));
    }
}

static void note_comparison(struct text_table *grid, const struct tune *tune)
{
    size_t compared = 0, within = 0, better = 0;
    for (size_t i = 0; i < tune->n_searches; i++) {
        struct tune_comparison comparison;
        if (!tune_compare(&tune->searches[i], chosen(tune->config), &comparison) || !comparison.difference.n)
            continue;
        compared++;
        within += fabs(comparison.difference.mean) <= comparison.difference.sd;
        better += comparison.difference.mean > 0;
    }
    if (tune->config->printed_table)
        text_table_footnote(grid,
                  "Printed: %s, columns %s and %s; the error there is measured here, on the same folds. In %zu of %zu "
                  "searches the difference is at most its standard deviation over the folds; in %zu the printed point "
                  "is the better one.",
                  tune->config->printed_table, tune->config->printed_column[TUNE_C],
                  tune->config->printed_column[TUNE_WIDTH], within, compared, better);
}

static void note_outcomes(struct text_table *grid, const struct tune *tune)
{
    size_t all = 0;
    char text[256] = "";
    for (unsigned o = 0, used = 0; o < OUTCOMES && used < sizeof text; o++) {
        all += tune->run.outcomes[o];
        if (tune->run.outcomes[o])
            used += (unsigned)snprintf(text + used, sizeof text - used, "%s%zu %s", used ? ", " : "",
                                       tune->run.outcomes[o], outcome_name((enum outcome)o));
    }
    text_table_footnote(grid, "%zu problems were solved: %s. A problem that ends at a limit counts with the error it has then.",
              all, text);
}

static void note_origin(struct text_table *grid, const struct tune *tune)
{
    for (size_t d = 0; d < tune->run.config->n_datasets; d++) {
        const struct dataset *dataset = tune->run.datasets[d];
        size_t drawn = 0;
        for (size_t s = 0; dataset && s < tune->config->n_splits; s++)
            drawn += dataset->splits[s].source != SPLIT_OFFICIAL;
        if (drawn)
            text_table_footnote(grid, "%s: %zu of %zu splits are not the official ones.", dataset->name, drawn,
                      tune->config->n_splits);
    }
    for (size_t m = 0; m < tune->run.n_missing; m++)
        text_table_footnote(grid, "%s: the data are missing.", tune->run.missing[m].name);
}

static void add_notes(struct text_table *grid, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    text_table_footnote(grid,
              "error (%%): mean ± standard deviation over %zu folds of each of %zu training splits%s, seed %llu. The "
              "best of many points on the same folds is better there than it would be on others.",
              config->n_folds, config->n_splits, config->stratified ? ", stratified" : "",
              (unsigned long long)config->config->seed);
    if (config->grid[TUNE_C])
        text_table_footnote(grid,
                  "Grid: %zu values of C from %g to %g times %zu widths from %g to %g, evenly spaced in their "
                  "logarithms.",
                  config->grid[TUNE_C], config->range[TUNE_C].from, config->range[TUNE_C].to,
                  config->grid[TUNE_WIDTH], config->range[TUNE_WIDTH].from, config->range[TUNE_WIDTH].to);
    if (config->generations)
        text_table_footnote(grid, "CMA-ES: %zu generations of %zu points over the same ranges.", config->generations,
                  config->population);
    text_table_footnote(grid, "†: C or width within a hundredth of an end of its range.");
    note_comparison(grid, tune);
    note_outcomes(grid, tune);
    note_origin(grid, tune);
}

static enum status write_grid(const struct tune *tune, const struct text_table *grid, enum text_table_form form, const char *name,
                              struct error *error)
{
    char *path = path_join(tune->options->out, name);
    enum status status =
        path ? text_table_write(grid, form, path, error) : error_set(error, STATUS_NO_MEMORY, "out of memory");
    free(path);
    return status;
}

static void number_cell(struct text_table *grid, double number)
{
    if (isnan(number))
        text_table_cell(grid, "%s", "");
    else
        text_table_cell(grid, "%.12g", number);
}

static void fill_surface(struct text_table *grid, const struct tune *tune)
{
    static const char *const head[] = {"dataset", "solver", "C", "width", "error_percent", "sd", "folds",
                                       "not_converged"};
    grid->columns = sizeof head / sizeof *head;
    for (size_t i = 0; i < grid->columns; i++)
        text_table_cell(grid, "%s", head[i]);
    for (size_t i = 0; i < tune->n_searches; i++)
        for (size_t e = 0; e < tune->searches[i].n; e++) {
            const struct evaluation *evaluation = &tune->searches[i].evaluations[e];
            if (evaluation->kind != EVALUATION_GRID)
                continue;
            text_table_cell(grid, "%s", tune->searches[i].dataset_name);
            text_table_cell(grid, "%s", tune->searches[i].solver_name);
            text_table_cell(grid, "%.12g", evaluation->value[TUNE_C]);
            text_table_cell(grid, "%.12g", evaluation->value[TUNE_WIDTH]);
            number_cell(grid, evaluation->error.mean);
            number_cell(grid, evaluation->error.sd);
            text_table_cell(grid, "%zu", tune->searches[i].folds);
            text_table_cell(grid, "%zu", tune->searches[i].folds - evaluation->outcomes[OUTCOME_CONVERGED]);
        }
}

enum status tune_tables_write(const struct tune *tune, struct error *error)
{
    struct text_table found = {0}, surface = {0};
    text_table_title(&found, "%s", tune->run.config->title ? tune->run.config->title : tune->run.config->name);
    fill(&found, tune);
    add_notes(&found, tune);
    enum status status = write_grid(tune, &found, TEXT_TABLE_MARKDOWN, "tune.md", error);
    if (status == STATUS_OK && tune->config->grid[TUNE_C]) {
        fill_surface(&surface, tune);
        status = write_grid(tune, &surface, TEXT_TABLE_CSV, "surface.csv", error);
    }
    text_table_free(&found);
    text_table_free(&surface);
    return status;
}
