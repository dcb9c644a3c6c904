/*
 * Sweeps: the records of one data set with varied settings, a figure for each data set and metric. "heatmap" draws two
 * swept settings. "lines" draws one at a time: mean and quartiles over splits at each level, with a column
 * of panels for each setting (an SVM sweeps C where a reduced hull sweeps mu), and a line for each series.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/compare/case_statistics.h"
#include "harness/plot/kinds.h"
#include "harness/records/coverage.h"
#include "harness/records/same_problem.h"
#include "harness/stats/resampled_t.h"
#include "harness/support/decimal.h"

enum { MAX_LINES = 12, MAX_SETTINGS = 8, AUTOMATIC_LEVELS = 3, MAX_PANELS = 12 };

/* One figure: the records of a data set and the field to show. */
struct plot_sweep {
    const struct plot_request *request;
    enum record_field field;
    struct records records;
    struct plot_series_list series;
    double *values; /* space for one value per record */
};

/* Prints what a kernel width is and which kernel operations are counted. */
static void describe_settings(const struct plot_sweep *sweep, FILE *caption)
{
    int has_width = 0;
    for (size_t s = 0; s < sweep->series.n; s++)
        for (int k = 0; k < 2; k++) {
            const char *axis = sweep->series.items[s].axis[k];
            has_width |= axis && strcmp(axis, "width") == 0;
        }
    if (has_width) /* with no-break spaces */
        fputs("k(x, z) = exp(−‖x − z‖² / kernel width). ", caption);
    if (sweep->field == FIELD_KERNEL_OPERATIONS)
        fputs("Kernel operations of the iterations, without the set-up. ", caption);
}

/* ---- lines ---- */

static int has_setting(const struct records *records, const char *setting)
{
    size_t i = 0;
    while (i < records->count && !record_setting(records->items[i], setting))
        i++;
    return i < records->count;
}

/* Prints a row: the records at a level, or all of a series that lacks the setting, whose x is NaN. Returns 0 without a
 * value that the axis can show. */
static int print_row(const struct plot_sweep *sweep, const struct records *records, const struct setting *level,
                     double x, int named, FILE *dat)
{
    const struct plot_level_cell cell = plot_level_cell(records, level, sweep->field, sweep->values);
    const struct plot_spread *spread = &cell.spread;
    const double numbers[] = {spread->mean,   spread->sd,            spread->low_quartile,
                              spread->median, spread->high_quartile, (double)cell.unfinished};
    if (cell.n == 0 || (measure_is_ratio(sweep->field) && spread->mean <= 0))
        return 0;
    plot_number(dat, x);
    fprintf(dat, " %zu ", cell.n);
    plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, named ? " " : "\n");
    if (named) {
        plot_data_text(dat, level ? plot_level_text(sweep->request->pool, level) : "");
        fputc('\n', dat);
    }
    return 1;
}

/* Prints the block of a series in the column of a setting; returns its number of rows. */
static size_t print_block(const struct plot_sweep *sweep, const struct plot_series *series, const char *setting,
                          const struct plot_levels *levels, FILE *dat)
{
    const int named = !plot_levels_are_numbers(levels), is_reference = !has_setting(&series->records, setting);
    size_t rows = 0;
    fprintf(dat, "# %s, %s%s: %s\n", measure_label(sweep->field), is_reference ? "without " : "", setting,
            series->label);
    if (is_reference && !series->axis[0])
        rows += (size_t)print_row(sweep, &series->records, NULL, (double)NAN, named, dat);
    for (size_t i = 0; i < levels->n && series->axis[0] && strcmp(series->axis[0], setting) == 0; i++)
        rows += (size_t)print_row(sweep, &series->records, levels->items[i],
                                  named ? (double)(i + 1) : levels->items[i]->number, named, dat);
    if (rows == 0)
        plot_empty_block(dat, 8);
    return rows;
}

/* Chooses the series with a swept setting, and those that lack one of these settings: lines across its panel. Adds the
 * settings; returns the number of lines. */
