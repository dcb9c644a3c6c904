/*
 * A metric over two swept settings: a grid of cells, one panel a series. Levels stand at equal distances in rising
 * order, whatever their ratio, because a sweep chooses them evenly on its own scale. Counts are shown as log10 of their
 * mean over splits.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/plot/sweep.h"
#include "harness/program/memory.h"
#include "harness/support/round_to_12_digits.h"

enum { MAX_PANELS = 12 };

/* What the panels of a figure tell the template. */
struct labels {
    size_t n;
    const char *title[MAX_PANELS], *x_label[MAX_PANELS], *y_label[MAX_PANELS];
    char *x_tics[MAX_PANELS], *y_tics[MAX_PANELS]; /* owned */
    double x_count[MAX_PANELS], y_count[MAX_PANELS];
};

/* All that is shown, for the colours. */
struct shown {
    size_t n;
    double *values;
};

/* What the colour and the label of a cell say: the mean, or log10 of it. */
static double shown_value(const struct plot_sweep *sweep, const struct plot_level_cell *cell)
{
    double mean = cell->spread.mean;
    if (sweep->field == FIELD_ERROR)
        return mean;
    return mean > 0 ? round_to_12_digits(log10(mean)) : (double)NAN;
}

static void print_cell(const struct plot_sweep *sweep, FILE *dat, const struct plot_levels levels[2], size_t at,
                       const struct plot_level_cell *cell, double lowest)
{
    char text[40];
    size_t x = at % levels[0].n, y = at / levels[0].n;
    double shown = shown_value(sweep, cell);
    fprintf(dat, "%zu %zu ", x + 1, y + 1);
    plot_data_text(dat, plot_level_text(levels[0].items[x], text, sizeof text));
    fputc(' ', dat);
    plot_data_text(dat, plot_level_text(levels[1].items[y], text, sizeof text));
    fprintf(dat, " %zu ", cell->n);
    plot_numbers(dat, (const double[]){cell->spread.mean, shown}, 2, "");
    snprintf(text, sizeof text, sweep->field == FIELD_ERROR ? "%.1f%s" : "%.2f%s", shown, cell->unfinished ? "*" : "");
    fprintf(dat, " \"%s\" %d\n", text, shown <= lowest);
}

static void name_panel(const struct plot_series *series, const struct plot_levels levels[2], struct labels *labels)
{
    size_t panel = labels->n++;
    labels->title[panel] = series->label;
    labels->x_tics[panel] = plot_level_tics(&levels[0]);
    labels->y_tics[panel] = plot_level_tics(&levels[1]);
    labels->x_label[panel] = plot_setting_label(series->axis[0]);
    labels->y_label[panel] = plot_setting_label(series->axis[1]);
    labels->x_count[panel] = (double)levels[0].n;
    labels->y_count[panel] = (double)levels[1].n;
}

/* One panel: its block of the .dat and its labels. Cells without a record are left white. */
static void draw_panel(const struct plot_sweep *sweep, const struct plot_series *series, FILE *dat, struct shown *shown,
                       struct labels *labels)
{
    struct plot_levels levels[2];
    double lowest = HUGE_VAL;
    plot_levels_take(&series->records, series->axis[0], &levels[0]);
    plot_levels_take(&series->records, series->axis[1], &levels[1]);
    size_t count = levels[0].n * levels[1].n;
    struct plot_level_cell *cells = xcalloc(count, sizeof *cells);
    shown->values = xreallocarray(shown->values, shown->n + count, sizeof *shown->values);
    for (size_t i = 0; i < count; i++) {
        cells[i] = plot_level_cell(&series->records, levels[0].items[i % levels[0].n],
                                   levels[1].items[i / levels[0].n], sweep->field, sweep->values);
        lowest = fmin(lowest, shown_value(sweep, &cells[i]));
    }
    if (isfinite(lowest)) {
        fprintf(dat, "%s# %s\n", labels->n ? "\n\n" : "", series->label);
        name_panel(series, levels, labels);
    }
    for (size_t i = 0; i < count; i++)
        if (isfinite(shown_value(sweep, &cells[i]))) {
            print_cell(sweep, dat, levels, i, &cells[i], lowest);
            shown->values[shown->n++] = shown_value(sweep, &cells[i]);
        }
    free(cells);
}

static void assign(const struct labels *labels, struct plot_figure *figure)
{
    plot_figure_texts(figure, "panels", labels->title, labels->n);
    plot_figure_texts(figure, "x_tics", (const char *const *)labels->x_tics, labels->n);
    plot_figure_texts(figure, "y_tics", (const char *const *)labels->y_tics, labels->n);
    plot_figure_texts(figure, "x_label", labels->x_label, labels->n);
    plot_figure_texts(figure, "y_label", labels->y_label, labels->n);
    plot_figure_numbers(figure, "x_count", labels->x_count, labels->n);
    plot_figure_numbers(figure, "y_count", labels->y_count, labels->n);
}

static void describe(const struct plot_sweep *sweep, const struct labels *labels, const struct plot_colours *colours,
                     struct plot_figure *figure)
{
    FILE *heading = figure->heading, *caption = figure->caption;
    char quantity[100];
    int counted = sweep->field != FIELD_ERROR;
    snprintf(quantity, sizeof quantity, "%s%s", counted ? "log₁₀ of mean " : "", plot_field_texts[sweep->field].label);
    plot_figure_text(figure, "quantity", quantity);
    plot_figure_number(figure, "low", colours->low);
    plot_figure_number(figure, "high", colours->high);
    fprintf(heading, "%s: ", counted ? quantity : plot_field_texts[sweep->field].title);
    plot_describe(heading, sweep->request->data, &sweep->records);
    fputs("Mean over splits; framed: the lowest of a panel; white: not run. ", caption);
    if (colours->cut)
        fprintf(caption, "The last colour stands for %.*f and more. ", counted ? 2 : 1, colours->high);
    plot_sweep_describe(sweep, caption, sweep->field == FIELD_KERNEL_OPERATIONS);
    for (size_t i = 0; i < sweep->records.count; i++)
        if (sweep->records.items[i]->at_limit || sweep->records.items[i]->stalled) {
            fputs("*: some runs were stopped at a limit or stalled. ", caption);
            break;
        }
    plot_origin_of_splits(caption, sweep->request->data, &sweep->records);
    figure->caption_columns = labels->n == 1 ? 80 : labels->n == 2 || labels->n == 4 ? 110 : 150;
}

int plot_sweep_grids(const struct plot_sweep *sweep, struct plot_figure *figure)
{
    struct shown shown = {0};
    struct labels labels = {0};
    fputs("# x y x_level y_level n mean shown label lowest\n", figure->dat);
    for (size_t s = 0; s < sweep->series.n && labels.n < MAX_PANELS; s++)
        draw_panel(sweep, &sweep->series.items[s], figure->dat, &shown, &labels);
    if (labels.n > 0) {
        struct plot_colours colours = plot_colours_of(shown.values, shown.n);
        assign(&labels, figure);
        describe(sweep, &labels, &colours, figure);
        if (sweep->series.n > MAX_PANELS)
            plot_note(sweep->request, "%zu of %zu panels of %s", sweep->series.n - MAX_PANELS, sweep->series.n,
                      sweep->dataset);
    }
    for (size_t i = 0; i < labels.n; i++) {
        free(labels.x_tics[i]);
        free(labels.y_tics[i]);
    }
    free(shown.values);
    return labels.n > 0;
}
