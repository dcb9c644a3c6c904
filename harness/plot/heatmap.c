/*
 * A metric over two swept settings: a grid of cells, one panel per series. Levels are in ascending order at equal
 * distances, whatever their ratio, because a sweep spaces them evenly on its own scale. Counts are shown as log10 of
 * their mean over splits.
 *
 * The lowest cell of a panel is framed, among those with a value on all splits of the panel: with fewer splits a mean
 * may be low because they are the easy ones. For each of its up to eight neighbours the figure shows the mean
 * difference from the framed cell and the half-width of its 95 % interval. The interval is paired over the splits that
 * both have and uses the t test that allows for overlapping splits, as in compare (contrast_overlap). Differences of
 * counts are those of log10. A neighbour does not differ significantly from the framed cell if the interval contains 0,
 * or if there are fewer than MIN_PAIRS_FOR_A_CLAIM splits, where a few equal differences of error rates would give an
 * interval of zero width.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/compare/case_statistics.h"
#include "harness/plot/sweep.h"
#include "harness/base/pool.h"
#include "harness/records/coverage.h"
#include "harness/stats/resampled_t.h"
#include "harness/support/round_to_12_digits.h"

enum { MAX_PANELS = 12 };

/* The template's variables, by panel. */
struct labels {
    size_t n;
    const char *title[MAX_PANELS], *x_label[MAX_PANELS], *y_label[MAX_PANELS];
    double x_count[MAX_PANELS], y_count[MAX_PANELS];
    size_t least_pairs; /* fewest splits that a framed cell shares with a neighbour */
    size_t n_incomplete; /* cells that lack splits of their panel */
};

/* A cell compared with the framed one. */
struct difference {
    size_t n; /* splits of both; 0: the cell is not a neighbour */
    struct interval interval;
    int told_apart;
};

/* The value that a cell's colour and label show: the mean, or log10 of it. */
static double shown_value(const struct plot_sweep *sweep, const struct plot_level_cell *cell)
{
    double mean = cell->spread.mean;
    if (!measure_is_ratio(sweep->field))
        return mean;
    return mean > 0 ? round_to_12_digits(log10(mean)) : (double)NAN;
}

/* The value of a record to compare; not finite if there is none. */
static double compared_value(const struct plot_sweep *sweep, const struct record *record)
{
    const double value = record->field[sweep->field];
    return !measure_is_ratio(sweep->field) ? value : value > 0 ? log10(value) : (double)NAN;
}

static int compare_splits(const void *left, const void *right)
{
    const size_t a = (*(const struct record *const *)left)->split, b = (*(const struct record *const *)right)->split;
    return (a > b) - (a < b);
}

/* Pairs the values of two cells on the splits that both have; returns their number. Each has one record of a split. */
static size_t pair_cells(const struct plot_sweep *sweep, const struct records *cell, const struct records *framed,
                         double *values, double *best)
{
    struct records others = {.pool = sweep->request->pool};
    size_t n = 0;
    records_append(&others, framed);
    if (others.count)
        qsort(others.items, others.count, sizeof *others.items, compare_splits);
    for (size_t i = 0; i < cell->count && others.count; i++) {
        const struct record *const *one = &cell->items[i];
        const struct record *const *other =
            bsearch(one, others.items, others.count, sizeof *others.items, compare_splits);
        if (!other || (*one)->generated != (*other)->generated)
            continue;
        values[n] = compared_value(sweep, *one);
        best[n] = compared_value(sweep, *other);
        n += isfinite(values[n]) && isfinite(best[n]);
    }
    return n;
}

static struct difference difference_of(const struct plot_sweep *sweep, const struct records *cell,
                                       const struct records *framed)
{
    const struct run_info_data *info = run_info_data(&sweep->request->data->folder->run, sweep->dataset);
    const int is_tested = (measure_row(sweep->field)->flags & MEMBER_TESTED) != 0;
    const enum contrast_basis basis = is_tested ? CONTRAST_TESTED : CONTRAST_TRAINED;
    const double overlap = info ? contrast_overlap(basis, info->n_train, info->n_test) : (double)NAN;
    struct difference difference = {.interval = no_interval};
    double *values = pool_array(sweep->request->pool, 2 * cell->count, sizeof *values);
    difference.n = pair_cells(sweep, cell, framed, values, values + cell->count);
    if (difference.n > 0 && !isnan(overlap)) {
        const struct interval found = resampled_t_test(values, values + cell->count, difference.n, overlap,
                                                       TAIL_TWO_SIDED, CONTRAST_LEVEL).difference;
        difference.interval = (struct interval){round_to_12_digits(found.estimate), round_to_12_digits(found.low),
                                                round_to_12_digits(found.high), found.level};
        difference.told_apart = difference.n >= MIN_PAIRS_FOR_A_CLAIM && found.level > 0 &&
                                (difference.interval.low > 0 || difference.interval.high < 0);
    }
    return difference;
}

