/*
 * Costs of generated data sets against the only number in which they differ: a figure for each sweep and family, at the
 * looser of the shown targets, in the middle of the values of C, at the width factor nearest to 1.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/atlas/atlas_output.h"

enum { MAX_LINES = 12, ROWS = 3 };
static const enum atlas_cost shown_costs[ROWS] = {ATLAS_ITERATIONS, ATLAS_OPERATIONS, ATLAS_SECONDS};

/* One figure. */
struct growth_chart {
    const struct atlas *atlas;
    const struct size_growth *growth;
    const struct atlas_family *family;
    size_t sweep, c_level, factor_level, target;
    size_t series[MAX_LINES], n_series;
    double blocks, first[ROWS], last[ROWS], series_of[ROWS * MAX_LINES];
    struct plot_range range[ROWS];
    size_t costs[ROWS], n_rows; /* indices in shown_costs of the rows that have lines */
};

/* The curve of a series; NULL if there is none. */
static const struct growth_curve *find_curve(const struct growth_chart *chart, enum atlas_cost cost, size_t series)
{
    for (size_t i = 0; i < chart->growth->curves.count; i++) {
        const struct growth_curve *curve = &chart->growth->curves.item[i];
        if (curve->family == chart->family && curve->sweep == chart->sweep && curve->cost == cost &&
            curve->series == series && curve->target == chart->target && curve->c_level == chart->c_level &&
            curve->factor_level == chart->factor_level)
            return curve;
    }
    return NULL;
}

static void choose_cell(struct growth_chart *chart)
{
    const struct atlas_family *family = chart->family;
    size_t shown[2];
    atlas_shown_targets(family, shown);
    chart->target = shown[0];
    chart->c_level = family->n_c / 2;
    for (size_t j = 0; j < family->n_factors; j++)
        if (fabs(log(family->factors[j])) < fabs(log(family->factors[chart->factor_level])))
            chart->factor_level = j;
}

static void put_line(struct growth_chart *chart, size_t row, const struct growth_curve *curve, size_t series, FILE *dat)
{
    const struct size_sweep *sweep = &chart->growth->sweeps[chart->sweep];
    fprintf(dat, "%s# %s, %s\n", chart->blocks > 0 ? "\n\n" : "", chart->family->series[curve->series].label,
            atlas_cost_texts[curve->cost].key);
    for (size_t i = 0; i < sweep->n; i++) {
        const struct growth_point *point = &curve->points[i];
        const double mean = point->cost.estimate, low = isfinite(point->cost.low) ? point->cost.low : mean,
                     high = isfinite(point->cost.high) ? point->cost.high : mean;
        const double numbers[] = {mean, (double)NAN, low, mean, high, (double)(point->n - point->reached)};
        if (point->n == 0)
            continue;
        plot_number(dat, sweep->values[i]);
        fprintf(dat, " %zu ", point->n);
        plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, "\n");
        plot_range_widen(&chart->range[row], low, 1);
        plot_range_widen(&chart->range[row], high, 1);
    }
    chart->series_of[(size_t)chart->blocks] = (double)(series + 1);
    chart->blocks++;
}

static void put_rows(struct growth_chart *chart, FILE *dat)
{
    for (size_t k = 0; k < ROWS; k++) {
        const size_t row = chart->n_rows;
        chart->range[row] = (struct plot_range){HUGE_VAL, -HUGE_VAL};
        chart->first[row] = chart->blocks + 1;
        for (size_t s = 0; s < chart->n_series; s++) {
            const struct growth_curve *curve = find_curve(chart, shown_costs[k], chart->series[s]);
            if (curve)
                put_line(chart, row, curve, s, dat);
        }
        chart->last[row] = chart->blocks;
        chart->costs[row] = k;
        chart->n_rows += chart->last[row] >= chart->first[row];
    }
}