static size_t choose_lines(const struct plot_sweep *sweep, struct name_order *settings,
                           const struct plot_series *lines[MAX_LINES])
{
    const size_t n_series = sweep->series.n < MAX_LINES ? sweep->series.n : MAX_LINES;
    size_t n = 0;
    for (size_t s = 0; s < n_series; s++)
        if (sweep->series.items[s].axis[0] && settings->count < MAX_SETTINGS)
            name_order_add(settings, sweep->series.items[s].axis[0]);
    for (size_t s = 0; s < n_series; s++) {
        const struct plot_series *series = &sweep->series.items[s];
        int is_shown = series->axis[0] != NULL;
        for (size_t c = 0; c < settings->count; c++)
            is_shown |= !has_setting(&series->records, settings->names[c]);
        if (is_shown)
            lines[n++] = series;
    }
    if (sweep->series.n > MAX_LINES)
        plot_note(sweep->request, "%zu of %zu lines of %s", sweep->series.n - MAX_LINES, sweep->series.n,
                  sweep->request->dataset);
    return n;
}

static int draw_lines(const struct plot_sweep *sweep, struct plot_figure *figure)
{
    const struct run_view *data = sweep->request->data;
    const struct plot_series *lines[MAX_LINES];
    struct name_order settings = {.pool = sweep->request->pool};
    const char *axes[MAX_SETTINGS], *labels[MAX_LINES], *metric = measure_label(sweep->field);
    double scales[MAX_SETTINGS], named[MAX_SETTINGS], reference[MAX_LINES];
    const double logarithmic = measure_is_ratio(sweep->field);
    const size_t n_lines = choose_lines(sweep, &settings, lines), n_settings = settings.count;
    size_t rows = 0;
    int has_reference = 0;
    fputs("# level n mean sd quartile_1 median quartile_3 at_limit\n", figure->dat);
    for (size_t c = 0; c < n_settings; c++) {
        struct plot_levels levels;
        plot_levels_take(&sweep->records, settings.names[c], &levels);
        axes[c] = plot_setting_axis(data, settings.names[c]);
        scales[c] = plot_setting_scale(data, settings.names[c]);
        named[c] = !plot_levels_are_numbers(&levels);
        for (size_t s = 0; s < n_lines; s++) {
            fputs(c + s ? "\n\n" : "", figure->dat);
            rows += print_block(sweep, lines[s], settings.names[c], &levels, figure->dat);
        }
    }
    for (size_t s = 0; s < n_lines; s++) {
        labels[s] = lines[s]->label;
        reference[s] = !lines[s]->axis[0];
        has_reference |= !lines[s]->axis[0];
    }
    plot_figure_series(figure, labels, n_lines);
    plot_figure_numbers(figure, "reference", reference, n_lines);
    plot_figure_texts(figure, "x_axes", axes, n_settings);
    plot_figure_numbers(figure, "x_scale", scales, n_settings);
    plot_figure_numbers(figure, "x_named", named, n_settings);
    plot_figure_texts(figure, "y_axes", &metric, 1);
    plot_figure_numbers(figure, "logarithmic", &logarithmic, 1);
    plot_figure_panels(figure, axes, n_settings);
    fprintf(figure->heading, "%s: ", measure_title(sweep->field));
    plot_describe(figure->heading, data, &sweep->records);
    fputs("Marks: mean over splits; bars: quartiles. ", figure->caption);
    plot_ringed(&sweep->records, "Rings", figure->caption);
    if (has_reference)
        fputs("Horizontal lines: mean of a solver that does not read the parameter; band: its quartiles. ",
              figure->caption);
    describe_settings(sweep, figure->caption);
    plot_origin(figure->caption, data, &sweep->records);
    return rows > 0;
}

/* ---- grids ----
 *
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
 * interval of zero width. */

