/* The figures of shares within budgets, one per cost. */
#include <math.h>
#include <stdlib.h>

#include "harness/atlas/atlas_output.h"

enum { MAX_CURVES = 12 };

static int by_number(const void *left, const void *right)
{
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
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

/* Draws the series with the largest areas, at most MAX_CURVES, in their order. */
static void write_shares(struct atlas_output *out, const struct budget_shares *shares)
{
    const struct atlas_family *family = shares->family;
    size_t n, *chosen = share_curves_by_area(out->atlas->scratch, shares, &n);
    const char *labels[MAX_CURVES];
    struct plot_figure figure;
    n = n < MAX_CURVES ? n : MAX_CURVES;
    qsort(chosen, n, sizeof *chosen, by_number);
    plot_figure_open(&figure, "profile", "atlas-ecdf", family->key, atlas_cost_texts[shares->cost].key);
    for (size_t i = 0; i < n; i++) {
        labels[i] = family->series[chosen[i]].label;
        fprintf(figure.dat, "%s# %s\n", i ? "\n\n" : "", labels[i]);
        put_curve(shares, &shares->curves[chosen[i]], figure.dat);
    }
    plot_figure_series(&figure, labels, n);
    describe_shares(out->atlas, shares, n, &figure);
    atlas_put_figure(out, &figure);
}

void atlas_put_figure(struct atlas_output *out, struct plot_figure *figure)
{
    figure_sink_put(&out->sink, figure, pool_printf(out->atlas->scratch, "%s/plots", out->folder));
    pool_reset(out->atlas->scratch);
}

void atlas_share_figures(struct atlas_output *out)
{
    for (size_t i = 0; i < out->results->n_shares; i++)
        if (out->results->shares[i].target == ALL_TARGETS)
            write_shares(out, &out->results->shares[i]);
}
