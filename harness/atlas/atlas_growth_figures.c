/*
 * Costs of generated data sets against the only number in which they differ: a figure for each sweep and family, at the
 * looser of the shown targets, in the middle of the values of C, at the width factor nearest to 1.
 */
#include <math.h>

#include "harness/atlas/atlas_output.h"
#include "harness/figure/lines_figure.h"

enum { MAX_LINES = 12, ROWS = LINES_ROWS };
static const enum atlas_cost shown_costs[ROWS] = {ATLAS_ITERATIONS, ATLAS_OPERATIONS, ATLAS_SECONDS};

/* One figure. */
struct growth_chart {
    const struct atlas *atlas;
    const struct size_growth *growth;
    const struct atlas_family *family;
    size_t sweep, c_level, factor_level, target;
    size_t series[MAX_LINES], n_series;
    struct lines_series labels[MAX_LINES];
    struct lines_figure shown;
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
    struct plot_range *range = &chart->shown.rows[row].range;
    fprintf(dat, "%s# %s, %s\n", chart->shown.n_blocks > 0 ? "\n\n" : "", chart->family->series[curve->series].label,
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
        plot_range_widen(range, low, 1);
        plot_range_widen(range, high, 1);
    }
    lines_add_block(chart->atlas->scratch, &chart->shown, series);
}

static void put_rows(struct growth_chart *chart, FILE *dat)
{
    for (size_t k = 0; k < ROWS; k++) {
        struct lines_figure *shown = &chart->shown;
        const size_t row = shown->n_rows, before = shown->n_blocks;
        shown->rows[row] = (struct lines_row){atlas_cost_texts[shown_costs[k]].key, 1, {HUGE_VAL, -HUGE_VAL}};
        for (size_t s = 0; s < chart->n_series; s++) {
            const struct growth_curve *curve = find_curve(chart, shown_costs[k], chart->series[s]);
            if (curve)
                put_line(chart, row, curve, s, dat);
        }
        shown->first[row] = (double)before + 1;
        shown->last[row] = (double)shown->n_blocks;
        shown->n_rows += shown->n_blocks > before;
    }
}

static void assign(struct growth_chart *chart, struct plot_figure *figure)
{
    const struct size_sweep *sweep = &chart->growth->sweeps[chart->sweep];
    struct lines_figure *shown = &chart->shown;
    shown->columns[shown->n_columns++] = (struct lines_column){
        .axis = growth_members[sweep->member],
        .scale = sweep->values[0] > 0 && sweep->values[sweep->n - 1] >= 4 * sweep->values[0] ? 2 : 1,
        .range = {sweep->values[0], sweep->values[sweep->n - 1]}};
    for (size_t i = 0; i < sweep->n; i++)
        plot_tics_add(&shown->columns[0].values, sweep->values[i]);
    for (size_t s = 0; s < chart->n_series; s++)
        chart->labels[s].label = chart->family->series[chart->series[s]].label;
    shown->series = chart->labels;
    shown->n_series = chart->n_series;
    shown->titled = 1;
    lines_assign(shown, figure);
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
    if (chart->shown.n_rows == 0) {
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