/* The number of different splits of the records, which are of one data set. */
static size_t count_splits(const struct records *records)
{
    struct pool *pool = pool_new();
    const size_t n = coverage_of_records(pool, records, 1, 0).n_tasks;
    pool_free(pool);
    return n;
}

static int are_neighbours(size_t a, size_t b, size_t columns)
{
    const size_t xs[] = {a % columns, b % columns}, ys[] = {a / columns, b / columns};
    return a != b && xs[0] <= xs[1] + 1 && xs[1] <= xs[0] + 1 && ys[0] <= ys[1] + 1 && ys[1] <= ys[0] + 1;
}

/* Prints "+1.2±0.8", with "?" if splits are too few for the half-width; "" if the cell is not a neighbour. */
static void print_difference(FILE *dat, const struct difference *difference, int decimals)
{
    const struct interval *interval = &difference->interval;
    const double numbers[] = {interval->estimate, interval->low, interval->high};
    const double reach = (interval->high - interval->low) / 2;
    fprintf(dat, " %zu ", difference->n);
    plot_numbers(dat, numbers, 3, " ");
    if (difference->n == 0 || !isfinite(interval->estimate))
        fputs("\"\"", dat);
    else if (interval->level > 0 && (reach > 0 || difference->n >= MIN_PAIRS_FOR_A_CLAIM))
        fprintf(dat, "\"%+.*f±%.*f\"", decimals, interval->estimate, reach < 10 ? decimals : 0, reach);
    else
        fprintf(dat, "\"%+.*f±?\"", decimals, interval->estimate);
    fprintf(dat, " %d\n", difference->n == 0 ? 0 : difference->told_apart ? 2 : 1);
}

static void print_cell(const struct plot_sweep *sweep, FILE *dat, const struct plot_levels levels[2], size_t at,
                       const struct plot_level_cell *cell, int is_framed)
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
    snprintf(text, sizeof text, measure_is_ratio(sweep->field) ? "%.2f%s" : "%.1f%s", shown,
             cell->unfinished ? "*" : "");
    fprintf(dat, " \"%s\" %d", text, is_framed);
}

static void name_panel(const struct plot_series *series, const struct plot_levels levels[2],
                       struct labels *labels)
{
    size_t panel = labels->n++;
    labels->title[panel] = series->label;
    labels->x_label[panel] = plot_setting_label(series->axis[0]);
    labels->y_label[panel] = plot_setting_label(series->axis[1]);
    labels->x_count[panel] = (double)levels[0].n;
    labels->y_count[panel] = (double)levels[1].n;
}

/* The index of the record's level; levels->n if it has none of them. */
static size_t level_of(const struct record *record, const char *setting, const struct plot_levels *levels)
{
    const struct setting *found = record_setting(record, setting);
    size_t at = 0;
    while (at < levels->n && !(found && found->text == levels->items[at]->text))
        at++;
    return at;
}

/* The records of each cell, in their order. */
static struct records *divide(struct pool *pool, const struct plot_series *series, const struct plot_levels levels[2])
{
    struct records *cells = pool_array(pool, levels[0].n * levels[1].n, sizeof *cells);
    for (size_t i = 0; i < series->records.count; i++) {
        const struct record *record = series->records.items[i];
        const size_t x = level_of(record, series->axis[0], &levels[0]),
                     y = level_of(record, series->axis[1], &levels[1]);
        if (x == levels[0].n || y == levels[1].n)
            continue;
        cells[y * levels[0].n + x].pool = pool;
        records_add(&cells[y * levels[0].n + x], record);
    }
    return cells;
}

