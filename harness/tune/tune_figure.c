/*
 * One figure per search. Axes are positions of the searched numbers, such as log2 C and log2 width; each cell of the
 * grid is coloured by its error. Blocks of the .dat: the grid, the points of CMA-ES, its means by generation (x, y),
 * and the marked points, one block each: best of the grid, best of CMA-ES, printed. All but the means have x, y, error,
 * label, 1 if some problem did not converge, and generation. The figure of a search for one number is a line of errors
 * with their standard deviations; its .dat has only the grid (x, error, sd).
 */
#include <math.h>
#include <unistd.h>

#include "harness/figure/figure.h"
#include "harness/support/file.h"
#include "harness/tune/tune.h"

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
    static const char *const names[EVALUATION_KINDS] = {"printed", "best of the grid", "best of cma-es"};
    static const enum evaluation_kind marked[] = {EVALUATION_GRID, EVALUATION_CMA_ES, EVALUATION_PRINTED};
    const struct evaluation *all = search->evaluations, *end = all + search->n;
    put_points(dat, search, config, "grid", EVALUATION_GRID, all, end);
    put_points(dat, search, config, "cma-es", EVALUATION_CMA_ES, all, end);
    put_head(dat, config, "means", "");
    for (size_t g = 0; config->generations && g <= config->generations; g++)
        plot_numbers(dat, search->path + g * TUNE_AXES, TUNE_AXES, "\n");
    fputs(config->generations ? "\n\n" : "NaN NaN\n\n\n", dat);
    for (size_t k = 0; k < EVALUATION_KINDS; k++) {
        const struct evaluation *best = search->best[marked[k]].point;
        put_points(dat, search, config, names[marked[k]], marked[k], best, best ? best + 1 : NULL);
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
    static const char *const lows[] = {"x_low", "y_low"}, *const highs[] = {"x_high", "y_high"},
                             *const halves[] = {"x_half", "y_half"}, *const titles[] = {"x_title", "y_title"},
                             *const scales[] = {"x_logarithmic", "y_logarithmic"};
    const struct evaluation *printed = search->best[EVALUATION_PRINTED].point;
    for (size_t a = 0; a < config->n_axes; a++) {
        const struct tune_axis *axis = &config->axes[a];
        const double half = config->grid[a] ? 0.5 * (axis->high - axis->low) / (double)(config->grid[a] - 1) : 0;
        const double low = axis->low - half, high = axis->high + half;
        plot_figure_number(figure, lows[a], printed ? fmin(low, printed->place[a]) : low);
        plot_figure_number(figure, highs[a], printed ? fmax(high, printed->place[a]) : high);
        plot_figure_number(figure, halves[a], half);
        plot_figure_text(figure, titles[a], axis_title(axis));
        plot_figure_number(figure, scales[a], axis->logarithmic);
    }
}

static void put_words(struct plot_figure *figure, const struct tune_config *config, const struct search *search)
{
    static const char *const names[EVALUATION_KINDS] = {"Printed", "Best of the grid", "Best of CMA-ES"};
    static const enum evaluation_kind order[] = {EVALUATION_GRID, EVALUATION_CMA_ES, EVALUATION_PRINTED};
    FILE *caption = figure->caption;
    size_t unfinished = 0;
    fprintf(figure->heading, "%s, %s: error (%%) over", search->dataset_name, search->solver_name);
    for (size_t a = 0; a < config->n_axes; a++)
        fprintf(figure->heading, "%s %s%s", a ? " and" : "", tune_axis_is_width(&config->axes[a]) ? "the " : "",
                axis_title(&config->axes[a]));
    fprintf(caption, "Mean error of %zu-fold cross-validation on %zu training splits. ", config->n_folds,
            config->n_splits);
    for (size_t k = 0; k < EVALUATION_KINDS; k++) {
        const struct evaluation *best = search->best[order[k]].point;
        if (!best)
            continue;
        fprintf(caption, "%s: ", names[order[k]]);
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
        plot_figure_free(&figure);
    }
}
