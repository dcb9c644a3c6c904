/*
 * One figure per search. Axes are positions of the searched numbers, such as log2 C and log2 width; each cell of the
 * grid is coloured by its error. Blocks of the .dat: the grid (x, y, error, label, 1 if some problem did not converge),
 * the points of CMA-ES (x, y, error, generation), its means by generation (x, y), and the marked points (x, y, error),
 * one block each: best of the grid, best of CMA-ES, printed. The figure of a search for one number is a line of errors
 * with their standard deviations; its .dat has only the grid (x, error, sd).
 */
#include "harness/tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/figure/range.h"
#include "harness/figure/figure.h"
#include "harness/figure/render.h"

/* gnuplot counts only blocks with a row, so an empty block gets a row that draws nothing. */
static void end_block(FILE *dat, size_t rows, const char *empty_row)
{
    fprintf(dat, "%s\n\n", rows ? "" : empty_row);
}

/* "# NAME: log2_C log2_width AFTER" */
static void put_head(FILE *dat, const struct tune_config *config, const char *name, const char *after)
{
    fprintf(dat, "# %s:", name);
    for (size_t a = 0; a < config->n_axes; a++)
        fprintf(dat, " %s%s", config->axes[a].logarithmic ? "log2_" : "", config->axes[a].name);
    fprintf(dat, "%s\n", after);
}

static void put_grid(FILE *dat, const struct search *search, const struct tune_config *config)
{
    size_t rows = 0;
    put_head(dat, config, "grid", " error label unfinished");
    for (size_t e = 0; e < search->n; e++) {
        const struct evaluation *at = &search->evaluations[e];
        if (at->kind != EVALUATION_GRID || at->error.n == 0)
            continue;
        int unfinished = at->outcomes[OUTCOME_CONVERGED] < search->folds;
        const double numbers[] = {at->place[0], at->place[1], at->error.mean};
        plot_numbers(dat, numbers, 3, "");
        fprintf(dat, " \"%.1f%s\" %d\n", at->error.mean, unfinished ? "*" : "", unfinished);
        rows++;
    }
    end_block(dat, rows, "NaN NaN NaN \"\" 0\n");
}

static void put_line(FILE *dat, const struct search *search, const struct tune_config *config)
{
    put_head(dat, config, "grid", " error sd");
    for (size_t e = 0; e < search->n; e++) {
        const struct evaluation *at = &search->evaluations[e];
        const double numbers[] = {at->place[0], at->error.mean, at->error.sd};
        if (at->error.n)
            plot_numbers(dat, numbers, 3, "\n");
    }
}

static void put_cma_es(FILE *dat, const struct search *search, const struct tune_config *config)
{
    size_t rows = 0;
    put_head(dat, config, "cma-es", " error generation");
    for (size_t e = 0; e < search->n; e++) {
        const struct evaluation *at = &search->evaluations[e];
        const double numbers[] = {at->place[0], at->place[1], at->error.mean, (double)at->generation};
        if (at->kind != EVALUATION_CMA_ES)
            continue;
        plot_numbers(dat, numbers, 4, "\n");
        rows++;
    }
    end_block(dat, rows, "NaN NaN NaN NaN\n");
    put_head(dat, config, "means", "");
    for (size_t g = 0; config->generations && g <= config->generations; g++)
        plot_numbers(dat, search->path + g * TUNE_AXES, TUNE_AXES, "\n");
    end_block(dat, config->generations, "NaN NaN\n");
}

static void put_mark(FILE *dat, const struct tune_config *config, const struct evaluation *at, const char *name)
{
    put_head(dat, config, name, " error");
    if (at) {
        const double numbers[] = {at->place[0], at->place[1], at->error.mean};
        plot_numbers(dat, numbers, 3, "\n");
    }
    end_block(dat, at != NULL, "NaN NaN NaN\n");
}

static void widen(double *low, double *high, double value)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

static const char *axis_title(const struct tune_axis *axis)
{
    return tune_axis_is_width(axis) ? "kernel width" : axis->name;
}

/* The cells of the grid extend half a step beyond its ends; the axes include a printed point outside. */
static void put_axes(struct plot_figure *figure, const struct search *search, const struct tune_config *config)
{
    static const char *const lows[] = {"x_low", "y_low"}, *const highs[] = {"x_high", "y_high"},
                             *const halves[] = {"x_half", "y_half"},
                             *const titles[] = {"x_title", "y_title"},
                             *const scales[] = {"x_logarithmic", "y_logarithmic"};
    for (size_t a = 0; a < config->n_axes; a++) {
        double low = config->axes[a].low, high = config->axes[a].high;
        double half = config->grid[a] ? 0.5 * (high - low) / (double)(config->grid[a] - 1) : 0;
        low -= half;
        high += half;
        if (search->best[EVALUATION_PRINTED])
            widen(&low, &high, search->best[EVALUATION_PRINTED]->place[a]);
        plot_figure_number(figure, lows[a], low);
        plot_figure_number(figure, highs[a], high);
        plot_figure_number(figure, halves[a], half);
        plot_figure_text(figure, titles[a], axis_title(&config->axes[a]));
        plot_figure_number(figure, scales[a], config->axes[a].logarithmic);
    }
}