/* Prints one panel: its block of the .dat and its labels. Cells without a record stay white. */
static void draw_panel(const struct plot_sweep *sweep, const struct plot_series *series, FILE *dat,
                       struct labels *labels)
{
    struct plot_levels levels[2];
    double lowest = HUGE_VAL;
    size_t framed = 0;
    int has_value = 0;
    plot_levels_take(&series->records, series->axis[0], &levels[0]);
    plot_levels_take(&series->records, series->axis[1], &levels[1]);
    const size_t count = levels[0].n * levels[1].n, splits = count_splits(&series->records);
    const struct records *records = divide(sweep->request->pool, series, levels);
    struct plot_level_cell *cells = pool_array(sweep->request->pool, count, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        cells[i] = plot_level_cell(&records[i], NULL, sweep->field, sweep->values);
        labels->n_incomplete += cells[i].n > 0 && cells[i].n < splits;
        has_value |= isfinite(shown_value(sweep, &cells[i]));
        if (cells[i].n == splits && shown_value(sweep, &cells[i]) < lowest) {
            lowest = shown_value(sweep, &cells[i]);
            framed = i;
        }
    }
    if (has_value) {
        fprintf(dat, "%s# %s\n", labels->n ? "\n\n" : "", series->label);
        name_panel(series, levels, labels);
    }
    for (size_t i = 0; i < count; i++)
        if (isfinite(shown_value(sweep, &cells[i]))) {
            struct difference difference = {.interval = {(double)NAN, (double)NAN, (double)NAN, 0}};
            if (isfinite(lowest) && are_neighbours(i, framed, levels[0].n))
                difference = difference_of(sweep, &records[i], &records[framed]);
            if (difference.n > 0 && difference.n < labels->least_pairs)
                labels->least_pairs = difference.n;
            print_cell(sweep, dat, levels, i, &cells[i],
                       cells[i].n == splits && shown_value(sweep, &cells[i]) <= lowest);
            print_difference(dat, &difference, measure_is_ratio(sweep->field) ? 2 : 1);
        }
}

static void assign(const struct labels *labels, struct plot_figure *figure)
{
    plot_figure_panels(figure, labels->title, labels->n);
    plot_figure_texts(figure, "x_label", labels->x_label, labels->n);
    plot_figure_texts(figure, "y_label", labels->y_label, labels->n);
    plot_figure_numbers(figure, "x_count", labels->x_count, labels->n);
    plot_figure_numbers(figure, "y_count", labels->y_count, labels->n);
}

/* On paper, a cell has room only for its mean. */
static void describe_differences(const struct labels *labels, int counted, int paper, FILE *caption)
{
    if (paper)
        fputs("Dashed: a neighbour that is not significantly different from the framed cell (95 % interval of the "
              "difference, paired over splits). The framed cell is the lowest of many, which favours it. Numbers that "
              "do not fit into their cells are left out. ",
              caption);
    else
        fprintf(caption,
            "Below the mean of a neighbour of the framed cell: its difference%s to that cell, ± half the width of the "
            "95 %% interval, paired over splits. Dashed: not significantly different from the framed cell. The framed "
            "cell is the lowest of many, which favours it. ",
            counted ? " of log₁₀" : "");
    if (labels->n_incomplete)
        fprintf(caption, "%zu cells lack splits of their panel, because runs failed or were not made; they are not "
                         "framed. ",
                labels->n_incomplete);
    if (labels->least_pairs < MIN_PAIRS_FOR_A_CLAIM)
        fprintf(caption, "%zu splits are too few to show any difference. ", labels->least_pairs);
}

static void describe(const struct plot_sweep *sweep, const struct labels *labels, struct plot_figure *figure)
{
    FILE *heading = figure->heading, *caption = figure->caption;
    char quantity[100];
    int counted = measure_is_ratio(sweep->field);
    snprintf(quantity, sizeof quantity, "%s%s", counted ? "log₁₀ of mean " : "", measure_label(sweep->field));
    plot_figure_text(figure, "quantity", quantity);
    fprintf(heading, "%s: ", counted ? quantity : measure_title(sweep->field));
    plot_describe(heading, sweep->request->data, &sweep->records);
    fputs("Mean over splits. Framed: the lowest of a panel. White: not run. ", caption);
    describe_differences(labels, counted, plot_for_paper(sweep->request), caption);
    plot_figure_number(figure, "differences", !plot_for_paper(sweep->request));
    plot_sweep_describe(sweep, caption);
    for (size_t i = 0; i < sweep->records.count; i++)
        if (sweep->records.items[i]->at_limit || sweep->records.items[i]->stalled) {
            fputs("*: some runs were stopped at a limit or stalled. ", caption);
            break;
        }
    plot_origin_of_splits(caption, sweep->request->data, &sweep->records);
}

int plot_sweep_grids(const struct plot_sweep *sweep, struct plot_figure *figure)
{
    struct labels labels = {.least_pairs = (size_t)-1};
    fputs("# x y x_level y_level n mean shown label lowest pairs difference low high text neighbour\n", figure->dat);
    for (size_t s = 0; s < sweep->series.n && labels.n < MAX_PANELS; s++)
        draw_panel(sweep, &sweep->series.items[s], figure->dat, &labels);
    if (labels.n > 0) {
        assign(&labels, figure);
        describe(sweep, &labels, figure);
        if (sweep->series.n > MAX_PANELS)
            plot_note(sweep->request, "%zu of %zu panels of %s", sweep->series.n - MAX_PANELS, sweep->series.n,
                      sweep->dataset);
    }
    return labels.n > 0;
}