/* The template's variables, by panel; axis 0 is x, 1 is y. */
struct grids {
    size_t n;
    const char *title[MAX_PANELS], *label[2][MAX_PANELS];
    double count[2][MAX_PANELS];
    size_t least_pairs;  /* fewest splits that a framed cell shares with a neighbour */
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

/* Pairs the values of two cells on the splits that both have; returns their number. Each has one record of a split. */
static size_t pair_cells(const struct plot_sweep *sweep, const struct records *cell, const struct records *framed,
                         double *values, double *best)
{
    struct records own = {.pool = sweep->request->pool}, others = {.pool = sweep->request->pool};
    size_t n = 0;
    records_append(&own, cell);
    records_append(&others, framed);
    records_sort_by_training_set(&own);
    records_sort_by_training_set(&others);
    for (size_t i = 0, k = 0; i < own.count; i++) {
        while (k < others.count && compare_training_sets(others.items[k], own.items[i]) < 0)
            k++;
        if (k == others.count || compare_training_sets(others.items[k], own.items[i]) != 0)
            continue;
        values[n] = compared_value(sweep, own.items[i]);
        best[n] = compared_value(sweep, others.items[k]);
        n += isfinite(values[n]) && isfinite(best[n]);
    }
    return n;
}

static struct difference difference_of(const struct plot_sweep *sweep, const struct records *cell,
                                       const struct records *framed)
{
    const struct run_info_data *info = run_info_data(&sweep->request->data->folder->run, sweep->request->dataset);
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

/* Prints the row of a cell: its mean, and how far it is above the framed one. */
static void print_cell(const struct plot_sweep *sweep, FILE *dat, const struct plot_levels levels[2], size_t at,
                       const struct plot_level_cell *cell, int is_framed, const struct difference *difference)
{
    const int is_ratio = measure_is_ratio(sweep->field), decimals = is_ratio ? 2 : 1;
    const struct interval *interval = &difference->interval;
    const double shown = shown_value(sweep, cell), reach = (interval->high - interval->low) / 2;
    fprintf(dat, "%zu %zu ", at % levels[0].n + 1, at / levels[0].n + 1);
    for (int k = 0; k < 2; k++) {
        const size_t level = k ? at / levels[0].n : at % levels[0].n;
        plot_data_text(dat, plot_level_text(sweep->request->pool, levels[k].items[level]));
        fputc(' ', dat);
    }
    fprintf(dat, "%zu ", cell->n);
    plot_numbers(dat, (const double[]){cell->spread.mean, shown}, 2, "");
    fprintf(dat, " \"%.*f%s\" %d %zu ", decimals, shown, cell->unfinished ? "*" : "", is_framed, difference->n);
    plot_numbers(dat, (const double[]){interval->estimate, interval->low, interval->high}, 3, " ");
    if (difference->n == 0 || !isfinite(interval->estimate))
        fputs("\"\"", dat);
    else if (interval->level > 0 && (reach > 0 || difference->n >= MIN_PAIRS_FOR_A_CLAIM))
        fprintf(dat, "\"%+.*f±%.*f\"", decimals, interval->estimate, reach < 10 ? decimals : 0, reach);
    else
        fprintf(dat, "\"%+.*f±?\"", decimals, interval->estimate);
    fprintf(dat, " %d\n", difference->n == 0 ? 0 : difference->told_apart ? 2 : 1);
}

/* Prints one panel: its block of the .dat, and its variables. Cells without a record stay white. */
static void print_grid(const struct plot_sweep *sweep, const struct plot_series *series, FILE *dat, struct grids *grids)
{
    struct pool *pool = sweep->request->pool;
    struct plot_levels levels[2];
    double lowest = HUGE_VAL;
    size_t framed = 0, n_values = 0;
    for (int k = 0; k < 2; k++)
        plot_levels_take(&series->records, series->axis[k], &levels[k]);
    const size_t count = levels[0].n * levels[1].n, splits = count_splits(&series->records);
    const struct records *records = divide(pool, series, levels);
    struct plot_level_cell *cells = pool_array(pool, count, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        cells[i] = plot_level_cell(&records[i], NULL, sweep->field, sweep->values);
        const double shown = shown_value(sweep, &cells[i]);
        grids->n_incomplete += cells[i].n > 0 && cells[i].n < splits;
        n_values += isfinite(shown) != 0;
        if (cells[i].n == splits && shown < lowest) {
            lowest = shown;
            framed = i;
        }
    }
    if (n_values == 0)
        return;
    fprintf(dat, "%s# %s\n", grids->n ? "\n\n" : "", series->label);
    grids->title[grids->n] = series->label;
    for (int k = 0; k < 2; k++) {
        grids->label[k][grids->n] = plot_setting_label(series->axis[k]);
        grids->count[k][grids->n] = (double)levels[k].n;
    }
    grids->n++;
    for (size_t i = 0; i < count; i++) {
        const double shown = shown_value(sweep, &cells[i]);
        struct difference difference = {.interval = no_interval};
        if (!isfinite(shown))
            continue;
        if (isfinite(lowest) && are_neighbours(i, framed, levels[0].n))
            difference = difference_of(sweep, &records[i], &records[framed]);
        if (difference.n > 0 && difference.n < grids->least_pairs)
            grids->least_pairs = difference.n;
        print_cell(sweep, dat, levels, i, &cells[i], cells[i].n == splits && shown <= lowest, &difference);
    }
}

/* On paper, a cell has room only for its mean. */
static void describe_grids(const struct plot_sweep *sweep, const struct grids *grids, FILE *caption)
{
    const int is_ratio = measure_is_ratio(sweep->field);
    fputs("Mean over splits. Framed: the lowest of a panel. White: not run. ", caption);
    if (sweep->request->style->paper)
        fputs("Dashed: a neighbour that is not significantly different from the framed cell (95 % interval of the "
              "difference, paired over splits). The framed cell is the lowest of many, which favours it. Numbers that "
              "do not fit into their cells are left out. ",
              caption);
    else
        fprintf(caption,
                "Below the mean of a neighbour of the framed cell: its difference%s to that cell, ± half the width of "
                "the 95 %% interval, paired over splits. Dashed: not significantly different from the framed cell. The "
                "framed cell is the lowest of many, which favours it. ",
                is_ratio ? " of log₁₀" : "");
    if (grids->n_incomplete)
        fprintf(caption, "%zu cells lack splits of their panel, because runs failed or were not made; they are not "
                         "framed. ",
                grids->n_incomplete);
    if (grids->least_pairs < MIN_PAIRS_FOR_A_CLAIM)
        fprintf(caption, "%zu splits are too few to show any difference. ", grids->least_pairs);
    describe_settings(sweep, caption);
    plot_ringed(&sweep->records, "*", caption);
    plot_origin_of_splits(caption, sweep->request->data, &sweep->records);
}

static int draw_grids(const struct plot_sweep *sweep, struct plot_figure *figure)
{
    const int is_ratio = measure_is_ratio(sweep->field);
    const char *quantity = pool_printf(figure->pool, "%s%s", is_ratio ? "log₁₀ of mean " : "",
                                       measure_label(sweep->field));
    struct grids grids = {.least_pairs = (size_t)-1};
    fputs("# x y x_level y_level n mean shown label lowest pairs difference low high text neighbour\n", figure->dat);
    for (size_t s = 0; s < sweep->series.n && grids.n < MAX_PANELS; s++)
        print_grid(sweep, &sweep->series.items[s], figure->dat, &grids);
    if (grids.n == 0)
        return 0;
    plot_figure_panels(figure, grids.title, grids.n);
    plot_figure_texts(figure, "x_label", grids.label[0], grids.n);
    plot_figure_texts(figure, "y_label", grids.label[1], grids.n);
    plot_figure_numbers(figure, "x_count", grids.count[0], grids.n);
    plot_figure_numbers(figure, "y_count", grids.count[1], grids.n);
    plot_figure_text(figure, "quantity", quantity);
    plot_figure_number(figure, "differences", !sweep->request->style->paper);
    fprintf(figure->heading, "%s: ", is_ratio ? quantity : measure_title(sweep->field));
    plot_describe(figure->heading, sweep->request->data, &sweep->records);
    describe_grids(sweep, &grids, figure->caption);
    if (sweep->series.n > MAX_PANELS)
        plot_note(sweep->request, "%zu of %zu panels of %s", sweep->series.n - MAX_PANELS, sweep->series.n,
                  sweep->request->dataset);
    return 1;
}

/* ---- data sets and metrics ---- */

/* How a kind draws: its template, and the number of swept settings on axes. */
static const struct form {
    const char *kind;
    size_t n_axes;
    int (*fill)(const struct plot_sweep *sweep, struct plot_figure *figure);
} lines_form = {"lines", 1, draw_lines}, heatmap_form = {"heatmap", 2, draw_grids};

/* Nonzero if some series has enough levels to be drawn without a request. */
static int worth_drawing(const struct plot_sweep *sweep)
{
    struct plot_levels levels;
    for (size_t s = 0; s < sweep->series.n; s++) {
        const struct plot_series *series = &sweep->series.items[s];
        if (!series->axis[0])
            continue;
        plot_levels_take(&series->records, series->axis[0], &levels);
        if (sweep->request->entry || levels.n >= AUTOMATIC_LEVELS)
            return 1;
    }
    return 0;
}

/* Draws the figure NAME-METRIC-DATASET, without the parts that the entry fixes. */
static void draw_figure(const struct plot_sweep *sweep, const struct form *form)
{
    struct plot_figure figure;
    const cJSON *entry = sweep->request->entry;
    const char *parts[3] = {NULL}, *metric = measure_row(sweep->field)->measure;
    size_t n = 0;
    if (!cJSON_HasObjectItem(entry, "metric"))
        parts[n++] = metric;
    if (!cJSON_HasObjectItem(entry, "dataset"))
        parts[n++] = sweep->request->dataset;
    plot_figure_open(&figure, form->kind, sweep->request->name, parts[0], parts[1]);
    if (form->fill(sweep, &figure)) {
        plot_finish(sweep->request->run, &figure);
        return;
    }
    plot_note(sweep->request, "no %s of %s that the figure can show", metric, sweep->request->dataset);
    plot_figure_free(&figure);
}

void plot_sweeps(const struct plot_request *request)
{
    const struct form *form = strcmp(request->kind, "lines") == 0 ? &lines_form : &heatmap_form;
    static const enum record_field usual[] = {FIELD_ERROR, FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS};
    struct plot_sweep sweep = {.request = request};
    const char *metric = plot_entry_text(request, "metric");
    sweep.records = plot_select(request->pool, request->data, request->entry, request->dataset);
    sweep.values = pool_array(request->pool, sweep.records.count, sizeof *sweep.values);
    sweep.series = plot_series_build(request->pool, request->data, &sweep.records, form->n_axes, request->entry);
    if (form == &heatmap_form && sweep.series.n == 0 && request->entry) {
        form = &lines_form;
        sweep.series = plot_series_build(request->pool, request->data, &sweep.records, 1, request->entry);
    }
    if (!worth_drawing(&sweep)) {
        if (sweep.records.count > 0)
            plot_note(request, "%s takes several values for %s",
                      form->n_axes == 2 ? "no pair of settings" : "no setting", request->dataset);
        return;
    }
    const size_t named = metric ? measure_find(metric, MEMBER_FIGURE) : 0;
    if (named >= RECORD_FIELDS)
        plot_die_metric(request, "error, iterations, kernel-operations, support-vectors");
    for (size_t i = 0; i < (metric ? 1 : sizeof usual / sizeof *usual); i++) {
        sweep.field = metric ? (enum record_field)named : usual[i];
        draw_figure(&sweep, form);
    }
}
