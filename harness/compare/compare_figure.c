/* The figure has kind "profile"; its problems are the pairs. */
#include "harness/compare/compare_output.h"

#include <math.h>
#include <stdlib.h>

#include "harness/figure/figure.h"
#include "harness/figure/profile_steps.h"
#include "harness/figure/render.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"

enum { MAX_PANELS = 2 };

/* Fills the costs of the pairs, baseline first, infinite if the arm did not converge; and their data sets. */
static void fill_costs(const struct comparison *comparison, enum compare_metric metric, double *cost,
                       const char **datasets)
{
    const struct pairing *pairing = &comparison->pairing;
    for (size_t p = 0; p < pairing->n_pairs; p++) {
        for (int s = 0; s < ARMS; s++) {
            double value = compare_value(comparison, &pairing->pairs[p], (enum arm)s, metric);
            cost[(size_t)s * pairing->n_pairs + p] = isfinite(value) ? value : (double)INFINITY;
        }
        datasets[p] = pairing->pairs[p].records[BASELINE]->dataset;
    }
}

static void put_panels(const struct comparison *comparison, struct plot_figure *figure, double *cost,
                       const char **datasets)
{
    static const enum compare_metric costs[MAX_PANELS] = {COMPARE_ITERATIONS, COMPARE_KERNEL_OPERATIONS};
    const char *titles[MAX_PANELS], *const *labels = (const char *const *)comparison->arms.labels;
    double low, high[MAX_PANELS];
    size_t panels = 0, n = comparison->pairing.n_pairs;
    for (size_t k = 0; k < MAX_PANELS; k++) {
        if (comparison->results[costs[k]].n_pairs == 0)
            continue;
        fill_costs(comparison, costs[k], cost, datasets);
        titles[panels] = compare_metric_texts[costs[k]].title;
        const struct profile_panel panel = {titles[panels], labels, cost, ARMS, n, datasets, NULL};
        profile_panel_put(&panel, panels == 0, figure->dat, &low, &high[panels]);
        panels++;
    }
    plot_figure_texts(figure, "panels", titles, panels);
    plot_figure_panels(figure, titles, panels);
    plot_figure_series(figure, labels, ARMS);
    plot_figure_numbers(figure, "high", high, panels);
    fprintf(figure->heading, "Performance profiles: %s and %s", labels[BASELINE], labels[CANDIDATE]);
    fprintf(figure->caption,
            "Share of the %zu pairs (data set, split, problem) that a solver finishes within a given multiple of the "
            "cost of the better solver. At 1: how often it is the better one; ties count for both. A run that did not "
            "converge counts as never finished. Kernel operations without the set-up. ",
            n);
    profile_describe_bands(figure, datasets, n);
    if (comparison->targets.used)
        fputs(" Costs are those to reach the larger of the two gaps.", figure->caption);
    figure->caption_columns = 76 * panels; /* the width in plots/profile.gp */
}

enum status compare_render(const char *plots, const char *name, struct error *error)
{
    struct error cause = {0};
    if (plot_render(plots, name, NULL, &cause) == STATUS_OK)
        return STATUS_OK;
    return error_set(error, STATUS_IO, "pictures were not drawn; all other output is complete: %.900s", cause.message);
}

enum status compare_figure_write(const struct comparison *comparison, const char *folder, int no_render,
                                 struct error *error)
{
    struct plot_figure figure;
    if (comparison->results[COMPARE_ITERATIONS].n_pairs + comparison->results[COMPARE_KERNEL_OPERATIONS].n_pairs == 0)
        return STATUS_OK;
    char *plots = xasprintf("%s/plots", folder);
    double *cost = xcalloc(ARMS * comparison->pairing.n_pairs, sizeof *cost);
    const char **datasets = xcalloc(comparison->pairing.n_pairs, sizeof *datasets);
    plot_figure_open(&figure, "profile", "compare", NULL, NULL);
    folder_make(plots);
    put_panels(comparison, &figure, cost, datasets);
    plot_figure_write(&figure, plots, &figure_style_screen);
    enum status status = STATUS_OK;
    if (status == STATUS_OK && !no_render)
        status = compare_render(plots, figure.name, error);
    plot_figure_free(&figure);
    free(plots);
    free(cost);
    free(datasets);
    return status;
}
