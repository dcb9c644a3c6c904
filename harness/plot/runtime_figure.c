/*
 * The figure "runtime-distribution": the share of tasks (pairs of problem and target, fixed_targets.h) that a solver
 * completes within a budget of kernel operations, over all targets. It is a data profile over tasks.
 */
#include "harness/compare/fixed_targets.h"
#include "harness/figure/profile_steps.h"
#include "harness/plot/captions.h"
#include "harness/plot/kinds.h"
#include "harness/base/die.h"
#include "harness/base/pool.h"

/* Lists the number of tasks of each target: "1e-1 (40), 1e-2 (40), 1e-3 (31)". */
static void list_targets(const struct fixed_targets *targets, FILE *caption)
{
    size_t listed = 0;
    for (size_t k = 0; k < FIXED_TARGETS; k++) {
        const size_t n = fixed_targets_costs(targets, 0, NULL, k).n;
        if (n > 0)
            fprintf(caption, "%s1e-%zu (%zu)", listed++ ? ", " : "", k + 1, n);
    }
}

static void describe(const struct plot_request *request, const struct fixed_targets *targets,
                     const char *const *datasets, double low, double high, struct plot_figure *figure)
{
    plot_figure_texts(figure, "panels", NULL, 0);
    plot_figure_series(figure, (const char *const *)targets->series.labels, targets->series.n_series);
    plot_figure_numbers(figure, "high", NULL, 0);
    plot_figure_text(figure, "data_axis",
                     targets->units_known ? "kernel operations / training patterns" : "kernel operations");
    plot_figure_text(figure, "data_share", "share of problems and targets");
    plot_figure_number(figure, "data_low", low);
    plot_figure_number(figure, "data_high", high);
    fputs("Runtime to fixed targets: ", figure->heading);
    plot_describe(figure->heading, request->data, &targets->series.records);
    fputs("Share of the pairs of problem (data set, split, kernel, C or μ, stopping rule) and target that a solver "
          "reaches within a budget. A target is a relative duality gap (gap / |objective|); with their numbers of "
          "problems: ",
          figure->caption);
    list_targets(targets, figure->caption);
    fputs(". Pairs that are never reached count in the share. ", figure->caption);
    if (targets->n_below_stop_rule)
        fprintf(figure->caption, "Left out: %zu pairs whose target a run missed because its stopping rule ended it "
                                 "earlier. ",
                targets->n_below_stop_rule);
    if (targets->n_untraced)
        fprintf(figure->caption, "Left out: %zu problems without a valid trace of every run. ", targets->n_untraced);
    series_set_print_gaps(&targets->series, figure->caption);
    if (targets->series.budgets)
        fprintf(figure->caption, "A solver's share stops growing at its budget: %s. ", targets->series.budgets);
    fputs("Kernel operations without the set-up, overestimated by up to 5 %. ", figure->caption);
    profile_describe_bands(figure, datasets, targets->n);
    plot_origin(figure->caption, request->data, &targets->series.records);
    figure->caption_columns = 115; /* the width in plots/profile.gp */
}

static void draw(const struct plot_request *request, const struct fixed_targets *targets)
{
    struct plot_figure figure;
    const char **datasets = pool_array(request->pool, targets->n, sizeof *datasets);
    double low, high, *units = pool_array(request->pool, targets->n, sizeof *units);
    for (size_t t = 0; t < targets->n; t++) {
        datasets[t] = targets->tasks[t].dataset;
        units[t] = targets->tasks[t].unit;
    }
    const struct profile_panel panel = {
        "runtime distribution", (const char *const *)targets->series.labels, targets->cost, targets->series.n_series,
        targets->n,             datasets,                                    units};
    plot_figure_open(&figure, "profile", request->name, NULL, NULL);
    profile_panel_put(&panel, 1, figure.dat, &low, &high);
    describe(request, targets, datasets, low, high, &figure);
    plot_finish(request->run, &figure);
}

void plot_runtimes(const struct plot_request *request)
{
    const struct fixed_targets targets = fixed_targets_take(request->pool, request->data, request->entry);
    const char *obstacle = fixed_targets_obstacle(&targets, request->entry);
    if (obstacle)
        plot_note(request, "%s", obstacle);
    else
        draw(request, &targets);
}
