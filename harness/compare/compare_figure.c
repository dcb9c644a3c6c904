/* The figures of comparisons. That of one comparison has kind "profile"; its problems are the pairs. */
#include "harness/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/data.h"
#include "harness/figure/ecdf.h"
#include "harness/support/file.h"

/* Fills the costs of the pairs, baseline first, infinite if the arm did not converge; and their data sets. */
static void fill_costs(const struct comparison *comparison, size_t measure, double *cost,
                       const char **datasets)
{
    const struct pairing *pairing = &comparison->pairing;
    for (size_t p = 0; p < pairing->n_pairs; p++) {
        for (int s = 0; s < ARMS; s++) {
            double value = compare_value(comparison, &pairing->pairs[p], (enum arm)s, measure);
            cost[(size_t)s * pairing->n_pairs + p] = isfinite(value) ? value : (double)INFINITY;
        }
        datasets[p] = pairing->pairs[p].records[BASELINE]->dataset;
    }
}

static void put_panels(struct pool *pool, const struct comparison *comparison, struct plot_figure *figure)
{
    static const size_t costs[] = {FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS};
    const size_t n = comparison->pairing.n_pairs;
    const char *const *labels = comparison->arms.labels, **datasets = pool_array(pool, n, sizeof *datasets);
    double *cost = pool_array(pool, ARMS * n, sizeof *cost);
    struct ecdf ecdf = {figure, labels, ARMS, n, datasets, {NULL}, 0};
    fprintf(figure->heading, "Performance profiles: %s and %s", labels[BASELINE], labels[CANDIDATE]);
    fprintf(figure->caption,
            "Share of the %zu pairs (data set, split, problem) that a solver finishes within a given multiple of the "
            "cost of the better solver. At 1: how often it is the better one; ties count for both. A run that did not "
            "converge counts as never finished. Kernel operations without the set-up. ",
            n);
    for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
        const char *title = measure_row(costs[k])->title;
        if (comparison->results[costs[k]].n_pairs == 0)
            continue;
        fill_costs(comparison, costs[k], cost, datasets);
        ecdf_add(&ecdf, title, pool_printf(pool, "%s, times those of the better one", title), cost, NULL);
    }
    ecdf_finish(&ecdf, "share of pairs");
    if (comparison->targets.used)
        fputs(" Costs are those to reach the larger of the two gaps.", figure->caption);
}

void compare_figure_write(struct pool *pool, const struct comparison *comparison, const char *folder,
                          struct figure_sink *sink)
{
    struct plot_figure figure;
    const char *plots = pool_printf(pool, "%s/plots", folder);
    if (comparison->results[FIELD_ITERATIONS].n_pairs + comparison->results[FIELD_KERNEL_OPERATIONS].n_pairs == 0)
        return;
    folder_make(plots);
    plot_figure_open(&figure, "profile", "compare", NULL, NULL);
    put_panels(pool, comparison, &figure);
    figure_sink_put(sink, &figure, plots);
}

/* ---- the figure of a sweep ----
 *
 * The ratio of costs, solver over baseline, with its interval against the values of the setting. It has a line for each
 * baseline, and a line at 1, where both cost the same. A mark shows values at which some of the solver's runs did not
 * converge and cost the penalty. */

struct sweep_chart {
    const struct comparisons *comparisons;
    const struct solver_choice **values; /* those of the sweep, in ascending order */
    size_t n_values, n_rows;
    double least_level, most_level; /* of the intervals */
    FILE *dat;
};

static double number_of(const struct solver_choice *choice)
{
    char *end;
    const double number = strtod(sweep_value(choice), &end);
    return *end ? (double)NAN : number;
}

void compare_put_mark(FILE *dat, double level, size_t n, const struct interval *mean, size_t failed, const char *more)
{
    const double low = isfinite(mean->low) ? mean->low : mean->estimate,
                 high = isfinite(mean->high) ? mean->high : mean->estimate,
                 numbers[] = {mean->estimate, (double)NAN, low, mean->estimate, high, (double)failed};
    plot_number(dat, level);
    fprintf(dat, " %zu ", n);
    plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, more);
    fputc('\n', dat);
}

static void put_value(struct sweep_chart *chart, const struct solver_choice *value, const struct comparison *comparison)
{
    const struct estimate *cost = &comparison->finding.cost;
    const struct interval shown = compare_shown(comparison->cost, &cost->difference);
    if (!(shown.estimate > 0) || !isfinite(shown.estimate))
        return;
    compare_put_mark(chart->dat, number_of(value), cost->n, &shown, comparison->failed[CANDIDATE],
                     pool_printf(chart->comparisons->pool, " %.15g", shown.level));
    chart->n_rows++;
    if (isfinite(shown.low)) {
        chart->least_level = fmin(chart->least_level, shown.level);
        chart->most_level = fmax(chart->most_level, shown.level);
    }
}

