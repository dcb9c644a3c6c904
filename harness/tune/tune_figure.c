/*
 * One figure a search. Axes are log2 C and log2 width; a cell of the grid is coloured by its error. Blocks of the .dat:
 * the grid (x, y, error, label, 1 where some problem did not converge), the points of CMA-ES (x, y, error, generation),
 * its means generation by generation (x, y), and the marked points (x, y, error), a block each: best of the grid, best
 * of CMA-ES, printed.
 */
#include "harness/tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/figure/range.h"
#include "harness/figure/figure.h"
#include "harness/figure/render.h"

/* gnuplot counts only blocks with a row in them, so one that is empty gets a row that draws nothing. */
static void end_block(FILE *dat, size_t rows, const char *empty_row)
{
    fprintf(dat, "%s\n\n", rows ? "" : empty_row);
}

static void put_grid(FILE *dat, const struct search *search)
{
    size_t rows = 0;
    fputs("# grid: log2_C log2_width error label unfinished\n", dat);
    for (size_t e = 0; e < search->n; e++) {
        const struct evaluation *at = &search->evaluations[e];
        if (at->kind != EVALUATION_GRID || at->error.n == 0)
            continue;
        int unfinished = at->outcomes[OUTCOME_CONVERGED] < search->folds;
        const double numbers[] = {at->log2[TUNE_C], at->log2[TUNE_WIDTH], at->error.mean};
        plot_numbers(dat, numbers, 3, "");
        fprintf(dat, " \"%.1f%s\" %d\n", at->error.mean, unfinished ? "*" : "", unfinished);
        rows++;
    }
    end_block(dat, rows, "NaN NaN NaN \"\" 0\n");
}

static void put_cma_es(FILE *dat, const struct search *search, const struct tune_config *config)
{
    size_t rows = 0;
    fputs("# cma-es: log2_C log2_width error generation\n", dat);
    for (size_t e = 0; e < search->n; e++) {
        const struct evaluation *at = &search->evaluations[e];
        const double numbers[] = {at->log2[TUNE_C], at->log2[TUNE_WIDTH], at->error.mean, (double)at->generation};
        if (at->kind != EVALUATION_CMA_ES)
            continue;
        plot_numbers(dat, numbers, 4, "\n");
        rows++;
    }
    end_block(dat, rows, "NaN NaN NaN NaN\n");
    fputs("# means: log2_C log2_width\n", dat);
    for (size_t g = 0; config->generations && g <= config->generations; g++)
        plot_numbers(dat, search->path + g * TUNE_AXES, TUNE_AXES, "\n");
    end_block(dat, config->generations, "NaN NaN\n");
}

static void put_mark(FILE *dat, const struct evaluation *at, const char *name)
{
    fprintf(dat, "# %s: log2_C log2_width error\n", name);
    if (at) {
        const double numbers[] = {at->log2[TUNE_C], at->log2[TUNE_WIDTH], at->error.mean};
        plot_numbers(dat, numbers, 3, "\n");
    }
    end_block(dat, at != NULL, "NaN NaN NaN\n");
}

static void widen(double *low, double *high, double value)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* Cells of the grid reach half a step beyond its ends; a printed point outside is taken in. */
static void put_axes(struct plot_figure *figure, const struct search *search, const struct tune_config *config)
{
    static const char *const lows[] = {"x_low", "y_low"}, *const highs[] = {"x_high", "y_high"},
                             *const halves[] = {"x_half", "y_half"};
    for (unsigned a = 0; a < TUNE_AXES; a++) {
        double low = config->range[a].low, high = config->range[a].high;
        double half = config->grid[a] ? 0.5 * (high - low) / (double)(config->grid[a] - 1) : 0;
        low -= half;
        high += half;
        if (search->best[EVALUATION_PRINTED])
            widen(&low, &high, search->best[EVALUATION_PRINTED]->log2[a]);
        plot_figure_number(figure, lows[a], low);
        plot_figure_number(figure, highs[a], high);
        plot_figure_number(figure, halves[a], half);
    }
}