/* Colours follow the grid if there is one: CMA-ES clusters around its best point and leaves no colours for the rest. */
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
        fprintf(figure->caption, " The last colour means %.1f %% or more.", colours.high);
}

static void caption_point(FILE *caption, const struct tune_config *config, const struct evaluation *at,
                          const char *name)
{
    if (!at)
        return;
    fprintf(caption, "%s: ", name);
    for (size_t a = 0; a < config->n_axes; a++)
        fprintf(caption, "%s = %.4g, ", config->axes[a].name, at->value[a]);
    fprintf(caption, "%.2f %%. ", at->error.mean);
}

static void put_words(struct plot_figure *figure, const struct tune *tune, const struct search *search)
{
    const struct tune_config *config = tune->config;
    FILE *caption = figure->caption;
    size_t unfinished = 0;
    fprintf(figure->heading, "%s, %s: error (%%) over", search->dataset_name, search->solver_name);
    for (size_t a = 0; a < config->n_axes; a++)
        fprintf(figure->heading, "%s %s%s", a ? " and" : "",
                tune_axis_is_width(&config->axes[a]) ? "the " : "", axis_title(&config->axes[a]));
    fprintf(caption, "Mean error of %zu-fold cross-validation on %zu training splits. ", config->n_folds,
            config->n_splits);
    caption_point(caption, config, search->best[EVALUATION_GRID], "Best of the grid");
    caption_point(caption, config, search->best[EVALUATION_CMA_ES], "Best of CMA-ES");
    caption_point(caption, config, search->best[EVALUATION_PRINTED], "Printed");
    for (size_t e = 0; e < search->n; e++)
        unfinished += search->evaluations[e].kind == EVALUATION_GRID &&
                      search->evaluations[e].outcomes[OUTCOME_CONVERGED] < search->folds;
    if (unfinished)
        fprintf(caption, "*: at least one problem ended before the stopping rule was met. ");
    if (config->generations)
        fprintf(caption,
                "Circles: the points of CMA-ES, coloured by their error; line: its mean in each generation.");
}

static void render(struct tune *tune, const char *folder, const char *name)
{
    struct error cause = {0};
    if (!tune->figures_failed && plot_render(folder, name, NULL, &cause) != STATUS_OK)
        tune->figures_failed = pool_strdup(tune->pool, cause.message);
}

static void write_figure(struct tune *tune, const struct search *search, const char *folder)
{
    struct plot_figure figure;
    const struct tune_config *config = tune->config;
    plot_figure_open(&figure, config->n_axes == 1 ? "tune-line" : "tune", "tune", search->dataset_name,
                     search->solver_name);
    FILE *dat = figure.dat;
    figure.caption_columns = 115;
    put_words(&figure, tune, search);
    put_axes(&figure, search, config);
    if (config->n_axes == 1) {
        put_line(dat, search, config);
    } else {
        put_colours(&figure, search, config->grid[0] > 0);
        plot_figure_number(&figure, "has_grid", search->best[EVALUATION_GRID] != NULL);
        plot_figure_number(&figure, "has_cma_es", search->best[EVALUATION_CMA_ES] != NULL);
        plot_figure_number(&figure, "has_printed", search->best[EVALUATION_PRINTED] != NULL);
        put_grid(dat, search, config);
        put_cma_es(dat, search, config);
        put_mark(dat, config, search->best[EVALUATION_GRID], "best of the grid");
        put_mark(dat, config, search->best[EVALUATION_CMA_ES], "best of cma-es");
        put_mark(dat, config, search->best[EVALUATION_PRINTED], "printed");
    }
    plot_figure_write(&figure, folder, &figure_style_screen);
    if (!tune->no_render)
        render(tune, folder, figure.name);
    plot_figure_free(&figure);
}

void tune_figures_write(struct tune *tune)
{
    const char *folder = tune_path(tune, "plots");
    folder_make(folder);
    for (size_t i = 0; i < tune->n_searches; i++)
        write_figure(tune, &tune->searches[i], folder);
}

void tune_figures_complete(struct tune *tune)
{
    const char *folder = tune_path(tune, "plots");
    for (size_t i = 0; i < tune->n_searches; i++) {
        const struct search *search = &tune->searches[i];
        struct plot_figure figure; /* used for its name only */
        int is_there = 1;
        plot_figure_open(&figure, "tune", "tune", search->dataset_name, search->solver_name);
        for (size_t k = 0; k < PLOT_PICTURES; k++)
            is_there &= access(pool_printf(tune->pool, "%s/%s%s", folder, figure.name, plot_pictures[k]), F_OK) == 0;
        if (!is_there)
            render(tune, folder, figure.name);
        plot_figure_free(&figure);
    }
}
