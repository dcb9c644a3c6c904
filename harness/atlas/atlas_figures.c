/* Writes the figures of an atlas; this file has those of shares within budgets, one per cost. */
#include <math.h>
#include <stdlib.h>

#include "harness/atlas/atlas_output.h"
#include "harness/atlas/atlas_sink.h"
#include "harness/figure/render.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"

enum { MAX_CURVES = 12 };

/* ---- shares ---- */

struct ranked {
    double area;
    size_t series;
};

static int larger_first(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return a->area != b->area ? (a->area < b->area) - (a->area > b->area)
                              : (a->series > b->series) - (a->series < b->series);
}

static int by_number(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return (a->series > b->series) - (a->series < b->series);
}

/* The series with the largest areas, at most MAX_CURVES, in their order. */
static size_t choose_curves(const struct budget_shares *shares, struct ranked *chosen)
{
    const struct atlas_family *family = shares->family;
    size_t n = 0;
    for (size_t s = 0; s < family->n_series; s++)
        if (family->counts[shares->cost][s])
            chosen[n++] = (struct ranked){share_curve_area(&shares->curves[s]), s};
    qsort(chosen, n, sizeof *chosen, larger_first);
    n = n < MAX_CURVES ? n : MAX_CURVES;
    qsort(chosen, n, sizeof *chosen, by_number);
    return n;
}

static void put_curve(const struct budget_shares *shares, const struct share_curve *curve, FILE *dat)
{
    for (size_t k = 0; k < SHARE_PLACES; k++) {
        const double numbers[] = {shares->place[k], curve->at[k].estimate};
        plot_numbers(dat, numbers, 2, "\n");
    }
    if (!shares->has_bands)
        return;
    fputs("\n\n# its band\n", dat);
    for (size_t k = 0; k < SHARE_PLACES; k++) {
        const double numbers[] = {shares->place[k], curve->at[k].low, curve->at[k].high};
        plot_numbers(dat, numbers, 3, "\n");
    }
}

static void describe_shares(const struct atlas *atlas, const struct budget_shares *shares, size_t n_chosen,
                            struct plot_figure *figure)
{
    const struct atlas_family *family = shares->family;
    const struct atlas_cost_text *cost = &atlas_cost_texts[shares->cost];
    plot_figure_texts(figure, "panels", NULL, 0);
    plot_figure_numbers(figure, "high", NULL, 0);
    plot_figure_text(figure, "data_axis", atlas->sizes_known ? cost->budget : cost->title);
    plot_figure_text(figure, "data_share", "share of problems and targets");
    plot_figure_number(figure, "data_low", shares->place[0]);
    plot_figure_number(figure, "data_high", shares->place[SHARE_PLACES - 1]);
    plot_figure_number(figure, "bands", shares->has_bands);
    fprintf(figure->heading, "Targets reached: %s, %s", family->title, cost->title);
    fprintf(figure->caption,
            "Share of the %zu pairs of problem (data set, split, kernel, C) and target (%s from %g to %g) that a "
            "solver reaches within a budget. A run that was stopped before it reached its target counts as not "
            "reached. ",
            shares->n_pairs, atlas->rule, family->targets[0], family->targets[family->n_targets - 1]);
    if (atlas->sizes_known)
        fprintf(figure->caption, "Budgets are divided by %s, so that data sets of %s can be pooled; N is the number of "
                                 "training patterns. ", cost->per, "different sizes");
    fputs(shares->has_bands ? "Bands: pointwise 95 % bootstrap intervals that resample data sets with all their "
                              "splits. "
                            : "No bands: one data set cannot show how others would differ. ",
          figure->caption);
    if (n_chosen < family->n_counting[shares->cost])
        fprintf(figure->caption, "Shown are the %zu solvers of %zu with the largest area below their curve. ", n_chosen,
                family->n_counting[shares->cost]);
    figure->caption_columns = 115; /* the width in plots/profile.gp */
}

static enum status write_shares(const struct atlas *atlas, const struct budget_shares *shares, struct atlas_sink *sink,
                                struct error *error)
{
    const struct atlas_family *family = shares->family;
    struct ranked *chosen = xcalloc(family->n_series, sizeof *chosen);
    const char **labels = xcalloc(family->n_series, sizeof *labels);
    const size_t n = choose_curves(shares, chosen);
    struct plot_figure figure;
    plot_figure_open(&figure, "profile", "atlas-ecdf", family->key, atlas_cost_texts[shares->cost].key);
    for (size_t i = 0; i < n; i++) {
        labels[i] = family->series[chosen[i].series].label;
        fprintf(figure.dat, "%s# %s\n", i ? "\n\n" : "", labels[i]);
        put_curve(shares, &shares->curves[chosen[i].series], figure.dat);
    }
    plot_figure_series(&figure, labels, n);
    describe_shares(atlas, shares, n, &figure);
    free(chosen);
    free(labels);
    return atlas_sink_finish(sink, &figure, error);
}

enum status atlas_sink_finish(struct atlas_sink *sink, struct plot_figure *figure, struct error *error)
{
    struct error cause = {0};
    enum status status = plot_figure_write(figure, sink->plots, &figure_style_screen, error);
    if (status == STATUS_OK && !sink->no_render && !sink->is_broken &&
        plot_render(sink->plots, figure->name, NULL, &cause) != STATUS_OK) {
        error_set(error, STATUS_IO, "pictures were not drawn; all other output is complete: %.900s", cause.message);
        sink->is_broken = 1;
    }
    plot_figure_free(figure);
    return status;
}

enum status atlas_figures_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                                int no_render, struct error *error)
{
    char *plots = xasprintf("%s/plots", folder);
    struct atlas_sink sink = {plots, no_render, 0};
    folder_make(plots);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < results->n_shares && status == STATUS_OK; i++)
        if (results->shares[i].target == ALL_TARGETS)
            status = write_shares(atlas, &results->shares[i], &sink, error);
    if (status == STATUS_OK)
        status = atlas_map_figures(atlas, results, &sink, error);
    if (status == STATUS_OK)
        status = atlas_growth_figures(atlas, &results->growth, &sink, error);
    free(plots);
    return status == STATUS_OK && sink.is_broken ? STATUS_IO : status;
}
