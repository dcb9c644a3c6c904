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

static void empty_cells(struct text_table *table, int count)
{
    while (count-- > 0)
        text_table_cell(table, "–");
}

/* C, width and error. `mark`: points at the edge get a dagger. */
static void point_cells(struct text_table *table, const struct tune_config *config, const struct evaluation *point,
                        int mark)
{
    if (!point) {
        empty_cells(table, 3);
        return;
    }
    text_table_cell(table, "%.4g", point->value[TUNE_C]);
    text_table_cell(table, "%.4g", point->value[TUNE_WIDTH]);
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
    text_table_cell(table, "%+.1f, %+.1f", comparison.log2[TUNE_C], comparison.log2[TUNE_WIDTH]);
    if (comparison.difference.n)
        text_table_cell(table, "%+.2f ± %.2f", comparison.difference.mean, comparison.difference.sd);
    else
        empty_cells(table, 1);
}

/* What is set beside the printed point: CMA-ES where it was asked for, as in the thesis, else the grid. */
static enum evaluation_kind chosen(const struct tune_config *config)
{
    return config->generations ? EVALUATION_CMA_ES : EVALUATION_GRID;
}

static void fill(struct text_table *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    static const char *const by[EVALUATION_KINDS] = {"printed", "grid", "CMA-ES"};
    static const enum evaluation_kind order[] = {EVALUATION_GRID, EVALUATION_CMA_ES, EVALUATION_PRINTED};
    int printed = config->printed_table != NULL;
    table->columns = 8 + (printed ? 5 : 0);
    text_table_cell(table, "data set");
    text_table_cell(table, "solver");
    for (int k = 0; k < 2 + printed; k++) {
        text_table_cell(table, "%s: C", by[order[k]]);
        text_table_cell(table, "%s: width", by[order[k]]);
        text_table_cell(table, "%s: error (%%)", by[order[k]]);
    }
    if (printed) {
        text_table_cell(table, "log₂ of %s over printed: C, width", by[chosen(config)]);
        text_table_cell(table, "error of %s less that at the printed", by[chosen(config)]);
    }
    for (size_t i = 0; i < tune->n_searches; i++) {
        const struct search *search = &tune->searches[i];
        text_table_cell(table, "%s", search->dataset_name);
        text_table_cell(table, "%s", search->solver_name);
        for (int k = 0; k < 2 + printed; k++)
            point_cells(table, config, search->best[order[k]], order[k] != EVALUATION_PRINTED);
        if (printed)
            comparison_cells(table, search, chosen(config));
    }
}

static void note_comparison(struct text_table *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    size_t compared = 0, within = 0, better = 0;
    for (size_t i = 0; i < tune->n_searches; i++) {
        struct search_comparison comparison;
        if (!search_compare(&tune->searches[i], chosen(config), &comparison) || !comparison.difference.n)
            continue;
        compared++;
        within += fabs(comparison.difference.mean) <= comparison.difference.sd;
        better += comparison.difference.mean > 0;
    }
    text_table_footnote(table,
                        "Printed: %s, columns %s and %s; the error there is measured here, on the same folds. In %zu "
                        "of %zu searches the difference is at most its standard deviation over the folds; in %zu the "
                        "printed point is the better one.",
                        config->printed_table, config->printed_column[TUNE_C], config->printed_column[TUNE_WIDTH],
                        within, compared, better);
}

static void note_outcomes(struct text_table *table, const size_t outcomes[OUTCOMES])
{
    size_t all = 0;
    char text[256] = "";
    for (unsigned o = 0, used = 0; o < OUTCOMES && used < sizeof text; o++) {
        all += outcomes[o];
        if (outcomes[o])
            used += (unsigned)snprintf(text + used, sizeof text - used, "%s%zu %s", used ? ", " : "", outcomes[o],
                                       outcome_name((enum outcome)o));
    }
    text_table_footnote(table,
                        "%zu problems were solved: %s. A problem that ends at a limit counts with the error it has "
                        "then.",
                        all, text);
}