/* By the grid where there is one: CMA-ES gathers about its best and would leave no colour for the rest. */
static void put_colours(struct plot_figure *figure, const struct search *search, int has_grid)
{
    double *errors = xcalloc(search->n, sizeof *errors);
    size_t n = 0;
    for (size_t e = 0; e < search->n; e++)
        if (search->evaluations[e].error.n && (!has_grid || search->evaluations[e].kind == EVALUATION_GRID))
            errors[n++] = search->evaluations[e].error.mean;
    struct plot_colours colours = plot_colours_of(errors, n);
    free(errors);
    plot_figure_number(figure, "low", colours.low);
    plot_figure_number(figure, "high", colours.high);
    if (colours.cut)
        fprintf(figure->caption, " The last colour stands for %.1f %% and more.", colours.high);
}

static void caption_point(FILE *caption, const struct evaluation *at, const char *name)
{
    if (at)
        fprintf(caption, "%s: C = %.4g, width = %.4g, %.2f %%. ", name, at->value[TUNE_C], at->value[TUNE_WIDTH],
                at->error.mean);
}

static void put_words(struct plot_figure *figure, const struct tune *tune, const struct search *search)
{
    const struct tune_config *config = tune->config;
    FILE *caption = figure->caption;
    size_t unfinished = 0;
    fprintf(figure->heading, "%s, %s: error (%%) over C and the kernel width", search->dataset_name,
            search->solver_name);
    fprintf(caption, "Mean error of %zu-fold cross-validation on %zu training splits. ", config->n_folds,
            config->n_splits);
    caption_point(caption, search->best[EVALUATION_GRID], "Best of the grid");
    caption_point(caption, search->best[EVALUATION_CMA_ES], "Best of CMA-ES");
    caption_point(caption, search->best[EVALUATION_PRINTED], "Printed");
    for (size_t e = 0; e < search->n; e++)
        unfinished += search->evaluations[e].kind == EVALUATION_GRID &&
                      search->evaluations[e].outcomes[OUTCOME_CONVERGED] < search->folds;
    if (unfinished)
        fprintf(caption, "*: at least one problem ended without meeting the stopping rule. ");
    if (config->generations)
        fprintf(caption,
                "Circles: the points of CMA-ES, filled with their error; line: its mean, generation by generation.");
}

static void render(struct tune *tune, const char *folder, const char *name)
{
    struct error cause = {0};
    if (!tune->figures_failed && plot_render(folder, name, NULL, 0, &cause) != STATUS_OK)
        tune->figures_failed = xstrdup(cause.message);
}

static enum status write_figure(struct tune *tune, const struct search *search, const char *folder, struct error *error)
{
    struct plot_figure figure;
    plot_figure_open(&figure, "tune", "tune", search->dataset_name, search->solver_name);
    FILE *dat = figure.dat;
    figure.caption_columns = 115;
    put_words(&figure, tune, search);
    put_axes(&figure, search, tune->config);
    put_colours(&figure, search, tune->config->grid[TUNE_C] > 0);
    put_grid(dat, search);
    put_cma_es(dat, search, tune->config);
    put_mark(dat, search->best[EVALUATION_GRID], "best of the grid");
    put_mark(dat, search->best[EVALUATION_CMA_ES], "best of cma-es");
    put_mark(dat, search->best[EVALUATION_PRINTED], "printed");
    enum status status = plot_figure_write(&figure, folder, &figure_style_screen, error);
    if (status == STATUS_OK && !tune->no_render)
        render(tune, folder, figure.name);
    plot_figure_free(&figure);
    return status;
}

enum status tune_figures_write(struct tune *tune, struct error *error)
{
    char *folder = tune_path(tune, "plots");
    enum status status = folder_make(folder, error);
    for (size_t i = 0; i < tune->n_searches && status == STATUS_OK; i++)
        status = write_figure(tune, &tune->searches[i], folder, error);
    free(folder);
    return status;
}

static int pictures_are_there(const char *folder, const char *name)
{
    int there = 1;
    for (size_t k = 0; k < PLOT_PICTURES; k++) {
        char *path = xasprintf("%s/%s%s", folder, name, plot_pictures[k]);
        there &= access(path, F_OK) == 0;
        free(path);
    }
    return there;
}

void tune_figures_complete(struct tune *tune)
{
    char *folder = tune_path(tune, "plots");
    for (size_t i = 0; i < tune->n_searches; i++) {
        const struct search *search = &tune->searches[i];
        struct plot_figure figure; /* for its name */
        plot_figure_open(&figure, "tune", "tune", search->dataset_name, search->solver_name);
        if (!pictures_are_there(folder, figure.name))
            render(tune, folder, figure.name);
        plot_figure_free(&figure);
    }
    free(folder);
}