static void assign(const struct growth_chart *chart, struct plot_figure *figure)
{
    const struct size_sweep *sweep = &chart->growth->sweeps[chart->sweep];
    const char *labels[MAX_LINES], *y_axes[ROWS], *const x_axes[] = {growth_members[sweep->member]},
               *const none[] = {""};
    const double reference[MAX_LINES] = {0}, logarithmic[ROWS] = {1, 1, 1},
                 scale = sweep->values[0] > 0 && sweep->values[sweep->n - 1] >= 4 * sweep->values[0] ? 2 : 1;
    const struct plot_range x = {sweep->values[0], sweep->values[sweep->n - 1]};
    struct plot_tics tics = {.n = 0};
    for (size_t i = 0; i < sweep->n; i++)
        plot_tics_add(&tics, sweep->values[i]);
    char *value_tics = plot_tics_text(&tics, scale);
    for (size_t s = 0; s < chart->n_series; s++)
        labels[s] = chart->family->series[chart->series[s]].label;
    for (size_t r = 0; r < chart->n_rows; r++)
        y_axes[r] = atlas_cost_texts[shown_costs[chart->costs[r]]].key;
    plot_figure_series(figure, labels, chart->n_series);
    plot_figure_numbers(figure, "reference", reference, chart->n_series);
    plot_figure_numbers(figure, "x_scale", &scale, 1);
    plot_figure_texts(figure, "x_axes", x_axes, 1);
    plot_figure_texts(figure, "x_tics", none, 1);
    plot_figure_texts(figure, "x_value_tics", (const char *const *)&value_tics, 1);
    plot_figure_ranges(figure, "x_", &x, 1);
    plot_figure_texts(figure, "y_axes", y_axes, chart->n_rows);
    plot_figure_numbers(figure, "logarithmic", logarithmic, chart->n_rows);
    plot_figure_ranges(figure, "", chart->range, chart->n_rows);
    plot_figure_panels(figure, y_axes, chart->n_rows);
    plot_figure_numbers(figure, "first_block", chart->first, chart->n_rows);
    plot_figure_numbers(figure, "last_block", chart->last, chart->n_rows);
    plot_figure_numbers(figure, "block_series", chart->series_of, (size_t)chart->blocks);
    free(value_tics);
}

static void describe(const struct growth_chart *chart, struct plot_figure *figure)
{
    const struct atlas_family *family = chart->family;
    const struct size_sweep *sweep = &chart->growth->sweeps[chart->sweep];
    fprintf(figure->heading, "Costs against %s: %s", growth_members[sweep->member], family->title);
    fprintf(figure->caption,
            "Generated data sets (from %s on) that differ in %s alone; %s %g, C = %g, width factor %g. Geometric mean "
            "over independent splits, with its 95 %% interval. Rings: some runs did not reach the target and count "
            "with the cost they had spent. ",
            chart->atlas->datasets[sweep->datasets[0]].name, growth_members[sweep->member], chart->atlas->rule,
            family->targets[chart->target], family->c_values[chart->c_level], family->factors[chart->factor_level]);
    if (family->n_series > chart->n_series)
        fprintf(figure->caption, "Shown are the first %zu solvers of %zu. ", chart->n_series, family->n_series);
    figure->caption_columns = 80; /* plots/lines.gp */
}

static void write_chart(struct growth_chart *chart, struct atlas_output *out)
{
    struct plot_figure figure;
    plot_figure_open(&figure, "lines", "atlas-growth", chart->family->key,
                     pool_printf(out->atlas->scratch, "%s-%zu",
                                 growth_members[chart->growth->sweeps[chart->sweep].member], chart->sweep + 1));
    put_rows(chart, figure.dat);
    if (chart->n_rows == 0) {
        plot_figure_free(&figure);
        return;
    }
    assign(chart, &figure);
    describe(chart, &figure);
    atlas_put_figure(out, &figure);
}

void atlas_growth_figures(struct atlas_output *out)
{
    const struct size_growth *growth = &out->results->growth;
    for (size_t i = 0; i < out->atlas->n_families * growth->n_sweeps; i++) {
        const struct atlas_family *family = &out->atlas->families[i / growth->n_sweeps];
        struct growth_chart chart = {.atlas = out->atlas, .growth = growth, .family = family,
                                     .sweep = i % growth->n_sweeps};
        if (family->n_c == 0 || family->n_targets == 0)
            continue;
        for (size_t s = 0; s < family->n_series && s < MAX_LINES; s++)
            chart.series[chart.n_series++] = s;
        choose_cell(&chart);
        write_chart(&chart, out);
    }
}