static void note_origin(struct text_table *table, const struct run *run, size_t n_splits)
{
    for (size_t d = 0; d < run->config->n_datasets; d++) {
        const struct dataset *dataset = run->datasets[d];
        size_t drawn = 0;
        for (size_t s = 0; dataset && s < n_splits; s++)
            drawn += dataset->splits[s].source != SPLIT_OFFICIAL;
        if (drawn)
            text_table_footnote(table, "%s: %zu of %zu splits are not the official ones.", dataset->name, drawn,
                                n_splits);
    }
    for (size_t m = 0; m < run->n_missing; m++)
        text_table_footnote(table, "%s: the data are missing.", run->missing[m].name);
}

static void add_notes(struct text_table *table, const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    const struct tune_range *c = &config->range[TUNE_C], *width = &config->range[TUNE_WIDTH];
    text_table_footnote(table,
                        "error (%%): mean ± standard deviation over %zu folds of each of %zu training splits%s, seed "
                        "%llu. The best of many points on the same folds is better there than it would be on others.",
                        config->n_folds, config->n_splits, config->stratified ? ", stratified" : "",
                        (unsigned long long)tune->run.config->seed);
    if (config->grid[TUNE_C])
        text_table_footnote(table,
                            "Grid: %zu values of C from %g to %g times %zu widths from %g to %g, evenly spaced in "
                            "their logarithms.",
                            config->grid[TUNE_C], c->from, c->to, config->grid[TUNE_WIDTH], width->from, width->to);
    if (config->generations)
        text_table_footnote(table, "CMA-ES: %zu generations of %zu points over the same ranges.", config->generations,
                            config->population);
    text_table_footnote(table, "†: C or width within a hundredth of an end of its range.");
    if (config->printed_table)
        note_comparison(table, tune);
    note_outcomes(table, tune->run.outcomes);
    note_origin(table, &tune->run, config->n_splits);
}

static enum status write_table(const struct tune *tune, const struct text_table *table, enum text_table_form form,
                               const char *name, struct error *error)
{
    char *path = tune_path(tune, name);
    enum status status = text_table_write(table, form, path, error);
    free(path);
    return status;
}

static void number_cell(struct text_table *table, double number)
{
    if (isnan(number))
        text_table_cell(table, "%s", "");
    else
        text_table_cell(table, "%.12g", number);
}

static void fill_surface(struct text_table *table, const struct search *search)
{
    for (size_t e = 0; e < search->n; e++) {
        const struct evaluation *evaluation = &search->evaluations[e];
        if (evaluation->kind != EVALUATION_GRID)
            continue;
        text_table_cell(table, "%s", search->dataset_name);
        text_table_cell(table, "%s", search->solver_name);
        number_cell(table, evaluation->value[TUNE_C]);
        number_cell(table, evaluation->value[TUNE_WIDTH]);
        number_cell(table, evaluation->error.mean);
        number_cell(table, evaluation->error.sd);
        text_table_cell(table, "%zu", search->folds);
        text_table_cell(table, "%zu", search->folds - evaluation->outcomes[OUTCOME_CONVERGED]);
    }
}

enum status tune_tables_write(const struct tune *tune, struct error *error)
{
    static const char *const head[] = {"dataset", "solver", "C", "width", "error_percent", "sd", "folds",
                                       "not_converged"};
    struct text_table found = {0}, surface = {.columns = sizeof head / sizeof *head};
    text_table_title(&found, "%s", tune->run.config->title ? tune->run.config->title : tune->run.config->name);
    fill(&found, tune);
    add_notes(&found, tune);
    enum status status = write_table(tune, &found, TEXT_TABLE_MARKDOWN, "tune.md", error);
    if (status == STATUS_OK && tune->config->grid[TUNE_C]) {
        for (size_t i = 0; i < surface.columns; i++)
            text_table_cell(&surface, "%s", head[i]);
        for (size_t i = 0; i < tune->n_searches; i++)
            fill_surface(&surface, &tune->searches[i]);
        status = write_table(tune, &surface, TEXT_TABLE_CSV, "surface.csv", error);
    }
    text_table_free(&found);
    text_table_free(&surface);
    return status;
}