/* Writes the block of a baseline: the values that were compared with it. */
static void put_block(struct sweep_chart *chart, const struct solver_choice *baseline)
{
    const struct comparisons *comparisons = chart->comparisons;
    const size_t before = chart->n_rows;
    fprintf(chart->dat, "# against %s\n", baseline->text);
    for (size_t v = 0; v < chart->n_values; v++)
        for (size_t i = 0; i < comparisons->n; i++)
            if (strcmp(comparisons->items[i].arms.labels[BASELINE], baseline->text) == 0 &&
                strcmp(comparisons->items[i].arms.labels[CANDIDATE], chart->values[v]->text) == 0)
                put_value(chart, chart->values[v], &comparisons->items[i]);
    if (chart->n_rows == before)
        plot_empty_block(chart->dat, 9);
    fputs("\n\n", chart->dat);
}

/* Assigns the variables of the template "lines". */
static void assign(const struct sweep_chart *chart, const struct solver_choices *baselines, struct plot_figure *figure)
{
    const size_t n = baselines->count + 1;
    struct pool *pool = chart->comparisons->pool;
    const struct solver_choice *first = chart->values[0];
    /* run.json of the candidate's folder describes the setting */
    const struct run_folders *runs = chart->comparisons->runs;
    const struct run_view about = {.pool = pool, .folder = &runs->items[runs->count - 1]};
    char intervals[80] = "";
    const char **labels = pool_array(pool, n, sizeof *labels);
    double *reference = pool_array(pool, n, sizeof *reference);
    for (size_t s = 0; s < baselines->count; s++)
        labels[s] = pool_printf(pool, "against %s", baselines->items[s].text);
    labels[n - 1] = "the baseline";
    reference[n - 1] = 1;
    plot_figure_series(figure, labels, n);
    plot_figure_numbers(figure, "reference", reference, n);
    const char *x_axis = plot_setting_axis(&about, first->swept);
    plot_figure_texts(figure, "x_axes", &x_axis, 1);
    plot_figure_numbers(figure, "x_scale", (const double[]){plot_setting_scale(&about, first->swept)}, 1);
    plot_figure_texts(figure, "y_axes", (const char *const[]){"cost / cost of the baseline"}, 1);
    if (chart->most_level >= chart->least_level)
        snprintf(intervals, sizeof intervals, ", with its unadjusted %.3g %% interval", 100 * chart->least_level);
    if (chart->most_level > chart->least_level)
        snprintf(intervals, sizeof intervals, ", with its unadjusted interval of level %.3g to %.3g %%",
                 100 * chart->least_level, 100 * chart->most_level);
    fprintf(figure->heading, "%s: cost against %s", first->name, first->swept);
    fprintf(figure->caption,
            "Ratio of %s to those of the baseline%s. A run that did not converge counts with the penalty; rings: some "
            "did not converge. The lowest of several values looks too good: compare.md compares the value chosen on "
            "half of the data sets again on the others.",
            measure_row(chart->comparisons->items[0].cost)->title, intervals);
}

static void write_figure(struct sweep_chart *chart, size_t number, const char *plots, struct figure_sink *sink)
{
    const struct solver_choices *baselines = &chart->comparisons->choices[BASELINE];
    struct plot_figure figure;
    plot_figure_open(&figure, "lines", "compare-sweep",
                     number > 1 ? pool_printf(chart->comparisons->pool, "%zu", number) : NULL, NULL);
    chart->dat = figure.dat;
    fputs("# level n ratio - low ratio high failed interval_level\n", figure.dat);
    for (size_t b = 0; b < baselines->count; b++)
        put_block(chart, &baselines->items[b]);
    fputs("# the baseline\nNaN 0 1 NaN 1 1 1 0 0\n", figure.dat);
    if (chart->n_rows == 0) {
        pool_free(figure.pool);
        return;
    }
    assign(chart, baselines, &figure);
    figure_sink_put(sink, &figure, plots);
}

void sweep_figures_write(const struct comparisons *comparisons, const char *folder, struct figure_sink *sink)
{
    const struct solver_choices *candidates = &comparisons->choices[CANDIDATE];
    const char *plots = pool_printf(comparisons->pool, "%s/plots", folder);
    size_t number = 0;
    for (size_t c = 0, end; c < candidates->count; c = end) {
        int numbers = candidates->items[c].sweep > 0;
        end = sweep_end(candidates, c);
        for (size_t i = c; i < end; i++)
            numbers = numbers && isfinite(number_of(&candidates->items[i]));
        if (!numbers || end - c < 2)
            continue;
        folder_make(plots);
        struct sweep_chart chart = {.comparisons = comparisons,
                                    .values = pool_array(comparisons->pool, end - c, sizeof *chart.values),
                                    .least_level = HUGE_VAL,
                                    .most_level = -HUGE_VAL};
        for (size_t i = c; i < end; i++) { /* only those from the records are already sorted */
            size_t at = chart.n_values++;
            for (; at > 0 && number_of(chart.values[at - 1]) > number_of(&candidates->items[i]); at--)
                chart.values[at] = chart.values[at - 1];
            chart.values[at] = &candidates->items[i];
        }
        write_figure(&chart, ++number, plots, sink);
    }
}
